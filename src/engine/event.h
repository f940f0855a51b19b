/*
 * event.h - one event, written into a lane.
 *
 *	struct event event;
 *
 *	if (event_begin(&event, lane, EVENT_THREAD_END, EVENT_ROOM(2))) {
 *		event_long(&event, ticks);
 *		event_long(&event, thread);
 *		event_commit(&event);
 *	}
 *
 * Fields in the order of eventtypes.h. Async-signal-safe, no lock. What does not fit
 * the room spoils the event, which is then counted as lost, not written. A key that an
 * event uses is asked for (constants.h) between event_begin and event_commit.
 */
#ifndef ENGINE_EVENT_H
#define ENGINE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "engine/store.h"
#include "jfr/encode.h"
#include "jfr/eventtypes.h"

/* Bytes for an event of so many numbers, keys, and so on. */
#define EVENT_ROOM(fields) ((size_t)(fields) * ENCODE_VARINT_MAX + 8)

_Static_assert(SLOT_SLACK > ENCODE_VARINT_MAX, "a field may end behind the room");

struct event {
	struct lane *lane;
	char *start;
	char *at;	/* beyond limit: it is spoilt, and nothing more is written */
	char *limit;
};

/* How many bytes its size takes, which is written when the event is complete. */
static inline int event_size_width(const struct event *event)
{
	size_t room = (size_t)(event->limit - event->start);

	return room < 1 << 7 ? 1 : room < 1 << 14 ? 2 : ENCODE_PADDED;
}

/* False: there is no room, and the loss is counted; or the lane is NULL. */
static inline bool event_begin(struct event *event, struct lane *lane,
			       enum event_id type, size_t room)
{
	event->lane = lane;
	event->start = lane ? lane_reserve(lane, room) : NULL;
	if (!event->start)
		return false;
	event->limit = event->start + room;
	event->at = encode_varint_at(event->start + event_size_width(event), type);
	return true;
}

/* Numbers and keys. */
static inline void event_long(struct event *event, int64_t number)
{
	if (event->at <= event->limit)
		event->at = encode_varint_at(event->at, (uint64_t)number);
}

static inline void event_int(struct event *event, int32_t number)
{
	event_long(event, (uint32_t)number);
}

static inline void event_boolean(struct event *event, bool value)
{
	event_long(event, value);
}

static inline void event_float(struct event *event, float number)
{
	if (event->at <= event->limit)
		event->at = encode_big_at(event->at, encode_float_bits(number), 4);
}

/* UTF-8; takes at most 6 bytes more than it has. Bytes NULL: null. */
void event_string(struct event *event, struct str text);

/* False if it was spoilt. */
static inline bool event_commit(struct event *event)
{
	if (event->at > event->limit) {
		lane_lose(event->lane, (size_t)(event->limit - event->start));
		return false;
	}
	encode_padded_at(event->start, (uint64_t)(event->at - event->start),
			 event_size_width(event));
	lane_commit(event->lane, event->at);
	return true;
}

/* There is no event after all. */
static inline void event_cancel(struct event *event)
{
	lane_cancel(event->lane);
}

#endif
