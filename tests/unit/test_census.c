#include <criterion/criterion.h>

#include "count/census.h"
#include "make.h"

static const struct schema_type types[] = {
	TYPE("test.E", "jdk.jfr.Event",
	     FIELDS(START, STACK, FIELD("text", "java.lang.String"))),
	TYPE("test.Numbers", "jdk.jfr.Event", FIELDS(START, FIELD("n", "double"))),
	TYPES_END,
};

static void begin(struct made *made)
{
	make_begin(made, make_jdk_types);
	writer_describe(&made->writer, types);
}

/* A frame of key 0 has no method. */
static void stack(struct made *made, uint64_t key, uint64_t method)
{
	POOL(&made->writer, "jdk.types.StackTrace");
	CONSTANT(&made->writer, key, BOOLEAN(0), COUNT(2), KEY(method), INT(7), INT(0),
		 KEY(0), KEY(0), INT(0), INT(0), KEY(0));
	writer_end(&made->writer);
}

static void method(struct made *made)
{
	POOL(&made->writer, "jdk.types.Method");
	CONSTANT(&made->writer, 10, KEY(20), KEY(1), KEY(2), INT(0), BOOLEAN(0));
	writer_pool(&made->writer, writer_type(&made->writer, "java.lang.Class"));
	CONSTANT(&made->writer, 20, KEY(0), KEY(3), KEY(0), INT(0), BOOLEAN(0));
	writer_end(&made->writer);
}

static void symbol(struct made *made, uint64_t key, const char *text)
{
	writer_constant(&made->writer, key);
	encode_string(&made->writer.buf, str_of(text));
}

static void expect(const struct census *census, const struct made *made,
		   const char *name, const uint64_t *counts)
{
	const struct type *type = make_type(made, name);

	cr_assert(type, "%s", name);
	for (int i = 0; i < CENSUS_COUNTS; i++)
		cr_expect_eq(census->pools[type->index].counts[i], counts[i],
			     "%s, count %d: %llu", name, i,
			     (unsigned long long)census->pools[type->index].counts[i]);
}

static void take(struct census *census, struct made *made)
{
	cr_assert(make_open(made), "%s", made->err.text);
	cr_assert(census_take(census, &made->chunk, &made->damage));
}

static void clear(struct census *census, struct made *made)
{
	census_clear(census);
	make_clear(made);
}

/* An entry of a text has a byte each for key, encoding and size. */
Test(census, counts_what_is_needed_and_what_is_not)
{
	struct census census = { 0 };
	struct made made = { 0 };

	begin(&made);
	EVENT(&made.writer, "test.E", LONG(1), KEY(1), NO_TEXT);
	EVENT(&made.writer, "test.E", LONG(2), KEY(1), NO_TEXT);
	EVENT(&made.writer, "test.Numbers", LONG(2), DOUBLE(1));
	stack(&made, 1, 10);
	stack(&made, 2, 99);
	method(&made);
	POOL(&made.writer, "jdk.types.Symbol");
	symbol(&made, 1, "brew");
	symbol(&made, 2, "()V");
	symbol(&made, 3, "shop/Tea");
	symbol(&made, 4, "cold");
	take(&census, &made);
	expect(&census, &made, "jdk.types.StackTrace",
	       (uint64_t[]){ 2, 22, 2, 0, 1, 11, 0, 0, 0, 0 });
	expect(&census, &made, "jdk.types.Method",
	       (uint64_t[]){ 1, 6, 0, 1, 0, 0, 0, 0, 0, 0 });
	expect(&census, &made, "jdk.types.Symbol",
	       (uint64_t[]){ 4, 31, 0, 3, 1, 7, 0, 0, 0, 0 });
	cr_expect(damage_is_none(&made.damage));
	clear(&census, &made);
}

Test(census, counts_what_is_there_more_than_once)
{
	struct census census = { .strings.limit = 1 };
	struct made made = { 0 };

	begin(&made);
	EVENT(&made.writer, "test.E", LONG(1), KEY(1), NO_TEXT);
	stack(&made, 1, 10);
	method(&made);
	POOL(&made.writer, "jdk.types.Symbol");
	symbol(&made, 1, "brew, and brew");
	symbol(&made, 2, "()V");
	symbol(&made, 5, "brew, and brew");	/* equal, with another key */
	writer_end(&made.writer);
	for (int i = 0; i < 2; i++) {
		POOL(&made.writer, "jdk.types.Symbol");
		symbol(&made, 1, "brew, and brew");	/* repeated */
		symbol(&made, 2, "other");	/* hidden by the one in front */
		writer_end(&made.writer);
	}
	take(&census, &made);
	expect(&census, &made, "jdk.types.Symbol",
	       (uint64_t[]){ 7, 90, 0, 2, 3, 33, 2, 34, 1, 17 });
	cr_assert_eq(census.strings.items.count, 1);
	cr_expect_eq(census.strings.items.items[0].bytes, 17);
	cr_expect_eq(census.strings.items.items[0].copies, 4);
	cr_expect_eq(census.strings.items.items[0].references, 1);
	clear(&census, &made);
}

