#include "jfr/methodnote.h"

#include "jfr/cursor.h"
#include "jfr/encode.h"

enum { FLAG_NATIVE = 1 };

void methodnote_write(struct buf *to, const struct methodnote *note)
{
	encode_varint(to, note->method);
	encode_varint(to, note->is_native ? FLAG_NATIVE : 0);
	encode_varint(to, note->waiting.size);
	buf_str(to, note->waiting);
	buf_str(to, note->lines);
}

bool methodnote_read(struct methodnote *note, const char *bytes, size_t size)
{
	struct cursor cursor = cursor_of((const unsigned char *)bytes, size);
	const unsigned char *waiting;
	uint64_t length;

	*note = (struct methodnote){ .method = cursor_varint(&cursor) };
	note->is_native = cursor_varint(&cursor) & FLAG_NATIVE;
	length = cursor_varint(&cursor);
	waiting = cursor_bytes(&cursor, length);
	if (cursor.bad)
		return false;
	if (length)
		note->waiting = (struct str){ (const char *)waiting, length };
	note->lines = (struct str){ (const char *)cursor.at, cursor_left(&cursor) };
	return true;
}
