/*
 * units.c - numbers with a unit as words: timespans, timestamps, amounts.
 *
 * Java formats through doubles and Strings. Wherever integers give the same bytes
 * they are used, each with its reason, because timespans and timestamps are what a
 * printed recording mostly consists of.
 */
#include "jfr/units.h"

#include "base/decimal.h"
#include "base/digits.h"

#define NANOS_PER_SECOND 1000000000u
#define NANOS_PER_MILLI 1000000u
#define MINUTE 60u
#define HOUR 3600u
#define DAY 86400u

/* More than any text below that is put together on the stack. */
#define TEXT_ROOM 80

static char *write_text(char *to, const char *text)
{
	size_t size = strlen(text);

	memcpy(to, text, size);
	return to + size;
}

/* A length of time without its sign. */
struct span {
	uint64_t seconds;
	uint32_t nanos;
	bool negative;
};

static struct span span_of(struct time time)
{
	struct span span = { (uint64_t)time.seconds, (uint32_t)time.nanos, false };

	if (time.seconds >= 0)
		return span;
	span.negative = true;
	span.seconds = -span.seconds;
	if (span.nanos) {
		span.seconds--;
		span.nanos = NANOS_PER_SECOND - span.nanos;
	}
	return span;
}

/* To a multiple of the step; halves go up. */
static uint32_t round_to(uint32_t number, uint32_t step)
{
	return (number + step / 2) / step * step;
}

/*
 * Below a second: three digits of the nanoseconds. The JDK divides doubles and
 * rounds; a quotient of such small integers that is not a tie is farther from one
 * than a double's error, so integers decide alike.
 */
static void span_round_nanos(struct span *span)
{
	int digits = digits_count(span->nanos);

	if (span->nanos < 1000)
		return;
	span->nanos = round_to(span->nanos, (uint32_t)digits_powers[digits - 3]);
	if (span->nanos == NANOS_PER_SECOND)
		*span = (struct span){ 1, 0, span->negative };
}

/* Below a minute: three digits again, but what is below a millisecond is cut off. */
static void span_round_millis(struct span *span)
{
	uint32_t millis = span->nanos / NANOS_PER_MILLI;

	millis = round_to(millis, span->seconds < 10 ? 10 : 100);
	span->seconds += millis / 1000;
	span->nanos = millis % 1000 * NANOS_PER_MILLI;
}

/* To the next smaller unit, half of it up; printing cuts off the rest. */
static void span_round(struct span *span)
{
	if (span->seconds == 0)
		span_round_nanos(span);
	else if (span->seconds < MINUTE)
		span_round_millis(span);
	else if (span->seconds < HOUR)
		span->seconds += span->nanos >= NANOS_PER_SECOND / 2;
	else if (span->seconds < DAY)
		span->seconds += MINUTE / 2;
	else
		span->seconds += HOUR / 2;
}

static char *write_seconds(char *to, const struct span *span)
{
	uint32_t millis = span->nanos / NANOS_PER_MILLI;

	to = digits_write(to, span->seconds);
	*to++ = '.';
	if (span->seconds < 10)
		return write_text(digits_write_pair(to, millis / 10), " s");
	return write_text(digits_write(to, millis / 100), " s");
}

/* "12 h 5 m" */
static char *write_two(char *to, uint64_t large, const char *unit, uint64_t small,
		       const char *small_unit)
{
	to = write_text(digits_write(to, large), unit);
	return write_text(digits_write(to, small), small_unit);
}

/* A second or more. What rounding made of it tells the units: "1 m 0 s" is 59.95 s. */
static char *write_long(char *to, const struct span *span)
{
	uint64_t seconds = span->seconds;

	if (seconds < MINUTE)
		return write_seconds(to, span);
	if (seconds < HOUR)
		return write_two(to, seconds / MINUTE, " m ", seconds % 60, " s");
	if (seconds < DAY)
		return write_two(to, seconds / HOUR, " h ", seconds / 60 % 60, " m");
	return write_two(to, seconds / DAY, " d ", seconds / HOUR % 24, " h");
}

