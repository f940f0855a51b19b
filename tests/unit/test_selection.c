#include <criterion/criterion.h>

#include "filter/selection.h"
#include "make.h"
#include "shop.h"

#define SALES 21

static struct made shop;

/* Ticks are nanoseconds since the chunk's start, which is ten seconds past 1970. */
static void open_shop(void)
{
	struct header header = writer_header;

	header.start_nanos = 10000000000;
	writer_describe(&shop.writer, make_jdk_types);
	writer_describe(&shop.writer, shop_types);
	writer_open(&shop.writer, &header);
	shop_constants(&shop.writer);
	shop_events(&shop.writer, 0);
	cr_assert(make_open(&shop), "%s", shop.err.text);
	shop.chunk.clock = clock_of(&shop.chunk.header);
}

static void close_shop(void)
{
	make_clear(&shop);
}

TestSuite(selection, .init = open_shop, .fini = close_shop);

/* All events that a filter accepts, which is resolved for the chunk, and cleared. */
static size_t count(struct filter *filter)
{
	struct event_walk walk = event_walk(&shop.chunk, NULL);
	struct selection selection = { 0 };
	struct event event;
	int64_t start, end;
	size_t taken = 0;

	filter_resolve(filter, 10000000000, 20000000000, 0);
	cr_assert(selection_open(&selection, &shop.chunk, filter, NULL));
	while (event_next(&walk, &event)) {
		bool accepts;

		if (!event.type) {
			cr_expect_not(selection_accepts(&selection, &event, 0, 0));
			continue;
		}
		cr_assert(event_ticks(&shop.chunk, &event, &start, &end));
		accepts = selection_accepts(&selection, &event, start, end);
		cr_expect(!accepts || selection_has_type(&selection, event.type));
		cr_expect_null(selection.fault);
		taken += accepts;
	}
	cr_expect_not(selection.failed);
	selection_close(&selection);
	filter_clear(filter);
	return taken;
}

#define EXPECT(count_, ...)                                                    \
	({                                                                     \
		struct filter filter_ = { __VA_ARGS__ };                       \
		size_t taken_ = count(&filter_);                               \
		cr_expect_eq(taken_, (count_), "%zu", taken_);                 \
	})

Test(selection, takes_all_or_types)
{
	EXPECT(2 + 3 + 5 + SALES + 6 + 6 + 2, .has_min_duration = false);
	EXPECT(SALES, .events = STR("Sale"));
	EXPECT(SALES + 3, .events = STR("shop.Sale,shop.Delivery"));
	EXPECT(0, .events = STR("Sail"));
	EXPECT(5, .categories = STR("JVM"));
	EXPECT(SALES, .categories = STR("Sales"), .events = STR("shop.*"));
}

Test(selection, asks_for_a_duration)
{
	EXPECT(5, .events = STR("Sale"), .has_min_duration = true,
	       .min_duration = 3599499999999);
	EXPECT(4, .events = STR("Sale"), .has_min_duration = true,
	       .min_duration = 3599500000000);
	EXPECT(SALES - 1, .events = STR("Sale"), .has_min_duration = true);
	EXPECT(0, .has_min_duration = true, .min_duration = INT64_MAX);
	EXPECT(0, .events = STR("Delivery"), .has_min_duration = true);
	EXPECT(SALES - 1 + 2 + 3, .has_min_duration = true);
}

/* Sales lie around 5 s after the start, primitives at 1, units at 2, texts at 3. */
Test(selection, asks_for_a_window)
{
	EXPECT(6, .events = STR("Primitives"),
	       .from = { BOUND_AFTER_START, 1000000000, 1 },
	       .to = { BOUND_AFTER_START, 1000000000, 1 });
	EXPECT(0, .events = STR("Primitives"),
	       .from = { BOUND_AFTER_START, 1000000001, 1 });
	EXPECT(0, .events = STR("Primitives"),
	       .to = { BOUND_AFTER_START, 999999999, 1 });
	EXPECT(6, .events = STR("Primitives"), .from = { BOUND_UTC, 11000000000, 1 });
	EXPECT(0, .events = STR("Primitives"),
	       .from = { BOUND_BEFORE_END, 8000000000, 1 });
	EXPECT(8, .from = { BOUND_AFTER_START, 2000000000, 1 },
	       .to = { BOUND_AFTER_START, 3000000000, 1 },
	       .events = STR("Spans,Amounts,Texts"));
	/* The long ones cover all of the recording. */
	EXPECT(8, .events = STR("Sale"), .to = { BOUND_AFTER_START, 0, 1 });
	EXPECT(0, .from = { BOUND_AFTER_START, 2, 1 },
	       .to = { BOUND_AFTER_START, 1, 1 }, .events = STR("Primitives"));
}

