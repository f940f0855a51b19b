/*
 * recorded.h - the repository of a JVM becomes its recording, and what is said of it.
 */
#ifndef CMD_RECORDED_H
#define CMD_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/command.h"

struct recorded {
	uint64_t chunks, events, bytes;
	bool is_unfinished;	/* the JVM had not written all of it; the rest was */
};

/*
 * Writes it to the path, "-" is standard output, as assemble does: what a JVM that was
 * killed left unfinished is finished. Damage is told. False: a message says why.
 */
bool recorded_write(const struct invocation *invocation, const char *repository,
		    const char *path, bool is_quiet, struct recorded *recorded);

#endif
