#include <criterion/criterion.h>
#include <stdio.h>

#include "filter/condition.h"

/* A condition; its path in parentheses, the operator, and the value in braces. */
static const struct {
	const char *text, *parts;
} good[] = {
	{ "duration>20ms", "(duration) > {20ms}" },
	{ "  duration   >=  20 ms  ", "(duration) >= {20 ms}" },
	{ "a=1", "(a) = {1}" },
	{ "a == 1", "(a) == {1}" },
	{ "a!=1", "(a) != {1}" },
	{ "a<1", "(a) < {1}" },
	{ "a <= 1", "(a) <= {1}" },
	{ "a~*x*", "(a) ~ {*x*}" },
	{ "a =~ x?", "(a) =~ {x?}" },
	{ "a !~ x", "(a) !~ {x}" },
	{ "eventThread.javaName = main", "(eventThread)(javaName) = {main}" },
	{ "a.b.c.d = x", "(a)(b)(c)(d) = {x}" },
	{ "name = <init>", "(name) = {<init>}" },
	{ "name=<init>", "(name) = {<init>}" },
	{ "a = = b", "(a) = {= b}" },
	{ "a = \"x y\"", "(a) = {x y}" },
	{ "a = 'it is \"so\"'", "(a) = {it is \"so\"}" },
	{ "a = ''", "(a) = {}" },
	{ "a = '  '", "(a) = {  }" },
	{ "a = 'null'", "(a) = {null}" },
	{ "a = it's", "(a) = {it's}" },
	{ "a = null", "(a) = NULL" },
	{ "a != null", "(a) != NULL" },
	{ "a == N/A", "(a) == NULL" },
	{ "a = nulls", "(a) = {nulls}" },
	{ "na\xc3\xafve = \xe2\x82\xac", "(na\xc3\xafve) = {\xe2\x82\xac}" },
};

static void show(const struct condition *condition, char *text, size_t size)
{
	size_t at = 0;

	for (size_t i = 0; i < condition->part_count; i++)
		at += (size_t)snprintf(text + at, size - at, "(%s)",
				       condition->parts[i]);
	at += (size_t)snprintf(text + at, size - at, " %s ", condition->sign);
	if (condition->is_null)
		snprintf(text + at, size - at, "NULL");
	else
		snprintf(text + at, size - at, "{%s}", condition->value.bytes);
}

Test(condition, is_read)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct err err = { 0 };
		struct condition *condition = condition_new(str_of(good[i].text), &err);
		char text[200];

		cr_assert(condition, "%s: %s", good[i].text, err.text);
		show(condition, text, sizeof(text));
		cr_expect_str_eq(text, good[i].parts);
		cr_expect_eq(strlen(condition->value.bytes), condition->value.size);
		condition_free(condition);
	}
}

Test(condition, is_negated_or_not)
{
	static const struct {
		const char *text;
		enum relation relation;
		bool is_negated;
	} signs[] = {
		{ "a = b", RELATION_SAME, false },
		{ "a == b", RELATION_SAME, false },
		{ "a != b", RELATION_SAME, true },
		{ "a < b", RELATION_LESS, false },
		{ "a <= b", RELATION_AT_MOST, false },
		{ "a > b", RELATION_GREATER, false },
		{ "a >= b", RELATION_AT_LEAST, false },
		{ "a ~ b", RELATION_LIKE, false },
		{ "a =~ b", RELATION_LIKE, false },
		{ "a !~ b", RELATION_LIKE, true },
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		struct condition *condition = condition_new(str_of(signs[i].text),
							    NULL);

		cr_assert(condition);
		cr_expect_eq(condition->relation, signs[i].relation, "%s",
			     signs[i].text);
		cr_expect_eq(condition->is_negated, signs[i].is_negated);
		condition_free(condition);
	}
}

Test(condition, keeps_its_own_texts)
{
	char text[] = "thrownClass.name = java/lang/String";
	struct condition *condition = condition_new(str_of(text), NULL);

	memset(text, 'x', sizeof(text) - 1);
	cr_expect(str_is(condition->path, STR("thrownClass.name")));
	cr_expect_str_eq(condition->parts[1], "name");
	cr_expect_str_eq(condition->value.bytes, "java/lang/String");
	cr_expect_str_eq(condition->dotted.bytes, "java.lang.String");
	condition_free(condition);
	condition_free(NULL);
}

