#include <criterion/criterion.h>
#include <math.h>

#include "jfr/value.h"
#include "make.h"

#define FFFD "\xef\xbf\xbd"

/* Strings as they may stand in a file, and the text they are. */
static const struct {
	const char *bytes;
	size_t size;
	const char *text;	/* NULL: Java's null */
} strings[] = {
#define CASE(bytes, text) { bytes, sizeof(bytes) - 1, text }
	CASE("\0", NULL),
	CASE("\1", ""),
	CASE("\3\0", ""),
	CASE("\3\3abc", "abc"),
	CASE("\3\5h\xc3\xa9ll", "h\xc3\xa9ll"),
	CASE("\3\4\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"),
	/* HotSpot's own UTF-8: NUL in two bytes, surrogates in three each */
	CASE("\3\3a\xc0\x80", "a" FFFD FFFD),
	CASE("\3\6\xed\xa0\xbd\xed\xb8\x80", FFFD FFFD),
	CASE("\3\2\xff\xfe", FFFD FFFD),
	CASE("\3\2\xe2\x82", FFFD),
	CASE("\4\0", ""),
	CASE("\4\2hi", "hi"),
	CASE("\4\1\xe9\1", "\xc3\xa9"),
	CASE("\4\2\xbd\xb0\3\x80\xbc\3", "\xf0\x9f\x98\x80"),
	/* unpaired surrogates stay what they are */
	CASE("\4\1\xbd\xb0\3", "\xed\xa0\xbd"),
	CASE("\4\3\x80\xbc\3x\xbd\xb0\3", "\xed\xb8\x80x\xed\xa0\xbd"),
	/* a unit wider than 16 bits is cut, as Java's cast to char does */
	CASE("\4\1\xc1\x80\x04", "A"),
	CASE("\5\0", ""),
	CASE("\5\3abc", "abc"),
	CASE("\5\2h\xe9", "h\xc3\xa9"),
	CASE("\5\1\xff", "\xc3\xbf"),
	/* sizes may be padded */
	CASE("\3\x82\x80\x80\0ab", "ab"),
#undef CASE
};

/* All of the bytes, in memory that ends where they do. */
static bool read_string(const char *bytes, size_t size, struct str *text,
			struct arena *arena)
{
	struct buf buf = { 0 };
	struct cursor cursor;
	bool good;

	buf_add(&buf, bytes, size);
	cursor = make_cursor(&buf);
	good = value_string(&cursor, NULL, text, arena);
	cr_expect_eq(good, !cursor.bad);
	cr_expect(!good || cursor_left(&cursor) == 0);
	/* Text may borrow from the bytes. */
	if (good && text->bytes)
		text->bytes = arena_copy(arena, text->bytes, text->size);
	buf_clear(&buf);
	return good;
}

Test(value, reads_strings_of_all_encodings)
{
	struct arena arena = { 0 };

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		struct str text;

		cr_assert(read_string(strings[i].bytes, strings[i].size, &text, &arena),
			  "case %zu", i);
		cr_expect_eq(text.bytes == NULL, strings[i].text == NULL, "case %zu", i);
		cr_expect(str_is(text, str_of(strings[i].text)), "case %zu: %.*s", i,
			  (int)text.size, text.bytes);
	}
	arena_clear(&arena);
}

Test(value, refuses_strings_that_are_cut_anywhere)
{
	struct arena arena = { 0 };

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		struct str text;

		for (size_t size = 0; size < strings[i].size; size++)
			cr_expect_not(read_string(strings[i].bytes, size, &text, &arena),
				      "case %zu, %zu bytes", i, size);
	}
	arena_clear(&arena);
}

Test(value, refuses_strings_that_are_none)
{
	static const struct str cases[] = {
		STR("\6"), STR("\xff"), STR("\x80"),
		STR("\3\xff\xff\xff\xff\7abc"),		  /* 2 GB */
		STR("\3\xff\xff\xff\xff\xf"),		  /* -1 */
		STR("\5\xff\xff\xff\xff\xf"),
		STR("\4\xff\xff\xff\xff\xf"),
		STR("\4\xff\xff\xff\xff\7abc"),
		STR("\4\3\xff\xff"),
	};
	struct arena arena = { 0 };
	struct str text;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_not(read_string(cases[i].bytes, cases[i].size, &text, &arena),
			      "case %zu", i);
	arena_clear(&arena);
}

