#include "everytype.h"

#include "jfr/eventtypes.h"

/* 2024-05-01 10:00 UTC. */
#define START_NANOS INT64_C(1714557600000000000)
#define START_TICK INT64_C(1000000000)

static void add_fields(struct buf *to, const struct type *type);

static void add_single(struct buf *to, const struct type *owner, const struct field *field)
{
	const struct type *type = field->type;

	if (field->pooled)
		encode_varint(to, type != owner);
	else if (type->primitive == OP_STRING)
		encode_string(to, owner->id == POOL_SYMBOL ? STR("()V") : field->name);
	else if (type->primitive == OP_FLOAT)
		encode_float(to, 1);
	else if (type->primitive != OP_NONE)
		encode_varint(to, 1);	/* one byte for all whole numbers */
	else
		add_fields(to, type);
}

static void add_fields(struct buf *to, const struct type *type)
{
	for (size_t i = 0; i < type->field_count; i++) {
		if (type->fields[i].array)
			encode_varint(to, 1);
		add_single(to, type, &type->fields[i]);
	}
}

static void add_event(struct writer *writer, const struct type *type)
{
	writer_event(writer, type->id);
	encode_long(&writer->buf, writer->now);
	for (size_t i = 1; i < type->field_count; i++)
		add_single(&writer->buf, type, &type->fields[i]);
}

bool everytype_write(struct writer *writer)
{
	struct header header = writer_header;
	struct metadata metadata;
	struct arena arena = { 0 };
	bool is_good;

	header.start_nanos = START_NANOS;
	header.start_ticks = writer->now = START_TICK;
	header.duration_nanos = INT64_C(1000000000);
	writer_describe(writer, eventtypes);
	writer_open(writer, &header);
	is_good = eventtypes_metadata(&metadata, &arena, NULL);
	for (int id = EVENT_FIRST; is_good && id < EVENT_END; id++)
		add_event(writer, metadata_event(&metadata, (uint64_t)id));
	writer_checkpoint(writer, 0);
	for (int id = POOL_FIRST; is_good && id < POOL_END; id++) {
		writer_pool(writer, id);
		writer_constant(writer, 1);
		add_fields(&writer->buf, metadata_type(&metadata, id));
	}
	writer_end(writer);
	metadata_clear(&metadata);
	arena_clear(&arena);
	return is_good;
}
