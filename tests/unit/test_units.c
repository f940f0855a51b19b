/* The expected texts are what JDK 25 prints; tests/oracle compares many more. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "jfr/units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void expect(struct buf *text, const char *expected)
{
	buf_byte(text, '\0');
	cr_expect_str_eq(text->bytes, expected);
	buf_clear(text);
}

static const struct {
	struct time span;
	const char *rounded, *exact, *iso;
} spans[] = {
	{ { 0, 0 }, "0 s", "0.000000000 s", "PT0S" },
	{ { 0, 1 }, "0.000001 ms", "0.000000001 s", "PT0.000000001S" },
	{ { 0, 999 }, "0.000999 ms", "0.000000999 s", "PT0.000000999S" },
	{ { 0, 1004 }, "0.00100 ms", "0.000001004 s", "PT0.000001004S" },
	{ { 0, 1005 }, "0.00101 ms", "0.000001005 s", "PT0.000001005S" },
	{ { 0, 9994 }, "0.00999 ms", "0.000009994 s", "PT0.000009994S" },
	{ { 0, 9995 }, "0.0100 ms", "0.000009995 s", "PT0.000009995S" },
	{ { 0, 99949 }, "0.0999 ms", "0.000099949 s", "PT0.000099949S" },
	{ { 0, 99950 }, "0.100 ms", "0.000099950 s", "PT0.00009995S" },
	{ { 0, 999499 }, "0.999 ms", "0.000999499 s", "PT0.000999499S" },
	{ { 0, 999500 }, "1.00 ms", "0.000999500 s", "PT0.0009995S" },
	{ { 0, 12345678 }, "12.3 ms", "0.012345678 s", "PT0.012345678S" },
	{ { 0, 99949999 }, "99.9 ms", "0.099949999 s", "PT0.099949999S" },
	{ { 0, 99950000 }, "100 ms", "0.099950000 s", "PT0.09995S" },
	{ { 0, 999499999 }, "999 ms", "0.999499999 s", "PT0.999499999S" },
	{ { 0, 999500000 }, "1.00 s", "0.999500000 s", "PT0.9995S" },
	{ { 1, 0 }, "1.00 s", "1.000000000 s", "PT1S" },
	{ { 1, 4999999 }, "1.00 s", "1.004999999 s", "PT1.004999999S" },
	{ { 1, 5000000 }, "1.01 s", "1.005000000 s", "PT1.005S" },
	{ { 9, 994999999 }, "9.99 s", "9.994999999 s", "PT9.994999999S" },
	{ { 9, 995000000 }, "10.0 s", "9.995000000 s", "PT9.995S" },
	{ { 12, 349999999 }, "12.3 s", "12.349999999 s", "PT12.349999999S" },
	{ { 12, 350000000 }, "12.4 s", "12.350000000 s", "PT12.35S" },
	{ { 59, 949999999 }, "59.9 s", "59.949999999 s", "PT59.949999999S" },
	{ { 59, 950000000 }, "1 m 0 s", "59.950000000 s", "PT59.95S" },
	{ { 60, 499999999 }, "1 m 0 s", "60.499999999 s", "PT1M0.499999999S" },
	{ { 60, 500000000 }, "1 m 1 s", "60.500000000 s", "PT1M0.5S" },
	{ { 3599, 499999999 }, "59 m 59 s", "3599.499999999 s", "PT59M59.499999999S" },
	{ { 3599, 500000000 }, "1 h 0 m", "3599.500000000 s", "PT59M59.5S" },
	{ { 3629, 999999999 }, "1 h 0 m", "3629.999999999 s", "PT1H29.999999999S" },
	{ { 3630, 0 }, "1 h 1 m", "3630.000000000 s", "PT1H30S" },
	{ { 86369, 999999999 },
	  "23 h 59 m", "86369.999999999 s", "PT23H59M29.999999999S" },
	{ { 86370, 0 }, "1 d 0 h", "86370.000000000 s", "PT23H59M30S" },
	{ { 88199, 999999999 },
	  "1 d 0 h", "88199.999999999 s", "PT24H29M59.999999999S" },
	{ { 88200, 0 }, "1 d 1 h", "88200.000000000 s", "PT24H30M" },
	{ { 8640000, 0 }, "100 d 0 h", "8640000.000000000 s", "PT2400H" },
	{ { -1, 999999999 }, "-0.000001 ms", "-0.000000001 s", "PT-0.000000001S" },
	{ { -2, 500000000 }, "-1.50 s", "-1.500000000 s", "PT-1.5S" },
	{ { -60, 50000000 }, "-1 m 0 s", "-59.950000000 s", "PT-59.95S" },
	{ { -62, 500000000 }, "-1 m 2 s", "-61.500000000 s", "PT-1M-1.5S" },
	{ { -3661, 0 }, "-1 h 1 m", "-3661.000000000 s", "PT-1H-1M-1S" },
	{ TIME_MISSING, "N/A", "N/A", "PT-2562047788015215H-30M-8S" },
	{ TIME_FOREVER, "Forever", "Forever", "PT2562047788015215H30M7.999999999S" },
};

Test(units, tell_a_timespan)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(spans); i++) {
		units_timespan(&text, spans[i].span, false);
		expect(&text, spans[i].rounded);
		units_timespan(&text, spans[i].span, true);
		expect(&text, spans[i].exact);
		units_iso_timespan(&text, spans[i].span);
		expect(&text, spans[i].iso);
	}
}

/* It is rounded to three digits before. */
Test(units, tell_a_timespan_with_so_many_places)
{
	static const struct {
		struct time span;
		int places;
		const char *text;
	} samples[] = {
		{ { 0, 12345678 }, -1, "12.3 ms" },
		{ { 0, 12345678 }, 0, "12 ms" },
		{ { 0, 12345678 }, 1, "12.3 ms" },
		{ { 0, 12345678 }, 3, "12.300 ms" },
		{ { 0, 12345678 }, 6, "12.300000 ms" },
		{ { 0, 12345678 }, 8, "12.30000000 ms" },
		{ { 0, 999 }, 0, "0 ms" },
		{ { 0, 999 }, 2, "0.00 ms" },
		{ { 0, 999 }, 3, "0.001 ms" },
		{ { 0, 999 }, 8, "0.00099900 ms" },
		{ { 0, 1500 }, 2, "0.00 ms" },
		{ { 0, 1500 }, 3, "0.002 ms" },
		{ { 0, 999499 }, 0, "1 ms" },
		{ { 0, 999499 }, 3, "0.999 ms" },
		{ { 0, 999500 }, 3, "1.000 ms" },
		{ { 0, 999499999 }, 1, "999.0 ms" },
		{ { 0, 999500000 }, 1, "1.00 s" },
		{ { 1, 5000000 }, 3, "1.01 s" },
		{ { 75, 0 }, 3, "1 m 15 s" },
		{ { 0, 0 }, 3, "0 s" },
		{ { -1, 999987654 }, 0, "-0 ms" },
		{ { -1, 999987654 }, 6, "-0.012300 ms" },
		{ TIME_MISSING, 3, "N/A" },
		{ TIME_FOREVER, 3, "Forever" },
	};
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(samples); i++) {
		units_timespan_fixed(&text, samples[i].span, samples[i].places);
		expect(&text, samples[i].text);
	}
}

