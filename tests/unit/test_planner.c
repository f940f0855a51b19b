#include <criterion/criterion.h>

#include "fault.h"
#include "planned.h"

TestSuite(planner, .init = planned_open, .fini = planned_close);

/* A plan that is made; the caller clears it. */
static const struct plan *plan(struct planned *planned, const char *query)
{
	planned_of(planned, &planned_made.chunk, query);
	cr_assert(planned->is_good, "%s: %s", query, planned->err.text);
	return &planned->plan;
}

static void expect(const char *query, const char *wanted, int line)
{
	struct planned planned;
	struct buf text = { 0 };

	planned_of(&planned, &planned_made.chunk, query);
	cr_expect(planned.is_good, "line %d: %s", line, planned.err.text);
	planned_tell(&text, &planned.plan);
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes, wanted, "line %d: got\n%s", line, text.bytes);
	buf_clear(&text);
	planned_clear(&planned);
}

/* As QueryResolver in JDK 25 has it, but for "text". */
#define PLANS(query, wanted) expect(query, wanted, __LINE__)

/* --- FROM ------------------------------------------------------------------------- */

/* The full names of the sources, with blanks between. */
static void expect_sources(const char *query, bool is_lenient, const char *wanted,
			   int line)
{
	struct buf text = { 0 };
	struct planned planned;

	(is_lenient ? planned_leniently : planned_of)(&planned, &planned_made.chunk,
						      query);
	cr_expect(planned.is_good, "line %d: %s", line, planned.err.text);
	for (size_t i = 0; i < planned.plan.source_count; i++) {
		buf_text(&text, i ? " " : "");
		buf_str(&text, planned.plan.sources[i].type_name);
	}
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes, wanted, "line %d: %s", line, text.bytes);
	buf_clear(&text);
	planned_clear(&planned);
}

#define SOURCES(query, wanted) expect_sources(query, false, wanted, __LINE__)
#define LENIENT(query, wanted) expect_sources(query, true, wanted, __LINE__)

Test(planner, finds_types_by_name_and_pattern)
{
	SOURCES("SELECT * FROM t.All", "t.All");
	SOURCES("SELECT * FROM All", "t.All");
	SOURCES("SELECT * FROM Bare", "Bare");
	SOURCES("SELECT * FROM o.Units, All", "o.Units t.All");
	SOURCES("SELECT * FROM All, All", "t.All t.All");
	SOURCES("SELECT * FROM *", "t.All t.Units o.Units jdk.ActiveSetting Bare");
	SOURCES("SELECT * FROM t.*", "t.All t.Units");
	SOURCES("SELECT * FROM ?.Units", "t.Units o.Units");
	/* Of those that end so, the first. */
	SOURCES("SELECT * FROM Units", "t.Units");
}

/* Ours; where the JDK has a letter instead, we have one, too. */
Test(planner, takes_types_that_may_be_missing)
{
	SOURCES("SELECT * FROM All?", "t.All");
	SOURCES("SELECT * FROM t.All?", "t.All");
	SOURCES("SELECT * FROM Nothing?, All", "t.All");
	SOURCES("SELECT * FROM t.Al?", "t.All");
	SOURCES("SELECT * FROM t.A??", "t.All");
}

Test(planner, finds_types_in_another_spelling_if_wanted)
{
	LENIENT("SELECT * FROM ALL", "t.All");
	LENIENT("SELECT * FROM active-setting", "jdk.ActiveSetting");
	LENIENT("SELECT * FROM JDK.active_setting", "jdk.ActiveSetting");
	LENIENT("SELECT * FROM units", "t.Units");
	/* Only if no type has the name. */
	LENIENT("SELECT * FROM Units", "t.Units");
	LENIENT("SELECT * FROM o.Units", "o.Units");
}

static bool is_experimental(const char *query)
{
	struct planned planned;
	bool is_it = plan_is_experimental(plan(&planned, query));

	planned_clear(&planned);
	return is_it;
}

