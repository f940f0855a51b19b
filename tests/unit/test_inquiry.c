#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "fault.h"
#include "query/views.h"
#include "shop.h"

/* Two chunks of the shop: the same events twice. */
static struct made shop;

static void add_chunk_of_shop(int seconds)
{
	struct header header = shop_header(seconds);

	writer_open(&shop.writer, &header);
	shop_constants(&shop.writer);
	shop_events(&shop.writer, header.start_ticks);
	cr_assert(writer_close(&shop.writer, &shop.err), "%s", shop.err.text);
}

static void open_shop(void)
{
	writer_describe(&shop.writer, make_jdk_types);
	writer_describe(&shop.writer, shop_types);
	add_chunk_of_shop(0);
	add_chunk_of_shop(10);
	cr_assert(make_bytes(&shop), "%s", shop.err.text);
}

static void close_shop(void)
{
	make_clear(&shop);
}

TestSuite(inquiry, .init = open_shop, .fini = close_shop);

/* --- several queries ------------------------------------------------------------------ */

static const char *const queries[] = {
	"SELECT item, COUNT(*), SUM(price), MAX(price) FROM Sale GROUP BY item",
	"SELECT * FROM Sale ORDER BY price DESC",
	"SELECT eventType.name, COUNT(*), FIRST(startTime), LAST(startTime) FROM * "
	"GROUP BY eventType.name",
	"SELECT stackTrace.topFrame AS F, LIST(item), P90(duration) FROM Sale GROUP BY F",
	"SELECT eventThread, UNIQUE(item), DIFF(price) FROM Sale GROUP BY eventThread",
	NULL,
};

/* The rows of all questions that are planned. */
static void tell_all(const struct asked *asked, struct buf *to)
{
	for (size_t i = 0; i < asked->inquiry.questions.count; i++) {
		const struct question *question = &asked->inquiry.questions.items[i];

		if (question->is_planned)
			ask_tell_rows(to, &question->result);
		buf_byte(to, '\n');
	}
}

Test(inquiry, gives_the_same_with_any_number_of_threads)
{
	struct asked one, four;
	struct buf a = { 0 }, b = { 0 };

	ask(&one, &(struct ask){ .made = &shop, .queries = queries, .threads = 1 });
	ask(&four, &(struct ask){ .made = &shop, .queries = queries, .threads = 4 });
	cr_assert(one.is_good && four.is_good);
	for (size_t i = 0; queries[i]; i++) {
		cr_expect(one.inquiry.questions.items[i].is_planned, "%s",
			  one.inquiry.questions.items[i].err.text);
		cr_expect_gt(one.inquiry.questions.items[i].result.rows.count, 0);
	}
	tell_all(&one, &a);
	tell_all(&four, &b);
	cr_expect_eq(a.size, b.size);
	cr_expect(a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0);
	buf_clear(&a);
	buf_clear(&b);
	asked_clear(&one);
	asked_clear(&four);
}

/* All views at once, of more chunks than there are threads. */
Test(inquiry, asks_all_views_with_any_number_of_threads)
{
	struct views views = { .arena = { 0 } };
	const char **texts;
	struct asked one, four;
	struct buf a = { 0 }, b = { 0 };

	for (int i = 2; i < 9; i++)
		add_chunk_of_shop(10 * i);
	cr_assert(make_bytes(&shop));
	cr_assert(views_add_own(&views, NULL));
	texts = calloc(views.items.count + 1, sizeof(*texts));
	cr_assert_not_null(texts);
	for (size_t i = 0; i < views.items.count; i++)
		texts[i] = strndup(views.items.items[i].query.bytes,
				   views.items.items[i].query.size);
	ask(&one, &(struct ask){ .made = &shop, .queries = texts, .threads = 1,
				 .asks_all_types = true });
	ask(&four, &(struct ask){ .made = &shop, .queries = texts, .threads = 4,
				  .asks_all_types = true });
	cr_assert(one.is_good && four.is_good);
	cr_expect_eq(one.inquiry.questions.count,
		     views.items.count + one.inquiry.type_count);
	tell_all(&one, &a);
	tell_all(&four, &b);
	cr_expect_gt(a.size, 1000);
	cr_expect(a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0);
	for (size_t i = 0; i < views.items.count; i++)
		free((char *)texts[i]);
	free(texts);
	buf_clear(&a);
	buf_clear(&b);
	asked_clear(&one);
	asked_clear(&four);
	views_clear(&views);
}

