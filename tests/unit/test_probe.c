#include <criterion/criterion.h>

#include "filter/probe.h"
#include "make.h"
#include "shop.h"

static struct made shop;

static void open_shop(void)
{
	writer_describe(&shop.writer, make_jdk_types);
	make_begin(&shop, shop_types);
	shop_constants(&shop.writer);
	shop_events(&shop.writer, 0);
	cr_assert(make_open(&shop), "%s", shop.err.text);
	shop.chunk.clock = clock_of(&shop.chunk.header);
}

static void close_shop(void)
{
	make_clear(&shop);
}

TestSuite(probe, .init = open_shop, .fini = close_shop);

/* How many events of a type the condition takes; -1 if it does not fit the type. */
static int count(const struct made *made, const char *name, const char *text)
{
	const struct type *type = make_type(made, name);
	struct condition *condition = condition_new(str_of(text), NULL);
	struct probe probe;
	struct event_walk walk = event_walk(&made->chunk, NULL);
	const struct step *step;
	struct event event;
	enum fit fit;
	int taken = 0;

	cr_assert(condition, "%s", text);
	probe_open(&probe, &made->chunk, condition);
	step = probe_plan(&probe, type, &fit);
	cr_assert_eq(step != NULL, fit == FIT_GOOD, "%s", text);
	while (step && event_next(&walk, &event)) {
		const char *fault = NULL;

		taken += event.type == type &&
			 probe_takes(&probe, step, &event, &fault);
		cr_expect_null(fault, "%s: %s", text, fault);
	}
	cr_expect_not(probe.failed);
	probe_close(&probe);
	condition_free(condition);
	return step ? taken : -1;
}

static void expect(const char *type, const char *text, int taken)
{
	int found = count(&shop, type, text);

	cr_expect_eq(found, taken, "%s of %s: %d", text, type, found);
}

/* Of 21 sales a third was coffee; threads have keys 0 to 5 in turn, stacks seven. */
Test(probe, asks_fields_of_the_event)
{
	expect("shop.Sale", "item = coffee", 7);
	expect("shop.Sale", "item != coffee", 14);
	expect("shop.Sale", "item ~ *e*", 21);
	expect("shop.Sale", "item !~ c*", 14);
	expect("shop.Sale", "duration > 1m", 5);
	expect("shop.Sale", "duration < 0", 1);
	expect("shop.Sale", "duration = 0", 1);
	expect("shop.Sale", "price >= 1", 13);
	expect("shop.Sale", "paid = true", 8);
	expect("shop.Sale", "paid != true", 13);
	expect("shop.Sale", "count > 3000000000", 4);
	expect("shop.Sale", "startTime > 1970-01-01T00:00:05.5Z", 0);
	expect("shop.Sale", "stackTrace = null", 3);
	expect("shop.Sale", "stackTrace != null", 18);
}

Test(probe, follows_references)
{
	expect("shop.Sale", "eventThread.javaName = main", 4);
	expect("shop.Sale", "eventThread = main", 4);
	expect("shop.Sale", "eventThread = 'VM Periodic Task Thread'", 3);
	expect("shop.Sale", "eventThread ~ 'clerk *'", 4);
	expect("shop.Sale", "eventThread = ''", 3);
	expect("shop.Sale", "eventThread != main", 17);
	expect("shop.Sale", "eventThread = null", 4);
	expect("shop.Sale", "eventThread.javaName = null", 7);	/* the VM's too */
	expect("shop.Sale", "eventThread.group.name = main", 8);
	expect("shop.Sale", "eventThread.group.parent.name = system", 8);
	expect("shop.Sale", "eventThread.group.parent.parent.name = null", 21);
	expect("shop.Sale", "eventThread.group = main", 8);
	expect("shop.Sale", "eventThread.javaThreadId >= 40", 6);
	expect("shop.Sale", "eventThread.virtual = true", 6);
	expect("shop.Sale", "eventThread.virtual != true", 15);
}

