#include "shop.h"

#define STRING "java.lang.String"
#define SYMBOL "jdk.types.Symbol"
#define EVENT_TYPE "jdk.jfr.Event"

#define CATEGORY(first, second)                                                \
	NOTE_OF("jdk.jfr.Category", MEMBER("value-0", first), MEMBER("value-1", second))
#define TIMESPAN(unit) NOTES(NOTE("jdk.jfr.Timespan", unit))
#define AMOUNT(unit, ...) NOTES(NOTE("jdk.jfr.DataAmount", unit), ##__VA_ARGS__)
#define UNSIGNED MARK("jdk.jfr.Unsigned")
#define FREQUENCY MARK("jdk.jfr.Frequency")

#define SALE_FIELDS                                                            \
	START, DURATION, THREAD, STACK,                                        \
	FIELD("item", STRING, LABEL("Item")),                                  \
	FIELD("price", "double", LABEL("Price")),                              \
	FIELD("count", "int", NOTES(UNSIGNED, NOTE("jdk.jfr.Label", "Count"))), \
	FIELD("paid", "boolean", NOTES(MARK("jdk.jfr.BooleanFlag"))),          \
	FIELD("order", "long", NOTES(MARK("shop.OrderId")))

#define SALE_REST                                                              \
	NOTES(NOTE("jdk.jfr.Label", "Sale"),                                   \
	      NOTE("jdk.jfr.Description", "Something was sold"),               \
	      CATEGORY("Little Shop", "Sales")),                               \
	SETTINGS(SETTING("filter", "shop.FilterSetting", "*"))

/* Annotations and settings of the shop's own. */
#define OWN_TYPES                                                              \
	TYPE("shop.OrderId", "java.lang.annotation.Annotation",                \
	     NOTES(NOTE("jdk.jfr.Label", "Order Id"), MARK("jdk.jfr.Relational"))), \
	TYPE("shop.FilterSetting", "jdk.jfr.SettingControl",                   \
	     NOTES(NOTE("jdk.jfr.Label", "Filter")))

