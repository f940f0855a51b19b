#include "base/date.h"

/* So much of a text is repeated in a message. */
#define SHOWN_MAX 60

#define DAYS_TO_1970 719162	/* from the first day of the year 1 */
#define ZONE_MAX (18 * 3600)

/* A text as it is read, and what was read. */
struct reading {
	struct str whole, rest;
	bool has_day, has_zone;
	int year, month, day;
	int hour, minute, second;
	int64_t nanos;			/* of the second */
	int64_t precision;
	int zone_hour, zone_minute, zone_second;
	int zone_sign;			/* -1: west of UTC */
	struct err *err;
};

static bool fail(const struct reading *reading, const char *why)
{
	struct str shown = str_front(reading->whole, SHOWN_MAX);

	return err_set(reading->err, ERR_USAGE, "'%.*s' %s", (int)shown.size,
		       shown.bytes, why);
}

static bool skip_any(struct str *text, const char *bytes)
{
	if (!text->size || !*text->bytes || !strchr(bytes, *text->bytes))
		return false;
	text->bytes++;
	text->size--;
	return true;
}

static void skip_blanks(struct str *text)
{
	while (skip_any(text, " "))
		;
}

static bool starts_with_digits(struct str text, size_t count)
{
	if (text.size < count)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (text.bytes[i] < '0' || text.bytes[i] > '9')
			return false;
	}
	return true;
}

/* Exactly so many digits; what follows is for others to look at. */
static bool take_digits(struct str *text, size_t count, int *number)
{
	if (!starts_with_digits(*text, count))
		return false;
	*number = 0;
	for (size_t i = 0; i < count; i++)
		*number = *number * 10 + (text->bytes[i] - '0');
	text->bytes += count;
	text->size -= count;
	return true;
}

