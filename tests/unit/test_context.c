#include <criterion/criterion.h>

#include "render/context.h"
#include "show.h"

static const struct schema_type types[] = {
	TYPE("shop.Order", "jdk.jfr.Event",
	     FIELDS(START, DURATION, THREAD,
		    FIELD("id", "int", NOTES(MARK("jdk.jfr.Contextual"))),
		    FIELD("name", "java.lang.String", NOTES(MARK("jdk.jfr.Contextual"))),
		    FIELD("other", "int"))),
	TYPE("shop.Step", "jdk.jfr.Event", FIELDS(START, THREAD, FIELD("x", "int"))),
	TYPE("shop.Nobody", "jdk.jfr.Event", FIELDS(START, FIELD("x", "int"))),
	TYPES_END,
};

static void make_begin_all(struct made *made)
{
	struct writer *writer = &made->writer;

	writer_describe(writer, make_jdk_types);
	make_begin(made, types);
	POOL(writer, "java.lang.Thread");
	for (int i = 1; i <= 2; i++)
		CONSTANT(writer, (uint64_t)i, TEXT("os"), LONG(i), TEXT("t"), LONG(i),
			 KEY(0), BOOLEAN(0));
}

/* What is shown of steps alone: the number of each and the orders around it. */
static void expect_orders(const struct made *made, const char *wanted, int line)
{
	struct buf orders = { 0 };
	struct shown shown;
	struct str rest, text;

	show(&shown, made, &(struct show){ .events = "Step,Nobody" });
	rest = (struct str){ shown.text.bytes, shown.text.size };
	while (str_split(&rest, '\n', &text)) {
		if (str_starts(text, STR("  Context: Order.id = ")))
			buf_printf(&orders, "%.*s ", (int)text.size - 22,
				   text.bytes + 22);
		if (str_starts(text, STR("  x = ")))
			buf_printf(&orders, "around %.*s\n", (int)text.size - 6,
				   text.bytes + 6);
	}
	cr_expect(str_is((struct str){ orders.bytes, orders.size }, str_of(wanted)),
		  "line %d, wanted:\n%s\nshown:\n%.*s", line, wanted, (int)orders.size,
		  orders.bytes);
	cr_expect(shown.good && damage_is_none(&shown.damage));
	buf_clear(&orders);
	shown_clear(&shown);
}

#define EXPECT_ORDERS(made, wanted) expect_orders(made, wanted, __LINE__)

static void add_order(struct made *made, int64_t start, int64_t duration,
		      int64_t thread, int id)
{
	EVENT(&made->writer, "shop.Order", LONG(start), LONG(duration), KEY(thread),
	      INT(id), TEXT("n"), INT(0));
}

static void add_step(struct made *made, int64_t start, int64_t thread, int number)
{
	EVENT(&made->writer, "shop.Step", LONG(start), KEY(thread), INT(number));
}

Test(context, is_shown_before_the_fields_of_an_event)
{
	struct made made = { 0 };

	make_begin_all(&made);
	add_order(&made, 0, 1000000, 1, 7);
	add_step(&made, 1000, 1, 3);
	cr_assert(make_bytes(&made));
	SHOWS(&made,
	      "shop.Step {\n"
	      "  Context: Order.id = 7\n"
	      "  Context: Order.name = \"n\"\n"
	      "  startTime = 00:00:00.000 (1970-01-01)\n"
	      "  x = 3\n"
	      "  eventThread = \"t\" (javaThreadId = 1)\n"
	      "}\n\n"
	      "shop.Order {\n"
	      "  startTime = 00:00:00.000 (1970-01-01)\n"
	      "  duration = 1.00 ms\n"
	      "  id = 7\n"
	      "  name = \"n\"\n"
	      "  other = 0\n"
	      "  eventThread = \"t\" (javaThreadId = 1)\n"
	      "}\n\n",
	      0);
	make_clear(&made);
}

