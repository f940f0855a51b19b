#include <criterion/criterion.h>
#include <stdio.h>

#include "jfr/refs.h"
#include "make.h"

#define STRING "java.lang.String"

static const struct schema_type types[] = {
	TYPE("a.Inner", NULL, FIELDS(FIELD("leaf", "a.Leaf", POOLED), FIELD("x", "int"))),
	TYPE("a.Leaf", NULL, FIELDS(FIELD("text", STRING))),
	TYPE("a.Node", NULL,
	     FIELDS(FIELD("next", "a.Node", POOLED), FIELD("leaf", "a.Leaf", POOLED),
		    FIELD("inners", "a.Inner", ARRAY))),
	TYPE("a.Tree", NULL,
	     FIELDS(FIELD("leaf", "a.Leaf", POOLED), FIELD("children", "a.Tree", ARRAY))),
	TYPE("a.Empty", "jdk.jfr.Event"),
	TYPE("a.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("z", "boolean"), FIELD("d", "double"), FIELD("f", "float"),
		    FIELD("node", "a.Node", POOLED), FIELD("text", STRING),
		    FIELD("texts", STRING, ARRAY), FIELD("inner", "a.Inner"),
		    FIELD("nodes", "a.Node", ARRAY, POOLED), FIELD("tree", "a.Tree"),
		    FIELD("empties", "a.Empty", ARRAY), FIELD("last", "a.Leaf", POOLED))),
	TYPE("a.Last", "jdk.jfr.Event", FIELDS(START, FIELD("tree", "a.Tree"))),
	TYPES_END,
};

static void write_event(struct writer *writer)
{
	EVENT(writer, "a.E", LONG(1), BOOLEAN(true), DOUBLE(1), FLOAT(2), KEY(1), TEXT_KEY(2),
	      COUNT(3), TEXT("\2\2"), TEXT_KEY(3), NO_TEXT, KEY(4), INT(-1), COUNT(2), KEY(5),
	      KEY(6), KEY(7), COUNT(2), KEY(8), COUNT(0), KEY(9), COUNT(1), KEY(10),
	      COUNT(0), COUNT(2), KEY(-11));
}

/* The references told, as text: "Node 1, String 2, ...". */
struct told {
	char text[400];
	size_t size;
	int until;	/* the walk is ended after so many; 0: never */
};

static bool tell(void *context, const struct type *type, uint64_t key)
{
	struct told *told = context;
	struct str name = type_simple_name(type);

	told->size += (size_t)snprintf(told->text + told->size,
				       sizeof(told->text) - told->size, "%.*s %lld, ",
				       (int)name.size, name.bytes, (long long)key);
	return told->until == 0 || --told->until > 0;
}

#define ALL                                                                    \
	"Node 1, String 2, String 3, Leaf 4, Node 5, Node 6, Leaf 7, Leaf 8, " \
	"Leaf 9, Leaf 10, Leaf -11, "

Test(refs, tells_every_reference_in_order)
{
	struct made made = { 0 };
	struct told told = { .until = 0 };
	struct cursor cursor;
	struct event event;

	make_begin(&made, types);
	write_event(&made.writer);
	cr_assert(make_open(&made), "%s", made.err.text);
	event = make_nth(&made, 0);
	cursor = event_cursor(&made.chunk, &event);
	cr_assert(refs_walk(&event.type->program, &cursor, made.chunk.metadata.string, tell,
			    &told));
	cr_expect_str_eq(told.text, ALL);
	cr_expect_eq(cursor_left(&cursor), 0);
	make_clear(&made);
}

Test(refs, ends_when_the_visitor_says_so)
{
	struct made made = { 0 };
	struct told told = { .until = 2 };
	struct cursor cursor;
	struct event event;

	make_begin(&made, types);
	write_event(&made.writer);
	cr_assert(make_open(&made));
	event = make_nth(&made, 0);
	cursor = event_cursor(&made.chunk, &event);
	cr_expect_not(refs_walk(&event.type->program, &cursor, NULL, tell, &told));
	cr_expect_str_eq(told.text, "Node 1, Leaf 4, ");
	make_clear(&made);
}

