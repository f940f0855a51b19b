#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "jfr/recording.h"
#include "jfr/unpack.h"
#include "make.h"
#include "tell.h"
#include "way.h"

#define SECOND INT64_C(1000000000)

static const struct schema_type first_types[] = {
	TYPE("a.E", "jdk.jfr.Event", .id = 100, FIELDS(START, FIELD("x", "int"))),
	TYPES_END,
};

static const struct schema_type second_types[] = {
	TYPE("a.New", "jdk.jfr.Event", .id = 100,
	     FIELDS(START, FIELD("text", "java.lang.String"))),
	TYPES_END,
};

static void add_chunk(struct made *made, const struct schema_type *types,
		      const struct header *header)
{
	struct writer *writer = &made->writer;

	schema_clear(&writer->schema);
	writer_describe(writer, types);
	writer_open(writer, header);
}

static struct header at_time(int64_t nanos, int64_t ticks)
{
	struct header header = writer_header;

	header.start_nanos = nanos;
	header.start_ticks = ticks;
	header.duration_nanos = SECOND;
	return header;
}

/* A chunk of these events, a second later than the one before; where it begins. */
static size_t add_events(struct made *made, int first, int last)
{
	struct header header = at_time((1000 + first) * SECOND, (10 + first) * SECOND);
	size_t at = made->writer.buf.size;

	add_chunk(made, first_types, &header);
	for (int x = first; x <= last; x++)
		EVENT(&made->writer, "a.E", LONG((10 + first) * SECOND), INT(x));
	cr_assert(writer_close(&made->writer, &made->err), "%s", made->err.text);
	return at;
}

/* The same while it is being written: what was flushed, and what was not. */
static size_t add_unfinished(struct made *made, int first, int flushed, int last)
{
	struct header header = at_time((1000 + first) * SECOND, (10 + first) * SECOND);
	size_t at = made->writer.buf.size;

	add_chunk(made, first_types, &header);
	for (int x = first; x <= last; x++) {
		EVENT(&made->writer, "a.E", LONG((10 + first) * SECOND), INT(x));
		if (x == flushed)
			cr_assert(writer_flush(&made->writer, &made->err));
	}
	writer_end(&made->writer);
	made->writer.is_open = false;	/* as if the JVM were gone */
	return at;
}

/* Its events, or in braces why it cannot be opened. */
static void tell_place(struct buf *to, struct chunk_place *place, struct damage *damage)
{
	struct chunk chunk;
	struct err err = { 0 };

	if (!chunk_of_place(&chunk, place, damage, &err)) {
		block_free(&place->block);
		buf_printf(to, "{%s}", err.text);
		return;
	}
	tell_chunk(to, &chunk, damage);
	chunk_close(&chunk);
}

/* All that can be read of a recording: chunks, damage and why it ends. */
static struct buf tell(const char *path, bool with_places)
{
	struct recording recording;
	struct chunk_place place;
	struct damage damage = { 0 };
	struct known known = { 0 };
	struct run run = { .known = &known };
	struct err err = { 0 };
	struct buf told = { 0 };

	if (recording_open(&recording, path, &run, &unpack_archive, &err)) {
		while (recording_next(&recording, &place, &damage, &err)) {
			if (with_places)
				buf_printf(&told, "%zu: %zu bytes at %llu ", place.number,
					   place.block.size,
					   (unsigned long long)place.offset);
			tell_place(&told, &place, &damage);
		}
		run_clear(&run);
		known_clear(&known);
		recording_close(&recording);
	}
	tell_damage(&told, &damage, with_places);
	if (err.kind != ERR_NONE)
		buf_printf(&told, " / error: %s", err.text);
	damage_clear(&damage);
	buf_byte(&told, '\0');
	return told;
}

/* The same whatever way the bytes come; what it is goes to the first of them. */
static struct buf tell_all(const unsigned char *bytes, size_t size, const char *what)
{
	struct buf first = { 0 };

