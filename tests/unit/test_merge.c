#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "copy/merge.h"
#include "jfr/checkpoint.h"
#include "make.h"
#include "tell.h"

#define SYMBOL "jdk.types.Symbol"
#define SECOND INT64_C(1000000000)
#define DAY (86400 * SECOND)

static const struct schema_type types[] = {
	TYPE(SYMBOL, NULL, .id = 50, .is_simple = true,
	     FIELDS(FIELD("string", "java.lang.String"))),
	TYPE("a.Leaf", NULL, .id = 51, FIELDS(FIELD("x", "int"))),
	TYPE("a.E", "jdk.jfr.Event", .id = 100,
	     FIELDS(START, FIELD("x", "int"), FIELD("symbol", SYMBOL, POOLED),
		    FIELD("leaf", "a.Leaf", POOLED), FIELD("span", "int", SPAN))),
	TYPE("jdk.ActiveSetting", "jdk.jfr.Event", .id = 101,
	     FIELDS(START, FIELD("id", "long"))),
	TYPES_END,
};

/* The same in another JVM: some numbers stand for something else. */
static const struct schema_type other_types[] = {
	TYPE(SYMBOL, NULL, .id = 51, .is_simple = true,
	     FIELDS(FIELD("string", "java.lang.String"))),
	TYPE("a.Leaf", NULL, .id = 50, FIELDS(FIELD("x", "int"))),
	TYPE("a.New", "jdk.jfr.Event", .id = 100, FIELDS(START, FIELD("x", "int"))),
	TYPE("a.E", "jdk.jfr.Event", .id = 101,
	     FIELDS(START, FIELD("x", "int"), FIELD("symbol", SYMBOL, POOLED),
		    FIELD("leaf", "a.Leaf", POOLED), FIELD("span", "int", SPAN))),
	TYPE("jdk.ActiveSetting", "jdk.jfr.Event", .id = 102,
	     FIELDS(START, FIELD("id", "long"))),
	TYPES_END,
};

/* A recording on its way, with the clock of its JVM. */
struct origin {
	struct made made;
	struct header header;
	const struct schema_type *types;
};

static struct origin origin_of(const struct schema_type *of, int64_t start_nanos,
			       int64_t start_ticks, int64_t frequency)
{
	struct origin source = { .types = of, .header = writer_header };

	source.header.start_nanos = start_nanos;
	source.header.start_ticks = start_ticks;
	source.header.ticks_per_second = frequency;
	return source;
}

/* A chunk of one second with an event: its number, the text and the number it refers to. */
static void add_chunk(struct origin *source, int64_t second, int x, const char *text)
{
	struct writer *writer = &source->made.writer;
	struct header header = source->header;
	int64_t ticks = second * header.ticks_per_second;

	header.start_nanos += second * SECOND;
	header.start_ticks += ticks;
	header.duration_nanos = SECOND;
	schema_clear(&writer->schema);
	writer_describe(writer, source->types);
	writer_open(writer, &header);
	writer->metadata_id = 0;
	EVENT(writer, "a.E", LONG(header.start_ticks + 26), INT(x), KEY(1), KEY(1),
	      INT(52));
	POOL(writer, SYMBOL);
	CONSTANT(writer, 1, MAKE(MAKE_TEXT, .text = str_of(text)));
	POOL(writer, "a.Leaf");
	CONSTANT(writer, 1, INT(7));
}

static void end_chunk(struct origin *source)
{
	if (source->made.writer.is_open)
		cr_assert(writer_close(&source->made.writer, &source->made.err));
}

/* What became of them. */
struct merged {
	struct merge merge;
	struct buf bytes;
	struct damage damage;
	struct err err;
	struct buf told;
};

static bool take(void *context, const void *bytes, size_t size, struct err *err)
{
	struct buf *buf = context;

	buf_add(buf, bytes, size);
	return !buf->failed || err_memory(err);
}

static void save(struct origin *source, char path[32])
{
	struct buf *buf = &source->made.writer.buf;
	int fd = memfd_create("source", MFD_CLOEXEC);

	end_chunk(source);
	cr_assert_eq(write(fd, buf->bytes, buf->size), (ssize_t)buf->size);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
}

static struct merged *merge(struct origin *sources, size_t count)
{
	static struct merged merged;
	static char names[8][32];
	const char *paths[8];
	struct input input = { 0 };

