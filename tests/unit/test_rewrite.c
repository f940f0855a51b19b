#include <criterion/criterion.h>
#include <stdio.h>

#include "jfr/measure.h"
#include "jfr/rewrite.h"
#include "make.h"

#define STRING "java.lang.String"

static const struct schema_type types[] = {
	TYPE("a.Inner", NULL,
	     FIELDS(FIELD("leaf", "a.Leaf", POOLED), FIELD("x", "int"))),
	TYPE("a.Leaf", NULL, FIELDS(FIELD("text", STRING))),
	TYPE("a.Node", NULL,
	     FIELDS(FIELD("next", "a.Node", POOLED), FIELD("leaf", "a.Leaf", POOLED),
		    FIELD("inners", "a.Inner", ARRAY))),
	TYPE("a.Tree", NULL,
	     FIELDS(FIELD("leaf", "a.Leaf", POOLED),
		    FIELD("children", "a.Tree", ARRAY))),
	TYPE("a.Span", NULL, FIELDS(FIELD("ticks", "int")), .is_simple = true),
	TYPE("a.Words", NULL, FIELDS(FIELD("words", STRING, ARRAY)), .is_simple = true),
	TYPE("a.Empty", "jdk.jfr.Event"),
	TYPE("a.Keys", "jdk.jfr.Event",
	     FIELDS(START, FIELD("z", "boolean"), FIELD("d", "double"),
		    FIELD("f", "float"), FIELD("node", "a.Node", POOLED),
		    FIELD("text", STRING), FIELD("texts", STRING, ARRAY),
		    FIELD("inner", "a.Inner"), FIELD("nodes", "a.Node", ARRAY, POOLED),
		    FIELD("tree", "a.Tree"), FIELD("empties", "a.Empty", ARRAY),
		    FIELD("last", "a.Leaf", POOLED))),
	TYPE("a.Start", "jdk.jfr.Event", FIELDS(START, FIELD("n", "int"))),
	TYPE("a.Times", "jdk.jfr.Event",
	     FIELDS(START, DURATION, FIELD("b", "byte", SPAN),
		    FIELD("s", "short", SPAN), FIELD("c", "char", SPAN),
		    FIELD("i", "int", TICKS), FIELD("n", "int"),
		    FIELD("many", "long", SPAN, ARRAY), FIELD("simple", "a.Span", SPAN),
		    FIELD("simples", "a.Span", SPAN, ARRAY), FIELD("l", "long", SPAN),
		    FIELD("rest", "long"))),
	TYPE("a.Texts", "jdk.jfr.Event",
	     FIELDS(START, FIELD("text", STRING), FIELD("texts", STRING, ARRAY),
		    FIELD("words", "a.Words"), FIELD("many", "a.Words", ARRAY),
		    FIELD("n", "int"))),
	TYPES_END,
};

/* What a rewrite was asked about, and gives. */
struct asked {
	char text[800];
	size_t size;
	int calls;
};

static void note(struct asked *asked, struct str what, long long number)
{
	asked->calls++;
	asked->size += (size_t)snprintf(
		asked->text + asked->size, sizeof(asked->text) - asked->size,
		"%.*s %lld, ", (int)what.size, what.bytes, number);
}

/* Every second key becomes another one, of another width. */
static uint64_t change_key(void *context, const struct type *type, uint64_t key)
{
	struct asked *asked = context;

	note(asked, type_simple_name(type), (long long)key);
	return asked->calls % 2 ? key : key + (1 << 20);
}

static int64_t change_ticks(void *context, const struct rewrite_place *place,
			    int64_t ticks)
{
	cr_assert(place->field);
	cr_expect_eq(place->field, type_named_field(place->owner, place->field->name));
	note(context, place->field->name, ticks);
	return ticks == 5 ? 5 : -ticks;
}

static bool is_ticks(void *context, const struct rewrite_place *place)
{
	(void)context;
	return unit_is_ticks(place->field->unit);
}

