/*
 * good.c - recordings that the JDK reads, too, and with the same result.
 */
#include "shop.h"
#include "samples/stall.h"

static void basic(struct writer *writer)
{
	writer->schema.gmt_offset = 3600000;
	writer->schema.dst = 3600000;
	sample_begin(writer, shop_types, 0);
	shop_constants(writer);
	shop_events(writer, SHOP_TICK);
}

static void two_chunks(struct writer *writer)
{
	sample_small(writer, 0);
	writer->header.flags = HEADER_COMPRESSED;
	sample_finish(writer);
	sample_begin(writer, shop_later_types, 10);
	EVENT(writer, "shop.Sale", LONG(SHOP_TICK + 11 * SHOP_SECOND), LONG(5000000),
	      KEY(CLERK_THREAD), KEY(SELL_STACK), TEXT("cake"), DOUBLE(3.5), INT(2),
	      BOOLEAN(true), LONG(7), FLOAT(0.25));
	EVENT(writer, "shop.Refund", LONG(SHOP_TICK + 12 * SHOP_SECOND),
	      KEY(MAIN_THREAD), TEXT("cake"), TEXT("stale"));
	shop_constants(writer);
}

/* The types that version 1 calls otherwise. */
static const struct schema_type version_1_types[] = {
	TYPE("com.oracle.jfr.types.Symbol", NULL, .is_simple = true,
	     FIELDS(FIELD("string", STRING))),
	TYPE("com.oracle.jfr.types.ThreadGroup", NULL,
	     FIELDS(FIELD("parent", "com.oracle.jfr.types.ThreadGroup", POOLED),
		    FIELD("name", STRING))),
	TYPE("java.lang.Thread", NULL,
	     FIELDS(FIELD("osName", STRING), FIELD("osThreadId", "long"),
		    FIELD("javaName", STRING), FIELD("javaThreadId", "long"),
		    FIELD("group", "com.oracle.jfr.types.ThreadGroup", POOLED))),
	TYPE("com.oracle.jfr.types.ClassLoader", NULL,
	     FIELDS(FIELD("type", "java.lang.Class", POOLED),
		    FIELD("name", "com.oracle.jfr.types.Symbol", POOLED))),
	TYPE("java.lang.Class", NULL,
	     FIELDS(FIELD("classLoader", "com.oracle.jfr.types.ClassLoader", POOLED),
		    FIELD("name", "com.oracle.jfr.types.Symbol", POOLED),
		    FIELD("modifiers", "int"))),
	TYPE("com.oracle.jfr.types.Method", NULL,
	     FIELDS(FIELD("type", "java.lang.Class", POOLED),
		    FIELD("name", "com.oracle.jfr.types.Symbol", POOLED),
		    FIELD("descriptor", "com.oracle.jfr.types.Symbol", POOLED),
		    FIELD("modifiers", "int"), FIELD("hidden", "boolean"))),
	TYPE("com.oracle.jfr.types.FrameType", NULL, .is_simple = true,
	     FIELDS(FIELD("description", STRING))),
	TYPE("com.oracle.jfr.types.StackFrame", NULL,
	     FIELDS(FIELD("method", "com.oracle.jfr.types.Method", POOLED),
		    FIELD("lineNumber", "int"), FIELD("bytecodeIndex", "int"),
		    FIELD("type", "com.oracle.jfr.types.FrameType", POOLED))),
	TYPE("com.oracle.jfr.types.StackTrace", NULL,
	     FIELDS(FIELD("truncated", "boolean"),
		    FIELD("frames", "com.oracle.jfr.types.StackFrame", ARRAY))),
	TYPE("com.oracle.jdk.ThreadSleep", EVENT_TYPE,
	     FIELDS(START, DURATION, THREAD,
		    FIELD("stackTrace", "com.oracle.jfr.types.StackTrace", POOLED),
		    FIELD("time", "long",
			  NOTES(NOTE("jdk.jfr.Timespan", "MILLISECONDS")))),
	     NOTES(NOTE("jdk.jfr.Label", "Java Thread Sleep"))),
	TYPES_END,
};

static void version_1_constants(struct writer *writer)
{
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 1, TEXT("main"), LONG(17), TEXT("main"), LONG(1), KEY(1));
	POOL(writer, "com.oracle.jfr.types.ThreadGroup");
	CONSTANT(writer, 1, KEY(0), TEXT("main"));
	POOL(writer, "com.oracle.jfr.types.StackTrace");
	CONSTANT(writer, 1, BOOLEAN(false), COUNT(1), KEY(1), INT(5), INT(0), KEY(0));
	POOL(writer, "com.oracle.jfr.types.Method");
	CONSTANT(writer, 1, KEY(1), KEY(2), KEY(3), INT(9), BOOLEAN(false));
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, 1, KEY(1), KEY(1), INT(1));
	POOL(writer, "com.oracle.jfr.types.ClassLoader");
	CONSTANT(writer, 1, KEY(1), KEY(4));
	POOL(writer, "com.oracle.jfr.types.Symbol");
	CONSTANT(writer, 1, TEXT("old/Shop"));
	CONSTANT(writer, 2, TEXT("main"));
	CONSTANT(writer, 3, TEXT("([Ljava/lang/String;)V"));
	CONSTANT(writer, 4, TEXT("app"));
	POOL(writer, "com.oracle.jfr.types.FrameType");
	CONSTANT(writer, 0, TEXT("Interpreted"));
}

static void version_1(struct writer *writer)
{
	struct header header = shop_header(0);

	header.major = 1;
	header.minor = 0;
	header.flags = HEADER_COMPRESSED;
	writer_describe(writer, version_1_types);
	writer_open(writer, &header);
	EVENT(writer, "com.oracle.jdk.ThreadSleep", LONG(SHOP_TICK + 1000),
	      LONG(20000000), KEY(1), KEY(1), LONG(20));
	version_1_constants(writer);
}

