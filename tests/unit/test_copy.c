#include <criterion/criterion.h>
#include <stdlib.h>

#include "copy/copy.h"
#include "jfr/checkpoint.h"
#include "make.h"
#include "tell.h"

#define SYMBOL "jdk.types.Symbol"

static const struct schema_type types[] = {
	TYPE("a.E", "jdk.jfr.Event", .id = 100,
	     FIELDS(START, FIELD("x", "int"), FIELD("symbol", SYMBOL, POOLED))),
	TYPE("a.Span", "jdk.jfr.Event", .id = 101,
	     FIELDS(START, DURATION, FIELD("text", "java.lang.String"))),
	TYPE("a.Late", "jdk.jfr.Event", .id = 102,
	     FIELDS(FIELD("text", "java.lang.String"), START)),
	TYPES_END,
};

/* What became of a recording. */
struct copied {
	struct copy copy;
	struct buf bytes;
	struct damage damage;
	struct err err;
	bool is_good;
	size_t room;		/* of the sink; 0: it takes all */
};

static bool take(void *context, const void *bytes, size_t size, struct err *err)
{
	struct copied *copied = context;

	buf_add(&copied->bytes, bytes, size);
	if (copied->room && copied->bytes.size > copied->room)
		return err_set(err, ERR_SYSTEM, "full");
	return true;
}

static void run(struct copied *copied, const void *bytes, size_t size)
{
	struct input input = { 0 };

	copied->copy.sink = take;
	copied->copy.context = copied;
	cr_assert(input_of_bytes(&input, bytes, size, "a.jfr"));
	copied->is_good =
		copy_input(&copied->copy, &input, &copied->damage, &copied->err);
	input_close(&input);
	copy_clear(&copied->copy);
	cr_expect(copied->room || copied->copy.bytes == copied->bytes.size);
}

/* Copies what was made. */
static struct copied copy_made(struct made *made)
{
	struct copied copied = { .is_good = false };

	cr_assert(make_bytes(made), "%s", made->err.text);
	run(&copied, made->bytes, made->size);
	cr_expect(copied.is_good, "%s", copied.err.text);
	return copied;
}

static void clear(struct copied *copied)
{
	buf_clear(&copied->bytes);
	damage_clear(&copied->damage);
}

/* Opens one chunk of the copy, in the place of what was made. */
static void open_copy(struct made *made, const struct copied *copied, size_t at)
{
	free(made->bytes);
	made->size = copied->bytes.size - at;
	made->bytes = malloc(made->size);
	cr_assert(made->bytes);
	memcpy(made->bytes, copied->bytes.bytes + at, made->size);
	cr_assert(make_again(made), "%s", made->err.text);
}

/* "[1 2] / cause": the second values of the events of one chunk of the copy. */
static const char *told(struct made *made, const struct copied *copied, size_t at)
{
	static struct buf text;

	buf_reset(&text);
	open_copy(made, copied, at);
	tell_chunk(&text, &made->chunk, &made->damage);
	tell_damage(&text, &made->damage, false);
	buf_byte(&text, '\0');
	return text.bytes;
}

static uint64_t faults(const struct copied *copied, const char *cause)
{
	for (size_t i = 0; i < copied->damage.faults.count; i++) {
		if (strcmp(copied->damage.faults.items[i].cause, cause) == 0)
			return copied->damage.faults.items[i].count;
	}
	return 0;
}

/* The same bytes come out when a copy is copied. */
static void expect_settled(const struct copied *copied)
{
	struct copied again = { .is_good = false };

	run(&again, copied->bytes.bytes, copied->bytes.size);
	cr_expect(again.is_good);
	cr_expect_eq(again.damage.faults.count, 0);
	cr_expect_eq(again.bytes.size, copied->bytes.size);
	cr_expect_eq(again.copy.events, copied->copy.events);
	cr_expect(again.bytes.size == copied->bytes.size &&
		  memcmp(again.bytes.bytes, copied->bytes.bytes, again.bytes.size) == 0);
	clear(&again);
}

static void begin(struct made *made)
{
	writer_describe(&made->writer, make_jdk_types);
	make_begin(made, types);
}

