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
	uintptr_t link;		/* where it returns to, if that is in a register; else 0 */
};

/* `context` is the ucontext_t of a handler. */
struct machine machine_of(const void *context);
void machine_set(void *context, const struct machine *machine);

/*
 * As it would be in the caller: as if the function had just begun, or were about to
 * return (0); or as if it had only set up its frame pointer (1). False: there is no such
 * way. Reads the stack: under a guard only.
 */
#define MACHINE_WAYS 2
bool machine_caller(struct machine *machine, int way);

/*
 * True if the thread was waiting in the system when the signal came: its call is about
 * to be made again, or was given up because of it. Reads code: under a guard only.
 */
bool machine_is_blocked(const void *context);

#endif