#define MILLIS_PLACES 6		/* more are zeros */

/*
 * A fraction of a second in milliseconds, with 0..MILLIS_PLACES. The JDK rounds the
 * shortest decimal of a double, and that is the count of nanoseconds itself.
 */
static char *write_millis(char *to, uint32_t nanos, int places)
{
	uint32_t unit = (uint32_t)digits_powers[MILLIS_PLACES - places];
	uint32_t scaled = round_to(nanos, unit);

	to = digits_write(to, scaled / NANOS_PER_MILLI);
	if (places == 0)
		return to;
	*to++ = '.';
	return digits_write_padded(to, scaled % NANOS_PER_MILLI / unit, places);
}

/* Enough for three digits. */
static int millis_places(uint32_t nanos)
{
	return nanos < 1000 ? MILLIS_PLACES : 9 - digits_count(nanos);
}

static void add_millis(struct buf *to, uint32_t nanos, int places)
{
	int given = places > MILLIS_PLACES ? MILLIS_PLACES : places;
	char text[TEXT_ROOM], *at;

	at = write_millis(text, nanos, given < 0 ? millis_places(nanos) : given);
	buf_add(to, text, (size_t)(at - text));
	buf_fill(to, '0', (size_t)(places > given ? places - given : 0));
	buf_text(to, " ms");
}

static void add_rounded(struct buf *to, struct span span, int places)
{
	char text[TEXT_ROOM], *at;

	span_round(&span);
	if (span.negative)
		buf_byte(to, '-');
	if (span.seconds == 0 && span.nanos) {
		add_millis(to, span.nanos, places);
		return;
	}
	at = span.seconds ? write_long(text, &span) : write_text(text, "0 s");
	buf_add(to, text, (size_t)(at - text));
}

/*
 * Java prints the double nanos / 1e9 with nine places. Below 2^23 seconds doubles
 * lie closer than a nanosecond, only one count of nanoseconds reads back as such a
 * double, and the shortest decimal is that count itself. Above it need not be:
 * "9223372036.854776000". What overflows 64 bits of nanoseconds and breaks the JDK
 * is printed as it is.
 */
static void add_exact(struct buf *to, struct time time)
{
	struct span span = span_of(time);
	uint64_t nanos = span.seconds * NANOS_PER_SECOND + span.nanos;
	bool overflows = span.seconds > INT64_MAX / NANOS_PER_SECOND ||
			 nanos > (uint64_t)INT64_MAX + span.negative;
	char text[TEXT_ROOM], *at = text;

	if (span.seconds >= 1u << 23 && !overflows) {
		double seconds = (double)nanos / 1e9;

		decimal_add_fixed(to, span.negative ? -seconds : seconds, 9);
		buf_text(to, " s");
		return;
	}
	if (span.negative)
		*at++ = '-';
	at = digits_write(at, span.seconds);
	*at++ = '.';
	at = write_text(digits_write_padded(at, span.nanos, 9), " s");
	buf_add(to, text, (size_t)(at - text));
}

/* Times that stand for none at all. */
static bool add_special(struct buf *to, struct time span)
{
	if (time_is(span, TIME_MISSING))
		buf_text(to, "N/A");
	else if (time_is(span, TIME_FOREVER))
		buf_text(to, "Forever");
	else
		return false;
	return true;
}

void units_timespan(struct buf *to, struct time span, bool exact)
{
	if (add_special(to, span))
		return;
	if (exact)
		add_exact(to, span);
	else
		add_rounded(to, span_of(span), -1);
}

void units_timespan_fixed(struct buf *to, struct time span, int places)
{
	if (!add_special(to, span))
		add_rounded(to, span_of(span), places);
}

