/* In the order in which JDK 25 asks them (QueryRun). */
#include <criterion/criterion.h>

#include "planned.h"

TestSuite(listener, .init = planned_open, .fini = planned_close);

/* "type: column path, ..." for each listener, with bars between. */
static void expect(const char *query, const char *wanted, int line)
{
	struct planned planned;
	struct buf text = { 0 };

	planned_of(&planned, &planned_made.chunk, query);
	cr_assert(planned.is_good, "line %d: %s", line, planned.err.text);
	for (size_t i = 0; i < planned.plan.listener_count; i++) {
		const struct plan_listener *listener = &planned.plan.listeners[i];

		buf_text(&text, i ? " | " : "");
		buf_str(&text, planned.plan.sources[listener->source].type_name);
		buf_byte(&text, ':');
		for (size_t k = 0; k < listener->use_count; k++) {
			const struct plan_use *use = &listener->uses[k];

			buf_printf(&text, "%s %u ", k ? "," : "", use->column);
			buf_str(&text, use->input.path);
		}
	}
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes, wanted, "line %d: %s", line, text.bytes);
	buf_clear(&text);
	planned_clear(&planned);
}

#define LISTENS(query, wanted) expect(query, wanted, __LINE__)

Test(listener, fills_all_columns_of_its_type)
{
	LISTENS("SELECT x FROM Bare", "Bare: 0 x");
	LISTENS("SELECT y, x FROM o.Units ORDER BY startTime",
		"o.Units: 0 y, 1 x, 2 startTime");
	LISTENS("SELECT COUNT(*) FROM Bare GROUP BY x", "Bare: 0 startTime, 1 x");
}

/* Not as FROM has them, but as columns first need them. */
Test(listener, stands_where_a_column_first_names_its_source)
{
	LISTENS("SELECT i, x FROM Bare, All", "t.All: 0 i | Bare: 1 x");
	LISTENS("SELECT x FROM o.Units, Bare", "o.Units: 0 x | Bare: 0 x");
	LISTENS("SELECT [B|A].x, y FROM o.Units AS A, t.Units AS B",
		"t.Units: 0 x | o.Units: 0 x, 1 y");
}

Test(listener, is_none_for_a_source_without_columns)
{
	LISTENS("SELECT i FROM Bare, All", "t.All: 0 i");
	LISTENS("SELECT i FROM Bare, All ORDER BY x", "t.All: 0 i | Bare: 1 x");
}

/* Then each event comes once, and fills what is asked of either. */
Test(listener, is_one_for_sources_that_are_the_same)
{
	LISTENS("SELECT A.x, B.y FROM o.Units AS A, o.Units AS B",
		"o.Units: 0 x, 1 y");
	LISTENS("SELECT A.x, B.y FROM o.Units AS A, o.Units AS B "
		"WHERE A.x = '1' AND B.x = '1'",
		"o.Units: 0 x, 1 y");
	LISTENS("SELECT x FROM Bare, Bare", "Bare: 0 x, 0 x");
	LISTENS("SELECT COUNT(*) FROM Bare AS A, Bare AS B GROUP BY x",
		"Bare: 0 startTime, 0 startTime, 1 x, 2 x");
}

Test(listener, is_another_for_other_conditions)
{
	LISTENS("SELECT A.x, B.y FROM o.Units AS A, o.Units AS B WHERE A.x = '1'",
		"o.Units: 0 x | o.Units: 1 y");
	LISTENS("SELECT A.x, B.y FROM o.Units AS A, o.Units AS B "
		"WHERE A.x = '1' AND B.x = '2'",
		"o.Units: 0 x | o.Units: 1 y");
	LISTENS("SELECT A.x, B.y FROM o.Units AS A, o.Units AS B "
		"WHERE A.x = '1' AND B.y = '1'",
		"o.Units: 0 x | o.Units: 1 y");
	/* Their order counts, too. */
	LISTENS("SELECT A.x, B.y FROM o.Units AS A, o.Units AS B "
		"WHERE A.x = '1' AND A.y = '2' AND B.y = '2' AND B.x = '1'",
		"o.Units: 0 x | o.Units: 1 y");
}