static void add_event(struct made *made, int x)
{
	EVENT(&made->writer, "a.E", LONG(x), INT(x), KEY(1));
}

static void add_symbol(struct made *made)
{
	POOL(&made->writer, SYMBOL);
	CONSTANT(&made->writer, 1, TEXT("one"));
}

static void expect_symbol(struct made *made, uint64_t key, const char *wanted)
{
	struct str text = make_text(made, SYMBOL, key);

	cr_expect(str_is(text, str_of(wanted)), "%.*s", (int)text.size, text.bytes);
}

static const struct schema_type good_types[] = {
	TYPE("a.E", "jdk.jfr.Event", .id = 100,
	     FIELDS(START, FIELD("x", "int"), FIELD("symbol", SYMBOL, POOLED))),
	TYPES_END,
};

static void begin_good(struct made *made, const struct header *header)
{
	schema_clear(&made->writer.schema);
	writer_describe(&made->writer, make_jdk_types);
	writer_describe(&made->writer, good_types);
	writer_open(&made->writer, header);
}

Test(copy, keeps_every_byte_of_a_good_recording)
{
	struct made made = { 0 };
	struct copied copied;

	begin_good(&made, NULL);
	writer_event(&made.writer, 4711);
	for (int i = 0; i < 3; i++)
		add_event(&made, i);
	writer_metadata(&made.writer);
	cr_assert(writer_close(&made.writer, &made.err));
	begin_good(&made, NULL);
	add_event(&made, 3);
	add_symbol(&made);
	add_symbol(&made);
	copied = copy_made(&made);
	cr_expect_eq(copied.copy.events, 5);
	cr_expect_eq(copied.bytes.size, made.size);
	cr_expect(copied.bytes.size == made.size &&
		  memcmp(copied.bytes.bytes, made.bytes, made.size) == 0);
	clear(&copied);
	make_clear(&made);
}

Test(copy, finishes_a_chunk)
{
	static const struct header header = { .major = 2, .minor = 1, .start_nanos = 5000,
					      .duration_nanos = 10, .start_ticks = 100,
					      .ticks_per_second = 500000000 };
	struct made made = { 0 };
	struct copied copied;

	begin_good(&made, &header);
	EVENT(&made.writer, "a.E", LONG(350), INT(1), KEY(1));
	add_symbol(&made);
	EVENT(&made.writer, "a.E", LONG(110), INT(2), KEY(1));
	cr_assert(writer_flush(&made.writer, &made.err));
	made.writer.is_open = false;
	copied = copy_made(&made);
	cr_expect_str_eq(told(&made, &copied, 0), "[1 2]");
	cr_expect_eq(made.chunk.header.state, 0);
	cr_expect_eq(made.chunk.header.start_nanos, 5000);
	cr_expect_eq(made.chunk.header.duration_nanos, 500);
	cr_expect_eq(made.chunk.header.start_ticks, 100);
	cr_expect_eq(made.chunk.header.flags, HEADER_COMPRESSED);
	cr_expect_eq(made.chunk.header.chunk_size, (int64_t)made.size);
	cr_expect_eq(made.chunk.header.metadata_at, HEADER_SIZE);
	cr_expect(damage_is_none(&copied.damage));
	expect_symbol(&made, 1, "one");
	expect_settled(&copied);
	clear(&copied);
	make_clear(&made);
}

Test(copy, marks_the_last_chunk_as_the_last)
{
	struct made made = { 0 };
	struct copied copied;

	for (int i = 0; i < 2; i++) {
		begin_good(&made, NULL);
		add_event(&made, i);
		writer_event(&made.writer, 100);	/* without its fields */
		cr_assert(writer_close(&made.writer, &made.err));
	}
	copied = copy_made(&made);
	cr_expect_eq(copied.copy.lost_events, 2);
	cr_expect_eq(faults(&copied, "an event does not fit its fields"), 2);
	cr_expect_str_eq(told(&made, &copied, 0), "[0]");
	cr_expect_eq(made.chunk.header.flags, HEADER_COMPRESSED);
	cr_expect_str_eq(told(&made, &copied, (size_t)made.chunk.header.chunk_size), "[1]");
	cr_expect_eq(made.chunk.header.flags, HEADER_COMPRESSED | HEADER_FINAL);
	expect_settled(&copied);
	clear(&copied);
	make_clear(&made);
}

