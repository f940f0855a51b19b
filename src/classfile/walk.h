/*
 * walk.h - from instruction to instruction, with what is known of the state at each.
 *
 *	walk_open(&walk, ...)
 *	while (walk_next(&walk))
 *		... walk.at, walk.state ...
 *
 * Where there is a frame, it says; elsewhere it follows from the instruction before.
 * What neither says (code that is not reached) has no state.
 */
#ifndef CLASSFILE_WALK_H
#define CLASSFILE_WALK_H

#include "classfile/frames.h"

struct walk {
	const struct code *code;
	struct frames frames;
	struct vstate state;		/* before the instruction at `at` */
	bool is_known;			/* else: there is no state */
	bool has_frame;			/* it is that of a frame */
	uint32_t at;
	bool is_damaged;		/* then there is no next one */
	/* private */
	struct arena *arena;
	uint32_t i;			/* number of the next instruction */
};

/* False: descriptor damaged, or without memory. */
bool walk_open(struct walk *walk, const struct code *code,
	       const struct classfile_method *method, struct classfile_part frames,
	       struct arena *arena);

bool walk_next(struct walk *walk);

#endif
