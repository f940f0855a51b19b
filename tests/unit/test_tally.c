#include <criterion/criterion.h>

#include <stdlib.h>
#include <unistd.h>

#include "count/inventory.h"
#include "make.h"
#include "way.h"

static const struct schema_type types[] = {
	TYPE("a.Often", "jdk.jfr.Event", .id = 100, FIELDS(START, FIELD("x", "int"))),
	TYPE("a.Never", "jdk.jfr.Event", .id = 101, FIELDS(START)),
	TYPE("b.Once", "jdk.jfr.Event", .id = 102, FIELDS(START)),
	TYPE("a.Once", "jdk.jfr.Event", .id = 5000, FIELDS(START)),
	TYPE("a.Struct", NULL, .id = 104, FIELDS(FIELD("x", "int"))),
	TYPES_END,
};

static const struct schema_type other_types[] = {
	TYPE("a.Renamed", "jdk.jfr.Event", .id = 100, FIELDS(START)),
	TYPE("a.\u00e9\U0001f600Wide", "jdk.jfr.Event", .id = 200, FIELDS(START)),
	TYPES_END,
};

static struct header lasting(int64_t start, int64_t duration)
{
	struct header header = writer_header;

	header.start_nanos = start;
	header.duration_nanos = duration;
	return header;
}

/* Three chunks: two of the first types, one of the others. */
static void make_chunks(struct made *made)
{
	struct header header = lasting(5000000007, 1000000000);

	writer_describe(&made->writer, types);
	for (int chunk = 0; chunk < 2; chunk++) {
		writer_open(&made->writer, &header);
		for (int i = 0; i < 50; i++)
			EVENT(&made->writer, "a.Often", LONG(i), INT(i));
		EVENT(&made->writer, "b.Once", LONG(1));
		EVENT(&made->writer, "a.Once", LONG(1));
		cr_assert(writer_close(&made->writer, &made->err));
		header = lasting(6000000000, 600000000);
	}
	schema_clear(&made->writer.schema);
	writer_describe(&made->writer, other_types);
	writer_open(&made->writer, &header);
	EVENT(&made->writer, "a.Renamed", LONG(1));
	writer_event(&made->writer, 4711);
	cr_assert(make_bytes(made), "%s", made->err.text);
}

/* What is counted, open as long as the tally: rows may have their names from it. */
static struct input input;

static bool take(struct tally *tally, struct input *from, int threads,
		 struct damage *damage, struct err *err)
{
	struct inventory inventory = { .top = 0 };
	bool is_good = inventory_take(&inventory, from, threads, damage, err);

	*tally = inventory.tally;
	inventory.tally = (struct tally){ 0 };
	inventory_clear(&inventory);
	return is_good;
}

static bool count(struct tally *tally, const unsigned char *bytes, size_t size,
		  int threads, struct damage *damage, struct err *err)
{
	input = (struct input){ 0 };
	cr_assert(input_of_bytes(&input, bytes, size, "r.jfr"));
	return take(tally, &input, threads, damage, err);
}

static void clear(struct tally *tally)
{
	tally_clear(tally);
	input_close(&input);
}

static const struct tally_row *row_of(const struct tally *tally, const char *name)
{
	for (size_t i = 0; i < tally->rows.count; i++) {
		if (str_is(tally->rows.items[i].name, str_of(name)))
			return &tally->rows.items[i];
	}
	cr_assert_fail("no row for %s", name);
	return NULL;
}

Test(tally, counts_events_and_their_bytes)
{
	struct damage damage = { 0 };
	struct made made = { 0 };
	struct tally tally;
	struct err err;

	make_chunks(&made);
	cr_assert(count(&tally, made.bytes, made.size, 1, &damage, &err));
	cr_expect_eq(row_of(&tally, "a.Often")->count, 101);
	/* Size, type, time and, in the first two chunks, a number: a byte each. */
	cr_expect_eq(row_of(&tally, "a.Often")->size, 100 * 4 + 3);
	cr_expect_eq(row_of(&tally, "a.Once")->count, 2);
	cr_expect_eq(row_of(&tally, "a.Once")->size, 2 * 4);
	cr_expect_eq(row_of(&tally, "a.Never")->count, 0);
	cr_expect_eq(row_of(&tally, "a.Never")->size, 0);
	cr_expect_eq(row_of(&tally, "4711 (missing event metadata)")->count, 1);
	cr_expect_eq(row_of(&tally, "jdk.Metadata")->count, 3);
	cr_expect_eq(row_of(&tally, "jdk.Checkpoint")->count, 0);
	cr_expect(damage_is_none(&damage));
	clear(&tally);
	make_clear(&made);
}

