#include <criterion/criterion.h>
#include <stdlib.h>

#include "copy/split.h"
#include "fault.h"
#include "jfr/unpack.h"
#include "make.h"
#include "tell.h"
#include "way.h"

static const struct schema_type types[] = {
	TYPE("a.E", "jdk.jfr.Event", .id = 100, FIELDS(START, FIELD("x", "int"))),
	TYPES_END,
};

/* Chunks in one recording, and where each begins; the last entry is where all end. */
struct chunks {
	struct made made;
	size_t at[10];
};

/* A chunk with so many events, which is not closed if it is left so. */
static void add_chunk(struct chunks *chunks, size_t index, int events, bool is_closed)
{
	struct writer *writer = &chunks->made.writer;
	struct header header = writer_header;

	header.start_nanos = INT64_C(1700000000000000000) + (int64_t)index;
	chunks->at[index] = writer->buf.size;
	if (index == 0)
		writer_describe(writer, types);
	writer_open(writer, &header);
	for (int i = 0; i < events; i++)
		EVENT(writer, "a.E", LONG(i), INT(i));
	cr_assert(is_closed ? writer_close(writer, &chunks->made.err)
			    : writer_flush(writer, &chunks->made.err));
	chunks->at[index + 1] = writer->buf.size;
}

/* Chunks of one event, two, three... */
static struct chunks make_chunks(size_t count)
{
	struct chunks chunks = { .at = { 0 } };

	for (size_t i = 0; i < count; i++)
		add_chunk(&chunks, i, (int)i + 1, true);
	return chunks;
}

static size_t size_of(const struct chunks *chunks, size_t index)
{
	return chunks->at[index + 1] - chunks->at[index];
}

/* "1 2 | 3": the chunks of each file, by what is in them. */
static void expect_parts(const struct chunks *chunks, uint64_t max_chunks,
			 uint64_t max_size, const char *wanted, int line)
{
	struct split split = { .max_chunks = max_chunks, .max_size = max_size };
	const struct buf *bytes = &chunks->made.writer.buf;
	struct damage damage = { 0 };
	struct input input = { 0 };
	struct buf told = { 0 };
	struct err err = { 0 };
	uint64_t size = 0;

	cr_assert(input_of_bytes(&input, bytes->bytes, bytes->size, "a.jfr"));
	cr_assert(split_find(&split, &input, &damage, &err), "%s", err.text);
	for (size_t i = 0; i < split.parts.count; i++) {
		const struct split_part *part = &split.parts.items[i];
		uint64_t in_part = 0;

		buf_text(&told, i ? " |" : "");
		for (size_t j = part->first; j < part->first + part->count; j++) {
			buf_printf(&told, " %zu", j + 1);
			in_part += size_of(chunks, j);
		}
		cr_expect_eq(part->size, in_part, "line %d", line);
		size += in_part;
	}
	buf_byte(&told, '\0');
	cr_expect_str_eq(told.bytes + 1, wanted, "line %d: %s", line, told.bytes);
	cr_expect_eq(split.size, size, "line %d", line);
	cr_expect_eq(damage.faults.count, 0);
	split_clear(&split);
	input_close(&input);
	buf_clear(&told);
}

#define EXPECT(max_chunks, max_size, wanted)                                           \
	expect_parts(&chunks, max_chunks, max_size, wanted, __LINE__)

Test(split, fills_files_up_to_a_number_of_chunks)
{
	struct chunks chunks = make_chunks(7);

	EXPECT(0, 0, "1 2 3 4 5 6 7");
	EXPECT(1, 0, "1 | 2 | 3 | 4 | 5 | 6 | 7");
	EXPECT(2, 0, "1 2 | 3 4 | 5 6 | 7");
	EXPECT(3, 0, "1 2 3 | 4 5 6 | 7");
	EXPECT(6, 0, "1 2 3 4 5 6 | 7");
	EXPECT(7, 0, "1 2 3 4 5 6 7");
	EXPECT(UINT64_MAX, 0, "1 2 3 4 5 6 7");
	make_clear(&chunks.made);
}