const struct schema_type shop_types[] = {
	OWN_TYPES,
	TYPE("shop.Sale", EVENT_TYPE, FIELDS(SALE_FIELDS), SALE_REST),
	TYPE("shop.Primitives", EVENT_TYPE,
	     FIELDS(START, FIELD("z", "boolean"), FIELD("b", "byte"), FIELD("s", "short"),
		    FIELD("c", "char"), FIELD("i", "int"), FIELD("j", "long"),
		    FIELD("f", "float"), FIELD("d", "double"), FIELD("t", STRING))),
	TYPE("shop.Spans", EVENT_TYPE,
	     FIELDS(START, DURATION, FIELD("ticks", "long", SPAN),
		    FIELD("nanos", "long", TIMESPAN("NANOSECONDS")),
		    FIELD("micros", "long", TIMESPAN("MICROSECONDS")),
		    FIELD("millis", "long", TIMESPAN("MILLISECONDS")),
		    FIELD("seconds", "int", TIMESPAN("SECONDS")),
		    FIELD("at", "long", TICKS),
		    FIELD("since", "long",
			  NOTES(NOTE("jdk.jfr.Timestamp", "MILLISECONDS_SINCE_EPOCH")))),
	     NOTES(CATEGORY("Little Shop", "Units"))),
	TYPE("shop.Amounts", EVENT_TYPE,
	     FIELDS(START, FIELD("bytes", "long", AMOUNT("BYTES")),
		    FIELD("bits", "int", AMOUNT("BITS")),
		    FIELD("byteRate", "long", AMOUNT("BYTES", FREQUENCY)),
		    FIELD("bitRate", "double", AMOUNT("BITS", FREQUENCY)),
		    FIELD("share", "float", NOTES(MARK("jdk.jfr.Percentage"))),
		    FIELD("hertz", "int", NOTES(FREQUENCY)),
		    FIELD("address", "long", NOTES(MARK("jdk.jfr.MemoryAddress"))),
		    FIELD("ubyte", "byte", NOTES(UNSIGNED)),
		    FIELD("ushort", "short", NOTES(UNSIGNED)),
		    FIELD("uint", "int", NOTES(UNSIGNED)),
		    FIELD("ulong", "long", NOTES(UNSIGNED))),
	     NOTES(CATEGORY("Little Shop", "Units"))),
	TYPE("shop.Texts", EVENT_TYPE,
	     FIELDS(START, FIELD("none", STRING), FIELD("empty", STRING),
		    FIELD("pooled", STRING), FIELD("utf8", STRING),
		    FIELD("chars", STRING), FIELD("latin1", STRING)),
	     NOTES(MARK("jdk.jfr.Experimental"))),
	TYPE("shop.Customer", EVENT_TYPE,
	     FIELDS(START, DURATION, THREAD,
		    FIELD("name", STRING, NOTES(MARK("jdk.jfr.Contextual"))))),
	TYPE("shop.City", NULL, FIELDS(FIELD("name", STRING), FIELD("zip", "int"))),
	TYPE("shop.Address", NULL,
	     FIELDS(FIELD("street", STRING), FIELD("city", "shop.City"),
		    FIELD("floor", "byte"))),
	TYPE("shop.Delivery", EVENT_TYPE,
	     FIELDS(START, FIELD("address", "shop.Address"),
		    FIELD("driver", "java.lang.Thread", POOLED),
		    FIELD("type", "java.lang.Class", POOLED),
		    FIELD("method", "jdk.types.Method", POOLED),
		    FIELD("loader", "jdk.types.ClassLoader", POOLED),
		    FIELD("group", "jdk.types.ThreadGroup", POOLED),
		    FIELD("package", "jdk.types.Package", POOLED),
		    FIELD("symbol", SYMBOL, POOLED),
		    FIELD("frames", "jdk.types.StackFrame", ARRAY))),
	TYPE("jdk.ExecutionSample", EVENT_TYPE,
	     FIELDS(START, FIELD("sampledThread", "java.lang.Thread", POOLED),
		    FIELD("stackTrace", "jdk.types.StackTrace", POOLED),
		    FIELD("state", "jdk.types.ThreadState", POOLED)),
	     NOTES(NOTE("jdk.jfr.Label", "Java Execution Sample"),
		   CATEGORY("Java Virtual Machine", "Profiling"))),
	TYPES_END,
};

const struct schema_type shop_sale_types[] = {
	OWN_TYPES,
	TYPE("shop.Sale", EVENT_TYPE, FIELDS(SALE_FIELDS), SALE_REST),
	TYPES_END,
};

const struct schema_type shop_later_types[] = {
	OWN_TYPES,
	TYPE("shop.Refund", EVENT_TYPE,
	     FIELDS(START, THREAD, FIELD("item", STRING), FIELD("reason", STRING))),
	TYPE("shop.Sale", EVENT_TYPE, FIELDS(SALE_FIELDS, FIELD("discount", "float")),
	     SALE_REST),
	TYPES_END,
};

static const char *const symbols[] = {
	"shop/Shop", "shop/Shop$Clerk", "java/lang/String", "[[I",
	"shop/Shop$$Lambda+0x00007f0001000000", "jdk/internal/loader/ClassLoaders$AppClassLoader",
	"int", "main", "([Ljava/lang/String;)V", "sell",
	"(Ljava/lang/String;I[[DLjava/util/Map$Entry;Z)Lshop/Shop;", "run", "()V", "wait0",
	"(J)V", "bootstrap", "app", "java/lang", "shop", "java.base", "25", "jrt:/java.base",
	"na\xc3\xafve \xe2\x82\xac",
};

/* The key of a symbol; they begin at 1. */
static uint64_t symbol(const char *text)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		if (strcmp(symbols[i], text) == 0)
			return i + 1;
	}
	return 0;
}

#define NAME(text) KEY(symbol(text))

struct header shop_header(int64_t seconds)
{
	struct header header = writer_header;