Test(planner, knows_labels_and_experiments)
{
	struct planned planned;
	const struct plan *both = plan(&planned, "SELECT * FROM All, Bare");

	cr_expect(str_is(both->sources[0].label, STR("All Kinds")));
	cr_expect_null(both->sources[1].label.bytes);
	cr_expect_not(both->sources[0].is_experimental);
	cr_expect(both->sources[1].is_experimental);
	planned_clear(&planned);
	cr_expect(is_experimental("SELECT x FROM Bare"));
	cr_expect(is_experimental("SELECT x FROM t.Units, Bare"));
	cr_expect_not(is_experimental("SELECT i FROM All, Bare"));
	/* What may be missing does not make it one, nor what is not shown. */
	cr_expect_not(is_experimental("SELECT x FROM Bare?"));
	cr_expect_not(is_experimental("SELECT i FROM All, Bare ORDER BY x"));
}

/* --- SELECT ------------------------------------------------------------------------ */

Test(planner, has_columns_of_aggregators)
{
	PLANS("SELECT COUNT(t), UNIQUE(startTime), UNIQUE(bytes), COUNT(share), "
	      "LIST(i), SET(t) FROM All, t.Units",
	      "'Count' COUNT integral <- t.All#t\n"
	      "'Unique Count Time' UNIQUE fixed integral <- t.All#startTime "
	      "t.Units#startTime\n"
	      "'Unique Count bytes' UNIQUE fixed integral <- t.Units#bytes\n"
	      "'Count' COUNT fixed integral <- t.Units#share\n"
	      "'is' LIST left lexical fixed integral <- t.All#i\n"
	      "'ts' SET left lexical <- t.All#t\n"
	      "'Time' hidden left fixed integral timestamp group <- t.All#startTime\n"
	      "'Start Time' hidden left fixed integral timestamp group <- "
	      "t.Units#startTime\n");
	PLANS("SELECT SUM(i), AVG(d), MIN(i), MAX(startTime), DIFF(startTime), "
	      "MEDIAN(gcId), STDEV(i) FROM All",
	      "'Total i' SUM fixed integral <- t.All#i\n"
	      "'Avg. d' AVG fixed fractional <- t.All#d\n"
	      "'Min. i' MIN fixed integral <- t.All#i\n"
	      "'Max. Time' MAX left fixed integral timestamp <- t.All#startTime\n"
	      "'Difference Time' DIFF left fixed integral timestamp <- "
	      "t.All#startTime\n"
	      "'Median GC ID' MEDIAN fixed integral <- t.All#gcId\n"
	      "'Std. Dev. i' STDEV fixed integral <- t.All#i\n"
	      "'Time' hidden left fixed integral timestamp group <- t.All#startTime\n");
	PLANS("SELECT P90(i), P95(i), P99(i), P999(i), FIRST(t), LAST(t), "
	      "LAST_BATCH(t) FROM All",
	      "'P90 i' P90 fixed integral <- t.All#i\n"
	      "'P95 i' P95 fixed integral <- t.All#i\n"
	      "'P99 i' P99 fixed integral <- t.All#i\n"
	      "'P99.9 i' P999 fixed integral <- t.All#i\n"
	      "'t' FIRST left lexical <- t.All#t\n"
	      "'t' LAST left lexical <- t.All#t\n"
	      "'t' LAST_BATCH left lexical <- t.All#t\n"
	      "'Time' hidden left fixed integral timestamp group <- t.All#startTime\n");
}

Test(planner, has_titles_and_formats)
{
	PLANS("COLUMN 'a','b' SELECT x, SUM(y) FROM o.Units",
	      "'a' fixed integral <- o.Units#x\n"
	      "'b' SUM fixed integral <- o.Units#y\n"
	      "'startTime' hidden left fixed integral timestamp group <- "
	      "o.Units#startTime\n");
	PLANS("FORMAT none;cell-height:3,normalized SELECT x, y FROM o.Units",
	      "'x' fixed integral <- o.Units#x\n"
	      "'y' fixed integral percentage normalized <- o.Units#y\n");
}

/* The format of a column, as a query gives it. */
static struct column format(const char *query)
{
	struct planned planned;
	struct column column = plan(&planned, query)->columns[0];

	column.missing = column.missing.bytes[0] == 'x' ? STR("xyz") : STR("N/A");
	planned_clear(&planned);
	return column;
}