Test(units, tell_a_time_of_day)
{
	struct buf text = { .bytes = NULL };

	units_time_of_day(&text, (struct time){ 1764446399, 999999999 }, 0);
	expect(&text, "19:59:59");
	units_time_of_day(&text, (struct time){ 1764446399, 0 }, 5 * 3600 + 1800);
	expect(&text, "01:29:59");
	units_time_of_day(&text, (struct time){ -1, 0 }, 0);
	expect(&text, "23:59:59");
	units_time_of_day(&text, TIME_MISSING, 0);
	expect(&text, "N/A");
}

/* From 2^23 seconds on doubles are coarser than nanoseconds, and it shows. */
static const struct {
	struct time span;
	const char *exact;
} long_spans[] = {
	{ { 8388607, 999999999 }, "8388607.999999999 s" },
	{ { 8388608, 1 }, "8388608.000000002 s" },
	{ { 8388608, 3 }, "8388608.000000004 s" },
	{ { -8388609, 1 }, "-8388608.999999998 s" },
	{ { 12345678, 123456789 }, "12345678.123456787 s" },
	{ { 1796000000, 123456789 }, "1796000000.123456700 s" },
	{ { 9223372036, 854775807 }, "9223372036.854776000 s" },
	{ { -9223372037, 145224192 }, "-9223372036.854776000 s" },
	/* more nanoseconds than 64 bits hold: the JDK fails */
	{ { 9223372036, 854775808 }, "9223372036.854775808 s" },
	{ { -9223372037, 145224191 }, "-9223372036.854775809 s" },
	{ { 1000000000000, 5 }, "1000000000000.000000005 s" },
	{ { INT64_MIN, 1 }, "-9223372036854775807.999999999 s" },
};

