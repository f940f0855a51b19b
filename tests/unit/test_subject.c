#include <criterion/criterion.h>

#include "base/buf.h"
#include "query/subject.h"

static void expect(const char *word, enum subject_kind kind, bool is_query,
		   const char *candidates, int line)
{
	struct views views = { .arena = { 0 } };
	struct arena arena = { 0 };
	struct buf told = { 0 };
	struct subject subject;

	cr_assert(views_add_own(&views, NULL));
	subject_of(&subject, &views, str_of(word), &arena);
	cr_expect_eq(subject.kind, kind, "line %d", line);
	cr_expect_eq(subject.is_query, is_query, "line %d", line);
	for (size_t i = 0; i < subject.count; i++) {
		const struct candidate *candidate = &subject.candidates[i];

		buf_text(&told, i ? "; " : "");
		buf_text(&told, candidate->is_lenient ? "like " : "");
		buf_str(&told, candidate->view ? candidate->view->name
					       : candidate->query);
	}
	buf_byte(&told, '\0');
	cr_expect_str_eq(told.bytes, candidates, "line %d", line);
	buf_clear(&told);
	arena_clear(&arena);
	views_clear(&views);
}

#define EXPECT(word, kind, is_query, candidates) \
	expect(word, SUBJECT_##kind, is_query, candidates, __LINE__)

Test(subject, is_all_of_something)
{
	EXPECT("all-views", ALL_VIEWS, false, "");
	EXPECT("ALL-EVENTS", ALL_EVENTS, false, "");
	EXPECT("types", TYPES, false, "");
}

Test(subject, is_a_view_in_any_case)
{
	EXPECT("gc", ONE, false, "gc");
	EXPECT("GC-Pauses", ONE, false, "gc-pauses");
	EXPECT("hot-packages", ONE, false, "hot-packages");
}

/* What the JDK takes for an event type stays one, if there is such a type. */
Test(subject, is_an_event_type_before_a_view_spelled_otherwise)
{
	EXPECT("ThreadStart", ONE, false,
	       "SELECT * FROM ThreadStart; thread-start; "
	       "like SELECT * FROM ThreadStart");
	EXPECT("jdk.CPULoad", ONE, false,
	       "SELECT * FROM jdk.CPULoad; like SELECT * FROM jdk.CPULoad");
}

Test(subject, is_a_query)
{
	EXPECT("SELECT a FROM B", ONE, true, "SELECT a FROM B");
	EXPECT(" select\ta FROM B", ONE, true, " select\ta FROM B");
	EXPECT("COLUMN 'x' SELECT a FROM B", ONE, true, "COLUMN 'x' SELECT a FROM B");
	EXPECT("Selection", ONE, false,
	       "SELECT * FROM Selection; like SELECT * FROM Selection");
}