Test(planner, has_formats_with_all_properties)
{
	struct column column = format("FORMAT truncate-beginning;cell-height:3;"
				      "missing:xyz;ms-precision:4 SELECT x FROM Bare");

	cr_expect_eq(column.truncation, TRUNCATE_BEGINNING);
	cr_expect_eq(column.cell_height, 3);
	cr_expect_eq(column.precision, 4);
	cr_expect(str_is(column.missing, STR("xyz")));
	cr_expect_not(column.is_normalized || column.is_share_of_run);
	column = format("FORMAT truncate-end SELECT x FROM Bare");
	cr_expect_eq(column.truncation, TRUNCATE_END);
	cr_expect_eq(column.precision, -1);
	cr_expect(str_is(column.missing, STR("N/A")));
	column = format("FORMAT share-of-run SELECT SUM(duration) FROM t.Units");
	cr_expect(column.is_share_of_run && column.is_percentage);
	column = format("FORMAT normalized SELECT x FROM Bare");
	cr_expect(column.is_normalized && column.is_percentage);
}

/* --- GROUP BY and ORDER BY ------------------------------------------------------------ */

/* Each source has a column of its own for each field of GROUP BY. */
Test(planner, has_columns_for_what_is_grouped_and_ordered_by)
{
	PLANS("SELECT x AS K, SUM(y) AS S FROM o.Units GROUP BY K, y ORDER BY S "
	      "DESC, x",
	      "'x' fixed integral <- o.Units#x\n"
	      "'Total y' SUM fixed integral order <- o.Units#y\n"
	      "'x' hidden fixed integral group <- o.Units#x\n"
	      "'y' hidden fixed integral group <- o.Units#y\n"
	      "'x' hidden fixed integral order <- o.Units#x\n");
	PLANS("SELECT COUNT(*) FROM t.Units, o.Units",
	      "'Count' COUNT fixed integral <- t.Units#startTime o.Units#startTime\n"
	      "'Start Time' hidden left fixed integral timestamp group <- "
	      "t.Units#startTime\n"
	      "'startTime' hidden left fixed integral timestamp group <- "
	      "o.Units#startTime\n");
	PLANS("SELECT x AS A, y AS A FROM o.Units ORDER BY A",
	      "'x' fixed integral <- o.Units#x\n"
	      "'y' fixed integral order <- o.Units#y\n");
}

/* The kinds are those of the fields, not of the texts that they are shown as. */
Test(planner, groups_by_what_an_alias_stands_for)
{
	PLANS("SELECT [A|B].x AS K, COUNT(*) FROM t.Units AS A, o.Units AS B GROUP "
	      "BY K",
	      "'x' left lexical fixed integral text <- t.Units#x o.Units#x\n"
	      "'Count' COUNT fixed integral <- t.Units#startTime o.Units#startTime\n"
	      "'x' hidden fixed integral group <- t.Units#x\n"
	      "'x' hidden fixed integral group <- o.Units#x\n");
	PLANS("SELECT A.x AS K, COUNT(*) FROM t.Units AS A, o.Units AS B GROUP BY K",
	      "'x' fixed integral <- t.Units#x\n"
	      "'Count' COUNT fixed integral <- t.Units#startTime o.Units#startTime\n"
	      "'x' hidden fixed integral group <- t.Units#x\n"
	      "'x' hidden fixed integral group <- o.Units#x\n");
	/* What the other source calls otherwise: ours. */
	PLANS("SELECT [A.bytes|B.y] AS K FROM t.Units AS A, o.Units AS B GROUP BY K",
	      "'bytes' left lexical fixed integral bytes text <- t.Units#bytes o.Units#y\n"
	      "'bytes' hidden fixed integral bytes group <- t.Units#bytes\n"
	      "'y' hidden fixed integral group <- o.Units#y\n");
}

Test(planner, knows_the_places_of_groups_and_orders)
{
	struct planned planned;
	const struct plan *made_plan = plan(&planned,
		"SELECT x, SUM(y) AS S FROM o.Units GROUP BY y, x ORDER BY x ASC, S, y DESC "
		"LIMIT 7");
	const struct column *columns = made_plan->columns;

	cr_expect_eq(made_plan->column_count, 6);
	cr_expect_eq(made_plan->visible_count, 2);
	cr_expect_eq(made_plan->group_count, 2);
	cr_expect_eq(made_plan->order_count, 3);
	cr_expect(made_plan->is_grouped);
	cr_expect_eq(columns[0].group, -1);
	cr_expect_eq(columns[2].group, 0);
	cr_expect_eq(columns[3].group, 1);
	cr_expect_eq(columns[1].order, 1);
	cr_expect_eq(columns[1].direction, ORDER_DEFAULT);
	cr_expect_eq(columns[4].order, 0);
	cr_expect_eq(columns[4].direction, ORDER_ASCENDING);
	cr_expect_eq(columns[5].order, 2);
	cr_expect_eq(columns[5].direction, ORDER_DESCENDING);
	planned_clear(&planned);
}

