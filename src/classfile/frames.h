/*
 * frames.h - a StackMapTable, read frame by frame, and one that is written.
 *
 * Each frame says what is in local variables and on the stack at an instruction, most of
 * them as a difference to the one before. They are written whole, at other places, with
 * one more local variable, a long, behind all that the method had.
 */
#ifndef CLASSFILE_FRAMES_H
#define CLASSFILE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "classfile/constpool.h"
#include "classfile/layout.h"
#include "classfile/vstate.h"

struct frames {
	const struct code *code;
	struct reader reader;
	struct vstate state;		/* that of the frame */
	uint32_t at;			/* its instruction; code->size: no more frames */
	uint32_t left;			/* frames behind it */
	bool is_damaged;		/* then it is over */
	size_t work;			/* private */
};

/* Content size 0: there are none. False: descriptor damaged, or without memory. */
bool frames_open(struct frames *frames, const struct code *code,
		 const struct classfile_method *method, struct classfile_part content,
		 struct arena *arena);

/* The next one; at first, the first one. */
void frames_next(struct frames *frames);

/* A StackMapTable that is written: its content. */
struct frames_out {
	struct buf *to;
	struct constpool *constants;	/* for objects known by name; may get full */
	const struct layout *layout;	/* where things are now */
	size_t begin;			/* where the count is */
	uint32_t count;
	uint32_t last;			/* place of the last one */
};

void frames_out_open(struct frames_out *out, struct buf *to,
		     struct constpool *constants, const struct layout *layout);

/* Places ascend. */
void frames_out_add(struct frames_out *out, uint32_t place, const struct vstate *state);

/* Puts the count where it belongs. False: there are too many. */
bool frames_out_close(struct frames_out *out);

#endif