/* There are always checkpoints: the JDK looks for them even where there are none. */
Test(copy, gives_each_chunk_a_checkpoint)
{
	struct made made = { 0 };
	struct copied copied;

	for (int i = 0; i < 2; i++) {
		begin_good(&made, NULL);
		add_event(&made, i);
		cr_assert(writer_close(&made.writer, &made.err));
	}
	copied = copy_made(&made);
	cr_expect_str_eq(told(&made, &copied, 0), "[0]");
	cr_expect_eq(made.chunk.header.checkpoint_at, 0);
	cr_expect_str_eq(told(&made, &copied, (size_t)made.chunk.header.chunk_size), "[1]");
	cr_expect_gt(made.chunk.header.checkpoint_at, 0);
	expect_settled(&copied);
	clear(&copied);
	make_clear(&made);
}

Test(copy, leaves_out_events_that_nobody_can_read)
{
	struct made made = { 0 };
	struct copied copied;

	begin(&made);
	add_event(&made, 1);
	EVENT(&made.writer, "a.Late", TEXT("late"), LONG(1));
	writer_event(&made.writer, 4711);
	add_event(&made, 2);
	copied = copy_made(&made);
	cr_expect_str_eq(told(&made, &copied, 0), "[1 2]");
	cr_expect_eq(copied.copy.events, 2);
	cr_expect_eq(copied.copy.lost_events, 2);
	cr_expect_eq(faults(&copied, "an event of a type that the JDK cannot read"), 1);
	cr_expect_eq(faults(&copied, "events of unknown types are left out"), 1);
	expect_settled(&copied);
	clear(&copied);
	make_clear(&made);
}

/* Bytes behind the fields and sizes that are too wide are for the reader to bear. */
Test(copy, keeps_the_bytes_of_events)
{
	static const char event[] = "\x8b\x80\0\xe4\0\x01\x02\0***";
	struct made made = { 0 };
	struct copied copied;

	begin(&made);
	writer_end(&made.writer);
	buf_add(&made.writer.buf, event, 11);
	add_event(&made, 3);
	copied = copy_made(&made);
	cr_expect_str_eq(told(&made, &copied, 0), "[2 3]");
	cr_expect(memmem(copied.bytes.bytes, copied.bytes.size, event, 11));
	clear(&copied);
	make_clear(&made);
}

Test(copy, keeps_the_constants_that_count)
{
	struct made made = { 0 };
	struct copied copied;

	begin(&made);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 7, TEXT("oldest"));
	CONSTANT(&made.writer, 8, TEXT("eight"));
	writer_end(&made.writer);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 7, TEXT("newest"));
	copied = copy_made(&made);
	open_copy(&made, &copied, 0);
	expect_symbol(&made, 7, "oldest");
	expect_symbol(&made, 8, "eight");
	cr_expect_eq(chunk_pool(&made.chunk, make_type(&made, SYMBOL))->constants.count, 2);
	clear(&copied);
	make_clear(&made);
}

/* A pool without constants, which the JDK refuses. */
Test(copy, writes_no_empty_pool)
{
	struct made made = { 0 };
	struct copied copied;
	int64_t at;

	begin_good(&made, NULL);
	writer_end(&made.writer);
	at = (int64_t)writer_position(&made.writer);
	writer_event(&made.writer, EVENT_CHECKPOINT);
	make_values(&made.writer.buf, VALUES(LONG(0), LONG(0), LONG(0), BYTE(0), COUNT(1),
					     LONG(writer_type(&made.writer, SYMBOL)),
					     COUNT(0)));
	writer_end(&made.writer);
	made.writer.header.checkpoint_at = at;
	copied = copy_made(&made);
	cr_expect_eq(copied.damage.faults.count, 0);
	cr_expect_lt(copied.bytes.size, made.size + 8);
	open_copy(&made, &copied, 0);
	cr_expect_null(chunk_pool(&made.chunk, make_type(&made, SYMBOL)));
	expect_settled(&copied);
	clear(&copied);
	make_clear(&made);
}