Test(probe, goes_through_arrays)
{
	expect("shop.Sale", "stackTrace.frames.lineNumber = 42", 3);
	expect("shop.Sale", "stackTrace.frames.lineNumber != 42", 18);
	expect("shop.Sale", "stackTrace.frames.lineNumber > 100", 6);
	expect("shop.Sale", "stackTrace.frames.method.name = main", 9);
	expect("shop.Sale", "stackTrace.frames.method.type.name = shop.Shop", 9);
	expect("shop.Sale", "stackTrace.frames.method.type.name = shop/Shop", 9);
	expect("shop.Sale", "stackTrace.frames.method.type.classLoader.name = app", 15);
	expect("shop.Sale", "stackTrace.frames.type = Inlined", 3);
	expect("shop.Sale", "stackTrace.truncated = true", 3);
	expect("shop.Delivery", "frames.lineNumber = -1", 1);
	expect("shop.Delivery", "frames.lineNumber != -1", 2);
	expect("shop.Delivery", "frames.method.name = sell", 1);
	expect("shop.Delivery", "frames ~ *wait?", 1);
	/* An array is never missing, and these have no element that is. */
	expect("shop.Delivery", "frames = null", 0);
	expect("shop.Delivery", "frames != null", 3);
	expect("shop.Delivery", "frames.method = null", 0);
	expect("shop.Delivery", "frames.type = null", 0);
}

Test(probe, knows_what_structs_are_called)
{
	expect("shop.Sale", "stackTrace ~ *Clerk*", 9);
	expect("shop.Sale", "stackTrace ~ 'shop.Shop$Clerk.*'", 9);
	expect("shop.Sale", "stackTrace = shop.Shop.main", 9);
	expect("shop.Sale", "stackTrace = shop/Shop.main", 9);
	expect("shop.Sale", "stackTrace ~ *.wait0", 3);
	expect("shop.Sale", "stackTrace !~ *Clerk*", 12);
	expect("shop.Sale", "stackTrace.frames ~ *Clerk*", 9);
	expect("shop.Sale", "stackTrace.frames.method ~ *Clerk*", 9);
	expect("shop.Sale", "stackTrace = 'shop.Shop.main(String[])'", 9);
	expect("shop.Sale", "stackTrace ~ '*sell(String, int, *'", 6);
	expect("shop.Delivery", "type = int[][]", 1);
	expect("shop.Delivery", "type ~ shop.Shop$$Lambda*", 1);
	expect("shop.Delivery", "type = null", 1);
	expect("shop.Delivery", "type.name = int[][]", 1);
	expect("shop.Delivery", "method = shop.Shop$Clerk.sell", 1);
	expect("shop.Delivery", "loader = app", 1);
	expect("shop.Delivery", "loader = bootstrap", 1);
	expect("shop.Delivery", "group = main", 1);
	expect("shop.Delivery", "driver = errand", 1);
	expect("shop.Delivery", "package.name = java.lang", 1);
	expect("shop.Delivery", "package.name = java/lang", 1);
	expect("shop.Delivery", "package.module.name = java.base", 1);
	expect("shop.Delivery", "package = null", 1);
	expect("shop.Delivery", "symbol = app", 1);
	expect("shop.Delivery", "symbol = 'na\xc3\xafve \xe2\x82\xac'", 1);
}

Test(probe, goes_into_structs_that_are_no_constants)
{
	expect("shop.Delivery", "address.street = 'Main Street 1'", 1);
	expect("shop.Delivery", "address.street = null", 1);
	expect("shop.Delivery", "address.city.name = Bern", 1);
	expect("shop.Delivery", "address.city.zip < 0", 1);
	expect("shop.Delivery", "address.floor = -1", 1);
	expect("shop.Delivery", "address = null", 0);
	expect("shop.Delivery", "address != null", 3);
	expect("shop.Delivery", "address.city = null", 0);
}

