#include "fuzz/written.h"

#include <stdlib.h>
#include <string.h>

#include "jfr/checkpoint.h"
#include "jfr/event.h"

bool written_add(void *context, const void *bytes, size_t size, struct err *err)
{
	struct buf *buf = context;

	buf_add(buf, bytes, size);
	return !buf->failed || err_memory(err);
}

/* Nobody knows how long a tick is if the header does not. */
static bool is_damaged(const struct damage *damage)
{
	for (size_t i = 0; i < damage->faults.count; i++) {
		const struct fault *fault = &damage->faults.items[i];

		if (!fault->is_note && strcmp(fault->cause, "times cannot be told") != 0)
			return true;
	}
	return false;
}

static uint64_t count_events(const struct chunk *chunk, struct damage *damage)
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

void written_check(const struct copy *copy, const struct buf *written,
		   written_look *look, void *context)
{
	struct input input = { 0 };
	struct damage damage = { 0 };
	uint64_t chunks = 0, events = 0;
	struct chunk chunk;
	struct err err;

	if (!input_of_bytes(&input, written->bytes, written->size, "written"))
		abort();
	while (input_open_next(&input, &chunk, &damage, &err)) {
		if (!checkpoint_load(&chunk, &damage, &err) || chunk.is_unfinished)
			abort();
		events += count_events(&chunk, &damage);
		if (look)
			look(context, &chunk);
		chunks++;
		chunk_close(&chunk);
	}
	if (is_damaged(&damage) || chunks != copy->chunks || events != copy->events)
		abort();
	damage_clear(&damage);
	input_close(&input);
}
