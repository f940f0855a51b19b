#include <criterion/criterion.h>

#include "ask.h"
#include "fault.h"
#include "shop.h"

/* Two chunks of the shop: the same events twice. */
static struct made shop;

static void open_shop(void)
{
	struct header header = shop_header(0);

	writer_describe(&shop.writer, make_jdk_types);
	writer_describe(&shop.writer, shop_types);
	for (int i = 0; i < 2; i++) {
		writer_open(&shop.writer, &header);
		shop_constants(&shop.writer);
		shop_events(&shop.writer, SHOP_TICK);
		header = shop_header(10);
	}
	cr_assert(make_bytes(&shop), "%s", shop.err.text);
}

static void close_shop(void)
{
	make_clear(&shop);
}

TestSuite(inquiry, .init = open_shop, .fini = close_shop);

static const char *const queries[] = {
	"SELECT item, COUNT(*), SUM(price), MAX(price) FROM Sale GROUP BY item",
	"SELECT * FROM Sale ORDER BY price DESC",
	"SELECT eventType.name, COUNT(*), FIRST(startTime), LAST(startTime) FROM * "
	"GROUP BY eventType.name",
	"SELECT stackTrace.topFrame AS F, LIST(item), P90(duration) FROM Sale GROUP BY F",
	"SELECT eventThread, UNIQUE(item), DIFF(price) FROM Sale GROUP BY eventThread",
	NULL,
};

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
		ask_tell_rows(&a, &one.inquiry.questions.items[i].result);
		ask_tell_rows(&b, &four.inquiry.questions.items[i].result);
		cr_expect_gt(one.inquiry.questions.items[i].result.rows.count, 0);
	}
	cr_expect_eq(a.size, b.size);
	cr_expect(a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0);
	buf_clear(&a);
	buf_clear(&b);
	asked_clear(&one);
	asked_clear(&four);
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
/* A chain of constants that nobody means to be methods: nothing follows it. */
Test(inquiry, does_not_follow_frames_into_frames)
{
	struct made made = { .bytes = NULL };

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