static void add_large(struct made *made, uint64_t key, size_t size)
{
	writer_constant(&made->writer, key);
	encode_byte(&made->writer.buf, STRING_LATIN1);
	encode_int(&made->writer.buf, (int32_t)size);
	buf_fill(&made->writer.buf, 'x', size);
}

Test(copy, spreads_many_constants_over_checkpoints)
{
	struct made made = { 0 };
	struct event_walk walk;
	struct event event;
	struct copied copied;
	int checkpoints = 0;

	begin(&made);
	POOL(&made.writer, SYMBOL);
	for (uint64_t key = 1; key <= 12; key++)
		add_large(&made, key, 1 << 20);
	copied = copy_made(&made);
	open_copy(&made, &copied, 0);
	cr_expect_eq(made.damage.faults.count, 0);
	cr_expect_eq(chunk_pool(&made.chunk, make_type(&made, SYMBOL))->constants.count, 12);
	walk = event_walk(&made.chunk, NULL);
	while (event_next(&walk, &event))
		checkpoints += event.type_id == EVENT_CHECKPOINT;
	cr_expect_eq(checkpoints, 3);
	expect_settled(&copied);
	clear(&copied);
	make_clear(&made);
}

Test(copy, leaves_out_a_constant_that_is_too_large)
{
	struct made made = { 0 };
	struct copied copied;

	begin(&made);
	POOL(&made.writer, SYMBOL);
	add_large(&made, 1, 25 << 20);
	CONSTANT(&made.writer, 2, TEXT("two"));
	copied = copy_made(&made);
	cr_expect_eq(faults(&copied, "a constant is too large"), 1);
	open_copy(&made, &copied, 0);
	cr_expect_eq(chunk_pool(&made.chunk, make_type(&made, SYMBOL))->constants.count, 1);
	clear(&copied);
	make_clear(&made);
}

static int64_t metadata_id(const struct made *made)
{
	struct cursor cursor = cursor_of(made->chunk.bytes + made->chunk.metadata_at, 30);

	for (int i = 0; i < 4; i++)
		cursor_varint(&cursor);
	return (int64_t)cursor_varint(&cursor);
}

/* The JDK takes metadata with the number of that before for the same. */
Test(copy, keeps_the_number_of_metadata_unless_it_is_changed)
{
	struct made made = { 0 };
	struct copied copied;

	made.writer.metadata_id = 76;
	begin_good(&made, NULL);
	writer_event(&made.writer, 100);
	cr_assert(writer_close(&made.writer, &made.err));
	schema_clear(&made.writer.schema);
	begin(&made);
	writer_event(&made.writer, 100);
	copied = copy_made(&made);
	open_copy(&made, &copied, 0);
	cr_expect_eq(metadata_id(&made), 77);
	open_copy(&made, &copied, (size_t)made.chunk.header.chunk_size);
	cr_expect_gt(metadata_id(&made), INT64_C(1) << 60);
	cr_expect_not(make_type(&made, "a.Late")->is_event);
	expect_settled(&copied);
	clear(&copied);
	make_clear(&made);
}

/* The number of one's constants is that of the other's, and so is that of metadata. */
static const struct schema_type one_types[] = {
	TYPE("a.One", NULL, .id = 300, FIELDS(FIELD("x", "int"))),
	TYPE("a.E", "jdk.jfr.Event", .id = 100,
	     FIELDS(START, FIELD("x", "int"), FIELD("key", "a.One", POOLED))),
	TYPES_END,
};

static const struct schema_type other_types[] = {
	TYPE("a.Other", NULL, .id = 300, FIELDS(FIELD("text", "java.lang.String"))),
	TYPE("a.E", "jdk.jfr.Event", .id = 100,
	     FIELDS(START, FIELD("x", "int"), FIELD("key", "a.Other", POOLED))),
	TYPES_END,
};

static void add_program(struct made *made, const struct schema_type *own, int x)
{
	schema_clear(&made->writer.schema);
	writer_describe(&made->writer, own);
	made->writer.metadata_id = 6;
	writer_open(&made->writer, NULL);
	add_event(made, x);
	POOL(&made->writer, own->name);
	if (own == one_types)
		CONSTANT(&made->writer, 1, INT(8));
	else
		CONSTANT(&made->writer, 1, TEXT("eight"));
	cr_assert(writer_close(&made->writer, &made->err));
}