static bool year_is_leap(int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int month_days(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	return days[month - 1] + (month == 2 && year_is_leap(year));
}

int64_t date_days(int year, int month, int day)
{
	int64_t before = year - 1;
	int64_t days = before * 365 + before / 4 - before / 100 + before / 400;

	for (int earlier = 1; earlier < month; earlier++)
		days += month_days(year, earlier);
	return days + day - 1 - DAYS_TO_1970;
}

/* "2026-11-29" */
static bool read_day(struct reading *reading)
{
	struct str *rest = &reading->rest;

	reading->has_day = true;
	reading->precision = DATE_DAY;
	return take_digits(rest, 4, &reading->year) && skip_any(rest, "-") &&
	       take_digits(rest, 2, &reading->month) && skip_any(rest, "-") &&
	       take_digits(rest, 2, &reading->day);
}

/* ".734326392" behind a second; at least one digit. */
static bool read_fraction(struct reading *reading)
{
	int digit;

	if (!skip_any(&reading->rest, "."))
		return true;
	if (!starts_with_digits(reading->rest, 1))
		return false;
	while (take_digits(&reading->rest, 1, &digit)) {
		reading->precision /= 10;
		reading->nanos += digit * reading->precision;
	}
	if (reading->precision == 0)
		reading->precision = 1;
	return true;
}

/* "22:06", "22:06:54.734" */
static bool read_time(struct reading *reading)
{
	struct str *rest = &reading->rest;

	if (!take_digits(rest, 2, &reading->hour) || !skip_any(rest, ":") ||
	    !take_digits(rest, 2, &reading->minute))
		return false;
	reading->precision = 60 * DATE_SECOND;
	if (!skip_any(rest, ":"))
		return true;
	reading->precision = DATE_SECOND;
	return take_digits(rest, 2, &reading->second) && read_fraction(reading);
}

/* "Z", "+01", "+0100", "+01:00", "-01:01:01" */
static bool read_zone(struct reading *reading)
{
	struct str *rest = &reading->rest;

	reading->has_zone = true;
	if (skip_any(rest, "Zz"))
		return true;
	reading->zone_sign = rest->size && *rest->bytes == '-' ? -1 : 1;
	if (!skip_any(rest, "+-") || !take_digits(rest, 2, &reading->zone_hour))
		return false;
	if ((skip_any(rest, ":") || rest->size) &&
	    !take_digits(rest, 2, &reading->zone_minute))
		return false;
	return !skip_any(rest, ":") || take_digits(rest, 2, &reading->zone_second);
}

/* "2026-11-29", "2026-11-29T22:06:54.734326392+01:00" */
static bool read_day_first(struct reading *reading)
{
	if (!read_day(reading))
		return false;
	if (reading->rest.size == 0)
		return true;
	if (!skip_any(&reading->rest, "Tt "))
		return false;
	skip_blanks(&reading->rest);
	if (!read_time(reading))
		return false;
	skip_blanks(&reading->rest);
	return reading->rest.size == 0 || read_zone(reading);
}

/* "22:06:54.734", "22:06:54.734 (2026-11-29)" */
static bool read_time_first(struct reading *reading)
{
	int64_t precision;

	if (!read_time(reading))
		return false;
	skip_blanks(&reading->rest);
	if (!skip_any(&reading->rest, "("))
		return true;
	precision = reading->precision;
	if (!read_day(reading) || !skip_any(&reading->rest, ")"))
		return false;
	reading->precision = precision;
	return true;
}

/* Seconds east of UTC. */
static int64_t zone_of(const struct reading *reading)
{
	return reading->zone_sign * (reading->zone_hour * 3600 +
				     reading->zone_minute * 60 + reading->zone_second);
}

static bool check_day(const struct reading *reading)
{
	if (reading->year == 0)
		return fail(reading, "has no year; the first one is 0001");
	if (reading->month < 1 || reading->month > 12)
		return fail(reading, "has no month; that is 01 to 12");
	if (reading->day < 1 ||
	    reading->day > month_days(reading->year, reading->month))
		return fail(reading, "has a day that its month does not have");
	return true;
}

static bool check_time(const struct reading *reading)
{
	int64_t zone = zone_of(reading);

	if (reading->hour > 23 || reading->minute > 59 || reading->second > 59)
		return fail(reading, "has a time that no day has; that is 00:00:00 to "
				     "23:59:59");
	if (reading->zone_minute > 59 || reading->zone_second > 59 || zone > ZONE_MAX ||
	    zone < -ZONE_MAX)
		return fail(reading, "has a zone that is not within 18 hours of UTC");
	return true;
}

static bool finish(const struct reading *reading, struct date *date)
{
	int64_t days = !reading->has_day ? 0
			: date_days(reading->year, reading->month, reading->day);
	int64_t seconds = days * 86400 + reading->hour * 3600 + reading->minute * 60 +
			  reading->second - zone_of(reading);
	__int128 nanos = (__int128)seconds * DATE_SECOND + reading->nanos;

	if (nanos < INT64_MIN || nanos > INT64_MAX)
		return fail(reading, "is too far away; times are from 1678 to 2261");
	*date = (struct date){
		.kind = !reading->has_day ? DATE_OF_DAY
			: reading->has_zone ? DATE_UTC : DATE_LOCAL,
		.nanos = (int64_t)nanos,
		.precision = reading->precision,
	};
	return true;
}

bool date_is_meant(struct str text)
{
	text = str_trim(text);
	return (text.size && memchr(text.bytes, ':', text.size)) ||
	       (text.size > 4 && starts_with_digits(text, 4) && text.bytes[4] == '-');
}

bool date_parse(struct str text, struct date *date, struct err *err)
{
	struct reading reading = { .whole = str_trim(text), .err = err };
	bool has_day_first;

	reading.rest = reading.whole;
	has_day_first = starts_with_digits(reading.whole, 3);
	if (has_day_first ? !read_day_first(&reading) : !read_time_first(&reading))
		return fail(&reading,
			    "is no point in time; write 2026-11-29T22:06:54Z, "
			    "2026-11-29 22:06 or 22:06:54");
	if (reading.rest.size)
		return fail(&reading, "does not end where a point in time does");
	return (!reading.has_day || check_day(&reading)) && check_time(&reading) &&
	       finish(&reading, date);
}