static bool change_text(void *context, const struct rewrite_place *place,
			struct str *text)
{
	note(context, place->field ? place->field->name : STR("-"), 0);
	note(context, *text, 0);
	if (str_is(*text, STR("stay")))
		return false;
	*text = STR("new");
	return true;
}

static bool is_leaf(void *context, const struct type *type)
{
	(void)context;
	return str_is(type->name, STR("a.Leaf"));
}

/* Event number `nth`, rewritten, must be the values; what was asked is in `asked`. */
static void expect(struct made *made, struct rewrite *rewrite, size_t nth,
		   const struct make_value *values)
{
	struct event event = make_nth(made, nth);
	struct cursor cursor = event_cursor(&made->chunk, &event);
	struct buf to = { 0 }, wanted = { 0 };

	make_values(&wanted, values);
	cr_assert(rewrite_open(rewrite, &made->chunk));
	cr_expect(rewrite_concerns(rewrite, event.type));
	cr_expect(rewrite_value(rewrite, event.type, &cursor, &to));
	cr_expect_eq(cursor_left(&cursor), 0);
	cr_expect_eq(to.size, wanted.size);
	cr_expect_arr_eq(to.bytes, wanted.bytes, wanted.size);
	rewrite_close(rewrite);
	buf_clear(&wanted);
	buf_clear(&to);
}

static void write_keys(struct writer *writer)
{
	EVENT(writer, "a.Keys", LONG(1), BOOLEAN(true), DOUBLE(1), FLOAT(2), KEY(1),
	      TEXT_KEY(2), COUNT(3), TEXT("\2\2"), TEXT_KEY(3), NO_TEXT, KEY(4),
	      INT(-1), COUNT(2), KEY(5), KEY(6), KEY(7), COUNT(2), KEY(8), COUNT(0),
	      KEY(9), COUNT(1), KEY(10), COUNT(0), COUNT(2), KEY(-11), BYTES("more"));
}

Test(rewrite, replaces_keys_and_copies_the_rest)
{
	struct made made = { 0 };
	struct asked asked = { .size = 0 };
	struct rewrite rewrite = { .key = change_key, .context = &asked };
	int64_t much = 1 << 20;

	make_begin(&made, types);
	write_keys(&made.writer);
	cr_assert(make_open(&made), "%s", made.err.text);
	expect(&made, &rewrite, 0,
	       VALUES(LONG(1), BOOLEAN(true), DOUBLE(1), FLOAT(2), KEY(1),
		      TEXT_KEY(2 + much), COUNT(3), TEXT("\2\2"), TEXT_KEY(3), NO_TEXT,
		      KEY(4 + much), INT(-1), COUNT(2), KEY(5), KEY(6 + much), KEY(7),
		      COUNT(2), KEY(8 + much), COUNT(0), KEY(9), COUNT(1),
		      KEY(10 + much), COUNT(0), COUNT(2), KEY(-11), BYTES("more")));
	cr_expect_str_eq(asked.text,
			 "Node 1, String 2, String 3, Leaf 4, Node 5, Node 6, Leaf 7, "
			 "Leaf 8, Leaf 9, Leaf 10, Leaf -11, ");
	make_clear(&made);
}

Test(rewrite, asks_only_for_keys_of_some_types)
{
	struct made made = { 0 };
	struct asked asked = { .size = 0 };
	struct rewrite rewrite = { .key = change_key,
				   .has_key = is_leaf,
				   .context = &asked };
	int64_t much = 1 << 20;

	make_begin(&made, types);
	write_keys(&made.writer);
	cr_assert(make_open(&made), "%s", made.err.text);
	expect(&made, &rewrite, 0,
	       VALUES(LONG(1), BOOLEAN(true), DOUBLE(1), FLOAT(2), KEY(1), TEXT_KEY(2),
		      COUNT(3), TEXT("\2\2"), TEXT_KEY(3), NO_TEXT, KEY(4), INT(-1),
		      COUNT(2), KEY(5), KEY(6), KEY(7 + much), COUNT(2), KEY(8),
		      COUNT(0), KEY(9 + much), COUNT(1), KEY(10), COUNT(0), COUNT(2),
		      KEY(-11 + much), BYTES("more")));
	cr_expect_str_eq(asked.text,
			 "Leaf 4, Leaf 7, Leaf 8, Leaf 9, Leaf 10, Leaf -11, ");
	make_clear(&made);
}

