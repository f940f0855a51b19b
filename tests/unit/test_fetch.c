#include <criterion/criterion.h>

#include "ask.h"
#include "fault.h"
#include "planned.h"
#include "query/fetch.h"
#include "shop.h"

#define AT(nanos) LONG(SHOP_TICK + (nanos))

static const struct schema_type own_types[] = {
	TYPE("test.Inner", NULL,
	     FIELDS(FIELD("name", "java.lang.String"), FIELD("number", "int"),
		    FIELD("numbers", "int", ARRAY))),
	TYPE("test.Outer", NULL,
	     FIELDS(FIELD("inner", "test.Inner"),
		    FIELD("thread", "java.lang.Thread", POOLED))),
	TYPE("test.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("number", "int"), FIELD("outer", "test.Outer"),
		    FIELD("constant", "test.Outer", POOLED), STACK,
		    FIELD("last", "java.lang.String")),
	     LABEL("An E")),
	TYPE("test.Inline", "jdk.jfr.Event",
	     FIELDS(START, FIELD("stackTrace", "jdk.types.StackTrace"))),
	TYPE("test.Odd", "jdk.jfr.Event", FIELDS(START, FIELD("number", "long"))),
	TYPE("jdk.ActiveSetting", "jdk.jfr.Event",
	     FIELDS(START, FIELD("id", "long"), FIELD("name", "java.lang.String"))),
	TYPES_END,
};

static struct made shop;
static struct lexicon lexicon;
static struct depict depict;

static void fill(struct writer *writer)
{
	EVENT(writer, "test.E", AT(1), INT(7), TEXT("in"), INT(8), COUNT(2), INT(1), INT(2),
	      KEY(MAIN_THREAD), KEY(1), KEY(NATIVE_STACK), TEXT("end"));
	EVENT(writer, "test.E", AT(2), INT(70), NO_TEXT, INT(80), COUNT(0), KEY(0), KEY(0),
	      KEY(0), NO_TEXT);
	EVENT(writer, "test.Inline", AT(3), BOOLEAN(false), COUNT(1), KEY(MAIN_METHOD),
	      INT(5), INT(6), KEY(0));
	EVENT(writer, "jdk.ActiveSetting", AT(4), LONG(writer_type(writer, "test.E")),
	      TEXT("enabled"));
	EVENT(writer, "jdk.ActiveSetting", AT(5), LONG(writer_type(writer, "test.Odd")),
	      TEXT("enabled"));
	EVENT(writer, "jdk.ActiveSetting", AT(6), LONG(4711), TEXT("enabled"));
	EVENT(writer, "test.Odd", AT(7), LONG(9));
	POOL(writer, "test.Outer");
	CONSTANT(writer, 1, TEXT("pool"), INT(9), COUNT(1), INT(3), KEY(CLERK_THREAD));
}

static void open_shop(void)
{
	struct header header = shop_header(0);

	writer_describe(&shop.writer, make_jdk_types);
	writer_describe(&shop.writer, own_types);
	writer_open(&shop.writer, &header);
	shop_constants(&shop.writer);
	fill(&shop.writer);
	cr_assert(make_open(&shop), "%s", shop.err.text);
	cr_assert(depict_open(&depict, &shop.chunk, &lexicon));
}

static void close_shop(void)
{
	cr_expect_not(depict.failed);
	depict_close(&depict);
	lexicon_clear(&lexicon);
	make_clear(&shop);
}

TestSuite(fetch, .init = open_shop, .fini = close_shop);

/* A query, and what its first listener takes from events of its type. */
struct fetched {
	struct planned planned;
	const struct type *type;
	struct fetch *fetch;
};

static const struct type *type_of(const struct plan *plan)
{
	struct str name = plan->sources[plan->listeners->source].type_name;
	const struct metadata *metadata = &shop.chunk.metadata;
	size_t at = 0;

	while (!str_is(metadata->types[at].name, name))
		at++;
	return &metadata->types[at];
}