Test(inquiry, asks_for_all_types)
{
	struct asked asked;

	ask(&asked, &(struct ask){ .made = &shop, .queries = &queries[5],
				   .asks_all_types = true, .threads = 1 });
	cr_assert(asked.is_good);
	cr_expect_eq(asked.inquiry.questions.count, asked.inquiry.type_count);
	cr_expect_gt(asked.inquiry.type_count, 3);
	asked_clear(&asked);
}

Test(inquiry, survives_without_memory)
{
	bool is_refused;
	size_t n = 0;

	do {
		struct asked asked;

		fault_at(++n);
		ask(&asked, &(struct ask){ .made = &shop, .queries = queries,
					   .threads = 1 });
		is_refused = fault_happened();
		fault_at(0);
		cr_expect(asked.is_good || is_refused, "request %zu", n);
		cr_expect(asked.is_good || asked.err.kind == ERR_MEMORY,
			  "request %zu: %s", n, asked.err.text);
		asked_clear(&asked);
	} while (is_refused);
	cr_expect_gt(n, 100);
}

/* --- recordings of their own ----------------------------------------------------------- */

static struct made made;

#define OWN_FIELDS START, FIELD("x", "int"), FIELD("t", "java.lang.String")

static const struct schema_type own_types[] = {
	TYPE("test.E", "jdk.jfr.Event", FIELDS(OWN_FIELDS)),
	TYPE("test.F", "jdk.jfr.Event", FIELDS(START, DURATION, FIELD("x", "int"))),
	TYPES_END,
};

static const struct schema_type less_types[] = {
	TYPE("test.F", "jdk.jfr.Event", FIELDS(START, FIELD("y", "int"))), TYPES_END,
};

static const struct schema_type more_types[] = {
	TYPE("test.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("more", "long"), FIELD("x", "long"),
		    FIELD("t", "java.lang.String"))),
	TYPE("test.G", "jdk.jfr.Event", FIELDS(START, FIELD("x", "int"))),
	TYPES_END,
};

static const struct schema_type odd_names[] = {
	TYPE("test.E AS F", "jdk.jfr.Event", FIELDS(OWN_FIELDS)),
	TYPE("test.E WHERE x = '1'", "jdk.jfr.Event", FIELDS(OWN_FIELDS)),
	TYPE("test.E, test.F", "jdk.jfr.Event", FIELDS(OWN_FIELDS)),
	TYPE("test.E?", "jdk.jfr.Event", FIELDS(OWN_FIELDS)),
	TYPE("test E", "jdk.jfr.Event", FIELDS(OWN_FIELDS)),
	TYPE("", "jdk.jfr.Event", FIELDS(OWN_FIELDS)),
	TYPES_END,
};

/* A further chunk, with these types and no others. */
static void begin(const struct schema_type *types)
{
	cr_assert(!made.writer.is_open || writer_close(&made.writer, &made.err));
	schema_clear(&made.writer.schema);
	make_begin(&made, make_jdk_types);
	writer_describe(&made.writer, types);
}

static void add_e(int64_t tick, int x)
{
	EVENT(&made.writer, "test.E", LONG(tick), INT(x), NO_TEXT);
}

static void finish(void)
{
	cr_assert(make_bytes(&made), "%s", made.err.text);
}

/* As a JVM writes them: what comes behind was not there before. */
static void add_checkpoint(int kind)
{
	writer_checkpoint(&made.writer, kind);
	POOL(&made.writer, "jdk.types.Symbol");
	CONSTANT(&made.writer, 1, TEXT("x"));
	writer_end(&made.writer);
}

/* By their ends; but those behind a flush come later. */
Test(inquiry, takes_events_from_flush_to_flush)
{
	begin(own_types);
	add_e(10, 1);
	add_e(5, 2);
	add_checkpoint(0);
	add_e(7, 3);
	add_checkpoint(CHECKPOINT_FLUSH);
	add_e(3, 4);
	add_e(3, 5);
	add_e(1, 6);
	finish();
	ASKS(&made, "[int 2, int 3, int 1, int 6, int 4, int 5]\n",
	     "SELECT LIST(x) FROM E");
	ASKS(&made, "int 2 | int 5 | int 5 | long 3\n",
	     "SELECT FIRST(x), LAST(x), x, DIFF(x) FROM E");
	make_clear(&made);
}

/* The end counts, not the start. */
Test(inquiry, takes_events_by_their_end)
{
	begin(own_types);
	EVENT(&made.writer, "test.F", LONG(1), LONG(50), INT(1));
	EVENT(&made.writer, "test.F", LONG(2), LONG(3), INT(2));
	add_e(20, 3);
	EVENT(&made.writer, "test.F", LONG(30), LONG(0), INT(4));
	finish();
	ASKS(&made, "[int 2, int 3, int 4, int 1]\n", "SELECT LIST(x) FROM E, F");
	make_clear(&made);
}

