/*
 * views.c - samples for views: what the JDK's own views ask for, and more.
 */
#include "shop.h"
#include "testdata.h"

#define MILLI INT64_C(1000000)

#define L(text) NOTE("jdk.jfr.Label", text)
#define UNSIGNED MARK("jdk.jfr.Unsigned")
#define BYTE_AMOUNT NOTE("jdk.jfr.DataAmount", "BYTES")
#define BIT_AMOUNT NOTE("jdk.jfr.DataAmount", "BITS")
#define FREQUENCY MARK("jdk.jfr.Frequency")
#define ADDRESS MARK("jdk.jfr.MemoryAddress")
#define PERCENTAGE MARK("jdk.jfr.Percentage")
#define TIMESPAN(unit) NOTE("jdk.jfr.Timespan", unit)
#define TIMESTAMP(unit) NOTE("jdk.jfr.Timestamp", unit)

/* Fields that events of JDK 25 have, with its labels. */
#define BEGIN FIELD("startTime", "long", NOTES(L("Start Time"), TIMESTAMP("TICKS")))
#define LENGTH FIELD("duration", "long", NOTES(L("Duration"), TIMESPAN("TICKS")))
#define BY FIELD("eventThread", "java.lang.Thread", POOLED, LABEL("Event Thread"))
#define TRACE FIELD("stackTrace", "jdk.types.StackTrace", POOLED, LABEL("Stack Trace"))
#define GC_ID FIELD("gcId", "int", NOTES(UNSIGNED, L("GC Identifier")))
#define CLASS(name, label) FIELD(name, "java.lang.Class", POOLED, LABEL(label))
#define METHOD FIELD("method", "jdk.types.Method", POOLED, LABEL("Method"))
#define STRING_FIELD(name, label) FIELD(name, STRING, LABEL(label))
#define SPAN_OF(name, label, unit) FIELD(name, "long", NOTES(TIMESPAN(unit), L(label)))
#define SIZE(name, label) FIELD(name, "long", NOTES(BYTE_AMOUNT, L(label)))
#define WHERE_LOCKED FIELD("address", "long", NOTES(ADDRESS, L("Monitor Address")))

/* A simple type of one string. */
#define WORD(name, field)                                                              \
	TYPE(name, NULL, .is_simple = true, FIELDS(FIELD(field, STRING)))

static const struct schema_type gc_types[] = {
	WORD("jdk.types.GCName", "name"),
	WORD("jdk.types.GCCause", "cause"),
	WORD("jdk.types.GCWhen", "when"),
	TYPE("jdk.types.VirtualSpace", NULL,
	     FIELDS(FIELD("start", "long", NOTES(ADDRESS, L("Start Address"))),
		    SIZE("committedSize", "Committed Size"))),
	TYPE("jdk.types.MetaspaceSizes", NULL,
	     FIELDS(SIZE("committed", "Committed"), SIZE("used", "Used"))),
	TYPE("jdk.GarbageCollection", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, GC_ID,
		    FIELD("name", "jdk.types.GCName", POOLED, LABEL("Name")),
		    FIELD("cause", "jdk.types.GCCause", POOLED, LABEL("Cause")),
		    SPAN_OF("sumOfPauses", "Sum of Pauses", "TICKS"),
		    SPAN_OF("longestPause", "Longest Pause", "TICKS")),
	     LABEL("Garbage Collection")),
	TYPE("jdk.YoungGarbageCollection", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, GC_ID,
		    FIELD("tenuringThreshold", "int",
			  NOTES(UNSIGNED, L("Tenuring Threshold")))),
	     LABEL("Young Garbage Collection")),
	TYPE("jdk.OldGarbageCollection", EVENT_TYPE, FIELDS(BEGIN, LENGTH, GC_ID),
	     LABEL("Old Garbage Collection")),
	TYPE("jdk.GCPhasePause", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, BY, GC_ID, STRING_FIELD("name", "Name")),
	     LABEL("GC Phase Pause")),
	TYPE("jdk.GCPhasePauseLevel1", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, BY, GC_ID, STRING_FIELD("name", "Name")),
	     LABEL("GC Phase Pause Level 1")),
	TYPE("jdk.GCHeapSummary", EVENT_TYPE,
	     FIELDS(BEGIN, GC_ID,
		    FIELD("when", "jdk.types.GCWhen", POOLED, LABEL("When")),
		    FIELD("heapSpace", "jdk.types.VirtualSpace", LABEL("Heap Space")),
		    SIZE("heapUsed", "Heap Used")),
	     LABEL("Heap Summary")),
	TYPE("jdk.MetaspaceSummary", EVENT_TYPE,
	     FIELDS(BEGIN, GC_ID, SIZE("gcThreshold", "GC Threshold"),
		    FIELD("metaspace", "jdk.types.MetaspaceSizes", LABEL("Total")),
		    FIELD("dataSpace", "jdk.types.MetaspaceSizes", LABEL("Data")),
		    FIELD("classSpace", "jdk.types.MetaspaceSizes", LABEL("Class"))),
	     LABEL("Metaspace Summary")),
	TYPES_END,
};

