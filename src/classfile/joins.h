/*
 * joins.h - what is known at each instruction, where the class has no frames that say so.
 *
 * Of interest is only where `this` is, and whether another constructor was called for it.
 * Where two ways join, it is where it is on both. All ways are gone until nothing changes.
 */
#ifndef CLASSFILE_JOINS_H
#define CLASSFILE_JOINS_H

#include "base/arena.h"
#include "classfile/vstate.h"

/*
 * Told of each instruction that is reached; again and again, until nothing changes: the
 * last time counts.
 */
typedef void joins_told(void *context, uint32_t number, const struct vstate *state);

/* CODE_DAMAGED also where that would take too much. */
enum code_result joins_walk(const struct code *code,
			    const struct classfile_method *method, joins_told *told,
			    void *context, struct arena *arena);

#endif
