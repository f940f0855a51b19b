#include "engine/batch.h"

#include "jfr/cursor.h"

void batch_begin(struct batch *batch, enum event_id type)
{
	batch_end(batch);
	batch->is_open = true;
	batch->begun = batch->buf.size;
	buf_byte(&batch->buf, 0);
	encode_long(&batch->buf, type);
}

void batch_end(struct batch *batch)
{
	if (!batch->is_open)
		return;
	if (!encode_event_size(&batch->buf, batch->begun, 1)) {
		batch_cancel(batch);
		return;
	}
	batch->is_open = false;
	batch->events += !batch->buf.failed;
}

void batch_cancel(struct batch *batch)
{
	if (batch->is_open)
		batch->buf.size = batch->begun;
	batch->is_open = false;
}

static uint64_t count_events(const void *bytes, size_t size)
{
	struct cursor cursor = cursor_of(bytes, size);
	uint64_t count = 0;

	while (cursor_left(&cursor)) {
		const unsigned char *start = cursor.at;
		uint64_t event = cursor_varint(&cursor);

		cursor.at = start;
		if (cursor.bad || !event || !cursor_bytes(&cursor, event))
			break;
		count++;
	}
	return count;
}

void batch_add(struct batch *batch, const void *bytes, size_t size)
{
	batch_end(batch);
	buf_add(&batch->buf, bytes, size);
	if (!batch->buf.failed)
		batch->events += count_events(bytes, size);
}

void batch_reset(struct batch *batch)
{
	buf_reset(&batch->buf);
	batch->events = 0;
	batch->is_open = false;
}

void batch_clear(struct batch *batch)
{
	buf_clear(&batch->buf);
	batch_reset(batch);
}