Test(units, tell_a_long_timespan_exactly)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(long_spans); i++) {
		units_timespan(&text, long_spans[i].span, true);
		expect(&text, long_spans[i].exact);
	}
}

Test(units, round_the_longest_timespans)
{
	struct buf text = { .bytes = NULL };

	units_timespan(&text, (struct time){ 9223372036854774007, 0 }, false);
	expect(&text, "106751991167300 d 15 h");
	units_timespan(&text, (struct time){ -9223372036854774007, 0 }, false);
	expect(&text, "-106751991167300 d 15 h");
	/* from here on the JDK fails */
	units_timespan(&text, (struct time){ INT64_MAX, 0 }, false);
	expect(&text, "106751991167300 d 16 h");
	units_timespan(&text, (struct time){ INT64_MIN, 1 }, false);
	expect(&text, "-106751991167300 d 16 h");
}

static const struct {
	struct time when;
	int zone;
	const char *rounded, *exact, *iso;
} timestamps[] = {
	{ { 0, 0 }, 0, "00:00:00.000 (1970-01-01)",
	  "00:00:00.000000000 (1970-01-01)", "1970-01-01T00:00Z" },
	{ { -1, 999999999 }, 0, "23:59:59.999 (1969-12-31)",
	  "23:59:59.999999999 (1969-12-31)", "1969-12-31T23:59:59.999999999Z" },
	{ { 0, 500000000 }, 64800, "18:00:00.500 (1970-01-01)",
	  "18:00:00.500000000 (1970-01-01)", "1970-01-01T18:00:00.500+18:00" },
	{ { 1796063519, 123456789 }, 19800, "00:01:59.123 (2026-12-01)",
	  "00:01:59.123456789 (2026-12-01)", "2026-12-01T00:01:59.123456789+05:30" },
	{ { 1796063519, 123456000 }, -12600, "15:01:59.123 (2026-11-30)",
	  "15:01:59.123456000 (2026-11-30)", "2026-11-30T15:01:59.123456-03:30" },
	{ { 1796063519, 123000000 }, -3661, "17:30:58.123 (2026-11-30)",
	  "17:30:58.123000000 (2026-11-30)", "2026-11-30T17:30:58.123-01:01:01" },
	{ { 1796063460, 1 }, 0, "18:31:00.000 (2026-11-30)",
	  "18:31:00.000000001 (2026-11-30)", "2026-11-30T18:31:00.000000001Z" },
	{ { 253402300799, 0 }, 0, "23:59:59.000 (9999-12-31)",
	  "23:59:59.000000000 (9999-12-31)", "9999-12-31T23:59:59Z" },
	{ { 253402300800, 0 }, 0, "00:00:00.000 (+10000-01-01)",
	  "00:00:00.000000000 (+10000-01-01)", "+10000-01-01T00:00Z" },
	{ { -62135596801, 0 }, 0, "23:59:59.000 (0001-12-31)",
	  "23:59:59.000000000 (0001-12-31)", "0000-12-31T23:59:59Z" },
	{ { -62167219201, 0 }, 0, "23:59:59.000 (0002-12-31)",
	  "23:59:59.000000000 (0002-12-31)", "-0001-12-31T23:59:59Z" },
	{ { -377705116801, 0 }, 0, "23:59:59.000 (+10001-12-31)",
	  "23:59:59.000000000 (+10001-12-31)", "-10000-12-31T23:59:59Z" },
	{ { 9223372036854775, 807000000 }, 0, "07:12:55.807 (+292278994-08-17)",
	  "07:12:55.807000000 (+292278994-08-17)", "+292278994-08-17T07:12:55.807Z" },
	{ { -9223372036854776, 192000000 }, 0, "16:47:04.192 (+292275056-05-16)",
	  "16:47:04.192000000 (+292275056-05-16)", "-292275055-05-16T16:47:04.192Z" },
	{ TIME_MISSING, 3600, "N/A", "N/A", "-999999999-01-01T00:00+18:00" },
};