Test(tally, orders_rows_by_count_and_then_by_name)
{
	static const char *const names[] = {
		"a.Often",
		"jdk.Metadata",
		"a.Once",
		"b.Once",
		"4711 (missing event metadata)",
		"a.Never",
		"a.\u00e9\U0001f600Wide",
		"jdk.Checkpoint",
	};
	struct damage damage = { 0 };
	struct made made = { 0 };
	struct tally tally;
	struct err err;

	make_chunks(&made);
	cr_assert(count(&tally, made.bytes, made.size, 1, &damage, &err));
	cr_assert_eq(tally.rows.count, sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < tally.rows.count; i++)
		cr_expect(str_is(tally.rows.items[i].name, str_of(names[i])),
			  "row %zu: %s", i, tally.rows.items[i].name.bytes);
	clear(&tally);
	make_clear(&made);
}

Test(tally, sums_up_chunks)
{
	struct damage damage = { 0 };
	struct made made = { 0 };
	struct tally tally;
	struct err err;

	make_chunks(&made);
	cr_assert(count(&tally, made.bytes, made.size, 1, &damage, &err));
	cr_expect_eq(tally.chunks, 3);
	cr_expect_eq(tally.duration_nanos, 2200000000);
	cr_expect_eq(tally.first.start_nanos, 5000000007);
	cr_expect_eq(tally.name_width,
		     9); /* a.Renamed; the wide one has nine units, too */
	clear(&tally);
	make_clear(&made);
}

Test(tally, is_the_same_on_any_number_of_threads)
{
	struct made made = { 0 };

	make_chunks(&made);
	for (int threads = 1; threads <= 4; threads++) {
		struct damage damage = { 0 };
		struct input first;
		struct tally one, many;
		struct err err;

		cr_assert(count(&one, made.bytes, made.size, 1, &damage, &err));
		first = input;
		cr_assert(count(&many, made.bytes, made.size, threads, &damage, &err));
		cr_assert_eq(one.rows.count, many.rows.count);
		for (size_t i = 0; i < one.rows.count; i++) {
			cr_expect_eq(one.rows.items[i].id, many.rows.items[i].id);
			cr_expect_eq(one.rows.items[i].count, many.rows.items[i].count);
			cr_expect_eq(one.rows.items[i].size, many.rows.items[i].size);
		}
		tally_clear(&one);
		input_close(&first);
		clear(&many);
		damage_clear(&damage);
	}
	make_clear(&made);
}

Test(tally, has_the_old_names_for_version_1)
{
	struct header header = lasting(0, 0);
	struct damage damage = { 0 };
	struct made made = { 0 };
	struct tally tally;
	struct err err;

	header.major = 1;
	header.minor = 0;
	writer_describe(&made.writer, types);
	writer_open(&made.writer, &header);
	cr_assert(make_bytes(&made));
	cr_assert(count(&tally, made.bytes, made.size, 1, &damage, &err), "%s",
		  err.text);
	cr_expect_eq(row_of(&tally, "com.oracle.jdk.Metadata")->count, 1);
	cr_expect_eq(row_of(&tally, "com.oracle.jdk.Checkpoint")->count, 0);
	clear(&tally);
	make_clear(&made);
}

/*
 * A java.util.HashMap has 16 buckets for so few rows: 1007 is in the last of them, 1008
 * in the first. computeIfAbsent puts 1009 in front of 1025, which came first.
 */
Test(tally, leaves_equal_rows_in_the_order_of_a_hash_map)
{
	const struct schema_type same[] = {
		TYPE("a.Same", "jdk.jfr.Event", .id = 1007, FIELDS(START)),
		TYPE("a.Same", "jdk.jfr.Event", .id = 1025, FIELDS(START)),
		TYPE("a.Same", "jdk.jfr.Event", .id = 1008, FIELDS(START)),
		TYPE("a.Same", "jdk.jfr.Event", .id = 1009, FIELDS(START)),
		TYPES_END,
	};
	static const int64_t ids[] = { 1008, 1009, 1025, 1007 };
	struct damage damage = { 0 };
	struct made made = { 0 };
	struct tally tally;
	struct err err;

	make_begin(&made, same);
	cr_assert(make_bytes(&made));
	cr_assert(count(&tally, made.bytes, made.size, 1, &damage, &err), "%s",
		  err.text);
	for (size_t i = 0; i < 4; i++)
		cr_expect_eq(tally.rows.items[1 + i].id, ids[i], "row %zu: %lld", i,
			     (long long)tally.rows.items[1 + i].id);
	clear(&tally);
	make_clear(&made);
}

