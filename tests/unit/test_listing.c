#include <criterion/criterion.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "show.h"

static const struct schema_type types[] = {
	TYPE("test.Tick", "jdk.jfr.Event", FIELDS(START, FIELD("x", "int"))),
	TYPE("test.Span", "jdk.jfr.Event",
	     FIELDS(START, DURATION, THREAD, STACK, FIELD("x", "int"))),
	TYPE("test.Text", "jdk.jfr.Event",
	     FIELDS(START, FIELD("text", "java.lang.String"))),
	TYPE("test.Frame", "jdk.jfr.Event",
	     FIELDS(FIELD("text", "java.lang.String"), START)),
	TYPES_END,
};

static void expect_text(const struct made *made, const char *wanted, int number)
{
	for (int threads = 1; threads <= 2; threads++) {
		struct shown shown;

		show(&shown, made,
		     &(struct show){ .printer = &json_printer, .threads = threads });
		cr_expect(str_is(str_of(wanted),
				 (struct str){ shown.text.bytes, shown.text.size }),
			  "%d, wanted:\n%s\nshown:\n%.*s", number, wanted,
			  (int)shown.text.size, shown.text.bytes);
		shown_clear(&shown);
	}
}

static const struct printer *const printers[] = {
	&pretty_printer, &json_printer, &ndjson_printer, &xml_printer, &csv_printer,
};

/* A chunk with those types, behind the ones that are there. */
static void begin_chunk(struct made *made)
{
	struct writer *writer = &made->writer;

	if (writer->buf.size == 0) {
		writer_describe(writer, make_jdk_types);
		writer_describe(writer, types);
	} else {
		cr_assert(!writer->is_open || writer_close(writer, NULL));
	}
	writer_open(writer, NULL);
	POOL(writer, "jdk.types.Symbol");
	CONSTANT(writer, 1, TEXT("run"));
	CONSTANT(writer, 2, TEXT("()V"));
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, 1, KEY(0), KEY(1), KEY(0), INT(0), BOOLEAN(0));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, 1, KEY(1), KEY(1), KEY(2), INT(0), BOOLEAN(0));
	POOL(writer, "jdk.types.StackTrace");
	for (int i = 1; i < 10; i++)
		CONSTANT(writer, (uint64_t)i, BOOLEAN(0), COUNT(1), KEY(1), INT(i),
			 INT(0), KEY(0));
}

/* Several chunks of events, whose times are often equal and not in order. */
static void make_many(struct made *made, int chunks, int events)
{
	srandom(7);
	for (int chunk = 0; chunk < chunks; chunk++) {
		begin_chunk(made);
		for (int i = 0; i < events; i++) {
			int64_t start = random() % 1000, duration = random() % 500;

			if (i % 3)
				EVENT(&made->writer, "test.Span", LONG(start),
				      LONG(duration), KEY(0), KEY(i % 12), INT(i));
			else
				EVENT(&made->writer, "test.Tick", LONG(start), INT(i));
		}
	}
	cr_assert(make_bytes(made));
}

Test(listing, is_the_same_on_any_number_of_threads)
{
	struct made made = { 0 };

	make_many(&made, 5, 2000);
	for (size_t i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
		struct shown one, many;

		show(&one, &made, &(struct show){ .printer = printers[i] });
		cr_assert(one.good && damage_is_none(&one.damage));
		cr_expect_gt(one.text.size, 5 * 2000 * 50);
		for (int threads = 2; threads <= 4; threads += 2) {
			show(&many, &made,
			     &(struct show){ .printer = printers[i],
					     .threads = threads });
			cr_expect(many.good);
			cr_assert_eq(one.text.size, many.text.size);
			cr_expect(memcmp(one.text.bytes, many.text.bytes,
					 one.text.size) == 0);
			shown_clear(&many);
		}
		shown_clear(&one);
	}
	make_clear(&made);
}

/* The values of all fields x in the order shown; no more than fit. */
static size_t numbers_of(const struct shown *shown, const char *label, int *numbers,
			 size_t room)
{
	struct str rest = { shown->text.bytes, shown->text.size }, line;
	size_t count = 0;

	while (count < room && str_split(&rest, '\n', &line)) {
		line = str_trim(line);
		if (str_starts(line, str_of(label)))
			numbers[count++] = (int)strtol(line.bytes + strlen(label), NULL,
						       10);
	}
	return count;
}

