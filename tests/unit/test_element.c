#include <criterion/criterion.h>

#include "jfr/element.h"
#include "make.h"

static const char picture[] = "root\n"
			      " metadata\n"
			      "  class id=7 name=a.B\n"
			      "   field name=x class=2\n"
			      "   annotation class=3\n"
			      "   field name=y class=-5\n"
			      "  class id=8 name=\n"
			      " region gmtOffset=3600000\n";

/* Reads an event that consists of these values behind start, duration and id. */
static const struct element *read(const struct make_value *values, struct arena *arena,
				  struct err *err)
{
	struct buf buf = { 0 };
	const struct element *root;

	make_values(&buf, VALUES(COUNT(99), LONG(0), LONG(5), LONG(0), LONG(1)));
	make_values(&buf, values);
	root = element_read(make_cursor(&buf).at, buf.size, arena, err);
	buf_clear(&buf);
	return root;
}

static bool is_same(const struct element *a, const struct element *b)
{
	if (!a || !b)
		return a == b;
	if (!str_is(a->name, b->name) || a->attribute_count != b->attribute_count)
		return false;
	for (size_t i = 0; i < a->attribute_count; i++) {
		if (!str_is(a->attributes[i].name, b->attributes[i].name) ||
		    !str_is(a->attributes[i].text, b->attributes[i].text))
			return false;
	}
	return is_same(a->children, b->children) && is_same(a->next, b->next);
}

Test(element, is_read_as_it_was_written)
{
	struct arena arena = { 0 };
	struct buf buf = { 0 };
	struct err err = { 0 };
	const struct element *root;

	make_metadata(&buf, picture);
	root = element_read(make_cursor(&buf).at, buf.size, &arena, &err);
	cr_assert(root, "%s", err.text);
	cr_expect(is_same(root, make_tree(picture, &arena)));
	buf_clear(&buf);
	arena_clear(&arena);
}

Test(element, finds_children_and_attributes)
{
	struct arena arena = { 0 };
	const struct element *root = make_tree(picture, &arena);
	const struct element *class = element_child(element_child(root, "metadata"), "class");
	const struct element *field = element_child(class, "field");

	cr_expect(str_is(element_text(class, "name"), STR("a.B")));
	cr_expect_null(element_text(class, "none").bytes);
	cr_expect_not_null(element_text(element_next(class), "name").bytes);
	cr_expect_eq(element_count(class, "field"), 2);
	cr_expect_eq(element_count(class, "annotation"), 1);
	cr_expect_eq(element_count(class, "setting"), 0);
	cr_expect(str_is(element_text(element_next(field), "name"), STR("y")));
	cr_expect_null(element_next(element_next(field)));
	cr_expect_null(element_child(field, "annotation"));
	arena_clear(&arena);
}