static const struct schema_type wait_types[] = {
	TYPE("jdk.JavaMonitorEnter", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, BY, TRACE, CLASS("monitorClass", "Monitor Class"),
		    FIELD("previousOwner", "java.lang.Thread", POOLED,
			  LABEL("Previous Monitor Owner")),
		    WHERE_LOCKED),
	     LABEL("Java Monitor Blocked")),
	TYPE("jdk.JavaMonitorWait", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, BY, TRACE, CLASS("monitorClass", "Monitor Class"),
		    SPAN_OF("timeout", "Timeout", "MILLISECONDS"),
		    FIELD("timedOut", "boolean", LABEL("Timed Out")), WHERE_LOCKED),
	     LABEL("Java Monitor Wait")),
	TYPE("jdk.ThreadPark", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, BY, TRACE, CLASS("parkedClass", "Class Parked On"),
		    SPAN_OF("timeout", "Park Timeout", "NANOSECONDS"),
		    FIELD("until", "long",
			  NOTES(TIMESTAMP("MILLISECONDS_SINCE_EPOCH"),
				L("Park Until")))),
	     LABEL("Java Thread Park")),
	TYPE("jdk.ThreadSleep", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, BY, TRACE,
		    SPAN_OF("time", "Sleep Time", "NANOSECONDS")),
	     LABEL("Java Thread Sleep")),
	TYPE("jdk.FileRead", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, BY, TRACE, STRING_FIELD("path", "Path"),
		    SIZE("bytesRead", "Bytes Read"),
		    FIELD("endOfFile", "boolean", LABEL("End of File"))),
	     LABEL("File Read")),
	TYPE("jdk.FileWrite", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, BY, TRACE, STRING_FIELD("path", "Path"),
		    SIZE("bytesWritten", "Bytes Written")),
	     LABEL("File Write")),
	TYPE("jdk.SocketRead", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, BY, TRACE, STRING_FIELD("host", "Remote Host"),
		    STRING_FIELD("address", "Remote Address"),
		    FIELD("port", "int", LABEL("Remote Port")),
		    SIZE("bytesRead", "Bytes Read")),
	     LABEL("Socket Read")),
	TYPE("jdk.SocketWrite", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH, BY, TRACE, STRING_FIELD("host", "Remote Host"),
		    SIZE("bytesWritten", "Bytes Written")),
	     LABEL("Socket Write")),
	TYPES_END,
};

static const struct schema_type sample_types[] = {
	TYPE("jdk.ExecutionSample", EVENT_TYPE,
	     FIELDS(BEGIN,
		    FIELD("sampledThread", "java.lang.Thread", POOLED, LABEL("Thread")),
		    TRACE,
		    FIELD("state", "jdk.types.ThreadState", POOLED,
			  LABEL("Thread State"))),
	     LABEL("Java Execution Sample")),
	TYPE("jdk.CPUTimeSample", EVENT_TYPE,
	     FIELDS(BEGIN, TRACE, BY, FIELD("failed", "boolean", LABEL("Failed")),
		    SPAN_OF("samplingPeriod", "CPU Time Sampling Period", "TICKS"),
		    FIELD("biased", "boolean", LABEL("Biased"))),
	     NOTES(L("CPU Time Sample"), MARK("jdk.jfr.Experimental"))),
	TYPE("jdk.CPUTimeSamplesLost", EVENT_TYPE,
	     FIELDS(BEGIN, FIELD("lostSamples", "int", LABEL("Lost Samples"))),
	     NOTES(L("CPU Time Samples Lost"), MARK("jdk.jfr.Experimental"))),
	TYPE("jdk.ObjectAllocationSample", EVENT_TYPE,
	     FIELDS(BEGIN, BY, TRACE, CLASS("objectClass", "Object Class"),
		    SIZE("weight", "Sample Weight")),
	     LABEL("Object Allocation Sample")),
	TYPES_END,
};

