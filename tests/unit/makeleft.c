#include "makeleft.h"

#include <stdlib.h>

#include "engine/batch.h"
#include "jfr/methodnote.h"
#include "jfr/rawsample.h"
#include "jfr/writer.h"

static int64_t ticks_at(int64_t seconds)
{
	return LEFT_TICKS + seconds * LEFT_SECOND;
}

void makeleft_begin(const struct madespill *made)
{
	made->header->start_nanos = LEFT_NANOS;
	made->header->start_ticks = LEFT_TICKS;
	made->header->state = SPILL_RECORDING;
}

void makeleft_add(struct buf *to, int64_t seconds, uint64_t thread, int64_t number)
{
	struct batch batch = { .buf = *to };

	batch_begin(&batch, EVENT_VIRTUAL_THREAD_START);
	encode_long(&batch.buf, ticks_at(seconds));
	encode_varint(&batch.buf, thread);
	encode_varint(&batch.buf, 0);
	encode_long(&batch.buf, number);
	batch_end(&batch);
	*to = batch.buf;
}

void makeleft_event(struct spill_slot *slot, int64_t seconds, uint64_t thread,
		    int64_t number)
{
	struct buf event = { 0 };

	makeleft_add(&event, seconds, thread, number);
	makespill_put(slot, event.bytes, event.size);
	buf_clear(&event);
}

/* As emit does it. */
void makeleft_sample(struct spill_slot *slot, int64_t seconds, uint64_t thread,
		     uint64_t method)
{
	char bytes[200];
	struct rawframe frame = { method, 7, RAWFRAME_INTERPRETED };
	struct rawsample sample = {
		.ticks = ticks_at(seconds),
		.thread = thread,
		.flags = RAWSAMPLE_NATIVE | RAWSAMPLE_BLOCKED,
		.count = 1,
	};
	char *at = rawsample_put(encode_varint_at(bytes + 1, EVENT_RAW_SAMPLE), &sample,
				 &frame);

	bytes[0] = (char)(at - bytes);
	makespill_put(slot, bytes, (size_t)(at - bytes));
}

static void put(struct spill_block *block, uint32_t type, uint64_t key, struct buf *value)
{
	if (value->failed)
		abort();
	makespill_record(block, type, key, value->bytes, value->size);
	buf_clear(value);
}

void makeleft_text(struct spill_block *block, enum pool_id type, uint64_t key,
		   const char *text)
{
	struct buf value = { 0 };

	encode_string(&value, str_of(text));
	put(block, type, key, &value);
}

void makeleft_thread(struct spill_block *block, uint64_t key, const char *name)
{
	struct buf value = { 0 };

	encode_string(&value, str_of(name));
	encode_long(&value, 77);
	encode_string(&value, str_of(name));
	encode_long(&value, (int64_t)(key >> 1));
	encode_varint(&value, 0);
	encode_boolean(&value, false);
	put(block, POOL_THREAD, key, &value);
}

/* Keys near those of methods are those of what they have. */
static void put_class(struct spill_block *block, uint64_t key)
{
	struct buf value = { 0 };

	makeleft_text(block, POOL_SYMBOL, key, "shop/Till");
	encode_varint(&value, 0);
	encode_varint(&value, key);
	encode_varint(&value, 0);
	encode_int(&value, 1);
	encode_boolean(&value, false);
	put(block, POOL_CLASS, key, &value);
}

void makeleft_method(struct spill_block *block, uint64_t key, uint64_t id)
{
	const char lines[] = { 0, 2 * 42 };
	struct methodnote note = {
		.method = key,
		.waiting = STR("STATE_PARKED"),
		.lines = { lines, sizeof(lines) },
	};
	struct buf value = { 0 };

	put_class(block, key);
	makeleft_text(block, POOL_SYMBOL, key + 1, "await");
	makeleft_text(block, POOL_SYMBOL, key + 2, "()V");
	encode_varint(&value, key);
	encode_varint(&value, key + 1);
	encode_varint(&value, key + 2);
	encode_int(&value, 1);
	encode_boolean(&value, false);
	put(block, POOL_METHOD, key, &value);
	methodnote_write(&value, &note);
	put(block, SPILL_METHOD, id, &value);
}

static void write_chunk(struct writer *writer, const struct header *header)
{
	writer_describe(writer, eventtypes);
	writer_open(writer, header);
	writer_event(writer, EVENT_VIRTUAL_THREAD_START);
	encode_long(&writer->buf, header->start_ticks);
	encode_varint(&writer->buf, 11);
	encode_varint(&writer->buf, 0);
	encode_long(&writer->buf, 1);
	writer_checkpoint(writer, 0);
	writer_pool(writer, POOL_THREAD);
	writer_constant(writer, 11);
	encode_string(&writer->buf, STR("cashier"));
	encode_long(&writer->buf, 77);
	encode_string(&writer->buf, STR("cashier"));
	encode_long(&writer->buf, 5);
	encode_varint(&writer->buf, 0);
	encode_boolean(&writer->buf, false);
	if (!writer_close(writer, NULL))
		abort();
}

int64_t makeleft_chunk(struct buf *to, int64_t from, int64_t until, uint8_t state)
{
	struct writer writer = { .metadata_id = 0 };
	struct header header = writer_header;
	int64_t size;

	header.start_nanos = LEFT_NANOS + from * LEFT_SECOND;
	header.start_ticks = ticks_at(from);
	header.duration_nanos = (until - from) * LEFT_SECOND;
	header.flags = HEADER_COMPRESSED;
	write_chunk(&writer, &header);
	writer.buf.bytes[64] = (char)state;
	size = writer.header.chunk_size;
	buf_add(to, writer.buf.bytes, writer.buf.size);
	writer_clear(&writer);
	return size;
}