/* The same bytes with one changed. */
static unsigned char *changed(const struct made *made, size_t at, unsigned char byte)
{
	unsigned char *bytes = malloc(made->size);

	memcpy(bytes, made->bytes, made->size);
	bytes[at] = byte;
	return bytes;
}

Test(tally, counts_what_stands_around_a_fault_and_tells_of_it)
{
	struct damage damage = { 0 };
	struct made made = { 0 };
	unsigned char *bytes;
	struct tally tally;
	struct err err;

	make_chunks(&made);
	bytes = changed(&made, HEADER_SIZE + 10 * 4, 0); /* the tenth event's size */
	cr_assert(count(&tally, bytes, made.size, 2, &damage, &err), "%s", err.text);
	cr_assert_eq(damage.faults.count, 1);
	cr_expect_str_eq(damage.faults.items[0].cause, "an event has no size");
	cr_expect_str_eq(damage.faults.items[0].detail, "4 bytes are stepped over");
	cr_expect_eq(damage.faults.items[0].first.at, HEADER_SIZE + 10 * 4);
	cr_expect_eq(damage.faults.items[0].first.chunk, 0);
	cr_expect_eq(row_of(&tally, "a.Often")->count, 49 + 50 + 1);
	cr_expect_eq(row_of(&tally, "a.Often")->size, 99 * 4 + 3);
	cr_expect_eq(row_of(&tally, "a.Once")->count, 2);
	cr_expect_eq(tally.chunks, 3);
	free(bytes);
	clear(&tally);
	damage_clear(&damage);
	make_clear(&made);
}

/* Also the one of which nothing but a size is left at the end of its chunk. */
Test(tally, tells_of_faults_as_those_who_read_events_do)
{
	static const char ends[][2] = { { 0, 9 }, { 100, 9 }, { 2, (char)0x80 } };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct damage damage = { 0 };
		struct made made = { 0 };
		struct event_walk walk;
		struct event event;
		struct tally tally;
		struct err err;

		make_begin(&made, types);
		writer_metadata(&made.writer);
		buf_add(&made.writer.buf, ends[i], 2);
		cr_assert(make_open(&made), "%s", made.err.text);
		walk = event_walk(&made.chunk, &made.damage);
		while (event_next(&walk, &event))
			continue;
		cr_assert_eq(made.damage.faults.count, 1);
		cr_assert(count(&tally, made.bytes, made.size, 1, &damage, &err));
		cr_assert_eq(damage.faults.count, 1, "case %zu", i);
		cr_expect_str_eq(damage.faults.items[0].cause,
				 made.damage.faults.items[0].cause, "case %zu", i);
		cr_expect_eq(damage.faults.items[0].first.at,
			     made.damage.faults.items[0].first.at);
		clear(&tally);
		damage_clear(&damage);
		make_clear(&made);
	}
}

static bool has_fault(const struct damage *damage, const char *cause, size_t chunk)
{
	for (size_t i = 0; i < damage->faults.count; i++) {
		const struct fault *fault = &damage->faults.items[i];

		if (strcmp(fault->cause, cause) == 0 && fault->first.chunk == chunk)
			return true;
	}
	return false;
}

Test(tally, counts_what_is_left_of_a_chunk_that_is_cut_short)
{
	for (int threads = 1; threads <= 4; threads++) {
		struct damage damage = { 0 };
		struct made made = { 0 };
		struct tally tally;
		struct err err;

		make_chunks(&made);
		cr_assert(count(&tally, made.bytes, made.size - 1, threads, &damage,
				&err));
		cr_expect_eq(tally.chunks, 3);
		cr_expect(has_fault(&damage, "a chunk is cut short", 2));
		cr_expect_eq(row_of(&tally, "a.Often")->count, 101);
		clear(&tally);
		damage_clear(&damage);
		make_clear(&made);
	}
}