static const struct schema_type run_types[] = {
	TYPE("jdk.ActiveSetting", EVENT_TYPE,
	     FIELDS(BEGIN, FIELD("id", "long", LABEL("Event Id")),
		    STRING_FIELD("name", "Setting Name"),
		    STRING_FIELD("value", "Setting Value")),
	     LABEL("Recording Setting")),
	TYPE("jdk.CPULoad", EVENT_TYPE,
	     FIELDS(BEGIN, FIELD("jvmUser", "float", NOTES(PERCENTAGE, L("JVM User"))),
		    FIELD("jvmSystem", "float", NOTES(PERCENTAGE, L("JVM System"))),
		    FIELD("machineTotal", "float",
			  NOTES(PERCENTAGE, L("Machine Total")))),
	     LABEL("CPU Load")),
	TYPE("jdk.MethodTiming", EVENT_TYPE,
	     FIELDS(BEGIN, METHOD, FIELD("invocations", "long", LABEL("Invocations")),
		    SPAN_OF("minimum", "Minimum Time", "TICKS"),
		    SPAN_OF("average", "Average Time", "TICKS"),
		    SPAN_OF("maximum", "Maximum Time", "TICKS")),
	     LABEL("Method Timing")),
	TYPE("jdk.MethodTrace", EVENT_TYPE, FIELDS(BEGIN, LENGTH, BY, TRACE, METHOD),
	     LABEL("Method Trace")),
	TYPE("jdk.SafepointBegin", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH,
		    FIELD("safepointId", "long", LABEL("Safepoint Identifier")),
		    FIELD("totalThreadCount", "int", LABEL("Total Threads")),
		    FIELD("jniCriticalThreadCount", "int",
			  LABEL("JNI Critical Threads"))),
	     LABEL("Safepoint Begin")),
	TYPE("jdk.SafepointEnd", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH,
		    FIELD("safepointId", "long", LABEL("Safepoint Identifier"))),
	     LABEL("Safepoint End")),
	TYPE("jdk.SafepointStateSynchronization", EVENT_TYPE,
	     FIELDS(BEGIN, LENGTH,
		    FIELD("safepointId", "long", LABEL("Safepoint Identifier"))),
	     LABEL("Safepoint State Synchronization")),
	TYPE("jdk.Shutdown", EVENT_TYPE,
	     FIELDS(BEGIN, STRING_FIELD("reason", "Reason")), LABEL("JVM Shutdown")),
	TYPE("jdk.CompilerConfiguration", EVENT_TYPE,
	     FIELDS(BEGIN, FIELD("threadCount", "int", LABEL("Thread Count"))),
	     LABEL("Compiler Configuration")),
	TYPES_END,
};

/* Numbers of every kind, for aggregators; a parcel; a trial; what has no labels. */
static const struct schema_type own_types[] = {
	TYPE("shop.Measure", EVENT_TYPE,
	     FIELDS(BEGIN, STRING_FIELD("scale", "Scale"),
		    FIELD("pieces", "int", LABEL("Pieces")),
		    FIELD("total", "long", LABEL("Total")),
		    FIELD("grams", "double", LABEL("Grams")),
		    FIELD("error", "float", LABEL("Error")),
		    SPAN_OF("took", "Took", "MICROSECONDS"),
		    SPAN_OF("limit", "Limit", "SECONDS"),
		    FIELD("due", "long",
			  NOTES(TIMESTAMP("MILLISECONDS_SINCE_EPOCH"), L("Due"))),
		    FIELD("isGood", "boolean", LABEL("Is Good")),
		    FIELD("grade", "char", LABEL("Grade")),
		    STRING_FIELD("note", "Note")),
	     LABEL("Measure")),
	TYPE("shop.Size", NULL,
	     FIELDS(FIELD("width", "int", LABEL("Width")),
		    FIELD("height", "int", LABEL("Height")))),
	TYPE("shop.Parcel", EVENT_TYPE,
	     FIELDS(BEGIN, FIELD("outer", "shop.Size", LABEL("Outer Size")),
		    FIELD("inner", "shop.Size", LABEL("Inner Size")),
		    FIELD("memory", "long", NOTES(BYTE_AMOUNT, L("Memory"))),
		    FIELD("bits", "int", NOTES(BIT_AMOUNT, L("Bits"))),
		    FIELD("speed", "long", NOTES(BYTE_AMOUNT, FREQUENCY, L("Speed"))),
		    FIELD("hertz", "int", NOTES(FREQUENCY, L("Hertz"))),
		    FIELD("place", "long", NOTES(ADDRESS, L("Place"))),
		    FIELD("full", "float", NOTES(PERCENTAGE, L("Full"))),
		    FIELD("small", "byte", NOTES(UNSIGNED, L("Small")))),
	     LABEL("Parcel")),
	TYPE("shop.Trial", EVENT_TYPE, FIELDS(BEGIN, STRING_FIELD("goods", "Goods")),
	     NOTES(L("Trial"), MARK("jdk.jfr.Experimental"))),
	TYPE("shop.Bare", EVENT_TYPE, FIELDS(START, FIELD("what", STRING))),
	TYPES_END,
};

/* What the first chunk does not know. */
static const struct schema_type later_types[] = {
	TYPE("shop.Later", EVENT_TYPE, FIELDS(START, FIELD("what", STRING)),
	     LABEL("Later")),
	TYPES_END,
};

/* Keys of constants, behind those of the shop. */
enum {
	UTIL_PACKAGE = 10,
	TILL_PACKAGE,
	LIST_CLASS = 200,
	TILL_CLASS,
	LOCK_CLASS,
	BARE_CLASS,
	GROW_METHOD = 0x20000,
	LIST_INIT,
	TILL_INIT,
	TILL_ADD,
	LOCK_PARK,
	BARE_RUN,
	GROW_STACK = 20,
	INIT_STACK,
	PARK_STACK,
	JAVA_STACK,
	SAME_GROW_STACK,
	SYMBOLS_FROM = 100,
};

