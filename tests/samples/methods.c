/*
 * methods.c - calls of methods as our own agent counts and traces them, and what it tells
 * of its filters and probes.
 */
#include "jfr/eventtypes.h"
#include "shop.h"
#include "testdata.h"

/* Keys of constants; 0 is none. */
enum {
	MAIN = 1, VIRTUAL,
	SALE = 1, PAY, NEVER, OLD, LARGE, RUN, ANCIENT,
	TILL = 1, GONE,
	FROM_RUN = 1, FROM_SALE,
};

static const char *const names[] = {
	"", "shop/till/Till", "shop/Gone", "sale", "pay", "never", "old", "large", "run",
	"()V", "(I)I", "main", "app", "ancient",
};

static void constants(struct writer *writer)
{
	POOL(writer, "jdk.types.Symbol");
	for (size_t i = 1; i < sizeof(names) / sizeof(names[0]); i++) {
		writer_constant(writer, i);
		encode_string(&writer->buf, str_of(names[i]));
	}
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, MAIN, TEXT("java"), LONG(640), TEXT("main"), LONG(1), KEY(1),
		 BOOLEAN(false));
	CONSTANT(writer, VIRTUAL, NO_TEXT, LONG(0), TEXT("order-7"), LONG(31), KEY(0),
		 BOOLEAN(true));
	POOL(writer, "jdk.types.ThreadGroup");
	CONSTANT(writer, 1, KEY(0), TEXT("main"));
	POOL(writer, "jdk.types.ClassLoader");
	CONSTANT(writer, 1, KEY(0), KEY(12));
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, TILL, KEY(1), KEY(1), KEY(0), INT(1), BOOLEAN(false));
	CONSTANT(writer, GONE, KEY(0), KEY(2), KEY(0), INT(0), BOOLEAN(false));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, SALE, KEY(TILL), KEY(3), KEY(10), INT(1), BOOLEAN(false));
	CONSTANT(writer, PAY, KEY(TILL), KEY(4), KEY(9), INT(1), BOOLEAN(false));
	CONSTANT(writer, NEVER, KEY(TILL), KEY(5), KEY(9), INT(1), BOOLEAN(false));
	CONSTANT(writer, OLD, KEY(GONE), KEY(6), KEY(9), INT(9), BOOLEAN(false));
	CONSTANT(writer, LARGE, KEY(TILL), KEY(7), KEY(9), INT(1), BOOLEAN(false));
	CONSTANT(writer, RUN, KEY(TILL), KEY(8), KEY(9), INT(1), BOOLEAN(false));
	CONSTANT(writer, ANCIENT, KEY(GONE), KEY(13), KEY(9), INT(9), BOOLEAN(false));
}

#define FRAME(method, line, bytecode)                                                  \
	KEY(method), INT(line), INT(bytecode), KEY(0)

/* They begin at who called the method. */
static void stacks(struct writer *writer)
{
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, FROM_RUN, BOOLEAN(false), COUNT(1), FRAME(RUN, 12, 3));
	CONSTANT(writer, FROM_SALE, BOOLEAN(false), COUNT(2), FRAME(SALE, 21, 7),
		 FRAME(RUN, 12, 3));
}

static void timing(struct writer *writer, int64_t tick, int method, int64_t count,
		   int64_t least, int64_t average, int64_t most)
{
	EVENT(writer, "jdk.MethodTiming", LONG(tick), KEY(method), LONG(count),
	      LONG(least), LONG(average), LONG(most));
}

static void timings(struct writer *writer, int64_t tick, int64_t count)
{
	timing(writer, tick, SALE, count, 40, 250, 7000);
	timing(writer, tick, PAY, 3 * count, 21, 90, 125000);
	timing(writer, tick, NEVER, 0, EVENT_NO_TIME, EVENT_NO_TIME, EVENT_NO_TIME);
	timing(writer, tick, LARGE, 2, 500, 600, 700);
	timing(writer, tick, RUN, count / 10 - 2, 1500, 1500, 1500);
	timing(writer, tick, OLD, 5, 1000, 1000, 1000);
}

static void trace(struct writer *writer, int64_t tick, int64_t took, int thread,
		  int stack, int method)
{
	EVENT(writer, "jdk.MethodTrace", LONG(tick), LONG(took), KEY(thread), KEY(stack),
	      KEY(method));
}

/* In the order of their ends. */
static void traces(struct writer *writer, int64_t tick)
{
	trace(writer, tick + 100, 90, MAIN, FROM_SALE, PAY);
	trace(writer, tick + 200, 50, MAIN, FROM_SALE, PAY);
	trace(writer, tick, 300, MAIN, FROM_RUN, SALE);
	trace(writer, tick + 250, 700, VIRTUAL, FROM_RUN, PAY);
	trace(writer, tick - 100, 1500, MAIN, 0, RUN);
}

#define FILTER(writer, tick, event, filter, methods)                                   \
	EVENT(writer, "cjfr.MethodFilter", LONG(tick), TEXT(event), TEXT(filter),      \
	      LONG(methods))

/* Of the methods above: `!` tells what it took out. */
static void filters(struct writer *writer, int64_t tick)
{
	FILTER(writer, tick, "jdk.MethodTiming", "shop.till.Till", 5);
	FILTER(writer, tick, "jdk.MethodTiming", "::old", 1);
	FILTER(writer, tick, "jdk.MethodTiming", "::ancient", 1);
	FILTER(writer, tick, "jdk.MethodTrace", "shop.till.Till", 3);
	FILTER(writer, tick, "jdk.MethodTrace", "!::never", 1);
	FILTER(writer, tick, "jdk.MethodTrace", "!shop.till.*::large", 1);
	FILTER(writer, tick, "jdk.MethodTrace", "@shop.Slow", 0);
}

#define SIZES(before, after)                                                           \
	INT(before), INT(after), BOOLEAN((before) <= 35 && (after) > 35),              \
		BOOLEAN((before) <= 325 && (after) > 325),                             \
		BOOLEAN((before) <= 8000 && (after) > 8000)

static void probes(struct writer *writer, int64_t tick)
{
	EVENT(writer, "cjfr.MethodProbe", LONG(tick), KEY(PAY), SIZES(20, 52), NO_TEXT);
	EVENT(writer, "cjfr.MethodProbe", LONG(tick), KEY(SALE), SIZES(310, 352),
	      NO_TEXT);
	EVENT(writer, "cjfr.MethodProbe", LONG(tick), KEY(LARGE), SIZES(7990, 8034),
	      NO_TEXT);
	EVENT(writer, "cjfr.MethodProbe", LONG(tick), KEY(ANCIENT), SIZES(41, 0),
	      TEXT("it has subroutines (jsr)"));
}

static void chunk(struct writer *writer, int64_t seconds, int64_t count)
{
	struct header header = shop_header(seconds);
	int64_t tick = header.start_ticks;

	schema_clear(&writer->schema);
	writer_describe(writer, eventtypes);
	writer->now = tick;
	writer_open(writer, &header);
	traces(writer, tick + 1000);
	timings(writer, tick + 3000, count);
	filters(writer, tick + 3000);
	probes(writer, tick + 3000);
	constants(writer);
	stacks(writer);
}

static void methods(struct writer *writer)
{
	chunk(writer, 0, 30);
	sample_finish(writer);
	chunk(writer, 10, 40);
}

const struct sample methods_samples[] = {
	{ "good-methods", .make = methods },
	{ .name = NULL },
};