/* Wherever the bytes end: fewer references, but the same ones. */
Test(refs, are_bounded_by_the_bytes)
{
	struct made made = { 0 };
	struct event event;

	make_begin(&made, types);
	write_event(&made.writer);
	cr_assert(make_open(&made));
	event = make_nth(&made, 0);
	for (size_t size = 0; size < event.size - 2; size++) {
		struct buf buf = { 0 };
		struct told told = { .until = 0 };
		struct cursor cursor;

		buf_add(&buf, event.body, size);
		cursor = make_cursor(&buf);
		cr_expect_not(refs_walk(&event.type->program, &cursor,
					made.chunk.metadata.string, tell, &told));
		cr_expect(cursor.bad);
		cr_expect_eq(strncmp(told.text, ALL, told.size), 0);
		buf_clear(&buf);
	}
	make_clear(&made);
}

Test(refs, refuse_arrays_that_cannot_be)
{
	static const int32_t counts[] = { -1, INT32_MAX, 100 };
	struct made made = { 0 };

	make_begin(&made, types);
	for (size_t i = 0; i < 3; i++)
		EVENT(&made.writer, "a.Last", LONG(1), KEY(0), COUNT(counts[i]));
	writer_event(&made.writer, writer_type(&made.writer, "a.Last"));
	encode_long(&made.writer.buf, 1);
	for (int i = 0; i < 10000; i++)
		make_values(&made.writer.buf, VALUES(KEY(0), COUNT(1)));
	make_values(&made.writer.buf, VALUES(KEY(0), COUNT(0)));
	cr_assert(make_open(&made));
	for (size_t i = 0; i < 4; i++) {
		struct event event = make_nth(&made, i);
		struct cursor cursor = event_cursor(&made.chunk, &event);
		struct told told = { .until = 20 };

		cr_expect_not(refs_walk(&event.type->program, &cursor, NULL, tell, &told));
		cr_expect(cursor.bad || told.until == 0);
	}
	make_clear(&made);
}

/* The keys of marked constants of a type, "1 2 3 ". */
static const char *marked(const struct refs *refs, const struct type *type)
{
	const struct pool *pool = chunk_pool(refs->chunk, type);
	static char text[200];
	size_t size = 0;

	text[0] = '\0';
	for (uint32_t i = 0; pool && i < pool->constants.count; i++) {
		if (refs_has(refs, type, i))
			size += (size_t)snprintf(text + size, sizeof(text) - size, "%lld ",
						 (long long)pool->constants.items[i].key);
	}
	return text;
}

static void write_constants(struct writer *writer)
{
	POOL(writer, "a.Node");
	CONSTANT(writer, 1, KEY(2), KEY(1), COUNT(0));
	CONSTANT(writer, 2, KEY(3), KEY(0), COUNT(2), KEY(2), INT(0), KEY(3), INT(0));
	CONSTANT(writer, 3, KEY(1), KEY(99), COUNT(0));	/* a circle */
	CONSTANT(writer, 4, KEY(3), KEY(5), COUNT(0));
	CONSTANT(writer, 5, KEY(5), KEY(0), COUNT(0));
	POOL(writer, "a.Leaf");
	CONSTANT(writer, 1, TEXT("plain"));
	CONSTANT(writer, 2, TEXT_KEY(7));
	CONSTANT(writer, 3, TEXT_KEY(-8));
	CONSTANT(writer, 4, TEXT("nobody's"));
	CONSTANT(writer, 5, TEXT("of four"));
	POOL(writer, STRING);
	CONSTANT(writer, 7, TEXT("pooled"));
	CONSTANT(writer, (uint64_t)-8, TEXT_KEY(9));
	CONSTANT(writer, 9, TEXT("behind another"));
	CONSTANT(writer, 10, TEXT("nobody's"));
}