Test(context, belongs_to_its_thread_and_its_time)
{
	struct made made = { 0 };

	make_begin_all(&made);
	add_step(&made, 99, 1, 1);
	add_step(&made, 100, 1, 2); /* starts come first in their nanosecond */
	add_order(&made, 100, 100, 1, 7);
	add_step(&made, 150, 1, 3);
	add_step(&made, 151, 2, 4);
	add_step(&made, 152, 99, 5);
	EVENT(&made.writer, "shop.Nobody", LONG(153), INT(6));
	add_step(&made, 201, 1, 7);
	cr_assert(make_bytes(&made));
	EXPECT_ORDERS(&made, "around 1\n7 around 2\n7 around 3\naround 4\naround 5\n"
			     "around 6\naround 7\n");
	make_clear(&made);
}

Test(context, is_shown_oldest_first)
{
	struct made made = { 0 };

	make_begin_all(&made);
	add_order(&made, 120, 100, 1, 2);
	add_order(&made, 100, 200, 1, 1);
	add_order(&made, 130, 10, 1, 3);
	add_step(&made, 135, 1, 1);
	add_step(&made, 150, 1, 2);
	add_step(&made, 250, 1, 3);
	add_step(&made, 350, 1, 4);
	cr_assert(make_bytes(&made));
	EXPECT_ORDERS(&made, "1 2 3 around 1\n1 2 around 2\n1 around 3\naround 4\n");
	make_clear(&made);
}

/* The order of the first chunk is around a step of the second. */
Test(context, reaches_into_the_next_chunk)
{
	struct made made = { 0 };

	make_begin_all(&made);
	add_order(&made, 100, 1000, 1, 7);
	cr_assert(writer_close(&made.writer, NULL));
	make_begin(&made, NULL);
	POOL(&made.writer, "java.lang.Thread");
	CONSTANT(&made.writer, 1, TEXT("os"), LONG(1), TEXT("t"), LONG(1), KEY(0),
		 BOOLEAN(0));
	add_step(&made, 500, 1, 1);
	add_step(&made, 5000, 1, 2);
	cr_assert(make_bytes(&made));
	EXPECT_ORDERS(&made, "7 around 1\naround 2\n");
	make_clear(&made);
}

/* It would stay open for ever, also when its chunk is gone. */
Test(context, of_an_event_that_ends_before_it_starts_is_not_shown)
{
	struct made made = { 0 };

	make_begin_all(&made);
	add_order(&made, 100, -50, 1, 7);
	add_step(&made, 75, 1, 1);
	add_step(&made, 150, 1, 2);
	for (int chunk = 0; chunk < 3; chunk++) {
		cr_assert(writer_close(&made.writer, NULL));
		make_begin(&made, NULL);
		POOL(&made.writer, "java.lang.Thread");
		CONSTANT(&made.writer, 1, TEXT("os"), LONG(1), TEXT("t"), LONG(1),
			 KEY(0), BOOLEAN(0));
		for (int i = 0; i < 300; i++)
			add_step(&made, 1000 + i, 1, 3);
	}
	cr_assert(make_bytes(&made));
	for (int threads = 1; threads <= 4; threads++) {
		struct shown shown;

		show(&shown, &made, &(struct show){ .threads = threads });
		cr_expect(shown.good && damage_is_none(&shown.damage));
		cr_expect_null(memmem(shown.text.bytes, shown.text.size, "Context", 7));
		shown_clear(&shown);
	}
	make_clear(&made);
}

Test(context, is_not_shown_in_other_formats)
{
	struct made made = { 0 };
	struct shown shown;

	make_begin_all(&made);
	add_order(&made, 100, 100, 1, 7);
	add_step(&made, 150, 1, 3);
	cr_assert(make_bytes(&made));
	show(&shown, &made,
	     &(struct show){ .printer = &json_printer, .events = "Step" });
	cr_expect_null(memmem(shown.text.bytes, shown.text.size, "id", 2));
	shown_clear(&shown);
	show(&shown, &made,
	     &(struct show){ .printer = &xml_printer, .events = "Step" });
	cr_expect_null(memmem(shown.text.bytes, shown.text.size, "Context", 7));
	shown_clear(&shown);
	make_clear(&made);
}

