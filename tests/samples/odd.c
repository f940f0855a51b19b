/*
 * odd.c - events and constants that are legal, or nearly so, but strange.
 */
#include "shop.h"
#include "samples/stall.h"

static void missing_constants(struct writer *writer)
{
	sample_begin(writer, shop_types, 0);
	shop_sale(writer, SHOP_TICK, 5, 77, 78, "no thread, no stack");
	EVENT(writer, "shop.Delivery", LONG(SHOP_TICK), TEXT_KEY(77), NO_TEXT, INT(0),
	      BYTE(0), KEY(77), KEY(77), KEY(77), KEY(77), KEY(77), KEY(77), KEY(77),
	      COUNT(1), KEY(77), INT(3), INT(4), KEY(77));
	shop_sale(writer, SHOP_TICK, 5, MAIN_THREAD, MAIN_STACK, "all is there");
	shop_constants(writer);
}

static void frame_without_method(struct writer *writer)
{
	sample_begin(writer, shop_types, 0);
	shop_sale(writer, SHOP_TICK, 5, MAIN_THREAD, 500, "frames of all kinds");
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 500, BOOLEAN(false), COUNT(4), KEY(MAIN_METHOD), INT(1),
		 INT(1), KEY(0), KEY(0), INT(2), INT(2), KEY(0), KEY(999), INT(3),
		 INT(3), KEY(0), KEY(998), INT(4), INT(4), KEY(0));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, 998, KEY(0), KEY(0), KEY(0), INT(0), BOOLEAN(false));
	shop_constants(writer);
}

/* The second run began an hour later, but its ticks start over. */
static void two_runs(struct writer *writer)
{
	struct header header = shop_header(3600);

	sample_small(writer, 0);
	sample_finish(writer);
	sample_small(writer, 0);
	header.chunk_size = 0;
	header.metadata_at = 0;
	header.checkpoint_at = writer->header.checkpoint_at;
	header.start_ticks = SHOP_TICK;
	header.state = writer->header.state;
	writer->header = header;
}

static void unknown_event(struct writer *writer)
{
	sample_small(writer, 0);
	writer_event(writer, 4242);
	make_values(&writer->buf, VALUES(LONG(SHOP_TICK), TEXT("nobody knows me")));
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
}

static void negative_keys(struct writer *writer)
{
	sample_begin(writer, shop_types, 0);
	shop_sale(writer, SHOP_TICK, 5, UINT64_MAX, (uint64_t)INT64_MIN,
		  "negative keys");
	shop_sale(writer, SHOP_TICK, 6, 1ull << 40, MAIN_STACK, "a large key");
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, UINT64_MAX, TEXT("minus one"), LONG(1), TEXT("minus one"),
		 LONG(1), KEY(0), BOOLEAN(false));
	CONSTANT(writer, 1ull << 40, TEXT("large"), LONG(2), TEXT("large"), LONG(2),
		 KEY(0), BOOLEAN(false));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, (uint64_t)INT64_MIN, BOOLEAN(false), COUNT(1),
		 KEY(MAIN_METHOD), INT(1), INT(1), KEY(0));
	shop_constants(writer);
}

static void duplicate_keys(struct writer *writer)
{
	sample_begin(writer, shop_types, 0);
	shop_sale(writer, SHOP_TICK, 5, 50, 0,
		  "by the thread of the oldest checkpoint");
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = { "oldest", "middle", "newest" };

		POOL(writer, "java.lang.Thread");
		writer_constant(writer, 50);
		encode_string(&writer->buf, str_of(names[i]));
		make_values(&writer->buf, VALUES(LONG(1), TEXT_AS(STRING_LATIN1, "x"),
						 LONG(i + 1), KEY(0), BOOLEAN(false)));
		writer_end(writer);
	}
	shop_constants(writer);
}

