/*
 * snapshot.h - copies of many methods with probes, texts included, put together.
 */
#ifndef PROBE_SNAPSHOT_H
#define PROBE_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "probe/probedcopy.h"

struct probed_snapshot {
	VEC(struct probed_copy) of;
	uint64_t gone_lost;		/* methods that are gone and were too many */
	struct arena arena;
};

/* A method of a class that is ready. False without memory. */
bool snapshot_add(struct probed_snapshot *snapshot, struct probed_copy copy);

/* One without a class, which is there once for all of its names: `by_name`, empty first. */
bool snapshot_add_gone(struct probed_snapshot *snapshot, struct map *by_name,
		       struct probed_copy copy);

#endif