Test(split, fills_files_up_to_a_size)
{
	struct chunks chunks = make_chunks(4);
	size_t two = chunks.at[2];

	EXPECT(0, 1, "1 | 2 | 3 | 4");
	EXPECT(0, two - 1, "1 | 2 | 3 | 4");
	EXPECT(0, two, "1 2 | 3 | 4");
	EXPECT(0, size_of(&chunks, 2) + size_of(&chunks, 3), "1 2 | 3 4");
	EXPECT(0, chunks.at[4] - 1, "1 2 3 | 4");
	EXPECT(0, chunks.at[4], "1 2 3 4");
	EXPECT(0, UINT64_MAX, "1 2 3 4");
	EXPECT(1, UINT64_MAX, "1 | 2 | 3 | 4");
	EXPECT(3, two, "1 2 | 3 | 4");
	make_clear(&chunks.made);
}

Test(split, gives_a_chunk_that_is_too_large_a_file)
{
	struct chunks chunks = { .at = { 0 } };
	size_t limit;

	add_chunk(&chunks, 0, 1, true);
	add_chunk(&chunks, 1, 1, true);
	add_chunk(&chunks, 2, 500, true);
	add_chunk(&chunks, 3, 1, true);
	limit = chunks.at[2];
	cr_assert_gt(size_of(&chunks, 2), limit);
	EXPECT(0, limit, "1 2 | 3 | 4");
	make_clear(&chunks.made);
}