/* What stands in circles is not needed because it needs itself. */
Test(census, is_not_fooled_by_circles)
{
	struct census census = { 0 };
	struct made made = { 0 };

	begin(&made);
	POOL(&made.writer, "jdk.types.ThreadGroup");
	CONSTANT(&made.writer, 1, KEY(1), TEXT("a"));
	CONSTANT(&made.writer, 2, KEY(3), TEXT("b"));
	CONSTANT(&made.writer, 3, KEY(2), TEXT("c"));
	take(&census, &made);
	expect(&census, &made, "jdk.types.ThreadGroup",
	       (uint64_t[]){ 3, 15, 0, 0, 3, 15, 0, 0, 0, 0 });
	clear(&census, &made);
}

Test(census, knows_references_to_pooled_strings)
{
	struct census census = { .strings.limit = 2 };
	struct made made = { 0 };

	begin(&made);
	EVENT(&made.writer, "test.E", LONG(1), KEY(0), TEXT_KEY(300));
	POOL(&made.writer, "java.lang.String");
	CONSTANT(&made.writer, 300, TEXT("tea"));
	CONSTANT(&made.writer, 301, TEXT("milk"));
	take(&census, &made);
	expect(&census, &made, "java.lang.String",
	       (uint64_t[]){ 2, 15, 1, 0, 1, 8, 0, 0, 0, 0 });
	cr_assert_eq(census.strings.items.count, 2);
	cr_expect_eq(census.strings.items.items[1].references, 1);
	clear(&census, &made);
}

static void expect_told(struct census *census, struct largest *from, census_tell *tell,
			const char *wanted, uint64_t parts)
{
	struct arena arena = { 0 };
	struct buf text = { 0 };
	struct large thing = from->items.items[0];

	buf_byte(&text, ':');
	tell(census, &thing, &text, &arena);
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes + 1, wanted);
	cr_expect_eq(thing.parts, parts);
	buf_clear(&text);
	arena_clear(&arena);
}

Test(census, tells_of_strings_and_stack_traces)
{
	struct census census = { .strings.limit = 1, .stacks.limit = 1 };
	struct made made = { 0 };

	begin(&made);
	EVENT(&made.writer, "test.E", LONG(1), KEY(1), NO_TEXT);
	stack(&made, 1, 10);
	method(&made);
	POOL(&made.writer, "jdk.types.Symbol");
	symbol(&made, 1, "brew");
	symbol(&made, 3, "shop/T\u00e4a");
	take(&census, &made);
	expect_told(&census, &census.strings, census_tell_string, "shop/T\u00e4a", 0);
	expect_told(&census, &census.stacks, census_tell_stack, "shop.T\u00e4a.brew:7",
		    2);
	clear(&census, &made);
}

Test(census, cuts_texts_where_a_character_begins)
{
	struct census census = { .strings.limit = 1 };
	struct made made = { 0 };
	struct buf wanted = { 0 };

	begin(&made);
	buf_byte(&wanted, 'x');
	for (int i = 0; i < CENSUS_TEXT_MAX; i++)
		buf_text(&wanted, "\u00e4");
	buf_byte(&wanted, '\0');
	POOL(&made.writer, "jdk.types.Symbol");
	symbol(&made, 1, wanted.bytes);
	take(&census, &made);
	wanted.bytes[CENSUS_TEXT_MAX - 1] = '\0';
	expect_told(&census, &census.strings, census_tell_string, wanted.bytes, 0);
	buf_clear(&wanted);
	clear(&census, &made);
}

Test(census, tells_of_frames_without_names)
{
	struct census census = { .stacks.limit = 1 };
	struct made made = { 0 };

	begin(&made);
	stack(&made, 1, 99);
	take(&census, &made);
	expect_told(&census, &census.stacks, census_tell_stack, "<unknown>:7", 2);
	clear(&census, &made);
}

Test(census, tells_of_events_that_cannot_be_read)
{
	struct census census = { 0 };
	struct made made = { 0 };

	begin(&made);
	writer_event(&made.writer, writer_type(&made.writer, "test.E"));
	encode_long(&made.writer.buf, 1);
	writer_end(&made.writer);
	EVENT(&made.writer, "test.E", LONG(1), KEY(1), NO_TEXT);
	stack(&made, 1, 0);
	take(&census, &made);
	expect(&census, &made, "jdk.types.StackTrace",
	       (uint64_t[]){ 1, 11, 1, 0, 0, 0, 0, 0, 0, 0 });
	cr_expect_eq(make_faults(&made, "an event does not fit its fields"), 1);
	clear(&census, &made);
}

Test(census, keeps_its_limits)
{
	struct census census = { .strings.limit = 3, .stacks.limit = 4 };

	census_clear(&census);
	cr_expect_eq(census.strings.limit, 3);
	cr_expect_eq(census.stacks.limit, 4);
}