/* Hours or minutes; Java signs each part. */
static char *write_iso_part(char *to, const struct span *span, uint64_t number,
			    char unit)
{
	if (number == 0)
		return to;
	if (span->negative)
		*to++ = '-';
	to = digits_write(to, number);
	*to++ = unit;
	return to;
}

/* ".5", ".123456789": no zeros at the end, nothing at all for zero. */
static char *write_fraction(char *to, uint32_t nanos)
{
	if (nanos == 0)
		return to;
	*to++ = '.';
	to = digits_write_padded(to, nanos, 9);
	while (to[-1] == '0')
		to--;
	return to;
}

void units_iso_timespan(struct buf *to, struct time time)
{
	struct span span = span_of(time);
	uint64_t seconds = span.seconds % MINUTE;
	char text[TEXT_ROOM], *at = write_text(text, "PT");

	at = write_iso_part(at, &span, span.seconds / HOUR, 'H');
	at = write_iso_part(at, &span, span.seconds % HOUR / MINUTE, 'M');
	if (seconds || span.nanos || span.seconds == 0) {
		if (span.negative)
			*at++ = '-';
		at = write_fraction(digits_write(at, seconds), span.nanos);
		*at++ = 'S';
	}
	buf_add(to, text, (size_t)(at - text));
}

/* A day of the Gregorian calendar and a time on it. */
struct moment {
	int64_t year;		/* 0 is the year before 1 */
	uint32_t month, day;	/* from 1 */
	uint32_t second;	/* of the day */
	uint32_t nanos;
	int zone;		/* seconds east of UTC */
};

#define DAYS_PER_ERA 146097	/* 400 years, after which the calendar repeats */
#define DAYS_PER_CENTURY 36524	/* one in four has a day more */
#define DAYS_PER_LEAP 1461	/* four years with their leap day */
#define DAYS_TO_1970 719468	/* from March 1 of the year 0 */

static int64_t floor_divide(int64_t number, int32_t by, uint32_t *rest)
{
	int64_t quotient = number / by;
	int32_t remainder = (int32_t)(number % by);

	if (remainder < 0) {
		remainder += by;
		quotient--;
	}
	*rest = (uint32_t)remainder;
	return quotient;
}

/*
 * Years begin in March here: the leap day is the last of its year, and the months
 * come in runs of five that have 153 days. Of four centuries the last, of the 25
 * leaps in a century the last is the odd one; asking with "4 n + 3" puts the extra
 * day at the end of each.
 */
static void moment_set_date(struct moment *moment, int64_t days)
{
	uint32_t rest, century, year, month;
	int64_t era = floor_divide(days + DAYS_TO_1970, DAYS_PER_ERA, &rest);

	century = (4 * rest + 3) / DAYS_PER_ERA;
	rest -= century * DAYS_PER_CENTURY + century / 4;
	year = (4 * rest + 3) / DAYS_PER_LEAP;
	rest -= year * DAYS_PER_LEAP / 4;
	month = (5 * rest + 2) / 153;
	moment->day = rest - (153 * month + 2) / 5 + 1;
	moment->month = month < 10 ? month + 3 : month - 9;
	moment->year = era * 400 + 100 * century + year + (month >= 10);
}

static struct moment moment_of(struct time when, int zone)
{
	struct moment moment = {
		.nanos = (uint32_t)when.nanos,
		.zone = clock_zone_at(zone, when.seconds),
	};
	uint32_t second;
	int64_t days = floor_divide(when.seconds, DAY, &second);

	days += floor_divide((int64_t)second + moment.zone, DAY, &moment.second);
	moment_set_date(&moment, days);
	return moment;
}

/* "2026-11-29", at least four digits of year, more have a sign. */
static char *write_date(char *to, const struct moment *moment, int64_t year)
{
	uint64_t digits = year < 0 ? -(uint64_t)year : (uint64_t)year;

	if (year < 0)
		*to++ = '-';
	else if (year > 9999)
		*to++ = '+';
	to = digits_write_padded(to, digits, digits > 9999 ? digits_count(digits) : 4);
	*to++ = '-';
	to = digits_write_pair(to, moment->month);
	*to++ = '-';
	return digits_write_pair(to, moment->day);
}