	header.start_nanos = SHOP_NANOS + seconds * SHOP_SECOND;
	header.start_ticks = SHOP_TICK + seconds * SHOP_SECOND;
	header.duration_nanos = 10 * SHOP_SECOND;
	return header;
}

static void threads(struct writer *writer)
{
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, MAIN_THREAD, TEXT("main"), LONG(4001), TEXT("main"), LONG(1),
		 KEY(MAIN_GROUP), BOOLEAN(false));
	CONSTANT(writer, CLERK_THREAD, TEXT("clerk"), LONG(4002),
		 TEXT("clerk \"J\xc3\xbcrgen\" \xf0\x9f\x98\x80"), LONG(31),
		 KEY(MAIN_GROUP), BOOLEAN(false));
	CONSTANT(writer, VIRTUAL_THREAD, NO_TEXT, LONG(0), TEXT("errand"), LONG(40),
		 KEY(VIRTUAL_GROUP), BOOLEAN(true));
	CONSTANT(writer, UNNAMED_THREAD, NO_TEXT, LONG(0), TEXT(""), LONG(41),
		 KEY(VIRTUAL_GROUP), BOOLEAN(true));
	CONSTANT(writer, VM_THREAD, TEXT("VM Periodic Task Thread"), LONG(4009), NO_TEXT,
		 LONG(0), KEY(0), BOOLEAN(false));
	POOL(writer, "jdk.types.ThreadGroup");
	CONSTANT(writer, SYSTEM_GROUP, KEY(0), TEXT("system"));
	CONSTANT(writer, MAIN_GROUP, KEY(SYSTEM_GROUP), TEXT("main"));
	CONSTANT(writer, VIRTUAL_GROUP, KEY(0), TEXT("VirtualThreads"));
	POOL(writer, "jdk.types.ThreadState");
	CONSTANT(writer, 0, TEXT("STATE_NEW"));
	CONSTANT(writer, 5, TEXT("STATE_RUNNABLE"));
}

static void add_class(struct writer *writer, uint64_t key, uint64_t loader,
		      const char *name, uint64_t package, bool is_hidden)
{
	CONSTANT(writer, key, KEY(loader), NAME(name), KEY(package), INT(1),
		 BOOLEAN(is_hidden));
}

static void classes(struct writer *writer)
{
	POOL(writer, "java.lang.Class");
	add_class(writer, SHOP_CLASS, APP_LOADER, "shop/Shop", SHOP_PACKAGE, false);
	add_class(writer, CLERK_CLASS, APP_LOADER, "shop/Shop$Clerk", SHOP_PACKAGE, false);
	add_class(writer, STRING_CLASS, BOOT_LOADER, "java/lang/String", LANG_PACKAGE, false);
	add_class(writer, GRID_CLASS, BOOT_LOADER, "[[I", 0, false);
	add_class(writer, INT_CLASS, BOOT_LOADER, "int", 0, false);
	add_class(writer, HIDDEN_CLASS, APP_LOADER, symbols[4], SHOP_PACKAGE, true);
	add_class(writer, LOADER_CLASS, BOOT_LOADER, symbols[5], 0, false);
	POOL(writer, "jdk.types.ClassLoader");
	CONSTANT(writer, BOOT_LOADER, KEY(0), NAME("bootstrap"));
	CONSTANT(writer, APP_LOADER, KEY(LOADER_CLASS), NAME("app"));
	POOL(writer, "jdk.types.Package");
	CONSTANT(writer, LANG_PACKAGE, NAME("java/lang"), KEY(JAVA_BASE), BOOLEAN(true));
	CONSTANT(writer, SHOP_PACKAGE, NAME("shop"), KEY(NO_MODULE), BOOLEAN(true));
	POOL(writer, "jdk.types.Module");
	CONSTANT(writer, JAVA_BASE, NAME("java.base"), NAME("25"), NAME("jrt:/java.base"),
		 KEY(BOOT_LOADER));
	CONSTANT(writer, NO_MODULE, KEY(0), KEY(0), KEY(0), KEY(APP_LOADER));
}