/* Constants of the key zero, which in most pools means nothing. */
static void key_0(struct writer *writer)
{
	stall_open(writer, 0);
	EVENT(writer, "shop.Sale", LONG(SHOP_TICK), LONG(5), KEY(0), KEY(0),
	      TEXT_KEY(0), DOUBLE(1), INT(1), BOOLEAN(0), LONG(7));
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 0, TEXT("zero"), LONG(1), TEXT("zero"), LONG(1), KEY(0),
		 BOOLEAN(false));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 0, BOOLEAN(false), COUNT(1), KEY(MAIN_METHOD), INT(1), INT(1),
		 KEY(0));
	POOL(writer, STRING);
	CONSTANT(writer, 0, TEXT("text zero"));
	stall_end(writer);
}

/* Times at the ends of what a long can hold, before the chunk, and spans backwards. */
static void times(struct writer *writer)
{
	static const struct {
		int64_t tick, ticks;
		const char *item;
	} sales[] = {
		{ INT64_MIN, 0, "the first tick of all" },
		{ INT64_MAX, 1, "the last, and one more" },
		{ 0, 5, "tick zero" },
		{ SHOP_TICK - SHOP_SECOND, 5, "a second before the chunk" },
		{ SHOP_TICK + 3600 * SHOP_SECOND, 5, "an hour after the chunk" },
		{ SHOP_TICK + 5, -10, "backwards" },
		{ SHOP_TICK + 5, INT64_MIN, "no length" },
		{ SHOP_TICK + 5, INT64_MAX, "for ever" },
	};

	stall_open(writer, 0);
	for (size_t i = 0; i < sizeof(sales) / sizeof(sales[0]); i++)
		EVENT(writer, "shop.Sale", LONG(sales[i].tick), LONG(sales[i].ticks),
		      KEY(MAIN_THREAD), KEY(MAIN_STACK),
		      MAKE(MAKE_TEXT, .text = str_of(sales[i].item)), DOUBLE(1), INT(1),
		      BOOLEAN(0), LONG(7));
	stall_end(writer);
}

/* The size of an event in more bytes than it needs. */
static void padded_sizes(struct writer *writer)
{
	static const int widths[] = { 2, 4, 5, 8, 9 };

	stall_open(writer, 0);
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		size_t at, size;

		writer_end(writer);
		at = writer->buf.size;
		encode_padded(&writer->buf, 0, widths[i]);
		make_values(&writer->buf,
			    VALUES(LONG(writer_type(writer, "shop.Sale")),
				   LONG(SHOP_TICK), LONG(5), KEY(MAIN_THREAD),
				   KEY(MAIN_STACK), TEXT("padded"), DOUBLE(1),
				   INT(widths[i]), BOOLEAN(0), LONG(7)));
		size = writer->buf.size - at;
		encode_padded_at(writer->buf.bytes + at, size, widths[i]);
	}
	stall_end(writer);
}

#define ESC "\x1b"

static const struct schema_type control_types[] = {
	TYPE("odd.Control", EVENT_TYPE,
	     FIELDS(START, THREAD,
		    FIELD("text", STRING, LABEL("T\"e\\x\nt" ESC "[31m")),
		    FIELD("type", "java.lang.Class", POOLED), FIELD("letter", "char")),
	     LABEL("<C>ontrol & \"Characters\"\t" ESC "[2J")),
	TYPES_END,
};

static const char *const control_texts[] = {
	"C:\\Users\\me\\\"new\" folder\\x.jfr", "C:\\temp\\name\\u0041\\",
	"line\nline\r\nline\rline", "tab\tbell\abackspace\bfeed\fvertical\v",
	ESC "[31mred" ESC "[0m " ESC "]0;title\a" ESC "[2J",
	"\xc2\x9b" "31m \xc2\x90 \xc2\x85", "\x01\x02\x1f\x7f",
	"]]> <!-- & &amp; &#0; <a b='c' d=\"e\"/> -->", "',\";|`$(id)%s%n", "=1+1",
	"\xef\xbb\xbf" "BOM", "\xe2\x80\xa8\xe2\x80\xa9 \xe2\x80\xae" "right to left",
	"\xef\xbf\xbe\xef\xbf\xbf\xef\xb7\x90", "\xf3\xa0\x80\x81 \xf4\x8f\xbf\xbf",
	"e\xcc\x81 \xe2\x80\x8d \xe6\xbc\xa2\xe5\xad\x97 "
	"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80",
	" blanks around ", "",
};