static void expect_order(const struct made *made, const struct show *how,
			 const char *label, const int *wanted, size_t count)
{
	struct shown shown;
	int numbers[32];

	show(&shown, made, how);
	cr_expect(shown.good && damage_is_none(&shown.damage));
	cr_assert_eq(numbers_of(&shown, label, numbers, 32), count);
	for (size_t i = 0; i < count; i++)
		cr_expect_eq(numbers[i], wanted[i], "%s, place %zu: %d", label, i,
			     numbers[i]);
	shown_clear(&shown);
}

Test(listing, is_ordered_by_time_over_all_or_within_each_chunk)
{
	static const int by_time[] = { 4, 2, 5, 3, 1 }, by_chunk[] = { 2, 3, 1, 4, 5 };
	struct made made = { 0 };

	begin_chunk(&made);
	EVENT(&made.writer, "test.Tick", LONG(50), INT(1));
	EVENT(&made.writer, "test.Tick", LONG(20), INT(2));
	EVENT(&made.writer, "test.Span", LONG(1), LONG(39), KEY(0), KEY(0), INT(3));
	begin_chunk(&made);
	EVENT(&made.writer, "test.Tick", LONG(10), INT(4));
	EVENT(&made.writer, "test.Tick", LONG(30), INT(5));
	cr_assert(make_bytes(&made));
	expect_order(&made, &(struct show){ 0 }, "x = ", by_time, 5);
	expect_order(&made, &(struct show){ .printer = &json_printer },
		     "\"x\": ", by_chunk, 5);
	expect_order(&made, &(struct show){ .printer = &xml_printer },
		     "<value name=\"x\">", by_chunk, 5);
	make_clear(&made);
}

/* Ties: a heap for people, the order of the file for programs. */
Test(listing, orders_equal_times_as_the_jdk_does)
{
	static const int by_heap[] = { 1, 6, 5, 4, 3, 2 },
			 by_place[] = { 1, 2, 3, 4, 5, 6 };
	struct made made = { 0 };

	begin_chunk(&made);
	for (int i = 1; i <= 6; i++)
		EVENT(&made.writer, "test.Tick", LONG(50), INT(i));
	cr_assert(make_bytes(&made));
	expect_order(&made, &(struct show){ 0 }, "x = ", by_heap, 6);
	expect_order(&made, &(struct show){ .printer = &json_printer },
		     "\"x\": ", by_place, 6);
	make_clear(&made);
}

/* More than fit into the window: the last ones come first, as they are the earliest. */
Test(listing, gives_up_order_beyond_a_million_events)
{
	enum { EVENTS = 1000004 };
	static const int first[] = {
		1000000, 1000001, 1000002, 1000003, 999999, 999998
	};
	struct made made = { 0 };
	struct shown shown;
	int numbers[6];

	begin_chunk(&made);
	for (int i = 0; i < EVENTS; i++)
		EVENT(&made.writer, "test.Tick", LONG(5000000 - i), INT(i));
	cr_assert(make_bytes(&made));
	show(&shown, &made, &(struct show){ .threads = 2 });
	cr_assert_eq(numbers_of(&shown, "x = ", numbers, 6), 6);
	for (size_t i = 0; i < 6; i++)
		cr_expect_eq(numbers[i], first[i], "place %zu: %d", i, numbers[i]);
	shown_clear(&shown);
	make_clear(&made);
}

Test(listing, shows_what_the_filter_takes)
{
	struct made made = { 0 };

	begin_chunk(&made);
	EVENT(&made.writer, "test.Tick", LONG(0), INT(1));
	EVENT(&made.writer, "test.Span", LONG(1), LONG(39), KEY(0), KEY(0), INT(3));
	cr_assert(make_bytes(&made));
#define TICK "test.Tick {\n  startTime = 00:00:00.000 (1970-01-01)\n  x = 1\n}\n\n"
	SHOWS(&made, TICK, .events = "Tick");
	SHOWS(&made, TICK, .events = "test.T*", .categories = "Uncategorized");
	SHOWS(&made, "", .events = "Tick", .categories = "JVM");
	SHOWS(&made, "", .events = "Nothing", .threads = 4);
	make_clear(&made);
}

Test(listing, of_a_recording_without_events_is_empty)
{
	struct made made = { 0 };

	begin_chunk(&made);
	begin_chunk(&made);
	cr_assert(make_bytes(&made));
	SHOWS(&made, "", 0);
	SHOWS(&made, "{\n  \"recording\": {\n    \"events\": []\n  }\n}",
	      .printer = &json_printer, .threads = 3);
	make_clear(&made);
}