static const struct {
	const char *text, *why;
} bad[] = {
	{ "", "a condition is empty; write <field> <operator> <value>, as in "
	      "'duration > 20ms'" },
	{ "  ", "a condition is empty; write <field> <operator> <value>, as in "
		"'duration > 20ms'" },
	{ "duration", "'duration' has no operator; there are = != < <= > >= ~ !~" },
	{ "duration 20ms",
	  "'duration 20ms' has no operator; there are = != < <= > >= ~ !~" },
	{ "a ! b", "'a ! b' has no operator; there are = != < <= > >= ~ !~" },
	{ "= 5", "'= 5' has no field in front of its operator" },
	{ "a. = 5", "'a. = 5' has no field behind the last dot" },
	{ ". = 5", "'. = 5' has no field behind the last dot" },
	{ ".a = 5",
	  "'.a = 5' names no field; write eventThread.javaName or the like in "
	  "front of the operator" },
	{ "a..b = 5",
	  "'a..b = 5' names no field; write eventThread.javaName or the like "
	  "in front of the operator" },
	{ "a b = 5",
	  "'a b = 5' names no field; write eventThread.javaName or the like in "
	  "front of the operator" },
	{ "'a' = 5",
	  "''a' = 5' names no field; write eventThread.javaName or the like in "
	  "front of the operator" },
	{ "a >", "'a >' has no value; write null for what is missing, '' for an empty "
		 "text" },
	{ "a = 'x", "'a = 'x' has a quote in its value that does not end it" },
	{ "a = '", "'a = '' has a quote in its value that does not end it" },
	{ "a = 'x' y", "'a = 'x' y' has a quote in its value that does not end it" },
	{ "a = 'x''", "'a = 'x''' has a quote in its value that does not end it" },
	{ "a = \"x'", "'a = \"x'' has a quote in its value that does not end it" },
	{ "a < null", "'a < null' compares with null; that goes with = and != only" },
	{ "a ~ N/A", "'a ~ N/A' compares with null; that goes with = and != only" },
	{ "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1",
	  "'a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.' has too many "
	  "dots" },
};

Test(condition, that_is_none_is_told)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { 0 };

		cr_expect_null(condition_new(str_of(bad[i].text), &err), "%s",
			       bad[i].text);
		cr_expect_eq(err.kind, ERR_USAGE);
		cr_expect_str_eq(err.text, bad[i].why);
	}
}

Test(condition, has_a_longest_path_and_size)
{
	char text[CONDITION_SIZE_MAX + 2];
	struct condition *condition;
	struct err err = { 0 };

	for (size_t i = 0; i < CONDITION_PARTS_MAX; i++)
		memcpy(text + 2 * i, "a.", 2);
	memcpy(text + 2 * CONDITION_PARTS_MAX - 1, "=1", 3);
	condition = condition_new(str_of(text), &err);
	cr_assert(condition, "%s", err.text);
	cr_expect_eq(condition->part_count, CONDITION_PARTS_MAX);
	condition_free(condition);
	memset(text, 'a', sizeof(text));
	text[1] = '=';
	condition = condition_new((struct str){ text, CONDITION_SIZE_MAX }, &err);
	cr_expect(condition);
	condition_free(condition);
	cr_expect_null(
		condition_new((struct str){ text, CONDITION_SIZE_MAX + 1 }, &err));
	cr_expect(str_ends(str_of(err.text), STR("' is too long")));
	cr_expect_null(condition_new((struct str){ "a = \0x", 6 }, &err));
	cr_expect(str_ends(str_of(err.text), STR(" holds a zero byte")), "%s",
		  err.text);
}

Test(condition, may_be_about_what_has_any_name)
{
	struct str text = STR("P99.9% of <init> > 5 ms");
	struct err err = { 0 };
	struct condition *condition = condition_new_at(text, 17, &err);

	cr_assert(condition, "%s", err.text);
	cr_expect(str_is(condition->path, STR("P99.9% of <init>")));
	cr_expect_eq(condition->relation, RELATION_GREATER);
	cr_expect_str_eq(condition->value.bytes, "5 ms");
	condition_free(condition);
	cr_expect_null(condition_new_at(text, text.size, &err));
	cr_expect_str_eq(err.text, "'P99.9% of <init> > 5 ms' has no operator; there are "
				   "= != < <= > >= ~ !~");
	cr_expect_null(condition_new_at(STR("All in all >"), 11, &err));
	cr_expect_str_eq(err.text, "'All in all >' has no value; write null for what is "
				   "missing, '' for an empty text");
}
