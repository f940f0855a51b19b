#include <criterion/criterion.h>
#include <math.h>

#include "filter/operand.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A tick is two nanoseconds. */
static const struct clock clock_of_two = { .start_ticks = 1000,
					   .start_nanos = 5000000000,
					   .divisor = 0.5 };

/* East of Greenwich. */
#define ZONE 3600

static struct field field_of(enum op_kind primitive, enum unit unit, bool is_unsigned,
			     struct type *type)
{
	*type = (struct type){ .name = STR("type"), .primitive = primitive };
	type->shown = type;
	return (struct field){ .name = STR("x"),
			       .type = type,
			       .shown = type,
			       .unit = unit,
			       .is_unsigned = is_unsigned };
}

struct number_case {
	const char *text;
	int64_t number;
	bool takes;
};

struct kind {
	enum op_kind primitive;
	enum unit unit;
	bool is_unsigned;
};

static void try_numbers(struct kind kind, const struct number_case *cases, size_t count)
{
	struct type type;
	struct field field = field_of(kind.primitive, kind.unit, kind.is_unsigned,
				      &type);

	for (size_t i = 0; i < count; i++) {
		struct condition *condition = condition_new(str_of(cases[i].text),
							    NULL);
		struct value value = { .number = cases[i].number };
		struct operand operand;
		const char *hint;

		cr_assert(condition, "%s", cases[i].text);
		cr_assert(operand_of(&operand, condition, &field, false, ZONE, &hint),
			  "%s: %s", cases[i].text, hint);
		cr_expect_eq(
			operand_takes_number(&operand, &field, &value, &clock_of_two),
			cases[i].takes, "%s: %lld", cases[i].text,
			(long long)cases[i].number);
		condition_free(condition);
	}
}

#define TRY(primitive, unit, is_unsigned, ...)                                 \
	try_numbers((struct kind){ primitive, unit, is_unsigned },             \
		    (const struct number_case[])__VA_ARGS__,                   \
		    COUNT(((const struct number_case[])__VA_ARGS__)))

Test(operand, compares_integers)
{
	TRY(OP_INT, UNIT_NONE, false, {
		{ "x = 5", 5, true }, { "x = 5", 6, false }, { "x = +5", 5, true },
		{ "x < 5", 4, true }, { "x < 5", 5, false },
		{ "x <= 5", 5, true }, { "x <= 5", 6, false },
		{ "x > 5", 6, true }, { "x > 5", 5, false },
		{ "x >= 5", 5, true }, { "x >= 5", 4, false },
		{ "x = -5", -5, true }, { "x < -4.5", -5, true },
		{ "x < -4.5", -4, false },
		{ "x = 0x10", 16, true }, { "x = -0X1f", -31, true },
		{ "x = 1e3", 1000, true }, { "x = 5.0", 5, true },
		/* Between two integers. */
		{ "x = 5.5", 5, false }, { "x = 5.5", 6, false },
		{ "x < 5.5", 5, true }, { "x < 5.5", 6, false },
		{ "x > 5.5", 5, false }, { "x > 5.5", 6, true },
		{ "x <= 5.5", 5, true }, { "x >= 5.5", 5, false },
		{ "x >= 5.5", 6, true },
		{ "x > -0.5", 0, true }, { "x > -0.5", -1, false },
		{ "x < 1e99", INT32_MAX, true }, { "x > -1e99", INT32_MIN, true },
	});
	TRY(OP_LONG, UNIT_NONE, false, {
		{ "x = 9223372036854775807", INT64_MAX, true },
		{ "x < 9223372036854775807", INT64_MAX - 1, true },
		{ "x = -9223372036854775808", INT64_MIN, true },
		{ "x = 18446744073709551615", -1, false },
		{ "x < 9223372036854775808", INT64_MAX, true },
	});
	TRY(OP_BYTE, UNIT_NONE, false,
	    { { "x = -1", -1, true }, { "x = 255", -1, false } });
	TRY(OP_SHORT, UNIT_NONE, false, { { "x > 0", -1, false } });
}

Test(operand, compares_unsigned_integers)
{
	TRY(OP_BYTE, UNIT_NONE, true,
	    { { "x = 255", -1, true }, { "x < 0", -1, false } });
	TRY(OP_SHORT, UNIT_NONE, true, { { "x = 65535", -1, true } });
	TRY(OP_INT, UNIT_NONE, true, { { "x > 4e9", -1, true } });
	TRY(OP_LONG, UNIT_NONE, true, {
		{ "x = 18446744073709551615", -1, true },
		{ "x = 18446744073709551614", -1, false },
		{ "x < 18446744073709551616", -1, true },
		{ "x = 0xffffffffffffffff", -1, true },
		{ "x > 9223372036854775807", INT64_MIN, true },
		{ "x > -1", -1, true },
	});
}