Test(planner, groups_only_if_asked)
{
	struct planned planned;
	const struct plan *plain = plan(&planned, "SELECT x FROM Bare");

	cr_expect_not(plain->is_grouped);
	cr_expect_eq(plain->group_count, 0);
	planned_clear(&planned);
	plain = plan(&planned, "SELECT COUNT(*) FROM Bare");
	cr_expect(plain->is_grouped);
	cr_expect_eq(plain->columns[1].inputs[0].reach, REACH_ONE);
	planned_clear(&planned);
}

/* --- WHERE ----------------------------------------------------------------------------- */

/* The filters of each source: "path=text", sources with bars between. */
static void expect_filters(const char *query, const char *wanted, int line)
{
	struct buf text = { 0 };
	struct planned planned;
	const struct plan *of = plan(&planned, query);

	for (size_t i = 0; i < of->source_count; i++) {
		const struct plan_source *source = &of->sources[i];

		buf_text(&text, i ? " |" : "");
		for (size_t k = 0; k < source->filter_count; k++) {
			const struct plan_filter *filter = &source->filters[k];

			cr_expect_eq(filter->input.source, i);
			buf_byte(&text, ' ');
			buf_str(&text, filter->input.path);
			buf_byte(&text, '=');
			buf_str(&text, filter->text);
		}
	}
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes, wanted, "line %d: %s", line, text.bytes);
	buf_clear(&text);
	planned_clear(&planned);
}

#define FILTERS(query, wanted) expect_filters(query, wanted, __LINE__)

Test(planner, deals_conditions_to_their_sources)
{
	FILTERS("SELECT x FROM Bare", "");
	FILTERS("SELECT x FROM Bare WHERE x = '5'", " x=5");
	FILTERS("SELECT x FROM Bare WHERE x = '5' AND x = '6'", " x=5 x=6");
	FILTERS("SELECT x FROM t.Units AS A, o.Units AS B WHERE B.x = '5'", " | x=5");
	FILTERS("SELECT x FROM t.Units, o.Units WHERE x = '5'", " x=5 | x=5");
	FILTERS("SELECT x FROM t.Units, o.Units WHERE y = '5' AND bytes = '6'",
		" bytes=6 | y=5");
}

/* Of an alias, to the source that gives the column. */
Test(planner, has_conditions_on_aliases)
{
	FILTERS("SELECT x AS K FROM t.Units, o.Units WHERE K = '5'", " x=5 |");
	FILTERS("SELECT COUNT(x) AS K FROM Bare WHERE K = '5'", " x=5");
}

/* As in the JDK; but it is told. */
Test(planner, leaves_conditions_on_no_field_out)
{
	struct planned planned;
	const struct plan *without = plan(&planned,
		"SELECT x FROM Bare WHERE nowhere = 'x' AND x = '5'");

	cr_expect_eq(without->sources[0].filter_count, 1);
	cr_expect(str_is(without->ignored, STR("nowhere")));
	planned_clear(&planned);
	cr_expect_null(plan(&planned, "SELECT x FROM Bare WHERE x = '5'")->ignored.bytes);
	planned_clear(&planned);
}

/* --- settings ----------------------------------------------------------------------------- */

static size_t count_settings(const char *query)
{
	struct planned planned;
	size_t count = plan(&planned, query)->setting_count;

	planned_clear(&planned);
	return count;
}

Test(planner, has_the_names_of_types_for_settings)
{
	struct planned planned;
	const struct plan *settings = plan(&planned, "SELECT * FROM ActiveSetting");

	cr_assert_eq(settings->setting_count, 5);
	for (size_t i = 0; i < 5; i++) {
		const struct plan_setting *setting = &settings->settings[i];
		const struct type *type =
			metadata_type(&planned_made.chunk.metadata, setting->id);

		cr_assert_not_null(type);
		cr_expect(i == 0 || setting[-1].id < setting->id);
		cr_expect(str_is(setting->label, str_is(type->name, STR("t.All"))
							 ? STR("All Kinds")
							 : type->name));
	}
	planned_clear(&planned);
	cr_expect_eq(count_settings("SELECT name FROM ActiveSetting"), 0);
	cr_expect_eq(count_settings("SELECT name FROM ActiveSetting ORDER BY id"), 5);
	cr_expect_eq(count_settings("SELECT name FROM ActiveSetting WHERE id = 'x'"), 5);
}