Test(element, reads_numbers_and_nothing_else)
{
	static const struct {
		const char *text;
		int64_t number;
	} cases[] = {
		{ "0", 0 },
		{ "-1", -1 },
		{ "9223372036854775807", INT64_MAX },
		{ "-9223372036854775808", INT64_MIN },
		{ "", -99 },
		{ "x", -99 },
		{ "7x", -99 },
		{ "1.5", -99 },
		{ "0x10", -99 },
		{ "123456789012345678901234567890", -99 },
		{ "9223372036854775808", -99 },
		{ "-9223372036854775809", -99 },
		{ "18446744073709551617", -99 },
		{ "9300000000000000000", -99 },
		{ "-", -99 },
		{ "--1", -99 },
		{ "1/", -99 },
		{ "1:", -99 },
		{ "0000000000000000000000000012", 12 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct attribute attribute = { STR("n"), str_of(cases[i].text) };
		struct element element = { .attributes = &attribute, .attribute_count = 1 };

		cr_expect_eq(element_number(&element, "n", -99), cases[i].number, "%s",
			     cases[i].text);
		cr_expect_eq(element_number(&element, "m", -99), -99);
	}
}

#define BROKEN "the metadata event is cut short, wrong or nested too deeply"

Test(element, says_what_is_wrong_with_the_event)
{
	const struct {
		const struct make_value *values;
		const char *message;
	} cases[] = {
		{ VALUES(COUNT(-1)),
		  "the metadata event claims -1 strings, more than fit" },
		{ VALUES(COUNT(INT32_MAX)),
		  "the metadata event claims 2147483647 strings, more than fit" },
		{ VALUES(COUNT(2), TEXT("root"), BYTE(6), BYTE(0)),
		  "string 1 of the metadata event is broken" },
		{ VALUES(COUNT(1), BYTE(STRING_UTF8), COUNT(1000), BYTE(0)),
		  "string 0 of the metadata event is broken" },
		{ VALUES(COUNT(1), BYTE(STRING_UTF8), COUNT(-1), BYTE(0)),
		  "string 0 of the metadata event is broken" },
		/* string index out of range, as name, attribute name, attribute text */
		{ VALUES(COUNT(1), TEXT("a"), COUNT(1), COUNT(0), COUNT(0)), BROKEN },
		{ VALUES(COUNT(1), TEXT("a"), COUNT(0), COUNT(1), COUNT(7), COUNT(0),
			 COUNT(0)), BROKEN },
		{ VALUES(COUNT(1), TEXT("a"), COUNT(0), COUNT(1), COUNT(0), COUNT(-1),
			 COUNT(0)), BROKEN },
		/* more attributes, more children than there is room for */
		{ VALUES(COUNT(1), TEXT("a"), COUNT(0), COUNT(INT32_MAX), COUNT(0)),
		  BROKEN },
		{ VALUES(COUNT(1), TEXT("a"), COUNT(0), COUNT(-1), COUNT(0)), BROKEN },
		{ VALUES(COUNT(1), TEXT("a"), COUNT(0), COUNT(0), COUNT(1000)), BROKEN },
		{ VALUES(COUNT(1), TEXT("a"), COUNT(0), COUNT(0), COUNT(-1)), BROKEN },
		{ VALUES(COUNT(1), TEXT("a"), COUNT(0), COUNT(0), COUNT(1), COUNT(0),
			 COUNT(0)), BROKEN },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena arena = { 0 };
		struct err err = { 0 };

		cr_expect_null(read(cases[i].values, &arena, &err));
		cr_expect_str_eq(err.text, cases[i].message, "case %zu: %s", i, err.text);
		arena_clear(&arena);
	}
}

Test(element, is_refused_when_it_is_cut_anywhere)
{
	struct buf buf = { 0 };

	make_metadata(&buf, picture);
	while (buf.size > 0) {
		struct arena arena = { 0 };
		struct err err = { 0 };

		buf.size--;
		cr_expect_null(element_read(make_cursor(&buf).at, buf.size, &arena, &err));
		cr_expect_eq(err.kind, ERR_FORMAT);
		arena_clear(&arena);
	}
	buf_clear(&buf);
}

/* An event with elements so deep inside each other. */
static const struct element *read_nested(int depth, struct arena *arena, struct err *err)
{
	struct buf buf = { 0 };
	const struct element *root;

	make_values(&buf, VALUES(COUNT(99), LONG(0), LONG(5), LONG(0), LONG(1), COUNT(1),
				 TEXT("a")));
	for (int i = 0; i < depth; i++)
		make_values(&buf, VALUES(COUNT(0), COUNT(0), COUNT(1)));
	make_values(&buf, VALUES(COUNT(0), COUNT(0), COUNT(0)));
	root = element_read(make_cursor(&buf).at, buf.size, arena, err);
	buf_clear(&buf);
	return root;
}

Test(element, may_be_deep_but_not_bottomless)
{
	struct arena arena = { 0 };
	struct err err = { 0 };

	cr_expect_not_null(read_nested(60, &arena, &err));
	cr_expect_null(read_nested(100000, &arena, &err));
	cr_expect_str_eq(err.text, BROKEN);
	arena_clear(&arena);
}

Test(element, keeps_to_the_limit_of_its_arena)
{
	struct arena arena = { .limit = 1000 };
	struct buf buf = { 0 };
	struct err err = { 0 };

	make_metadata(&buf, picture);
	cr_expect_null(element_read(make_cursor(&buf).at, buf.size, &arena, &err));
	cr_expect_neq(err.kind, ERR_NONE);
	buf_clear(&buf);
	arena_clear(&arena);
}

Test(element, writes_each_string_once_and_tells_null_from_empty)
{
	struct attribute attributes[] = { { STR("a"), { NULL, 0 } },
					  { STR("b"), STR("") },
					  { STR("a"), STR("a") } };
	struct element root = { STR("a"), attributes, 3, NULL, NULL };
	struct buf buf = { 0 };

	element_write(&root, &buf);
	cr_expect(str_is((struct str){ buf.bytes, buf.size },
			 STR("\4\3\1a\0\3\1b\1"
			     "\0\3\0\1\2\3\0\0\0")));
	buf_clear(&buf);
}