Test(probe, knows_all_encodings_and_primitives)
{
	expect("shop.Texts", "none = null", 2);
	expect("shop.Texts", "empty = ''", 2);
	expect("shop.Texts", "empty = null", 0);
	expect("shop.Texts", "pooled ~ 'one of*'", 1);
	expect("shop.Texts", "pooled = 'a pooled text, \xe2\x82\xac'", 1);
	expect("shop.Texts", "utf8 ~ h\xc3\xa9llo*", 1);
	expect("shop.Texts", "chars ~ h\xc3\xa9llo*", 1);
	expect("shop.Texts", "latin1 = 'h\xc3\xa9llo \xc2\xa7'", 1);
	expect("shop.Primitives", "z = true", 2);
	expect("shop.Primitives", "b = -128", 1);
	expect("shop.Primitives", "s < 0", 2);
	expect("shop.Primitives", "c = \xe2\x82\xac", 1);
	expect("shop.Primitives", "c = '<'", 1);
	expect("shop.Primitives", "i = 2147483647", 1);
	expect("shop.Primitives", "j < 0", 2);
	expect("shop.Primitives", "f > 1", 2);
	expect("shop.Primitives", "f != 0.001", 5);
	expect("shop.Primitives", "f = 0.001", 1);
	expect("shop.Primitives", "d = 0.1", 1);
	expect("shop.Primitives", "d != 5", 6);
	expect("shop.Primitives", "d <= 5", 3);	/* not what is no number */
	expect("shop.Primitives", "t = null", 1);
	expect("shop.Primitives", "t = plain", 1);
	expect("shop.Primitives", "i = null", 0);
}

Test(probe, knows_all_units)
{
	expect("shop.Spans", "ticks = 1500ns", 1);
	expect("shop.Spans", "nanos = Forever", 1);
	expect("shop.Spans", "micros = 20s", 1);
	expect("shop.Spans", "millis > 1m", 2);
	expect("shop.Spans", "seconds <= -1h", 1);
	expect("shop.Spans", "ticks = null", 1);
	expect("shop.Spans", "ticks != null", 2);
	expect("shop.Spans", "ticks < 1s", 2);
	expect("shop.Spans", "at = null", 1);
	expect("shop.Spans", "since = 2024-05-01T10:00:00.123Z", 1);
	expect("shop.Amounts", "bytes < 1kB", 2);
	expect("shop.Amounts", "bits = 1kbit", 1);
	expect("shop.Amounts", "byteRate <= -2kB/s", 1);
	expect("shop.Amounts", "bitRate > 900Gbps", 1);
	expect("shop.Amounts", "share = 50%", 1);
	expect("shop.Amounts", "hertz = 1kHz", 1);
	expect("shop.Amounts", "address = 0x7f0012345678", 1);
	expect("shop.Amounts", "address = 0xffffffffffffffff", 1);
	expect("shop.Amounts", "ubyte = 255", 1);
	expect("shop.Amounts", "ushort = 65535", 1);
	expect("shop.Amounts", "uint = 4294967295", 1);
	expect("shop.Amounts", "ulong = 18446744073709551615", 1);
	expect("shop.Amounts", "ulong >= 9223372036854775808", 2);
}

static void expect_fit(const char *name, const char *text, enum fit expected,
		       const char *hint)
{
	struct condition *condition = condition_new(str_of(text), NULL);
	struct probe probe;
	enum fit fit;

	probe_open(&probe, &shop.chunk, condition);
	cr_expect_null(probe_plan(&probe, make_type(&shop, name), &fit));
	cr_expect_eq(fit, expected, "%s", text);
	if (hint)
		cr_expect_str_eq(probe.hint, hint);
	/* The second time all stages are there. */
	cr_expect_null(probe_plan(&probe, make_type(&shop, name), &fit));
	cr_expect_eq(fit, expected, "%s", text);
	probe_close(&probe);
	condition_free(condition);
}

Test(probe, tells_why_a_condition_does_not_fit)
{
	const char *fields = "it has fields of its own: write one of them behind a dot";

	expect_fit("shop.Sale", "itme = tea", FIT_NO_FIELD, NULL);
	expect_fit("shop.Sale", "item.name = tea", FIT_NO_FIELD, NULL);
	expect_fit("shop.Sale", "eventThread.name = tea", FIT_NO_FIELD, NULL);
	expect_fit("shop.Sale", "stackTrace.frames.name = tea", FIT_NO_FIELD, NULL);
	expect_fit("shop.Sale", "duration > 20", FIT_NO_VALUE,
		   "a timespan: write 20ms");
	expect_fit("shop.Sale", "eventThread.javaThreadId = main", FIT_NO_VALUE,
		   "a number: write 20");
	expect_fit("shop.Sale", "stackTrace.frames.lineNumber = x", FIT_NO_VALUE,
		   "a number: write 20");
	expect_fit("shop.Delivery", "address = Bern", FIT_NO_VALUE, fields);
	expect_fit("shop.Delivery", "package = java.lang", FIT_NO_VALUE, fields);
}

