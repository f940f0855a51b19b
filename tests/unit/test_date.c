#include <criterion/criterion.h>
#include <stdio.h>

#include "base/date.h"
#include "jfr/units.h"

#define MINUTE (60 * DATE_SECOND)

/* 2026-11-29T00:00:00Z and 22:06:54 as seconds. */
#define MIDNIGHT INT64_C(1795910400)
#define EVENING (INT64_C(22) * 3600 + 6 * 60 + 54)

static const struct {
	const char *text;
	enum date_kind kind;
	int64_t seconds, nanos, precision;
} good[] = {
	{ "2026-11-29T22:06:54.734326392Z", DATE_UTC, MIDNIGHT + EVENING, 734326392,
	  1 },
	{ "2026-11-29t22:06:54z", DATE_UTC, MIDNIGHT + EVENING, 0, DATE_SECOND },
	{ "2026-11-29 22:06:54 +01:00", DATE_UTC, MIDNIGHT + EVENING - 3600, 0,
	  DATE_SECOND },
	{ "2026-11-29T22:06:54+0100", DATE_UTC, MIDNIGHT + EVENING - 3600, 0,
	  DATE_SECOND },
	{ "2026-11-29T22:06:54+01", DATE_UTC, MIDNIGHT + EVENING - 3600, 0,
	  DATE_SECOND },
	{ "2026-11-29T22:06-03:30", DATE_UTC, MIDNIGHT + EVENING - 54 + 12600, 0,
	  MINUTE },
	{ "2026-11-29T22:06:54-01:01:01", DATE_UTC, MIDNIGHT + EVENING + 3661, 0,
	  DATE_SECOND },
	{ "2026-11-29T22:06:54+18:00", DATE_UTC, MIDNIGHT + EVENING - 64800, 0,
	  DATE_SECOND },
	{ "2026-11-29T22:06:54.5", DATE_LOCAL, MIDNIGHT + EVENING, 500000000,
	  DATE_SECOND / 10 },
	{ "2026-11-29T22:06", DATE_LOCAL, MIDNIGHT + EVENING - 54, 0, MINUTE },
	{ "2026-11-29  22:06", DATE_LOCAL, MIDNIGHT + EVENING - 54, 0, MINUTE },
	{ " 2026-11-29 ", DATE_LOCAL, MIDNIGHT, 0, DATE_DAY },
	{ "22:06", DATE_OF_DAY, EVENING - 54, 0, MINUTE },
	{ "22:06:54.734", DATE_OF_DAY, EVENING, 734000000, 1000000 },
	{ "00:00", DATE_OF_DAY, 0, 0, MINUTE },
	{ "23:59:59.9999999999999", DATE_OF_DAY, 86399, 999999999, 1 },
	{ "22:06:54.734 (2026-11-29)", DATE_LOCAL, MIDNIGHT + EVENING, 734000000,
	  1000000 },
	{ "22:06:54.734326392 (2026-11-29)", DATE_LOCAL, MIDNIGHT + EVENING, 734326392,
	  1 },
	{ "1970-01-01", DATE_LOCAL, 0, 0, DATE_DAY },
	{ "1969-12-31T23:59:59.999999999Z", DATE_UTC, -1, 999999999, 1 },
	{ "2024-02-29", DATE_LOCAL, 1709164800, 0, DATE_DAY },
	{ "2000-02-29", DATE_LOCAL, 951782400, 0, DATE_DAY },
	{ "2262-04-11T23:47:16.854775807Z", DATE_UTC, 9223372036, 854775807, 1 },
	{ "1677-09-21T00:12:43.145224192Z", DATE_UTC, -9223372037, 145224192, 1 },
};

Test(date, is_read)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		__int128 nanos = (__int128)good[i].seconds * DATE_SECOND +
				 good[i].nanos;
		struct err err = { 0 };
		struct date date;

		cr_assert(date_is_meant(str_of(good[i].text)), "%s", good[i].text);
		cr_assert(date_parse(str_of(good[i].text), &date, &err), "%s: %s",
			  good[i].text, err.text);
		cr_expect_eq(date.kind, good[i].kind, "%s", good[i].text);
		cr_expect_eq(date.nanos, (int64_t)nanos, "%s: %lld", good[i].text,
			     (long long)date.nanos);
		cr_expect_eq(date.precision, good[i].precision, "%s", good[i].text);
	}
}

#define NO_POINT                                                               \
	"is no point in time; write 2026-11-29T22:06:54Z, 2026-11-29 22:06 or 22:06:54"
#define NO_DAY "has a day that its month does not have"
#define NO_TIME "has a time that no day has; that is 00:00:00 to 23:59:59"
#define NO_END "does not end where a point in time does"
#define NO_ZONE "has a zone that is not within 18 hours of UTC"
#define NO_REACH "is too far away; times are from 1678 to 2261"