/* Paths, control characters, escape sequences: what must not be put out as it is. */
static void control_characters(struct writer *writer)
{
	size_t count = sizeof(control_texts) / sizeof(control_texts[0]);

	sample_begin(writer, control_types, 0);
	for (size_t i = 0; i < count; i++)
		EVENT(writer, "odd.Control", LONG(SHOP_TICK + (int64_t)i), KEY(100 + i),
		      MAKE(MAKE_TEXT, .text = str_of(control_texts[i])), KEY(100 + i),
		      CHAR(i < 32 ? i : 0));
	EVENT(writer, "odd.Control", LONG(SHOP_TICK + 99), KEY(0),
	      TEXT_AS(STRING_CHARS, "NUL \0 between"), KEY(0), CHAR(0xd800));
	POOL(writer, "java.lang.Thread");
	for (size_t i = 0; i < count; i++)
		CONSTANT(writer, 100 + i,
			 MAKE(MAKE_TEXT, .text = str_of(control_texts[i])), LONG(1),
			 MAKE(MAKE_TEXT, .text = str_of(control_texts[i])), LONG(1),
			 KEY(0), BOOLEAN(false));
	POOL(writer, "java.lang.Class");
	for (size_t i = 0; i < count; i++)
		CONSTANT(writer, 100 + i, KEY(0), KEY(100 + i), KEY(0), INT(1),
			 BOOLEAN(false));
	POOL(writer, SYMBOL);
	for (size_t i = 0; i < count; i++)
		CONSTANT(writer, 100 + i,
			 MAKE(MAKE_TEXT, .text = str_of(control_texts[i])));
}

/* More frames than fit on any screen, and the JVM left out some. */
static void deep_stack(struct writer *writer)
{
	stall_open(writer, 0);
	shop_sale(writer, SHOP_TICK, 5, MAIN_THREAD, 50, "2048 frames");
	POOL(writer, "jdk.types.StackTrace");
	writer_constant(writer, 50);
	make_values(&writer->buf, VALUES(BOOLEAN(true), COUNT(2048)));
	for (int i = 0; i < 2048; i++)
		make_values(&writer->buf,
			    VALUES(KEY(RUN_METHOD), INT(i), INT(0), KEY(0)));
	stall_end(writer);
}

static const struct schema_type thread_start_types[] = {
	TYPE("jdk.ThreadStart", EVENT_TYPE,
	     FIELDS(START, THREAD, STACK, FIELD("thread", "java.lang.Thread", POOLED),
		    FIELD("parentThread", "java.lang.Thread", POOLED)),
	     LABEL("Java Thread Start")),
	TYPES_END,
};

/* Three thousand threads, and one start; its stack trace has no frames. */
static void many_threads(struct writer *writer)
{
	stall_open(writer, 0);
	writer_describe(writer, thread_start_types);
	EVENT(writer, "jdk.ThreadStart", LONG(SHOP_TICK), KEY(MAIN_THREAD), KEY(50),
	      KEY(3999), KEY(1000));
	POOL(writer, "java.lang.Thread");
	for (int i = 1000; i < 4000; i++)
		CONSTANT(writer, i, TEXT(""), LONG(7), NO_TEXT, LONG(i - 999),
			 KEY(MAIN_GROUP), BOOLEAN(false));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 50, BOOLEAN(false), COUNT(0));
	stall_end(writer);
}

/* A text that holds a whole recording: no reason to begin anew inside of it. */
static void recording_inside(struct writer *writer)
{
	struct writer inner = { 0 };

	stall_begin(&inner, 3600);
	stall_sales(&inner, 0, 2);
	sample_finish(&inner);
	stall_open(writer, 0);
	writer_event(writer, writer_type(writer, "shop.Sale"));
	make_values(&writer->buf,
		    VALUES(LONG(SHOP_TICK), LONG(5), KEY(MAIN_THREAD), KEY(MAIN_STACK),
			   BYTE(STRING_LATIN1), COUNT(inner.buf.size)));
	buf_add(&writer->buf, inner.buf.bytes, inner.buf.size);
	make_values(&writer->buf, VALUES(DOUBLE(1), INT(1), BOOLEAN(0), LONG(7)));
	stall_end(writer);
	writer_clear(&inner);
}

