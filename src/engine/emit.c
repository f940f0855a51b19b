#include "engine/emit.h"

/*
 * The lane's memory as a buffer that cannot grow, with the slack behind it, as encode.h
 * wants room for the longest of numbers. Nothing here takes memory.
 */
void emit_string(struct emit *event, struct str text)
{
	struct buf buf = { .bytes = event->at };

	if (event->at > event->limit)
		return;
	buf.capacity = (size_t)(event->limit - event->at) + SLOT_SLACK;
	buf.limit = buf.capacity;
	encode_string(&buf, text);
	event->at = buf.failed ? event->limit + 1 : event->at + buf.size;
}