Test(selection, asks_for_threads)
{
	EXPECT(4, .events = STR("Sale"), .threads = STR("main"));
	EXPECT(4 + 2, .threads = STR("main"));
	EXPECT(17 + 2 + 3 + 5, .threads = STR("*"));
	EXPECT(0, .threads = STR("mian"));
	EXPECT(0, .events = STR("Primitives"), .threads = STR("*"));
}

static size_t count_where(struct filter filter, const char *first, const char *second)
{
	cr_assert(filter_add_condition(&filter, str_of(first), NULL));
	if (second)
		cr_assert(filter_add_condition(&filter, str_of(second), NULL));
	return count(&filter);
}

Test(selection, asks_for_conditions)
{
	struct filter all = { .has_min_duration = false };
	struct filter sales = { .events = STR("Sale") };
	struct filter of_main = { .threads = STR("main") };

	cr_expect_eq(count_where(all, "item = coffee", NULL), 7);
	cr_expect_eq(count_where(sales, "item = coffee", NULL), 7);
	cr_expect_eq(count_where(sales, "item = coffee", "eventThread = main"), 0);
	cr_expect_eq(count_where(sales, "item != coffee", "eventThread = main"), 4);
	cr_expect_eq(count_where(of_main, "item != coffee", NULL), 4);
	cr_expect_eq(count_where(all, "item = coffee", "share > 0"), 0);
	/* A name that several types have, for different things. */
	cr_expect_eq(count_where(all, "stackTrace ~ *Clerk*", NULL), 9 + 2);
	cr_expect_eq(count_where(all, "address = 0", NULL), 1);
	cr_expect_eq(count_where(all, "address.street = null", NULL), 1);
	cr_expect_eq(count_where(all, "ticks = null", NULL), 1);
}

Test(selection, tells_of_events_that_are_too_short)
{
	struct filter filter = { .has_min_duration = false };
	struct selection selection = { 0 };
	struct event event = make_nth(&shop, 0);

	cr_assert(filter_add_condition(&filter, STR("name = Ada"), NULL));
	cr_assert(selection_open(&selection, &shop.chunk, &filter, NULL));
	cr_expect(selection_accepts(&selection, &event, 0, 0));
	cr_expect_null(selection.fault);
	event.size--;
	cr_expect_not(selection_accepts(&selection, &event, 0, 0));
	cr_expect_str_eq(selection.fault, "an event does not fit its fields");
	event = make_nth(&shop, 1);
	cr_expect_not(selection_accepts(&selection, &event, 0, 0));
	cr_expect_null(selection.fault);
	selection_close(&selection);
	selection_close(&selection);
	filter_clear(&filter);
}

static const struct schema_type odd_types[] = {
	TYPE("a.Micros", "jdk.jfr.Event",
	     FIELDS(START, FIELD("duration", "int",
				 NOTES(NOTE("jdk.jfr.Timespan", "MICROSECONDS"))))),
	TYPE("a.Unsigned", "jdk.jfr.Event",
	     FIELDS(START, FIELD("duration", "int", NOTES(MARK("jdk.jfr.Unsigned"))))),
	TYPE("a.Bare", "jdk.jfr.Event", FIELDS(START, FIELD("duration", "long"))),
	TYPE("a.Text", "jdk.jfr.Event",
	     FIELDS(START, FIELD("duration", "java.lang.String"))),
	TYPE("a.Timeless", "jdk.jfr.Event", FIELDS(FIELD("x", "int"))),
	TYPES_END,
};