/* One good event, three that are too short for their fields, a type nobody knows. */
Test(listing, leaves_out_damaged_events_and_counts_them)
{
	struct made made = { 0 };

	begin_chunk(&made);
	EVENT(&made.writer, "test.Span", LONG(0));
	EVENT(&made.writer, "test.Span", LONG(1), LONG(2), KEY(1));
	EVENT(&made.writer, "test.Tick", LONG(5), INT(42));
	EVENT(&made.writer, "test.Frame", TEXT_AS(STRING_UTF8, "x"));
	writer_event(&made.writer, 4711);
	cr_assert(make_bytes(&made));
	for (size_t i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
		for (int threads = 1; threads <= 4; threads++) {
			struct shown shown;

			show(&shown, &made,
			     &(struct show){ .printer = printers[i],
					     .threads = threads });
			cr_expect(shown.good);
			cr_expect_eq(shown_faults(&shown,
						  "an event does not fit its fields"),
				     3);
			cr_expect(memmem(shown.text.bytes, shown.text.size, "42", 2));
			cr_expect_null(
				memmem(shown.text.bytes, shown.text.size, "Span", 4));
			shown_clear(&shown);
		}
	}
	make_clear(&made);
}

/* Whichever events are left out, commas stand between those that are not. */
Test(listing, in_json_has_commas_between_the_events_that_are_shown)
{
	for (int bad = 0; bad < 8; bad++) {
		struct made made = { 0 };
		struct buf wanted = { 0 };

		begin_chunk(&made);
		buf_text(&wanted, "{\n  \"recording\": {\n    \"events\": [");
		for (int i = 0; i < 3; i++) {
			if (bad & 1 << i) {
				EVENT(&made.writer, "test.Text", LONG(0), BYTE(9));
				continue;
			}
			EVENT(&made.writer, "test.Text", LONG(0), TEXT("x"));
			buf_text(&wanted,
				 wanted.bytes[wanted.size - 1] == '[' ? "" : ", ");
			buf_text(&wanted, "{\n      \"type\": \"test.Text\", \n"
					  "      \"values\": {\n        \"startTime\": "
					  "\"1970-01-01T00:00Z\", \n        \"text\": "
					  "\"x\"\n      }\n    }");
		}
		buf_text(&wanted, "]\n  }\n}");
		buf_byte(&wanted, '\0');
		cr_assert(make_bytes(&made));
		expect_text(&made, wanted.bytes, bad);
		buf_clear(&wanted);
		make_clear(&made);
	}
}

/* Damage is told with its place in the file, not in the chunk. */
Test(listing, tells_where_the_first_damage_is)
{
	struct made made = { 0 };
	struct shown shown;
	struct fault *fault;
	size_t at;

	begin_chunk(&made);
	begin_chunk(&made);
	writer_end(&made.writer);
	at = made.writer.buf.size;
	EVENT(&made.writer, "test.Span", LONG(0));
	cr_assert(make_bytes(&made));
	show(&shown, &made, &(struct show){ 0 });
	cr_assert_eq(shown.damage.faults.count, 1);
	fault = &shown.damage.faults.items[0];
	cr_expect_str_eq(fault->type, "test.Span");
	cr_expect_eq(fault->first.chunk, 1);
	cr_expect_eq(fault->first.at, at);
	shown_clear(&shown);
	make_clear(&made);
}

Test(listing, goes_on_behind_the_place_where_framing_breaks)
{
	static const int numbers[] = { 1, 2, 3 };
	struct made made = { 0 };
	struct shown shown;
	int shown_numbers[4];

	begin_chunk(&made);
	EVENT(&made.writer, "test.Tick", LONG(1), INT(1));
	writer_end(&made.writer);
	buf_byte(&made.writer.buf, '\0'); /* an event of no size */
	EVENT(&made.writer, "test.Tick", LONG(2), INT(2));
	begin_chunk(&made);
	EVENT(&made.writer, "test.Tick", LONG(3), INT(3));
	cr_assert(make_bytes(&made));
	show(&shown, &made, &(struct show){ .threads = 2 });
	cr_expect(shown.good);
	cr_expect_eq(shown_faults(&shown, "an event has no size"), 1);
	cr_assert_eq(numbers_of(&shown, "x = ", shown_numbers, 4), 3);
	cr_expect_arr_eq(shown_numbers, numbers, sizeof(numbers));
	shown_clear(&shown);
	make_clear(&made);
}

/* A header that begins an hour later by the wall clock, but not by its ticks. */
static struct header another_jvm(void)
{
	struct header header = writer_header;

	header.start_nanos = INT64_C(3600000000000);
	return header;
}