Test(copy, tells_the_chunks_of_programs_apart)
{
	struct made made = { 0 };
	struct copied copied;
	size_t second, third;

	add_program(&made, one_types, 1);
	second = made.writer.buf.size;
	add_program(&made, other_types, 2);
	add_program(&made, one_types, 3);
	copied = copy_made(&made);
	cr_expect_eq(copied.damage.faults.count, 0);
	cr_expect_str_eq(told(&made, &copied, 0), "[1]");
	cr_expect_eq(metadata_id(&made), 7);
	cr_expect_eq(make_type(&made, "a.One")->id, 300);
	cr_expect_str_eq(told(&made, &copied, second), "[2]");
	cr_expect_neq(metadata_id(&made), 7);
	cr_expect_neq(make_type(&made, "a.Other")->id, 300);
	cr_expect_eq(make_type(&made, "a.E")->id, 100);
	cr_expect(str_is(make_text(&made, "a.Other", 1), STR("eight")));
	third = second + (size_t)made.chunk.header.chunk_size;
	cr_expect_str_eq(told(&made, &copied, third), "[3]");
	cr_expect_eq(metadata_id(&made), 7);
	cr_expect_eq(make_type(&made, "a.One")->id, 300);
	expect_settled(&copied);
	clear(&copied);
	make_clear(&made);
}

/* Metadata whose size is wrong is written anew; so its bytes may be others. */
Test(copy, writes_metadata_whose_size_is_wrong)
{
	struct made made = { 0 };
	struct copied copied = { .is_good = false };
	struct header header;

	made.writer.metadata_id = 76;
	begin_good(&made, NULL);
	writer_metadata(&made.writer);
	add_event(&made, 5);
	cr_assert(make_bytes(&made));
	cr_assert(header_read(&header, made.bytes, made.size, NULL));
	made.bytes[header.metadata_at + 1] ^= 1;	/* 128 bytes more or less */
	run(&copied, made.bytes, made.size);
	cr_expect(copied.is_good, "%s", copied.err.text);
	open_copy(&made, &copied, 0);
	cr_expect_gt(metadata_id(&made), INT64_C(1) << 60);
	cr_expect_eq(made.chunk.metadata.types[0].name.size > 0, true);
	expect_settled(&copied);
	clear(&copied);
	make_clear(&made);
}

/* The second chunk has the types of the first. */
Test(copy, writes_borrowed_metadata)
{
	struct made made = { 0 };
	struct copied copied = { .is_good = false };
	size_t first;

	begin_good(&made, NULL);
	add_event(&made, 1);
	cr_assert(writer_close(&made.writer, &made.err));
	first = made.writer.buf.size;
	writer_open(&made.writer, NULL);
	add_event(&made, 2);
	made.writer.described = made.writer.schema.version;
	cr_assert(make_bytes(&made), "%s", made.err.text);
	run(&copied, made.bytes, made.size);
	cr_expect(copied.is_good, "%s", copied.err.text);
	cr_expect_eq(faults(&copied, "the metadata of another chunk is used"), 1);
	cr_expect_str_eq(told(&made, &copied, first), "[2]");
	cr_expect_gt(metadata_id(&made), INT64_C(1) << 60);
	expect_settled(&copied);
	clear(&copied);
	make_clear(&made);
}

Test(copy, leaves_out_chunks_that_cannot_be_opened)
{
	struct made made = { 0 };
	struct copied copied = { .is_good = false };

	begin_good(&made, NULL);
	made.writer.described = made.writer.schema.version;
	cr_assert(writer_close(&made.writer, &made.err));
	made.writer.header.start_nanos = 1;
	begin_good(&made, NULL);
	add_event(&made, 1);
	cr_assert(make_bytes(&made));
	run(&copied, made.bytes, HEADER_SIZE);
	cr_expect_not(copied.is_good);
	cr_expect_eq(copied.err.kind, ERR_FORMAT);
	cr_expect_eq(copied.copy.lost_chunks, 1);
	cr_expect_eq(copied.bytes.size, 0);
	clear(&copied);
	make_clear(&made);
}