static void begin(struct fetched *fetched, const char *text)
{
	struct planned *planned = &fetched->planned;
	const struct plan *plan = &planned->plan;

	planned_of(planned, &shop.chunk, text);
	cr_assert(planned->is_good, "%s", planned->err.text);
	fetched->type = type_of(plan);
	fetched->fetch = fetch_new(&depict, plan, plan->listeners, fetched->type,
				   &planned->arena);
	cr_assert(fetched->fetch);
}

static void end(struct fetched *fetched)
{
	planned_clear(&fetched->planned);
}

static void tell_event(const struct fetched *fetched, size_t at, struct buf *to)
{
	struct value values[64];
	const struct datum *data;

	cr_assert(make_decode(&shop, at, values));
	if (!fetch_accepts(fetched->fetch, &depict, values, 0))
		return;
	data = fetch_values(fetched->fetch, &depict, values, 0);
	for (size_t i = 0; i < fetched->fetch->listener->use_count; i++) {
		buf_text(to, i ? " | " : "");
		ask_tell(to, &data[i]);
	}
	buf_byte(to, '\n');
}

/* A line for each event that the first listener accepts: values of all its uses. */
static void expect(const char *query, const char *wanted, int line)
{
	struct fetched fetched;
	struct buf text = { 0 };

	begin(&fetched, query);
	for (size_t i = 0; make_nth(&shop, i).body; i++) {
		if (make_nth(&shop, i).type == fetched.type)
			tell_event(&fetched, i, &text);
	}
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes, wanted, "line %d: %s", line, text.bytes);
	buf_clear(&text);
	end(&fetched);
}

#define FETCHES(query, wanted) expect(query, wanted, __LINE__)

Test(fetch, takes_fields_of_the_event)
{
	FETCHES("SELECT number, last FROM test.E", "int 7 | 'end'\n"
						   "int 70 | null\n");
	FETCHES("SELECT outer.inner.number, outer.inner.name, outer.inner.numbers "
		"FROM test.E",
		"int 8 | 'in' | [int 1, int 2]\n"
		"int 80 | null | []\n");
	FETCHES("SELECT outer FROM test.E", "object Outer\n"
					    "object Outer\n");
}

Test(fetch, takes_what_constants_have)
{
	FETCHES("SELECT outer.thread, outer.thread.javaName, outer.thread.group.name "
		"FROM test.E",
		"thread main | 'main' | 'main'\n"
		"null | null | null\n");
	FETCHES("SELECT constant.inner.number, constant.inner.numbers, "
		"constant.thread.osThreadId FROM test.E",
		"int 9 | [int 3] | long 4002\n"
		"null | null | null\n");
}

Test(fetch, takes_top_frames)
{
	FETCHES("SELECT stackTrace.topFrame, stackTrace.topApplicationFrame, "
		"stackTrace.topFrame.lineNumber FROM test.E",
		"frame java.lang.String.wait0(long) | frame shop.Shop.main(String[]) | "
		"int -1\n"
		"null | null | null\n");
	/* The stack trace may lie in the event itself. */
	FETCHES("SELECT stackTrace.topFrame, stackTrace.topFrame.lineNumber FROM Inline",
		"frame shop.Shop.main(String[]) | int 5\n");
}

Test(fetch, takes_types_of_events_and_of_settings)
{
	FETCHES("SELECT eventType.label, eventType.name FROM test.E",
		"'An E' | 'test.E'\n'An E' | 'test.E'\n");
	FETCHES("SELECT eventType.label, eventType.name FROM Odd", "null | 'test.Odd'\n");
	FETCHES("SELECT id, name FROM ActiveSetting",
		"'An E' | 'enabled'\n'test.Odd' | 'enabled'\nnull | 'enabled'\n");
}

/* All of one group, then a 1 for it; COUNT does not look. */
Test(fetch, takes_nothing_to_count)
{
	FETCHES("SELECT COUNT(number), SUM(number) FROM test.E",
		"null | int 7 | int 1\nnull | int 70 | int 1\n");
}

