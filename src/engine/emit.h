/*
 * emit.h - one event, written into a lane.
 *
 *	struct emit event;
 *
 *	if (emit_begin(&event, lane, EVENT_THREAD_END, EMIT_ROOM(2))) {
 *		emit_long(&event, ticks);
 *		emit_long(&event, thread);
 *		emit_commit(&event);
 *	}
 *
 * Fields in the order of eventtypes.h. Async-signal-safe, no lock. What does not fit
 * the room spoils the event, which is then counted as lost, not written. A key that an
 * event uses is asked for (constants.h) between emit_begin and emit_commit.
 */
#ifndef ENGINE_EMIT_H
#define ENGINE_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "engine/store.h"
#include "jfr/encode.h"
#include "jfr/eventtypes.h"

/* Bytes for an event of so many numbers, keys, and so on. */
#define EMIT_ROOM(fields) ((size_t)(fields) * ENCODE_VARINT_MAX + 8)

_Static_assert(SLOT_SLACK > ENCODE_VARINT_MAX, "a field may end behind the room");

struct emit {
	struct lane *lane;
	char *start;
	char *at;	/* beyond limit: it is spoilt, and nothing more is written */
	char *limit;
};

/* How many bytes its size takes, which is written when the event is complete. */
static inline int emit_size_width(const struct emit *event)
{
	size_t room = (size_t)(event->limit - event->start);

	return room < 1 << 7 ? 1 : room < 1 << 14 ? 2 : ENCODE_PADDED;
}

/* False: there is no room, and the loss is counted; or the lane is NULL. */
static inline bool emit_begin(struct emit *event, struct lane *lane,
			       enum event_id type, size_t room)
{
	event->lane = lane;
	event->start = lane ? lane_reserve(lane, room) : NULL;
	if (!event->start)
		return false;
	event->limit = event->start + room;
	event->at = encode_varint_at(event->start + emit_size_width(event), type);
	return true;
}

/* Numbers, keys, and booleans. */
static inline void emit_long(struct emit *event, int64_t number)
{
	if (event->at <= event->limit)
		event->at = encode_varint_at(event->at, (uint64_t)number);
}

static inline void emit_int(struct emit *event, int32_t number)
{
	emit_long(event, (uint32_t)number);
}

static inline void emit_float(struct emit *event, float number)
{
	if (event->at <= event->limit)
		event->at = encode_big_at(event->at, encode_float_bits(number), 4);
}

/* UTF-8; takes at most 6 bytes more than it has. Bytes NULL: null. */
void emit_string(struct emit *event, struct str text);

/* False if it was spoilt. */
static inline bool emit_commit(struct emit *event)
{
	if (event->at > event->limit) {
		lane_lose(event->lane, (size_t)(event->limit - event->start));
		return false;
	}
	encode_padded_at(event->start, (uint64_t)(event->at - event->start),
			 emit_size_width(event));
	lane_commit(event->lane, event->at);
	return true;
}

#endif