/* Four events, a symbol for each, and one more; `filter` takes some. */
static void begin_four(struct made *made)
{
	begin_good(made, NULL);
	for (int i = 1; i <= 4; i++)
		EVENT(&made->writer, "a.E", LONG(i), INT(i), KEY(i));
	POOL(&made->writer, SYMBOL);
	CONSTANT(&made->writer, 1, TEXT("one"));
	CONSTANT(&made->writer, 2, TEXT("two"));
	CONSTANT(&made->writer, 4, TEXT("four"));
	CONSTANT(&made->writer, 5, TEXT("five"));
}

static struct filter even_filter(void)
{
	struct filter filter = { 0 };

	cr_assert(filter_add_condition(&filter, STR("symbol ~ *o*"), NULL));
	cr_assert(filter_add_condition(&filter, STR("x > 1"), NULL));
	return filter;
}

static void expect_even(struct made *made, struct copied *copied)
{
	const struct removed *removed = &copied->copy.removed;

	cr_expect(copied->is_good);
	cr_expect_eq(copied->copy.events, 2);
	cr_expect_str_eq(told(made, copied, 0), "[2 4]");
	cr_expect_eq(chunk_pool(&made->chunk, make_type(made, SYMBOL))->constants.count, 2);
	expect_symbol(made, 4, "four");
	cr_assert_eq(removed->rows.count, 1);
	cr_expect(str_is(removed->rows.items[0].name, STR("a.E")));
	outcome_clear(&copied->copy.outcome);
	removed_clear(&copied->copy.removed);
}

Test(copy, keeps_what_is_asked_for)
{
	struct filter filter = even_filter();
	struct made made = { 0 };
	struct copied copied = { .copy = { .filter = &filter, .is_pruned = true } };

	begin_four(&made);
	cr_assert(make_bytes(&made));
	run(&copied, made.bytes, made.size);
	cr_expect(damage_is_none(&copied.damage));
	cr_expect_eq(copied.copy.lost_events, 0);
	cr_expect_eq(copied.copy.removed.rows.items[0].count.removed, 2);
	cr_expect_eq(copied.copy.removed.rows.items[0].count.total, 4);
	expect_even(&made, &copied);
	cr_expect_gt(made.chunk.header.metadata_at, made.chunk.header.checkpoint_at);
	clear(&copied);
	make_clear(&made);
	filter_clear(&filter);
}

/* What cannot be read is no more asked for. */
Test(copy, keeps_what_is_asked_for_of_what_can_be_read)
{
	struct filter filter = even_filter();
	struct made made = { 0 };
	struct copied copied = { .copy = { .filter = &filter, .is_pruned = true } };

	begin_four(&made);
	EVENT(&made.writer, "a.E", LONG(5));
	cr_assert(make_bytes(&made), "%s", made.err.text);
	run(&copied, made.bytes, made.size);
	cr_expect_eq(faults(&copied, "an event does not fit its fields"), 1);
	cr_expect_eq(copied.copy.lost_events, 1);
	cr_expect_eq(copied.copy.removed.rows.items[0].count.removed, 2);
	cr_expect_eq(copied.copy.removed.rows.items[0].count.total, 5);
	removed_order(&copied.copy.removed);
	copied.copy.removed.rows.count = 1;
	expect_even(&made, &copied);
	cr_expect_lt(made.chunk.header.metadata_at, made.chunk.header.checkpoint_at);
	clear(&copied);
	make_clear(&made);
	filter_clear(&filter);
}

/* Wherever the output ends, that is said, and nothing more is written. */
Test(copy, ends_when_the_output_does)
{
	struct made made = { 0 };

	begin(&made);
	add_event(&made, 1);
	add_symbol(&made);
	cr_assert(make_bytes(&made));
	for (size_t room = 1; room < made.size - 100; room += 50) {
		struct copied copied = { .room = room };

		run(&copied, made.bytes, made.size);
		cr_expect_not(copied.is_good);
		cr_expect_eq(copied.err.kind, ERR_SYSTEM);
		cr_expect_eq(copied.copy.chunks, 0);
		clear(&copied);
	}
	make_clear(&made);
}