/* Chunk after chunk, also where the later one has earlier times. */
Test(inquiry, takes_chunks_in_the_order_of_the_file)
{
	begin(own_types);
	add_e(10, 1);
	begin(own_types);
	add_e(5, 2);
	begin(own_types);
	add_e(7, 3);
	finish();
	ASKS(&made, "[int 1, int 2, int 3]\n", "SELECT LIST(x) FROM E");
	ASKS(&made, "int 1\nint 2\nint 3\n", "SELECT x FROM E");
	make_clear(&made);
}

/* One without the type adds nothing; one whose type is another, what it has. */
Test(inquiry, takes_what_later_chunks_have)
{
	begin(own_types);
	add_e(1, 1);
	EVENT(&made.writer, "test.F", LONG(1), LONG(0), INT(5));
	begin(less_types);
	EVENT(&made.writer, "test.F", LONG(2), INT(7));
	begin(more_types);
	EVENT(&made.writer, "test.E", LONG(3), LONG(9), LONG(2), TEXT("late"));
	EVENT(&made.writer, "test.G", LONG(4), INT(3));
	finish();
	ASKS(&made, "int 1 | null\nlong 2 | 'late'\n", "SELECT x, t FROM E");
	ASKS(&made, "long 2 | long 3\n", "SELECT COUNT(*), SUM(x) FROM E");
	ASKS(&made, "long 2 | int 5\n", "SELECT COUNT(*), x FROM F");
	ASKS(&made, "the recording has no event type 'G'", "SELECT x FROM G");
	ASKS(&made, "the recording has no field 'more'", "SELECT more FROM E");
	make_clear(&made);
}

Test(inquiry, gives_times_and_shares_of_the_run)
{
	struct header header = shop_header(0);
	struct asked asked;

	writer_describe(&made.writer, own_types);
	for (int i = 0; i < 2; i++) {
		header.duration_nanos = i ? INT64_MAX : 10 * SHOP_SECOND;
		writer_open(&made.writer, &header);
		cr_assert(writer_close(&made.writer, &made.err));
		header = shop_header(20);
	}
	finish();
	ask(&asked, &(struct ask){ .made = &made,
				   .queries = (const char *const[]){
					   "SELECT x FROM E", NULL } });
	cr_assert(asked.is_good);
	cr_expect_eq(asked.inquiry.questions.items[0].result.run_nanos,
		     INT64_MAX - SHOP_NANOS);
	asked_clear(&asked);
	make_clear(&made);
}

/* --- filters ------------------------------------------------------------------------------- */

static void expect_filtered(struct filter *filter, const char *query, const char *wanted,
			    const char *note, int line)
{
	struct asked asked;
	struct err told = { .text = "" };
	size_t at = 0;

	ask(&asked, &(struct ask){ .made = &shop, .filter = filter,
				   .queries = (const char *const[]){ query, NULL } });
	cr_assert(asked.is_good, "line %d: %s", line, asked.err.text);
	asked_expect(&asked, 0, wanted, line);
	cr_expect_eq(outcome_note(&asked.inquiry.outcome, filter, &at, &told),
		     note != NULL);
	cr_expect_str_eq(told.text, note ? note : "", "line %d: %s", line, told.text);
	asked_clear(&asked);
	filter_clear(filter);
}

#define FILTERED(filter, query, wanted, note)                                  \
	expect_filtered(filter, query, wanted, note, __LINE__)

Test(inquiry, asks_events_that_pass_the_filter)
{
	struct filter filter = { .has_min_duration = true,
				 .min_duration = INT64_C(86000000000000) };

	FILTERED(&filter, "SELECT COUNT(*) FROM Sale", "long 6\n", NULL);
	filter = (struct filter){ .events = STR("Customer") };
	FILTERED(&filter, "SELECT COUNT(*) FROM Sale, Customer", "long 4\n", NULL);
	filter = (struct filter){ .threads = STR("main") };
	FILTERED(&filter, "SELECT UNIQUE(eventThread), COUNT(*) FROM Sale",
		 "int 1 | long 8\n", NULL);
}

