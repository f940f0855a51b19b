#include <criterion/criterion.h>

#include "jfr/object.h"
#include "make.h"

static const struct schema_type types[] = {
	TYPE("a.Name", NULL, .is_simple = true,
	     FIELDS(FIELD("text", "java.lang.String"))),
	TYPE("a.Inner", NULL,
	     FIELDS(FIELD("x", "int"), FIELD("name", "a.Name", POOLED))),
	TYPE("a.Outer", NULL,
	     FIELDS(FIELD("own", "java.lang.String"), FIELD("name", "a.Name", POOLED),
		    FIELD("none", "a.Name", POOLED), FIELD("inlined", "a.Name"),
		    FIELD("flag", "boolean"), FIELD("real", "double"),
		    FIELD("letter", "char"), FIELD("many", "long", ARRAY),
		    FIELD("number", "long"), FIELD("inner", "a.Inner", POOLED),
		    FIELD("lost", "a.Inner", POOLED), FIELD("direct", "a.Inner"),
		    FIELD("inners", "a.Inner", POOLED, ARRAY))),
	TYPE("a.E", "jdk.jfr.Event",
	     FIELDS(FIELD("outer", "a.Outer", POOLED), FIELD("self", "a.Outer"))),
	TYPES_END,
};

/* One a.Outer with key 3, one in the event. */
#define OUTER(number)                                                                  \
	TEXT("mine"), KEY(1), KEY(99), TEXT("here"), BOOLEAN(1), DOUBLE(2.5),          \
		CHAR('c'), COUNT(2), LONG(1), LONG(2), LONG(number), KEY(7), KEY(8),   \
		INT(-9), KEY(2), COUNT(1), KEY(7)

static void make_objects(struct made *made)
{
	make_begin(made, types);
	EVENT(&made->writer, "a.E", KEY(3), OUTER(11));
	POOL(&made->writer, "a.Name");
	CONSTANT(&made->writer, 1, TEXT("tea"));
	CONSTANT(&made->writer, 2, NO_TEXT);
	POOL(&made->writer, "a.Inner");
	CONSTANT(&made->writer, 7, INT(42), KEY(1));
	POOL(&made->writer, "a.Outer");
	CONSTANT(&made->writer, 3, OUTER(10));
	cr_assert(make_open(made), "%s", made->err.text);
}

static struct object outer_of(struct made *made)
{
	struct object object;

	cr_assert(object_constant(&object, &made->chunk, make_type(made, "a.Outer"), 3,
				  &made->arena));
	return object;
}

static struct str text_of(struct made *made, const char *name)
{
	struct object outer = outer_of(made);

	return object_text(&outer, name, &made->arena);
}

Test(object, of_a_constant_knows_its_key_and_type)
{
	struct made made = { 0 };
	struct object object;

	make_objects(&made);
	object = outer_of(&made);
	cr_expect_eq(object.key, 3);
	cr_expect_eq(object.type, make_type(&made, "a.Outer"));
	cr_expect_not(object_constant(&object, &made.chunk, make_type(&made, "a.Outer"),
				      4, &made.arena));
	cr_expect_not(object_constant(&object, &made.chunk, make_type(&made, "a.E"), 3,
				      &made.arena));
	make_clear(&made);
}

Test(object, gives_text_however_it_is_stored)
{
	struct made made = { 0 };

	make_objects(&made);
	cr_expect(str_is(text_of(&made, "own"), STR("mine")));
	cr_expect(str_is(text_of(&made, "name"), STR("tea")));
	cr_expect(str_is(text_of(&made, "inlined"), STR("here")));
	cr_expect_null(text_of(&made, "none").bytes);
	cr_expect_null(text_of(&made, "number").bytes);
	cr_expect_null(text_of(&made, "inner").bytes);
	cr_expect_null(text_of(&made, "many").bytes);
	cr_expect_null(text_of(&made, "no such field").bytes);
	make_clear(&made);
}

Test(object, gives_integers_and_a_default_for_all_else)
{
	struct made made = { 0 };
	struct object outer;

	make_objects(&made);
	outer = outer_of(&made);
	cr_expect_eq(object_number(&outer, "number", -1), 10);
	cr_expect_eq(object_number(&outer, "flag", -1), 1);
	cr_expect_eq(object_number(&outer, "letter", -1), 'c');
	cr_expect_eq(object_number(&outer, "real", -1), -1);
	cr_expect_eq(object_number(&outer, "own", -2), -2);
	cr_expect_eq(object_number(&outer, "many", -1), -1);
	cr_expect_eq(object_number(&outer, "inner", -1), -1);
	cr_expect_eq(object_number(&outer, "no such field", 5), 5);
	make_clear(&made);
}

Test(object, gives_no_number_of_another_width_where_one_is_asked_for)
{
	struct made made = { 0 };
	struct object outer;

	make_objects(&made);
	outer = outer_of(&made);
	cr_expect_eq(object_exact(&outer, OP_LONG, "number", -1), 10);
	cr_expect_eq(object_exact(&outer, OP_INT, "number", -1), -1);
	cr_expect_eq(object_exact(&outer, OP_BOOLEAN, "flag", -1), 1);
	cr_expect_eq(object_exact(&outer, OP_INT, "flag", -1), -1);
	cr_expect_eq(object_exact(&outer, OP_INT, "no such field", 5), 5);
	make_clear(&made);
}

