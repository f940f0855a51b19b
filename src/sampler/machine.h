/*
 * machine.h - the registers of a thread that a signal interrupted.
 *
 * For x86-64 and aarch64; elsewhere nothing is known and nothing is done.
 * Async-signal-safe.
 */
#ifndef SAMPLER_MACHINE_H
#define SAMPLER_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

struct machine {
	uintptr_t pc, sp, fp;
	uintptr_t link;		/* where it returns to, if a register has it; else 0 */
};

/* `context` is the ucontext_t of a handler. */
struct machine machine_of(const void *context);
void machine_set(void *context, const struct machine *machine);

/*
 * Where else a thread may be said to be, if the JVM does not understand where it is: by
 * what the code there has done so far.
 */
enum machine_way {
	MACHINE_BEGAN,		/* nothing yet, or all but to return: in the caller */
	MACHINE_PUSHED,		/* pushed the frame pointer: in the caller */
	MACHINE_ENTERED,	/* made its frame, as it has further on */
	MACHINE_FRAMED,		/* made a frame that the frame pointer leads to: in
				 * the caller; a function in C */
};

/* False: not on this processor. Reads the stack: under a guard only. */
bool machine_go(struct machine *machine, enum machine_way way);

/*
 * Where signals come together, the handler of one is interrupted by the next before it
 * has begun: the context of what the thread itself was doing, which may be the same.
 * Reads the stack: under a guard only.
 */
void *machine_beneath(void *context);

/*
 * True if the thread was waiting in the system when the signal came: its call is about
 * to be made again, or was given up because of it. Reads code: under a guard only.
 */
bool machine_is_blocked(const void *context);

#endif