/* Java's letter y counts years before our era upwards from one and has no sign. */
static int64_t moment_year_of_era(const struct moment *moment)
{
	return moment->year > 0 ? moment->year : 1 - moment->year;
}

static char *write_hour_minute(char *to, const struct moment *moment)
{
	to = digits_write_pair(to, moment->second / HOUR);
	*to++ = ':';
	return digits_write_pair(to, moment->second % HOUR / MINUTE);
}

static char *write_time(char *to, const struct moment *moment)
{
	to = write_hour_minute(to, moment);
	*to++ = ':';
	return digits_write_pair(to, moment->second % MINUTE);
}

void units_time_of_day(struct buf *to, struct time when, int zone)
{
	struct moment moment;
	char text[TEXT_ROOM], *at;

	if (time_is(when, TIME_MISSING)) {
		buf_text(to, "N/A");
		return;
	}
	moment = moment_of(when, zone);
	at = write_time(text, &moment);
	buf_add(to, text, (size_t)(at - text));
}

void units_timestamp(struct buf *to, struct time when, int zone, bool exact)
{
	struct moment moment;
	char text[TEXT_ROOM], *at = text;

	if (time_is(when, TIME_MISSING)) {
		buf_text(to, "N/A");
		return;
	}
	moment = moment_of(when, zone);
	at = write_time(at, &moment);
	*at++ = '.';
	if (exact)
		at = digits_write_padded(at, moment.nanos, 9);
	else
		at = digits_write_padded(at, moment.nanos / NANOS_PER_MILLI, 3);
	at = write_text(at, " (");
	at = write_date(at, &moment, moment_year_of_era(&moment));
	*at++ = ')';
	buf_add(to, text, (size_t)(at - text));
}

/* ":05.123": by thousands; nothing if the minute has just begun. */
static char *write_iso_second(char *to, const struct moment *moment)
{
	uint32_t nanos = moment->nanos;

	if (moment->second % MINUTE == 0 && nanos == 0)
		return to;
	*to++ = ':';
	to = digits_write_pair(to, moment->second % MINUTE);
	if (nanos == 0)
		return to;
	*to++ = '.';
	if (nanos % 1000000 == 0)
		return digits_write_padded(to, nanos / 1000000, 3);
	if (nanos % 1000 == 0)
		return digits_write_padded(to, nanos / 1000, 6);
	return digits_write_padded(to, nanos, 9);
}

/* "Z", "+05:30", "-01:01:01"; at most 18 hours. */
static char *write_zone(char *to, const struct moment *moment)
{
	int zone = moment->zone;
	struct moment offset = { .second = (uint32_t)(zone < 0 ? -zone : zone) };

	if (zone == 0) {
		*to++ = 'Z';
		return to;
	}
	*to++ = zone < 0 ? '-' : '+';
	to = write_hour_minute(to, &offset);
	if (offset.second % MINUTE) {
		*to++ = ':';
		to = digits_write_pair(to, offset.second % MINUTE);
	}
	return to;
}

/* "2026-11-29T" */
static char *write_iso_date(char *to, const struct moment *moment)
{
	to = write_date(to, moment, moment->year);
	*to++ = 'T';
	return to;
}

void units_iso_timestamp(struct buf *to, struct time when, int zone)
{
	struct moment moment;
	char text[TEXT_ROOM], *at = text;

	if (time_is(when, TIME_MISSING)) {
		buf_text(to, "-999999999-01-01T00:00+18:00");	/* Java's least */
		return;
	}
	moment = moment_of(when, zone);
	at = write_iso_date(at, &moment);
	at = write_hour_minute(at, &moment);
	at = write_iso_second(at, &moment);
	at = write_zone(at, &moment);
	buf_add(to, text, (size_t)(at - text));
}

