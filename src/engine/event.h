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
 * the room spoils the event, which is then counted as lost, not written.
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

struct event {
	struct lane *lane;
	char *start, *at, *limit;
	bool is_spoilt;
};

/* False: there is no room, or the lane is NULL; the loss is counted. */
bool event_begin(struct event *event, struct lane *lane, enum event_id type, size_t room);

void event_long(struct event *event, int64_t number);	/* also keys */
void event_int(struct event *event, int32_t number);
void event_boolean(struct event *event, bool value);
void event_float(struct event *event, float number);

/* UTF-8; takes 6 bytes more than it has. Bytes NULL: null. */
void event_string(struct event *event, struct str text);

/* False if it was spoilt. */
bool event_commit(struct event *event);

#endif