static int count_threads(const char *name, const char *patterns, bool *has_found)
{
	const struct threads threads = { str_of(patterns), false };
	const struct type *type = make_type(&shop, name);
	struct probe probe;
	struct event_walk walk = event_walk(&shop.chunk, NULL);
	struct event event;
	const char *fault = NULL;
	enum fit fit;
	const struct step *step;
	int taken = 0;

	probe_open_threads(&probe, &shop.chunk, &threads);
	step = probe_plan(&probe, type, &fit);
	while (step && event_next(&walk, &event))
		taken += event.type == type &&
			 probe_takes(&probe, step, &event, &fault);
	cr_expect_null(fault);
	cr_expect(!step || probe.has_asked);
	*has_found = probe.has_found;
	probe_close(&probe);
	return step ? taken : -1;
}

Test(probe, asks_threads)
{
	bool has_found;

	cr_expect_eq(count_threads("shop.Sale", "main", &has_found), 4);
	cr_expect(has_found);
	cr_expect_eq(count_threads("shop.Sale", "mian", &has_found), 0);
	cr_expect_not(has_found);
	cr_expect_eq(count_threads("shop.Sale", "main,errand,4009", &has_found), 10);
	cr_expect_eq(count_threads("shop.Sale", "*", &has_found), 17);
	cr_expect_eq(count_threads("jdk.ExecutionSample", "main", &has_found), 2);
	cr_expect_eq(count_threads("shop.Delivery", "errand", &has_found), 1);
	cr_expect_eq(count_threads("shop.Spans", "main", &has_found), -1);
}

static const struct schema_type odd_types[] = {
	TYPE("a.Simple", NULL, .is_simple = true, FIELDS(FIELD("x", "int", SPAN))),
	TYPE("a.Pair", NULL, FIELDS(FIELD("t", "java.lang.String"), FIELD("n", "int"))),
	TYPE("a.Loop", NULL,
	     FIELDS(FIELD("next", "a.Loop", POOLED), FIELD("n", "int"),
		    FIELD("all", "a.Loop", POOLED, ARRAY))),
	TYPE("jdk.types.StackTrace", NULL,
	     FIELDS(FIELD("frames", "jdk.types.StackTrace", POOLED))),
	TYPE("a.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("text", "java.lang.String", POOLED),
		    FIELD("raw", "a.Simple", POOLED),
		    FIELD("span", "a.Simple", POOLED, SPAN),
		    FIELD("pairs", "a.Pair", ARRAY),
		    FIELD("keys", "a.Pair", POOLED, ARRAY),
		    FIELD("texts", "java.lang.String", ARRAY),
		    FIELD("loop", "a.Loop", POOLED),
		    FIELD("stackTrace", "jdk.types.StackTrace", POOLED),
		    FIELD("thread", "java.lang.Thread"), FIELD("last", "int"))),
	TYPE("java.lang.Thread", NULL, FIELDS(FIELD("osName", "java.lang.String"))),
	TYPES_END,
};

static void add_odd(struct writer *writer)
{
	EVENT(writer, "a.E", LONG(1), KEY(1), KEY(1), KEY(1), COUNT(2), TEXT("a"),
	      INT(1), TEXT("b"), INT(2), COUNT(3), KEY(1), KEY(2), KEY(9), COUNT(3),
	      TEXT("x"), TEXT_KEY(1), TEXT_KEY(2), KEY(1), KEY(1), TEXT("os"), INT(7));
	EVENT(writer, "a.E", LONG(1), KEY(2), KEY(2), KEY(2), COUNT(0), COUNT(0),
	      COUNT(0), KEY(3), KEY(0), NO_TEXT, INT(8));
	POOL(writer, "a.Simple");
	CONSTANT(writer, 1, INT(5));
	POOL(writer, "a.Pair");
	CONSTANT(writer, 1, TEXT("one"), INT(1));
	CONSTANT(writer, 2, TEXT_KEY(1), INT(2));
	POOL(writer, "a.Loop");
	CONSTANT(writer, 1, KEY(2), INT(1), COUNT(3), KEY(1), KEY(1), KEY(2));
	CONSTANT(writer, 2, KEY(1), INT(2), COUNT(3), KEY(1), KEY(2), KEY(2));
	CONSTANT(writer, 3, KEY(3), INT(3), COUNT(0));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 1, KEY(1));
	POOL(writer, "java.lang.String");
	CONSTANT(writer, 1, TEXT("pooled"));
	CONSTANT(writer, 2, TEXT_KEY(1));
}