	for (enum way way = 0; way < WAY_COUNT; way++) {
		struct come come = way_open(way, bytes, size);
		struct buf told = tell(come.path, true);

		way_close(&come);
		if (way == 0) {
			first = told;
			continue;
		}
		cr_expect_str_eq(told.bytes, first.bytes, "%s, %s:\n%s\nnot\n%s", what,
				 way_names[way], told.bytes, first.bytes);
		buf_clear(&told);
	}
	return first;
}

static void expect_bytes(const unsigned char *bytes, size_t size, const char *wanted,
			 int line)
{
	char what[32];
	struct come come = way_open(WAY_FILE, bytes, size);
	struct buf told = tell(come.path, false), all;

	way_close(&come);
	cr_expect_str_eq(told.bytes, wanted, "line %d: %s", line, told.bytes);
	snprintf(what, sizeof(what), "line %d", line);
	all = tell_all(bytes, size, what);
	buf_clear(&told);
	buf_clear(&all);
}

#define EXPECT(made, wanted) expect_bytes((made)->bytes, (made)->size, wanted, __LINE__)

Test(recording, gives_one_chunk_after_the_other)
{
	struct made made = { 0 };

	add_events(&made, 1, 1);
	add_events(&made, 2, 3);
	add_events(&made, 4, 4);
	cr_assert(make_bytes(&made));
	EXPECT(&made, "[1][2 3][4]");
	make_clear(&made);
}

Test(recording, gives_each_chunk_its_own_types)
{
	struct header header = at_time(5, 5);
	struct recording recording;
	struct chunk_place place;
	struct chunk chunk;
	struct made made = { 0 };
	struct known known = { 0 };
	struct run run = { .known = &known };
	struct err err = { 0 };

	add_chunk(&made, first_types, &header);
	EVENT(&made.writer, "a.E", LONG(1), INT(7));
	cr_assert(writer_close(&made.writer, &made.err));
	add_chunk(&made, second_types, &header);
	EVENT(&made.writer, "a.New", LONG(1), TEXT("x"));
	cr_assert(make_bytes(&made), "%s", made.err.text);
	recording = recording_of_bytes(made.bytes, made.size, "r.jfr", &run);
	for (int i = 0; i < 2; i++) {
		cr_assert(recording_next(&recording, &place, &made.damage, &err));
		cr_assert(chunk_of_place(&chunk, &place, &made.damage, &err));
		cr_expect(str_is(metadata_event(&chunk.metadata, 100)->name,
				 str_of(i ? "a.New" : "a.E")));
		cr_expect_eq(chunk.number, (size_t)i);
		cr_expect_str_eq(chunk.file, "r.jfr");
		cr_expect_eq(chunk.offset + chunk.size, i ? made.size : chunk.size);
		chunk_close(&chunk);
	}
	cr_expect_not(recording_next(&recording, &place, &made.damage, &err));
	cr_expect_eq(err.kind, ERR_NONE);
	cr_expect(damage_is_none(&made.damage));
	run_clear(&run);
	known_clear(&known);
	recording_close(&recording);
	make_clear(&made);
}

/*
 * One clock for the chunks of one run of a JVM, the next clock from the chunk on
 * that tells other times.
 */
Test(recording, keeps_its_clock_until_another_jvm_begins)
{
	const struct header headers[] = {
		at_time(1000 * SECOND, 10 * SECOND),
		at_time(1001 * SECOND + 500, 11 * SECOND),   /* half a microsecond off */
		at_time(9000 * SECOND, 3 * SECOND),	     /* another run */
		at_time(9001 * SECOND, 4 * SECOND),
	};
	static const int64_t start_nanos[] = { 1000, 1000, 9000, 9000 };
	struct recording recording;
	struct chunk_place place;
	struct chunk chunk;
	struct made made = { 0 };
	struct known known = { 0 };
	struct run run = { .known = &known };
	struct err err = { 0 };

	for (size_t i = 0; i < 4; i++) {
		add_chunk(&made, first_types, &headers[i]);
		cr_assert(writer_close(&made.writer, &made.err));
	}
	cr_assert(make_bytes(&made));
	recording = recording_of_bytes(made.bytes, made.size, "r.jfr", &run);
	for (size_t i = 0; i < 4; i++) {
		cr_assert(recording_next(&recording, &place, &made.damage, &err));
		cr_assert(chunk_of_place(&chunk, &place, &made.damage, &err));
		cr_expect_eq(chunk.clock.start_nanos, start_nanos[i] * SECOND, "chunk %zu", i);
		chunk_close(&chunk);
	}
	run_clear(&run);
	known_clear(&known);
	recording_close(&recording);
	make_clear(&made);
}