/* In the column's words, if the other types have something else there. */
Test(fetch, makes_texts_of_different_types)
{
	FETCHES("SELECT [E|Odd].number FROM test.E, Odd", "'7'\n'70'\n");
	FETCHES("SELECT [E.last|E.number] FROM test.E", "'end' | '7'\n'N/A' | '70'\n");
	FETCHES("FORMAT missing:none SELECT [E.last|Odd.number] FROM test.E, Odd",
		"'end'\n'none'\n");
}

Test(fetch, makes_texts_of_arrays_for_lists)
{
	FETCHES("SELECT LIST(outer.inner.numbers), SET(outer.inner.numbers), "
		"LAST(outer.inner.numbers) FROM test.E",
		"'1, 2' | '1, 2' | [int 1, int 2] | int 1\n"
		"'' | '' | [] | int 1\n");
	FETCHES("SELECT LIST(constant.inner.numbers) FROM test.E",
		"'3' | int 1\nnull | int 1\n");
}

Test(fetch, accepts_what_passes_all_filters)
{
	FETCHES("SELECT number FROM test.E WHERE number = '7'", "int 7\n");
	FETCHES("SELECT number FROM test.E WHERE last = 'N/A'", "int 70\n");
	FETCHES("SELECT number FROM test.E WHERE number = '7' AND last = 'end'",
		"int 7\n");
	FETCHES("SELECT number FROM test.E WHERE number = '7' AND last = 'N/A'", "");
	FETCHES("SELECT number FROM test.E WHERE number != '7'", "int 70\n");
	FETCHES("SELECT number FROM test.E WHERE number != '7' AND last != 'N/A'", "");
	FETCHES("SELECT number FROM test.E WHERE outer.thread = 'main'", "int 7\n");
	FETCHES("SELECT number FROM test.E WHERE stackTrace.topFrame.lineNumber = '-1'",
		"int 7\n");
	FETCHES("SELECT number FROM test.E WHERE eventType.name = 'test.E'",
		"int 7\nint 70\n");
	FETCHES("SELECT name FROM ActiveSetting WHERE id = 'An E'", "'enabled'\n");
}

/* --- what it costs ---------------------------------------------------------------- */

static void expect_needs(const char *query, uint32_t needs, int line)
{
	struct fetched fetched;

	begin(&fetched, query);
	cr_expect_eq(fetched.fetch->needs, needs, "line %d: %u", line,
		     fetched.fetch->needs);
	end(&fetched);
}

#define NEEDS(query, needs) expect_needs(query, needs, __LINE__)

/* startTime, number, name, number, numbers, thread, constant, stackTrace, last. */
Test(fetch, needs_the_values_up_to_the_last_it_takes)
{
	NEEDS("SELECT COUNT(*) FROM test.E", 0);
	NEEDS("SELECT eventType.label FROM test.E", 0);
	NEEDS("SELECT startTime FROM test.E", 1);
	NEEDS("SELECT outer.inner.number FROM test.E", 4);
	NEEDS("SELECT outer.inner FROM test.E", 5);
	NEEDS("SELECT outer FROM test.E", 6);
	NEEDS("SELECT constant.inner.name FROM test.E", 7);
	NEEDS("SELECT number, stackTrace.topFrame FROM test.E", 8);
	NEEDS("SELECT number FROM test.E WHERE last = 'x'", 9);
	/* All of the stack trace lies in the event. */
	NEEDS("SELECT stackTrace.topFrame FROM Inline", 3);
}

static size_t count_shared(const char *query)
{
	struct fetched fetched;
	size_t count = 0;

	begin(&fetched, query);
	for (size_t i = 0; i < fetched.fetch->step_count; i++)
		count += fetched.fetch->steps[i].getter.kind == GETTER_SAME;
	end(&fetched);
	return count;
}