static void add_odd(struct writer *writer)
{
	EVENT(writer, "a.Micros", LONG(1), INT(2000));
	EVENT(writer, "a.Micros", LONG(1), INT(1999));
	EVENT(writer, "a.Unsigned", LONG(1), INT(-1));
	EVENT(writer, "a.Bare", LONG(1), LONG(2000000));
	EVENT(writer, "a.Bare", LONG(1), LONG(1999999));
	EVENT(writer, "a.Bare", LONG(1), LONG(INT64_MAX));
	EVENT(writer, "a.Bare", LONG(1), LONG(INT64_MIN));
	EVENT(writer, "a.Text", LONG(1), TEXT("long"));
	EVENT(writer, "a.Timeless", INT(5));
}

Test(selection, knows_odd_durations)
{
	struct made real = shop;

	shop = (struct made){ 0 };
	make_begin(&shop, odd_types);
	add_odd(&shop.writer);
	cr_assert(make_open(&shop), "%s", shop.err.text);
	shop.chunk.clock = clock_of(&shop.chunk.header);
	EXPECT(4, .has_min_duration = true, .min_duration = 2000000);
	EXPECT(5, .has_min_duration = true, .min_duration = 1999999);
	EXPECT(1, .has_min_duration = true, .min_duration = INT64_MAX);
	EXPECT(0, .events = STR("Text"), .has_min_duration = true);
	EXPECT(0, .events = STR("Timeless"), .to = { BOUND_AFTER_START, 5000, 1 });
	EXPECT(1, .events = STR("Timeless"));
	/* A clock that does not run: what lasts at all lasts forever. */
	shop.chunk.clock.divisor = 0;
	EXPECT(3, .events = STR("Bare"), .has_min_duration = true,
	       .min_duration = 2000000);
	shop.chunk.clock.divisor = -1;
	EXPECT(1, .events = STR("Bare"), .has_min_duration = true,
	       .min_duration = 2000000);
	make_clear(&shop);
	shop = real;
}

static size_t count_rules(const struct rule *rules, size_t size)
{
	struct filter filter = { 0 };

	for (size_t i = 0; i < size; i++)
		cr_assert(filter_add_rule(&filter, &rules[i]));
	cr_expect_not(filter_takes_all(&filter));
	return count(&filter);
}

#define RULES(...)                                                              \
	count_rules((const struct rule[]){ __VA_ARGS__ },                       \
		    sizeof((const struct rule[]){ __VA_ARGS__ }) / sizeof(struct rule))
#define INCLUDE(kind, text) { kind, false, STR(text) }
#define EXCLUDE(kind, text) { kind, true, STR(text) }

Test(selection, follows_all_rules)
{
	struct filter none = { 0 };
	size_t all = count(&none);
	size_t of_main = RULES(INCLUDE(RULE_THREADS, "main"));

	cr_expect_eq(RULES(INCLUDE(RULE_EVENTS, "Sale")), SALES);
	cr_expect_eq(RULES(EXCLUDE(RULE_EVENTS, "Sale")), all - SALES);
	cr_expect_eq(RULES(INCLUDE(RULE_EVENTS, "Sale"), EXCLUDE(RULE_EVENTS, "*S*")), 0);
	cr_expect_eq(RULES(INCLUDE(RULE_CATEGORIES, "Little Shop"),
			   INCLUDE(RULE_EVENTS, "*ale")), SALES);
	/* Some events have no thread, or one without a name: they are not included. */
	cr_expect_gt(of_main, 0);
	cr_expect_lt(RULES(INCLUDE(RULE_THREADS, "*")), all);
	cr_expect_eq(RULES(EXCLUDE(RULE_THREADS, "main")), all - of_main);
	cr_expect_eq(RULES(INCLUDE(RULE_THREADS, "*"), EXCLUDE(RULE_THREADS, "main")),
		     RULES(INCLUDE(RULE_THREADS, "*")) - of_main);
	/* By the name in Java alone. */
	cr_expect_eq(RULES(INCLUDE(RULE_THREADS, "4001,1")), 0);
}
