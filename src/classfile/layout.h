/*
 * layout.h - where each instruction of a method goes, when code is put between them.
 *
 *	prologue        calls enter, and keeps what it gave in the local variable `start`
 *	the old code    with an exit sequence before each instruction that returns
 *	end             what comes behind: handlers
 *
 * Jumps that are too far get wide: goto becomes goto_w, an `if` the opposite one over a
 * goto_w. That moves others apart, so it is done until nothing changes.
 */
#ifndef CLASSFILE_LAYOUT_H
#define CLASSFILE_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "classfile/code.h"

#define LAYOUT_REACH 32767

struct layout {
	const struct code *code;
	uint32_t start;			/* local variable of it: behind all others */
	uint32_t prologue_size;
	uint32_t exit_size;		/* of a sequence before a return */
	int32_t reach;
	uint32_t *places;		/* by byte of the old code; and the end */
	bool *is_wide;			/* by byte: a jump that was made wide */
	bool has_wide;
};

/* All but code, places, is_wide is set by the caller. False: without memory. */
bool layout_make(struct layout *layout, const struct code *code, struct arena *arena);

/* Where what was there begins; between instructions: where the next one begins. */
static inline uint32_t layout_place(const struct layout *layout, uint32_t at)
{
	return layout->places[at];
}

static inline uint32_t layout_end(const struct layout *layout)
{
	return layout->places[layout->code->size];
}

/* An `if` that becomes wide: the opposite one, and a goto_w. */
enum { LAYOUT_OVER = 3 + 5 };

#endif
