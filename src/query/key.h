/*
 * key.h - what rows are told apart by in GROUP BY (jfr-tool.md 0.6).
 *
 * One value, or the set of several: which of them came from which field is not kept. A
 * thread, class or class loader goes by its key in the recording, a frame by its method,
 * a stack trace by its methods.
 */
#ifndef QUERY_KEY_H
#define QUERY_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "query/datum.h"

struct key {
	struct datum *items;	/* room for all that is added, the caller's */
	size_t count;
	bool is_set;
};

void key_add(struct key *key, struct datum value);

/* When all is added, and before keys are compared: a set has no order of its own. */
void key_finish(struct key *key);

bool key_is(const struct key *a, const struct key *b);

/* Equal keys have the same; others only by chance, if the seed is a secret. */
uint64_t key_digest(const struct key *key, uint64_t seed);

/* Java's hash code. */
uint32_t key_hash(const struct key *key);

#endif
