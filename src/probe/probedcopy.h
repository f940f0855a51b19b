/*
 * probedcopy.h - what is known of a method with a probe, as a copy for others.
 *
 * Methods of classes that are gone are known by their names alone: those of the same
 * names are added up.
 */
#ifndef PROBE_PROBEDCOPY_H
#define PROBE_PROBEDCOPY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "probe/counters.h"
#include "probe/outcome.h"

struct probed_copy {
	uint64_t class_key;		/* POOL_CLASS; 0: it is gone, or not ready */
	struct str class_name, name, descriptor;	/* as in the class file */
	uint16_t access;
	unsigned kinds;			/* enum probe_kind: all that it ever had */
	bool is_gone;
	bool was_done;			/* it has a probe, or had: maybe an older version */
	struct outcome newest;
	struct counter sum;
};

/* Of its names. */
uint64_t probedcopy_hash(const struct probed_copy *of);
bool probedcopy_is_same(const struct probed_copy *a, const struct probed_copy *b);

/* Adds another one of its names, whose outcome is newer. */
void probedcopy_add(struct probed_copy *to, const struct probed_copy *of);

/* Its texts become copies. False without memory. */
bool probedcopy_texts(struct probed_copy *of, struct arena *arena);

#endif