/* Pools of one type in one checkpoint and in others: all of them count. */
static void pool_twice(struct writer *writer)
{
	stall_begin(writer, 0);
	writer_metadata(writer);
	for (uint64_t i = 0; i < 4; i++)
		shop_sale(writer, SHOP_TICK, 5, 50 + i, 50 + i,
			  "by one thread of each pool");
	stall_constants(writer);
	for (uint64_t i = 0; i < 4; i++) {
		POOL(writer, "java.lang.Thread");
		CONSTANT(writer, 50 + i, NO_TEXT, LONG(0), TEXT("a pool's"),
			 LONG(i + 1), KEY(0), BOOLEAN(false));
		POOL(writer, "jdk.types.StackTrace");
		CONSTANT(writer, 50 + i, BOOLEAN(false), COUNT(1), KEY(RUN_METHOD),
			 INT(100 + i), INT(0), KEY(0));
		if (i == 1)
			writer_end(writer);
	}
	stall_header(writer);
}

/* A later chunk gives the keys of the first one to other things. */
static void same_keys(struct writer *writer)
{
	stall_open(writer, 0);
	sample_finish(writer);
	stall_begin(writer, 10);
	stall_sales(writer, 0, 6);
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, MAIN_THREAD, TEXT("not main"), LONG(1), TEXT("not main"),
		 LONG(1), KEY(0), BOOLEAN(false));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, MAIN_STACK, BOOLEAN(false), COUNT(1), KEY(MAIN_METHOD),
		 INT(77), INT(0), KEY(0));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, MAIN_METHOD, KEY(SHOP_CLASS), KEY(1), KEY(2), INT(9),
		 BOOLEAN(false));
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, SHOP_CLASS, KEY(0), KEY(3), KEY(0), INT(1), BOOLEAN(false));
	POOL(writer, SYMBOL);
	CONSTANT(writer, 1, TEXT("notMain"));
	CONSTANT(writer, 2, TEXT("()I"));
	CONSTANT(writer, 3, TEXT("other/Stall"));
}

/* A chunk that has constants, and one that has none. */
static void no_constants(struct writer *writer)
{
	stall(writer, 0);
	sample_finish(writer);
	stall_begin(writer, 10);
	stall_sales(writer, 0, 6);
}

/* The metadata of the second chunk has the id of the first, but other types. */
static void same_metadata_id(struct writer *writer)
{
	stall_open(writer, 0);
	sample_finish(writer);
	writer->metadata_id = 0;
	sample_begin(writer, shop_later_types, 10);
	EVENT(writer, "shop.Sale", LONG(SHOP_TICK + 11 * SHOP_SECOND), LONG(5000000),
	      KEY(CLERK_THREAD), KEY(SELL_STACK), TEXT("cake"), DOUBLE(3.5), INT(2),
	      BOOLEAN(true), LONG(7), FLOAT(0.25));
	EVENT(writer, "shop.Refund", LONG(SHOP_TICK + 12 * SHOP_SECOND),
	      KEY(MAIN_THREAD), TEXT("cake"), TEXT("stale"));
	stall_constants(writer);
}

const struct sample odd_samples[] = {
	{ "odd-missing-constants", .make = missing_constants },
	{ "odd-frame-without-method", .make = frame_without_method },
	{ "odd-two-runs", .make = two_runs },
	{ "odd-unknown-event", .make = unknown_event },
	{ "odd-negative-keys", .make = negative_keys },
	{ "odd-duplicate-keys", .make = duplicate_keys },
	{ "odd-key-0", .make = key_0 },
	{ "odd-pool-twice", .make = pool_twice },
	{ "odd-same-keys", .make = same_keys },
	{ "odd-no-constants", .make = no_constants },
	{ "odd-same-metadata-id", .make = same_metadata_id },
	{ "odd-times", .make = times },
	{ "odd-padded-sizes", .make = padded_sizes },
	{ "odd-control-characters", .make = control_characters },
	{ "odd-deep-stack", .make = deep_stack },
	{ "odd-many-threads", .make = many_threads },
	{ "odd-recording-inside", .make = recording_inside },
	{ .name = NULL },
};
