#include <criterion/criterion.h>
#include <stdlib.h>

#include "make.h"

static const struct schema_type types[] = {
	TYPE("test.E", "jdk.jfr.Event", FIELDS(START, FIELD("x", "int"))),
	TYPE("test.Wide", "jdk.jfr.Event", FIELDS(START, FIELD("text", "java.lang.String"))),
	TYPE("jdk.types.Symbol", NULL, .is_simple = true,
	     FIELDS(FIELD("string", "java.lang.String"))),
	TYPES_END,
};


#define SYMBOL "jdk.types.Symbol"

Test(writer, writes_what_the_reader_reads)
{
	struct value values[PROGRAM_VALUES_MAX];
	struct made made = { 0 };

	make_begin(&made, types);
	EVENT(&made.writer, "test.E", LONG(100), INT(-1));
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 7, TEXT("tea"));
	cr_assert(make_open(&made), "%s", made.err.text);
	cr_assert(make_decode(&made, 0, values));
	cr_expect_eq(values[0].number, 100);
	cr_expect_eq(values[1].number, -1);
	cr_expect(str_is(make_text(&made, SYMBOL, 7), STR("tea")));
	cr_expect_eq(made.damage.faults.count, 0);
	make_clear(&made);
}

Test(writer, finishes_the_header)
{
	struct header header = writer_header;
	struct made made = { 0 };

	header.start_nanos = 123;
	header.chunk_size = 456;	/* of no interest */
	writer_describe(&made.writer, types);
	writer_open(&made.writer, &header);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 7, TEXT("tea"));
	cr_assert(make_open(&made), "%s", made.err.text);
	header = made.chunk.header;
	cr_expect(header.major == 2 && header.minor == 1);
	cr_expect_eq((size_t)header.chunk_size, made.size);
	cr_expect_eq(header.checkpoint_at, HEADER_SIZE);
	cr_expect_gt(header.metadata_at, HEADER_SIZE);
	cr_expect_eq(header.start_nanos, 123);
	cr_expect_eq(header.state, 0);
	cr_expect_eq(header.flags, HEADER_COMPRESSED | HEADER_FINAL);
	make_clear(&made);
}

/* The size of an event grows from one byte to four where it must. */
Test(writer, frames_events_of_any_size)
{
	static const size_t sizes[] = { 0, 1, 120, 121, 122, 123, 124, 125, 126, 127, 128, 70000 };
	struct made made = { 0 };
	struct event_walk walk;
	struct event event;
	char *text = calloc(1, 70000);

	make_begin(&made, types);
	for (size_t i = 0; i < 12; i++) {
		writer_event(&made.writer, writer_type(&made.writer, "test.Wide"));
		buf_add(&made.writer.buf, text, sizes[i]);
	}
	cr_assert(make_open(&made), "%s", made.err.text);
	walk = event_walk(&made.chunk, NULL);
	for (size_t i = 0; i < 12; i++) {
		cr_assert(event_next(&walk, &event));
		cr_expect_eq(event.type, make_type(&made, "test.Wide"));
		cr_expect_eq(event.size, sizes[i] + (sizes[i] < 126 ? 2 : 5), "%zu", sizes[i]);
	}
	free(text);
	make_clear(&made);
}

Test(writer, refuses_events_that_no_reader_could_read)
{
	struct made made = { 0 };

	make_begin(&made, types);
	writer_event(&made.writer, 100);
	buf_fill(&made.writer.buf, 0, ENCODE_EVENT_MAX);
	cr_expect_not(make_bytes(&made));
	cr_expect_eq(made.err.kind, ERR_MEMORY);
	make_clear(&made);
}

Test(writer, leaves_no_trace_of_empty_pools_and_checkpoints)
{
	struct made made = { 0 };
	uint64_t at;

	make_begin(&made, types);
	at = writer_position(&made.writer);
	writer_checkpoint(&made.writer, 0);
	POOL(&made.writer, SYMBOL);
	POOL(&made.writer, SYMBOL);
	writer_end(&made.writer);
	cr_expect_eq(writer_position(&made.writer), at);
	cr_expect_eq(made.writer.header.checkpoint_at, 0);
	POOL(&made.writer, SYMBOL);
	POOL(&made.writer, "test.E");
	CONSTANT(&made.writer, 1, LONG(1), INT(1));
	POOL(&made.writer, SYMBOL);
	cr_assert(make_open(&made));
	cr_expect_null(chunk_pool(&made.chunk, make_type(&made, SYMBOL)));
	cr_expect_eq(made.damage.faults.count, 0);
	make_clear(&made);
}

Test(writer, appends_chunks_to_each_other)
{
	struct made made = { 0 };
	struct header header;
	size_t first;

	make_begin(&made, types);
	cr_assert(writer_close(&made.writer, &made.err));
	first = made.writer.buf.size;
	make_begin(&made, NULL);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 1, TEXT("second"));
	cr_assert(make_open(&made));
	cr_expect_eq((size_t)made.chunk.header.chunk_size, first);
	cr_assert(header_read(&header, made.bytes + first, made.size - first, NULL));
	cr_expect_eq((size_t)header.chunk_size, made.size - first);
	cr_expect_eq(header.checkpoint_at, HEADER_SIZE);
	make_clear(&made);
}

