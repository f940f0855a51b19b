#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jfr/input.h"
#include "jfr/unpack.h"
#include "make.h"
#include "place.h"
#include "tell.h"
#include "way.h"

#define SECOND INT64_C(1000000000)
#define MINUTE (60 * SECOND)

TestSuite(input, .init = place_open, .fini = place_close);

static const char *save(const char *name, const void *bytes, size_t size)
{
	const char *path = place_of(name);
	FILE *file = fopen(path, "wb");

	cr_assert(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
	return path;
}

static const struct schema_type types[] = {
	TYPE("a.E", "jdk.jfr.Event", .id = 100, FIELDS(START, FIELD("x", "int"))),
	TYPES_END,
};

/* The minute in which a chunk begins is the number of its only event. */
static struct header header_at(int minute)
{
	struct header header = writer_header;

	header.start_nanos = (1000 + minute) * MINUTE;
	header.start_ticks = (10 + minute) * MINUTE;
	header.duration_nanos = MINUTE;
	return header;
}

static void add_chunk(struct made *made, int minute)
{
	struct header header = header_at(minute);

	if (!made->writer.schema.types.count)
		writer_describe(&made->writer, types);
	writer_open(&made->writer, &header);
	EVENT(&made->writer, "a.E", LONG(header.start_ticks), INT(minute));
	cr_assert(writer_close(&made->writer, &made->err));
}

/* The same without metadata, as long as the next flush is to come. */
static void add_bare(struct made *made, int minute)
{
	struct header header = header_at(minute);
	struct writer writer = { 0 };

	writer_open(&writer, &header);
	writer.metadata_id = 1;
	writer_event(&writer, 100);
	make_values(&writer.buf, VALUES(LONG(header.start_ticks), INT(minute)));
	writer_end(&writer);
	cr_assert(writer_flush(&writer, &made->err));
	buf_add(&made->writer.buf, writer.buf.bytes, writer.buf.size);
	writer_clear(&writer);
}

/* A recording of chunks that begin in these minutes; the last is -1. */
static const char *save_chunks(const char *name, const int *minutes)
{
	struct made made = { 0 };
	const char *path;

	for (; *minutes >= 0; minutes++)
		add_chunk(&made, *minutes);
	path = save(name, made.writer.buf.bytes, made.writer.buf.size);
	make_clear(&made);
	return path;
}

#define MINUTES(...) (const int[]){ __VA_ARGS__, -1 }
#define PATHS(...) (const char *const[]){ __VA_ARGS__, NULL }

static size_t count_of(const char *const *paths)
{
	size_t count = 0;

	while (paths[count])
		count++;
	return count;
}

/* All chunks, the damage, and why it ends. */
static void tell_rest(struct buf *told, struct input *input, struct damage *damage)
{
	struct err err = { 0 };
	struct chunk chunk;

	while (input_open_next(input, &chunk, damage, &err)) {
		tell_chunk(told, &chunk, damage);
		chunk_close(&chunk);
	}
	tell_damage(told, damage, false);
	if (err.kind != ERR_NONE)
		buf_printf(told, " / error: %s", err.text);
}

static void expect_told(struct buf *told, const char *wanted, int line)
{
	buf_byte(told, '\0');
	cr_expect_str_eq(told->bytes, wanted, "line %d: %s", line, told->bytes);
	buf_clear(told);
}

/* `input` is what is set before it is opened. */
static void expect_of(struct input input, const char *const *paths, const char *wanted,
		      int line)
{
	struct damage damage = { 0 };
	struct buf told = { 0 };
	struct err err = { 0 };

	if (input_open(&input, paths, count_of(paths), &damage, &err)) {
		tell_rest(&told, &input, &damage);
	} else {
		tell_damage(&told, &damage, false);
		buf_printf(&told, " / no: %s", err.text);
	}
	input_close(&input);
	damage_clear(&damage);
	expect_told(&told, wanted, line);
}

static void expect_input(const char *const *paths, const char *wanted, int line)
{
	expect_of((struct input){ .unpacker = &unpack_archive }, paths, wanted, line);
}

#define EXPECT(paths, wanted) expect_input(paths, wanted, __LINE__)

Test(input, gives_the_chunks_of_a_file_as_they_lie_there)
{
	const char *path = save_chunks("a.jfr", MINUTES(3, 1, 2));

	EXPECT(PATHS(path), "[3][1][2]");
}

Test(input, gives_chunks_of_several_files_in_order_of_their_start)
{
	const char *a = save_chunks("a.jfr", MINUTES(1, 5, 9));
	const char *b = save_chunks("b.jfr", MINUTES(2, 3, 8));
	const char *c = save_chunks("c.jfr", MINUTES(4));

	EXPECT(PATHS(a, b, c), "[1][2][3][4][5][8][9]");
	EXPECT(PATHS(c, b, a), "[1][2][3][4][5][8][9]");
	/* Behind a late chunk come those that are later in its file, however early. */
	b = save_chunks("b.jfr", MINUTES(6, 2, 7));
	EXPECT(PATHS(b, a), "[1][5][6][2][7][9]");
	/* The file named first comes first. */
	c = save_chunks("c.jfr", MINUTES(1, 5));
	EXPECT(PATHS(c, a), "[1][1][5][5][9]");
}

Test(input, counts_chunks_of_all_files_and_of_each)
{
	const char *a = save_chunks("a.jfr", MINUTES(1, 3));
	const char *b = save_chunks("b.jfr", MINUTES(2, 4));
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct chunk_place place;
	struct err err = { 0 };

	cr_assert(input_open(&input, PATHS(a, b), 2, &damage, &err));
	for (size_t i = 0; i < 4; i++) {
		cr_assert(input_next(&input, &place, &damage, &err));
		cr_expect_eq(place.index, i);
		cr_expect_eq(place.number, i / 2);
		cr_expect_str_eq(place.file, i % 2 ? b : a);
		block_free(&place.block);
	}
	cr_expect_not(input_next(&input, &place, &damage, &err));
	cr_expect_not(input_next(&input, &place, &damage, &err));
	cr_expect_eq(err.kind, ERR_NONE);
	input_close(&input);
}

#define FOREIGN " / note: not a recording, passed over"
#define EMPTY " / note: an empty file, passed over"

Test(input, reads_the_recordings_of_a_directory)
{
	save_chunks("2.jfr", MINUTES(2));
	save_chunks("1.jfr", MINUTES(1));
	save_chunks("3.part", MINUTES(3));
	cr_assert_eq(mkdir(place_of("deeper.jfr"), 0700), 0);
	save("empty.jfr", "", 0);
	EXPECT(PATHS(place_folder), "[1][2][3]" EMPTY);
	save("notes.txt", "no recording", 12);
	EXPECT(PATHS(place_folder), "[1][2][3]" EMPTY FOREIGN);
	save("0", "FLR", 3);
	EXPECT(PATHS(place_folder), "[1][2][3]" EMPTY FOREIGN FOREIGN);
}

/* Their last letters. */
static void expect_paths(const struct input *input, const char *wanted)
{
	char names[16] = "";
	size_t count;
	const char **paths = input_paths(input, &count);

	cr_assert_not_null(paths);
	cr_assert_lt(count, sizeof(names));
	for (size_t i = 0; i < count; i++)
		names[i] = paths[i][strlen(paths[i]) - 1];
	cr_expect_str_eq(names, wanted);
	free(paths);
}

Test(input, knows_which_files_it_reads_and_in_which_order)
{
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct err err = { 0 };

	save_chunks("a", MINUTES(3));
	save_chunks("b", MINUTES(1, 9));
	save_chunks("c", MINUTES(3, 2));
	save_chunks("d", MINUTES(2));
	save("e", "no recording", 12);
	save("f", "", 0);
	cr_assert(input_open(&input, PATHS(place_folder), 1, &damage, &err));
	expect_paths(&input, "bdac");
	input_close(&input);
	cr_assert(input_open(&input, PATHS(place_of("d")), 1, &damage, &err));
	expect_paths(&input, "d");
	input_close(&input);
	expect_paths(&input, "");
	damage_clear(&damage);
}

Test(input, is_nothing_without_a_recording)
{
	const char *const paths[] = { place_folder, place_folder, NULL };
	struct buf wanted = { 0 };

	buf_printf(&wanted, EMPTY FOREIGN " / no: %s: there is no recording in it",
		   place_folder);
	buf_byte(&wanted, '\0');
	EXPECT(PATHS(place_folder), wanted.bytes + strlen(EMPTY FOREIGN));
	EXPECT(paths, " / no: there is no recording in them");
	save("notes.txt", "no recording", 12);
	EXPECT(PATHS(place_folder), wanted.bytes + strlen(EMPTY));
	save("empty.jfr", "", 0);
	EXPECT(PATHS(place_folder), wanted.bytes);
	buf_clear(&wanted);
}

#define LEFT_OUT " / this file is left out"

Test(input, leaves_out_files_that_it_cannot_read)
{
	const char *a = save_chunks("a.jfr", MINUTES(1, 3));
	const char *b = save_chunks("b.jfr", MINUTES(2));
	const char *text = save("text", "no recording", 12);
	const char *empty = save("empty", "", 0);
	const char *none = place_of("none.jfr");

	EXPECT(PATHS(none, a, b), "[1][2][3]" LEFT_OUT);
	EXPECT(PATHS(a, none, text, empty, b), "[1][2][3]" LEFT_OUT LEFT_OUT LEFT_OUT);
}

Test(input, says_why_no_file_can_be_read)
{
	const char *text = save("text", "no recording", 12);
	const char *empty = save("empty", "", 0);
	const char *none = place_of("none.jfr");
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct err err = { 0 };

	cr_expect_not(input_open(&input, PATHS(text), 1, &damage, &err) &&
		      input_open_next(&input, &(struct chunk){ 0 }, &damage, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect(strstr(err.text, "/text: chunk 1 at byte 0: not a Flight Recorder chunk"),
		  "%s", err.text);
	input_close(&input);
	cr_expect_not(input_open(&input, PATHS(empty), 1, &damage, &err));
	cr_expect(strstr(err.text, "/empty: the file is empty"), "%s", err.text);
	input_close(&input);
	cr_expect_not(input_open(&input, PATHS(none), 1, &damage, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, "/none.jfr' (No such file or directory)"), "%s", err.text);
	input_close(&input);
	damage_clear(&damage);
	EXPECT(PATHS(none, text), LEFT_OUT LEFT_OUT " / no: none of the files can be read");
	EXPECT(PATHS("-", text, "-"), " / no: standard input is given twice");
}

static const void *types_of(struct input *input, struct chunk *chunk, struct damage *damage)
{
	struct err err = { 0 };

	cr_assert(input_open_next(input, chunk, damage, &err), "%s", err.text);
	return chunk->metadata.types;
}

/* Whatever they are from. */
Test(input, shares_metadata_among_all_files)
{
	const char *a = save_chunks("a.jfr", MINUTES(1, 2));
	const char *b = save_chunks("b.jfr", MINUTES(3));

	for (int is_directory = 0; is_directory < 2; is_directory++) {
		struct input input = { 0 };
		struct damage damage = { 0 };
		struct chunk chunks[3];
		struct err err = { 0 };
		const void *first;

		if (is_directory)
			cr_assert(input_open(&input, PATHS(place_folder), 1, &damage, &err));
		else
			cr_assert(input_open(&input, PATHS(a, b), 2, &damage, &err));
		first = types_of(&input, &chunks[0], &damage);
		cr_expect_eq(types_of(&input, &chunks[1], &damage), first);
		cr_expect_eq(types_of(&input, &chunks[2], &damage), first);
		cr_expect_eq(chunks[0].run == chunks[2].run, is_directory);
		for (int i = 0; i < 3; i++)
			chunk_close(&chunks[i]);
		input_close(&input);
	}
}

#define UNFINISHED                                                             \
	" / note: the chunk is not finished, its newest events may be missing"

static const char *save_bare(const char *name, int minute)
{
	struct made made = { 0 };
	const char *path;

	add_bare(&made, minute);
	path = save(name, made.writer.buf.bytes, made.writer.buf.size);
	make_clear(&made);
	return path;
}

Test(input, lends_metadata_of_the_chunk_before)
{
	save_chunks("1.jfr", MINUTES(1, 2));
	save_bare("2.jfr", 3);
	EXPECT(PATHS(place_folder), "[1][2][3]" UNFINISHED);
}

Test(input, lends_metadata_of_a_later_chunk)
{
	save_bare("1.jfr", 1);
	save_bare("2.jfr", 2);
	save_chunks("3.jfr", MINUTES(3, 4));
	EXPECT(PATHS(place_folder), "[1][2][3][4]" UNFINISHED UNFINISHED);
}

Test(input, lends_no_metadata_between_files)
{
	const char *a = save_bare("1.jfr", 1);
	const char *b = save_chunks("2.jfr", MINUTES(2));

	EXPECT(PATHS(a, b), "[2] / this chunk is left out");
}

/* A stream cannot be read twice: there the first chunk is lost. */
Test(input, lends_metadata_within_a_file_that_can_be_read_twice)
{
	struct made made = { 0 };
	const char *path;
	struct come come;

	add_bare(&made, 1);
	add_chunk(&made, 2);
	path = save("a.jfr", made.writer.buf.bytes, made.writer.buf.size);
	EXPECT(PATHS(path), "[1][2]" UNFINISHED);
	come = way_open(WAY_PIPE, made.writer.buf.bytes, made.writer.buf.size);
	EXPECT(PATHS(come.path), "[2] / this chunk is left out");
	way_close(&come);
	come = way_open(WAY_PACKED, made.writer.buf.bytes, made.writer.buf.size);
	EXPECT(PATHS(come.path), "[1][2]" UNFINISHED);
	way_close(&come);
	make_clear(&made);
}

Test(input, says_why_its_only_chunk_cannot_be_opened)
{
	const char *path = save_bare("a.jfr", 1);
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct chunk chunk;
	struct err err = { 0 };

	cr_assert(input_open(&input, PATHS(path), 1, &damage, &err));
	cr_expect_not(input_open_next(&input, &chunk, &damage, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect(strstr(err.text, "/a.jfr: chunk 1 at byte 0: it was never flushed"), "%s",
		  err.text);
	cr_expect(damage_is_none(&damage));
	input_close(&input);
	damage_clear(&damage);
}

Test(input, may_come_through_pipes)
{
	struct made made = { 0 };
	const char *file = save_chunks("a.jfr", MINUTES(1, 4));
	struct come one, other;

	add_chunk(&made, 2);
	add_chunk(&made, 3);
	add_chunk(&made, 5);
	one = way_open(WAY_PIPE, made.writer.buf.bytes, made.writer.buf.size);
	other = way_open(WAY_PACKED, made.writer.buf.bytes, made.writer.buf.size);
	EXPECT(PATHS(one.path, file, other.path), "[1][2][2][3][3][4][5][5]");
	way_close(&one);
	way_close(&other);
	make_clear(&made);
}

Test(input, may_be_bytes_in_memory)
{
	struct made made = { 0 };
	struct input input = { 0 };
	struct buf told = { 0 };

	add_chunk(&made, 1);
	add_chunk(&made, 2);
	cr_assert(make_bytes(&made));
	cr_assert(input_of_bytes(&input, made.bytes, made.size, "r.jfr"));
	tell_rest(&told, &input, &made.damage);
	expect_told(&told, "[1][2]", __LINE__);
	input_close(&input);
	make_clear(&made);
}

/* What the headers tell, before any chunk is opened; and then all of them. */
Test(input, can_be_surveyed)
{
	struct made made = { 0 };
	const char *file = save_chunks("a.jfr", MINUTES(5, 9, 7));

	made.writer.schema.gmt_offset = 7200000;
	add_bare(&made, 2);
	add_chunk(&made, 3);
	for (enum way way = 0; way < WAY_COUNT; way++) {
		struct come come = way_open(way, made.writer.buf.bytes,
					    made.writer.buf.size);
		struct input input = { .unpacker = &unpack_archive };
		struct damage damage = { 0 };
		struct input_span span;
		struct buf told = { 0 };
		struct err err = { 0 };

		cr_assert(input_open(&input, PATHS(come.path, file), 2, &damage, &err));
		cr_assert(input_survey(&input, &span, &damage, &err));
		cr_expect_eq(span.start, 1002 * MINUTE);
		cr_expect_eq(span.end, 1010 * MINUTE);
		cr_expect_eq(span.zone, 7200);
		tell_rest(&told, &input, &damage);
		input_close(&input);
		damage_clear(&damage);
		expect_told(&told,
			    way == WAY_PIPE
				    ? "[3][5][9][7] / this chunk is left out"
				    : "[2][3][5][9][7]" UNFINISHED, __LINE__);
		way_close(&come);
	}
	make_clear(&made);
}

/* All of it is read twice, and is the same. */
Test(input, can_be_rewound)
{
	struct made made = { 0 };
	const char *file = save_chunks("a.jfr", MINUTES(5, 9, 7));

	add_bare(&made, 2);
	add_chunk(&made, 3);
	for (enum way way = 0; way < WAY_COUNT; way++) {
		struct come come = way_open(way, made.writer.buf.bytes,
					    made.writer.buf.size);
		struct input input = { .unpacker = &unpack_archive };
		struct damage damage = { 0 };
		struct buf told = { 0 };
		struct err err = { 0 };

		cr_assert(input_open(&input, PATHS(come.path, file), 2, &damage, &err));
		cr_assert(input_keep(&input, &damage, &err));
		for (int run = 0; run < 3; run++) {
			tell_rest(&told, &input, &damage);
			damage_clear(&damage);
			input_rewind(&input);
			expect_told(&told,
				    way == WAY_PIPE
					    ? "[3][5][9][7] / this chunk is left out"
					    : "[2][3][5][9][7]" UNFINISHED, __LINE__);
		}
		input_close(&input);
		way_close(&come);
	}
	make_clear(&made);
}

/* Chunks that were found and that nobody takes are given back. */
Test(input, may_be_surveyed_and_not_read)
{
	struct made made = { 0 };
	struct input input = { 0 };
	struct input_span span;
	struct come come;
	struct chunk chunk;
	struct err err = { 0 };

	for (int i = 0; i < 20; i++)
		add_chunk(&made, i);
	come = way_open(WAY_PIPE, made.writer.buf.bytes, made.writer.buf.size);
	cr_assert(input_open(&input, PATHS(come.path), 1, &made.damage, &err));
	cr_assert(input_survey(&input, &span, &made.damage, &err));
	cr_assert(input_open_next(&input, &chunk, &made.damage, &err));
	chunk_close(&chunk);
	input_close(&input);
	way_close(&come);
	make_clear(&made);
}

Test(input, says_that_there_is_nothing_to_survey)
{
	const char *path = save("text", "no recording", 12);
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct input_span span;
	struct err err = { 0 };

	cr_assert(input_open(&input, PATHS(path), 1, &damage, &err));
	cr_expect_not(input_survey(&input, &span, &damage, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	input_close(&input);
}

Test(input, has_one_zone_for_all_chunks)
{
	static const int zones[] = { [ZONE_RECORDING] = 3600, [ZONE_UTC] = 0,
				     [ZONE_LOCAL] = CLOCK_ZONE_LOCAL };
	struct made made = { 0 };
	const char *path;

	made.writer.schema.gmt_offset = 3600000;
	add_chunk(&made, 1);
	made.writer.schema.gmt_offset = 7200000;
	add_chunk(&made, 2);
	path = save("a.jfr", made.writer.buf.bytes, made.writer.buf.size);
	for (enum input_zone kind = ZONE_RECORDING; kind <= ZONE_LOCAL; kind++) {
		struct input input = { .zone_kind = kind };
		struct chunk chunk;
		struct err err = { 0 };

		cr_assert(input_open(&input, PATHS(path), 1, &made.damage, &err));
		for (int i = 0; i < 2; i++) {
			cr_assert(input_open_next(&input, &chunk, &made.damage, &err));
			cr_expect_eq(chunk.zone, zones[kind]);
			chunk_close(&chunk);
		}
		input_close(&input);
	}
	make_clear(&made);
}

static size_t open_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	size_t count = 0;

	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

Test(input, has_few_files_open_at_a_time)
{
	size_t before = open_descriptors(), count = 0;
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct chunk chunk;
	struct err err = { 0 };
	char name[16];

	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "%d.jfr", i);
		save_chunks(name, MINUTES(2 * i, 2 * i + 1));
	}
	cr_assert(input_open(&input, PATHS(place_folder), 1, &damage, &err));
	while (input_open_next(&input, &chunk, &damage, &err)) {
		cr_expect_leq(open_descriptors(), before + 2);
		chunk_close(&chunk);
		count++;
	}
	cr_expect_eq(count, 200);
	input_close(&input);
	cr_expect_eq(open_descriptors(), before);
}

Test(input, says_how_far_it_has_read)
{
	const char *a = save_chunks("a.jfr", MINUTES(1, 3));
	const char *b = save_chunks("b.jfr", MINUTES(2, 4));
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct chunk_place place;
	struct stat one, other;
	struct err err = { 0 };
	uint64_t before = 0;

	cr_assert(stat(a, &one) == 0 && stat(b, &other) == 0);
	cr_assert(input_open(&input, PATHS(a, b), 2, &damage, &err));
	while (input_next(&input, &place, &damage, &err)) {
		uint64_t now = input_position(&input);

		cr_expect_geq(now, before + place.block.size);
		before = now;
		block_free(&place.block);
	}
	cr_expect_eq(before, (uint64_t)one.st_size + (uint64_t)other.st_size);
	input_close(&input);
}

/* What the chunks are from may be closed before they are. */
Test(input, lends_chunks_that_outlive_their_turn)
{
	const char *a = save_chunks("a.jfr", MINUTES(1));
	const char *b = save_chunks("b.jfr", MINUTES(2));
	struct made made = { 0 };
	struct input input = { .unpacker = &unpack_archive };
	struct damage damage = { 0 };
	struct chunk chunks[3];
	struct buf told = { 0 };
	struct err err = { 0 };
	struct come come;

	add_chunk(&made, 3);
	come = way_open(WAY_PACKED, made.writer.buf.bytes, made.writer.buf.size);
	cr_assert(input_open(&input, PATHS(a, b, come.path), 3, &damage, &err));
	for (int i = 0; i < 3; i++)
		cr_assert(input_open_next(&input, &chunks[i], &damage, &err));
	cr_expect_not(input_open_next(&input, &(struct chunk){ 0 }, &damage, &err));
	for (int i = 0; i < 3; i++) {
		tell_chunk(&told, &chunks[i], &damage);
		chunk_close(&chunks[i]);
	}
	expect_told(&told, "[1][2][3]", __LINE__);
	input_close(&input);
	way_close(&come);
	make_clear(&made);
}

/* --- what a JVM left behind -------------------------------------------------------- */

/* A chunk of minute 2 that was being written, with an event 7 that is not in it yet. */
static uint64_t save_unfinished(const char *name)
{
	struct made made = { 0 };
	uint64_t size;

	add_chunk(&made, 2);
	made.writer.buf.bytes[64] = 1;		/* the state */
	size = made.writer.buf.size;
	EVENT(&made.writer, "a.E", LONG(0), INT(7));
	writer_end(&made.writer);
	save(name, made.writer.buf.bytes, made.writer.buf.size);
	make_clear(&made);
	return size;
}

/* A folder of the minutes 1 and 2, and a rest of minute 3. */
static struct input_rest leave(struct made *made)
{
	struct input_rest rest = { .directory = place_make("r"), .name = "left" };

	save_chunks("r/1.jfr", MINUTES(1));
	rest.cut_size = save_unfinished("r/2.jfr");
	rest.cut = place_of("r/2.jfr");
	add_chunk(made, 3);
	rest.bytes = made->writer.buf.bytes;
	rest.size = made->writer.buf.size;
	return rest;
}

static void expect_rest(const struct input_rest *rest, const char *wanted, int line)
{
	expect_of((struct input){ .rests = rest, .rest_count = 1 },
		  PATHS(rest->directory), wanted, line);
}

#define EXPECT_REST(rest, wanted) expect_rest(rest, wanted, __LINE__)

Test(input, reads_what_was_left_behind_after_the_files_of_its_folder)
{
	struct made made = { 0 };
	struct input_rest rest = leave(&made);

	EXPECT(PATHS(rest.directory), "[1][2 7] / note: the chunk is not finished, its "
	       "newest events may be missing");
	EXPECT_REST(&rest, "[1][2][3]");
	rest.cut = NULL;
	EXPECT_REST(&rest, "[1][2 7][3] / note: the chunk is not finished, its newest "
		    "events may be missing");
	make_clear(&made);
}

Test(input, leaves_out_a_file_of_which_nothing_counts)
{
	struct made made = { 0 };
	struct input_rest rest = leave(&made);

	rest.cut_size = 0;
	EXPECT_REST(&rest, "[1][3]");
	rest.size = 0;
	EXPECT_REST(&rest, "[1]");
	make_clear(&made);
}

Test(input, reads_what_was_left_behind_by_a_folder_that_is_gone)
{
	struct made made = { 0 };
	struct input_rest rest = leave(&made);

	rest.directory = place_of("gone");
	EXPECT_REST(&rest, "[3] / this directory is left out");
	make_clear(&made);
}

static bool count_chunk(void *context, const struct chunk *chunk)
{
	(void)chunk;
	++*(int *)context;
	return true;
}

/* It has the clock of the files, whose ticks are counted otherwise by its own header. */
Test(input, takes_what_was_left_behind_for_the_same_run)
{
	struct made made = { 0 };
	struct input_rest rest = leave(&made);
	struct input input = { .rests = &rest, .rest_count = 1 };
	struct damage damage = { 0 };
	struct chunk chunk = { 0 };
	struct input_span span;
	struct err err = { 0 };
	const char **paths;
	size_t count;
	int shown = 0;

	cr_assert(input_open(&input, &rest.directory, 1, &damage, &err));
	paths = input_paths(&input, &count);
	cr_assert_eq(count, 3u);
	cr_expect_str_eq(paths[2], "left");
	free(paths);
	cr_expect(input_preview(&input, count_chunk, &shown));
	cr_expect_eq(shown, 3);
	cr_assert(input_survey(&input, &span, &damage, &err));
	cr_expect_eq(span.end, header_at(3).start_nanos + MINUTE);
	for (int i = 0; i < 3; i++) {
		cr_assert(input_open_next(&input, &chunk, &damage, &err));
		cr_expect_eq(chunk.clock.start_ticks, header_at(1).start_ticks);
		chunk_close(&chunk);
	}
	cr_expect_not(input_open_next(&input, &chunk, &damage, &err));
	cr_expect_eq(input_position(&input), input.size);
	input_close(&input);
	make_clear(&made);
}

Test(input, does_not_wonder_at_a_spill_file)
{
	const char *folder = place_make("r");

	save_chunks("r/1.jfr", MINUTES(1));
	place_put("r/spill", "CJFRSPIL and so on");
	EXPECT(PATHS(folder), "[1]");
	place_put("r/spill", "tea");
	EXPECT(PATHS(folder), "[1]");
	save_chunks("r/spill", MINUTES(2));
	EXPECT(PATHS(folder), "[1][2]");
}
