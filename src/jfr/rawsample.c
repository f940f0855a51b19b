#include "jfr/rawsample.h"

#include "jfr/cursor.h"
#include "jfr/encode.h"
#include "jfr/eventtypes.h"

#define TYPE_BITS 2
#define TYPE_MASK ((1u << TYPE_BITS) - 1)

/* Size, type, ticks, thread, flags and count. */
#define HEAD_ROOM (6 * ENCODE_VARINT_MAX)

/* A method, and 32 bits of a bytecode index with two more for the type. */
#define FRAME_ROOM (ENCODE_VARINT_MAX + 5)
#define FRAME_LEAST 2

/* Small numbers stay small, below 0, too: 0, -1, 1, -2 become 0, 1, 2, 3. */
static uint64_t zigzag(uint64_t number)
{
	return number << 1 ^ (number >> 63 ? UINT64_MAX : 0);
}

static uint64_t unzigzag(uint64_t number)
{
	return number >> 1 ^ (number & 1 ? UINT64_MAX : 0);
}

size_t rawsample_room(uint32_t count)
{
	return HEAD_ROOM + (size_t)count * FRAME_ROOM;
}

char *rawsample_put(char *at, const struct rawsample *sample,
		    const struct rawframe *frames)
{
	uint64_t before = 0;

	at = encode_varint_at(at, (uint64_t)sample->ticks);
	at = encode_varint_at(at, sample->thread);
	at = encode_varint_at(at, sample->flags);
	at = encode_varint_at(at, sample->count);
	for (uint32_t i = 0; i < sample->count; i++) {
		const struct rawframe *frame = &frames[i];
		uint64_t bytecode = zigzag((uint64_t)(int64_t)frame->bytecode);

		at = encode_varint_at(at, zigzag(frame->method - before));
		at = encode_varint_at(at, bytecode << TYPE_BITS | frame->type);
		before = frame->method;
	}
	return at;
}

bool rawsample_read(struct rawsample *sample, const char *bytes, size_t size)
{
	struct cursor cursor = cursor_of((const unsigned char *)bytes, size);
	uint64_t event_size = cursor_varint(&cursor), count;

	if (event_size > size || event_size < size - cursor_left(&cursor))
		return false;
	cursor.end = (const unsigned char *)bytes + event_size;
	if (cursor_varint(&cursor) != EVENT_RAW_SAMPLE)
		return false;
	sample->ticks = (int64_t)cursor_varint(&cursor);
	sample->thread = cursor_varint(&cursor);
	sample->flags = (unsigned)cursor_varint(&cursor);
	count = cursor_varint(&cursor);
	if (cursor.bad || count > cursor_left(&cursor) / FRAME_LEAST ||
	    count > UINT32_MAX)
		return false;
	sample->count = (uint32_t)count;
	sample->at = (const char *)cursor.at;
	sample->end = (const char *)cursor.end;
	sample->method = 0;
	return true;
}

bool rawsample_next(struct rawsample *sample, struct rawframe *frame)
{
	struct cursor cursor = cursor_of((const unsigned char *)sample->at,
					 (size_t)(sample->end - sample->at));
	uint64_t difference = cursor_varint(&cursor);
	uint64_t place = cursor_varint(&cursor);

	if (cursor.bad)
		return false;
	sample->at = (const char *)cursor.at;
	sample->method += unzigzag(difference);
	frame->method = sample->method;
	frame->bytecode = (int32_t)unzigzag(place >> TYPE_BITS);
	frame->type = place & TYPE_MASK;
	return true;
}