Test(operand, compares_booleans)
{
	TRY(OP_BOOLEAN, UNIT_NONE, false, {
		{ "x = true", 1, true }, { "x = true", 0, false },
		{ "x = false", 0, true },
		{ "x = 'false'", 1, false },
	});
}

Test(operand, compares_characters_as_texts)
{
	TRY(OP_CHAR, UNIT_NONE, false, {
		{ "x = a", 'a', true }, { "x = a", 'b', false },
		{ "x = ab", 'a', false },
		{ "x < b", 'a', true }, { "x ~ [ab]", 'a', false },
		{ "x ~ ?", 'a', true },
		{ "x = '\"'", '"', true }, { "x = \xe2\x82\xac", 0x20ac, true },
		{ "x = ' '", ' ', true }, { "x ~ *", 0xd800, true },
	});
}

Test(operand, compares_timespans)
{
	TRY(OP_LONG, UNIT_TIMESPAN_NANOS, false, {
		{ "x > 20ms", 20000001, true }, { "x > 20ms", 20000000, false },
		{ "x = 20 ms", 20000000, true }, { "x >= PT0.02S", 20000000, true },
		{ "x = 0", 0, true }, { "x < 0", -1, true },
		{ "x < -1ms", -1000001, true },
		{ "x < Forever", INT64_MAX - 1, true },
		{ "x = Forever", INT64_MAX, true },
		{ "x > 292d", INT64_MAX, true },
		/* What was not measured is nothing but null. */
		{ "x < 20ms", INT64_MIN, false }, { "x = null", INT64_MIN, true },
		{ "x = null", 0, false }, { "x = null", INT64_MAX, false },
	});
	TRY(OP_LONG, UNIT_TIMESPAN_TICKS, false, {
		{ "x = 20ns", 10, true }, { "x < 20ns", 9, true },
		{ "x < 20ns", 10, false },
		{ "x = null", INT64_MIN, true },
	});
	TRY(OP_INT, UNIT_TIMESPAN_MICROS, false, { { "x = 1ms", 1000, true } });
	TRY(OP_INT, UNIT_TIMESPAN_MILLIS, true, { { "x > 49d", -1, true } });
	TRY(OP_LONG, UNIT_TIMESPAN_SECONDS, false, {
		{ "x = 1h", 3600, true }, { "x > 106751d", INT64_MAX / 2, true },
		{ "x < -106751d", INT64_MIN / 2, true },
	});
}

/* Tick 1000 is 5 s past midnight of 1970-01-01 UTC, and an hour later where we are. */
Test(operand, compares_points_in_time)
{
	TRY(OP_LONG, UNIT_TIMESTAMP_TICKS, false, {
		{ "x = 1970-01-01T00:00:05Z", 1000, true },
		{ "x = 1970-01-01T01:00:05", 1000, true },
		{ "x = 1970-01-01T02:00:05+02:00", 1000, true },
		{ "x > 1970-01-01T00:00:05Z", 1001, true },
		{ "x > 1970-01-01T00:00:05Z", 1000, false },
		{ "x < 1970-01-01", 1000, false }, { "x > 1970-01-01", 1000, true },
		{ "x = '01:00:05 (1970-01-01)'", 1000, true },
		{ "x = null", INT64_MIN, true }, { "x = null", 0, false },
		{ "x < 2026-11-29", INT64_MIN, false },
	});
	/* A fraction is all that begins so. */
	TRY(OP_LONG, UNIT_TIMESTAMP_TICKS, false, {
		{ "x = 1970-01-01T00:00:05.000Z", 1000 + 499999, true },
		{ "x = 1970-01-01T00:00:05.000Z", 1000 + 500000, false },
		{ "x = 1970-01-01T00:00:05.000Z", 999, false },
		{ "x > 1970-01-01T00:00:05.000Z", 1000 + 499999, false },
		{ "x > 1970-01-01T00:00:05.000Z", 1000 + 500000, true },
		{ "x >= 1970-01-01T00:00:05.000Z", 1000, true },
		{ "x <= 1970-01-01T00:00:05.000Z", 1000 + 499999, true },
		{ "x <= 1970-01-01T00:00:05.000Z", 1000 + 500000, false },
		{ "x < 1970-01-01T00:00:05.000Z", 1000, false },
		{ "x = 1970-01-01T00:00:05Z", 1001, false },
	});
	TRY(OP_LONG, UNIT_TIMESTAMP_MILLIS, false, {
		{ "x = 1970-01-01T00:00:05.123Z", 5123, true },
		{ "x > 2262-04-11", INT64_MAX / 2, true },
	});
}

