/*
 * crew.h - a few threads that work through items and keep their order.
 *
 * Three stages. `next` is called by one thread at a time and hands out items in
 * order; `work` runs on many threads at once; `take` is called by one thread at a
 * time, for the items in the order they were handed out. At most a small multiple
 * of the number of threads of items exists at any time, so memory is bounded by
 * the size of an item. With one thread no thread is started at all.
 *
 *	static const struct crew crew = { sizeof(struct job), next, work, take, NULL };
 *
 *	if (!crew_run(&crew, &context, crew_size(0))) ...
 *
 * An item is a block of memory of item_size bytes, zeroed at first and then
 * reused: `next` must set what it hands out, buffers in it may be kept. `release`
 * is called once for each block at the end.
 */
#ifndef BASE_CREW_H
#define BASE_CREW_H

#include <stdbool.h>
#include <stddef.h>

struct crew {
	size_t item_size;
	bool (*next)(void *context, void *item);	/* false: nothing more */
	void (*work)(void *context, void *item);
	bool (*take)(void *context, void *item);	/* false: stop early */
	void (*release)(void *item);			/* may be NULL */
};

/*
 * Runs to the end. False when memory or threads could not be had (a crew smaller
 * than asked for is not a failure) or `take` stopped early. Calls of next and of
 * take see everything that earlier calls of the same stage wrote; what `next`
 * writes before handing out an item is seen by its work and take.
 */
bool crew_run(const struct crew *crew, void *context, int threads);

/* Threads to use: `wanted` if > 0, else $CJFR_JOBS, else the processors we may use. */
int crew_size(int wanted);

#endif
