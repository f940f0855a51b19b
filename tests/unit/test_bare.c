#include <criterion/criterion.h>
#include <math.h>

#include "render/bare.h"
#include "rows.h"

/* NULL: there is no value. */
static void expect(const struct column *column, const struct datum *datum,
		   const char *csv, const char *json)
{
	const char *const wanted[] = { [BARE_CSV] = csv, [BARE_JSON] = json };

	for (enum bare_form form = BARE_CSV; form <= BARE_JSON; form++) {
		struct buf to = { 0 };

		cr_expect_eq(bare_add(&to, column, datum, form), wanted[form] != NULL);
		buf_byte(&to, '\0');
		cr_expect_str_eq(to.bytes, wanted[form] ? wanted[form] : "");
		buf_clear(&to);
	}
}

#define VALUE(csv, json, ...)                                                  \
	expect(&(const struct column){ .cell_height = 1 },                     \
	       &(const struct datum)__VA_ARGS__, csv, json)
#define MISSING(...) VALUE(NULL, NULL, __VA_ARGS__)

Test(bare, has_numbers_as_they_are)
{
	VALUE("-128", "-128", { .kind = DATUM_BYTE, .number = -128 });
	VALUE("-32768", "-32768", { .kind = DATUM_SHORT, .number = -32768 });
	VALUE("1234567", "1234567", { .kind = DATUM_INT, .number = 1234567 });
	VALUE("9223372036854775807", "9223372036854775807",
	      { .kind = DATUM_LONG, .number = INT64_MAX });
	VALUE("0.1", "0.1", { .kind = DATUM_FLOAT, .real = 0.1f });
	VALUE("0.10000000149011612", "0.10000000149011612",
	      { .kind = DATUM_DOUBLE, .real = 0.1f });
	VALUE("1.0E7", "1.0E7", { .kind = DATUM_DOUBLE, .real = 1e7 });
	VALUE("true", "true", { .kind = DATUM_BOOLEAN, .number = 1 });
	VALUE("false", "false", { .kind = DATUM_BOOLEAN, .number = 0 });
}

Test(bare, has_nothing_for_what_is_missing)
{
	MISSING({ .kind = DATUM_NULL });
	MISSING({ .kind = DATUM_INT, .number = INT32_MIN });
	MISSING({ .kind = DATUM_LONG, .number = INT64_MIN });
	VALUE("-2147483648", "-2147483648", { .kind = DATUM_LONG, .number = INT32_MIN });
	MISSING({ .kind = DATUM_DOUBLE, .real = NAN });
	MISSING({ .kind = DATUM_DOUBLE, .real = INFINITY });
	MISSING({ .kind = DATUM_FLOAT, .real = -INFINITY });
	MISSING({ .kind = DATUM_TIME, .number = INT64_MIN });
	MISSING({ .kind = DATUM_SPAN, .number = INT64_MIN });
	MISSING(CELL_THING(.kind = THING_THREAD));
}

Test(bare, has_times_in_utc_and_spans_in_nanoseconds)
{
	VALUE("2026-11-29T19:41:00.500000000Z", "\"2026-11-29T19:41:00.500000000Z\"",
	      { .kind = DATUM_TIME, .number = 1795981260, .nanos = 500000000 });
	VALUE("1500000000", "1500000000",
	      { .kind = DATUM_SPAN, .number = 1, .nanos = 500000000 });
	VALUE("-1", "-1", { .kind = DATUM_SPAN, .number = -1, .nanos = 999999999 });
	VALUE("9223372036854775807", "9223372036854775807",
	      { .kind = DATUM_SPAN, .number = INT64_MAX, .nanos = 999999999 });
}

Test(bare, has_addresses_without_a_sign)
{
	expect(&(const struct column){ .is_address = true },
	       &(const struct datum){ .kind = DATUM_LONG, .number = -1 },
	       "18446744073709551615", "18446744073709551615");
}

Test(bare, has_texts_as_recorded)
{
	VALUE("\"a\nb, \"\"c\"\"\"", "\"a\\nb, \\\"c\\\"\"", CELL_TEXT("a\nb, \"c\""));
	VALUE("\"\"", "\"\"", CELL_TEXT(""));
	VALUE("a?b", "\"a\\ud83db\"", CELL_TEXT("a\xed\xa0\xbd" "b"));
	VALUE("\u00e4", "\"\u00e4\"", { .kind = DATUM_CHAR, .number = 0xe4 });
	VALUE("?", "\"\\ud83d\"", { .kind = DATUM_CHAR, .number = 0xd83d });
	VALUE("main", "\"main\"", CELL_THING(.kind = THING_THREAD, .text = STR_IN("main"),
					     .compact = STR_IN("m")));
}