	merged = (struct merged){ .merge.copy = { .sink = take } };
	merged.merge.copy.context = &merged.bytes;
	for (size_t i = 0; i < count; i++) {
		save(&sources[i], names[i]);
		paths[i] = names[i];
	}
	cr_assert(input_open(&input, paths, count, &merged.damage, &merged.err));
	cr_expect(merge_input(&merged.merge, &input, &merged.damage, &merged.err), "%s",
		  merged.err.text);
	merge_clear(&merged.merge);
	input_close(&input);
	cr_expect_eq(merged.merge.copy.bytes, merged.bytes.size);
	for (size_t i = 0; i < count; i++)
		make_clear(&sources[i].made);
	return &merged;
}

static void clear(struct merged *merged)
{
	buf_clear(&merged->bytes);
	buf_clear(&merged->told);
	damage_clear(&merged->damage);
}

static void tell_event(struct merged *merged, const struct clock *clock,
		       const struct chunk *chunk, const struct event *event)
{
	const struct type *symbol = metadata_type(&chunk->metadata, 0);
	struct value values[8];
	struct arena arena = { 0 };
	struct str text = STR("-");

	cr_assert(event_decode(chunk, event, values, &arena));
	buf_printf(&merged->told, "%.*s %lld: +%lld", (int)event->type->name.size,
		   event->type->name.bytes, (long long)event->type_id,
		   (long long)(clock_nanos(clock, values[0].number) % SECOND));
	symbol = event->type->field_count > 2 ? event->type->fields[2].type : NULL;
	if (symbol) {
		const struct pool *pool = chunk_pool(chunk, symbol);
		uint32_t index = pool_find(pool, (uint64_t)values[2].number);
		struct cursor cursor = pool_cursor(pool, index);

		cr_assert(value_string(&cursor, NULL, &text, &arena));
		buf_printf(&merged->told, " %.*s %lld", (int)text.size, text.bytes,
			   (long long)clock_span(clock, values[4].number));
	} else {
		buf_printf(&merged->told, " %lld", (long long)values[1].number);
	}
	buf_text(&merged->told, "; ");
	arena_clear(&arena);
}

/*
 * All events, as a reader sees them that has one clock for all chunks: name, number of the
 * type, nanoseconds of the start, text of the symbol and length; and the faults.
 */
static const char *told(struct merged *merged)
{
	struct input input = { 0 };
	struct clock clock = { 0 };
	struct chunk chunk;
	struct err err;

	cr_assert(input_of_bytes(&input, merged->bytes.bytes, merged->bytes.size, "m"));
	while (input_open_next(&input, &chunk, &merged->damage, &err)) {
		struct event_walk walk = event_walk(&chunk, &merged->damage);
		struct event event;

		cr_assert(checkpoint_load(&chunk, &merged->damage, &err));
		if (chunk.index == 0)
			clock = clock_of(&chunk.header);
		while (event_next(&walk, &event)) {
			if (event.type)
				tell_event(merged, &clock, &chunk, &event);
		}
		buf_text(&merged->told, "| ");
		chunk_close(&chunk);
	}
	input_close(&input);
	tell_damage(&merged->told, &merged->damage, false);
	buf_byte(&merged->told, '\0');
	return merged->told.bytes;
}

Test(merge, writes_chunks_of_one_run_once_and_as_they_are)
{
	struct origin sources[3], whole = origin_of(types, 1000 * SECOND, 500, SECOND);
	struct merged *merged;

	for (int i = 0; i < 3; i++)
		sources[i] = origin_of(types, 1000 * SECOND, 500, SECOND);
	for (int second = 0; second < 5; second++) {
		add_chunk(&whole, second, second, "one");
		end_chunk(&whole);
		if (second < 3) {
			add_chunk(&sources[0], second, second, "one");
			end_chunk(&sources[0]);
		}
		if (second > 1) {
			add_chunk(&sources[1], second, second, "one");
			end_chunk(&sources[1]);
		}
	}
	add_chunk(&sources[2], 5, 5, "one");
	add_chunk(&whole, 5, 5, "one");
	end_chunk(&whole);
	/* Only the last chunk is the last of its run. */
	for (size_t at = 67; at < whole.made.writer.buf.size - 1000; at++) {
		if (memcmp(whole.made.writer.buf.bytes + at - 67, header_magic, 4) == 0)
			whole.made.writer.buf.bytes[at] &= ~HEADER_FINAL;
	}
	merged = merge(sources, 3);
	cr_expect_eq(merged->merge.copy.twofold_chunks, 1);
	cr_expect_eq(merged->merge.copy.chunks, 6);
	cr_expect_eq(merged->bytes.size, whole.made.writer.buf.size);
	clear(merged);
	make_clear(&whole.made);
}