Test(operand, compares_amounts_of_data)
{
	TRY(OP_LONG, UNIT_BYTES, false, {
		{ "x = 1024", 1024, true }, { "x = 1kB", 1024, true },
		{ "x = 1 KB", 1024, true }, { "x = 1k", 1024, true },
		{ "x = 1kiB", 1024, true }, { "x = 1KiB", 1024, true },
		{ "x = 1.5MB", 1572864, true }, { "x = 2GB", INT64_C(2) << 30, true },
		{ "x = 2 TB", INT64_C(2) << 40, true },
		{ "x = 2PB", INT64_C(2) << 50, true },
		{ "x = 2EB", INT64_C(2) << 60, true }, { "x = 7 bytes", 7, true },
		{ "x = 1 byte", 1, true }, { "x = 7B", 7, true },
		{ "x = 10m", 10485760, true },
		{ "x > 1.3kB", 1331, false }, { "x > 1.3kB", 1332, true },
		{ "x < -1kB", -1025, true }, { "x < 100EB", INT64_MAX, true },
	});
	TRY(OP_INT, UNIT_BITS, false, {
		{ "x = 1kbit", 1024, true }, { "x = 1.5 Mbit", 1572864, true },
		{ "x = 7 bits", 7, true }, { "x = 7bit", 7, true },
		{ "x = 1k", 1024, true },
		{ "x = 1kibit", 1024, true },
	});
	TRY(OP_LONG, UNIT_BYTES_PER_SECOND, false, {
		{ "x = 1kB/s", 1024, true }, { "x = 1 MB", 1048576, true },
		{ "x = 7 byte/s", 7, true }, { "x = 7 bytes/s", 7, true },
	});
	TRY(OP_LONG, UNIT_BITS_PER_SECOND, false, {
		{ "x = 1kbps", 1024, true }, { "x = 7 bps", 7, true },
		{ "x = 7 bits/s", 7, true }, { "x = 1 Mbit/s", 1048576, true },
	});
}

Test(operand, compares_addresses_frequencies_and_percentages)
{
	TRY(OP_LONG, UNIT_ADDRESS, false, {
		{ "x = 0x7f0012345678", INT64_C(0x7f0012345678), true },
		{ "x = 0x7F0012345678", INT64_C(0x7f0012345678), true },
		{ "x = 4096", 4096, true }, { "x > 0x7fffffffffffffff", -1, true },
		{ "x = 0xFFFFFFFFFFFFFFFF", -1, true },
	});
	TRY(OP_INT, UNIT_FREQUENCY, false, {
		{ "x = 50", 50, true }, { "x = 50Hz", 50, true },
		{ "x = 2.4kHz", 2400, true },
		{ "x = 1 MHz", 1000000, true }, { "x < 2.4GHz", INT32_MAX, true },
	});
	TRY(OP_INT, UNIT_PERCENTAGE, false, {
		{ "x = 100%", 1, true }, { "x > 50%", 1, true },
		{ "x > 0.5", 0, false },
		{ "x = 2", 2, true },
	});
}

struct real_case {
	const char *text;
	double real;
	bool takes;
};

static void try_reals(enum op_kind primitive, enum unit unit,
		      const struct real_case *cases, size_t count)
{
	struct type type;
	struct field field = field_of(primitive, unit, false, &type);

	for (size_t i = 0; i < count; i++) {
		struct condition *condition = condition_new(str_of(cases[i].text),
							    NULL);
		struct value value = { .real = cases[i].real };
		struct operand operand;
		const char *hint;

		cr_assert(operand_of(&operand, condition, &field, false, ZONE, &hint),
			  "%s", cases[i].text);
		cr_expect_eq(
			operand_takes_number(&operand, &field, &value, &clock_of_two),
			cases[i].takes, "%s: %g", cases[i].text, cases[i].real);
		condition_free(condition);
	}
}