/* An event type with one field of each kind, and an event of it. */
static const struct schema_type all[] = {
	TYPE("a.Empty", "jdk.jfr.Event"),
	TYPE("a.Pair", NULL, FIELDS(FIELD("key", "a.Pair", POOLED), FIELD("c", "char"))),
	TYPE("a.Tree", NULL,
	     FIELDS(FIELD("label", "java.lang.String"), FIELD("children", "a.Tree", ARRAY))),
	TYPE("a.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("z", "boolean"), FIELD("b", "byte"), FIELD("s", "short"),
		    FIELD("c", "char"), FIELD("i", "int"), FIELD("j", "long"),
		    FIELD("f", "float"), FIELD("d", "double"),
		    FIELD("t", "java.lang.String"), FIELD("pair", "a.Pair"),
		    FIELD("pairs", "a.Pair", ARRAY), FIELD("keys", "a.Pair", ARRAY, POOLED),
		    FIELD("texts", "java.lang.String", ARRAY), FIELD("tree", "a.Tree"))),
	TYPE("a.Empties", "jdk.jfr.Event", FIELDS(START, FIELD("x", "a.Empty", ARRAY))),
	TYPE("a.Last", "jdk.jfr.Event", FIELDS(START, FIELD("tree", "a.Tree"))),
	TYPES_END,
};

static void write_all(struct writer *writer)
{
	EVENT(writer, "a.E", LONG(1), BOOLEAN(2), BYTE(-3), SHORT(-4), CHAR(0xfffe), INT(-5),
	      LONG(INT64_MIN), FLOAT(1.5), DOUBLE(-INFINITY), TEXT("text"),
	      KEY(-7), CHAR('x'),
	      COUNT(2), KEY(1), CHAR('a'), KEY(2), CHAR('b'),
	      COUNT(3), KEY(0), KEY(-1), KEY(5),
	      COUNT(2), NO_TEXT, TEXT_KEY(9),
	      TEXT("root"), COUNT(1), TEXT("leaf"), COUNT(0));
}

Test(value, has_the_width_of_its_type)
{
	static const int64_t numbers[] = { 1, 1, -3, -4, 0xfffe, -5, INT64_MIN };
	struct value values[PROGRAM_VALUES_MAX];
	struct made made = { 0 };

	make_begin(&made, all);
	write_all(&made.writer);
	/* wider than their types: cut, as Java's casts do */
	EVENT(&made.writer, "a.E", LONG(1), BYTE(0), BYTE(0x80), LONG(0x18000), LONG(0x1ffff),
	      LONG(0x180000000), LONG(0), FLOAT(0), DOUBLE(0), NO_TEXT, KEY(0), CHAR(0),
	      COUNT(0), COUNT(0), COUNT(0), NO_TEXT, COUNT(0));
	cr_assert(make_open(&made), "%s", made.err.text);
	cr_assert(make_decode(&made, 0, values));
	for (size_t i = 0; i < 7; i++)
		cr_expect_eq(values[i].number, numbers[i], "value %zu", i);
	cr_expect_eq(values[7].real, 1.5);
	cr_expect_eq(values[8].real, -INFINITY);
	cr_expect(str_is(values[9].text, STR("text")));
	cr_expect_eq(values[10].number, -7);
	cr_expect_eq(values[11].number, 'x');
	cr_assert(make_decode(&made, 1, values));
	cr_expect_eq(values[2].number, -128);
	cr_expect_eq(values[3].number, -32768);
	cr_expect_eq(values[4].number, 0xffff);
	cr_expect_eq(values[5].number, INT32_MIN);
	make_clear(&made);
}

Test(value, keeps_arrays_for_later)
{
	struct value values[PROGRAM_VALUES_MAX], inner[2];
	struct made made = { 0 };
	struct cursor cursor;
	const struct op *ops;

	make_begin(&made, all);
	write_all(&made.writer);
	cr_assert(make_open(&made));
	ops = make_type(&made, "a.E")->program.ops;
	cr_assert(make_decode(&made, 0, values));
	cr_expect_eq(values[12].count, 2);
	cr_expect_eq(values[12].size, 4);
	cursor = cursor_of(values[12].elements, values[12].size);
	cr_assert(value_decode(ops[12].element, &cursor, NULL, inner, &made.arena));
	cr_assert(value_decode(ops[12].element, &cursor, NULL, inner, &made.arena));
	cr_expect_eq(inner[0].number, 2);
	cr_expect_eq(inner[1].number, 'b');
	cr_expect_eq(values[13].count, 3);
	cr_expect_eq(values[14].count, 2);
	cr_expect(str_is(values[15].text, STR("root")));
	cr_expect_eq(values[16].count, 1);
	make_clear(&made);
}

