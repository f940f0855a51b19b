#include "engine/kept.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool kept_add(struct kept *kept, struct str events, uint64_t count, unsigned epoch,
	      int64_t from, int64_t to)
{
	struct kept_batch copy = {
		.size = events.size,
		.events = count,
		.epoch = epoch,
		.from = from,
		.to = to,
	};

	if (copy.size == 0)
		return true;
	copy.bytes = malloc(copy.size);
	if (!copy.bytes || !vec_push(&kept->batches, copy)) {
		free(copy.bytes);
		return false;
	}
	memcpy(copy.bytes, events.bytes, copy.size);
	kept->size += copy.size;
	kept->events += copy.events;
	return true;
}

void kept_trim(struct kept *kept, uint64_t max_size, int64_t oldest)
{
	struct kept_batch *batches = kept->batches.items;
	size_t gone = 0;

	while (gone + 1 < kept->batches.count &&
	       (kept->size > max_size || batches[gone].to < oldest)) {
		kept->size -= batches[gone].size;
		kept->events -= batches[gone].events;
		free(batches[gone++].bytes);
	}
	if (gone == 0)
		return;
	kept->batches.count -= gone;
	memmove(batches, batches + gone, kept->batches.count * sizeof(*batches));
}

unsigned kept_epoch(const struct kept *kept)
{
	return kept->batches.count > 0 ? kept->batches.items[0].epoch : UINT_MAX;
}

void kept_clear(struct kept *kept)
{
	for (size_t i = 0; i < kept->batches.count; i++)
		free(kept->batches.items[i].bytes);
	vec_clear(&kept->batches);
	*kept = (struct kept){ 0 };
}