Test(refs, mark_what_an_event_needs_and_no_more)
{
	struct made made = { 0 };
	struct event event;
	struct refs refs;

	make_begin(&made, types);
	write_constants(&made.writer);
	EVENT(&made.writer, "a.E", LONG(1), BOOLEAN(true), DOUBLE(1), FLOAT(2), KEY(1),
	      TEXT("x"), COUNT(0), KEY(0), INT(0), COUNT(0), KEY(0), COUNT(0), COUNT(0),
	      KEY(0));
	cr_assert(make_open(&made), "%s", made.err.text);
	event = make_nth(&made, 0);
	cr_assert(refs_open(&refs, &made.chunk));
	cr_expect(refs_mark_event(&refs, &event));
	cr_expect_str_eq(marked(&refs, make_type(&made, "a.Node")), "1 ");
	cr_expect(refs_spread(&refs));
	cr_expect_str_eq(marked(&refs, make_type(&made, "a.Node")), "1 2 3 ");
	cr_expect_str_eq(marked(&refs, make_type(&made, "a.Leaf")), "1 2 3 ");
	cr_expect_str_eq(marked(&refs, make_type(&made, STRING)), "7 -8 9 ");
	cr_expect_eq(refs.missing, 1);
	cr_expect(refs_mark(&refs, make_type(&made, "a.Node"), 4));
	cr_expect(refs_spread(&refs));
	cr_expect_str_eq(marked(&refs, make_type(&made, "a.Node")), "1 2 3 4 ");
	cr_expect_str_eq(marked(&refs, make_type(&made, "a.Leaf")), "1 2 3 5 ");
	refs_close(&refs);
	make_clear(&made);
}

Test(refs, mark_what_can_be_read_of_a_short_event)
{
	struct made made = { 0 };
	struct event event;
	struct refs refs;

	make_begin(&made, types);
	write_constants(&made.writer);
	EVENT(&made.writer, "a.E", LONG(1), BOOLEAN(true), DOUBLE(1), FLOAT(2), KEY(5));
	writer_event(&made.writer, 4242);
	cr_assert(make_open(&made));
	cr_assert(refs_open(&refs, &made.chunk));
	event = make_nth(&made, 0);
	cr_expect(refs_mark_event(&refs, &event));
	event = make_nth(&made, 1);
	cr_expect(refs_mark_event(&refs, &event));
	cr_expect(refs_spread(&refs));
	cr_expect_str_eq(marked(&refs, make_type(&made, "a.Node")), "5 ");
	refs_close(&refs);
	make_clear(&made);
}

/* Of constants with the same key the one counts that a lookup finds. */
Test(refs, mark_the_oldest_of_a_key)
{
	struct made made = { 0 };
	const struct type *leaf;
	struct refs refs;

	make_begin(&made, types);
	for (int i = 0; i < 2; i++) {
		POOL(&made.writer, "a.Leaf");
		CONSTANT(&made.writer, 1, TEXT("x"));
		writer_end(&made.writer);
	}
	cr_assert(make_open(&made));
	leaf = make_type(&made, "a.Leaf");
	cr_assert(refs_open(&refs, &made.chunk));
	cr_expect(refs_mark(&refs, leaf, 1) && refs_spread(&refs));
	cr_expect_eq(chunk_pool(&made.chunk, leaf)->constants.count, 2);
	for (uint32_t i = 0; i < 2; i++)
		cr_expect_eq(refs_has(&refs, leaf, i),
			     i == pool_find(chunk_pool(&made.chunk, leaf), 1));
	refs_close(&refs);
	make_clear(&made);
}

Test(refs, follow_long_chains)
{
	struct made made = { 0 };
	struct refs refs;

	make_begin(&made, types);
	POOL(&made.writer, "a.Node");
	for (uint64_t key = 1; key <= 100000; key++)
		CONSTANT(&made.writer, key, LONG(key + 1), KEY(0), COUNT(0));
	cr_assert(make_open(&made));
	cr_assert(refs_open(&refs, &made.chunk));
	cr_expect(refs_mark(&refs, make_type(&made, "a.Node"), 1));
	cr_expect(refs_spread(&refs));
	cr_expect(refs_has(&refs, make_type(&made, "a.Node"), 99999));
	cr_expect_eq(refs.missing, 1);
	refs_close(&refs);
	make_clear(&made);
}
