/*
 * frame.h - what stands around every event: its size and type.
 *
 * Metadata and checkpoints are events, too. Their types are the two that no metadata
 * declares (header.h).
 */
#ifndef JFR_FRAME_H
#define JFR_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "jfr/cursor.h"

struct frame {
	uint64_t type_id;
	const unsigned char *body;	/* behind size and type */
	uint32_t size;			/* of all of it */
};

/* The most that size and type take. */
#define FRAME_HEAD_MAX 18

/*
 * Reads the frame that the bytes begin with, of which `there` are there, and `left` to the end
 * of the chunk: at least one of them, and all or FRAME_HEAD_MAX of these. What is wrong
 * with it, a string literal, or NULL. Inlined, because counting events is little else.
 */
static inline const char *frame_read_head(const unsigned char *bytes, size_t there,
					  uint64_t left, struct frame *frame)
{
	struct cursor cursor = cursor_of(bytes, there);
	uint64_t own_size = cursor_varint(&cursor);

	frame->type_id = cursor_varint(&cursor);
	if (cursor.bad)
		return "an event is cut short by the end of its chunk";
	if ((int64_t)own_size <= 0)
		return "an event has no size";
	if (own_size > left || own_size > UINT32_MAX)
		return "an event reaches past the end of its chunk";
	frame->size = (uint32_t)own_size;
	frame->body = cursor.at;
	return NULL;
}

/* The same of the frame at this offset of the bytes, which must be below their size. */
static inline const char *frame_read(const unsigned char *bytes, size_t size, size_t at,
				     struct frame *frame)
{
	return frame_read_head(bytes + at, size - at, size - at, frame);
}

/*
 * Hops over frames from one offset on: where the first one is that is broken, or the
 * size where all are whole.
 */
size_t frame_hop(const unsigned char *bytes, size_t size, size_t at);

#endif