Test(object, gives_the_structs_in_it)
{
	struct made made = { 0 };
	struct object outer, inner;

	make_objects(&made);
	outer = outer_of(&made);
	cr_assert(object_child(&outer, "inner", &inner, &made.arena));
	cr_expect_eq(inner.key, 7);
	cr_expect_eq(object_number(&inner, "x", 0), 42);
	cr_expect(str_is(object_text(&inner, "name", &made.arena), STR("tea")));
	cr_assert(object_child(&outer, "direct", &inner, &made.arena));
	cr_expect_eq(inner.key, 0);
	cr_expect_eq(object_number(&inner, "x", 0), -9);
	cr_expect_null(object_text(&inner, "name", &made.arena).bytes);
	cr_expect_not(object_child(&outer, "lost", &inner, &made.arena));
	cr_expect_not(object_child(&outer, "inners", &inner, &made.arena));
	cr_expect_not(object_child(&outer, "name", &inner, &made.arena));
	cr_expect_not(object_child(&outer, "number", &inner, &made.arena));
	cr_expect_not(object_child(&outer, "no such field", &inner, &made.arena));
	make_clear(&made);
}

Test(object, of_a_field_is_a_constant_or_lies_in_its_owner)
{
	struct value values[PROGRAM_VALUES_MAX];
	const struct type *type;
	struct made made = { 0 };
	struct object object;

	make_objects(&made);
	type = make_type(&made, "a.E");
	cr_assert(make_decode(&made, 0, values));
	cr_assert(object_of_field(&made.chunk, type_field(type, "outer"), values,
				  &object, &made.arena));
	cr_expect_eq(object_number(&object, "number", 0), 10);
	cr_assert(object_of_field(&made.chunk, type_field(type, "self"), values + 1,
				  &object, &made.arena));
	cr_expect_eq(object_number(&object, "number", 0), 11);
	cr_expect_eq(object.key, 0);
	make_clear(&made);
}

Test(object, can_be_had_by_its_place_in_the_pool)
{
	struct made made = { 0 };
	const struct type *type;
	struct object object;

	make_objects(&made);
	type = make_type(&made, "a.Outer");
	cr_assert(object_at(&object, &made.chunk, chunk_pool(&made.chunk, type), 0,
			    &made.arena));
	cr_expect_eq(object.type, type);
	cr_expect_eq(object.key, 3);
	cr_expect_eq(object_number(&object, "number", 0), 10);
	make_clear(&made);
}

Test(object, of_a_simple_type_is_what_that_stands_for)
{
	struct made made = { 0 };
	const struct pool *names;
	struct object object;

	make_objects(&made);
	names = chunk_pool(&made.chunk, make_type(&made, "a.Name"));
	cr_assert_eq(names->constants.count, 2);
	cr_assert(object_at(&object, &made.chunk, names, 0, &made.arena));
	cr_expect_eq(object.type, made.chunk.metadata.string);
	cr_expect_eq(object.key, 1);
	cr_expect(str_is(object.values[0].text, STR("tea")));
	cr_assert(object_at(&object, &made.chunk, names, 1, &made.arena));
	cr_expect_null(object.values[0].text.bytes);
	make_clear(&made);
}

Test(object, is_none_where_a_constant_cannot_be_decoded)
{
	struct made made = { 0 };
	const struct pool *ends, *keys;
	struct object object;

	make_begin(&made, TYPES(TYPE("a.Text", NULL,
				     FIELDS(FIELD("text", "java.lang.String"))),
				TYPE("a.Key", NULL, .is_simple = true,
				     FIELDS(FIELD("text", "a.Text", POOLED)))));
	POOL(&made.writer, "a.Text");
	CONSTANT(&made.writer, 1, TEXT_AS(STRING_LATIN1, "\xc3\xa9"));
	POOL(&made.writer, "a.Key");
	CONSTANT(&made.writer, 1, KEY(1));
	cr_assert(make_open(&made), "%s", made.err.text);
	ends = chunk_pool(&made.chunk, make_type(&made, "a.Text"));
	keys = chunk_pool(&made.chunk, make_type(&made, "a.Key"));

	/* A simple type that stands for a key is nothing that can be shown. */
	cr_expect_not(object_at(&object, &made.chunk, keys, 0, &made.arena));
	cr_expect(object_at(&object, &made.chunk, ends, 0, &made.arena));
	ends->constants.items[0].size--;
	cr_expect_not(object_at(&object, &made.chunk, ends, 0, &made.arena));
	ends->constants.items[0].size++;
	made.arena.limit = made.arena.taken; /* no room for values, nor for text */
	cr_expect_not(object_at(&object, &made.chunk, ends, 0, &made.arena));
	cr_expect(made.arena.is_full);
	make_clear(&made);
}

Test(object, is_null_where_its_bytes_are_too_short)
{
	struct made made = { 0 };
	struct object object;

	make_begin(&made, types);
	EVENT(&made.writer, "a.E", KEY(3), OUTER(11));
	POOL(&made.writer, "a.Name");
	CONSTANT(&made.writer, 1, TEXT_KEY(12)); /* there are no pooled strings */
	cr_assert(make_open(&made), "%s", made.err.text);
	cr_assert(object_constant(&object, &made.chunk, make_type(&made, "a.Name"), 1,
				  &made.arena));
	cr_expect_null(object.values[0].text.bytes);
	make_clear(&made);
}
