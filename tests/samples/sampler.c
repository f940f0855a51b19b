/*
 * sampler.c - samples as our own agent writes them, with what it tells of its sampler.
 */
#include "jfr/eventtypes.h"
#include "shop.h"
#include "testdata.h"

/* Keys of constants; 0 is none. */
enum {
	MAIN = 1, VIRTUAL, NAMELESS,
	TILL = 1, FILES,
	CLASS_TILL = 1, CLASS_FILES,
	TOTAL = 1, RUN, READ,
	HOT = 1, COLD, IN_NATIVE, CUT, NOT_OURS,
	RUNNABLE = 1, SLEEPING, PARKED, BLOCKED,
	APP = 1,
	INTERPRETED = 1, COMPILED, NATIVE,
};

static const char *const names[] = {
	"", "shop/till/Till", "shop/io/Files", "total", "run", "read", "()V", "(I)I",
	"shop/till", "shop/io", "main", "app",
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
	CONSTANT(writer, NAMELESS, NO_TEXT, LONG(0), TEXT(""), LONG(32), KEY(0),
		 BOOLEAN(true));
	POOL(writer, "jdk.types.ThreadGroup");
	CONSTANT(writer, 1, KEY(0), TEXT("main"));
	POOL(writer, "jdk.types.Package");
	CONSTANT(writer, TILL, KEY(8), KEY(0), BOOLEAN(false));
	CONSTANT(writer, FILES, KEY(9), KEY(0), BOOLEAN(false));
	POOL(writer, "jdk.types.ClassLoader");
	CONSTANT(writer, APP, KEY(0), KEY(11));
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, CLASS_TILL, KEY(APP), KEY(1), KEY(TILL), INT(1), BOOLEAN(false));
	CONSTANT(writer, CLASS_FILES, KEY(0), KEY(2), KEY(FILES), INT(1),
		 BOOLEAN(false));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, TOTAL, KEY(CLASS_TILL), KEY(3), KEY(7), INT(9), BOOLEAN(false));
	CONSTANT(writer, RUN, KEY(CLASS_TILL), KEY(4), KEY(6), INT(1), BOOLEAN(false));
	CONSTANT(writer, READ, KEY(CLASS_FILES), KEY(5), KEY(7), INT(257),
		 BOOLEAN(false));
	POOL(writer, "jdk.types.FrameType");
	CONSTANT(writer, INTERPRETED, TEXT("Interpreted"));
	CONSTANT(writer, COMPILED, TEXT("JIT compiled"));
	CONSTANT(writer, NATIVE, TEXT("Native"));
	POOL(writer, "jdk.types.ThreadState");
	CONSTANT(writer, RUNNABLE, TEXT("STATE_RUNNABLE"));
	CONSTANT(writer, SLEEPING, TEXT("STATE_SLEEPING"));
	CONSTANT(writer, PARKED, TEXT("STATE_PARKED"));
	CONSTANT(writer, BLOCKED, TEXT("STATE_BLOCKED_ON_MONITOR_ENTER"));
}

#define FRAME(method, line, bytecode, type)                                            \
	KEY(method), INT(line), INT(bytecode), KEY(type)

/* Of callers it may be unknown how they run, and of all in which line they are. */
static void stacks(struct writer *writer)
{
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, HOT, BOOLEAN(false), COUNT(2), FRAME(TOTAL, 21, 7, COMPILED),
		 FRAME(RUN, 12, 3, 0));
	CONSTANT(writer, COLD, BOOLEAN(false), COUNT(2),
		 FRAME(RUN, 13, 9, INTERPRETED), FRAME(TOTAL, -1, 5, 0));
	CONSTANT(writer, IN_NATIVE, BOOLEAN(false), COUNT(2), FRAME(READ, -1, 0, NATIVE),
		 FRAME(RUN, 14, 17, COMPILED));
	CONSTANT(writer, CUT, BOOLEAN(true), COUNT(1), FRAME(TOTAL, 22, 11, COMPILED));
	CONSTANT(writer, NOT_OURS, BOOLEAN(false), COUNT(1), FRAME(READ, -1, 0, NATIVE));
}

static void sample(struct writer *writer, const char *type, int64_t tick, int thread,
		   int stack, int state)
{
	EVENT(writer, type, LONG(tick), KEY(thread), KEY(stack), KEY(state));
}

#define JAVA "jdk.ExecutionSample"
#define JNI "jdk.NativeMethodSample"

static void samples(struct writer *writer, int64_t tick)
{
	for (int i = 0; i < 6; i++)
		sample(writer, JAVA, tick + i, i % 2 ? VIRTUAL : MAIN, HOT, RUNNABLE);
	sample(writer, JAVA, tick + 10, MAIN, COLD, RUNNABLE);
	sample(writer, JAVA, tick + 11, NAMELESS, CUT, RUNNABLE);
	sample(writer, JNI, tick + 12, MAIN, IN_NATIVE, RUNNABLE);
	sample(writer, JNI, tick + 13, VIRTUAL, IN_NATIVE, SLEEPING);
	sample(writer, JNI, tick + 14, MAIN, IN_NATIVE, PARKED);
	sample(writer, JNI, tick + 15, MAIN, IN_NATIVE, PARKED);
	sample(writer, JNI, tick + 16, VIRTUAL, HOT, BLOCKED);
	sample(writer, JNI, tick + 17, MAIN, NOT_OURS, PARKED);
}

/* Each outcome has another number; what failed is not the same in both. */
static void statistics(struct writer *writer, int64_t tick, int64_t failed)
{
	EVENT(writer, "cjfr.SamplerStatistics", LONG(tick), TEXT("cpu"), LONG(20000000),
	      LONG(100 + 13 * failed), LONG(60), LONG(20), LONG(12), LONG(5), LONG(3),
	      LONG(failed), LONG(failed), LONG(failed), LONG(failed), LONG(failed),
	      LONG(failed), LONG(failed), LONG(failed), LONG(failed), LONG(failed),
	      LONG(failed), LONG(failed), LONG(failed), LONG(7), LONG(9), LONG(11),
	      LONG(1), LONG(1500000), LONG(2500000), LONG(4000000), LONG(2000000000));
}

static void chunk(struct writer *writer, int64_t seconds, int64_t failed)
{
	struct header header = shop_header(seconds);
	int64_t tick = header.start_ticks;

	schema_clear(&writer->schema);
	writer_describe(writer, eventtypes);
	writer->now = tick;
	writer_open(writer, &header);
	samples(writer, tick + 1000);
	statistics(writer, tick + 2000, failed);
	constants(writer);
	stacks(writer);
}

static void sampler(struct writer *writer)
{
	chunk(writer, 0, 0);
	sample_finish(writer);
	chunk(writer, 10, 2);
}

const struct sample sampler_samples[] = {
	{ "good-sampler", .make = sampler },
	{ .name = NULL },
};