static void open_odd(struct made *made)
{
	make_begin(made, odd_types);
	add_odd(&made->writer);
	cr_assert(make_open(made), "%s", made->err.text);
	cr_assert_eq(made->damage.faults.count, 0);
	made->chunk.clock = clock_of(&made->chunk.header);
}

Test(probe, knows_odd_ways_to_store_things)
{
	static const struct {
		const char *text;
		int taken;
	} cases[] = {
		{ "text = pooled", 2 }, { "text = null", 0 },
		{ "raw = 5", 1 }, { "raw = null", 1 },
		{ "span = 5ns", 1 }, { "span < 1s", 1 }, { "span = null", 1 },
		{ "pairs.t = b", 1 }, { "pairs.n > 1", 1 }, { "pairs.n != 2", 1 },
		{ "pairs.n != 3", 2 },
		{ "keys.t = one", 1 }, { "keys.t = pooled", 1 }, { "keys.n = 2", 1 },
		{ "keys = null", 1 }, { "keys != null", 1 }, { "keys.n = null", 1 },
		{ "texts = x", 1 }, { "texts = pooled", 1 }, { "texts = y", 0 },
		{ "texts != x", 1 },
		/* A string that stands for one that stands for another is none. */
		{ "texts = null", 1 },
		{ "loop.next.next.next.n = 2", 1 }, { "loop.next.next.next.n = 1", 0 },
		{ "loop.next.next.next.n = 3", 1 },
		{ "loop.all.all.all.n = 2", 1 }, { "loop.all.all.all.n = 4", 0 },
		{ "thread = os", 1 }, { "thread.osName = null", 1 },
		{ "last = 8", 1 },
		{ "stackTrace ~ *", -1 }, { "stackTrace = null", 1 },
		{ "raw > 1s", -1 },
	};
	struct made made = { 0 };

	open_odd(&made);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int taken = count(&made, "a.E", cases[i].text);

		cr_expect_eq(taken, cases[i].taken, "%s: %d", cases[i].text, taken);
	}
	make_clear(&made);
}

/* So many ways lead through the arrays that nobody could go them all. */
Test(probe, does_nothing_twice, .timeout = 10)
{
	struct made made = { 0 };

	open_odd(&made);
	cr_expect_eq(
		count(&made, "a.E",
		      "loop.all.all.all.all.all.all.all.all.all.all.all.all.all.all.all."
		      "all.all.all.all.all.all.all.all.all.all.all.all.all.n = 4"),
		0);
	make_clear(&made);
}

Test(probe, tells_of_events_that_are_too_short)
{
	struct condition *condition = condition_new(STR("last != 8"), NULL);
	struct made made = { 0 };
	struct probe probe;
	const struct step *step;
	struct event event;
	enum fit fit;

	open_odd(&made);
	probe_open(&probe, &made.chunk, condition);
	event = make_nth(&made, 0);
	step = probe_plan(&probe, event.type, &fit);
	for (uint32_t size = event.size; size > 0; size--) {
		const char *fault = NULL;

		event.size = size;
		if (size == make_nth(&made, 0).size) {
			cr_expect(probe_takes(&probe, step, &event, &fault));
			cr_expect_null(fault);
		} else {
			cr_expect_not(probe_takes(&probe, step, &event, &fault));
			cr_expect_str_eq(fault, "an event does not fit its fields");
		}
	}
	probe_close(&probe);
	condition_free(condition);
	make_clear(&made);
}