Test(split, takes_names_from_paths)
{
	static const struct {
		const char *path, *base;
	} cases[] = {
		{ "a.jfr", "a" },
		{ "x.jfr/a.jfr", "a" },
		{ "/x/a.jfr.gz", "a" },
		{ "a.jfr.jfr", "a.jfr" },
		{ "a.jfr.b.jfr.zst", "a.jfr.b" },
		{ "a.jfrs", "a.jfrs" },
		{ "a.zst", "a.zst" },
		{ "repository", "repository" },
		{ "x/2024_05_01_10_00_00_4711//", "2024_05_01_10_00_00_4711" },
		{ ".jfr", ".jfr" },
		{ "-", "recording" },
		{ "/", "recording" },
		{ "x/..", "recording" },
		{ ".", "recording" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str base = split_base(cases[i].path);

		cr_expect(str_is(base, str_of(cases[i].base)), "%s: %.*s",
			  cases[i].path, (int)base.size, base.bytes);
	}
}

static void expect_name(size_t parts, size_t part, const char *wanted)
{
	struct split split = { .parts = { .count = parts } };
	char *name = split_name(&split, STR("a"), part);

	cr_assert_not_null(name);
	cr_expect_str_eq(name, wanted);
	free(name);
}

Test(split, numbers_names_so_that_they_sort)
{
	expect_name(1, 0, "a_0.jfr");
	expect_name(10, 0, "a_0.jfr");
	expect_name(10, 9, "a_9.jfr");
	expect_name(11, 0, "a_00.jfr");
	expect_name(11, 10, "a_10.jfr");
	expect_name(100, 99, "a_99.jfr");
	expect_name(101, 7, "a_007.jfr");
}

static bool take(void *context, const void *bytes, size_t size, struct err *err)
{
	(void)err;
	buf_add(context, bytes, size);
	return true;
}

static bool refuse(void *context, const void *bytes, size_t size, struct err *err)
{
	(void)context;
	(void)bytes;
	(void)size;
	return err_set(err, ERR_SYSTEM, "full");
}

/* However it comes in. */
Test(split, writes_the_bytes_of_the_chunks)
{
	struct chunks chunks = make_chunks(5);
	const struct buf *bytes = &chunks.made.writer.buf;

	for (enum way way = 0; way < WAY_COUNT; way++) {
		struct come come = way_open(way, bytes->bytes, bytes->size);
		const char *const paths[] = { come.path };
		struct split split = { .max_chunks = 2 };
		struct input input = { .unpacker = &unpack_archive };
		struct damage damage = { 0 };
		struct buf out = { 0 };
		struct err err = { 0 };

		cr_assert(input_open(&input, paths, 1, &damage, &err), "%s", err.text);
		cr_assert(split_find(&split, &input, &damage, &err), "%s", err.text);
		cr_assert_eq(split.parts.count, 3);
		for (size_t i = 0; i < 3; i++) {
			cr_expect(split_write(&split, i, take, &out, &err));
			cr_expect_eq(out.size, chunks.at[i < 2 ? 2 * i + 2 : 5]);
		}
		cr_expect(out.size == bytes->size &&
				  memcmp(out.bytes, bytes->bytes, out.size) == 0,
			  "%s", way_names[way]);
		split_clear(&split);
		input_close(&input);
		way_close(&come);
		buf_clear(&out);
	}
	make_clear(&chunks.made);
}

Test(split, hands_on_why_nothing_is_written)
{
	struct chunks chunks = make_chunks(2);
	const struct buf *bytes = &chunks.made.writer.buf;
	struct split split = { .max_chunks = 1 };
	struct damage damage = { 0 };
	struct input input = { 0 };
	struct err err = { 0 };

	cr_assert(input_of_bytes(&input, bytes->bytes, bytes->size, "a.jfr"));
	cr_assert(split_find(&split, &input, &damage, &err));
	cr_expect_not(split_write(&split, 1, refuse, NULL, &err));
	cr_expect_str_eq(err.text, "full");
	split_clear(&split);
	input_close(&input);
	make_clear(&chunks.made);
}

/* "2 chunks / cause": what is found in bytes, and what is told. */
static void expect_found(const void *bytes, size_t size, const char *wanted)
{
	struct split split = { .max_chunks = 1 };
	struct damage damage = { 0 };
	struct input input = { 0 };
	struct buf told = { 0 };
	struct err err = { 0 };
	bool is_good;

	cr_assert(input_of_bytes(&input, bytes, size, "a.jfr"));
	is_good = split_find(&split, &input, &damage, &err);
	cr_expect_eq(is_good, err.kind == ERR_NONE);
	buf_printf(&told, "%zu chunks", split.chunks.count);
	tell_damage(&told, &damage, false);
	buf_byte(&told, '\0');
	cr_expect_str_eq(told.bytes, wanted, "%s", told.bytes);
	split_clear(&split);
	input_close(&input);
	damage_clear(&damage);
	buf_clear(&told);
}

Test(split, finds_what_is_left_of_a_recording)
{
	struct chunks chunks = make_chunks(3);
	struct buf *bytes = &chunks.made.writer.buf;
	struct buf gap = { 0 };

	expect_found(bytes->bytes, bytes->size - 5, "3 chunks / a chunk is cut short");
	buf_add(&gap, bytes->bytes, chunks.at[1]);
	buf_text(&gap, "what is this?");
	buf_add(&gap, bytes->bytes + chunks.at[1], chunks.at[3] - chunks.at[1]);
	expect_found(gap.bytes, gap.size, "3 chunks / no chunk begins there");
	expect_found("no recording", 12, "0 chunks");
	buf_clear(&gap);
	make_clear(&chunks.made);
}

Test(split, notes_that_a_chunk_is_not_finished)
{
	struct chunks chunks = { .at = { 0 } };
	struct buf *bytes = &chunks.made.writer.buf;

	add_chunk(&chunks, 0, 1, true);
	add_chunk(&chunks, 1, 2, false);
	expect_found(bytes->bytes, bytes->size,
		     "2 chunks / note: the chunk is not finished, and is written as it "
		     "is");
	make_clear(&chunks.made);
}

/* Nothing leaks, and it is said. */
Test(split, survives_without_memory)
{
	struct chunks chunks = make_chunks(9);
	const struct buf *bytes = &chunks.made.writer.buf;
	bool is_good;
	size_t n = 0;

	do {
		struct split split = { .max_chunks = 1 };
		struct damage damage = { 0 };
		struct input input = { 0 };
		struct err err = { 0 };

		cr_assert(input_of_bytes(&input, bytes->bytes, bytes->size, "a.jfr"));
		fault_at(++n);
		is_good = split_find(&split, &input, &damage, &err);
		cr_assert(is_good || (fault_happened() && err.kind == ERR_MEMORY),
			  "request %zu: %s", n, err.text);
		cr_assert(!is_good || split.parts.count == 9);
		split_clear(&split);
		input_close(&input);
	} while (fault_happened());
	fault_at(0);
	cr_expect(is_good);
	cr_expect_gt(n, 2);
	make_clear(&chunks.made);
}
