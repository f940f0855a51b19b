/*
 * lines.h - the lines of the instructions of a method.
 *
 * As compilers write them, mostly in the order of instructions. A zeroed struct has none.
 */
#ifndef JFR_LINES_H
#define JFR_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"

struct line {
	uint32_t start;			/* bytecode index from which on ... */
	int32_t number;			/* ... it is this one */
};

/* In the order of their starts. */
struct lines {
	VEC(struct line) all;
};

/* Of those with the same start, the last one is it. False without memory. */
bool lines_add(struct lines *lines, uint32_t start, int32_t number);

/* The line with the last start that is not behind the instruction; -1: there is none. */
int32_t lines_at(const struct lines *lines, int64_t bytecode);

void lines_clear(struct lines *lines);

/* Appends them as few bytes, about two each: the difference of each to the one before. */
void lines_encode(struct buf *to, const struct lines *lines);

/* Appends what was encoded so. False: it was not; or without memory. */
bool lines_decode(struct lines *lines, struct str bytes);

#endif