/* Wherever the event ends: an answer that is true of what is there, or a fault. */
Test(probe, survives_events_that_end_anywhere)
{
	static const char *const texts[] = {
		"text = x", "pairs.n = 9", "pairs.t = x", "keys.n = 9", "texts = x y",
		"texts = null", "loop.all.n = 9", "thread = x", "thread.osName = null",
	};
	struct made made = { 0 };

	open_odd(&made);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct condition *condition = condition_new(str_of(texts[i]), NULL);
		struct event whole = make_nth(&made, 0), event = whole;
		bool is_known = true;
		struct probe probe;
		const struct step *step;
		enum fit fit;

		probe_open(&probe, &made.chunk, condition);
		step = probe_plan(&probe, whole.type, &fit);
		for (event.size = whole.size; event.size > 0; event.size--) {
			const char *fault = NULL;
			bool takes = probe_takes(&probe, step, &event, &fault);

			cr_expect(!fault || !takes);
			is_known &= !fault;
			cr_expect(is_known == !fault, "%s at %u", texts[i], event.size);
		}
		cr_expect_not(is_known);
		probe_close(&probe);
		condition_free(condition);
	}
	make_clear(&made);
}

/* Not even the pool of strings is there. */
Test(probe, does_without_pools)
{
	struct made made = { 0 };

	make_begin(&made, odd_types);
	EVENT(&made.writer, "a.E", LONG(1), KEY(1), KEY(1), KEY(1), COUNT(0), COUNT(1),
	      KEY(1), COUNT(2), TEXT_KEY(1), TEXT("x"), KEY(1), KEY(1), TEXT("os"),
	      INT(7));
	cr_assert(make_open(&made), "%s", made.err.text);
	cr_assert_null(made.chunk.strings);
	cr_expect_eq(count(&made, "a.E", "texts = x"), 1);
	cr_expect_eq(count(&made, "a.E", "texts = null"), 1);
	cr_expect_eq(count(&made, "a.E", "text = null"), 1);
	cr_expect_eq(count(&made, "a.E", "keys = null"), 1);
	cr_expect_eq(count(&made, "a.E", "keys.n = 1"), 0);
	cr_expect_eq(count(&made, "a.E", "span > 0"), 0);
	make_clear(&made);
}

/* The text of a constant may be longer than anybody wants to compare. */
Test(probe, leaves_large_texts_alone)
{
	static char large[2 * PROBE_TEXT_MAX];
	struct condition *condition = condition_new(STR("text ~ \xc3\xa9*"), NULL);
	struct made made = { 0 };
	struct probe probe;
	const struct step *step;
	struct event event;
	enum fit fit;

	for (size_t i = 0; i < sizeof(large); i += 2)
		memcpy(large + i, "\xc3\xa9", 2);
	make_begin(&made, odd_types);
	add_odd(&made.writer);
	POOL(&made.writer, "java.lang.String");
	writer_constant(&made.writer, 1);
	encode_string_as(&made.writer.buf, STRING_LATIN1,
			 (struct str){ large, sizeof(large) });
	cr_assert(make_open(&made), "%s", made.err.text);
	probe_open(&probe, &made.chunk, condition);
	event = make_nth(&made, 0);
	step = probe_plan(&probe, event.type, &fit);
	for (int i = 0; i < 3; i++) {
		const char *fault = NULL;

		cr_expect_not(probe_takes(&probe, step, &event, &fault));
		cr_expect_str_eq(fault ? fault : "",
				 "a text is too large to be compared");
	}
	cr_expect_not(probe.failed);
	probe_close(&probe);
	condition_free(condition);
	make_clear(&made);
}

Test(probe, knows_how_far_a_path_leads)
{
	static const struct {
		const char *text;
		size_t depth;
		const char *owner;
	} paths[] = {
		{ "item = x", 1, NULL },
		{ "itme = x", 0, "shop.Sale" },
		{ "item.x = x", 1, "java.lang.String" },
		{ "eventThread.name = x", 1, "java.lang.Thread" },
		{ "stackTrace.frames.method.nmae = x", 3, "jdk.types.Method" },
		{ "stackTrace.frames.method.name = x", 4, NULL },
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct condition *condition = condition_new(str_of(paths[i].text),
							    NULL);
		const struct type *owner;

		cr_expect_eq(
			probe_depth(condition, make_type(&shop, "shop.Sale"), &owner),
			paths[i].depth, "%s", paths[i].text);
		if (paths[i].owner)
			cr_expect(owner && str_is(owner->name, str_of(paths[i].owner)));
		else
			cr_expect_null(owner);
		condition_free(condition);
	}
}
