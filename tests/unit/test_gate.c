#include <criterion/criterion.h>

#include "ask.h"
#include "fault.h"
#include "query/gate.h"
#include "shop.h"

/* The shop, without what happens when it closes. */
static struct made shop;

#define AT(seconds) LONG(SHOP_TICK + (seconds) * SHOP_SECOND)

static const struct schema_type own_types[] = {
	TYPE("test.Old", "jdk.jfr.Event",
	     FIELDS(START, FIELD("when", "long",
				 NOTES(NOTE("jdk.jfr.Timestamp",
					    "MILLISECONDS_SINCE_EPOCH"))),
		    THREAD, FIELD("list", "int", ARRAY))),
	TYPE("test.None", "jdk.jfr.Event", FIELDS(START, FIELD("x", "int"))),
	TYPES_END,
};

static void open_shop(void)
{
	struct header header = shop_header(0);

	writer_describe(&shop.writer, make_jdk_types);
	writer_describe(&shop.writer, shop_types);
	writer_describe(&shop.writer, own_types);
	writer_open(&shop.writer, &header);
	shop_constants(&shop.writer);
	shop_events(&shop.writer, SHOP_TICK);
	/* In the year 2500; and what a number of milliseconds can be at most. */
	EVENT(&shop.writer, "test.Old", AT(1), LONG(16725225600000), KEY(MAIN_THREAD),
	      COUNT(2), INT(5), INT(7));
	EVENT(&shop.writer, "test.Old", AT(2), LONG(INT64_MAX), KEY(4711), COUNT(0));
	EVENT(&shop.writer, "test.Old", AT(3), LONG(INT64_MIN), KEY(0), COUNT(0));
	cr_assert(make_bytes(&shop), "%s", shop.err.text);
}

static void close_shop(void)
{
	make_clear(&shop);
}

TestSuite(gate, .init = open_shop, .fini = close_shop);

static void ask_one(struct asked *asked, const char *query)
{
	const struct ask how = { .made = &shop,
				 .queries = (const char *const[]){ query, NULL } };

	ask(asked, &how);
	cr_assert(asked->is_good, "%s", asked->err.text);
	cr_assert(asked->inquiry.questions.items[0].is_planned, "%s",
		  asked->inquiry.questions.items[0].err.text);
}

static void expect(const char *query, const char *condition, bool holds, int line)
{
	struct err err = { .kind = ERR_NONE };
	const struct question *question;
	struct asked asked;
	struct gate gate;

	ask_one(&asked, query);
	question = &asked.inquiry.questions.items[0];
	cr_expect(gate_open(&gate, &question->plan, str_of(condition), 0, &err),
		  "line %d: %s", line, err.text);
	if (err.kind == ERR_NONE)
		cr_expect_eq(gate_holds(&gate, &question->result, &err), holds,
			     "line %d: %s", line, condition);
	cr_expect_eq(err.kind, ERR_NONE);
	gate_close(&gate);
	asked_clear(&asked);
}

#define HOLDS(query, condition) expect(query, condition, true, __LINE__)
#define HOLDS_NOT(query, condition) expect(query, condition, false, __LINE__)

/* True of just one of the two, which say the opposite of a single row. */
#define SPLITS(query, condition, opposite)                                     \
	(HOLDS(query, condition), HOLDS_NOT(query, opposite))

Test(gate, names_a_column_by_title_or_field)
{
	const char *all = "SELECT item, COUNT(*), MAX(duration) FROM Sale GROUP BY item";

	HOLDS(all, "Count >= 2");
	HOLDS(all, "count > 2");
	HOLDS(all, "Max. duration > 1 d");
	HOLDS(all, "duration>1d");
	HOLDS(all, "Item=coffee");
	HOLDS(all, "  ITEM  ==  'tea'  ");
	HOLDS_NOT(all, "Item = 'no such thing'");
	HOLDS_NOT(all, "Count > 1000");
}

Test(gate, has_all_operators)
{
	const char *one = "SELECT bytes FROM Amounts WHERE bytes = '1023 bytes'";

	SPLITS(one, "bytes = 1023", "bytes != 1023");
	SPLITS(one, "bytes == 1023", "bytes = 1022");
	SPLITS(one, "bytes < 1024", "bytes < 1023");
	SPLITS(one, "bytes <= 1023", "bytes <= 1022");
	SPLITS(one, "bytes > 1022", "bytes > 1023");
	SPLITS(one, "bytes >= 1023", "bytes >= 1024");
	SPLITS(one, "bytes != 1", "bytes = 1");
	one = "SELECT item FROM Sale WHERE item = 'tea'";
	SPLITS(one, "item ~ t*", "item !~ t*");
	SPLITS(one, "item !~ ?", "item ~ ?");
	SPLITS(one, "item > coffee", "item < coffee");
}