static const char *const symbols[] = {
	"java/util/ArrayList",
	"shop/till/Till",
	"java/util/concurrent/locks/LockSupport",
	"java/lang/Bare",
	"grow",
	"(I)[Ljava/lang/Object;",
	"<init>",
	"(I)V",
	"(Ljava/lang/String;)V",
	"add",
	"(ILjava/lang/String;)Z",
	"park",
	"(Ljava/lang/Object;)V",
	"run",
	"()V",
	"java/util",
	"shop/till",
	"bootstrap",
	"app",
};

static uint64_t symbol(const char *text)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		if (strcmp(symbols[i], text) == 0)
			return SYMBOLS_FROM + i;
	}
	return 0;
}

#define NAME(text) KEY(symbol(text))

static void classes(struct writer *writer)
{
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, LIST_CLASS, KEY(BOOT_LOADER), NAME("java/util/ArrayList"),
		 KEY(UTIL_PACKAGE), INT(1), BOOLEAN(false));
	CONSTANT(writer, TILL_CLASS, KEY(APP_LOADER), NAME("shop/till/Till"),
		 KEY(TILL_PACKAGE), INT(1), BOOLEAN(false));
	CONSTANT(writer, LOCK_CLASS, KEY(BOOT_LOADER), NAME(symbols[2]), KEY(0), INT(1),
		 BOOLEAN(false));
	CONSTANT(writer, BARE_CLASS, KEY(0), NAME("java/lang/Bare"), KEY(LANG_PACKAGE),
		 INT(1), BOOLEAN(false));
	POOL(writer, "jdk.types.Package");
	CONSTANT(writer, UTIL_PACKAGE, NAME("java/util"), KEY(JAVA_BASE),
		 BOOLEAN(true));
	CONSTANT(writer, TILL_PACKAGE, NAME("shop/till"), KEY(NO_MODULE),
		 BOOLEAN(true));
	POOL(writer, SYMBOL);
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		writer_constant(writer, SYMBOLS_FROM + i);
		encode_string(&writer->buf, str_of(symbols[i]));
	}
}

static void methods(struct writer *writer)
{
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, GROW_METHOD, KEY(LIST_CLASS), NAME("grow"), NAME(symbols[5]),
		 INT(2), BOOLEAN(false));
	CONSTANT(writer, LIST_INIT, KEY(LIST_CLASS), NAME("<init>"), NAME("(I)V"),
		 INT(1), BOOLEAN(false));
	CONSTANT(writer, TILL_INIT, KEY(TILL_CLASS), NAME("<init>"), NAME(symbols[8]),
		 INT(1), BOOLEAN(false));
	CONSTANT(writer, TILL_ADD, KEY(TILL_CLASS), NAME("add"), NAME(symbols[10]),
		 INT(1), BOOLEAN(false));
	CONSTANT(writer, LOCK_PARK, KEY(LOCK_CLASS), NAME("park"), NAME(symbols[12]),
		 INT(9), BOOLEAN(false));
	CONSTANT(writer, BARE_RUN, KEY(BARE_CLASS), NAME("run"), NAME("()V"), INT(1),
		 BOOLEAN(false));
}

#define FRAME(method, line) KEY(method), INT(line), INT(0), KEY(0)

/* Two of them are the same frames on other lines, which is a stack of its own. */
static void stacks(struct writer *writer)
{
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, GROW_STACK, BOOLEAN(false), COUNT(3), FRAME(GROW_METHOD, 237),
		 FRAME(TILL_ADD, 30), FRAME(MAIN_METHOD, 9));
	CONSTANT(writer, SAME_GROW_STACK, BOOLEAN(false), COUNT(3),
		 FRAME(GROW_METHOD, 238), FRAME(TILL_ADD, 31), FRAME(MAIN_METHOD, 10));
	CONSTANT(writer, INIT_STACK, BOOLEAN(false), COUNT(4), FRAME(LIST_INIT, 80),
		 FRAME(TILL_INIT, 12), FRAME(TILL_ADD, 28), FRAME(MAIN_METHOD, 9));
	CONSTANT(writer, PARK_STACK, BOOLEAN(true), COUNT(2), FRAME(LOCK_PARK, 175),
		 FRAME(RUN_METHOD, 21));
	CONSTANT(writer, JAVA_STACK, BOOLEAN(false), COUNT(2), FRAME(LIST_INIT, 81),
		 FRAME(BARE_RUN, 1));
}

static void constants(struct writer *writer)
{
	writer_checkpoint(writer, 0);
	classes(writer);
	methods(writer);
	stacks(writer);
	POOL(writer, "jdk.types.GCName");
	CONSTANT(writer, 1, TEXT("DefNew"));
	CONSTANT(writer, 2, TEXT("SerialOld"));
	POOL(writer, "jdk.types.GCCause");
	CONSTANT(writer, 1, TEXT("Allocation Failure"));
	CONSTANT(writer, 2, TEXT("System.gc()"));
	POOL(writer, "jdk.types.GCWhen");
	CONSTANT(writer, 0, TEXT("Before GC"));
	CONSTANT(writer, 1, TEXT("After GC"));
	writer_end(writer);
	shop_constants(writer);
}