Test(value, is_skipped_as_far_as_it_is_decoded)
{
	struct value values[PROGRAM_VALUES_MAX];
	struct made made = { 0 };
	const struct type *type;
	struct event event;
	size_t size;

	make_begin(&made, all);
	write_all(&made.writer);
	cr_assert(make_open(&made));
	event = make_nth(&made, 0);
	type = event.type;
	size = (size_t)(made.chunk.bytes + event.offset + event.size - event.body);
	for (size_t i = 0; i <= size; i++) {
		struct buf buf = { 0 };
		struct cursor skipping, decoding;

		buf_add(&buf, event.body, i);
		skipping = decoding = make_cursor(&buf);
		cr_expect_eq(value_skip(&type->program, &skipping), i == size);
		cr_expect_eq(value_decode(&type->program, &decoding, NULL, values,
					  &made.arena), i == size);
		cr_expect_eq(skipping.at, decoding.at);
		buf_clear(&buf);
	}
	make_clear(&made);
}

Test(value, refuses_arrays_larger_than_the_bytes_left)
{
	static const int32_t counts[] = { -1, INT32_MIN, INT32_MAX, 1000 };
	struct value values[PROGRAM_VALUES_MAX];

	for (size_t i = 0; i < 4; i++) {
		struct made made = { 0 };

		make_begin(&made, all);
		EVENT(&made.writer, "a.Last", LONG(1), TEXT("x"), COUNT(counts[i]));
		/* Elements of no bytes at all are still counted. */
		EVENT(&made.writer, "a.Empties", LONG(1), COUNT(counts[i]));
		cr_assert(make_open(&made));
		cr_expect_not(make_decode(&made, 0, values));
		cr_expect_not(make_decode(&made, 1, values));
		make_clear(&made);
	}
}

Test(value, stops_at_arrays_too_deep_inside_each_other)
{
	struct value values[PROGRAM_VALUES_MAX];
	struct made made = { 0 };

	make_begin(&made, all);
	for (int depth = 50; depth <= 5000; depth += 4950) {
		writer_event(&made.writer, writer_type(&made.writer, "a.Last"));
		encode_long(&made.writer.buf, 1);
		for (int i = 0; i < depth; i++)
			make_values(&made.writer.buf, VALUES(NO_TEXT, COUNT(1)));
		make_values(&made.writer.buf, VALUES(NO_TEXT, COUNT(0)));
	}
	cr_assert(make_open(&made));
	cr_expect(make_decode(&made, 0, values));
	cr_expect_not(make_decode(&made, 1, values));
	make_clear(&made);
}

Test(value, looks_up_pooled_strings)
{
	static const char *const texts[] = { "pooled", NULL, NULL, NULL, "" };
	struct value values[2];
	struct made made = { 0 };

	make_begin(&made, TYPES(TYPE("a.E", "jdk.jfr.Event",
				     FIELDS(START, FIELD("t", "java.lang.String")))));
	EVENT(&made.writer, "a.E", LONG(1), TEXT_KEY(INT64_MIN));
	EVENT(&made.writer, "a.E", LONG(1), TEXT_KEY(2));	/* null itself */
	EVENT(&made.writer, "a.E", LONG(1), TEXT_KEY(3));	/* there is none */
	EVENT(&made.writer, "a.E", LONG(1), TEXT_KEY(4));	/* refers to itself */
	EVENT(&made.writer, "a.E", LONG(1), TEXT_KEY(0));
	POOL(&made.writer, "java.lang.String");
	CONSTANT(&made.writer, (uint64_t)INT64_MIN, TEXT_AS(STRING_LATIN1, "pooled"));
	CONSTANT(&made.writer, 2, NO_TEXT);
	CONSTANT(&made.writer, 4, TEXT_KEY(4));
	CONSTANT(&made.writer, 0, TEXT(""));
	cr_assert(make_open(&made));
	for (size_t i = 0; i < 5; i++) {
		cr_assert(make_decode(&made, i, values));
		cr_expect_eq(values[1].text.bytes == NULL, texts[i] == NULL, "event %zu", i);
		cr_expect(str_is(values[1].text, str_of(texts[i])));
	}
	make_clear(&made);
}

Test(value, of_a_broken_type_is_never_decoded)
{
	const struct program broken = { .is_broken = true };
	struct cursor cursor = cursor_of((const unsigned char *)"abc", 3);
	struct arena arena = { 0 };
	struct value value;

	cr_expect_not(value_decode(&broken, &cursor, NULL, &value, &arena));
	cr_expect_not(value_skip(&broken, &cursor));
	cr_expect(cursor.bad);
}