Test(gate, has_timespans)
{
	const char *one = "SELECT nanos, micros, millis, seconds FROM Spans "
			  "WHERE seconds = '1 m 30 s'";

	SPLITS(one, "nanos = 1ns", "nanos > 1ns");
	SPLITS(one, "micros = 20 s", "micros < 20s");
	SPLITS(one, "millis >= 1m1s", "millis > 61 s");
	SPLITS(one, "seconds > 1m", "seconds > 90 s");
	SPLITS(one, "seconds != null", "seconds = null");
	HOLDS("SELECT AVG(duration) FROM Sale", "duration > 1h");
	HOLDS("SELECT P99(duration) FROM Sale", "P99 duration > 1h");
	HOLDS("SELECT DIFF(price) FROM Sale", "price != 0");
}

/* Neither less nor greater than anything; forever is the greatest. */
Test(gate, has_timespans_that_are_missing_or_without_end)
{
	const char *odd = "SELECT ticks, nanos, millis FROM Spans "
			  "WHERE seconds = '-1 h 0 m'";

	SPLITS(odd, "ticks = null", "ticks != null");
	HOLDS_NOT(odd, "ticks < 1s");
	HOLDS_NOT(odd, "ticks > 1s");
	SPLITS(odd, "nanos > 36500d", "nanos < 36500d");
	SPLITS(odd, "nanos = forever", "nanos != forever");
}

Test(gate, has_times)
{
	const char *one = "SELECT at, since FROM Spans WHERE seconds = '1 m 30 s'";

	SPLITS(one, "since = 2024-05-01T10:00:00.123Z", "since > 2024-05-01T10:00:00.123Z");
	SPLITS(one, "since > 2024-05-01", "since < 2024-05-01");
	/* As precise as it was recorded. */
	SPLITS(one, "at = 2024-05-01T10:00:02.000000005Z",
	       "at < 2024-05-01T10:00:02.000000005Z");
	SPLITS(one, "at > 2024-05-01T10:00:02.000000004Z",
	       "at > 2024-05-01T10:00:02.000000005Z");
	SPLITS(one, "at = 2024-05-01T10:00:02.000Z", "at != 2024-05-01T10:00:02.00Z");
	HOLDS("SELECT FIRST(startTime) FROM Spans", "startTime = 2024-05-01T10:00:02Z");
}

Test(gate, has_times_beyond_nanoseconds_of_64_bits)
{
	const char *far = "SELECT when FROM Old WHERE when = '00:00:00'";

	SPLITS(far, "when > 2262-01-01", "when < 2262-01-01");
	HOLDS("SELECT MAX(when) FROM Old", "when > 2262-01-01");
}

Test(gate, has_times_that_are_missing)
{
	const char *none = "SELECT at, since FROM Spans WHERE seconds = '-1 h 0 m'";

	SPLITS(none, "at = null", "at != null");
	SPLITS(none, "since = null", "since != null");
	HOLDS_NOT(none, "at < 2024-05-01");
	HOLDS_NOT(none, "since > 1900-01-01");
}

/* The difference of two times is a timespan. */
Test(gate, has_differences_of_times)
{
	SPLITS("SELECT DIFF(startTime) FROM Old", "Difference startTime = 2s",
	       "startTime < 2s");
	HOLDS("SELECT DIFF(startTime) FROM Old WHERE list = '5, 7'",
	      "startTime > 100000d");
}

Test(gate, has_amounts)
{
	const char *one = "SELECT * FROM Amounts WHERE bytes = '1023 bytes'";

	SPLITS(one, "bytes < 1kB", "bytes >= 1 kB");
	SPLITS(one, "bits = 1kbit", "bits != 1 kbit");
	SPLITS(one, "byteRate > 1023 kB/s", "byteRate > 1MB/s");
	SPLITS(one, "bitRate > 900Gbps", "bitRate < 900 Gbps");
	SPLITS(one, "share > 99%", "share >= 100%");
	SPLITS(one, "share > 0.99", "share > 1");
	SPLITS(one, "hertz < 0", "hertz > 0");
	SPLITS(one, "address = 0xffffffffffffffff", "address < 1");
}

/* As in the table, unsigned numbers have their sign. */
Test(gate, has_numbers)
{
	const char *one = "SELECT * FROM Primitives WHERE t = 'plain'";

	SPLITS(one, "b = 10", "b > 10");
	SPLITS(one, "s <= 100", "s < 100");
	SPLITS(one, "i > 999.5", "i > 1000");
	SPLITS(one, "j = 10000", "j = 10000.5");
	SPLITS(one, "f > 0.0009", "f < 0.0009");
	SPLITS(one, "d = 0.1", "d != 0.1");
	SPLITS(one, "f != null", "f = null");
	HOLDS("SELECT ubyte FROM Amounts", "ubyte = -1");
	HOLDS_NOT("SELECT ubyte FROM Amounts", "ubyte = 255");
}

