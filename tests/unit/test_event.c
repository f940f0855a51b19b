#include <criterion/criterion.h>

#include "jfr/event.h"
#include "make.h"

static const struct schema_type types[] = {
	TYPE("a.E", "jdk.jfr.Event", FIELDS(START, FIELD("text", "java.lang.String"))),
	TYPE("a.Long", "jdk.jfr.Event", FIELDS(START, DURATION, FIELD("x", "int"))),
	TYPE("a.Turned", "jdk.jfr.Event",
	     FIELDS(FIELD("text", "java.lang.String"), DURATION, START)),
	TYPE("a.Timeless", "jdk.jfr.Event", FIELDS(FIELD("x", "int"))),
	TYPE("a.Strange", "jdk.jfr.Event",
	     FIELDS(FIELD("x", "int"), FIELD("startTime", "java.lang.String"),
		    FIELD("duration", "long", ARRAY))),
	TYPES_END,
};

/* Puts bytes where an event should be; broken framing needs no more. */
static void add_raw(struct made *made, const struct make_value *values)
{
	writer_end(&made->writer);
	make_values(&made->writer.buf, values);
}

Test(event, walks_over_all_that_stands_in_a_chunk)
{
	struct made made = { 0 };
	struct event_walk walk;
	struct event event;

	make_begin(&made, types);
	EVENT(&made.writer, "a.E", LONG(1), TEXT("x"));
	writer_metadata(&made.writer);
	EVENT(&made.writer, "a.Long", LONG(1), LONG(2), INT(3));
	writer_event(&made.writer, 4242);
	cr_assert(make_open(&made));
	walk = event_walk(&made.chunk, NULL);
	cr_assert(event_next(&walk, &event));
	cr_expect_eq(event.type, make_type(&made, "a.E"));
	cr_expect_eq(event.offset, HEADER_SIZE);
	cr_expect_eq(event.size, 6);
	cr_expect_eq(event.body, made.chunk.bytes + HEADER_SIZE + 2);
	cr_assert(event_next(&walk, &event));
	cr_expect(event.type_id == EVENT_METADATA && !event.type);
	cr_assert(event_next(&walk, &event));
	cr_expect_eq(event.type, make_type(&made, "a.Long"));
	cr_expect_eq(event_at(&made.chunk, event.offset).type, event.type);
	cr_assert(event_next(&walk, &event));
	cr_expect(event.type_id == 4242 && !event.type);
	cr_expect_not(event_next(&walk, &event));
	cr_expect_eq(walk.at, made.chunk.size);
	make_clear(&made);
}

