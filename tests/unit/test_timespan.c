#include <criterion/criterion.h>

#include "base/timespan.h"
#include "jfr/units.h"

#define MILLI INT64_C(1000000)
#define SECOND (1000 * MILLI)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

static const struct {
	const char *text;
	int64_t nanos;
} good[] = {
	{ "20ms", 20 * MILLI },
	{ "20 ms", 20 * MILLI },
	{ "  20  ms  ", 20 * MILLI },
	{ "1h30m", HOUR + 30 * MINUTE },
	{ "1 h 30 m", HOUR + 30 * MINUTE },
	{ "1h 30min", HOUR + 30 * MINUTE },
	{ "1.5s", 3 * SECOND / 2 },
	{ ".5s", SECOND / 2 },
	{ "1e3s", 1000 * SECOND },
	{ "500us", 500000 },
	{ "500\xc2\xb5s", 500000 },
	{ "500\xce\xbcs", 500000 },
	{ "10ns", 10 },
	{ "2d", 2 * DAY },
	{ "1m", MINUTE },
	{ "3 d 4 h", 3 * DAY + 4 * HOUR },
	{ "1d2h3m4s5ms6us7ns", DAY + 2 * HOUR + 3 * MINUTE + 4 * SECOND + 5006007 },
	{ "0", 0 },
	{ "0.0", 0 },
	{ "-0", 0 },
	{ "0s", 0 },
	{ "0.9ns", 0 },
	{ "1.9999999999s", 1999999999 },
	{ "-30s", -30 * SECOND },
	{ "-1h30m", -HOUR - 30 * MINUTE },
	{ "0.000999 ms", 999 },
	{ "12.3 ms", 12300000 },
	{ "1 m 5 s", MINUTE + 5 * SECOND },
	{ "9223372036854775807ns", INT64_MAX },
	{ "-9223372036854775808ns", INT64_MIN },
	{ "106751d", 106751 * DAY },
	{ "PT1M30.5S", 90 * SECOND + SECOND / 2 },
	{ "pt1m30.5s", 90 * SECOND + SECOND / 2 },
	{ "PT0S", 0 },
	{ "P2D", 2 * DAY },
	{ "P1DT2H", DAY + 2 * HOUR },
	{ "PT1H", HOUR },
	{ "PT-1H-1M-1.5S", -HOUR - MINUTE - 3 * SECOND / 2 },
	{ "-PT1H", -HOUR },
	{ "-PT-1H", HOUR },
	{ "PT-0.000000001S", -1 },
};

Test(timespan, is_read)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct err err = { 0 };
		int64_t nanos;

		cr_assert(timespan_parse(str_of(good[i].text), &nanos, NULL, &err),
			  "%s: %s", good[i].text, err.text);
		cr_expect_eq(nanos, good[i].nanos, "%s: %lld", good[i].text,
			     (long long)nanos);
	}
}