/* What was written so far is a batch of its own for who reads on. */
static void flush(struct writer *writer)
{
	writer_checkpoint(writer, CHECKPOINT_FLUSH);
	POOL(writer, STRING);
	CONSTANT(writer, 1,
		 TEXT_AS(STRING_LATIN1, "one of the stock phrases of the shop"));
	writer_end(writer);
}

/* --- what happens ----------------------------------------------------------- */

enum { YOUNG = 1, OLD, UNKNOWN };

static void heap(struct writer *writer, int64_t tick, int id, int when, int64_t used)
{
	EVENT(writer, "jdk.GCHeapSummary", LONG(tick), INT(id), KEY(when),
	      LONG(0xe0000000), LONG(64 << 20), LONG(used));
}

/* Ids come out of their order: views sort by them, or do not. */
static void collection(struct writer *writer, int64_t tick, int id, int kind,
		       int64_t pause)
{
	heap(writer, tick, id, 0, id * INT64_C(10000000));
	EVENT(writer, "jdk.GCPhasePauseLevel1", LONG(tick), LONG(pause / 3),
	      KEY(VM_THREAD), INT(id), TEXT("Mark"));
	EVENT(writer, "jdk.GCPhasePauseLevel1", LONG(tick + pause / 3), LONG(pause / 2),
	      KEY(VM_THREAD), INT(id), TEXT("Sweep"));
	EVENT(writer, "jdk.GCPhasePause", LONG(tick), LONG(pause), KEY(VM_THREAD),
	      INT(id), TEXT("GC Pause"));
	if (kind != UNKNOWN)
		heap(writer, tick + pause, id, 1, id * INT64_C(3000000));
	if (kind == YOUNG)
		EVENT(writer, "jdk.YoungGarbageCollection", LONG(tick), LONG(pause),
		      INT(id), INT(7));
	if (kind == OLD)
		EVENT(writer, "jdk.OldGarbageCollection", LONG(tick), LONG(pause),
		      INT(id));
	EVENT(writer, "jdk.GarbageCollection", LONG(tick), LONG(pause + MILLI), INT(id),
	      KEY(kind == OLD ? 2 : 1), KEY(kind == OLD ? 2 : 1), LONG(pause),
	      LONG(pause));
	EVENT(writer, "jdk.MetaspaceSummary", LONG(tick), INT(id), LONG(21 << 20),
	      LONG(id << 10), LONG(id << 9), LONG(2000), LONG(1000), LONG(200),
	      LONG(100));
}

static void safepoint(struct writer *writer, int64_t tick, int id)
{
	EVENT(writer, "jdk.SafepointBegin", LONG(tick), LONG(1000), LONG(id),
	      INT(5 + id), INT(0));
	EVENT(writer, "jdk.SafepointStateSynchronization", LONG(tick), LONG(400 * id),
	      LONG(id));
	if (id != 3)
		EVENT(writer, "jdk.SafepointEnd", LONG(tick + id * MILLI), LONG(10),
		      LONG(id));
}

static void locks(struct writer *writer, int64_t tick)
{
	static const struct {
		int64_t length;
		int thread, stack, class;
	} waits[] = {
		{ 30, MAIN_THREAD, SELL_STACK, SHOP_CLASS },
		{ 45, CLERK_THREAD, GROW_STACK, STRING_CLASS },
		{ 30, VIRTUAL_THREAD, SELL_STACK, GRID_CLASS },
		{ 45, MAIN_THREAD, MAIN_STACK, TILL_CLASS },
		{ 25, CLERK_THREAD, GROW_STACK, SHOP_CLASS },
	};

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		EVENT(writer, "jdk.JavaMonitorEnter",
		      LONG(tick + (int64_t)i * 10 * MILLI),
		      LONG(waits[i].length * MILLI), KEY(waits[i].thread),
		      KEY(waits[i].stack), KEY(waits[i].class),
		      KEY(i == 4 ? 0 : CLERK_THREAD), LONG(0x7f0010000000 + 64 * i));
	EVENT(writer, "jdk.JavaMonitorWait", LONG(tick), LONG(200 * MILLI),
	      KEY(CLERK_THREAD), KEY(NATIVE_STACK), KEY(SHOP_CLASS), LONG(200),
	      BOOLEAN(true), LONG(0x7f0010000000));
	EVENT(writer, "jdk.JavaMonitorWait", LONG(tick), LONG(20 * MILLI),
	      KEY(MAIN_THREAD), KEY(NATIVE_STACK), KEY(0), LONG(0), BOOLEAN(false),
	      LONG(0));
	EVENT(writer, "jdk.ThreadPark", LONG(tick + MILLI), LONG(77 * MILLI),
	      KEY(VIRTUAL_THREAD), KEY(PARK_STACK), KEY(LOCK_CLASS), LONG(5000000000),
	      LONG(INT64_MIN));
	EVENT(writer, "jdk.ThreadPark", LONG(tick + 2 * MILLI), LONG(5 * SHOP_SECOND),
	      KEY(VM_THREAD), KEY(0), KEY(0), LONG(INT64_MIN), LONG(1714557605000));
	EVENT(writer, "jdk.ThreadSleep", LONG(tick), LONG(100 * MILLI),
	      KEY(MAIN_THREAD), KEY(MAIN_STACK), LONG(100 * MILLI));
}

