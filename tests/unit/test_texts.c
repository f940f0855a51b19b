#include <criterion/criterion.h>

#include "jfr/texts.h"
#include "make.h"

#define STRING "java.lang.String"

static const struct schema_type types[] = {
	TYPE("a.Leaf", NULL, FIELDS(FIELD("text", STRING), FIELD("x", "int"))),
	TYPE("a.Tree", NULL, FIELDS(FIELD("children", "a.Tree", ARRAY))),
	TYPE("a.Empty", "jdk.jfr.Event"),
	TYPE("a.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("z", "boolean"), FIELD("d", "double"),
		    FIELD("text", STRING), FIELD("texts", STRING, ARRAY),
		    FIELD("leaves", "a.Leaf", ARRAY), FIELD("numbers", "int", ARRAY),
		    FIELD("empties", "a.Empty", ARRAY), FIELD("leaf", "a.Leaf", POOLED),
		    FIELD("last", STRING))),
	TYPE("a.T", "jdk.jfr.Event", FIELDS(START, FIELD("tree", "a.Tree"))),
	TYPES_END,
};

static struct made made;

static void begin(void)
{
	made = (struct made){ 0 };
	make_begin(&made, types);
}

static void end(void)
{
	make_clear(&made);
}

TestSuite(texts, .init = begin, .fini = end);

#define TEXT_OF(text_) MAKE(MAKE_TEXT, .text = str_of(text_))

static void add(const char *first, const char *second, const char *third,
		const char *last)
{
	EVENT(&made.writer, "a.E", LONG(1), BOOLEAN(true), DOUBLE(1), TEXT_OF(first),
	      COUNT(2), NO_TEXT, TEXT_OF(second), COUNT(2), TEXT("\u00e9"), INT(-1),
	      TEXT_OF(third), INT(2), COUNT(2), INT(300), INT(-2), COUNT(2), KEY(7),
	      TEXT_OF(last));
}

/* Of so many of the event's last bytes nothing is there. */
static bool is_good(size_t nth, size_t missing)
{
	struct event event = make_nth(&made, nth);
	struct cursor cursor = event_cursor(&made.chunk, &event);
	bool is_so;

	cr_assert_leq(missing, cursor_left(&cursor));
	cursor.end -= missing;
	is_so = texts_check(&event.type->program, &cursor);
	cr_expect(!is_so || cursor_left(&cursor) == 0);
	return is_so;
}

Test(texts, are_found_wherever_they_are)
{
	add("a", "b", "c", "\xed\xa0\xbc");
	add("\xff", "b", "c", "d");
	add("a", "b\x80", "c", "d");
	add("a", "b", "\xc3(", "d");
	add("a", "b", "c", "dd\xe2\x82");
	cr_assert(make_open(&made), "%s", made.err.text);
	cr_expect(is_good(0, 0));
	for (size_t i = 1; i < 5; i++)
		cr_expect_not(is_good(i, 0), "%zu", i);
}

Test(texts, are_bounded_by_the_bytes)
{
	struct event event;

	add("a", "b", "c", "d");
	cr_assert(make_open(&made), "%s", made.err.text);
	event = make_nth(&made, 0);
	for (size_t i = 1; i < event.size - 2; i++)
		cr_expect_not(is_good(0, i), "%zu", i);
}

Test(texts, are_no_keys)
{
	EVENT(&made.writer, "a.E", LONG(1), BOOLEAN(true), DOUBLE(1), TEXT_KEY(1),
	      COUNT(0), COUNT(0), COUNT(0), COUNT(0), KEY(0), NO_TEXT);
	EVENT(&made.writer, "a.E", LONG(1), BOOLEAN(true), DOUBLE(1), TEXT(""), COUNT(0),
	      COUNT(0), COUNT(0), COUNT(0), KEY(0), NO_TEXT);
	cr_assert(make_open(&made), "%s", made.err.text);
	cr_expect_not(is_good(0, 0));
	cr_expect(is_good(1, 0));
}

Test(texts, are_not_in_arrays_that_cannot_be)
{
	static const int32_t counts[] = { -1, INT32_MAX, 100 };

	for (size_t i = 0; i < 3; i++)
		EVENT(&made.writer, "a.T", LONG(1), COUNT(counts[i]));
	writer_event(&made.writer, writer_type(&made.writer, "a.T"));
	encode_long(&made.writer.buf, 1);
	for (int i = 0; i < 10000; i++)
		encode_varint(&made.writer.buf, 1);
	encode_varint(&made.writer.buf, 0);
	cr_assert(make_open(&made));
	for (size_t i = 0; i < 4; i++)
		cr_expect_not(is_good(i, 0), "%zu", i);
}