/* The same keys, numbers of types and ticks mean something else in the other JVM. */
Test(merge, tells_two_runs_apart)
{
	struct origin origins[] = {
		origin_of(types, 1000 * SECOND, 500, SECOND),
		origin_of(other_types, 1000 * SECOND + 5, 10, 2600000000),
	};
	struct writer *other = &origins[1].made.writer;
	struct merged *merged;

	add_chunk(&origins[0], 0, 1, "one");
	EVENT(&origins[0].made.writer, "jdk.ActiveSetting", LONG(500), LONG(100));
	end_chunk(&origins[0]);
	add_chunk(&origins[0], 2, 3, "three");
	add_chunk(&origins[1], 1, 2, "two");
	EVENT(other, "a.New", LONG(10 + 2600000000), INT(5));
	EVENT(other, "jdk.ActiveSetting", LONG(10 + 2600000000), LONG(101));
	EVENT(other, "jdk.ActiveSetting", LONG(10 + 2600000000), LONG(4711));
	merged = merge(origins, 2);
	cr_expect_str_eq(
		told(merged),
		"a.E 100: +26 one 52; jdk.ActiveSetting 101: +0 100; | "
		"a.E 100: +15 two 20; a.New 8192: +5 5; "
		"jdk.ActiveSetting 101: +5 100; jdk.ActiveSetting 101: +5 4711; | "
		"a.E 100: +26 three 52; | ");
	clear(merged);
}

/* A coarse clock, in whose ticks others' times cannot be told, gives way. */
Test(merge, tells_times_in_nanoseconds_at_least)
{
	struct origin origins[] = {
		origin_of(types, 1000 * SECOND, 24000, 24000000),
		origin_of(types, 1000 * SECOND + 7, 10, SECOND),
	};
	struct merged *merged;

	add_chunk(&origins[0], 0, 1, "one");
	add_chunk(&origins[1], 1, 2, "two");
	merged = merge(origins, 2);
	cr_expect_str_eq(told(merged),
			 "a.E 100: +1083 one 2166; | a.E 100: +33 two 52; | ");
	clear(merged);
}

Test(merge, says_which_times_do_not_fit)
{
	struct origin origins[] = {
		origin_of(types, 1000 * SECOND, 500, SECOND),
		origin_of(types, 1000 * SECOND + 7, 10, 1000),
	};
	struct merged *merged;

	add_chunk(&origins[0], 0, 1, "one");
	add_chunk(&origins[1], 1, 2, "two");
	EVENT(&origins[1].made.writer, "a.E", LONG(1010), INT(3), KEY(1), KEY(1),
	      INT(4000));
	merged = merge(origins, 2);
	cr_expect_str_eq(told(merged),
			 "a.E 100: +26 one 52; | a.E 100: +26000007 two 52000000; "
			 "a.E 100: +7 two 2147483647; | "
			 " / times do not fit into their fields any more");
	clear(merged);
}

/* Producers other than JVMs number constants anew in each chunk. */
Test(merge, tells_keys_apart_that_change_their_meaning)
{
	struct origin origin = origin_of(types, 1000 * SECOND, 500, SECOND);
	struct merged *merged;
	size_t size;

	add_chunk(&origin, 0, 1, "one");
	end_chunk(&origin);
	size = origin.made.writer.buf.size;
	add_chunk(&origin, 1, 2, "two");
	end_chunk(&origin);
	add_chunk(&origin, 2, 3, "two");
	merged = merge(&origin, 1);
	cr_expect_str_eq(
		told(merged),
		"a.E 100: +26 one 52; | a.E 100: +26 two 52; | a.E 100: +26 two 52; | ");
	/* The first stays, the others declare the symbol anew, both with the same number. */
	for (size_t at = 0, chunk = 0; at < merged->bytes.size; chunk++) {
		struct chunk opened;
		struct err err;
		struct header header;

		cr_assert(header_read(&header, (uint8_t *)merged->bytes.bytes + at,
				      merged->bytes.size - at, &err));
		cr_assert(chunk_open_bytes(&opened, merged->bytes.bytes + at,
					   (size_t)header.chunk_size, &err));
		cr_expect(chunk > 0 || opened.size == size);
		cr_expect_eq(metadata_type(&opened.metadata, 50) != NULL, chunk == 0);
		cr_expect_not_null(metadata_type(&opened.metadata, 51));
		cr_expect_not_null(metadata_type(&opened.metadata, 100));
		chunk_close(&opened);
		at += (size_t)header.chunk_size;
	}
	clear(merged);
}