static void version_2(struct writer *writer)
{
	sample_small(writer, 0);
	writer->header.minor = 0;
	writer->header.state = 0;
	writer->header.flags = HEADER_COMPRESSED;
}

static void good_stall(struct writer *writer)
{
	stall(writer, 0);
}

/* As cat makes of a file and itself. */
static void twice(struct writer *writer)
{
	stall(writer, 0);
	sample_finish(writer);
	stall(writer, 0);
}

static void good_closed(struct writer *writer)
{
	stall_closed(writer, 0);
}

static const struct schema_type clock_types[] = {
	TYPE("clock.Tick", EVENT_TYPE,
	     FIELDS(START, DURATION, FIELD("ticks", "long", SPAN),
		    FIELD("at", "long", TICKS),
		    FIELD("nanos", "long",
			  NOTES(NOTE("jdk.jfr.Timespan", "NANOSECONDS"))),
		    FIELD("millis", "int",
			  NOTES(NOTE("jdk.jfr.Timespan", "MILLISECONDS"))),
		    FIELD("epoch", "long",
			  NOTES(NOTE("jdk.jfr.Timestamp",
				     "MILLISECONDS_SINCE_EPOCH"))))),
	TYPES_END,
};

static void tick(struct writer *writer, int64_t ticks, int64_t span)
{
	EVENT(writer, "clock.Tick", LONG(SHOP_TICK + ticks), LONG(span), LONG(span),
	      LONG(SHOP_TICK + ticks + span), LONG(span), INT(span),
	      LONG(1714557600123));
}

/* Chunks of a clock alone. */
static void clock_begin(struct writer *writer, int64_t seconds, int64_t frequency)
{
	struct header header = shop_header(seconds);

	header.ticks_per_second = frequency;
	writer->now = header.start_ticks;
	if (seconds == 0)
		writer_describe(writer, clock_types);
	writer_open(writer, &header);
}

static void ticks(struct writer *writer, int64_t frequency)
{
	static const int64_t spans[] = {
		0, 1, 23, 24, 1000, 2599, 24000000, 2600000000
	};

	clock_begin(writer, 0, frequency);
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		tick(writer, (int64_t)i * 123456789, spans[i]);
}

/* As an ARM processor counts, and as the TSC of an x86 processor may. */
static void slow_ticks(struct writer *writer)
{
	ticks(writer, 24000000);
}

static void fast_ticks(struct writer *writer)
{
	ticks(writer, 2600000000);
}

static const struct schema_type coarse_types[] = {
	TYPE("clock.Coarse", EVENT_TYPE,
	     FIELDS(START, FIELD("b", "byte", SPAN), FIELD("s", "short", SPAN),
		    FIELD("c", "char", SPAN), FIELD("i", "int", SPAN),
		    FIELD("l", "long", SPAN))),
	TYPES_END,
};

/* Some of what these fields hold would not fit in if told in nanoseconds. */
static void coarse_ticks(struct writer *writer)
{
	struct header header = shop_header(0);

	header.ticks_per_second = 1000;
	writer->now = header.start_ticks;
	writer_describe(writer, coarse_types);
	writer_open(writer, &header);
	EVENT(writer, "clock.Coarse", LONG(SHOP_TICK + 5), BYTE(0), SHORT(0), CHAR(0),
	      INT(2000), LONG(100000));
	EVENT(writer, "clock.Coarse", LONG(SHOP_TICK + 6), BYTE(1), SHORT(2), CHAR(3),
	      INT(2148), LONG(-5));
}

static void india(struct writer *writer)
{
	writer->schema.locale = "en_IN";
	writer->schema.gmt_offset = 19800000;
	ticks(writer, SHOP_SECOND);
}

static void new_york(struct writer *writer)
{
	writer->schema.gmt_offset = -5 * 3600000;
	writer->schema.dst = 3600000;
	ticks(writer, SHOP_SECOND);
}

/* The JDK wants a checkpoint in each chunk but the first. */
static void seven_chunks(struct writer *writer)
{
	for (int i = 0; i < 7; i++) {
		if (i > 0)
			sample_finish(writer);
		clock_begin(writer, 10 * i, SHOP_SECOND);
		for (int j = 0; j <= i; j++)
			tick(writer, 10 * i * SHOP_SECOND + j, 1000 * j);
		POOL(writer, STRING);
		CONSTANT(writer, 1, TEXT("nobody asks for this"));
	}
}

/* Between the two chunks of another JVM, whose second one has the types of this. */
static void other_run(struct writer *writer)
{
	sample_begin(writer, shop_later_types, 5);
	EVENT(writer, "shop.Refund", LONG(SHOP_TICK + 6 * SHOP_SECOND),
	      KEY(MAIN_THREAD), TEXT("tea"), TEXT("cold"));
	shop_constants(writer);
}

const struct sample good_samples[] = {
	{ "good-basic", .make = basic },
	{ "good-two-chunks", .make = two_chunks },
	{ "good-other-run", .make = other_run },
	{ "good-seven-chunks", .make = seven_chunks },
	{ "good-twice", .make = twice },
	{ "good-v1", .make = version_1 },
	{ "good-v2", .make = version_2 },
	{ "good-stall", .make = good_stall },
	{ "good-stall-closed", .make = good_closed },
	{ "good-24-mhz", .make = slow_ticks },
	{ "good-2600-mhz", .make = fast_ticks },
	{ "good-1000-hz", .make = coarse_ticks },
	{ "good-india", .make = india },
	{ "good-new-york", .make = new_york },
	{ .name = NULL },
};
