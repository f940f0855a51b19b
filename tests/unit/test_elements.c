#include <criterion/criterion.h>

#include "fault.h"
#include "jfr/elements.h"
#include "jfr/object.h"
#include "make.h"

static const struct schema_type types[] = {
	TYPE("test.Pair", NULL,
	     FIELDS(FIELD("name", "java.lang.String"), FIELD("number", "int"))),
	TYPE("test.Tree", NULL, FIELDS(FIELD("leaves", "test.Pair", ARRAY))),
	TYPE("test.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("numbers", "long", ARRAY),
		    FIELD("texts", "java.lang.String", ARRAY),
		    FIELD("pairs", "test.Pair", ARRAY),
		    FIELD("symbols", "jdk.types.Symbol", ARRAY, POOLED),
		    FIELD("trees", "test.Tree", ARRAY))),
	TYPES_END,
};

static struct made made;
static struct value values[8];

/* Three numbers, two texts, two pairs, two symbols, a tree of two leaves. */
static void open_chunk(void)
{
	make_begin(&made, make_jdk_types);
	writer_describe(&made.writer, types);
	EVENT(&made.writer, "test.E", LONG(1), COUNT(3), LONG(7), LONG(-8), LONG(INT64_MAX),
	      COUNT(2), TEXT("tea"), NO_TEXT, COUNT(2), TEXT("a"), INT(1), TEXT("b"),
	      INT(-2), COUNT(2), KEY(5), KEY(6), COUNT(1), COUNT(2), TEXT("c"), INT(3),
	      TEXT("d"), INT(4));
	EVENT(&made.writer, "test.E", LONG(2), COUNT(0), COUNT(0), COUNT(0), COUNT(0),
	      COUNT(0));
	POOL(&made.writer, "jdk.types.Symbol");
	CONSTANT(&made.writer, 5, TEXT("five"));
	cr_assert(make_open(&made), "%s", made.err.text);
}

static void close_chunk(void)
{
	make_clear(&made);
}

TestSuite(elements, .init = open_chunk, .fini = close_chunk);

/* Those of that field of an event. */
static struct elements begin(size_t event, const char *name)
{
	const struct field *field = type_field(make_type(&made, "test.E"), name);

	cr_assert(field && make_decode(&made, event, values));
	return elements_of(&made.chunk, field, &values[field->slot], &made.arena);
}

Test(elements, are_numbers)
{
	static const int64_t numbers[] = { 7, -8, INT64_MAX };
	struct elements elements = begin(0, "numbers");

	cr_expect_not(elements.field.array);
	cr_expect(str_is(elements.field.type->name, STR("long")));
	for (size_t i = 0; i < 3; i++) {
		cr_assert(elements_next(&elements));
		cr_expect_eq(elements.values[0].number, numbers[i]);
	}
	cr_expect_not(elements_next(&elements));
	cr_expect_not(elements_next(&elements));
}

Test(elements, are_texts)
{
	struct elements elements = begin(0, "texts");

	cr_assert(elements_next(&elements));
	cr_expect(str_is(elements.values[0].text, STR("tea")));
	cr_assert(elements_next(&elements));
	cr_expect_null(elements.values[0].text.bytes);
	cr_expect_not(elements_next(&elements));
}

Test(elements, are_structs)
{
	struct elements elements = begin(0, "pairs");

	cr_assert(elements_next(&elements));
	cr_expect(str_is(elements.values[0].text, STR("a")));
	cr_expect_eq(elements.values[1].number, 1);
	cr_assert(elements_next(&elements));
	cr_expect(str_is(elements.values[0].text, STR("b")));
	cr_expect_eq((int32_t)elements.values[1].number, -2);
	cr_expect_not(elements_next(&elements));
}

/* Each is the key of a constant, which may be missing. */
Test(elements, are_constants)
{
	struct elements elements = begin(0, "symbols");
	struct object object;

	cr_assert(elements_next(&elements));
	cr_expect(elements.field.pooled);
	cr_expect_eq(elements.values[0].number, 5);
	cr_assert(object_constant(&object, &made.chunk, elements.field.type, 5,
				  &made.arena));
	cr_expect(str_is(object.values[0].text, STR("five")));
	cr_assert(elements_next(&elements));
	cr_expect_eq(elements.values[0].number, 6);
	cr_expect_not(object_constant(&object, &made.chunk, elements.field.type, 6,
				      &made.arena));
	cr_expect_not(elements_next(&elements));
}

Test(elements, may_be_structs_that_have_some)
{
	struct elements trees = begin(0, "trees"), leaves;
	const struct field *field;

	cr_assert(elements_next(&trees));
	field = type_field(trees.field.type, "leaves");
	leaves = elements_of(&made.chunk, field, &trees.values[field->slot], &made.arena);
	cr_assert(elements_next(&leaves));
	cr_expect(str_is(leaves.values[0].text, STR("c")));
	cr_assert(elements_next(&leaves));
	cr_expect_eq(leaves.values[1].number, 4);
	cr_expect_not(elements_next(&leaves));
	cr_expect_not(elements_next(&trees));
}

Test(elements, may_be_none)
{
	static const char *const names[] = { "numbers", "texts", "pairs", "symbols",
					     "trees" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct elements elements = begin(1, names[i]);

		cr_expect_not(elements_next(&elements), "%s", names[i]);
		cr_expect_not(made.arena.failed);
	}
}

/* Where the count says more than there is, they end with the bytes. */
Test(elements, end_where_their_bytes_do)
{
	const struct field *field = type_field(make_type(&made, "test.E"), "pairs");
	static const unsigned char bytes[] = { STRING_EMPTY, 5, STRING_EMPTY };
	const struct value value = { .elements = bytes, .size = sizeof(bytes),
				     .count = 1000 };
	struct elements elements =
		elements_of(&made.chunk, field, &value, &made.arena);

	cr_assert(elements_next(&elements));
	cr_expect_eq(elements.values[1].number, 5);
	cr_expect_not(elements_next(&elements));
	cr_expect_not(made.arena.failed);
}

/* How many there are, with that request for memory refused. */
static size_t count_without(size_t refused, struct arena *arena)
{
	const struct field *field = type_field(make_type(&made, "test.E"), "numbers");
	struct elements elements;
	size_t count = 0;

	fault_at(refused);
	elements = elements_of(&made.chunk, field, &values[field->slot], arena);
	while (elements_next(&elements))
		count++;
	fault_at(0);
	return count;
}

Test(elements, are_none_without_memory)
{
	struct arena arena = { 0 };

	begin(0, "numbers");
	cr_expect_eq(count_without(1, &arena), 0);
	cr_expect(arena.failed);
	arena_clear(&arena);
	cr_expect_eq(count_without(0, &arena), 3);
	arena_clear(&arena);
}
