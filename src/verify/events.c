/*
 * events.c - the events of a chunk: framing, values, times.
 */
#include <math.h>

#include "verify/check.h"

/*
 * Events that nobody can read are lost. Bytes behind the fields are skipped by all
 * readers; times that cannot be are still those that were recorded. A JVM that was
 * killed may leave part of an event behind its last flush, and one that crashed,
 * metadata that the header does not know of.
 */
static const struct cause
	is_unknown = FAULT("the type of an event is not declared"),
	is_no_event = FAULT("an event is of a type that is none of events"),
	is_broken = FAULT("the type of an event cannot be decoded"),
	is_misfit = FAULT("an event does not fit its fields"),
	has_rest = REMARK("an event has bytes behind its fields"),
	is_far = REMARK("an event happened far outside its chunk"),
	is_backward = REMARK("an event ends before it begins"),
	has_tail = REMARK("bytes behind the last flush are no events"),
	is_newer = REMARK("there is newer metadata than that in use"),
	is_inside = REMARK("the metadata in use is not among the events");

/* Events that begin so long after the chunk, or end so long before it. */
#define SLACK_SECONDS 3600

/* What ticks may be; no bounds where the header makes no sense. */
struct bounds {
	int64_t least, most;
};

static struct bounds bounds_of(const struct chunk *chunk)
{
	const struct header *header = &chunk->header;
	double second = (double)header->ticks_per_second;
	double length = (double)header->duration_nanos / 1e9;
	double start = (double)header->start_ticks;
	struct bounds bounds = { INT64_MIN, INT64_MAX };

	if (second <= 0 || length < 0)
		return bounds;
	bounds.least = clock_integer(start - SLACK_SECONDS * second);
	if (!chunk->is_unfinished)
		bounds.most = clock_integer(start + (length + SLACK_SECONDS) * second);
	return bounds;
}

static void check_time(struct check *check, const struct event *event,
		       const struct bounds *bounds)
{
	const struct header *header = &check->chunk->header;
	const struct type *type = event->type;
	int64_t start, end, span;
	bool is_before;

	if (!type->start || !event_ticks(check->chunk, event, &start, &end))
		return;
	span = (int64_t)((uint64_t)end - (uint64_t)start);
	if (span == INT64_MIN || span == INT64_MAX || end < start)
		end = start;	/* missing, or without an end */
	is_before = end < bounds->least;
	if (span < 0 && span != INT64_MIN)
		check_add(check, &is_backward, type->name, event->offset, "%lld ticks",
			  (long long)span);
	else if (is_before || start > bounds->most)
		check_add(check, &is_far, type->name, event->offset,
			  "%.0f seconds %s its start",
			  fabs((double)(is_before ? end : start) -
			       (double)header->start_ticks) /
				  (double)header->ticks_per_second,
			  is_before ? "before" : "after");
}

static void check_event(struct check *check, const struct event *event,
			const struct bounds *bounds)
{
	const struct type *type = event->type;
	struct cursor cursor = event_cursor(check->chunk, event);

	check->events++;
	if (!type) {
		type = metadata_type(&check->chunk->metadata, (int64_t)event->type_id);
		check_add(check, type ? &is_no_event : &is_unknown,
			  type ? type->name : STR(""), event->offset, "number %lld",
			  (long long)event->type_id);
		return;
	}
	if (type->program.is_broken)
		check_add(check, &is_broken, type->name, event->offset, NULL);
	else if (!check_values(check, type, &cursor))
		check_add(check, &is_misfit, type->name, event->offset, "%s",
			  check->why);
	else if (cursor_left(&cursor) > 0)
		check_add(check, &has_rest, type->name, check_offset(check, cursor.at),
			  "%zu", cursor_left(&cursor));
	check_time(check, event, bounds);
}

static void check_end(struct check *check)
{
	const struct chunk *chunk = check->chunk;

	if (chunk->is_unfinished && check->events_end < chunk->size)
		check_add(check, &has_tail, STR(""), check->events_end, "%zu",
			  chunk->size - check->events_end);
	if (check->metadata_at > chunk->metadata_at && chunk->metadata_at)
		check_add(check, &is_newer, STR(""), check->metadata_at, NULL);
	if (chunk->metadata_at && !check->has_metadata)
		check_add(check, &is_inside, STR(""), chunk->metadata_at, NULL);
}

void check_events(struct check *check)
{
	const struct chunk *chunk = check->chunk;
	struct event_walk walk = event_walk(chunk, check->damage);
	struct bounds bounds = bounds_of(chunk);
	struct event event;

	check->events_end = HEADER_SIZE;
	while (event_next(&walk, &event)) {
		check->events_end = walk.at;
		if (event.type_id == EVENT_CHECKPOINT) {
			check_checkpoint(check, &event);
		} else if (event.type_id == EVENT_METADATA) {
			check->metadata_at = event.offset;
			check->has_metadata |= event.offset == chunk->metadata_at;
		} else {
			check_event(check, &event, &bounds);
		}
	}
	check_end(check);
}