Test(fetch, looks_up_once_what_several_want)
{
	cr_expect_eq(count_shared("SELECT number, last FROM test.E"), 0);
	cr_expect_eq(count_shared("SELECT MIN(number), MAX(number), SUM(number) "
				  "FROM test.E"), 2);
	cr_expect_eq(count_shared("SELECT outer.thread, outer.thread.javaName, "
				  "outer.thread.javaName FROM test.E"), 1);
	cr_expect_eq(count_shared("SELECT stackTrace.topFrame AS T, COUNT(*) FROM test.E "
				  "GROUP BY T"), 1);
	cr_expect_eq(count_shared("SELECT stackTrace.topFrame, "
				  "stackTrace.topApplicationFrame FROM test.E"), 0);
	/* A list of arrays is one of texts, the array is none. */
	cr_expect_eq(count_shared("SELECT LIST(outer.inner.numbers), "
				  "LAST(outer.inner.numbers) FROM test.E"), 0);
	FETCHES("SELECT number, number, MAX(number) FROM test.E",
		"int 7 | int 7 | int 7 | int 1\nint 70 | int 70 | int 70 | int 1\n");
}

static bool has_fixed_key(const char *query)
{
	struct fetched fetched;
	bool is_fixed;

	begin(&fetched, query);
	is_fixed = fetched.fetch->has_fixed_key;
	end(&fetched);
	return is_fixed;
}

Test(fetch, knows_keys_that_are_always_the_same)
{
	cr_expect(has_fixed_key("SELECT SUM(number) FROM test.E"));
	cr_expect(has_fixed_key("SELECT COUNT(*) FROM test.E GROUP BY eventType.name"));
	cr_expect_not(has_fixed_key("SELECT COUNT(*) FROM test.E GROUP BY number"));
	cr_expect_not(has_fixed_key("SELECT COUNT(*) FROM test.E "
				    "GROUP BY eventType.name, last"));
}

/* Names of some types that are marked, in alphabetical order. */
static void expect_marks(const char *query, const char *wanted, int line)
{
	static const char *const names[] = {
		"java.lang.Class", "java.lang.Thread", "jdk.types.Method",
		"jdk.types.StackTrace", "test.Outer",
	};
	struct fetched fetched;
	struct buf text = { 0 };
	bool *marks;

	begin(&fetched, query);
	marks = arena_array(&fetched.planned.arena, shop.chunk.metadata.type_count, 1);
	cr_assert(fetch_mark(fetched.fetch, marks));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!marks[make_type(&shop, names[i])->index])
			continue;
		buf_text(&text, text.size ? " " : "");
		buf_str(&text, str_after_last(str_of(names[i]), '.'));
	}
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes, wanted, "line %d: %s", line, text.bytes);
	buf_clear(&text);
	end(&fetched);
}

#define MARKS(query, wanted) expect_marks(query, wanted, __LINE__)

Test(fetch, marks_the_types_whose_constants_it_looks_at)
{
	MARKS("SELECT number, eventType.label FROM test.E", "");
	MARKS("SELECT COUNT(stackTrace) FROM test.E", "");
	MARKS("SELECT outer.inner.number FROM test.E", "");
	MARKS("SELECT outer.thread.javaName FROM test.E", "Thread");
	MARKS("SELECT constant.inner.name FROM test.E", "Thread Outer");
	MARKS("SELECT stackTrace.topFrame FROM test.E", "Class Method StackTrace");
	MARKS("SELECT number FROM test.E WHERE outer.thread = 'x'", "Thread");
	MARKS("SELECT stackTrace.topFrame FROM Inline", "Class Method StackTrace");
}

Test(fetch, needs_memory)
{
	struct fetched fetched;
	const struct plan *plan;
	bool is_refused;
	size_t n = 0;

	begin(&fetched, "SELECT number, stackTrace.topFrame, eventType.label FROM test.E "
			"WHERE last = 'x'");
	plan = &fetched.planned.plan;
	do {
		struct lexicon own = { 0 };
		struct arena arena = { 0 };
		struct fetch *fetch = NULL;
		struct depict open;
		bool is_good;

		fault_at(++n);
		if (depict_open(&open, &shop.chunk, &own))
			fetch = fetch_new(&open, plan, plan->listeners, fetched.type,
					  &arena);
		is_refused = fault_happened();
		fault_at(0);
		is_good = fetch && !open.failed && !own.arena.failed;
		cr_expect_eq(is_good, !is_refused, "request %zu", n);
		depict_close(&open);
		lexicon_clear(&own);
		arena_clear(&arena);
	} while (is_refused);
	cr_expect_gt(n, 3);
	end(&fetched);
}
