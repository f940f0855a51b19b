/*
 * units.h - numbers with a unit as words: timespans, timestamps, amounts.
 *
 * Each function appends to `to` what JDK 25's `jfr` prints for such a value
 * (jfr-tool.md 2.5 and 2.8; English). `exact` is print --exact. A zone is at most
 * 18 hours, in seconds east of UTC, or CLOCK_ZONE_LOCAL.
 */
#ifndef JFR_UNITS_H
#define JFR_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "jfr/clock.h"

/* "12.3 ms", "1 h 5 m", "N/A", "Forever"; exact: "0.012345000 s". */
void units_timespan(struct buf *to, struct time span, bool exact);

/*
 * The same, not exact, but what is told in milliseconds has so many decimals: for 3,
 * "12.300 ms". -1: three digits in all, as above.
 */
void units_timespan_fixed(struct buf *to, struct time span, int places);

/* "20:41:59"; "N/A". */
void units_time_of_day(struct buf *to, struct time when, int zone);

/* "20:41:59.123 (2026-11-29)"; "N/A". */
void units_timestamp(struct buf *to, struct time when, int zone, bool exact);

/* "PT1H1M1.5S": Java's Duration.toString. */
void units_iso_timespan(struct buf *to, struct time span);

/* "2026-11-29T19:41:00.5Z": Java's OffsetDateTime.toString. */
void units_iso_timestamp(struct buf *to, struct time when, int zone);

/* The same with seconds and all nine decimals; `when` is not TIME_MISSING. */
void units_iso_exact(struct buf *to, struct time when, int zone);

/* "12.35%"; the number is a fraction of one. */
void units_percentage(struct buf *to, double fraction, bool exact);

enum amount_unit {
	AMOUNT_BYTES,
	AMOUNT_BITS,
	AMOUNT_BYTES_PER_SECOND,
	AMOUNT_BITS_PER_SECOND,
};

/* "1.2 MB", "1 bit", "N/A" for INT64_MIN; exact: "1234 bytes", any value. */
void units_amount(struct buf *to, int64_t amount, enum amount_unit unit, bool exact);

/* "0x7F00AA00": at least eight digits. */
void units_address(struct buf *to, uint64_t address);

/* "2026-11-29 19:40:59": UTC, for summaries. */
void units_date(struct buf *to, struct time when);

#endif
