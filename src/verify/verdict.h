/*
 * verdict.h - goes over all that an input holds, and tells what is wrong with it.
 *
 * Chunks are verified on as many threads as asked; findings come in the order of the
 * chunks, and in each by their place. Memory is that of the chunks being worked on, and
 * of a bounded number of findings for each.
 */
#ifndef VERIFY_VERDICT_H
#define VERIFY_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "jfr/input.h"
#include "verify/findings.h"

struct verify_request {
	struct input *input;
	int threads;
	uint64_t limit;		/* of each cause no more are told */
	/* Told each finding; false ends it all. */
	bool (*tell)(void *context, const struct finding *finding);
	void *context;
};

/* What was gone over. A zeroed struct is a valid empty one. */
struct verdict {
	uint64_t chunks;	/* those that could be opened */
	uint64_t bytes;		/* of these */
	uint64_t events;	/* metadata and checkpoints are none */
	uint64_t constants;	/* of different keys, in each chunk */
	uint64_t unused;	/* of them, those that nothing refers to */
	uint64_t faults, remarks;
	struct kinds kinds;	/* `kept` says how many of them were told */
};

/*
 * Verifies the whole input. `found` is what was found when it was opened; it is
 * emptied. False, with err, if it is no recording or memory runs out; with ERR_NONE if
 * tell ended it.
 */
bool verify_input(struct verdict *verdict, const struct verify_request *request,
		  struct damage *found, struct err *err);

void verdict_clear(struct verdict *verdict);

#endif
