/*
 * date.h - points in time as people write them.
 *
 *	2026-11-29T22:06:54.734Z	with a zone: Z, +01:00, +0100 or +01
 *	2026-11-29T22:06		without one; a blank or t for T, too
 *	2026-11-29			its first moment
 *	22:06, 22:06:54.734		a time of day
 *	22:06:54.734 (2026-11-29)	as `print` shows it
 *
 * Days are those of the Gregorian calendar, years 1 to 9999, and there are no leap
 * seconds.
 */
#ifndef BASE_DATE_H
#define BASE_DATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

#define DATE_SECOND INT64_C(1000000000)
#define DATE_DAY (86400 * DATE_SECOND)

enum date_kind {
	DATE_UTC,	/* nanoseconds since 1970-01-01 UTC */
	DATE_LOCAL,	/* the same of a clock on the wall: the zone was not told */
	DATE_OF_DAY,	/* nanoseconds since midnight, of any day */
};

struct date {
	enum date_kind kind;
	int64_t nanos;
	int64_t precision;	/* nanoseconds that the last part written stands for */
};

/*
 * ERR_USAGE, and the text says why, if this is no such point, or one that nanoseconds
 * in 64 bits do not reach (before 1677, after 2262). Digits behind the nanoseconds are
 * cut off.
 */
bool date_parse(struct str text, struct date *date, struct err *err);

/* True if it looks like one of the above, right or wrong, and not like "30s". */
bool date_is_meant(struct str text);

/* Days since 1970-01-01. The year is 1 to 9999, month and day count from 1. */
int64_t date_days(int year, int month, int day);

#endif