static void methods(struct writer *writer)
{
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, MAIN_METHOD, KEY(SHOP_CLASS), NAME("main"),
		 NAME("([Ljava/lang/String;)V"), INT(9), BOOLEAN(false));
	CONSTANT(writer, SELL_METHOD, KEY(CLERK_CLASS), NAME("sell"), NAME(symbols[10]),
		 INT(1), BOOLEAN(false));
	CONSTANT(writer, RUN_METHOD, KEY(CLERK_CLASS), NAME("run"), NAME("()V"), INT(1),
		 BOOLEAN(false));
	CONSTANT(writer, HIDDEN_METHOD, KEY(HIDDEN_CLASS), NAME("run"), NAME("()V"), INT(1),
		 BOOLEAN(true));
	CONSTANT(writer, NATIVE_METHOD, KEY(STRING_CLASS), NAME("wait0"), NAME("(J)V"),
		 INT(0x112), BOOLEAN(false));
}

#define FRAME(method, line, code, type) KEY(method), INT(line), INT(code), KEY(type)

static void stacks(struct writer *writer)
{
	enum { INTERPRETED, COMPILED, INLINED, NATIVE };

	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, SELL_STACK, BOOLEAN(false), COUNT(2),
		 FRAME(SELL_METHOD, 42, 7, COMPILED), FRAME(RUN_METHOD, 20, 3, INTERPRETED));
	CONSTANT(writer, MAIN_STACK, BOOLEAN(false), COUNT(1),
		 FRAME(MAIN_METHOD, 9, 0, INTERPRETED));
	CONSTANT(writer, HIDDEN_STACK, BOOLEAN(true), COUNT(3),
		 FRAME(SELL_METHOD, 43, 11, INLINED), FRAME(HIDDEN_METHOD, 0, 4, COMPILED),
		 FRAME(MAIN_METHOD, 12, 30, INTERPRETED));
	CONSTANT(writer, NATIVE_STACK, BOOLEAN(false), COUNT(2),
		 FRAME(NATIVE_METHOD, -1, -1, NATIVE),
		 FRAME(MAIN_METHOD, 65536, 70000, COMPILED));
	CONSTANT(writer, EMPTY_STACK, BOOLEAN(false), COUNT(0));
	writer_constant(writer, LONG_STACK);
	make_values(&writer->buf, VALUES(BOOLEAN(false), COUNT(65)));
	for (int i = 0; i < 65; i++)
		make_values(&writer->buf,
			    VALUES(FRAME(RUN_METHOD, 100 + i, i, INTERPRETED)));
	POOL(writer, "jdk.types.FrameType");
	CONSTANT(writer, INTERPRETED, TEXT("Interpreted"));
	CONSTANT(writer, COMPILED, TEXT("JIT compiled"));
	CONSTANT(writer, INLINED, TEXT("Inlined"));
	CONSTANT(writer, NATIVE, TEXT("Native"));
}

void shop_constants(struct writer *writer)
{
	writer_checkpoint(writer, 0);
	threads(writer);
	classes(writer);
	methods(writer);
	stacks(writer);
	POOL(writer, SYMBOL);
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		writer_constant(writer, i + 1);
		encode_string(&writer->buf, str_of(symbols[i]));
	}
	POOL(writer, STRING);
	CONSTANT(writer, 1, TEXT_AS(STRING_LATIN1, "one of the stock phrases of the shop"));
	CONSTANT(writer, 2, TEXT("a pooled text, \xe2\x82\xac"));
	writer_end(writer);
}

void shop_sale(struct writer *writer, int64_t tick, int64_t ticks, uint64_t thread,
	       uint64_t stack, const char *item)
{
	EVENT(writer, "shop.Sale", LONG(tick), LONG(ticks), KEY(thread), KEY(stack),
	      MAKE(MAKE_TEXT, .text = str_of(item)), DOUBLE(ticks / 1e6), INT(ticks),
	      BOOLEAN(ticks & 1), LONG(tick / 1000));
}

