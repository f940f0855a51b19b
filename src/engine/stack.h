/*
 * stack.h - stack traces as constants: frames come one by one, the innermost first.
 */
#ifndef ENGINE_STACK_H
#define ENGINE_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "engine/constants.h"

/* The place of an instruction, as a stack frame has it. */
struct method_place {
	uint64_t method;		/* POOL_METHOD; 0: without memory */
	int32_t line;			/* -1: not known */
	bool is_native;
	struct str waiting;		/* state of who waits in it; bytes NULL: any */
};

void stack_begin(struct buf *stack, bool is_truncated, uint32_t count);

/* `type` is POOL_FRAME_TYPE, 0: not known; a native method's is known in any case. */
void stack_frame(struct buf *stack, struct constants *constants,
		 const struct method_place *place, int64_t bytecode, uint64_t type);

/* Its key, when it has all its frames; 0 without memory. */
uint64_t stack_end(const struct buf *stack, struct constants *constants);

/* The value of a POOL_METHOD: of a POOL_CLASS, with two of POOL_SYMBOL. */
void stack_encode_method(struct buf *to, uint64_t type, uint64_t name,
			 uint64_t descriptor, int32_t modifiers);

/*
 * A method "<unknown>" of a class of that name: it stands in for one that nobody knows,
 * as readers of recordings trip over frames without one. POOL_METHOD; 0 without memory.
 */
uint64_t stack_unknown_method(struct constants *constants);

#endif