Test(operand, compares_reals)
{
	static const struct real_case doubles[] = {
		{ "x = 0.1", 0.1, true }, { "x > 0.1", 0.1, false },
		{ "x < 1e300", 1e299, true },
		{ "x = -1.5", -1.5, true }, { "x = 0", -0.0, true },
		{ "x < 5", NAN, false },
		{ "x >= 5", NAN, false }, { "x = 5", NAN, false },
		{ "x > 1e300", INFINITY, true },
		{ "x < -1e300", -INFINITY, true }, { "x = 1e999", INFINITY, true },
		{ "x = 0x10", 16, true }, { "x = null", NAN, false },
	};
	static const struct real_case floats[] = {
		{ "x = 0.1", 0.1f, true }, { "x > 0.1", 0.1f, false },
		{ "x < 0.1", 0.1f, false },
		{ "x = 1e39", INFINITY, true },
	};
	static const struct real_case shares[] = {
		{ "x = 50%", 0.5, true }, { "x = 0.5", 0.5, true },
		{ "x = 12.5 %", 0.125, true },
		{ "x > 10%", 0.1f, false }, { "x = 10%", 0.1f, true },
		{ "x < -5%", -0.06, true },
	};
	static const struct real_case rates[] = {
		{ "x = 1.5kbps", 1536, true }, { "x = -1.5kbps", -1536, true },
	};

	try_reals(OP_DOUBLE, UNIT_NONE, doubles, COUNT(doubles));
	try_reals(OP_FLOAT, UNIT_NONE, floats, COUNT(floats));
	try_reals(OP_FLOAT, UNIT_PERCENTAGE, shares, COUNT(shares));
	try_reals(OP_DOUBLE, UNIT_BITS_PER_SECOND, rates, COUNT(rates));
}

static bool takes_text(const char *text, bool is_dotted, struct str value)
{
	struct condition *condition = condition_new(str_of(text), NULL);
	struct operand operand;
	const char *hint = "";
	struct type type;
	struct field field = field_of(OP_STRING, UNIT_NONE, false, &type);
	bool takes;

	cr_assert(condition, "%s", text);
	cr_assert(operand_of(&operand, condition, &field, is_dotted, ZONE, &hint), "%s",
		  hint);
	takes = operand_takes_text(&operand, value);
	condition_free(condition);
	return takes;
}

Test(operand, compares_texts)
{
	cr_expect(takes_text("x = tea", false, STR("tea")));
	cr_expect_not(takes_text("x = tea", false, STR("te")));
	cr_expect_not(takes_text("x = tea", false, STR("Tea")));
	cr_expect(takes_text("x < tea", false, STR("coffee")));
	cr_expect(takes_text("x <= tea", false, STR("tea")));
	cr_expect(takes_text("x > tea", false, STR("teapot")));
	cr_expect(takes_text("x >= 'tea'", false, STR("tea")));
	cr_expect(takes_text("x ~ t*", false, STR("tea")));
	cr_expect(takes_text("x ~ t?a", false, STR("tea")));
	cr_expect_not(takes_text("x ~ t", false, STR("tea")));
	cr_expect(takes_text("x = ''", false, STR("")));
	cr_expect(takes_text("x = 5", false, STR("5")));
	/* By UTF-16 units a pair of surrogates comes before U+FFFD. */
	cr_expect(takes_text("x > \xf0\x9f\x98\x80", false, STR("\xef\xbf\xbd")));
	cr_expect(takes_text("x = a/b", true, STR("a.b")));
	cr_expect_not(takes_text("x = a/b", false, STR("a.b")));
	cr_expect(takes_text("x ~ a/*", true, STR("a.b")));
}

Test(operand, knows_null_from_an_empty_text)
{
	struct str null = { NULL, 0 };

	cr_expect(takes_text("x = null", false, null));
	cr_expect(takes_text("x = N/A", false, null));
	cr_expect_not(takes_text("x = null", false, STR("")));
	cr_expect_not(takes_text("x = ''", false, null));
	cr_expect_not(takes_text("x = 'null'", false, null));
	cr_expect(takes_text("x = 'null'", false, STR("null")));
	cr_expect_not(takes_text("x < a", false, null));
	cr_expect_not(takes_text("x ~ *", false, null));
}