#define LONG_PATH                                                                      \
	"/srv/shop/data/2024/05/01/a-rather-long-name-of-a-folder/and-one-more/"       \
	"prices-of-the-day.csv"

static void files(struct writer *writer, int64_t tick)
{
	EVENT(writer, "jdk.FileRead", LONG(tick), LONG(3 * MILLI), KEY(MAIN_THREAD),
	      KEY(MAIN_STACK), TEXT(LONG_PATH), LONG(4096), BOOLEAN(false));
	EVENT(writer, "jdk.FileRead", LONG(tick + MILLI), LONG(MILLI),
	      KEY(CLERK_THREAD), KEY(SELL_STACK),
	      TEXT("/tmp/pr\xc3\xa9s \xe2\x82\xac.txt"), LONG(512), BOOLEAN(false));
	EVENT(writer, "jdk.FileRead", LONG(tick + 9 * MILLI), LONG(2 * MILLI),
	      KEY(MAIN_THREAD), KEY(MAIN_STACK), TEXT(LONG_PATH), LONG(1000000),
	      BOOLEAN(true));
	EVENT(writer, "jdk.FileRead", LONG(tick + 20 * MILLI), LONG(MILLI / 2),
	      KEY(CLERK_THREAD), KEY(0), NO_TEXT, LONG(-1), BOOLEAN(true));
	EVENT(writer, "jdk.FileWrite", LONG(tick + 30 * MILLI), LONG(40 * MILLI),
	      KEY(CLERK_THREAD), KEY(SELL_STACK), TEXT("/tmp/bills,\nold \"ones\".txt"),
	      LONG(70000));
	EVENT(writer, "jdk.SocketRead", LONG(tick), LONG(90 * MILLI), KEY(MAIN_THREAD),
	      KEY(MAIN_STACK), TEXT("bank.example"), TEXT("192.0.2.1"), INT(443),
	      LONG(1536));
	EVENT(writer, "jdk.SocketRead", LONG(tick + 100 * MILLI), LONG(11 * MILLI),
	      KEY(CLERK_THREAD), KEY(MAIN_STACK), TEXT(""), TEXT("192.0.2.77"),
	      INT(8080), LONG(3));
	EVENT(writer, "jdk.SocketWrite", LONG(tick + 40 * MILLI), LONG(30 * MILLI),
	      KEY(MAIN_THREAD), KEY(MAIN_STACK), TEXT("bank.example"), LONG(2048));
}

static void samples(struct writer *writer, int64_t tick)
{
	static const uint64_t used[] = { GROW_STACK,  SELL_STACK,   INIT_STACK,
					 GROW_STACK,  MAIN_STACK,   SAME_GROW_STACK,
					 JAVA_STACK,  HIDDEN_STACK, 0,
					 NATIVE_STACK };
	static const uint64_t classes_used[] = { STRING_CLASS, GRID_CLASS, TILL_CLASS };

	for (int i = 0; i < 10; i++)
		EVENT(writer, "jdk.ExecutionSample", LONG(tick + i * 20 * MILLI),
		      KEY(i % 3 + 1), KEY(used[i]), KEY(5));
	for (int i = 0; i < 4; i++)
		EVENT(writer, "jdk.CPUTimeSample", LONG(tick + i * 10 * MILLI),
		      KEY(i == 3 ? 0 : SELL_STACK), KEY(CLERK_THREAD), BOOLEAN(i == 3),
		      LONG(10 * MILLI), BOOLEAN(i == 1));
	EVENT(writer, "jdk.CPUTimeSamplesLost", LONG(tick), INT(17));
	for (int i = 0; i < 6; i++)
		EVENT(writer, "jdk.ObjectAllocationSample", LONG(tick + i * MILLI),
		      KEY(i % 2 + 1), KEY(i == 5 ? JAVA_STACK : used[i % 3]),
		      KEY(classes_used[i % 3]), LONG((i + 1) * 100000));
}

static void timing(struct writer *writer, int64_t tick, uint64_t method, int64_t calls)
{
	EVENT(writer, "jdk.MethodTiming", LONG(tick), KEY(method), LONG(calls),
	      LONG(calls * 100), LONG(calls * 1234), LONG(calls * 98765));
}

static void trace(struct writer *writer, int64_t tick, uint64_t method, uint64_t stack,
		  int64_t length)
{
	EVENT(writer, "jdk.MethodTrace", LONG(tick), LONG(length), KEY(MAIN_THREAD),
	      KEY(stack), KEY(method));
}

static void setting(struct writer *writer, int64_t tick, const char *type,
		    const char *name, const char *value)
{
	EVENT(writer, "jdk.ActiveSetting", LONG(tick),
	      LONG(type ? writer_type(writer, type) : 99999),
	      MAKE(MAKE_TEXT, .text = str_of(name)),
	      MAKE(MAKE_TEXT, .text = str_of(value)));
}

