#include <criterion/criterion.h>
#include <stdlib.h>

#include "fault.h"
#include "query/query.h"
#include "query/views.h"

static struct views own(void)
{
	struct views views = { 0 };
	struct err err = { 0 };

	cr_assert(views_add_own(&views, &err), "%s", err.text);
	return views;
}

/* The JDK's come first, with environment, jvm and application as their categories. */
Test(views, are_there_from_the_start)
{
	struct views views = own();
	size_t ours = 0, environment = 0, jvm = 0, application = 0;

	cr_assert_gt(views.items.count, 83);
	for (size_t i = 0; i < views.items.count; i++) {
		const struct view *view = &views.items.items[i];

		ours += view->is_ours;
		cr_expect_eq(view->is_ours, i >= 83);
		cr_expect_null(view->file);
		cr_expect_gt(view->about.size, 10);
		cr_expect_eq(view->about.bytes[view->about.size - 1], '?');
		if (view->is_ours)
			continue;
		environment += str_is(view->category, STR("environment"));
		jvm += str_is(view->category, STR("jvm"));
		application += str_is(view->category, STR("application"));
	}
	cr_expect_eq(environment, 22);
	cr_expect_eq(jvm, 25);
	cr_expect_eq(application, 36);
	cr_expect_eq(ours, 15);
	cr_expect(str_is(views.items.items[0].name, STR("active-recordings")));
	cr_expect(str_is(views.items.items[82].name, STR("vm-operations")));
	views_clear(&views);
}

/* The number of titles and formats is that of the columns, as it must be. */
Test(views, have_queries)
{
	struct views views = own();

	for (size_t i = 0; i < views.items.count; i++) {
		const struct view *view = &views.items.items[i];
		struct arena arena = { 0 };
		struct err err = { 0 };
		struct query query;
		size_t at;

		cr_assert(query_parse(&query, view->query, &arena, &at, &err), "%s",
			  err.text);
		cr_expect(!query.column_count ||
			  query.column_count == query.select_count);
		cr_expect(!query.format_count ||
			  query.format_count == query.select_count);
		arena_clear(&arena);
	}
	views_clear(&views);
}

Test(views, are_told_apart_by_their_names)
{
	struct views views = own();

	for (size_t i = 0; i < views.items.count; i++) {
		struct str name = views.items.items[i].name;

		cr_expect_eq(views_find(&views, name), &views.items.items[i]);
		for (size_t j = 0; j < i; j++)
			cr_expect(!views_is_same_name(views.items.items[j].name, name));
	}
	views_clear(&views);
}

static void expect_query(const struct views *views, const char *name,
			 const char *written)
{
	const struct view *view = views_find(views, str_of(name));
	struct arena arena = { 0 };
	struct buf told = { 0 };
	struct query query;
	size_t at;

	cr_assert(view);
	cr_assert(query_parse(&query, view->query, &arena, &at, NULL));
	query_write(&query, &told);
	buf_byte(&told, '\0');
	cr_expect_str_eq(told.bytes, written);
	buf_clear(&told);
	arena_clear(&arena);
}

/* What `jfr view --verbose` writes below these. */
Test(views, ask_what_those_of_the_jdk_ask)
{
	struct views views = own();

	expect_query(
		&views, "gc-pauses",
		"COLUMN 'Total Pause Time', 'Number of Pauses', 'Minimum Pause Time', "
		"'Median Pause Time', 'Average Pause Time', 'P90 Pause Time', "
		"'P95 Pause Time', 'P99 Pause Time', 'P99.9% Pause Time', "
		"'Maximum Pause Time' SELECT SUM(duration), COUNT(duration), "
		"MINIMUM(duration), MEDIAN(duration), AVERAGE(duration), "
		"P90(duration), P95(duration), P99(duration), P999(duration), "
		"MAXIMUM(duration) FROM GCPhasePause GROUP BY startTime");
	expect_query(&views, "native-methods",
		     "COLUMN 'Method', 'Samples' FORMAT none, none SELECT "
		     "stackTrace.topFrame AS T, COUNT(*) AS C FROM NativeMethodSample "
		     "GROUP BY T ORDER BY C DESC");
	expect_query(&views, "thread-count", "SELECT * FROM JavaThreadStatistics");
	cr_expect(views_find(&views, STR("gc-pauses"))->is_form);
	cr_expect(!views_find(&views, STR("native-methods"))->is_form);
	views_clear(&views);
}