Test(merge, takes_the_finished_one_of_a_chunk)
{
	for (int order = 0; order < 2; order++) {
		struct origin origins[2], *half = &origins[order];
		struct merged *merged;

		for (int i = 0; i < 2; i++) {
			origins[i] = origin_of(types, 1000 * SECOND, 500, SECOND);
			add_chunk(&origins[i], 0, 1, "one");
		}
		cr_assert(writer_flush(&half->made.writer, &half->made.err));
		half->made.writer.is_open = false;
		EVENT(&origins[1 - order].made.writer, "jdk.ActiveSetting", LONG(501),
		      LONG(7));
		merged = merge(origins, 2);
		cr_expect_str_eq(
			told(merged),
			"a.E 100: +26 one 52; jdk.ActiveSetting 101: +1 7; |  / note: "
			"this chunk is left out, as another copy is finished");
		clear(merged);
	}
}

/* Of two that are not finished, the one that was flushed last. */
Test(merge, takes_the_longer_one_of_a_chunk)
{
	struct origin origins[2];
	struct merged *merged;

	for (int i = 0; i < 2; i++) {
		struct writer *writer = &origins[i].made.writer;

		origins[i] = origin_of(types, 1000 * SECOND, 500, SECOND);
		add_chunk(&origins[i], 0, 1, "one");
		cr_assert(writer_flush(writer, NULL));
		for (int k = 0; k < i; k++)
			EVENT(writer, "jdk.ActiveSetting", LONG(501), LONG(7));
		cr_assert(writer_flush(writer, NULL));
		writer->is_open = false;
	}
	merged = merge(origins, 2);
	cr_expect_str_eq(
		told(merged),
		"a.E 100: +26 one 52; jdk.ActiveSetting 101: +1 7; |  / note: this "
		"chunk is left out, as another copy has more / note: the chunk is not finished, "
		"its newest events may be missing");
	clear(merged);
}

/* Beginning at the same moment does not make them the same. */
Test(merge, keeps_chunks_that_differ)
{
	struct origin origins[] = {
		origin_of(types, 1000 * SECOND, 500, SECOND),
		origin_of(types, 1000 * SECOND, 500, SECOND),
	};
	struct merged *merged;

	add_chunk(&origins[0], 0, 1, "one");
	add_chunk(&origins[1], 0, 2, "two");
	merged = merge(origins, 2);
	cr_expect_str_eq(told(merged),
			 "a.E 100: +26 one 52; | a.E 100: +26 two 52; | ");
	clear(merged);
}

/* So many seem to begin at the same time that they do not all wait. */
Test(merge, writes_before_too_many_wait)
{
	struct origin origin = origin_of(types, 1000 * SECOND, 500, SECOND);
	struct merged *merged;

	for (int i = 0; i < 100; i++) {
		char text[8];

		snprintf(text, sizeof(text), "%d", i);
		add_chunk(&origin, 0, i, text);
		end_chunk(&origin);
	}
	merged = merge(&origin, 1);
	cr_expect_eq(merged->merge.copy.chunks, 100);
	cr_expect_eq(merged->merge.copy.events, 100);
	cr_expect_eq(merged->damage.faults.count, 0);
	clear(merged);
}

/* Merging what was merged changes nothing. */
Test(merge, is_settled)
{
	struct origin origins[] = {
		origin_of(types, 1000 * SECOND, 500, SECOND),
		origin_of(other_types, 1000 * SECOND + 5, 10, 2600000000),
		origin_of(types, 1000 * SECOND + 50 * DAY, 10, 2600000000),
	};
	struct origin again = { .types = NULL };
	struct merged *merged;
	struct buf before;

	for (int i = 0; i < 3; i++) {
		for (int second = 0; second < 3; second++) {
			add_chunk(&origins[i], second, i, "text");
			end_chunk(&origins[i]);
		}
	}
	merged = merge(origins, 3);
	cr_expect_eq(merged->merge.copy.chunks, 9);
	before = merged->bytes;
	merged->bytes = (struct buf){ 0 };
	clear(merged);
	buf_add(&again.made.writer.buf, before.bytes, before.size);
	merged = merge(&again, 1);
	cr_expect_eq(merged->bytes.size, before.size);
	cr_expect(merged->bytes.size == before.size &&
		  memcmp(merged->bytes.bytes, before.bytes, before.size) == 0);
	buf_clear(&before);
	clear(merged);
}