/* The second time, sleeping is not among them. */
static void settings(struct writer *writer, int64_t tick, bool has_sleep)
{
	setting(writer, tick, "jdk.JavaMonitorEnter", "enabled", "true");
	setting(writer, tick, "jdk.JavaMonitorEnter", "threshold", "20 ms");
	setting(writer, tick, "jdk.JavaMonitorEnter", "stackTrace", "true");
	setting(writer, tick, "jdk.ExecutionSample", "enabled", "true");
	setting(writer, tick, "jdk.ExecutionSample", "period", "20 ms");
	setting(writer, tick, "jdk.ObjectAllocationSample", "enabled", "false");
	setting(writer, tick, "jdk.ObjectAllocationSample", "throttle", "150/s");
	setting(writer, tick, "shop.Bare", "enabled", "true");
	setting(writer, tick, NULL, "enabled", "true");
	if (has_sleep)
		setting(writer, tick, "jdk.ThreadSleep", "enabled", "true");
}

#define MEASURE(tick, scale, pieces, grams, error, took, limit, good, grade, note)     \
	EVENT(writer, "shop.Measure", LONG(tick), scale, INT(pieces),                  \
	      LONG((int64_t)(pieces)*1000000000), DOUBLE(grams), FLOAT(error),         \
	      LONG(took), LONG(limit), LONG(1714557600000 + (pieces)*INT64_C(1000)),   \
	      BOOLEAN(good), CHAR(grade), note)

static void measures(struct writer *writer, int64_t tick)
{
	MEASURE(tick + 1, TEXT("left"), 3, 10.5, 0.25, 1500, 60, true, 'a',
		TEXT("first"));
	MEASURE(tick + 2, TEXT("right"), 10, 1e7, -0.5, 250, INT64_MAX, true, 'b',
		NO_TEXT);
	MEASURE(tick + 3, TEXT("left"), 4, 20.25, 0.75, 2500, INT64_MIN, false, 'c',
		TEXT("two\nlines\tand a tab"));
	MEASURE(tick + 4, TEXT("left"), -7, __builtin_nan(""), __builtin_inff(), 100000,
		3600, true, 'a', TEXT("first"));
	MEASURE(tick + 5, TEXT("odd"), INT32_MIN, __builtin_inf(), __builtin_nanf(""),
		0, 0, false, 0x20ac,
		TEXT("na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80"));
	MEASURE(tick + 6, TEXT("left"), 4, 0.125, 0, 99, 7, true, 'z', TEXT(""));
	MEASURE(tick + 7, NO_TEXT, 1, 1, 1, 1, 1, true, 'n', TEXT("nowhere"));
	MEASURE(tick + 8, TEXT("right"), 11, -2.5, 0.5, 750, 86400, false, 'b',
		TEXT("last, \"quoted\""));
}

static void others(struct writer *writer, int64_t tick)
{
	for (int i = 0; i < 3; i++)
		EVENT(writer, "jdk.CPULoad", LONG(tick + i * SHOP_SECOND),
		      FLOAT(0.25 + i / 8.0), FLOAT(0.03125 * i), FLOAT(1));
	EVENT(writer, "shop.Parcel", LONG(tick + 5), INT(30), INT(20), INT(28), INT(18),
	      LONG(1536), INT(1024), LONG(2097152), INT(440), LONG(0x7f0012345678),
	      FLOAT(0.125), BYTE(255));
	EVENT(writer, "shop.Parcel", LONG(tick + 6), INT(3), INT(2), INT(1), INT(0),
	      LONG(0), INT(1), LONG(999), INT(48000), LONG(0), FLOAT(1), BYTE(1));
	EVENT(writer, "shop.Trial", LONG(tick + 7), TEXT("tea"));
	EVENT(writer, "shop.Bare", LONG(tick + 8), TEXT("nothing"));
	EVENT(writer, "shop.Bare", LONG(tick + 9), TEXT("little"));
}

static void first_chunk(struct writer *writer)
{
	int64_t tick = SHOP_TICK;

	settings(writer, tick, true);
	collection(writer, tick + 1000 * MILLI, 2, YOUNG, 12 * MILLI);
	collection(writer, tick + 500 * MILLI, 1, YOUNG, 4 * MILLI);
	safepoint(writer, tick + 1000 * MILLI, 1);
	measures(writer, tick + 100 * MILLI);
	locks(writer, tick + 2000 * MILLI);
	timing(writer, tick + 2000 * MILLI, TILL_ADD, 3);
	timing(writer, tick + 2000 * MILLI, SELL_METHOD, 40);
	timing(writer, tick + 2000 * MILLI, GROW_METHOD, 1);
	trace(writer, tick + 10 * MILLI, TILL_ADD, MAIN_STACK, 3 * MILLI);
	trace(writer, tick + 20 * MILLI, TILL_ADD, SELL_STACK, 5 * MILLI);
	trace(writer, tick + 30 * MILLI, SELL_METHOD, MAIN_STACK, MILLI);
	flush(writer);
	/* Ends before much of what was flushed. */
	collection(writer, tick + 800 * MILLI, 3, OLD, 60 * MILLI);
	MEASURE(tick + 50 * MILLI, TEXT("right"), 12, 2, 0.125, 10, 1, true, 'b',
		TEXT("late"));
	files(writer, tick + 2500 * MILLI);
	samples(writer, tick + 3000 * MILLI);
	others(writer, tick + 4000 * MILLI);
	safepoint(writer, tick + 3000 * MILLI, 2);
	flush(writer);
	constants(writer);
}