/* So many orders, one after the other, on the threads in turn; and a step of each. */
static void open_orders(struct made *made, struct page *page, int orders, int threads)
{
	struct writer *writer = &made->writer;

	writer_describe(writer, make_jdk_types);
	make_begin(made, types);
	POOL(writer, "java.lang.Thread");
	for (int i = 0; i < threads; i++)
		CONSTANT(writer, (uint64_t)i, TEXT("os"), LONG(i), TEXT("t"), LONG(i),
			 KEY(0), BOOLEAN(0));
	for (int i = 0; i < orders; i++)
		add_order(made, i, orders, i % threads, i);
	for (int i = 0; i < threads; i++)
		add_step(made, orders, i, i);
	cr_assert(make_open(made), "%s", made->err.text);
	*page = (struct page){ .chunk = made->chunk };
}

/* The next event of the walk; false if there is none of that name. */
static bool next_spot(struct event_walk *walk, const struct page *page, const char *name,
		      struct spot *spot)
{
	struct event event;

	while (event_next(walk, &event)) {
		*spot = (struct spot){ page, event.offset };
		if (event.type && str_is(event.type->name, str_of(name)))
			return true;
	}
	return false;
}

Test(context, takes_no_memory_for_threads_that_had_one)
{
	struct context context = { .lists.count = 0 };
	struct made made = { 0 };
	struct event_walk walk;
	struct page page;
	struct spot spot;

	open_orders(&made, &page, 1000, 1000);
	walk = event_walk(&page.chunk, NULL);
	while (next_spot(&walk, &page, "shop.Order", &spot)) {
		cr_assert(context_open(&context, &spot));
		cr_expect_eq(context.lists.count, 1);
		context_close(&context, &spot);
		context_close(&context, &spot);	/* is closed already */
		cr_expect_eq(context.lists.count, 0);
	}
	cr_expect_leq(context.lists.capacity, 16);
	cr_expect_leq(context.threads.capacity, 16);
	context_clear(&context);
	make_clear(&made);
}

Test(context, of_a_thread_stays_when_that_of_another_ends)
{
	struct context context = { .lists.count = 0 };
	struct spot orders[3], steps[3];
	struct made made = { 0 };
	struct event_walk walk;
	struct page page;

	open_orders(&made, &page, 3, 3);
	walk = event_walk(&page.chunk, NULL);
	for (int i = 0; i < 3; i++)
		cr_assert(next_spot(&walk, &page, "shop.Order", &orders[i]) &&
			  context_open(&context, &orders[i]));
	for (int i = 0; i < 3; i++)
		cr_assert(next_spot(&walk, &page, "shop.Step", &steps[i]));
	for (int closed = 0; closed < 3; closed++) {
		for (int i = 0; i < 3; i++) {
			const struct context_thread *around =
				context_around(&context, &steps[i]);

			cr_expect_eq(around != NULL, i >= closed);
			cr_expect(!around || (around->open.count == 1 &&
					      around->open.items[0].offset ==
						      orders[i].offset));
		}
		context_close(&context, &orders[closed]);
	}
	cr_expect_null(context_around(&context, &steps[2]));
	context_clear(&context);
	make_clear(&made);
}

/* A hundred thousand events in each other, closed from the inside out. */
Test(context, may_be_deep, .timeout = 20)
{
	enum { DEPTH = 100000 };
	struct context context = { .lists.count = 0 };
	static struct spot orders[DEPTH];
	struct made made = { 0 };
	struct event_walk walk;
	struct page page;

	open_orders(&made, &page, DEPTH, 1);
	walk = event_walk(&page.chunk, NULL);
	for (int i = 0; i < DEPTH; i++)
		cr_assert(next_spot(&walk, &page, "shop.Order", &orders[i]) &&
			  context_open(&context, &orders[i]));
	cr_expect_eq(context.lists.items[0].open.count, DEPTH);
	for (int i = DEPTH; i > 0; i--)
		context_close(&context, &orders[i - 1]);
	cr_expect_eq(context.lists.count, 0);
	context_clear(&context);
	make_clear(&made);
}

Test(context, concerns_types_with_a_contextual_field)
{
	struct made made = { 0 };

	make_begin_all(&made);
	cr_assert(make_open(&made));
	cr_expect(make_type(&made, "shop.Order")->is_contextual);
	cr_expect_not(make_type(&made, "shop.Step")->is_contextual);
	make_clear(&made);
}