#define THING(...) (&(const struct thing){ __VA_ARGS__ })
#define METHOD(text_) THING(.kind = THING_METHOD, .text = STR_IN(text_))
#define FRAME(...) THING(.kind = THING_FRAME, __VA_ARGS__)

static const struct thing *const frames[] = {
	FRAME(.method = METHOD("shop.Till.pay(Coin, Coin)")),
	FRAME(.text = STR_IN("memcpy")),
	THING(.kind = THING_FRAME),
};

Test(bare, has_stack_traces_frame_by_frame)
{
	VALUE("\"shop.Till.pay(Coin, Coin);memcpy;\"",
	      "[\"shop.Till.pay(Coin, Coin)\",\"memcpy\",null]",
	      CELL_THING(.kind = THING_STACK, .frames = frames, .frame_count = 3));
	VALUE("\"\"", "[]", CELL_THING(.kind = THING_STACK));
	VALUE("shop.Till.pay()", "\"shop.Till.pay()\"",
	      CELL_THING(.kind = THING_FRAME, .method = METHOD("shop.Till.pay()")));
}

static const struct datum_list list = {
	4, { CELL_INT(7), CELL_TEXT("\"x\""), { .kind = DATUM_NULL },
	     { .kind = DATUM_BOOLEAN } }
};
static const struct datum_list empty = { 0, { } };

Test(bare, has_lists_item_by_item)
{
	VALUE("\"7;\"\"x\"\";;false\"", "[7,\"\\\"x\\\"\",null,false]", CELL_LIST(&list));
	VALUE("\"\"", "[]", CELL_LIST(&empty));
}

/* Kinds. */

#define KIND(kind, ...)                                                        \
	cr_expect_str_eq(bare_kind(&(const struct column){ __VA_ARGS__ }), kind)
#define INTEGER .is_integral = true

Test(bare, tells_what_columns_hold)
{
	KIND("integer", INTEGER);
	KIND("number", .is_fractional = true);
	KIND("boolean", .is_boolean = true);
	KIND("string", .is_lexical = true);
	KIND("string", .role = TYPE_OLD_OBJECT);
	KIND("timestamp", INTEGER, .is_timestamp = true);
	KIND("timespan", INTEGER, .is_timespan = true);
	KIND("bytes", INTEGER, .is_bytes = true);
	KIND("bits", INTEGER, .is_bits = true);
	KIND("bytes-per-second", INTEGER, .is_bytes = true, .is_frequency = true);
	KIND("bits-per-second", INTEGER, .is_bits = true, .is_frequency = true);
	KIND("frequency", INTEGER, .is_frequency = true);
	KIND("address", INTEGER, .is_address = true);
	KIND("fraction", .is_fractional = true, .is_percentage = true);
	KIND("thread", .role = TYPE_THREAD);
	KIND("thread-group", .role = TYPE_THREAD_GROUP);
	KIND("class", .role = TYPE_CLASS);
	KIND("class-loader", .role = TYPE_CLASS_LOADER);
	KIND("method", .role = TYPE_METHOD);
	KIND("method", .role = TYPE_STACK_FRAME);
	KIND("stack-trace", .role = TYPE_STACK_TRACE);
}

Test(bare, tells_what_aggregators_make_of_it)
{
	KIND("integer", .role = TYPE_THREAD, INTEGER, .aggregator = AGGREGATOR_UNIQUE);
	KIND("integer", INTEGER, .aggregator = AGGREGATOR_COUNT);
	KIND("integer", INTEGER, .aggregator = AGGREGATOR_SUM);
	KIND("number", INTEGER, .aggregator = AGGREGATOR_P99);
	KIND("number", INTEGER, .aggregator = AGGREGATOR_AVERAGE);
	KIND("timespan", .is_timespan = true, .aggregator = AGGREGATOR_AVERAGE);
	KIND("timespan", .is_timestamp = true, .aggregator = AGGREGATOR_DIFFERENCE);
	KIND("timestamp", .is_timestamp = true, .aggregator = AGGREGATOR_LAST);
	KIND("list", .role = TYPE_CLASS, .aggregator = AGGREGATOR_LIST);
	KIND("list", INTEGER, .aggregator = AGGREGATOR_SET);
	KIND("fraction", .is_timespan = true, .is_share_of_run = true);
	KIND("fraction", INTEGER, .is_normalized = true);
	KIND("fraction", INTEGER, .is_normalized = true, .aggregator = AGGREGATOR_COUNT);
	KIND("integer", INTEGER, .is_text = true, .aggregator = AGGREGATOR_COUNT);
	KIND("string", INTEGER, .is_text = true);
	/* Of a text, an annotation is without effect. */
	KIND("string", .is_percentage = true, .is_lexical = true);
}