static void second_chunk(struct writer *writer)
{
	int64_t tick = SHOP_TICK + 10 * SHOP_SECOND;

	settings(writer, tick, false);
	collection(writer, tick + 1000 * MILLI, 4, UNKNOWN, 8 * MILLI);
	safepoint(writer, tick + 1000 * MILLI, 3);
	timing(writer, tick + 2000 * MILLI, TILL_ADD, 30);
	timing(writer, tick + 2000 * MILLI, SELL_METHOD, 4);
	trace(writer, tick + 10 * MILLI, TILL_ADD, MAIN_STACK, 2 * MILLI);
	EVENT(writer, "jdk.ExecutionSample", LONG(tick + 1), KEY(CLERK_THREAD),
	      KEY(GROW_STACK), KEY(5));
	EVENT(writer, "shop.Later", LONG(tick + 2), TEXT("unknown at first"));
	EVENT(writer, "jdk.Shutdown", LONG(tick + 5000 * MILLI),
	      TEXT("Shutdown requested from Java"));
	constants(writer);
}

static void begin(struct writer *writer, int64_t seconds)
{
	sample_begin(writer, gc_types, seconds);
	writer_describe(writer, wait_types);
	writer_describe(writer, sample_types);
	writer_describe(writer, run_types);
	writer_describe(writer, own_types);
}

static void views(struct writer *writer)
{
	writer->schema.gmt_offset = 3600000;
	writer->schema.dst = 3600000;
	begin(writer, 0);
	first_chunk(writer);
	writer->header.flags = HEADER_COMPRESSED;
	sample_finish(writer);
	begin(writer, 10);
	writer_describe(writer, later_types);
	second_chunk(writer);
}

/* --- frames that are not of Java -------------------------------------------- */

static const struct schema_field frame_fields[] = {
	FIELD("method", "jdk.types.Method", POOLED),
	FIELD("lineNumber", "int"),
	FIELD("bytecodeIndex", "int"),
	FIELD("type", "jdk.types.FrameType", POOLED),
	FIELD("javaFrame", "boolean"),
	{ .name = NULL },
};

/* The types of the JDK, but that a frame says whether it is one of Java. */
static void describe_frames(struct writer *writer)
{
	static struct schema_type changed[32];

	for (size_t i = 0; make_jdk_types[i].name; i++) {
		changed[i] = make_jdk_types[i];
		if (strcmp(changed[i].name, "jdk.types.StackFrame") == 0)
			changed[i].fields = frame_fields;
	}
	writer_describe(writer, changed);
	writer_describe(writer, sample_types);
}

static void native_frames(struct writer *writer)
{
	struct header header = shop_header(0);

	describe_frames(writer);
	writer_open(writer, &header);
	for (int i = 0; i < 6; i++)
		EVENT(writer, "jdk.ExecutionSample", LONG(SHOP_TICK + i), KEY(0),
		      KEY(i % 3 + 1), KEY(0));
	classes(writer);
	methods(writer);
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 1, BOOLEAN(false), COUNT(2), FRAME(BARE_RUN, 0),
		 BOOLEAN(false), FRAME(TILL_ADD, 30), BOOLEAN(true));
	CONSTANT(writer, 2, BOOLEAN(false), COUNT(1), FRAME(TILL_INIT, 7),
		 BOOLEAN(true));
	CONSTANT(writer, 3, BOOLEAN(false), COUNT(1), FRAME(GROW_METHOD, 7),
		 BOOLEAN(false));
	POOL(writer, "jdk.types.ClassLoader");
	CONSTANT(writer, BOOT_LOADER, KEY(0), NAME("bootstrap"));
	CONSTANT(writer, APP_LOADER, KEY(0), NAME("app"));
	POOL(writer, "jdk.types.Package");
	CONSTANT(writer, LANG_PACKAGE, KEY(0), KEY(JAVA_BASE), BOOLEAN(true));
	POOL(writer, "jdk.types.Module");
	CONSTANT(writer, JAVA_BASE, KEY(0), KEY(0), KEY(0), KEY(BOOT_LOADER));
	CONSTANT(writer, NO_MODULE, KEY(0), KEY(0), KEY(0), KEY(APP_LOADER));
}

const struct sample view_samples[] = {
	{ "good-views", .make = views },
	{ "good-native-frames", .make = native_frames },
	{ .name = NULL },
};