Test(recording, can_be_peeked_into)
{
	struct recording recording;
	struct chunk_place place;
	struct made made = { 0 };
	struct err err = { 0 };

	add_events(&made, 1, 2);
	add_events(&made, 3, 4);
	cr_assert(make_bytes(&made));
	recording = recording_of_bytes(made.bytes, made.size, "r.jfr", NULL);
	for (int i = 0; i < 2; i++) {
		cr_assert(recording_peek(&recording, &made.damage, &err));
		cr_assert(recording_peek(&recording, &made.damage, &err));
		cr_expect_eq(recording.head.start_nanos, (i ? 1003 : 1001) * SECOND);
		cr_assert(recording_next(&recording, &place, &made.damage, &err));
		cr_expect_eq(place.number, (size_t)i);
	}
	cr_expect_not(recording_peek(&recording, &made.damage, &err));
	cr_expect_eq(err.kind, ERR_NONE);
	recording_close(&recording);
	make_clear(&made);
}

#define WRONG " / the size of a chunk is wrong"

/* The size of the second of three chunks; its own size is added to `from_own`. */
Test(recording, finds_where_a_chunk_ends_if_its_size_is_wrong)
{
	static const struct {
		int64_t size, from_own;
		const char *told;
	} cases[] = {
		{ 0, 0, "[1][2 3][4]" WRONG },
		{ 67, 0, "[1][2 3][4]" WRONG },
		{ 68, 0, "[1][2 3][4]" WRONG },
		{ 69, 0, "[1][2 3][4]" WRONG },
		{ -1, 0, "[1][2 3][4]" WRONG },
		{ INT64_MIN, 0, "[1][2 3][4]" WRONG },
		{ INT64_MAX, 0, "[1][2 3][4]" WRONG },
		{ 1 << 20, 0, "[1][2 3][4]" WRONG },
		{ 0, 1, "[1][2 3][4]" WRONG },
		{ 0, -1, "[1][2 3][4]" WRONG },
		{ 0, 68, "[1][2 3][4]" WRONG },
		{ 0, -68, "[1][2 3][4]" WRONG },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made = { 0 };
		size_t second, third;

		add_events(&made, 1, 1);
		second = add_events(&made, 2, 3);
		third = add_events(&made, 4, 4);
		cr_assert(make_bytes(&made));
		if (cases[i].from_own)
			make_number(made.bytes + second, CHUNK_SIZE_AT,
				    (int64_t)(third - second) + cases[i].from_own);
		else
			make_number(made.bytes + second, CHUNK_SIZE_AT, cases[i].size);
		EXPECT(&made, cases[i].told);
		make_clear(&made);
	}
}

Test(recording, ends_where_the_file_does)
{
	static const int64_t sizes[] = { 0, -1, 1000000, INT64_MAX };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct made made = { 0 };
		size_t last;

		add_events(&made, 1, 1);
		last = add_events(&made, 2, 3);
		cr_assert(make_bytes(&made));
		make_number(made.bytes + last, CHUNK_SIZE_AT, sizes[i]);
		EXPECT(&made, i < 2 ? "[1][2 3]" WRONG
				    : "[1][2 3] / a chunk is cut short");
		make_clear(&made);
	}
}