/* Lengths at which the unit or the number of digits changes. */
static void sales(struct writer *writer, int64_t tick)
{
	static const int64_t lengths[] = {
		0, 1, 999, 1000, 1234, 9995, 999999, 1000000, 12345678, 999499999, 999500000,
		1010000000, 12345000000, 59949999999, 59950000000, 3599499999999,
		3599500000000, 86369999999999, 86370000000000, 200000000000000, -1500000,
	};
	static const uint64_t stacks_used[] = { SELL_STACK, MAIN_STACK,	 HIDDEN_STACK,
						EMPTY_STACK, NATIVE_STACK, LONG_STACK, 0 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		shop_sale(writer, tick - lengths[i] / 2, lengths[i], i % 6, stacks_used[i % 7],
			  i % 3 ? "tea" : "coffee");
}

static void primitives(struct writer *writer, int64_t tick)
{
	EVENT(writer, "shop.Primitives", LONG(tick), BOOLEAN(true), BYTE(127), SHORT(32767),
	      CHAR('x'), INT(INT32_MAX), LONG(INT64_MAX), FLOAT(3.4028235e38),
	      DOUBLE(1.7976931348623157e308), TEXT("a \"quoted\" \\ <text> &\n\ttab"));
	EVENT(writer, "shop.Primitives", LONG(tick), BOOLEAN(false), BYTE(-128),
	      SHORT(-32768), CHAR(0x20ac), INT(INT32_MIN), LONG(INT64_MIN), FLOAT(1e-45),
	      DOUBLE(4.9e-324), NO_TEXT);
	EVENT(writer, "shop.Primitives", LONG(tick), BOOLEAN(true), BYTE(0), SHORT(-1),
	      CHAR('"'), INT(-1), LONG(-1), FLOAT(__builtin_nan("")),
	      DOUBLE(__builtin_nan("")), TEXT(""));
	EVENT(writer, "shop.Primitives", LONG(tick), BOOLEAN(false), BYTE(1), SHORT(1),
	      CHAR('<'), INT(1), LONG(1), FLOAT(__builtin_inf()), DOUBLE(-__builtin_inf()),
	      TEXT("\x01\x7f\xc2\x85\xe2\x80\xa8"));
	EVENT(writer, "shop.Primitives", LONG(tick), BOOLEAN(false), BYTE(0), SHORT(0),
	      CHAR('\n'), INT(0), LONG(0), FLOAT(-0.0), DOUBLE(1e7), TEXT("\xf0\x9f\x98\x80"));
	EVENT(writer, "shop.Primitives", LONG(tick), BOOLEAN(false), BYTE(10), SHORT(100),
	      CHAR(0xd83d), INT(1000), LONG(10000), FLOAT(0.001), DOUBLE(0.1), TEXT("plain"));
}

static void units(struct writer *writer, int64_t tick)
{
	EVENT(writer, "shop.Spans", LONG(tick), LONG(0), LONG(1500), LONG(1), LONG(20000000),
	      LONG(61000), INT(90), LONG(tick + 5), LONG(1714557600123));
	EVENT(writer, "shop.Spans", LONG(tick), LONG(7), LONG(INT64_MIN), LONG(INT64_MAX),
	      LONG(INT64_MIN), LONG(INT64_MAX), INT(-3600), LONG(INT64_MIN),
	      LONG(INT64_MIN));
	EVENT(writer, "shop.Spans", LONG(tick), LONG(7), LONG(0), LONG(0), LONG(0), LONG(0),
	      INT(0), LONG(0), LONG(0));
	EVENT(writer, "shop.Amounts", LONG(tick), LONG(0), INT(1), LONG(1), DOUBLE(1.5),
	      FLOAT(0.5), INT(1000), LONG(0x7f0012345678), BYTE(255), SHORT(65535), INT(-1),
	      LONG(-1));
	EVENT(writer, "shop.Amounts", LONG(tick), LONG(1023), INT(1024), LONG(1048575),
	      DOUBLE(1e12), FLOAT(0.99999), INT(-5), LONG(-1), BYTE(1), SHORT(1), INT(1),
	      LONG(1));
	EVENT(writer, "shop.Amounts", LONG(tick), LONG(INT64_MAX), INT(INT32_MIN),
	      LONG(-2048), DOUBLE(-1), FLOAT(-12.5), INT(0), LONG(0), BYTE(0), SHORT(0),
	      INT(0), LONG(INT64_MIN));
}

static void texts(struct writer *writer, int64_t tick)
{
	EVENT(writer, "shop.Texts", LONG(tick), NO_TEXT, TEXT(""), TEXT_KEY(1),
	      TEXT("h\xc3\xa9llo \xe2\x82\xac \xf0\x9f\x98\x80"),
	      TEXT_AS(STRING_CHARS, "h\xc3\xa9llo \xe2\x82\xac \xf0\x9f\x98\x80"),
	      TEXT_AS(STRING_LATIN1, "h\xc3\xa9llo \xc2\xa7"));
	/* As HotSpot writes NUL and a pair of surrogates; then one that is alone. */
	EVENT(writer, "shop.Texts", LONG(tick), NO_TEXT, TEXT(""), TEXT_KEY(2),
	      BYTE(STRING_UTF8), COUNT(10), BYTES("a\xc0\x80" "b\xed\xa0\xbd\xed\xb8\x80"),
	      TEXT_AS(STRING_CHARS, "low \xed\xb8\x80 high \xed\xa0\xbd"), TEXT("last"));
}

static void others(struct writer *writer, int64_t tick)
{
	EVENT(writer, "shop.Customer", LONG(tick - SHOP_SECOND), LONG(3 * SHOP_SECOND),
	      KEY(CLERK_THREAD), TEXT("Ada"));
	EVENT(writer, "shop.Customer", LONG(tick - 100), LONG(2 * SHOP_SECOND),
	      KEY(CLERK_THREAD), TEXT("Grace"));
	EVENT(writer, "shop.Delivery", LONG(tick), TEXT("Main Street 1"), TEXT("Bern"),
	      INT(3000), BYTE(-1), KEY(VIRTUAL_THREAD), KEY(GRID_CLASS), KEY(SELL_METHOD),
	      KEY(APP_LOADER), KEY(MAIN_GROUP), KEY(SHOP_PACKAGE), NAME(symbols[22]),
	      COUNT(2), FRAME(SELL_METHOD, 1, 2, 3), FRAME(NATIVE_METHOD, -1, 0, 0));
	EVENT(writer, "shop.Delivery", LONG(tick), NO_TEXT, NO_TEXT, INT(0), BYTE(0),
	      KEY(UNNAMED_THREAD), KEY(0), KEY(0), KEY(0), KEY(0), KEY(0), KEY(0),
	      COUNT(0));
	EVENT(writer, "shop.Delivery", LONG(tick), TEXT(""), TEXT("x"), INT(-1), BYTE(2),
	      KEY(VM_THREAD), KEY(HIDDEN_CLASS), KEY(HIDDEN_METHOD), KEY(BOOT_LOADER),
	      KEY(VIRTUAL_GROUP), KEY(LANG_PACKAGE), NAME("app"), COUNT(0));
	for (int i = 0; i < 5; i++)
		EVENT(writer, "jdk.ExecutionSample", LONG(tick + i * 20000000),
		      KEY(i % 3 + 1), KEY(i % 2 ? SELL_STACK : MAIN_STACK),
		      KEY(i == 4 ? 0 : 5));
}

void shop_events(struct writer *writer, int64_t tick)
{
	others(writer, tick + 5 * SHOP_SECOND);
	sales(writer, tick + 5 * SHOP_SECOND);
	primitives(writer, tick + SHOP_SECOND);
	units(writer, tick + 2 * SHOP_SECOND);
	texts(writer, tick + 3 * SHOP_SECOND);
}