/* --- what is wrong ------------------------------------------------------------------------ */

static void expect_fault(const char *query, enum err_kind kind, const char *at,
			 const char *complaint, int line)
{
	struct planned planned;
	const char *place = NULL, *next = query;

	while ((next = strstr(next, at)))
		place = next++;
	planned_of(&planned, &planned_made.chunk, query);
	cr_expect_not(planned.is_good, "line %d", line);
	cr_expect_eq(planned.err.kind, kind, "line %d: %s", line, planned.err.text);
	cr_expect(place && planned.at == (size_t)(place - query), "line %d: %zu", line,
		  planned.at);
	if (complaint)
		cr_expect(str_is(planned.plan.complaint, str_of(complaint)),
			  "line %d: %.*s", line, (int)planned.plan.complaint.size,
			  planned.plan.complaint.bytes);
	else
		cr_expect_null(planned.plan.complaint.bytes);
	planned_clear(&planned);
}

/* `at` stands at the place that is told, for the last time; the complaint is JDK 25's. */
#define LACKS(query, at, complaint)                                            \
	expect_fault(query, ERR_FORMAT, at, complaint, __LINE__)
#define REFUSES(query, at) expect_fault(query, ERR_USAGE, at, NULL, __LINE__)

#define NO_TYPE(name) "Can't find event type named '" name "'."
#define LIST_TYPES " 'SHOW EVENTS' will list available event types."

Test(planner, says_which_type_is_missing)
{
	LACKS("SELECT * FROM Nope", "Nope", NO_TYPE("Nope") LIST_TYPES);
	LACKS("SELECT x FROM Bare, Nope", "Nope", NO_TYPE("Nope") LIST_TYPES);
	LACKS("SELECT x FROM *.Nope", "*.Nope", NO_TYPE("*.Nope") LIST_TYPES);
	LACKS("SELECT x FROM Nope?", "Nope?", NO_TYPE("Nope") LIST_TYPES);
	LACKS("SELECT * FROM al", "al", NO_TYPE("al") LIST_TYPES);
	LACKS("SELECT * FROM ActiveSeting", "Act", NO_TYPE("ActiveSeting") LIST_TYPES);
	LACKS("SELECT * FROM nits", "nits", NO_TYPE("nits") " Did you mean 'Units'?");
	LACKS("SELECT * FROM units", "units", NO_TYPE("units") " Did you mean 'Units'?");
	LACKS("SELECT * FROM all", "all", NO_TYPE("all") " Did you mean 'All'?");
	LACKS("SELECT * FROM bare", "bare", NO_TYPE("bare") " Did you mean 'Bare'?");
}

#define NO_FIELD(name, types) "Can't find field named '" name "' in " types "."
#define NEAR(field) "\nDid you mean '" field "'?"
#define LIST_FIELDS(type) "\nUse 'SHOW FIELDS " type "' to list available fields."

Test(planner, says_which_field_is_missing)
{
	LACKS("SELECT z FROM Bare", "z", NO_FIELD("z", "Bare") NEAR("x"));
	LACKS("SELECT Y FROM o.Units", "Y", NO_FIELD("Y", "o.Units") NEAR("x"));
	LACKS("SELECT xy FROM t.Units, o.Units", "xy",
	      NO_FIELD("xy", "t.Units, o.Units") NEAR("x"));
	LACKS("SELECT BYTES FROM t.Units", "BYTES",
	      NO_FIELD("BYTES", "t.Units") NEAR("bytes"));
	LACKS("SELECT hertzz FROM Units", "hertzz",
	      NO_FIELD("hertzz", "t.Units") NEAR("hertz"));
	/* Capitals of what is there count as other letters. */
	LACKS("SELECT byteRat FROM Units", "byteRat",
	      NO_FIELD("byteRat", "t.Units") LIST_FIELDS("Units"));
	LACKS("SELECT x, pair.nope FROM All", "x", NO_FIELD("x", "t.All") NEAR("z"));
	LACKS("SELECT pair.nope FROM All", "pair.nope",
	      NO_FIELD("pair.nope", "t.All") LIST_FIELDS("All"));
	LACKS("SELECT stackTrace.topFrame FROM Bare", "stack",
	      NO_FIELD("stackTrace.topFrame", "Bare") LIST_FIELDS("Bare"));
	LACKS("SELECT stackTrace.topFrame.nope FROM All", "stack",
	      NO_FIELD("stackTrace.topFrame.nope", "t.All") LIST_FIELDS("All"));
}

