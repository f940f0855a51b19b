/*
 * walk.h - the stack of the thread that a signal interrupted, asked of the JVM.
 *
 * By AsyncGetCallTrace, which HotSpot has for this since JDK 5, though no header names
 * it. Where it fails because a compiled method is just building or leaving its frame,
 * or has called a function of the JVM's, it is asked again as if the thread were a
 * little further on, or in a caller; where the JVM has not noted yet from where in
 * Java it was called, with such a note (hotspot/anchor.h); where it read what is not
 * there, in all these ways. Async-signal-safe.
 */
#ifndef SAMPLER_WALK_H
#define SAMPLER_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/anchor.h"

/* The JVM's own layout of a frame and a trace. */
struct walk_frame {
	int32_t bytecode;	/* -3: a native method */
	void *method;		/* jmethodID */
};
struct walk_trace {
	void *env;
	int32_t count;		/* 0 or less: how it failed */
	struct walk_frame *frames;
};
typedef void walk_jvm(struct walk_trace *trace, int32_t depth, void *context);

struct walk {
	walk_jvm *jvm;
	bool is_guarded;	/* the guard is installed: only then it asks again */
	struct anchor anchor;	/* zeroed: not known */
};

enum walk_end { WALK_DONE, WALK_RETRIED, WALK_FAILED, WALK_FAULT };

/*
 * At most `depth` frames, from the innermost on. `vm`: the thread's structure in the
 * JVM, or 0. trace->env and frames are the caller's; trace->count is set. `context`
 * (ucontext_t) is afterwards as it was.
 */
enum walk_end walk_stack(const struct walk *walk, struct walk_trace *trace, int depth,
			 uintptr_t vm, void *context);

#endif