Test(inquiry, tells_why_a_filter_lets_nothing_through)
{
	struct filter filter = { .events = STR("Customr") };

	FILTERED(&filter, "SELECT COUNT(*) FROM Customer", "",
		 "no event type of the recording matches; the nearest is shop.Customer");
	filter = (struct filter){ .has_min_duration = false };
	cr_assert(filter_add_condition(&filter, STR("itme = tea"), NULL));
	FILTERED(&filter, "SELECT COUNT(*) FROM Sale", "",
		 "no selected event type has a field 'itme'; the nearest is item");
}

Test(inquiry, asks_events_of_which_conditions_hold)
{
	struct filter filter = { .has_min_duration = false };

	cr_assert(filter_add_condition(&filter, STR("item = coffee"), NULL));
	FILTERED(&filter, "SELECT item, COUNT(*) FROM Sale GROUP BY item",
		 "'coffee' | long 14\n", NULL);
	filter = (struct filter){ .has_min_duration = false };
	cr_assert(filter_add_condition(&filter, STR("count < 1000"), NULL));
	cr_assert(filter_add_condition(&filter, STR("eventThread.javaName = main"), NULL));
	FILTERED(&filter, "SELECT LIST(count) FROM Sale",
		 "[int 1, int 1]\n", NULL);
}

/* --- damage --------------------------------------------------------------------------------- */

/* The second event says that its text is longer than it is. */
Test(inquiry, tells_of_events_that_cannot_be_read)
{
	struct asked asked;
	static const char *const both[] = { "SELECT t FROM E", "SELECT COUNT(*) FROM E",
					    NULL };

	begin(own_types);
	add_e(1, 1);
	EVENT(&made.writer, "test.E", LONG(2), INT(2), BYTE(STRING_UTF8), COUNT(100),
	      BYTES("abc"));
	add_e(3, 3);
	finish();
	ask(&asked, &(struct ask){ .made = &made, .queries = both });
	cr_assert(asked.is_good);
	asked_expect(&asked, 0, "null\nnull\n", __LINE__);
	cr_assert_eq(asked.damage.faults.count, 1);
	cr_expect_eq(asked.damage.faults.items[0].count, 1);
	cr_expect_str_eq(asked.damage.faults.items[0].type, "test.E");
	asked_clear(&asked);
	/* Who looks at no text finds nothing wrong with it. */
	ask(&asked, &(struct ask){ .made = &made, .queries = &both[1] });
	asked_expect(&asked, 0, "long 3\n", __LINE__);
	cr_expect_eq(asked.damage.faults.count, 0);
	asked_clear(&asked);
	make_clear(&made);
}

Test(inquiry, fails_without_a_chunk)
{
	struct asked asked;

	begin(own_types);
	finish();
	made.size = HEADER_SIZE - 1;
	ask(&asked, &(struct ask){ .made = &made, .queries = queries });
	cr_expect_not(asked.is_good);
	cr_expect_eq(asked.err.kind, ERR_FORMAT);
	asked_clear(&asked);
	make_clear(&made);
}

/* --- all event types -------------------------------------------------------------------------- */

/* Their names would be queries, or none. */
Test(inquiry, asks_for_no_types_with_odd_names)
{
	struct asked asked;

	begin(own_types);
	writer_describe(&made.writer, odd_names);
	add_e(1, 1);
	finish();
	ask(&asked, &(struct ask){ .made = &made, .asks_all_types = true });
	cr_assert(asked.is_good);
	cr_expect_eq(asked.inquiry.type_count, 8);
	cr_assert_eq(asked.inquiry.questions.count, 2);
	asked_expect(&asked, 0, "time 0.000000001 | int 1 | null\n", __LINE__);
	asked_expect(&asked, 1, "", __LINE__);
	asked_clear(&asked);
	make_clear(&made);
}

/* A chain of constants that nobody means to be methods: nothing follows it. */
Test(inquiry, does_not_follow_frames_into_frames)
{
	make_begin(&made, TYPES(
		TYPE("jdk.types.StackFrame", NULL,
		     FIELDS(FIELD("method", "jdk.types.StackFrame", POOLED))),
		TYPE("test.Call", "jdk.jfr.Event",
		     FIELDS(START, FIELD("frame", "jdk.types.StackFrame", POOLED)))));
	POOL(&made.writer, "jdk.types.StackFrame");
	for (uint64_t i = 1; i < 100000; i++)
		CONSTANT(&made.writer, i, KEY(i + 1));
	EVENT(&made.writer, "test.Call", LONG(100), KEY(1));
	cr_assert(make_bytes(&made), "%s", made.err.text);
	ASKS(&made, "long 1\n", "SELECT COUNT(frame) FROM Call GROUP BY frame");
	make_clear(&made);
}