Test(units, tell_a_timestamp)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(timestamps); i++) {
		units_timestamp(&text, timestamps[i].when, timestamps[i].zone, false);
		expect(&text, timestamps[i].rounded);
		units_timestamp(&text, timestamps[i].when, timestamps[i].zone, true);
		expect(&text, timestamps[i].exact);
		units_iso_timestamp(&text, timestamps[i].when, timestamps[i].zone);
		expect(&text, timestamps[i].iso);
	}
}

Test(units, tell_a_timestamp_with_all_its_decimals)
{
	struct buf text = { .bytes = NULL };

	units_iso_exact(&text, (struct time){ 0, 0 }, 0);
	expect(&text, "1970-01-01T00:00:00.000000000Z");
	units_iso_exact(&text, (struct time){ 1796063519, 123000000 }, -12600);
	expect(&text, "2026-11-30T15:01:59.123000000-03:30");
	units_iso_exact(&text, (struct time){ 253402300800, 1 }, 0);
	expect(&text, "+10000-01-01T00:00:00.000000001Z");
}

/* The zone of this machine, set as one that needs no files. */
static void set_zone(const char *zone)
{
	cr_assert(setenv("TZ", zone, 1) == 0);
	tzset();
}

static void expect_local(int64_t seconds, const char *expected)
{
	struct buf text = { .bytes = NULL };

	units_iso_timestamp(&text, (struct time){ seconds, 0 }, CLOCK_ZONE_LOCAL);
	expect(&text, expected);
}

Test(units, know_the_zone_of_this_machine_at_any_time)
{
	set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	expect_local(1774745999, "2026-03-29T01:59:59+01:00");
	expect_local(1774746000, "2026-03-29T03:00+02:00");
	expect_local(1774745999, "2026-03-29T01:59:59+01:00");
	expect_local(1792889999, "2026-10-25T02:59:59+02:00");
	expect_local(1792890000, "2026-10-25T02:00+01:00");
	expect_local(-1, "1970-01-01T00:59:59+01:00");
	expect_local(INT64_MAX / 1000, "+292278994-08-17T08:12:55+01:00");
	expect_local(INT64_MIN / 2, "-146138510344-07-14T16:14:56Z"); /* beyond libc */
}