Test(views, are_found_by_similar_names)
{
	struct views views = own();

	cr_expect(str_is(views_find(&views, STR("GC_Pauses"))->name, STR("gc-pauses")));
	cr_expect(str_is(views_find(&views, STR("hotmethods"))->name,
			 STR("hot-methods")));
	cr_expect_null(views_find(&views, STR("hot-method")));
	cr_expect_null(views_find(&views, STR("")));
	views_clear(&views);
	cr_expect_null(views_find(&views, STR("gc")));
}

Test(views, have_the_same_name_or_not)
{
	cr_expect(views_is_same_name(STR("a-b_C"), STR("AbC")));
	cr_expect(views_is_same_name(STR("-"), STR("")));
	cr_expect(!views_is_same_name(STR("ab"), STR("abc")));
	cr_expect(!views_is_same_name(STR("abc"), STR("ab-")));
}

static const char mine[] = "; mine\n"
			   "[my.views.first] ; the first\n"
			   "label = 'It''s \"mine\"'\n"
			   "  ; a comment\n"
			   "about=\"Why?\"\n"
			   "table=\"SELECT a\n"
			   "  FROM X WHERE b = 'c'\"\n"
			   "\n"
			   "[application.Hot_Methods]\n"
			   "form = 'SELECT COUNT(*) FROM X'\n"
			   "[application.new]table='SELECT * FROM X' label=a=b;the end";

Test(views, are_read_from_files)
{
	struct views views = { 0 };
	struct err err = { 0 };
	const struct view *view;
	char text[sizeof(mine)];

	memcpy(text, mine, sizeof(mine));
	cr_assert(views_add(&views, str_of(text), "mine.view", &err), "%s", err.text);
	memset(text, '#', sizeof(text));
	cr_assert_eq(views.items.count, 3);
	view = &views.items.items[0];
	cr_expect(str_is(view->category, STR("my.views")));
	cr_expect(str_is(view->name, STR("first")));
	cr_expect(str_is(view->label, STR("Its \"mine\"")));
	cr_expect(str_is(view->about, STR("Why?")));
	cr_expect(str_is(view->query, STR("SELECT a\n  FROM X WHERE b = 'c'")));
	cr_expect(!view->is_form && view->is_ours);
	cr_expect_str_eq(view->file, "mine.view");
	view = &views.items.items[1];
	cr_expect(view->is_form);
	cr_expect(str_is(view->label, STR("Hot_Methods")));
	cr_expect_null(view->about.bytes);
	cr_expect(str_is(views.items.items[2].label, STR("a=b")));
	views_clear(&views);
}

Test(views, take_the_place_of_others)
{
	struct views views = own();
	size_t count = views.items.count;
	const struct view *old = views_find(&views, STR("hot-methods"));
	const struct view *view;

	cr_assert(views_add(&views, str_of(mine), "mine.view", NULL));
	cr_expect_eq(views.items.count, count + 2);
	view = views_find(&views, STR("hot-methods"));
	cr_expect_eq(view - views.items.items, old - views.items.items);
	cr_expect(str_is(view->name, STR("Hot_Methods")));
	cr_expect_str_eq(view->file, "mine.view");
	cr_expect(!view->is_ours);
	cr_expect(views_find(&views, STR("first"))->is_ours);
	views_clear(&views);
}

Test(views, may_be_none)
{
	struct views views = { 0 };

	cr_expect(views_add(&views, STR(""), "x", NULL));
	cr_expect(views_add(&views, STR(" ; no view\n\n;"), "x", NULL));
	cr_expect_eq(views.items.count, 0);
	views_clear(&views);
}