Test(rewrite, replaces_numbers_in_their_width)
{
	struct made made = { 0 };
	struct asked asked = { .size = 0 };
	struct rewrite rewrite = { .number = change_ticks,
				   .has_number = is_ticks,
				   .context = &asked };

	make_begin(&made, types);
	EVENT(&made.writer, "a.Times", LONG(1000), LONG(5), BYTE(-7), SHORT(-8),
	      CHAR(9), INT(-10), INT(11), COUNT(3), LONG(12), LONG(5), LONG(-13),
	      INT(14), COUNT(2), INT(15), INT(16), LONG(-17), LONG(18));
	cr_assert(make_open(&made), "%s", made.err.text);
	expect(&made, &rewrite, 0,
	       VALUES(LONG(-1000), LONG(5), BYTE(7), SHORT(8), CHAR(-9), INT(10),
		      INT(11), COUNT(3), LONG(-12), LONG(5), LONG(13), INT(-14),
		      COUNT(2), INT(-15), INT(-16), LONG(17), LONG(18)));
	cr_expect_str_eq(
		asked.text,
		"startTime 1000, duration 5, b -7, s -8, c 9, i -10, many 12, many 5, "
		"many -13, simple 14, simples 15, simples 16, l -17, ");
	make_clear(&made);
}

Test(rewrite, replaces_texts_that_lie_in_the_value)
{
	struct made made = { 0 };
	struct asked asked = { .size = 0 };
	struct rewrite rewrite = { .text = change_text, .context = &asked };

	make_begin(&made, types);
	EVENT(&made.writer, "a.Texts", LONG(1), TEXT_AS(STRING_LATIN1, "\xc3\xa9"),
	      COUNT(5), TEXT("stay"), TEXT_KEY(3), NO_TEXT, TEXT(""),
	      TEXT_AS(STRING_CHARS, "ab"), COUNT(1), TEXT("w"), COUNT(2), COUNT(1),
	      TEXT("x"), COUNT(0), INT(7));
	cr_assert(make_open(&made), "%s", made.err.text);
	expect(&made, &rewrite, 0,
	       VALUES(LONG(1), TEXT("new"), COUNT(5), TEXT("stay"), TEXT_KEY(3),
		      NO_TEXT, TEXT("new"), TEXT("new"), COUNT(1), TEXT("new"),
		      COUNT(2), COUNT(1), TEXT("new"), COUNT(0), INT(7)));
	cr_expect_str_eq(
		asked.text,
		"text 0, \xc3\xa9 0, texts 0, stay 0, texts 0,  0, texts 0, ab 0, "
		"words 0, w 0, words 0, x 0, ");
	make_clear(&made);
}

