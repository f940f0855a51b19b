#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include "jfr/recording.h"
#include "make.h"

static const struct schema_type first_types[] = {
	TYPE("a.E", "jdk.jfr.Event", .id = 100, FIELDS(START, FIELD("x", "int"))),
	TYPES_END,
};

static const struct schema_type second_types[] = {
	TYPE("a.New", "jdk.jfr.Event", .id = 100,
	     FIELDS(START, FIELD("text", "java.lang.String"))),
	TYPES_END,
};

/* What was made, in a file that is gone as soon as it is open. */
static bool open_bytes(struct recording *recording, const unsigned char *bytes, size_t size,
		       struct err *err)
{
	char path[] = "/tmp/recording-XXXXXX";
	int fd = mkstemp(path);
	bool good;

	cr_assert(fd >= 0 && (size == 0 || write(fd, bytes, size) == (ssize_t)size));
	close(fd);
	good = recording_open(recording, path, err);
	unlink(path);
	return good;
}

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
	header.duration_nanos = 1000000000;
	return header;
}

/* Chunk by chunk; false at the end or at the first fault. */
static bool next_chunk(struct recording *recording, struct chunk *chunk, struct err *err)
{
	struct chunk_place place;

	chunk_close(chunk);
	return recording_next(recording, &place, err) &&
	       recording_chunk(recording, &place, chunk, err);
}

Test(recording, gives_each_chunk_its_own_types)
{
	struct header header = at_time(5, 5);
	struct recording recording;
	struct chunk chunk = { 0 };
	struct made made = { 0 };
	struct err err = { 0 };

	add_chunk(&made, first_types, &header);
	EVENT(&made.writer, "a.E", LONG(1), INT(7));
	cr_assert(writer_close(&made.writer, &made.err));
	add_chunk(&made, second_types, &header);
	EVENT(&made.writer, "a.New", LONG(1), TEXT("x"));
	cr_assert(make_bytes(&made), "%s", made.err.text);
	cr_assert(open_bytes(&recording, made.bytes, made.size, &err), "%s", err.text);
	cr_assert(next_chunk(&recording, &chunk, &err), "%s", err.text);
	cr_expect(str_is(metadata_event(&chunk.metadata, 100)->name, STR("a.E")));
	cr_expect_eq(chunk.index, 0);
	cr_expect_eq(chunk.offset, 0);
	cr_assert(next_chunk(&recording, &chunk, &err));
	cr_expect(str_is(metadata_event(&chunk.metadata, 100)->name, STR("a.New")));
	cr_expect_eq(chunk.index, 1);
	cr_expect_eq(chunk.offset + chunk.size, made.size);
	cr_expect_not(next_chunk(&recording, &chunk, &err));
	cr_expect_eq(err.kind, ERR_NONE);
	recording_close(&recording);
	make_clear(&made);
}

#define SECOND INT64_C(1000000000)