/* NaN is not less, not greater, not equal. */
Test(gate, has_numbers_that_are_none)
{
	const char *one = "SELECT d, t FROM Primitives WHERE d = 'N/A' AND f = 'N/A'";

	HOLDS_NOT(one, "d < 0");
	HOLDS_NOT(one, "d >= 0");
	HOLDS_NOT(one, "d = 0");
	HOLDS(one, "d != 0");
	HOLDS("SELECT d FROM Primitives", "d < -1e300");
}

Test(gate, has_booleans_and_chars_as_they_are_shown)
{
	const char *one = "SELECT z, c FROM Primitives WHERE t = 'plain'";

	SPLITS(one, "z = false", "z = true");
	SPLITS("SELECT z, c FROM Primitives WHERE c = 'x'", "z = true", "z != true");
	SPLITS("SELECT z, c FROM Primitives WHERE c = 'x'", "c = x", "c > x");
}

Test(gate, has_things_as_they_are_shown)
{
	const char *one = "SELECT * FROM Delivery WHERE driver = 'errand'";

	SPLITS(one, "driver = errand", "driver ~ cl*");
	SPLITS(one, "type = int[][]", "type != int[][]");
	SPLITS(one, "method ~ *.sell(*", "method = sell");
	SPLITS(one, "group = main", "group = system");
	SPLITS(one, "loader ~ *AppClassLoader", "loader = null");
	SPLITS("SELECT stackTrace, stackTrace.topFrame FROM Sale "
	       "WHERE stackTrace.topFrame = 'shop.Shop.main(String[])'",
	       "stackTrace ~ shop.*", "stackTrace !~ *main*");
	HOLDS("SELECT stackTrace.topFrame AS T, COUNT(*) FROM Sale GROUP BY T",
	      "Method = 'shop.Shop.main(String[])'");
}

/* A text that is empty is one. */
Test(gate, has_what_is_null)
{
	const char *texts = "SELECT none, empty FROM Texts";

	SPLITS(texts, "none = null", "none != null");
	SPLITS(texts, "none = N/A", "none = 'N/A'");
	SPLITS(texts, "empty != null", "empty = null");
	SPLITS(texts, "empty = ''", "empty != ''");
	/* A class loader without a class has no text. */
	SPLITS("SELECT loader FROM Delivery WHERE driver = 'VM Periodic Task Thread'",
	       "loader = null", "loader != null");
	SPLITS("SELECT eventThread FROM Old WHERE list = '5, 7'", "eventThread != null",
	       "eventThread = null");
	HOLDS("SELECT eventThread FROM Old", "eventThread = null");
	HOLDS("SELECT x, when FROM None, Old", "x = null");
	HOLDS_NOT("SELECT x, when FROM None, Old", "x < 5");
	HOLDS("SELECT x, when FROM None, Old", "x != 5");
}

Test(gate, has_lists_as_texts)
{
	SPLITS("SELECT list FROM Old WHERE list = '5, 7'", "list = '5, 7'", "list = 5");
	HOLDS("SELECT SET(item) FROM Sale", "Items ~ '*tea*'");
	HOLDS("SELECT LIST(bytes) FROM Amounts", "bytess ~ *1023*");
}

/* Aggregators that count give numbers, whatever they count. */
Test(gate, has_counts)
{
	SPLITS("SELECT COUNT(duration) FROM Sale", "Count = 21", "Count = 21.5");
	SPLITS("SELECT UNIQUE(item) FROM Sale", "Unique Count Item = 2", "item > 2");
	SPLITS("SELECT UNIQUE(startTime) FROM Old", "startTime = 3", "startTime < 3");
}

/* What makes fractions of whole numbers is compared with fractions. */
Test(gate, has_fractions_of_whole_numbers)
{
	const char *two = "SELECT AVG(i), MEDIAN(i), STDEV(i) FROM Primitives "
			  "WHERE d = '0.1'";

	SPLITS(two, "Avg. i = 1000", "Avg. i > 1000");
	SPLITS(two, "Median i < 1000.5", "Median i > 1000.5");
	SPLITS(two, "Std. Dev. i = 0", "Std. Dev. i > 0");
	HOLDS("SELECT AVG(startTime) FROM Primitives", "startTime = null");
}