/* Summer begins a minute after midnight, as it did in Newfoundland. */
Test(units, know_zones_that_change_at_any_minute)
{
	struct buf text = { .bytes = NULL };

	set_zone("NST3:30NDT,M3.2.0/0:01,M11.1.0/0:01");
	expect_local(1772940659, "2026-03-08T00:00:59-03:30");
	expect_local(1772940660, "2026-03-08T01:01-02:30");
	units_timestamp(&text, (struct time){ 1772940659, 1 }, CLOCK_ZONE_LOCAL, false);
	expect(&text, "00:00:59.000 (2026-03-08)");
	units_timestamp(&text, (struct time){ 1772940660, 1 }, CLOCK_ZONE_LOCAL, true);
	expect(&text, "01:01:00.000000001 (2026-03-08)");
	units_iso_exact(&text, (struct time){ 1772940660, 1 }, CLOCK_ZONE_LOCAL);
	expect(&text, "2026-03-08T01:01:00.000000001-02:30");
	units_iso_timestamp(&text, TIME_MISSING, CLOCK_ZONE_LOCAL);
	expect(&text, "-999999999-01-01T00:00+18:00");
}

static const struct {
	int64_t seconds;
	const char *text;
} dates[] = {
	{ 0, "1970-01-01 00:00:00" },
	{ -1, "1969-12-31 23:59:59" },
	{ 951782400, "2000-02-29 00:00:00" },
	{ 951868800, "2000-03-01 00:00:00" },
	{ 1230767999, "2008-12-31 23:59:59" },
	{ 1230768000, "2009-01-01 00:00:00" },
	{ 4107542399, "2100-02-28 23:59:59" },
	{ 4107542400, "2100-03-01 00:00:00" },
	{ 13574563200, "2400-02-29 00:00:00" },
	{ -9223372037, "1677-09-21 00:12:43" },
	{ 9223372036, "2262-04-11 23:47:16" },
};

Test(units, tell_a_date)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(dates); i++) {
		units_date(&text, (struct time){ dates[i].seconds, 999999999 });
		expect(&text, dates[i].text);
	}
}

Test(units, survive_any_timestamp)
{
	struct buf text = { .bytes = NULL };

	units_timestamp(&text, TIME_FOREVER, 64800, true);
	units_iso_timestamp(&text, TIME_FOREVER, 64800);
	units_timestamp(&text, (struct time){ INT64_MIN, 1 }, -64800, true);
	units_date(&text, (struct time){ INT64_MIN, 1 });
	cr_expect(!text.failed);
	buf_clear(&text);
}

static const struct {
	double fraction;
	const char *rounded, *exact;
} percentages[] = {
	{ 0.0, "0.00%", "0.000000000%" },
	{ 1.0, "100.00%", "100.000000000%" },
	{ 0.12345, "12.35%", "12.345000000%" },
	{ 0.00005, "0.01%", "0.005000000%" },
	{ -0.00001, "-0.00%", "-0.001000000%" },
	{ 0.9999499999, "99.99%", "99.994999990%" },
	{ 0.99995, "100.00%", "99.995000000%" },
	{ 123456.789, "12345678.90%", "12345678.900000000%" },
	{ INFINITY, "Infinity%", "Infinity%" },
};

Test(units, tell_a_percentage)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(percentages); i++) {
		units_percentage(&text, percentages[i].fraction, false);
		expect(&text, percentages[i].rounded);
		units_percentage(&text, percentages[i].fraction, true);
		expect(&text, percentages[i].exact);
	}
}

