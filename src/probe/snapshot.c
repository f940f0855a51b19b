#include "probe/snapshot.h"

bool snapshot_add(struct probed_snapshot *snapshot, struct probed_copy copy)
{
	return probedcopy_texts(&copy, &snapshot->arena) &&
	       vec_push(&snapshot->of, copy);
}

bool snapshot_add_gone(struct probed_snapshot *snapshot, struct map *by_name,
		       struct probed_copy copy)
{
	uint64_t number = probedcopy_hash(&copy);
	uint32_t at = map_find(by_name, number);

	if (at != MAP_NONE && probedcopy_is_same(&snapshot->of.items[at], &copy)) {
		probedcopy_add(&snapshot->of.items[at], &copy);
		return true;
	}
	copy.is_gone = true;
	return map_put(by_name, number, (uint32_t)snapshot->of.count) &&
	       snapshot_add(snapshot, copy);
}