Test(tally, fails_if_there_is_no_chunk)
{
	struct damage damage = { 0 };
	struct made made = { 0 };
	struct err err = { 0 };
	struct tally tally;

	make_chunks(&made);
	for (size_t at = 0; at + 4 < made.size; at++) {
		if (memcmp(made.bytes + at, header_magic, HEADER_MAGIC_SIZE) == 0)
			made.bytes[at] = 'X';
	}
	cr_expect_not(count(&tally, made.bytes, made.size, 2, &damage, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect(strstr(err.text, "chunk 1 at byte 0: not a Flight Recorder chunk"), "%s",
		  err.text);
	clear(&tally);
	damage_clear(&damage);
	make_clear(&made);
}

/* The chunk has no metadata of its own, nor can any be lent: another JVM. */
Test(tally, leaves_out_a_chunk_that_cannot_be_opened)
{
	for (int threads = 1; threads <= 4; threads++) {
		struct header header = lasting(900000000000, 1000000000);
		struct damage damage = { 0 };
		struct made made = { 0 }, bare = { 0 };
		struct tally tally;
		struct err err;

		make_chunks(&made);
		bare.writer.metadata_id = 1;
		writer_open(&bare.writer, &header);
		writer_event(&bare.writer, 100);
		cr_assert(make_bytes(&bare));
		buf_add(&made.writer.buf, (const char *)bare.bytes, bare.size);
		cr_assert(make_bytes(&made));
		cr_assert(count(&tally, made.bytes, made.size, threads, &damage, &err));
		cr_expect_eq(tally.chunks, 3);
		cr_expect_eq(row_of(&tally, "a.Often")->count, 101);
		cr_assert_eq(damage.faults.count, 1);
		cr_expect(has_fault(&damage, "this chunk is left out", 3));
		clear(&tally);
		damage_clear(&damage);
		make_clear(&bare);
		make_clear(&made);
	}
}

/* What else is done with a chunk can build on its counts. */
Test(tally, counts_a_chunk_alone)
{
	struct tally_share share = { 0 };
	struct damage damage = { 0 };
	struct made made = { 0 };
	struct tally_count often, total;

	make_begin(&made, types);
	EVENT(&made.writer, "a.Often", LONG(1), INT(1));
	EVENT(&made.writer, "a.Often", LONG(2), INT(2));
	EVENT(&made.writer, "a.Once", LONG(3));
	cr_assert(make_open(&made), "%s", made.err.text);
	for (int i = 0; i < 2; i++) {	/* also when it is used again */
		cr_assert(tally_chunk(&share, &made.chunk, NULL, &damage));
		often = tally_share_of(&share, 100);
		cr_expect_eq(often.count, 2);
		cr_expect_eq(often.size, 2 * 4);
		cr_expect_eq(often.last, HEADER_SIZE + 4);
		cr_expect_eq(tally_share_of(&share, 5000).count, 1);
		cr_expect_eq(tally_share_of(&share, 101).count, 0);
		cr_expect_eq(tally_share_of(&share, UINT64_MAX).count, 0);
		total = tally_share_total(&share);
		cr_expect_eq(total.count, 4);	/* with the metadata */
		cr_expect_eq(total.size, made.size - HEADER_SIZE);
	}
	cr_expect(damage_is_none(&damage));
	tally_share_clear(&share);
	make_clear(&made);
}

static const struct schema_type other_run_types[] = {
	TYPE("a.Elsewhere", "jdk.jfr.Event", .id = 100, FIELDS(START)),
	TYPE("a.Often", "jdk.jfr.Event", .id = 101, FIELDS(START, FIELD("x", "int"))),
	TYPES_END,
};

/* An id is another type's in another run; the name is the same. */
Test(tally, knows_types_of_other_files_by_their_names)
{
	char paths[2][64];
	const char *const names[] = { paths[0], paths[1] };
	struct header header = lasting(9000000000, 1000000000);
	struct input files = { .unpacker = NULL };
	struct damage damage = { 0 };
	struct made made = { 0 }, other = { 0 };
	struct tally tally;
	struct err err;

	make_chunks(&made);
	way_file(paths[0], made.bytes, made.size);
	writer_describe(&other.writer, other_run_types);
	writer_open(&other.writer, &header);
	EVENT(&other.writer, "a.Elsewhere", LONG(1));
	EVENT(&other.writer, "a.Often", LONG(1), INT(2));
	EVENT(&other.writer, "a.Often", LONG(1), INT(2));
	cr_assert(make_bytes(&other));
	way_file(paths[1], other.bytes, other.size);
	cr_assert(input_open(&files, names, 2, &damage, &err), "%s", err.text);
	cr_assert(take(&tally, &files, 2, &damage, &err), "%s", err.text);
	cr_expect_eq(row_of(&tally, "a.Often")->count, 103);
	cr_expect_eq(row_of(&tally, "a.Elsewhere")->count, 1);
	cr_expect_eq(row_of(&tally, "a.Never")->count, 0);
	cr_expect_eq(row_of(&tally, "jdk.Metadata")->count, 4);
	cr_expect(damage_is_none(&damage));
	tally_clear(&tally);
	input_close(&files);
	unlink(paths[0]);
	unlink(paths[1]);
	make_clear(&other);
	make_clear(&made);
}