static const struct {
	int64_t amount;
	const char *bytes, *bits, *bytes_per_second, *bits_per_second;
} amounts[] = {
	{ 0, "0 bytes", "0 bits", "0 byte/s", "0 bps" },
	{ 1, "1 byte", "1 bit", "1 byte/s", "1 bps" },
	{ -1, "-1 byte", "-1 bit", "-1 byte/s", "-1 bps" },
	{ -5, "-5 bytes", "-5 bits", "-5 byte/s", "-5 bps" },
	{ 1023, "1023 bytes", "1023 bits", "1023 byte/s", "1023 bps" },
	{ 1024, "1.0 kB", "1.0 kbit", "1.0 kB/s", "1.0 kbps" },
	{ 1075, "1.0 kB", "1.0 kbit", "1.0 kB/s", "1.0 kbps" },
	{ 1076, "1.1 kB", "1.1 kbit", "1.1 kB/s", "1.1 kbps" },
	{ -1024, "-1.0 kB", "-1.0 kbit", "-1.0 kB/s", "-1.0 kbps" },
	{ 1048575, "1024.0 kB", "1024.0 kbit", "1024.0 kB/s", "1024.0 kbps" },
	{ 1048576, "1.0 MB", "1.0 Mbit", "1.0 MB/s", "1.0 Mbps" },
	{ 123456789, "117.7 MB", "117.7 Mbit", "117.7 MB/s", "117.7 Mbps" },
	{ 1099511627775, "1024.0 GB", "1024.0 Gbit", "1024.0 GB/s", "1024.0 Gbps" },
	{ 1125899906842620, "1024.0 TB", "1024.0 Tbit", "1024.0 TB/s", "1024.0 Tbps" },
	{ 1125899906842621, "1.0 PB", "1.0 Pbit", "1.0 PB/s", "1.0 Pbps" },
	{ 1152921504606840767,
	  "1024.0 PB", "1024.0 Pbit", "1024.0 PB/s", "1024.0 Pbps" },
	{ 1152921504606840768, "1.0 EB", "1.0 Ebit", "1.0 EB/s", "1.0 Ebps" },
	{ INT64_MAX, "8.0 EB", "8.0 Ebit", "8.0 EB/s", "8.0 Ebps" },
	{ -INT64_MAX, "-8.0 EB", "-8.0 Ebit", "-8.0 EB/s", "-8.0 Ebps" },
	{ INT64_MIN, "N/A", "N/A", "N/A", "N/A" },
};

Test(units, scale_an_amount)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(amounts); i++) {
		units_amount(&text, amounts[i].amount, AMOUNT_BYTES, false);
		expect(&text, amounts[i].bytes);
		units_amount(&text, amounts[i].amount, AMOUNT_BITS, false);
		expect(&text, amounts[i].bits);
		units_amount(&text, amounts[i].amount, AMOUNT_BYTES_PER_SECOND, false);
		expect(&text, amounts[i].bytes_per_second);
		units_amount(&text, amounts[i].amount, AMOUNT_BITS_PER_SECOND, false);
		expect(&text, amounts[i].bits_per_second);
	}
}

static const struct {
	int64_t amount;
	enum amount_unit unit;
	const char *text;
} exact_amounts[] = {
	{ 0, AMOUNT_BYTES, "0 byte" },
	{ 1, AMOUNT_BYTES, "1 byte" },
	{ -5, AMOUNT_BYTES, "-5 byte" },
	{ 2, AMOUNT_BYTES, "2 bytes" },
	{ 1048576, AMOUNT_BITS, "1048576 bits" },
	{ 1, AMOUNT_BYTES_PER_SECOND, "1 byte/s" },
	{ 1500, AMOUNT_BYTES_PER_SECOND, "1500 bytes/s" },
	{ -1024, AMOUNT_BITS_PER_SECOND, "-1024 bit/s" },
	{ 77, AMOUNT_BITS_PER_SECOND, "77 bits/s" },
	{ INT64_MIN, AMOUNT_BYTES, "-9223372036854775808 byte" },
};

Test(units, tell_an_exact_amount)
{
	struct buf text = { .bytes = NULL };

	for (size_t i = 0; i < COUNT(exact_amounts); i++) {
		units_amount(&text, exact_amounts[i].amount, exact_amounts[i].unit,
			     true);
		expect(&text, exact_amounts[i].text);
	}
}

Test(units, give_an_address_eight_digits_or_more)
{
	struct buf text = { .bytes = NULL };

	units_address(&text, 0);
	expect(&text, "0x00000000");
	units_address(&text, 0x7f00aa00);
	expect(&text, "0x7F00AA00");
	units_address(&text, 0x123456789);
	expect(&text, "0x123456789");
	units_address(&text, UINT64_MAX);
	expect(&text, "0xFFFFFFFFFFFFFFFF");
}