/* Of GROUP BY, the source that lacks it. */
Test(planner, says_what_is_missing_to_group_and_order_by)
{
	LACKS("SELECT x FROM o.Units GROUP BY z", "z",
	      NO_FIELD("z", "o.Units") NEAR("x"));
	LACKS("SELECT x FROM t.Units, o.Units GROUP BY y", "y",
	      NO_FIELD("y", "t.Units") NEAR("x"));
	LACKS("SELECT x FROM Bare GROUP BY nope", "nope",
	      NO_FIELD("nope", "Bare") LIST_FIELDS("Bare"));
	LACKS("SELECT x FROM o.Units ORDER BY zz", "zz",
	      NO_FIELD("zz", "o.Units") LIST_FIELDS("Units"));
}

static void expect_text(const char *query, const char *wanted)
{
	struct planned planned;

	planned_of(&planned, &planned_made.chunk, query);
	cr_expect_str_eq(planned.err.text, wanted);
	planned_clear(&planned);
}

Test(planner, says_it_in_words_of_its_own)
{
	expect_text("SELECT * FROM Nope", "the recording has no event type 'Nope'");
	expect_text("SELECT * FROM ActiveSeting",
		    "the recording has no event type 'ActiveSeting'; the nearest is "
		    "ActiveSetting");
	expect_text("SELECT nothing FROM Bare",
		    "the recording has no field 'nothing'");
	expect_text("SELECT byteRat FROM t.Units",
		    "the recording has no field 'byteRat'; the nearest is byteRate");
}

Test(planner, refuses_what_makes_no_sense)
{
	REFUSES("SELECT * FROM t.* AS S", "t.*");
	REFUSES("SELECT SUM(*) FROM Bare", "*");
	REFUSES("SELECT MAX(x) AS Most FROM Bare GROUP BY Most", "Most");
	REFUSES("COLUMN 'a' SELECT x, x FROM Bare", "COLUMN");
	REFUSES("COLUMN 'a' SELECT * FROM Bare", "COLUMN");
	REFUSES("FORMAT none, none SELECT x FROM Bare", "FORMAT");
}

/* --- memory -------------------------------------------------------------------------------- */

static void expect_survival(const char *query)
{
	struct arena arena = { 0 };
	struct query parsed;
	struct plan made_plan;
	bool is_refused, is_good;
	size_t n = 0, at;

	cr_assert(query_parse(&parsed, str_of(query), &arena, &at, NULL));
	do {
		struct err err = { .kind = ERR_NONE };

		fault_at(++n);
		is_good = plan_make(&made_plan, &parsed, &planned_made.chunk.metadata, &at, &err);
		is_refused = fault_happened();
		fault_at(0);
		cr_expect(!(is_refused && is_good), "%s, request %zu", query, n);
		/* The nearest name is only left out. */
		cr_expect(!is_refused || err.kind == ERR_MEMORY ||
			  (err.kind == ERR_FORMAT && made_plan.complaint.bytes),
			  "%s, request %zu: %s", query, n, err.text);
		plan_clear(&made_plan);
	} while (is_refused);
	cr_expect_gt(n, 3);
	arena_clear(&arena);
}

Test(planner, tells_that_memory_ran_out)
{
	expect_survival("SELECT * FROM *");
	expect_survival("COLUMN 'a', 'b' FORMAT none, missing:x SELECT x AS K, SUM(y) "
			"FROM o.Units AS A WHERE A.x = '5' GROUP BY K, y ORDER BY K");
	expect_survival("SELECT [A|B].x, COUNT(*) FROM t.Units AS A, o.Units AS B");
	expect_survival("SELECT id FROM ActiveSetting");
	expect_survival("SELECT * FROM Nope");
	expect_survival("SELECT nope FROM *");
}
