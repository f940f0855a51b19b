/*
 * tally.h - how many events of which type a recording holds, and their bytes.
 *
 * Hops over the sizes of events, on as many threads as asked; nothing of them is
 * decoded, and constants are not needed.
 */
#ifndef JFR_TALLY_H
#define JFR_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "jfr/damage.h"
#include "jfr/input.h"

struct tally_row {
	int64_t id;
	struct str name;
	uint64_t count;		/* may be 0: declared, but none was recorded */
	uint64_t size;		/* bytes of all of them */
	uint64_t place;		/* among rows of the same count and name */
};

struct tally {
	VEC(struct tally_row) rows;	/* most events first, then by name */
	struct map by_id;
	size_t name_width;		/* of the longest declared, UTF-16 units */
	size_t chunks;
	int64_t duration_nanos;		/* of all chunks */
	struct header first;		/* the header of the first chunk */
	struct arena arena;		/* names that are not the recording's */
};

/*
 * Counts the whole input. What cannot be read is told in `damage`. False if no chunk can
 * be opened or memory runs out.
 */
bool tally_input(struct tally *tally, struct input *input, int threads,
		 struct damage *damage, struct err *err);

/* Before the input is closed: names may be its. */
void tally_clear(struct tally *tally);

#endif