static const struct {
	enum op_kind primitive;
	enum unit unit;
	const char *text, *hint;
} misfits[] = {
	{ OP_LONG, UNIT_TIMESPAN_TICKS, "x > 20", "a timespan: write 20ms" },
	{ OP_LONG, UNIT_TIMESPAN_NANOS, "x > 20", "a timespan: write 20ms" },
	{ OP_INT, UNIT_TIMESPAN_MICROS, "x > soon", "a timespan: write 20ms" },
	{ OP_INT, UNIT_TIMESPAN_MILLIS, "x > ''", "a timespan: write 20ms" },
	{ OP_INT, UNIT_TIMESPAN_SECONDS, "x > 1kB", "a timespan: write 20ms" },
	{ OP_LONG, UNIT_TIMESPAN_TICKS, "x ~ 2*", "patterns are for texts" },
	{ OP_LONG, UNIT_TIMESTAMP_TICKS, "x > 20ms",
	  "a point in time: write 2026-11-29T22:06:54" },
	{ OP_LONG, UNIT_TIMESTAMP_TICKS, "x > 22:06",
	  "a point in time: write 2026-11-29T22:06:54" },
	{ OP_LONG, UNIT_TIMESTAMP_MILLIS, "x > 2026-02-30",
	  "a point in time: write 2026-11-29T22:06:54" },
	{ OP_FLOAT, UNIT_PERCENTAGE, "x > half",
	  "a percentage: write 50% or 0.5" },
	{ OP_FLOAT, UNIT_PERCENTAGE, "x > 5kB",
	  "a percentage: write 50% or 0.5" },
	{ OP_LONG, UNIT_BYTES, "x > 1kbit", "an amount of data: write 64kB" },
	{ OP_LONG, UNIT_BYTES, "x > 1kB/s", "an amount of data: write 64kB" },
	{ OP_LONG, UNIT_BYTES, "x > 1kilobyteormore",
	  "an amount of data: write 64kB" },
	{ OP_LONG, UNIT_BYTES, "x > 1xB", "an amount of data: write 64kB" },
	{ OP_LONG, UNIT_BITS, "x > 1kB", "an amount of data: write 64kbit" },
	{ OP_LONG, UNIT_BYTES_PER_SECOND, "x > 1kbps", "a rate: write 64kB/s" },
	{ OP_LONG, UNIT_BITS_PER_SECOND, "x > 1kB/s", "a rate: write 64kbps" },
	{ OP_LONG, UNIT_ADDRESS, "x = 7f00",
	  "an address: write 0x7f0012345678" },
	{ OP_LONG, UNIT_ADDRESS, "x = 0x", "an address: write 0x7f0012345678" },
	{ OP_LONG, UNIT_ADDRESS, "x = 0x12345678123456789",
	  "an address: write 0x7f0012345678" },
	{ OP_LONG, UNIT_ADDRESS, "x = 0x1 kB",
	  "an address: write 0x7f0012345678" },
	{ OP_INT, UNIT_FREQUENCY, "x > 2kiHz", "a frequency: write 2.4GHz" },
	{ OP_INT, UNIT_NONE, "x = five", "a number: write 20" },
	{ OP_INT, UNIT_NONE, "x = 5%", "a number: write 20" },
	{ OP_INT, UNIT_NONE, "x = 5ms", "a number: write 20" },
	{ OP_INT, UNIT_NONE, "x = 5 6", "a number: write 20" },
	{ OP_INT, UNIT_NONE, "x = ''", "a number: write 20" },
	{ OP_INT, UNIT_NONE, "x ~ 5", "patterns are for texts" },
	{ OP_DOUBLE, UNIT_NONE, "x = NaN", "a number: write 1.5" },
	{ OP_BOOLEAN, UNIT_NONE, "x = 1", "true or false: write = true" },
	{ OP_BOOLEAN, UNIT_NONE, "x < true", "true or false: write = true" },
	{ OP_NONE, UNIT_NONE, "x = y",
	  "it has fields of its own: write one of them behind a dot" },
};

Test(operand, tells_what_would_make_sense)
{
	for (size_t i = 0; i < COUNT(misfits); i++) {
		struct condition *condition = condition_new(str_of(misfits[i].text),
							    NULL);
		struct operand operand;
		const char *hint = "none";
		struct type type;
		struct field field = field_of(misfits[i].primitive, misfits[i].unit, false,
					      &type);

		cr_expect_not(
			operand_of(&operand, condition, &field, false, ZONE, &hint),
			"%s", misfits[i].text);
		cr_expect_str_eq(hint, misfits[i].hint, "%s: %s", misfits[i].text, hint);
		condition_free(condition);
	}
}

Test(operand, of_null_makes_sense_anywhere)
{
	static const enum op_kind kinds[] = { OP_NONE, OP_BOOLEAN, OP_CHAR,
					      OP_LONG, OP_DOUBLE,  OP_STRING };

	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct condition *condition = condition_new(STR("x = null"), NULL);
		struct value value = { .number = INT64_MIN };
		struct operand operand;
		const char *hint;
		struct type type;
		struct field field = field_of(kinds[i], UNIT_NONE, false, &type);

		cr_assert(operand_of(&operand, condition, &field, false, ZONE, &hint));
		cr_expect_eq(operand.kind, OPERAND_NULL);
		if (kinds[i] != OP_STRING)
			cr_expect_not(operand_takes_number(&operand, &field, &value,
							   &clock_of_two));
		condition_free(condition);
	}
}
