#include "render/context.h"

#include <stdlib.h>
#include <string.h>

/* The key of the event's thread; false if it has none. */
static bool thread_of(struct context *context, const struct spot *spot,
		      const struct event *event, uint64_t *key)
{
	const struct chunk *chunk = &spot->page->chunk;
	const struct field *field = event->type->thread;

	if (!field || !field->pooled || field->array || !field->type ||
	    field->type->role != TYPE_THREAD)
		return false;
	if (!context->values)
		context->values = calloc(PROGRAM_VALUES_MAX, sizeof(*context->values));
	arena_reset(&context->arena);
	if (!context->values || !event_decode_head(chunk, event, field, context->values,
						   &context->arena))
		return false;
	*key = (uint64_t)context->values[field->slot].number;
	return true;
}

/* The thread of an event is null if its chunk knows nothing of it. */
static bool is_known(const struct spot *spot, const struct event *event, uint64_t key)
{
	const struct pool *pool = chunk_pool(&spot->page->chunk, event->type->thread->type);

	return pool_find(pool, key) != MAP_NONE;
}

/* It would be closed before it is opened, and stay when its page is gone. */
static bool ends_before_it_starts(const struct spot *spot, const struct event *event)
{
	const struct chunk *chunk = &spot->page->chunk;
	int64_t start, end;

	return !event_ticks(chunk, event, &start, &end) ||
	       clock_nanos(&chunk->clock, end) < clock_nanos(&chunk->clock, start);
}

bool context_open(struct context *context, const struct spot *spot)
{
	struct event event = event_at(&spot->page->chunk, spot->offset);
	struct context_thread none = { 0 };
	uint64_t key;
	uint32_t index;

	if (ends_before_it_starts(spot, &event) ||
	    !thread_of(context, spot, &event, &key) || !is_known(spot, &event, key))
		return true;
	index = map_find(&context->threads, key);
	if (index == MAP_NONE) {
		index = (uint32_t)context->lists.count;
		if (!vec_push(&context->lists, none) ||
		    !map_put(&context->threads, key, index))
			return false;
	}
	return vec_push(&context->lists.items[index].open, *spot);
}

/* The thread's list if it has open events; few threads have. */
static struct context_thread *find(struct context *context, const struct spot *spot,
				   const struct event *event)
{
	struct context_thread *thread;
	uint32_t index = MAP_NONE;
	uint64_t key;

	if (thread_of(context, spot, event, &key))
		index = map_find(&context->threads, key);
	if (index == MAP_NONE)
		return NULL;
	thread = &context->lists.items[index];
	return thread->open.count > 0 && is_known(spot, event, key) ? thread : NULL;
}

bool context_close(struct context *context, const struct spot *spot)
{
	struct event event = event_at(&spot->page->chunk, spot->offset);
	struct context_thread *thread = find(context, spot, &event);

	for (size_t i = 0; thread && i < thread->open.count; i++) {
		struct spot *at = &thread->open.items[i];

		if (at->page != spot->page || at->offset != spot->offset)
			continue;
		memmove(at, at + 1, (thread->open.count - i - 1) * sizeof(*at));
		thread->open.count--;
		break;
	}
	return true;
}

const struct context_thread *context_around(struct context *context,
					    const struct spot *spot)
{
	struct event event;

	if (context->lists.count == 0)
		return NULL;
	event = event_at(&spot->page->chunk, spot->offset);
	return event.type->is_contextual ? NULL : find(context, spot, &event);
}

void context_clear(struct context *context)
{
	for (size_t i = 0; i < context->lists.count; i++)
		vec_clear(&context->lists.items[i].open);
	vec_clear(&context->lists);
	map_clear(&context->threads);
	arena_clear(&context->arena);
	free(context->values);
	*context = (struct context){ 0 };
}
