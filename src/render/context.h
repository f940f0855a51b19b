/*
 * context.h - which contextual events are open on each thread.
 *
 * Follows the moments of a timeline as they leave it (jfr-tool.md 2.2): the start
 * of an event with @Contextual fields opens it, its end closes it; events of the
 * same thread in between are shown with it, oldest first. Memory is taken for events
 * that are open and for threads that have some, not for those that had.
 */
#ifndef RENDER_CONTEXT_H
#define RENDER_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "render/pen.h"

struct context_thread {
	uint64_t key;			/* of the thread's constant */
	VEC(struct spot) open;		/* oldest first */
};

struct context {
	struct map threads;		/* key -> index */
	VEC(struct context_thread) lists;
};

/*
 * An event with @Contextual fields starts; false when memory runs out. It must be
 * closed before its page is gone. One without a thread, or that ends before it starts,
 * opens nothing.
 */
bool context_open(struct context *context, const struct spot *spot);

/* It ends. No matter if it was not opened. */
void context_close(struct context *context, const struct spot *spot);

/*
 * The events open around this one, to be shown with it; NULL if none, also if it is
 * contextual itself. Valid until something opens or closes.
 */
const struct context_thread *context_around(const struct context *context,
					    const struct spot *spot);

void context_clear(struct context *context);

#endif
