/*
 * context.h - which contextual events are open on each thread.
 *
 * Follows the moments of a timeline as they leave it (jfr-tool.md 2.2): the start
 * of an event with @Contextual fields opens it, its end closes it; events of the
 * same thread in between are shown with it, oldest first.
 */
#ifndef RENDER_CONTEXT_H
#define RENDER_CONTEXT_H

#include <stdbool.h>

#include "base/map.h"
#include "base/vec.h"
#include "render/pen.h"

struct context_thread {
	VEC(struct spot) open;
};

struct context {
	struct map threads;	/* key of the thread's constant -> index */
	VEC(struct context_thread) lists;
	struct arena arena;
	struct value *values;	/* of the event looked at */
};

/* An event opens or closes. False when memory runs out. */
bool context_open(struct context *context, const struct spot *spot);
bool context_close(struct context *context, const struct spot *spot);

/* The events open around this one, to be shown with it; NULL if none. */
const struct context_thread *context_around(struct context *context,
					    const struct spot *spot);

void context_clear(struct context *context);

#endif