Test(writer, flushes_so_that_a_growing_chunk_can_be_read)
{
	struct made made = { 0 };

	make_begin(&made, types);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 1, TEXT("one"));
	cr_expect_eq(made.writer.buf.bytes[64], 1);
	cr_assert(writer_flush(&made.writer, &made.err));
	cr_expect_eq(made.writer.buf.bytes[64], 2);
	made.writer.is_open = false;		/* read it as it is */
	cr_assert(make_open(&made), "%s", made.err.text);
	cr_expect(str_is(make_text(&made, SYMBOL, 1), STR("one")));
	made.writer.is_open = true;
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 2, TEXT("two"));
	for (int i = 0; i < 253; i++)
		cr_assert(writer_flush(&made.writer, &made.err));
	cr_expect_eq(made.writer.buf.bytes[64], 1);	/* 254 is the last */
	cr_assert(make_open(&made), "%s", made.err.text);
	cr_expect_eq(made.chunk.header.state, 0);
	cr_expect(str_is(make_text(&made, SYMBOL, 1), STR("one")));
	cr_expect(str_is(make_text(&made, SYMBOL, 2), STR("two")));
	make_clear(&made);
}

Test(writer, goes_on_when_its_bytes_were_taken)
{
	struct buf file = { 0 }, header = { 0 };
	struct made made = { 0 };

	make_begin(&made, types);
	for (int i = 1; i <= 3; i++) {
		POOL(&made.writer, SYMBOL);
		CONSTANT(&made.writer, (uint64_t)i, TEXT("text"));
		cr_assert(writer_flush(&made.writer, &made.err));
		buf_add(&file, made.writer.buf.bytes, made.writer.buf.size);
		writer_taken(&made.writer);
		cr_expect_eq(writer_position(&made.writer), file.size);
	}
	cr_assert(writer_close(&made.writer, &made.err));
	header_write(&made.writer.header, &header);
	memcpy(file.bytes, header.bytes, header.size);
	buf_clear(&made.writer.buf);
	made.writer.buf = file;
	buf_clear(&header);
	cr_assert(make_open(&made), "%s", made.err.text);
	cr_expect_eq(made.damage.faults.count, 0);
	for (uint64_t key = 1; key <= 3; key++)
		cr_expect(str_is(make_text(&made, SYMBOL, key), STR("text")));
	make_clear(&made);
}

Test(writer, gives_metadata_a_new_id_only_when_it_changes)
{
	struct made made = { 0 };

	make_begin(&made, types);
	cr_assert(writer_flush(&made.writer, &made.err));
	cr_expect_eq(made.writer.metadata_id, 1);
	cr_assert(writer_flush(&made.writer, &made.err));
	cr_expect_eq(made.writer.metadata_id, 1);
	writer_describe(&made.writer, TYPES(TYPE("test.New", NULL)));
	cr_assert(writer_flush(&made.writer, &made.err));
	cr_expect_eq(made.writer.metadata_id, 2);
	make_clear(&made);
}

Test(writer, has_no_state_before_version_2_1)
{
	struct header header = writer_header;
	struct made made = { 0 };

	header.minor = 0;
	writer_describe(&made.writer, types);
	writer_open(&made.writer, &header);
	cr_assert(writer_flush(&made.writer, &made.err));
	cr_expect_eq(made.writer.buf.bytes[64], 0);
	make_clear(&made);
}

Test(writer, remembers_its_first_failure)
{
	struct made made = { 0 };

	make_begin(&made, types);
	EVENT(&made.writer, "test.None", LONG(1));
	writer_pool(&made.writer, 5);
	writer_constant(&made.writer, 5);
	cr_expect_not(writer_flush(&made.writer, &made.err));
	cr_expect_not(writer_close(&made.writer, &made.err));
	cr_expect_str_eq(made.err.text, "the type test.None was never described");
	cr_expect_eq(made.err.kind, ERR_USAGE);
	make_clear(&made);
}

Test(writer, tells_misuse)
{
	struct writer writer = { 0 };
	struct err err = { 0 };

	cr_expect_not(writer_close(&writer, &err));
	cr_expect_str_eq(err.text, "no chunk was begun");
	writer_clear(&writer);
	writer_open(&writer, NULL);
	writer_pool(&writer, 5);
	cr_expect_not(writer_close(&writer, &err));
	cr_expect_str_eq(err.text, "a pool outside of a checkpoint");
	writer_clear(&writer);
	writer_open(&writer, NULL);
	writer_constant(&writer, 5);
	cr_expect_not(writer_close(&writer, &err));
	cr_expect_str_eq(err.text, "a constant outside of a pool");
	writer_clear(&writer);
}

Test(writer, ends_with_a_copy_of_the_header)
{
	struct header header = writer_header, copy;
	struct made made = { 0 };
	const char *found;

	header.start_nanos = 77;
	writer_open(&made.writer, &header);
	writer_copy_header(&made.writer, 45, CHECKPOINT_FLUSH, 9);
	cr_assert(writer_close(&made.writer, &made.err));
	found = memmem(made.writer.buf.bytes + 1, made.writer.buf.size - 1, header_magic,
		       HEADER_MAGIC_SIZE);
	cr_assert_not_null(found);
	cr_assert(header_read(&copy, (const unsigned char *)found, HEADER_SIZE,
			      &made.err));
	cr_expect_eq(copy.start_nanos, 77);
	cr_expect_eq(copy.state, 9);
	cr_expect_eq(copy.chunk_size, made.writer.header.chunk_size);
	cr_expect_eq(found + HEADER_SIZE, made.writer.buf.bytes + made.writer.buf.size);
	cr_expect_gt(made.writer.header.checkpoint_at, 0);
	make_clear(&made);
}
