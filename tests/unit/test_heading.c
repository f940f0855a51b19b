#include <criterion/criterion.h>

#include "base/buf.h"
#include "fault.h"
#include "query/heading.h"

#define COLUMNS_MAX 6

/* Columns of these titles and names; NULL ends them. */
struct given {
	struct column columns[COLUMNS_MAX];
	struct plan plan;
};

static const struct plan *give(struct given *given, const char *const (*columns)[2])
{
	*given = (struct given){ .plan = { .columns = given->columns } };
	for (; columns[given->plan.column_count][0]; given->plan.column_count++) {
		const char *const *column = columns[given->plan.column_count];

		given->columns[given->plan.column_count] = (struct column){
			.title = str_of(column[0]), .name = str_of(column[1])
		};
	}
	given->plan.visible_count = given->plan.column_count;
	return &given->plan;
}

#define TITLES(...) (const char *const[][2]){ __VA_ARGS__, { NULL, NULL } }

/* The headings, with bars between. */
static void expect_headings(const struct plan *plan, const char *taken,
			    const char *wanted, int line)
{
	struct arena arena = { 0 };
	struct buf told = { 0 };
	const struct str *headings = heading_all(plan, taken, &arena);

	cr_assert(headings);
	for (size_t i = 0; i < plan->visible_count; i++) {
		buf_text(&told, i ? "|" : "");
		buf_str(&told, headings[i]);
		cr_expect_eq(headings[i].bytes[headings[i].size], '\0');
	}
	buf_byte(&told, '\0');
	cr_expect_str_eq(told.bytes, wanted, "line %d: %s", line, told.bytes);
	buf_clear(&told);
	arena_clear(&arena);
}

static void expect(const char *const (*columns)[2], const char *taken, const char *wanted,
		   int line)
{
	struct given given;

	expect_headings(give(&given, columns), taken, wanted, line);
}

#define HEADINGS(wanted, taken, ...) expect(TITLES(__VA_ARGS__), taken, wanted, __LINE__)

Test(heading, is_the_title)
{
	HEADINGS("GC ID|Longest Pause", NULL, { "GC ID", "gcId" },
		 { "Longest Pause", "longestPause" });
	HEADINGS("", NULL, { "", "a" });
}

Test(heading, has_a_number_from_the_second_on)
{
	HEADINGS("A|B|A 2|A 3|B 2", NULL, { "A", "a" }, { "B", "b" }, { "A", "c" },
		 { "A", "d" }, { "B", "e" });
	/* Case is no reason for one. */
	HEADINGS("A|a", NULL, { "A", "a" }, { "a", "b" });
	HEADINGS("| 2", NULL, { "", "a" }, { "", "b" });
}

/* Who has a title by himself keeps it. */
Test(heading, takes_no_title_away)
{
	HEADINGS("A|A 2|A 3", NULL, { "A", "a" }, { "A 2", "b" }, { "A", "c" });
	HEADINGS("A 3|A|A 2|A 4|A 5", NULL, { "A 3", "a" }, { "A", "b" }, { "A", "c" },
		 { "A", "d" }, { "A", "e" });
	HEADINGS("A|A 3|A 2|A 2 2", NULL, { "A", "a" }, { "A", "b" }, { "A 2", "c" },
		 { "A 2", "d" });
}

Test(heading, is_not_what_is_taken)
{
	HEADINGS("view 2|A", "view", { "view", "a" }, { "A", "b" });
	HEADINGS("view 3|view 2|A", "view", { "view", "a" }, { "view 2", "b" },
		 { "A", "c" });
	HEADINGS("A|A 2", "view", { "A", "a" }, { "A", "b" });
}

Test(heading, is_for_columns_that_are_shown)
{
	struct given given;

	give(&given, TITLES({ "A", "a" }, { "A", "b" }));
	given.plan.visible_count = 1;
	expect_headings(&given.plan, NULL, "A", __LINE__);
	given.plan.visible_count = 0;
	expect_headings(&given.plan, NULL, "", __LINE__);
}

Test(heading, ends_at_a_zero_byte)
{
	struct given given;

	give(&given, TITLES({ "A", "a" }, { "AxB", "b" }));
	given.columns[1].title = (struct str){ "A\0B", 3 };
	expect_headings(&given.plan, NULL, "A|A 2", __LINE__);
}

