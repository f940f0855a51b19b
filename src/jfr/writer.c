#include "jfr/writer.h"

#define GENERATION_MAX 254	/* then 1 again: 0 is finished, 255 being rewritten */

const struct header writer_header = {
	.major = 2,
	.minor = 1,
	.ticks_per_second = 1000000000,
	.flags = HEADER_COMPRESSED | HEADER_FINAL,
};

static void fail(struct writer *writer, enum err_kind kind, const char *text)
{
	if (writer->err.kind == ERR_NONE)
		err_set(&writer->err, kind, "%s", text);
}

uint64_t writer_position(const struct writer *writer)
{
	return writer->taken + (writer->buf.size - writer->chunk_at);
}

void writer_describe(struct writer *writer, const struct schema_type *types)
{
	schema_add(&writer->schema, types);
}

int64_t writer_type(struct writer *writer, const char *name)
{
	int64_t id = schema_id(&writer->schema, name);

	if (id < 0 && writer->err.kind == ERR_NONE)
		err_set(&writer->err, ERR_USAGE, "the type %s was never described",
			name);
	return id;
}

/* Puts the header over the one in the buffer, if it still is there. */
static void patch_header(struct writer *writer)
{
	struct buf bytes = { 0 };

	if (writer->taken)
		return;
	header_write(&writer->header, &bytes);
	if (bytes.failed)
		writer->buf.failed = true;
	else if (!writer->buf.failed)
		memcpy(writer->buf.bytes + writer->chunk_at, bytes.bytes, bytes.size);
	buf_clear(&bytes);
}

/* Versions before 2.1 have no state: there the byte stays zero. */
static void next_generation(struct writer *writer)
{
	const struct header *header = &writer->header;
	bool has_state = header->major > 2 || (header->major == 2 && header->minor > 0);

	writer->generation = writer->generation % GENERATION_MAX + 1;
	writer->header.state = has_state ? writer->generation : 0;
}

void writer_open(struct writer *writer, const struct header *header)
{
	writer_end(writer);
	writer->is_open = true;
	writer->taken = 0;
	writer->chunk_at = writer->buf.size;
	writer->described = 0;
	writer->generation = 0;
	writer->header = header ? *header : writer_header;
	writer->header.chunk_size = HEADER_SIZE;
	writer->header.metadata_at = writer->header.checkpoint_at = 0;
	next_generation(writer);
	header_write(&writer->header, &writer->buf);
}

void writer_restart(struct writer *writer)
{
	buf_reset(&writer->buf);
	writer->state = WRITER_BETWEEN;
	writer->is_open = false;
	writer->err = (struct err){ ERR_NONE, "" };
}

size_t writer_event_size(const struct writer *writer)
{
	return writer->buf.size - writer->event_at;
}

/* Begins an event after the one before; `width` bytes stay free for its size. */
static void begin(struct writer *writer, enum writer_state state, int64_t type,
		  int width)
{
	writer_end(writer);
	writer->state = state;
	writer->size_width = width;
	writer->event_at = writer->buf.size;
	buf_fill(&writer->buf, 0, (size_t)width);
	encode_long(&writer->buf, type);
}

void writer_event(struct writer *writer, int64_t type)
{
	begin(writer, WRITER_EVENT, type, 1);
}

/* An event that we fill ourselves: most likely large, with a start, no duration. */
static void begin_large(struct writer *writer, enum writer_state state, int64_t type)
{
	begin(writer, state, type, ENCODE_PADDED);
	encode_long(&writer->buf, writer->now);
	encode_long(&writer->buf, 0);
}

void writer_checkpoint(struct writer *writer, int kinds)
{
	int64_t before, at;

	writer_end(writer);
	before = writer->header.checkpoint_at;
	at = (int64_t)writer_position(writer);
	begin_large(writer, WRITER_CHECKPOINT, EVENT_CHECKPOINT);
	encode_long(&writer->buf, before ? before - at : 0);
	encode_byte(&writer->buf, (int8_t)kinds);
	writer->pool_count = 0;
	writer->pool_count_at = writer->buf.size;
	encode_padded(&writer->buf, 0, ENCODE_PADDED);
}

static void fail_too_large(struct writer *writer)
{
	fail(writer, ERR_MEMORY, "an event is too large, or holds too much");
}

static void patch(struct writer *writer, size_t at, uint64_t number)
{
	if (number > ENCODE_EVENT_MAX)
		fail_too_large(writer);
	else if (!writer->buf.failed)
		encode_padded_at(writer->buf.bytes + at, number, ENCODE_PADDED);
}

static void end_pool(struct writer *writer)
{
	if (writer->state != WRITER_POOL)
		return;
	writer->state = WRITER_CHECKPOINT;
	if (writer->constant_count == 0) {
		writer->buf.size = writer->pool_at;	/* the JDK allows none */
		return;
	}
	writer->pool_count++;
	patch(writer, writer->constant_count_at, writer->constant_count);
}