static void fill(struct buf *to, size_t size)
{
	for (size_t i = 0; i < size; i++)
		buf_byte(to, (char)(i * 31 + i / 256));
}

#define GAP " / no chunk begins there"

/* In front of, between and behind chunks, around the steps in which it is read. */
Test(recording, passes_over_what_is_no_chunk)
{
	static const size_t sizes[] = { 1, 67, 68, 69, 1000, (256 << 10) - 68,
					(256 << 10) - 1, 256 << 10, (256 << 10) + 3,
					(512 << 10) - 70, 2000000 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct made made = { 0 };

		fill(&made.writer.buf, sizes[i]);
		add_events(&made, 1, 1);
		fill(&made.writer.buf, sizes[i]);
		add_events(&made, 2, 3);
		fill(&made.writer.buf, sizes[i]);
		cr_assert(make_bytes(&made));
		EXPECT(&made, "[1][2 3]" GAP);
		make_clear(&made);
	}
}

Test(recording, tells_how_much_is_passed_over)
{
	struct made made = { 0 };
	struct recording recording;
	struct chunk_place place;
	struct err err;
	size_t gap;

	add_events(&made, 1, 1);
	gap = made.writer.buf.size;
	fill(&made.writer.buf, 1234);
	add_events(&made, 2, 3);
	cr_assert(make_bytes(&made));
	recording = recording_of_bytes(made.bytes, made.size, "r.jfr", NULL);
	while (recording_next(&recording, &place, &made.damage, &err))
		continue;
	cr_assert_eq(made.damage.faults.count, 1);
	cr_expect_str_eq(made.damage.faults.items[0].detail,
			 "not a Flight Recorder chunk; 1234 bytes are passed over");
	cr_expect_eq(made.damage.faults.items[0].first.at, gap);
	cr_expect_eq(made.damage.faults.items[0].first.chunk, SITE_NO_CHUNK);
	recording_close(&recording);
	make_clear(&made);
}

