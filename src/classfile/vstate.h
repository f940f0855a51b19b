/*
 * vstate.h - local variables and stack at a place of a method, and what becomes of them.
 *
 * Types are those of the verifier. They are not checked, but all stays within the local
 * variables and the stack that the method says it has.
 */
#ifndef CLASSFILE_VSTATE_H
#define CLASSFILE_VSTATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "classfile/code.h"
#include "classfile/vtype.h"

struct vstate {
	struct vtype *locals;		/* code->max_locals of them */
	struct vtype *stack;
	uint32_t local_count;		/* those behind are VTYPE_TOP */
	uint32_t depth;
	bool is_unfinished;		/* in a constructor: before another one's call */
};

/* As the method is entered. False: the descriptor is damaged, or without memory. */
bool vstate_enter(struct vstate *state, const struct code *code,
		  const struct classfile_method *method, struct arena *arena);

/* Puts a type behind the others: locals, stack. False: there is no room for it. */
bool vstate_add_local(struct vstate *state, const struct code *code,
		      struct vtype type);
bool vstate_push(struct vstate *state, const struct code *code, struct vtype type);

/* What the instruction does. False: it can not do so, or without memory. */
bool vstate_step(struct vstate *state, const struct code *code, uint32_t at,
		 struct arena *arena);

/* True if the instruction would call another constructor for `this`. */
bool vstate_finishes(const struct vstate *state, const struct code *code, uint32_t at);

/* The local variable that is written there, or -1; wide ones also write the next. */
int32_t vstate_stored(const struct code *code, uint32_t at);

#endif