void writer_pool(struct writer *writer, int64_t type)
{
	end_pool(writer);
	if (writer->state != WRITER_CHECKPOINT) {
		fail(writer, ERR_USAGE, "a pool outside of a checkpoint");
		return;
	}
	writer->state = WRITER_POOL;
	writer->pool_at = writer->buf.size;
	encode_long(&writer->buf, type);
	writer->constant_count = 0;
	writer->constant_count_at = writer->buf.size;
	encode_padded(&writer->buf, 0, ENCODE_PADDED);
}

void writer_constant(struct writer *writer, uint64_t key)
{
	if (writer->state != WRITER_POOL)
		fail(writer, ERR_USAGE, "a constant outside of a pool");
	writer->constant_count++;
	encode_varint(&writer->buf, key);
}

/* True if the checkpoint is worth keeping. */
static bool end_checkpoint(struct writer *writer)
{
	if (writer->pool_count == 0) {
		writer->buf.size = writer->event_at;
		return false;
	}
	patch(writer, writer->pool_count_at, writer->pool_count);
	writer->header.checkpoint_at =
		(int64_t)(writer->taken + (writer->event_at - writer->chunk_at));
	return true;
}

void writer_end(struct writer *writer)
{
	enum writer_state state;

	end_pool(writer);
	state = writer->state;
	writer->state = WRITER_BETWEEN;
	if (state == WRITER_CHECKPOINT && !end_checkpoint(writer))
		return;
	if (state != WRITER_BETWEEN &&
	    !encode_event_size(&writer->buf, writer->event_at, writer->size_width))
		fail_too_large(writer);
}

void writer_element_as(struct writer *writer, int64_t id, const struct element *root)
{
	writer_end(writer);
	writer->header.metadata_at = (int64_t)writer_position(writer);
	begin_large(writer, WRITER_EVENT, EVENT_METADATA);
	encode_long(&writer->buf, id);
	element_write(root, &writer->buf);
	writer_end(writer);
}

void writer_element(struct writer *writer, const struct element *root)
{
	writer_element_as(writer, ++writer->metadata_id, root);
}

void writer_metadata(struct writer *writer)
{
	struct arena arena = { 0 };
	const struct element *root = schema_tree(&writer->schema, &arena, &writer->err);

	if (root)
		writer_element(writer, root);
	writer->described = writer->schema.version;
	arena_clear(&arena);
}

/* Everything but the state. */
static bool update_header(struct writer *writer, struct err *err)
{
	writer_end(writer);
	if (writer->described != writer->schema.version)
		writer_metadata(writer);
	if (!writer->is_open)
		fail(writer, ERR_USAGE, "no chunk was begun");
	writer->header.chunk_size = (int64_t)writer_position(writer);
	if (writer->err.kind == ERR_NONE && writer->buf.failed)
		err_memory(&writer->err);
	if (writer->err.kind != ERR_NONE && err)
		*err = writer->err;
	return writer->err.kind == ERR_NONE;
}

bool writer_flush(struct writer *writer, struct err *err)
{
	if (!update_header(writer, err))
		return false;
	next_generation(writer);
	patch_header(writer);
	return !writer->buf.failed || err_memory(err);
}

bool writer_close(struct writer *writer, struct err *err)
{
	if (!update_header(writer, err))
		return false;
	writer->header.state = 0;
	writer->is_open = false;
	patch_header(writer);
	return !writer->buf.failed || err_memory(err);
}

void writer_copy_header(struct writer *writer, int64_t type, int kinds, uint8_t state)
{
	struct header copy;
	struct buf bytes = { 0 };
	size_t at;

	writer_checkpoint(writer, kinds | CHECKPOINT_CHUNK_HEADER);
	writer_pool(writer, type);
	writer_constant(writer, 1);
	encode_varint(&writer->buf, HEADER_SIZE);
	at = writer->buf.size;
	buf_fill(&writer->buf, 0, HEADER_SIZE);
	writer_end(writer);
	copy = writer->header;
	copy.chunk_size = (int64_t)writer_position(writer);
	copy.state = state;
	header_write(&copy, &bytes);
	if (bytes.failed)
		writer->buf.failed = true;
	else if (!writer->buf.failed)
		memcpy(writer->buf.bytes + at, bytes.bytes, HEADER_SIZE);
	buf_clear(&bytes);
}

void writer_taken(struct writer *writer)
{
	writer_end(writer);
	if (writer->buf.failed)
		return;
	writer->taken = writer_position(writer);
	writer->chunk_at = 0;
	buf_reset(&writer->buf);
}

void writer_passed(struct writer *writer, uint64_t size)
{
	writer->taken += size;
}

void writer_clear(struct writer *writer)
{
	buf_clear(&writer->buf);
	schema_clear(&writer->schema);
	*writer = (struct writer){ 0 };
}