Test(event, walk_says_where_framing_is_broken)
{
	const struct {
		const struct make_value *values;
		const char *fault;
	} cases[] = {
		{ VALUES(COUNT(0), COUNT(9)), "an event has no size" },
		{ VALUES(LONG(-1), COUNT(9)), "an event has no size" },
		{ VALUES(BYTES("\x80\x80\x80\x80\x80\x80\x80\x80"), BYTE(0), COUNT(9)),
		  "an event has no size" },
		{ VALUES(COUNT(1000), COUNT(9)),
		  "an event reaches past the end of its chunk" },
		{ VALUES(LONG(INT64_MAX), COUNT(9)),
		  "an event reaches past the end of its chunk" },
		{ VALUES(COUNT(2)), "an event is cut short by the end of its chunk" },
		{ VALUES(BYTE(0x80)), "an event is cut short by the end of its chunk" },
		{ VALUES(COUNT(2), BYTE(0x80)),
		  "an event is cut short by the end of its chunk" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made = { 0 };
		struct event_walk walk;
		struct event event;
		const struct fault *fault;
		size_t at;

		make_begin(&made, types);
		writer_metadata(&made.writer);
		EVENT(&made.writer, "a.E", LONG(1), TEXT("x"));
		at = writer_position(&made.writer);
		add_raw(&made, cases[i].values);
		cr_assert(make_open(&made));
		walk = event_walk(&made.chunk, &made.damage);
		cr_assert(event_next(&walk, &event) && event_next(&walk, &event));
		cr_expect_not(event_next(&walk, &event), "case %zu", i);
		cr_assert_eq(made.damage.faults.count, 1, "case %zu", i);
		fault = &made.damage.faults.items[0];
		cr_expect_str_eq(fault->cause, cases[i].fault, "case %zu: %s", i,
				 fault->cause);
		cr_expect_eq(fault->first.at, at);
		cr_expect_eq(walk.at, made.chunk.size);
		cr_expect_not(event_next(&walk, &event));
		cr_expect_eq(fault->count, 1);
		make_clear(&made);
	}
}

Test(event, may_be_longer_than_its_fields_but_not_shorter)
{
	struct value values[PROGRAM_VALUES_MAX];
	struct made made = { 0 };
	int64_t start, end;
	struct event event;

	make_begin(&made, types);
	EVENT(&made.writer, "a.E", LONG(1), TEXT("x"), BYTES("more than wanted"));
	EVENT(&made.writer, "a.E", LONG(1), BYTE(STRING_UTF8), COUNT(5), BYTES("shor"));
	EVENT(&made.writer, "a.E", LONG(1), BYTE(9));
	EVENT(&made.writer, "a.Long", LONG(1));
	EVENT(&made.writer, "a.Timeless", INT(-1));
	cr_assert(make_open(&made));
	cr_expect(make_decode(&made, 0, values));
	cr_expect(str_is(values[1].text, STR("x")));
	cr_expect_not(make_decode(&made, 1, values));
	cr_expect_not(make_decode(&made, 2, values));
	cr_expect_not(make_decode(&made, 3, values));
	event = make_nth(&made, 3);
	cr_expect_not(event_ticks(&made.chunk, &event, &start, &end));
	cr_expect(make_decode(&made, 4, values));
	make_clear(&made);
}

Test(event, may_be_too_short_even_for_its_own_type)
{
	struct value values[PROGRAM_VALUES_MAX];
	struct made made = { 0 };
	struct event_walk walk;
	struct event event;

	make_begin(&made, types);
	add_raw(&made, VALUES(COUNT(2), COUNT(writer_type(&made.writer, "a.E"))));
	/* Size one: what is read as its type belongs to the next event. */
	add_raw(&made, VALUES(COUNT(1)));
	add_raw(&made, VALUES(COUNT(writer_type(&made.writer, "a.E"))));
	EVENT(&made.writer, "a.E", LONG(7), TEXT("x"));
	cr_assert(make_open(&made));
	walk = event_walk(&made.chunk, NULL);
	cr_assert(event_next(&walk, &event));
	cr_assert(event.type);
	cr_expect_not(event_decode(&made.chunk, &event, values, &made.arena));
	cr_assert(event_next(&walk, &event));
	cr_assert(event.type);
	cr_expect_eq(event.size, 1);
	cr_expect_eq(event_cursor(&made.chunk, &event).at,
		     event_cursor(&made.chunk, &event).end);
	cr_expect_not(event_decode(&made.chunk, &event, values, &made.arena));
	make_clear(&made);
}

static void expect_ticks(const struct made *made, size_t index, int64_t start, int64_t end)
{
	struct event event = make_nth(made, index);
	int64_t found_start, found_end;

	cr_assert(event_ticks(&made->chunk, &event, &found_start, &found_end), "event %zu",
		  index);
	cr_expect_eq(found_start, start, "event %zu", index);
	cr_expect_eq(found_end, end, "event %zu", index);
}

Test(event, knows_its_ticks_wherever_they_stand)
{
	struct made made = { 0 };

	make_begin(&made, types);
	EVENT(&made.writer, "a.E", LONG(100), NO_TEXT);
	EVENT(&made.writer, "a.Long", LONG(100), LONG(5), INT(0));
	EVENT(&made.writer, "a.Long", LONG(INT64_MAX), LONG(1), INT(0));
	EVENT(&made.writer, "a.Turned", TEXT("text"), LONG(7), LONG(200));
	EVENT(&made.writer, "a.Timeless", INT(3));
	EVENT(&made.writer, "a.Strange", INT(3), TEXT("x"), COUNT(0));
	cr_assert(make_open(&made));
	expect_ticks(&made, 0, 100, 100);
	expect_ticks(&made, 1, 100, 105);
	expect_ticks(&made, 2, INT64_MAX, INT64_MIN);
	expect_ticks(&made, 3, 200, 207);
	expect_ticks(&made, 4, 0, 0);
	expect_ticks(&made, 5, 0, 0);
	make_clear(&made);
}

Test(event, of_a_broken_type_keeps_its_frame)
{
	struct value values[PROGRAM_VALUES_MAX];
	struct made made = { 0 };

	make_begin(&made, TYPES(TYPE("a.Self", NULL, FIELDS(FIELD("x", "a.Self"))),
				TYPE("a.E", "jdk.jfr.Event",
				     FIELDS(START, FIELD("x", "a.Self")))));
	EVENT(&made.writer, "a.E", LONG(1), INT(1));
	EVENT(&made.writer, "a.E", LONG(2), INT(1));
	cr_assert(make_open(&made));
	cr_expect(make_nth(&made, 1).type->program.is_broken);
	cr_expect_not(make_decode(&made, 1, values));
	make_clear(&made);
}

Test(event, can_be_read_from_any_field_on)
{
	struct made made = { 0 };
	struct cursor cursor;
	struct event event;

	make_begin(&made, types);
	EVENT(&made.writer, "a.Long", LONG(1), LONG(300));	/* x is missing */
	EVENT(&made.writer, "a.Long", LONG(1), BYTE(0x80));
	cr_assert(make_open(&made));
	event = make_nth(&made, 0);
	cr_assert(event_seek(&made.chunk, &event, event.type->start, &cursor));
	cr_expect_eq(cursor_varint(&cursor), 1);
	cr_assert(event_seek(&made.chunk, &event, event.type->duration, &cursor));
	cr_expect_eq(cursor_varint(&cursor), 300);
	cr_assert(event_seek(&made.chunk, &event, type_field(event.type, "x"), &cursor));
	cr_expect_eq(cursor_left(&cursor), 0);
	event = make_nth(&made, 1);
	cr_expect_not(event_seek(&made.chunk, &event, type_field(event.type, "x"), &cursor));
	make_clear(&made);
}

Test(event, tells_ticks_also_where_later_fields_are_missing)
{
	struct made made = { 0 };
	int64_t start, end;
	struct event event;

	make_begin(&made, TYPES(TYPE("a.Odd", "jdk.jfr.Event",
				     FIELDS(FIELD("text", "java.lang.String"), START,
					    DURATION, FIELD("x", "int")))));
	EVENT(&made.writer, "a.Odd", TEXT("t"), LONG(1), LONG(2));
	EVENT(&made.writer, "a.Odd", TEXT("t"), LONG(1));
	EVENT(&made.writer, "a.Odd", BYTE(9), LONG(1), LONG(2), INT(3));
	cr_assert(make_open(&made));
	expect_ticks(&made, 0, 1, 3);
	for (size_t i = 1; i < 3; i++) {
		event = make_nth(&made, i);
		cr_expect_not(event_ticks(&made.chunk, &event, &start, &end));
	}
	make_clear(&made);
}

/* "1 2 ?": the numbers of events a.Timeless, "?" for one of an unknown type. */
static void expect_walk(struct made *made, const char *wanted, uint64_t faults, int line)
{
	struct event_walk walk = event_walk(&made->chunk, &made->damage);
	struct value values[PROGRAM_VALUES_MAX];
	struct buf told = { 0 };
	struct event event;
	uint64_t count = 0;

	while (event_next(&walk, &event)) {
		if (event.type_id <= EVENT_CHECKPOINT)
			continue;
		buf_text(&told, told.size ? " " : "");
		if (!event.type)
			buf_byte(&told, '?');
		else if (event_decode(&made->chunk, &event, values, &made->arena))
			buf_printf(&told, "%d", (int)values[0].number);
	}
	buf_byte(&told, '\0');
	for (size_t i = 0; i < made->damage.faults.count; i++)
		count += made->damage.faults.items[i].count;
	cr_expect_str_eq(told.bytes, wanted, "line %d: %s", line, told.bytes);
	cr_expect_eq(count, faults, "line %d: %d faults", line, (int)count);
	buf_clear(&told);
}

static void add_number(struct made *made, int number)
{
	EVENT(&made->writer, "a.Timeless", INT(number));
}

Test(event, of_an_unknown_type_counts_if_it_leads_to_others)
{
	const struct make_value *const unknown = VALUES(COUNT(4), LONG(77), LONG(33), BYTE(55));
	static const struct {
		int unknown;		/* in a row */
		bool is_broken_behind;
		const char *wanted;
	} cases[] = {
		{ 1, false, "1 ? 2 3" },
		{ 1, true, "1 2 3" },
		{ 3, false, "1 ? ? ? 2 3" },
		{ 3, true, "1 2 3" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made = { 0 };

		make_begin(&made, types);
		writer_metadata(&made.writer);
		add_number(&made, 1);
		for (int k = 0; k < cases[i].unknown; k++)
			add_raw(&made, unknown);
		if (cases[i].is_broken_behind)
			add_raw(&made, VALUES(COUNT(0), LONG(77), LONG(99)));
		add_number(&made, 2);
		add_number(&made, 3);
		cr_assert(make_open(&made));
		expect_walk(&made, cases[i].wanted, cases[i].is_broken_behind, __LINE__);
		make_clear(&made);
	}
}

/* Behind what was flushed may stand anything, and nothing of it is a loss. */
Test(event, walk_ends_where_an_unfinished_chunk_does)
{
	struct made made = { 0 };
	size_t flushed;

	make_begin(&made, types);
	writer_metadata(&made.writer);
	add_number(&made, 1);
	add_raw(&made, VALUES(COUNT(0)));
	add_number(&made, 2);
	writer_end(&made.writer);
	flushed = made.writer.buf.size;
	add_number(&made, 3);
	add_raw(&made, VALUES(COUNT(0), LONG(0)));
	add_number(&made, 4);
	cr_assert(make_bytes(&made));
	made.bytes[STATE_AT] = 9;
	make_number(made.bytes, CHUNK_SIZE_AT, (int64_t)flushed);
	made.chunk.block = (struct block){ .bytes = made.bytes, .size = made.size };
	cr_assert(chunk_open(&made.chunk, &made.damage, &made.err), "%s", made.err.text);
	expect_walk(&made, "1 2 3", 1, __LINE__);
	cr_expect_str_eq(made.damage.faults.items[0].detail, "1 bytes are stepped over");
	make_clear(&made);
}

/* Nothing but faults: all of the work is bounded, and it ends. */
Test(event, walk_takes_bounded_effort)
{
	struct made made = { 0 };
	struct event_walk walk;
	struct event event;
	size_t count = 0;

	make_begin(&made, types);
	writer_metadata(&made.writer);
	writer_end(&made.writer);
	for (int i = 0; i < 200000; i++)
		buf_byte(&made.writer.buf, (char)(i % 3 ? 0xf0 : 101));
	cr_assert(make_open(&made));
	walk = event_walk(&made.chunk, &made.damage);
	while (event_next(&walk, &event))
		count++;
	cr_expect_eq(walk.at, made.chunk.size);
	cr_expect_lt(count, (size_t)10);
	make_clear(&made);
}