/*
 * One clock for the chunks of one run of a JVM, the next clock from the chunk on
 * that tells other times; one zone for all.
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
	struct chunk chunk = { 0 };
	struct made made = { 0 };
	struct err err = { 0 };

	made.writer.schema.gmt_offset = 3600000;
	for (size_t i = 0; i < 4; i++) {
		add_chunk(&made, first_types, &headers[i]);
		cr_assert(writer_close(&made.writer, &made.err));
		made.writer.schema.gmt_offset = 7200000;
	}
	cr_assert(make_bytes(&made));
	cr_assert(open_bytes(&recording, made.bytes, made.size, &err));
	for (size_t i = 0; i < 4; i++) {
		cr_assert(next_chunk(&recording, &chunk, &err), "%s", err.text);
		cr_expect_eq(chunk.clock.start_nanos, start_nanos[i] * SECOND, "chunk %zu", i);
		cr_expect_eq(chunk.zone, 3600);
	}
	chunk_close(&chunk);
	recording_close(&recording);
	make_clear(&made);
}

/* Two chunks, changed or cut or with something behind: what is said of the second. */
Test(recording, says_what_stands_in_place_of_a_chunk)
{
	static const struct {
		const char *behind;
		size_t behind_size;
		size_t cut;
		const char *message;	/* without the place, which differs */
	} cases[] = {
		{ "", 0, 0, NULL },
		{ "", 0, 1, "it should have" },
		{ "garbage that is no chunk", 24, 0, "not a Flight Recorder chunk" },
		{ "\0\0\0\0\0\0\0", 7, 0, "not a Flight Recorder chunk" },
		{ "FLR", 3, 0, "too short for a chunk header: 3 bytes" },
		{ "FLR\0\0\2", 6, 0, "too short for a chunk header: 6 bytes" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct recording recording;
		struct chunk chunk = { 0 };
		struct made made = { 0 };
		struct err err = { 0 };

		add_chunk(&made, first_types, NULL);
		cr_assert(writer_close(&made.writer, &made.err));
		buf_add(&made.writer.buf, cases[i].behind, cases[i].behind_size);
		cr_assert(make_bytes(&made));
		cr_assert(open_bytes(&recording, made.bytes, made.size - cases[i].cut, &err));
		cr_expect_eq(next_chunk(&recording, &chunk, &err), cases[i].cut == 0);
		if (cases[i].cut == 0)
			cr_expect_not(next_chunk(&recording, &chunk, &err));
		cr_expect_eq(err.kind, cases[i].message ? ERR_FORMAT : ERR_NONE);
		cr_expect(!cases[i].message || strstr(err.text, cases[i].message), "%s",
			  err.text);
		cr_expect(!cases[i].message || strstr(err.text, "at byte "), "%s", err.text);
		recording_close(&recording);
		make_clear(&made);
	}
}

Test(recording, names_the_chunk_that_cannot_be_opened)
{
	struct recording recording;
	struct chunk chunk = { 0 };
	struct made made = { 0 };
	struct err err = { 0 };

	made.writer.metadata_id = 3;
	writer_open(&made.writer, NULL);	/* no metadata at all */
	cr_assert(make_bytes(&made));
	cr_assert(open_bytes(&recording, made.bytes, made.size, &err));
	cr_expect_not(next_chunk(&recording, &chunk, &err));
	cr_expect_str_eq(err.text, "chunk 1 at byte 0: "
				   "the header points to no metadata event (0)");
	recording_close(&recording);
	make_clear(&made);
}

Test(recording, must_not_be_empty)
{
	struct recording recording;
	struct err err = { 0 };

	cr_expect_not(open_bytes(&recording, NULL, 0, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect_str_eq(err.text, "the file is empty");
}

Test(recording, must_exist)
{
	struct recording recording;
	struct err err = { 0 };

	cr_expect_not(recording_open(&recording, "/tmp/there/is/no/such.jfr", &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
}

/* What stands behind it was not flushed; versions before 2.1 have no state. */
Test(recording, ends_behind_an_unfinished_chunk)
{
	struct chunk_place place;
	struct made made = { 0 };
	struct recording recording;
	struct err err;

	make_begin(&made, first_types);
	EVENT(&made.writer, "a.E", LONG(1), INT(1));
	cr_assert(writer_flush(&made.writer, &made.err));
	EVENT(&made.writer, "a.E", LONG(2), INT(2));
	writer_end(&made.writer);
	recording = recording_of_bytes(made.writer.buf.bytes, made.writer.buf.size, "r");
	cr_assert(recording_next(&recording, &place, &err));
	cr_expect(recording.is_unfinished);
	cr_expect_not(recording_next(&recording, &place, &err));
	cr_expect_eq(err.kind, ERR_NONE);
	recording_close(&recording);
	made.writer.buf.bytes[7] = 0;	/* version 2.0 */
	recording = recording_of_bytes(made.writer.buf.bytes, made.writer.buf.size, "r");
	cr_assert(recording_next(&recording, &place, &err));
	cr_expect_not(recording.is_unfinished);
	cr_expect_not(recording_next(&recording, &place, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	recording_close(&recording);
	make_clear(&made);
}

Test(recording, names_what_the_input_is_compressed_by)
{
	static const struct {
		struct str bytes;
		const char *message;
	} cases[] = {
		{ STR("\x1f\x8b\x08 more"), "compressed with gzip; decompress it first" },
		{ STR("PK\3\4 more"), "compressed with zip; decompress it first" },
		{ STR("\x28\xb5\x2f\xfd more"), "compressed with zstd; decompress it first" },
		{ STR("\x04\x22\x4d\x18 more"), "compressed with lz4; decompress it first" },
		{ STR("\xfd" "7zXZ more"), "compressed with xz; decompress it first" },
		{ STR("plain text"), "chunk 1 at byte 0: not a Flight Recorder chunk" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct recording recording = recording_of_bytes(
			cases[i].bytes.bytes, cases[i].bytes.size, "in.jfr");
		struct chunk_place place;
		struct err err;

		cr_expect_not(recording_next(&recording, &place, &err));
		cr_expect_str_eq(err.text, cases[i].message);
		recording_close(&recording);
	}
}
