/*
 * waiting.h - classes that the JVM has not taken yet, in the order in which they came.
 *
 * Some it never takes, and nobody tells. If there are more than `max` of them the
 * oldest is too many once it has waited for more than `rounds`; if there are more than
 * `most`, at once. Starts zeroed, but for these. Not for threads to share.
 */
#ifndef PROBE_WAITING_H
#define PROBE_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Belongs to who waits, and stays where it is; starts zeroed. */
struct waiter {
	bool is_waiting;
	uint32_t at;			/* who it is */
	uint64_t since;			/* round */
	struct waiter *older, *newer;
};

struct waiting {
	size_t max, most;
	uint64_t rounds;
	struct waiter *oldest, *newest;
	size_t count;
	uint64_t round;			/* counted by the owner */
};

/* It waits from now on, as the newest. */
void waiting_add(struct waiting *waiting, struct waiter *waiter, uint32_t at);

/* Not any more, if it did. */
void waiting_remove(struct waiting *waiting, struct waiter *waiter);

/* True if the oldest is too many: `at` is who it is. */
bool waiting_is_full(const struct waiting *waiting, uint32_t *at);

#endif