void units_iso_exact(struct buf *to, struct time when, int zone)
{
	struct moment moment = moment_of(when, zone);
	char text[TEXT_ROOM], *at = text;

	at = write_iso_date(at, &moment);
	at = write_time(at, &moment);
	*at++ = '.';
	at = digits_write_padded(at, moment.nanos, 9);
	at = write_zone(at, &moment);
	buf_add(to, text, (size_t)(at - text));
}

void units_date(struct buf *to, struct time when)
{
	struct moment moment = moment_of(when, 0);
	char text[TEXT_ROOM], *at = text;

	at = write_date(at, &moment, moment_year_of_era(&moment));
	*at++ = ' ';
	at = write_time(at, &moment);
	buf_add(to, text, (size_t)(at - text));
}

void units_percentage(struct buf *to, double fraction, bool exact)
{
	decimal_add_fixed(to, fraction * 100, exact ? 9 : 2);
	buf_byte(to, '%');
}

/* The words of a unit: for one, for several, and after k, M, G... */
struct amount_words {
	const char *one, *many, *scaled;
	const char *exact_one, *exact_many;
};

static const struct amount_words amount_words[] = {
	[AMOUNT_BYTES] = { " byte", " bytes", "B", " byte", " bytes" },
	[AMOUNT_BITS] = { " bit", " bits", "bit", " bit", " bits" },
	[AMOUNT_BYTES_PER_SECOND] = {
		" byte/s", " byte/s", "B/s", " byte/s", " bytes/s",
	},
	[AMOUNT_BITS_PER_SECOND] = { " bps", " bps", "bps", " bit/s", " bits/s" },
};

/*
 * The least amounts that have a letter. The JDK takes the logarithm to the base of
 * 1024 in doubles, which comes out as 5 and as 6 a little early.
 */
static const struct {
	uint64_t from;
	char letter;
} amount_scales[] = {
	{ 1ull << 10, 'k' }, { 1ull << 20, 'M' }, { 1ull << 30, 'G' },
	{ 1ull << 40, 'T' }, { (1ull << 50) - 3, 'P' }, { (1ull << 60) - 6208, 'E' },
};

#define SCALE_COUNT (int)(sizeof(amount_scales) / sizeof(amount_scales[0]))

static void add_scaled(struct buf *to, int64_t amount, int scale, const char *unit)
{
	double power = (double)(1ull << 10 * (scale + 1));

	decimal_add_fixed(to, (double)amount / power, 1);
	buf_byte(to, ' ');
	buf_byte(to, amount_scales[scale].letter);
	buf_text(to, unit);
}

void units_amount(struct buf *to, int64_t amount, enum amount_unit unit, bool exact)
{
	const struct amount_words *words = &amount_words[unit];
	uint64_t size = amount < 0 ? -(uint64_t)amount : (uint64_t)amount;
	int scale = -1;

	if (exact) {
		buf_integer(to, amount);
		buf_text(to, amount > 1 ? words->exact_many : words->exact_one);
		return;
	}
	if (amount == INT64_MIN) {
		buf_text(to, "N/A");
		return;
	}
	while (scale + 1 < SCALE_COUNT && size >= amount_scales[scale + 1].from)
		scale++;
	if (scale >= 0) {
		add_scaled(to, amount, scale, words->scaled);
		return;
	}
	buf_integer(to, amount);
	buf_text(to, size == 1 ? words->one : words->many);
}

void units_address(struct buf *to, uint64_t address)
{
	char text[16];
	int at = sizeof(text), least = at - 8;

	while (address || at > least) {
		text[--at] = "0123456789ABCDEF"[address & 15];
		address >>= 4;
	}
	buf_text(to, "0x");
	buf_add(to, text + at, sizeof(text) - (size_t)at);
}