/* What has but the first bytes of a header is none, and none of its fields is right. */
Test(recording, does_not_take_every_magic_for_a_header)
{
	static const struct {
		const char *bytes;
		size_t size;
	} cases[] = {
		{ "FLR", 4 }, { "FLRFLR", 7 }, { "FLR\0\0\2\0\1", 8 }, { "FLR\0\0\3", 6 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made = { 0 };

		add_events(&made, 1, 1);
		buf_text(&made.writer.buf, "garbage");
		buf_add(&made.writer.buf, cases[i].bytes, cases[i].size);
		buf_fill(&made.writer.buf, 0, 100);
		add_events(&made, 2, 3);
		cr_assert(make_bytes(&made));
		EXPECT(&made, "[1][2 3]" GAP);
		make_clear(&made);
	}
}

Test(recording, may_begin_late_but_not_anywhere)
{
	struct made made = { 0 };

	buf_fill(&made.writer.buf, 'x', (16 << 20) - 1000);
	add_events(&made, 1, 1);
	cr_assert(make_bytes(&made));
	EXPECT(&made, "[1]" GAP);
	make_clear(&made);
	buf_fill(&made.writer.buf, 'x', 17 << 20);
	add_events(&made, 1, 1);
	cr_assert(make_bytes(&made));
	EXPECT(&made, " / error: chunk 1 at byte 0: not a Flight Recorder chunk");
	make_clear(&made);
}

Test(recording, says_what_stands_in_place_of_the_first_chunk)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *told;
	} cases[] = {
		{ "", 0, " / error: the file is empty" },
		{ "plain text", 10,
		  " / error: chunk 1 at byte 0: not a Flight Recorder chunk" },
		{ "FLR", 3,
		  " / error: chunk 1 at byte 0: too short for a chunk header: 3 bytes" },
		{ "FLR\0\0\2", 6,
		  " / error: chunk 1 at byte 0: too short for a chunk header: 6 bytes" },
		{ "FLR\0\0\3\0\0", 8,
		  " / error: chunk 1 at byte 0: version 3.0 of the format is not "
		  "supported; versions 1.x and 2.x are" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_bytes((const unsigned char *)cases[i].bytes, cases[i].size,
			     cases[i].told, __LINE__);
}

Test(recording, must_exist)
{
	struct recording recording;
	struct err err = { 0 };

	cr_expect_not(recording_open(&recording, "/tmp/there/is/no/such.jfr", NULL, NULL,
				     &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
}

#define UNFINISHED                                                             \
	" / note: the chunk is not finished, its newest events may be missing"

Test(recording, may_end_with_an_unfinished_chunk)
{
	for (int last = 3; last <= 5; last++) {
		static const char *const told[] = {
			"[1][2 3]" UNFINISHED, "[1][2 3 4]" UNFINISHED,
			"[1][2 3 4 5]" UNFINISHED,
		};
		struct made made = { 0 };

		add_events(&made, 1, 1);
		add_unfinished(&made, 2, 3, last);
		cr_assert(make_bytes(&made));
		EXPECT(&made, told[last - 3]);
		/* Half an event. */
		buf_text(&made.writer.buf, "\x20");
		cr_assert(make_bytes(&made));
		EXPECT(&made, told[last - 3]);
		/* Space that was allocated and never written. */
		buf_fill(&made.writer.buf, 0, 5000);
		cr_assert(make_bytes(&made));
		EXPECT(&made, told[last - 3]);
		make_clear(&made);
	}
}

/* Files of killed JVMs that were joined. */
Test(recording, goes_on_behind_an_unfinished_chunk)
{
	for (int last = 3; last <= 5; last += 2) {
		struct made made = { 0 };

		add_unfinished(&made, 2, 3, last);
		buf_fill(&made.writer.buf, 0, last == 5 ? 300000 : 0);
		add_unfinished(&made, 12, 12, 13);
		add_events(&made, 20, 21);
		cr_assert(make_bytes(&made));
		EXPECT(&made, last == 3 ? "[2 3][12 13][20 21]" UNFINISHED
					: "[2 3 4 5][12 13][20 21]" UNFINISHED);
		make_clear(&made);
	}
}

Test(recording, reads_unfinished_chunks_whatever_their_size_is)
{
	static const int64_t sizes[] = { 0, 67, 68, 69, -1, INT64_MAX, INT64_MIN, 100000 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct made made = { 0 };

		add_unfinished(&made, 2, 3, 5);
		cr_assert(make_bytes(&made));
		make_number(made.bytes, CHUNK_SIZE_AT, sizes[i]);
		EXPECT(&made, "[2 3 4 5]" UNFINISHED);
		add_events(&made, 20, 21);
		cr_assert(make_bytes(&made));
		make_number(made.bytes, CHUNK_SIZE_AT, sizes[i]);
		EXPECT(&made, "[2 3 4 5][20 21]" UNFINISHED);
		make_clear(&made);
	}
}

/* Wherever it is cut: what is left is read, and the same whatever way it comes. */
Test(recording, can_be_cut_anywhere)
{
	struct made made = { 0 };
	size_t second;

	add_events(&made, 1, 2);
	second = add_events(&made, 3, 5);
	cr_assert(make_bytes(&made));
	for (size_t size = made.size - 1; size > 0; size -= size > 7 ? 7 : size) {
		char what[32];
		struct buf told;

		snprintf(what, sizeof(what), "%zu bytes", size);
		told = tell_all(made.bytes, size, what);
		if (size >= second)
			cr_expect(strstr(told.bytes, "[1 2]"), "%s: %s", what, told.bytes);
		if (size != second)
			cr_expect(strstr(told.bytes, " / "), "%s: %s", what, told.bytes);
		buf_clear(&told);
	}
	make_clear(&made);
}

/* Of the header that is damaged nothing may be true; what follows still is read. */
Test(recording, is_read_the_same_way_with_any_changed_byte)
{
	static const unsigned char changes[] = { 0x01, 0x80, 0xff };
	struct made made = { 0 };
	size_t second;

	add_events(&made, 1, 2);
	second = add_events(&made, 3, 5);
	add_events(&made, 6, 6);
	cr_assert(make_bytes(&made));
	for (size_t at = second; at < second + HEADER_SIZE; at++) {
		for (size_t i = 0; i < sizeof(changes); i++) {
			char what[32];
			struct buf told;

			made.bytes[at] ^= changes[i];
			snprintf(what, sizeof(what), "byte %zu ^ %d", at - second,
				 changes[i]);
			told = tell_all(made.bytes, made.size, what);
			cr_expect(strstr(told.bytes, "[1 2]"), "%s: %s", what, told.bytes);
			cr_expect(strstr(told.bytes, "[6]"), "%s: %s", what, told.bytes);
			buf_clear(&told);
			made.bytes[at] ^= changes[i];
		}
	}
	make_clear(&made);
}

/* The reading goes wrong in the middle of the second chunk. */
Test(recording, tells_why_it_ends_early)
{
	static const char *const gzip[] = { "gzip", NULL };
	struct header header = at_time(1003 * SECOND, 13 * SECOND);
	struct made made = { 0 };
	struct buf told;
	char path[64];
	void *packed;
	size_t size;

	srandom(5);
	add_events(&made, 1, 2);
	add_chunk(&made, first_types, &header);
	for (int i = 0; i < 100000; i++)
		EVENT(&made.writer, "a.E", LONG(random()), INT(random() % 7));
	cr_assert(make_bytes(&made));
	packed = way_pack(made.bytes, made.size, gzip, &size);
	way_file(path, packed, size / 2);
	told = tell(path, false);
	unlink(path);
	cr_expect(str_starts(str_of(told.bytes), STR("[1 2][")), "%.40s", told.bytes);
	cr_expect(strstr(told.bytes, "] / a chunk is cut short"));
	cr_expect(strstr(told.bytes, " / nothing can be read from there on"));
	buf_clear(&told);
	free(packed);
	make_clear(&made);
}

/*
 * Chunks of little more than a header, that claim more than they are. With the bytes
 * behind them, of a metadata event, headers can be hopped over as if they were events.
 */
static void add_liars(struct buf *to, size_t count, int64_t claimed, int state)
{
	static const char metadata[] = { 8, EVENT_METADATA, 0, 0, 0, 1, 0, 0 };
	struct header header = at_time(SECOND, SECOND);

	header.chunk_size = claimed;
	header.metadata_at = state ? 0 : HEADER_SIZE;
	header.state = state;
	for (size_t i = 0; i < count; i++) {
		header_write(&header, to);
		for (size_t k = 0; k < sizeof(metadata); k++)
			buf_byte(to, metadata[k]);
	}
}

Test(recording, finds_any_number_of_chunks_in_little_time, .timeout = 60)
{
	enum { COUNT = 60000 };
	static const struct {
		int64_t claimed;
		int state;
	} cases[] = {
		{ INT64_MAX / 2, 0 }, { COUNT * 76 - 1, 0 }, { 2 << 20, 0 }, { 76, 3 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf bytes = { 0 };

		add_liars(&bytes, COUNT, cases[i].claimed, cases[i].state);
		for (enum way way = WAY_FILE; way <= WAY_PIPE; way++) {
			struct come come = way_open(way, bytes.bytes, bytes.size);
			struct damage damage = { 0 };
			struct recording recording;
			struct chunk_place place;
			struct err err = { 0 };

			cr_assert(recording_open(&recording, come.path, NULL, NULL, &err));
			while (recording_next(&recording, &place, &damage, &err))
				block_free(&place.block);
			cr_expect_eq(recording.count, COUNT, "case %zu: %zu", i,
				     recording.count);
			damage_clear(&damage);
			recording_close(&recording);
			way_close(&come);
		}
		buf_clear(&bytes);
	}
}