/* The second of three chunks has no metadata, nor can any be lent to it. */
static void make_three(struct made *made)
{
	struct header header = another_jvm();
	struct made bare = { 0 };

	begin_chunk(made);
	EVENT(&made->writer, "test.Tick", LONG(1), INT(1));
	cr_assert(writer_close(&made->writer, NULL));
	bare.writer.metadata_id = 1;
	writer_open(&bare.writer, &header);
	writer_event(&bare.writer, 100);
	cr_assert(make_bytes(&bare));
	buf_add(&made->writer.buf, (const char *)bare.bytes, bare.size);
	make_clear(&bare);
	begin_chunk(made);
	EVENT(&made->writer, "test.Tick", LONG(3), INT(3));
	cr_assert(make_bytes(made));
}

Test(listing, leaves_out_a_chunk_that_cannot_be_opened)
{
	static const int numbers[] = { 1, 3 };
	struct made made = { 0 };
	struct shown shown;
	int shown_numbers[4];

	make_three(&made);
	for (size_t i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
		show(&shown, &made,
		     &(struct show){ .printer = printers[i], .threads = 2 });
		cr_expect(shown.good);
		cr_assert_eq(shown.damage.faults.count, 1);
		cr_expect_eq(shown_faults(&shown, "this chunk is left out"), 1);
		cr_expect_eq(shown.damage.faults.items[0].first.chunk, 1);
		cr_expect_eq(shown.err.kind, ERR_NONE);
		if (i == 0) {
			cr_assert_eq(numbers_of(&shown, "x = ", shown_numbers, 4), 2);
			cr_expect_arr_eq(shown_numbers, numbers, sizeof(numbers));
		}
		shown_clear(&shown);
	}
	make_clear(&made);
}

Test(listing, passes_over_what_is_no_chunk)
{
	static const int numbers[] = { 1, 2 };
	struct made made = { 0 };
	struct shown shown;
	int shown_numbers[4];

	begin_chunk(&made);
	EVENT(&made.writer, "test.Tick", LONG(1), INT(1));
	cr_assert(writer_close(&made.writer, NULL));
	buf_text(&made.writer.buf, "this is no chunk");
	begin_chunk(&made);
	made.writer.header.start_nanos = 1;	/* a header of zeros is not believed */
	EVENT(&made.writer, "test.Tick", LONG(2), INT(2));
	cr_assert(make_bytes(&made));
	show(&shown, &made, &(struct show){ 0 });
	cr_expect(shown.good);
	cr_expect_eq(shown_faults(&shown, "no chunk begins there"), 1);
	cr_expect_eq(shown.err.kind, ERR_NONE);
	cr_assert_eq(numbers_of(&shown, "x = ", shown_numbers, 4), 2);
	cr_expect_arr_eq(shown_numbers, numbers, sizeof(numbers));
	shown_clear(&shown);
	make_clear(&made);
}

Test(listing, fails_if_no_chunk_can_be_opened)
{
	struct made made = { 0 };
	struct shown shown;

	made.writer.metadata_id = 1;
	writer_open(&made.writer, NULL);
	cr_assert(make_bytes(&made));
	for (int i = 0; i < 2; i++) {
		show(&shown, &made, &(struct show){ .threads = 2 });
		cr_expect_not(shown.good);
		cr_expect_eq(shown.err.kind, ERR_FORMAT);
		cr_expect(strstr(shown.err.text, "chunk 1 at byte 0"), "%s",
			  shown.err.text);
		cr_expect_eq(shown.text.size, 0);
		shown_clear(&shown);
		made.bytes[0] = 'X';
	}
	make_clear(&made);
}

/* Small chunks in great number, so that some are under way when the output fails. */
Test(listing, gives_everything_back_when_the_output_fails)
{
	struct made made = { 0 };

	make_many(&made, 100, 30);
	for (int i = 0; i < 40; i++) {
		struct input input = { 0 };
		struct out out = { .fd = open("/dev/full", O_WRONLY | O_CLOEXEC) };
		struct filter filter = { 0 };
		struct listing_request request = {
			.input = &input,
			.filter = &filter,
			.printer = i % 2 ? &pretty_printer : &json_printer,
			.options = { .stack_depth = 5 },
			.threads = i / 10 + 1,
		};
		struct damage damage = { 0 };
		struct err err = { 0 };

		cr_assert(input_of_bytes(&input, made.bytes, made.size, "r"));
		cr_expect_not(listing_print(&request, &out, &damage, &err));
		cr_expect_eq(err.kind, ERR_NONE);
		cr_expect_eq(out.error, ENOSPC);
		cr_expect_not(out_close(&out, &err));
		cr_expect_eq(err.kind, ERR_SYSTEM);
		close(out.fd);
		damage_clear(&damage);
		input_close(&input);
	}
	make_clear(&made);
}