static const struct {
	const char *text, *why;
} bad[] = {
	{ "", "a length of time is empty; write 20ms, 1.5s or 1h30m" },
	{ "  ", "a length of time is empty; write 20ms, 1.5s or 1h30m" },
	{ "90", "90 has no unit; write 90ms or 90s" },
	{ "-90", "90 has no unit; write 90ms or 90s" },
	{ "1h30", "30 has no unit; write 30ms or 30s" },
	{ "0 0", "0 has no unit; write 0ms or 0s" },
	{ "1h0", "0 has no unit; write 0ms or 0s" },
	{ "5 seconds",
	  "'5 seconds' has a unit that is none of d, h, m, s, ms, us, ns" },
	{ "5S", "'5S' has a unit that is none of d, h, m, s, ms, us, ns" },
	{ "soon", "'soon' is no length of time; write 20ms, 1.5s or 1h30m" },
	{ "--5s", "'--5s' is no length of time; write 20ms, 1.5s or 1h30m" },
	{ "1h-5m", "'1h-5m' is no length of time; write 20ms, 1.5s or 1h30m" },
	{ "1s,", "'1s,' is no length of time; write 20ms, 1.5s or 1h30m" },
	{ "30m1h",
	  "'30m1h' has its units in no order; the largest goes first, as in 1h30m" },
	{ "1s1s",
	  "'1s1s' has its units in no order; the largest goes first, as in 1h30m" },
	{ "1m1min",
	  "'1m1min' has its units in no order; the largest goes first, as in 1h30m" },
	{ "9223372036854775808ns", "'9223372036854775808ns' is longer than 292 years" },
	{ "-9223372036854775809ns",
	  "'-9223372036854775809ns' is longer than 292 years" },
	{ "106752d", "'106752d' is longer than 292 years" },
	{ "1e999d", "'1e999d' is longer than 292 years" },
	{ "P", "'P' is no length of time of ISO 8601; write PT1H30M or PT1.5S" },
	{ "PT", "'PT' is no length of time of ISO 8601; write PT1H30M or PT1.5S" },
	{ "P1DT", "'P1DT' is no length of time of ISO 8601; write PT1H30M or PT1.5S" },
	{ "PT1", "'PT1' is no length of time of ISO 8601; write PT1H30M or PT1.5S" },
	{ "P1H", "'P1H' is no length of time of ISO 8601; write PT1H30M or PT1.5S" },
	{ "PT1D", "'PT1D' is no length of time of ISO 8601; write PT1H30M or PT1.5S" },
	{ "PT1H1H",
	  "'PT1H1H' has its units in no order; the largest goes first, as in 1h30m" },
};

Test(timespan, that_is_none_is_told)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { 0 };
		int64_t nanos;

		cr_expect_not(timespan_parse(str_of(bad[i].text), &nanos, NULL, &err),
			      "%s", bad[i].text);
		cr_expect_eq(err.kind, ERR_USAGE);
		cr_expect_str_eq(err.text, bad[i].why);
	}
}

Test(timespan, tells_of_its_minus)
{
	static const struct {
		const char *text;
		bool is_negative;
	} signs[] = {
		{ "30s", false }, { "-30s", true }, { "-0s", true }, { "-0", true },
		{ "PT-1S", false }, { "-PT1S", true },
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		bool is_negative;
		int64_t nanos;

		cr_assert(timespan_parse(str_of(signs[i].text), &nanos, &is_negative,
					 NULL));
		cr_expect_eq(is_negative, signs[i].is_negative, "%s", signs[i].text);
	}
}

static int64_t read_back(const struct buf *text)
{
	struct err err = { 0 };
	int64_t nanos = 0;

	cr_expect(timespan_parse((struct str){ text->bytes, text->size }, &nanos, NULL,
				 &err),
		  "%s", err.text);
	return nanos;
}

/* What print shows of lengths of all sizes, which it rounds to three digits or so. */
Test(timespan, is_what_print_shows)
{
	struct buf text = { 0 };

	for (int64_t nanos = 1; nanos < INT64_MAX / 3; nanos += nanos / 3 + 1) {
		int64_t lengths[] = { nanos, -nanos };

		for (size_t i = 0; i < 2; i++) {
			struct time time = time_of_nanos(lengths[i]);
			int64_t shown;

			buf_reset(&text);
			units_iso_timespan(&text, time);
			cr_expect_eq(read_back(&text), lengths[i]);
			buf_reset(&text);
			units_timespan(&text, time, false);
			shown = read_back(&text);
			cr_expect_leq(llabs(shown - lengths[i]), nanos / 24 + 1,
				      "%lld: %.*s", (long long)lengths[i],
				      (int)text.size, text.bytes);
			buf_reset(&text);
			units_timespan(&text, time, true);
			if (nanos < (INT64_C(1) << 23) * SECOND)
				cr_expect_eq(read_back(&text), lengths[i]);
		}
	}
	buf_clear(&text);
}
