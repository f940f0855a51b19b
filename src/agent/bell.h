/*
 * bell.h - rung by one thread, waited for by another.
 *
 * A word of memory and the kernel's futex: no descriptor, which the application could
 * close and use again. Zeroed, it does not ring.
 */
#ifndef AGENT_BELL_H
#define AGENT_BELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct bell {
	_Atomic(uint32_t) rings;
};

/* It rings until somebody has waited for it. Async-signal-safe; errno stays. */
void bell_ring(struct bell *bell);

/* Waits until it rings, which ends then; false: it did not for so long. One waits. */
bool bell_wait(struct bell *bell, int64_t nanos);

#endif
