#include "engine/kept.h"

#include <limits.h>
#include <string.h>

void kept_init(struct kept *kept, struct blocks *blocks)
{
	*kept = (struct kept){ .header = blocks->file->header };
	stream_init(&kept->stream, blocks, SPILL_KEPT);
}

/* Batches begin where numbers of 8 bytes may. */
static bool write_batch(struct stream *stream, struct str events,
			const struct spill_batch *batch)
{
	static const char gap[8];

	return stream_mark(stream) && stream_add(stream, batch, sizeof(*batch)) &&
	       stream_add(stream, events.bytes, events.size) &&
	       stream_add(stream, gap, -events.size % sizeof(gap));
}

/* A batch that is not whole is behind the end that the header says. */
bool kept_add(struct kept *kept, struct str events, const struct kept_batch *batch)
{
	struct stream *stream = &kept->stream;
	struct kept_batch copy = *batch;
	struct spill_batch head = {
		.flush = batch->flush,
		.size = events.size,
		.events = batch->events,
		.from = batch->from,
		.to = batch->to,
	};

	if (events.size == 0)
		return true;
	copy.begin = stream->end;
	copy.size = events.size;
	if (write_batch(stream, events, &head)) {
		copy.end = stream->end;
		if (vec_push(&kept->batches, copy)) {
			spill_set(&kept->header->kept_end, copy.end);
			kept->size += copy.size;
			kept->events += copy.events;
			return true;
		}
	}
	stream_cut(stream, copy.begin);
	return false;
}

static void uncount(struct kept *kept, const struct kept_batch *batch)
{
	kept->size -= batch->size;
	kept->events -= batch->events;
}

/* The oldest ones go; their blocks when nobody looks for them any more. */
static void give_up(struct kept *kept, size_t count)
{
	struct kept_batch *batches = kept->batches.items;
	uint64_t begin = batches[count - 1].end;

	for (size_t i = 0; i < count; i++)
		uncount(kept, &batches[i]);
	spill_set(&kept->header->kept_begin, begin);
	stream_drop(&kept->stream, begin);
	kept->batches.count -= count;
	memmove(batches, batches + count, kept->batches.count * sizeof(*batches));
}

void kept_drop(struct kept *kept)
{
	give_up(kept, 1);
}

/* Memory of what is there from that batch on. */
static uint64_t memory_from(const struct kept *kept, const struct kept_batch *first)
{
	uint64_t blocks = (kept->stream.end + BLOCK_ROOM - 1) / BLOCK_ROOM -
			  first->begin / BLOCK_ROOM;

	return blocks * BLOCK_SIZE;
}

void kept_trim(struct kept *kept, uint64_t max_size, int64_t oldest)
{
	const struct kept_batch *batches = kept->batches.items;
	size_t gone = 0;

	while (gone + 1 < kept->batches.count &&
	       (memory_from(kept, &batches[gone]) > max_size ||
		batches[gone].to < oldest))
		gone++;
	if (gone > 0)
		give_up(kept, gone);
}

void kept_undo(struct kept *kept, uint64_t flush)
{
	uint64_t end = kept->stream.end;

	while (kept->batches.count > 0) {
		const struct kept_batch *last =
			&kept->batches.items[kept->batches.count - 1];

		if (last->flush <= flush)
			break;
		end = last->begin;
		uncount(kept, last);
		kept->batches.count--;
	}
	spill_set(&kept->header->kept_end, end);
	stream_cut(&kept->stream, end);
}

void kept_read(const struct kept *kept, const struct kept_batch *batch, struct buf *to)
{
	stream_read(&kept->stream, batch->begin + sizeof(struct spill_batch),
		    batch->size, to);
}

unsigned kept_epoch(const struct kept *kept)
{
	return kept->batches.count > 0 ? kept->batches.items[0].epoch : UINT_MAX;
}

void kept_clear(struct kept *kept, bool stays)
{
	stream_clear(&kept->stream, stays);
	vec_clear(&kept->batches);
	*kept = (struct kept){ 0 };
}
