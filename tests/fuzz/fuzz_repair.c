/*
 * fuzz_repair.c - the input is a recording; what is made of it must be without fault.
 *
 * Nothing in the repaired recording is damaged, it has the events that were kept, and
 * repairing it again changes nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "copy/copy.h"
#include "jfr/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool add(void *context, const void *bytes, size_t size, struct err *err)
{
	struct buf *buf = context;

	buf_add(buf, bytes, size);
	return !buf->failed || err_memory(err);
}

static bool repair(const void *data, size_t size, struct copy *copy, struct buf *repaired)
{
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct err err = { 0 };
	bool is_good;

	*copy = (struct copy){ .sink = add, .context = repaired };
	if (!input_of_bytes(&input, data, size, "input"))
		abort();
	is_good = copy_input(copy, &input, &damage, &err);
	if (!is_good && err.kind != ERR_FORMAT)
		abort();
	copy_clear(copy);
	damage_clear(&damage);
	input_close(&input);
	return is_good && copy->bytes == repaired->size;
}

/* Nobody knows how long a tick is if the header does not. */
static bool is_damaged(const struct damage *damage)
{
	for (size_t i = 0; i < damage->faults.count; i++) {
		if (strcmp(damage->faults.items[i].cause, "times cannot be told") != 0)
			return true;
	}
	return false;
}

static uint64_t count_events(struct chunk *chunk, struct damage *damage)
{
	struct event_walk walk = event_walk(chunk, damage);
	uint64_t count = 0;
	struct event event;

	while (event_next(&walk, &event)) {
		struct cursor cursor = event_cursor(chunk, &event);

		if (event.type && !value_skip(&event.type->program, &cursor))
			abort();
		count += event.type_id != EVENT_METADATA &&
			 event.type_id != EVENT_CHECKPOINT;
	}
	return count;
}

static void check(const struct copy *copy, const struct buf *repaired)
{
	struct input input = { 0 };
	struct damage damage = { 0 };
	uint64_t chunks = 0, events = 0;
	struct chunk chunk;
	struct err err;

	if (!input_of_bytes(&input, repaired->bytes, repaired->size, "repaired"))
		abort();
	while (input_open_next(&input, &chunk, &damage, &err)) {
		if (!checkpoint_load(&chunk, &damage, &err) || chunk.is_unfinished)
			abort();
		events += count_events(&chunk, &damage);
		chunks++;
		chunk_close(&chunk);
	}
	if (is_damaged(&damage) || chunks != copy->chunks || events != copy->events)
		abort();
	damage_clear(&damage);
	input_close(&input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf repaired = { 0 }, again = { 0 };
	struct copy copy;

	if (size > 0 && repair(data, size, &copy, &repaired)) {
		check(&copy, &repaired);
		if (!repair(repaired.bytes, repaired.size, &copy, &again) ||
		    again.size != repaired.size ||
		    memcmp(again.bytes, repaired.bytes, again.size) != 0 ||
		    copy.lost_chunks || copy.lost_events)
			abort();
	}
	buf_clear(&repaired);
	buf_clear(&again);
	return 0;
}