/* --- columns by their names ------------------------------------------------------ */

/* The first is called like the field of the second, but for case. */
static const char *const names[][2] = {
	{ "count", "total" }, { "Total", "COUNT" }, { "Max. x", "x" }, { "x = 1", "y" },
	{ "Max. x", "z" }, { NULL, NULL },
};

static void expect_found(const char *name, size_t column, int line)
{
	struct arena arena = { 0 };
	struct given given;
	const struct str *headings = heading_all(give(&given, names), NULL, &arena);
	size_t found = heading_find(&given.plan, headings, str_of(name));

	cr_expect_eq(found, column, "line %d: %zu", line, found);
	arena_clear(&arena);
}

#define FINDS(name, column) expect_found(name, column, __LINE__)

Test(heading, is_found_before_a_field_and_before_another_case)
{
	FINDS("count", 0);
	FINDS("Total", 1);
	FINDS("COUNT", 1);
	FINDS("total", 0);
	FINDS("Count", 0);
	FINDS("TOTAL", 1);
	FINDS("max. x", 2);
	FINDS("Max. x 2", 4);
	FINDS("x", 2);
	FINDS("Z", 4);
}

Test(heading, is_not_found_by_a_part)
{
	FINDS("coun", HEADING_NONE);
	FINDS("count ", HEADING_NONE);
	FINDS("", HEADING_NONE);
}

static void expect_front(const char *text, size_t column, const char *rest, int line)
{
	struct arena arena = { 0 };
	struct str left = { NULL, 0 };
	struct given given;
	const struct str *headings = heading_all(give(&given, names), NULL, &arena);
	size_t found = heading_find_front(&given.plan, headings, str_of(text), &left);

	cr_expect_eq(found, column, "line %d: %zu", line, found);
	cr_expect(rest ? str_is(left, str_of(rest)) : !left.bytes, "line %d: %.*s", line,
		  (int)left.size, left.bytes);
	arena_clear(&arena);
}

#define FRONT(text, column, rest) expect_front(text, column, rest, __LINE__)

Test(heading, stands_in_front_of_an_operator)
{
	FRONT("count > 5", 0, "> 5");
	FRONT("count>=5", 0, ">=5");
	FRONT("  Total  != a", 1, "!= a");
	FRONT("max. x~a*", 2, "~a*");
	FRONT("y<5", 3, "<5");
	FRONT("count", HEADING_NONE, NULL);
	FRONT("> 5", HEADING_NONE, NULL);
	FRONT("nothing = 5", HEADING_NONE, NULL);
}

/* The longest that is one counts; operators may be in it, and in the value. */
Test(heading, may_have_an_operator_in_it)
{
	FRONT("x = 1 = 2", 3, "= 2");
	FRONT("x = 12", 2, "= 12");
	FRONT("count = a<b", 0, "= a<b");
}

Test(heading, is_missed_with_the_nearest)
{
	struct arena arena = { 0 };
	struct given given;
	const struct str *headings = heading_all(give(&given, names), NULL, &arena);
	struct err err = { 0 };

	cr_expect_not(heading_lack(&given.plan, headings, STR("cuont"), &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_str_eq(err.text, "the view has no column 'cuont'; the nearest is count");
	heading_lack(&given.plan, headings, STR("something else"), &err);
	cr_expect_str_eq(err.text, "the view has no column 'something else'");
	given.plan.visible_count = 0;
	heading_lack(&given.plan, headings, STR("count"), &err);
	cr_expect_str_eq(err.text, "the view has no column 'count'");
	arena_clear(&arena);
}

Test(heading, needs_memory)
{
	bool is_refused;
	size_t n = 0;

	do {
		struct arena arena = { 0 };
		const struct str *headings;
		struct given given;

		give(&given, names);
		fault_at(++n);
		headings = heading_all(&given.plan, "view", &arena);
		is_refused = fault_happened();
		fault_at(0);
		cr_expect_eq(!headings, is_refused);
		arena_clear(&arena);
	} while (is_refused);
	cr_expect_gt(n, 1);
}
