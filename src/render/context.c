#include "render/context.h"

#include <string.h>

/* The key of the event's thread; false if it has none. */
static bool thread_of(const struct spot *spot, const struct event *event, uint64_t *key)
{
	const struct field *field = event->type->thread;
	struct cursor cursor;

	if (!field || !field->pooled || field->array || !field->type ||
	    field->type->role != TYPE_THREAD ||
	    !event_seek(&spot->page->chunk, event, field, &cursor))
		return false;
	*key = cursor_varint(&cursor);
	return !cursor.bad;
}

/* The thread of an event is null if its chunk knows nothing of it. */
static bool is_known(const struct spot *spot, const struct event *event, uint64_t key)
{
	const struct type *type = event->type->thread->type;

	return pool_find(chunk_pool(&spot->page->chunk, type), key) != MAP_NONE;
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
	struct context_thread thread = { .key = 0 };
	uint32_t index;

	if (ends_before_it_starts(spot, &event) ||
	    !thread_of(spot, &event, &thread.key) ||
	    !is_known(spot, &event, thread.key))
		return true;
	index = map_find(&context->threads, thread.key);
	if (index == MAP_NONE) {
		index = (uint32_t)context->lists.count;
		if (!vec_push(&context->lists, thread) ||
		    !map_put(&context->threads, thread.key, index))
			return false;
	}
	return vec_push(&context->lists.items[index].open, *spot);
}

/* The index of the thread's list, or MAP_NONE if it has no open events, as most. */
static uint32_t find(const struct context *context, const struct spot *spot,
		     const struct event *event)
{
	uint32_t index = MAP_NONE;
	uint64_t key;

	if (context->lists.count > 0 && thread_of(spot, event, &key))
		index = map_find(&context->threads, key);
	return index != MAP_NONE && is_known(spot, event, key) ? index : MAP_NONE;
}

/* The last list takes the place of the one that is empty. */
static void drop_list(struct context *context, uint32_t index)
{
	struct context_thread *lists = context->lists.items;
	size_t last = --context->lists.count;

	map_remove(&context->threads, lists[index].key);
	vec_clear(&lists[index].open);
	if (index == last)
		return;
	lists[index] = lists[last];
	map_put(&context->threads, lists[index].key, index);
}

void context_close(struct context *context, const struct spot *spot)
{
	struct event event = event_at(&spot->page->chunk, spot->offset);
	uint32_t index = find(context, spot, &event);
	struct context_thread *thread;

	if (index == MAP_NONE)
		return;
	thread = &context->lists.items[index];
	/* Of events in each other, the one opened last is closed first. */
	for (size_t i = thread->open.count; i > 0; i--) {
		struct spot *at = &thread->open.items[i - 1];

		if (at->page != spot->page || at->offset != spot->offset)
			continue;
		memmove(at, at + 1, (thread->open.count - i) * sizeof(*at));
		thread->open.count--;
		break;
	}
	if (thread->open.count == 0)
		drop_list(context, index);
}

const struct context_thread *context_around(const struct context *context,
					    const struct spot *spot)
{
	struct event event;
	uint32_t index;

	if (context->lists.count == 0)
		return NULL;
	event = event_at(&spot->page->chunk, spot->offset);
	index = event.type->is_contextual ? MAP_NONE : find(context, spot, &event);
	return index == MAP_NONE ? NULL : &context->lists.items[index];
}

void context_clear(struct context *context)
{
	for (size_t i = 0; i < context->lists.count; i++)
		vec_clear(&context->lists.items[i].open);
	vec_clear(&context->lists);
	map_clear(&context->threads);
	*context = (struct context){ 0 };
}