Test(rewrite, replaces_the_text_of_a_string_that_is_a_constant)
{
	struct made made = { 0 };
	struct asked asked = { .size = 0 };
	struct rewrite rewrite = { .text = change_text, .context = &asked };
	const struct pool *pool;
	struct buf to = { 0 };
	struct cursor cursor;

	make_begin(&made, types);
	EVENT(&made.writer, "a.Empty", BYTE(0));
	POOL(&made.writer, STRING);
	CONSTANT(&made.writer, 1, TEXT("old"));
	cr_assert(make_open(&made), "%s", made.err.text);
	cr_assert(rewrite_open(&rewrite, &made.chunk));
	pool = chunk_pool(&made.chunk, made.chunk.metadata.string);
	cursor = pool_cursor(pool, 0);
	cr_expect(rewrite_value(&rewrite, pool->type, &cursor, &to));
	cr_expect_eq(to.size, 5);
	cr_expect_arr_eq(to.bytes, "\3\3new", 5);
	cr_expect_str_eq(asked.text, "- 0, old 0, ");
	cr_expect_not(rewrite_concerns(&rewrite, make_type(&made, "a.Empty")));
	cr_expect(rewrite_concerns(&rewrite, make_type(&made, "a.Keys")));
	rewrite_close(&rewrite);
	buf_clear(&to);
	make_clear(&made);
}

/* Types of which nothing can be replaced need not be read at all. */
Test(rewrite, tells_what_it_does_not_concern)
{
	struct made made = { 0 };
	struct rewrite nothing = { .key = NULL }, keys = { .key = change_key },
		       ticks = { .number = change_ticks, .has_number = is_ticks };

	make_begin(&made, types);
	cr_assert(make_open(&made));
	cr_assert(rewrite_open(&nothing, &made.chunk) &&
		  rewrite_open(&keys, &made.chunk) &&
		  rewrite_open(&ticks, &made.chunk));
	cr_expect_not(rewrite_concerns(&nothing, make_type(&made, "a.Times")));
	cr_expect_not(rewrite_concerns(&keys, make_type(&made, "a.Times")));
	cr_expect(rewrite_concerns(&ticks, make_type(&made, "a.Times")));
	cr_expect(rewrite_concerns(&keys, make_type(&made, "a.Node")));
	cr_expect_not(rewrite_concerns(&ticks, make_type(&made, "a.Node")));
	rewrite_close(&nothing);
	rewrite_close(&keys);
	rewrite_close(&ticks);
	make_clear(&made);
}

/* Wherever the bytes end: a part of what was to be written, and no more. */
Test(rewrite, is_bounded_by_the_bytes)
{
	struct made made = { 0 };
	struct asked asked = { .size = 0 };
	struct rewrite rewrite = { .key = change_key, .context = &asked };
	struct event event;

	make_begin(&made, types);
	write_keys(&made.writer);
	cr_assert(make_open(&made));
	event = make_nth(&made, 0);
	cr_assert(rewrite_open(&rewrite, &made.chunk));
	for (size_t size = 0; size < event.size - 2 - 4; size++) {
		struct buf buf = { 0 }, to = { 0 };
		struct cursor cursor;

		asked = (struct asked){ .size = 0 };
		buf_add(&buf, event.body, size);
		cursor = make_cursor(&buf);
		cr_expect_not(rewrite_value(&rewrite, event.type, &cursor, &to));
		cr_expect(cursor.bad && !to.failed);
		buf_clear(&buf);
		buf_clear(&to);
	}
	rewrite_close(&rewrite);
	make_clear(&made);
}

Test(rewrite, refuses_arrays_that_cannot_be)
{
	static const int32_t counts[] = { -1, INT32_MAX, 100 };
	struct made made = { 0 };
	struct asked asked = { .size = 0 };
	struct rewrite rewrite = { .key = change_key, .context = &asked };

	make_begin(&made, types);
	writer_describe(&made.writer,
			TYPES(TYPE("a.Last", "jdk.jfr.Event",
				   FIELDS(START, FIELD("tree", "a.Tree")))));
	for (size_t i = 0; i < 3; i++)
		EVENT(&made.writer, "a.Last", LONG(1), KEY(0), COUNT(counts[i]));
	writer_event(&made.writer, writer_type(&made.writer, "a.Last"));
	encode_long(&made.writer.buf, 1);
	for (int i = 0; i < 10000; i++)
		make_values(&made.writer.buf, VALUES(KEY(0), COUNT(1)));
	make_values(&made.writer.buf, VALUES(KEY(0), COUNT(0)));
	cr_assert(make_open(&made));
	cr_assert(rewrite_open(&rewrite, &made.chunk));
	for (size_t i = 0; i < 4; i++) {
		struct event event = make_nth(&made, i);
		struct cursor cursor = event_cursor(&made.chunk, &event);
		struct buf to = { 0 };

		asked = (struct asked){ .size = 0 };
		cr_expect_not(rewrite_value(&rewrite, event.type, &cursor, &to));
		cr_expect(cursor.bad);
		buf_clear(&to);
	}
	rewrite_close(&rewrite);
	make_clear(&made);
}