#define NOT_A_NAME "expected category.name, of letters, digits, - and _, found "

static const struct {
	const char *text, *why;
} bad[] = {
	{ "\nlabel = x", "x: line 2: expected [category.name], found 'label'" },
	{ "[a.b", "x: line 1: expected ], found the end" },
	{ "[", "x: line 1: expected category.name, found the end" },
	{ "[a.b c]", "x: line 1: expected ], found 'c'" },
	{ "[b]", "x: line 1: " NOT_A_NAME "'b'" },
	{ "[a.]", "x: line 1: " NOT_A_NAME "'a.'" },
	{ "[.b]", "x: line 1: " NOT_A_NAME "'.b'" },
	{ "[a.-b]", "x: line 1: " NOT_A_NAME "'a.-b'" },
	{ "[a.'b c']", "x: line 1: " NOT_A_NAME "'a.'b c''" },
	{ "\n[a.all_Views]", "x: line 2: no view can be called so: 'a.all_Views'" },
	{ "[a.b]\nlable = x",
	  "x: line 2: there is no key 'lable'; did you mean label?" },
	{ "[a.b]\nquestion = x",
	  "x: line 2: expected label, about, table or form, found 'question'" },
	{ "[a.b]\nlabel x", "x: line 2: expected =, found 'x'" },
	{ "[a.b]\nlabel", "x: line 2: expected =, found the end" },
	{ "[a.b]\nlabel =\n", "x: line 3: expected a value, found the end" },
	{ "[a.b]\nlabel = 'a\n\n", "x: line 2: a quote is not closed: 'a??" },
	{ "[a.b]\nlabel = a\nlabel = a", "x: line 3: label is given twice" },
	{ "\n\n[a.b]\n[a.c]",
	  "x: line 3: b has neither table nor form; it must have one of them" },
	{ "[a.b]\ntable = 'SELECT * FROM X'\nform = 'SELECT * FROM X'\n",
	  "x: line 1: b has both table and form; it must have one of them" },
	{ "[a.b]\ntable = 'SELECT *\n FORM X'\n[a.c]",
	  "x: line 3: expected FROM, found 'FORM'" },
	{ "[a.b]\n\ntable = '\n\nSELECT a'' FROM X\n  wher x'",
	  "x: line 6: expected a comma, WHERE, GROUP BY, ORDER BY, LIMIT or the end, found "
	  "'wher'; did you mean WHERE?" },
	{ "[a.b]\ntable = ''\n",
	  "x: line 2: expected COLUMN, FORMAT or SELECT, found the end" },
};

Test(views, that_are_none_are_told)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct views views = { 0 };
		struct err err = { 0 };

		cr_expect(!views_add(&views, str_of(bad[i].text), "x", &err), "%s",
			  bad[i].text);
		cr_expect_eq(err.kind, ERR_USAGE);
		cr_expect_str_eq(err.text, bad[i].why);
		views_clear(&views);
	}
}

Test(views, have_a_longest_file)
{
	size_t size = 1 << 20;
	char *text = malloc(size + 1);
	struct views views = { 0 };
	struct err err = { 0 };

	memset(text, ' ', size + 1);
	cr_expect(views_add(&views, (struct str){ text, size }, "x", &err));
	cr_expect(!views_add(&views, (struct str){ text, size + 1 }, "x", &err));
	cr_expect_str_eq(err.text, "x: a file of 1048577 bytes is too long");
	views_clear(&views);
	free(text);
}

Test(views, survive_without_memory)
{
	bool is_refused = true;

	for (size_t n = 1; is_refused; n++) {
		struct views views = { 0 };
		struct err err = { 0 };
		bool is_good;

		fault_at(n);
		is_good = views_add(&views, str_of(mine), "x", &err);
		is_refused = fault_happened();
		fault_at(0);
		cr_expect_eq(is_good, !is_refused);
		cr_expect(is_good || err.kind == ERR_MEMORY);
		views_clear(&views);
	}
}