static const struct {
	const char *text, *why;
} bad[] = {
	{ "", NO_POINT },
	{ "today", NO_POINT },
	{ "2026", NO_POINT },
	{ "2026-11", NO_POINT },
	{ "2026-1-2", NO_POINT },
	{ "20261129", NO_POINT },
	{ "2026-11-29T", NO_POINT },
	{ "2026-11-29T22", NO_POINT },
	{ "2026-11-29T22:6", NO_POINT },
	{ "2026-11-29T22:06:5", NO_POINT },
	{ "2026-11-29T22:06:54.", NO_POINT },
	{ "2026-11-29T22:06:54,5", NO_POINT },
	{ "2026-11-29x22:06", NO_POINT },
	{ "2026-11-29T22:06 CET", NO_POINT },
	{ "2026-11-29T22:06+1", NO_POINT },
	{ "2026-11-29T22:06+01:", NO_POINT },
	{ "22:06:54 (2026-11-29", NO_POINT },
	{ "22:06:54 (today)", NO_POINT },
	{ "+2026-11-29", NO_POINT },
	{ "2:06", NO_POINT },
	{ "22:06Z", NO_END },
	{ "22:06:54 (2026-11-29) Z", NO_END },
	{ "2026-11-29T22:06ZZ", NO_END },
	{ "2026-11-29T22:06+01:00:00:00", NO_END },
	{ "0000-01-01", "has no year; the first one is 0001" },
	{ "0000-00-00", "has no year; the first one is 0001" },
	{ "2026-00-10", "has no month; that is 01 to 12" },
	{ "2026-13-10", "has no month; that is 01 to 12" },
	{ "2026-02-30", NO_DAY },
	{ "2026-02-29", NO_DAY },
	{ "1900-02-29", NO_DAY },
	{ "2026-04-31", NO_DAY },
	{ "2026-04-00", NO_DAY },
	{ "2026-11-29T24:00", NO_TIME },
	{ "2026-11-29T22:60", NO_TIME },
	{ "22:06:60", NO_TIME },
	{ "2026-11-29T22:06+18:00:01", NO_ZONE },
	{ "2026-11-29T22:06-19", NO_ZONE },
	{ "2026-11-29T22:06+01:60", NO_ZONE },
	{ "2026-11-29T22:06+01:00:60", NO_ZONE },
	{ "0001-01-01", NO_REACH },
	{ "9999-12-31", NO_REACH },
	{ "2262-04-11T23:47:16.854775808Z", NO_REACH },
	{ "1677-09-21T00:12:43.145224191Z", NO_REACH },
};

Test(date, that_is_none_is_told)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { 0 };
		struct date date;
		char text[200];

		snprintf(text, sizeof(text), "'%s' %s", bad[i].text, bad[i].why);
		cr_expect_not(date_parse(str_of(bad[i].text), &date, &err), "%s",
			      bad[i].text);
		cr_expect_eq(err.kind, ERR_USAGE);
		cr_expect_str_eq(err.text, text);
	}
}

Test(date, looks_like_none_where_a_length_is_meant)
{
	static const char *const lengths[] = { "30s", "-30s", "1h30m", "PT1H",
					       "90",  "",     "abc" };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		cr_expect_not(date_is_meant(str_of(lengths[i])), "%s", lengths[i]);
	cr_expect(date_is_meant(STR("2026-02-30")));
	cr_expect(date_is_meant(STR("22:6")));
}

/* Days one after the other, over all years that there are. */
Test(date, counts_days)
{
	int64_t expected = date_days(1, 1, 1);

	for (int year = 1; year <= 9999; year++) {
		bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

		cr_assert_eq(date_days(year, 1, 1), expected, "%d", year);
		cr_assert_eq(date_days(year, 3, 1), expected + 59 + is_leap, "%d",
			     year);
		cr_assert_eq(date_days(year, 12, 31), expected + 364 + is_leap, "%d",
			     year);
		expected += 365 + is_leap;
	}
	cr_expect_eq(date_days(1970, 1, 1), 0);
	cr_expect_eq(date_days(2000, 3, 1), 11017);
}

static struct date read_back(const struct buf *text)
{
	struct err err = { 0 };
	struct date date = { 0 };

	cr_expect(date_parse((struct str){ text->bytes, text->size }, &date, &err),
		  "%s", err.text);
	return date;
}

Test(date, is_what_print_shows)
{
	static const int zones[] = { 0, 3600, -12600, 64800, -3661 };
	struct buf text = { 0 };

	for (int64_t i = -9200; i < 9200; i += 7) {
		int64_t nanos = i * INT64_C(1000000123456789);
		int zone = zones[(size_t)(i + 9200) % 5];
		struct time time = time_of_nanos(nanos);

		buf_reset(&text);
		units_iso_timestamp(&text, time, zone);
		cr_assert_eq(read_back(&text).kind, DATE_UTC);
		cr_assert_eq(read_back(&text).nanos, nanos, "%.*s", (int)text.size,
			     text.bytes);
		buf_reset(&text);
		units_timestamp(&text, time, zone, true);
		cr_assert_eq(read_back(&text).kind, DATE_LOCAL);
		cr_assert_eq(read_back(&text).nanos, nanos + zone * DATE_SECOND, "%.*s",
			     (int)text.size, text.bytes);
	}
	buf_clear(&text);
}