Test(rewrite, only_asks_without_a_buffer)
{
	struct made made = { 0 };
	struct asked asked = { .size = 0 };
	struct rewrite rewrite = { .number = change_ticks,
				   .has_number = is_ticks,
				   .context = &asked };
	struct cursor cursor;
	struct event event;

	make_begin(&made, types);
	EVENT(&made.writer, "a.Start", LONG(77));
	cr_assert(make_open(&made));
	cr_assert(rewrite_open(&rewrite, &made.chunk));
	event = make_nth(&made, 0);
	cursor = event_cursor(&made.chunk, &event);
	cr_expect(rewrite_value(&rewrite, event.type, &cursor, NULL));
	cr_expect_str_eq(asked.text, "startTime 77, ");
	rewrite_close(&rewrite);
	make_clear(&made);
}

static void tell_pooled(void *context, const struct rewrite_place *place,
			const struct type *type, uint64_t key)
{
	struct buf *told = context;
	struct str simple = type_simple_name(type);

	buf_printf(told, "%.*s %.*s %d, ", (int)place->field->name.size,
		   place->field->name.bytes, (int)simple.size, simple.bytes, (int)key);
}

static const struct schema_type pooled_types[] = {
	TYPE("a.Word", NULL, .is_simple = true, FIELDS(FIELD("word", STRING))),
	TYPE("a.Inner", NULL, FIELDS(FIELD("deep", STRING))),
	TYPE("a.P", "jdk.jfr.Event",
	     FIELDS(FIELD("x", "int"), FIELD("text", STRING),
		    FIELD("word", "a.Word", POOLED), FIELD("inner", "a.Inner"),
		    FIELD("other", "a.Inner", POOLED),
		    FIELD("words", "a.Word", POOLED, ARRAY),
		    FIELD("texts", STRING, ARRAY))),
	TYPES_END,
};

Test(rewrite, tells_where_texts_are_constants)
{
	struct made made = { 0 };
	struct buf told = { 0 }, to = { 0 };
	struct rewrite rewrite = { .pooled = tell_pooled, .context = &told };
	struct cursor cursor;
	struct event event;

	make_begin(&made, pooled_types);
	EVENT(&made.writer, "a.P", INT(1), TEXT_KEY(2), KEY(3), TEXT_KEY(4), KEY(5),
	      COUNT(2), KEY(6), KEY(7), COUNT(2), TEXT("x"), TEXT_KEY(8));
	cr_assert(make_open(&made), "%s", made.err.text);
	event = make_nth(&made, 0);
	cr_assert(rewrite_open(&rewrite, &made.chunk));
	cursor = event_cursor(&made.chunk, &event);
	cr_expect(rewrite_value(&rewrite, event.type, &cursor, &to));
	cr_expect(str_is((struct str){ told.bytes, told.size },
			 STR("text String 2, word Word 3, deep String 4, words Word 6, "
			     "words Word 7, texts String 8, ")),
		  "%.*s", (int)told.size, told.bytes);
	cursor = event_cursor(&made.chunk, &event);
	cr_expect_eq(to.size, cursor_left(&cursor));
	cr_expect_arr_eq(to.bytes, cursor.at, to.size);
	rewrite_close(&rewrite);
	buf_clear(&told);
	buf_clear(&to);
	make_clear(&made);
}
