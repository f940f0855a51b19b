/*
 * sweep.h - all chunks of an input, worked on by many threads and taken in order.
 *
 * Each chunk is opened, given to `work` on any thread, then to `take` by one thread at
 * a time in the order of the input, and closed. What a chunk needs for itself lies in a
 * block of `size` bytes, zeroed at first and then reused for later chunks; buffers in
 * it may be kept. So memory is bounded by a few chunks.
 */
#ifndef JFR_SWEEP_H
#define JFR_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "jfr/chunk.h"
#include "jfr/damage.h"
#include "jfr/input.h"

struct sweep {
	size_t size;
	/*
	 * Sees each chunk before its work, one at a time and in order; NULL: nobody needs
	 * to. False ends the sweep, with no further chunk.
	 */
	bool (*begin)(void *context, const struct chunk *chunk);
	/* Both are false when memory runs out. `damage` is what the chunk has of it. */
	bool (*work)(void *context, struct chunk *chunk, struct damage *damage,
		     void *own);
	bool (*take)(void *context, const struct chunk *chunk,
		     const struct damage *damage, void *own);
	void (*release)(void *own);
};

/*
 * Goes over the whole input. What cannot be read is told in `damage`. False if no chunk
 * can be opened, memory runs out, or `begin` ended it.
 */
bool sweep_run(const struct sweep *sweep, void *context, struct input *input,
	       int threads, struct damage *damage, struct err *err);

#endif
