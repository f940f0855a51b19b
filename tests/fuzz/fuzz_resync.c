/*
 * fuzz_resync.c - the input is a recording; reading on behind what is broken, nothing is
 * given twice, all faults have a place in it, and the work is bounded.
 */
#include <stdlib.h>
#include <string.h>

#include "jfr/checkpoint.h"
#include "jfr/event.h"
#include "jfr/input.h"
#include "jfr/resync.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char name[] = "input";

/* What is being read; the sink of its damage holds faults against it. */
struct bounds {
	size_t size;
	size_t chunks;			/* handed out so far */
	const struct chunk *chunk;	/* NULL: none is open */
};

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_fault(void *context, const struct fault *fault)
{
	const struct bounds *bounds = context;
	const struct site *site = &fault->first;

	require(site->file == name);
	require(fault->count == 1);
	require(site->at <= bounds->size);
	require(site->chunk == SITE_NO_CHUNK || site->chunk <= bounds->chunks);
	if (bounds->chunk) {
		require(site->chunk == bounds->chunk->number);
		require(site->at >= bounds->chunk->offset);
		require(site->at <= bounds->chunk->offset + bounds->chunk->size);
	}
}

/* A number that depends on all events and their order. */
static uint64_t walk(const struct chunk *chunk, struct damage *damage)
{
	struct event_walk walk = event_walk(chunk, damage);
	size_t before = HEADER_SIZE;
	uint64_t effort = walk.effort, sum = 0;
	struct event event;
	int64_t start, end;

	while (event_next(&walk, &event)) {
		struct event again = event_at(chunk, event.offset);

		require(event.size > 0 && event.offset >= before);
		before = event.offset + event.size;
		require(before <= chunk->size && walk.at == before);
		require(walk.effort <= effort);
		effort = walk.effort;
		require(again.type == event.type && again.type_id == event.type_id &&
			again.size == event.size && again.body == event.body);
		if (event.type)
			event_ticks(chunk, &event, &start, &end);
		sum = (sum ^ event.offset) * 0x9e3779b97f4a7c15 + event.type_id;
	}
	require(walk.at == chunk->size || chunk->size < HEADER_SIZE);
	require(!event_next(&walk, &event));
	return sum;
}

static void check_constants(const struct chunk *chunk)
{
	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		const struct pool *pool = chunk_pool(chunk, &chunk->metadata.types[i]);

		for (size_t k = 0; pool && k < pool->constants.count; k++) {
			const struct constant *constant = &pool->constants.items[k];

			require(constant->bytes >= chunk->bytes &&
				constant->bytes + constant->size <=
					chunk->bytes + chunk->size);
		}
	}
}

static void check_chunk(struct chunk *chunk, struct bounds *bounds, struct damage *damage)
{
	struct err err;
	uint64_t sum;

	bounds->chunk = chunk;
	require(checkpoint_load(chunk, damage, &err));
	check_constants(chunk);
	sum = walk(chunk, damage);
	require(walk(chunk, NULL) == sum);
	bounds->chunk = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bounds bounds = { .size = size };
	struct damage damage = { .sink = check_fault, .context = &bounds };
	struct input input = { 0 };
	struct chunk_place place;
	struct chunk chunk;
	struct err err = { 0 };
	uint64_t at = 0;

	require(input_of_bytes(&input, data, size, name));
	while (input_next(&input, &place, &damage, &err)) {
		require(place.index == bounds.chunks && place.number == bounds.chunks);
		require(place.offset >= at && place.block.size >= HEADER_SIZE);
		require(place.block.bytes == data + place.offset);
		at = place.offset + place.block.size;
		require(at <= size);
		bounds.chunks++;
		if (input_chunk(&input, &place, &chunk, &damage, &err)) {
			check_chunk(&chunk, &bounds, &damage);
			chunk_close(&chunk);
		} else {
			require(err.kind == ERR_FORMAT);
		}
	}
	require(err.kind == ERR_NONE || (err.kind == ERR_FORMAT && bounds.chunks == 0));
	input_close(&input);
	return 0;
}