Test(gate, has_shares)
{
	const char *shares = "FORMAT none, normalized SELECT item, COUNT(*) FROM Sale "
			     "GROUP BY item";

	HOLDS(shares, "Count > 50%");
	HOLDS_NOT(shares, "Count > 99%");
	HOLDS_NOT(shares, "Count > 1");
	HOLDS("FORMAT share-of-run SELECT SUM(duration) FROM Sale",
	      "duration > 100%");
}

static const struct schema_type later_types[] = {
	TYPE("test.None", "jdk.jfr.Event", FIELDS(START, FIELD("x", "java.lang.String"))),
	TYPE("test.Old", "jdk.jfr.Event",
	     FIELDS(START, FIELD("when", "long"), THREAD, FIELD("list", "double"))),
	TYPES_END,
};

/* A second chunk declares them otherwise: what is no such value any more is missing. */
Test(gate, has_fields_that_become_others)
{
	schema_clear(&shop.writer.schema);
	make_begin(&shop, make_jdk_types);
	writer_describe(&shop.writer, later_types);
	EVENT(&shop.writer, "test.None", AT(2), TEXT("5"));
	EVENT(&shop.writer, "test.Old", AT(2), LONG(5), KEY(0), DOUBLE(5));
	cr_assert(make_bytes(&shop), "%s", shop.err.text);
	SPLITS("SELECT LAST(x) FROM None", "x != 5", "x = 5");
	SPLITS("SELECT LAST(when) FROM Old", "when != 1970-01-01", "when > 1900-01-01");
	HOLDS("SELECT LAST(list) FROM Old", "list = 5");
	SPLITS("SELECT LAST(x) FROM None", "x = null", "x != null");
	SPLITS("SELECT LAST(when) FROM Old", "when = null", "when != null");
}

/* --- what makes no sense ------------------------------------------------------------- */

static void expect_fault(const char *query, const char *condition, const char *why,
			 int line)
{
	struct err err = { .kind = ERR_NONE };
	struct asked asked;
	struct gate gate;

	ask_one(&asked, query);
	cr_expect_not(gate_open(&gate, &asked.inquiry.questions.items[0].plan,
				str_of(condition), 0, &err), "line %d", line);
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_str_eq(err.text, why, "line %d: %s", line, err.text);
	gate_close(&gate);
	asked_clear(&asked);
}

#define FAULT(condition, why)                                                  \
	expect_fault("SELECT item, duration, price FROM Sale", condition, why, \
		     __LINE__)

Test(gate, tells_what_makes_no_sense)
{
	FAULT("itam = tea", "the view has no column 'itam'; the nearest is Item");
	FAULT("stackTrace = tea", "the view has no column 'stackTrace'");
	FAULT("price > much",
	      "the value 'much' fits no column 'Price' (a number: write 1.5)");
	FAULT("duration > 20",
	      "the value '20' fits no column 'duration' (a timespan: write 20ms)");
	FAULT("Price ~ 1*", "the value '1*' fits no column 'Price' (patterns are for texts)");
}

Test(gate, tells_that_there_is_no_operator)
{
	struct err err = { .kind = ERR_NONE };
	struct asked asked;
	struct gate gate;

	ask_one(&asked, "SELECT item FROM Sale");
	cr_expect_not(gate_open(&gate, &asked.inquiry.questions.items[0].plan,
				STR("item"), 0, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	gate_close(&gate);
	asked_clear(&asked);
}

/* Of all rows, also those that are not shown. */
Test(gate, looks_at_rows_past_the_limit)
{
	HOLDS("SELECT item FROM Sale ORDER BY item LIMIT 1", "item = tea");
	HOLDS_NOT("SELECT x FROM None", "x != 5");
	HOLDS_NOT("SELECT x FROM None", "x = null");
}

static bool try(const struct question *question, size_t refused, bool *holds,
		struct err *err)
{
	struct gate gate;
	bool is_good;

	fault_at(refused);
	is_good = gate_open(&gate, &question->plan, STR("Item ~ '*e*'"), 0, err);
	*holds = is_good && gate_holds(&gate, &question->result, err);
	gate_close(&gate);
	return is_good && err->kind == ERR_NONE;
}

Test(gate, needs_memory)
{
	struct asked asked;
	size_t n = 0;
	bool is_refused;

	ask_one(&asked, "SELECT item, COUNT(*) FROM Sale GROUP BY item");
	do {
		struct err err = { .kind = ERR_NONE };
		bool holds;
		bool is_good = try(&asked.inquiry.questions.items[0], ++n, &holds, &err);

		is_refused = fault_happened();
		fault_at(0);
		cr_expect_eq(is_good, !is_refused, "request %zu", n);
		cr_expect_eq(err.kind, is_refused ? ERR_MEMORY : ERR_NONE);
		cr_expect_eq(holds, !is_refused);
	} while (is_refused);
	cr_expect_gt(n, 1);
	asked_clear(&asked);
}
