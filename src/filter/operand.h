/*
 * operand.h - the value of a condition, as a field of a certain kind understands it.
 *
 *	timespan	20ms, 1h30m, PT1.5S, Forever; a bare number is none, but for 0
 *	timestamp	2026-11-29T22:06:54Z; without a zone, in the one shown
 *	amount of data	1024, 64kB, 1.5 MB, 2GiB: powers of 1024, as `print` has them;
 *			bits 64kbit; by the second 64kB/s, 64kbps
 *	percentage	50% or 0.5
 *	frequency	2.4GHz, 50
 *	number, address	42, -1, 1.5, 2e6, 0x7f00
 *	boolean		true, false; with = and != only
 *	text, char	as it is; ordered by UTF-16 units; ~ for patterns
 *	thread, class, method, class loader, thread group: its name (naming.h)
 *
 * Any field can be compared with null: strings, references, timespans and timestamps
 * may be it. A point in time with a fraction of a second stands for all that begins
 * with its digits, as `print` shows no more than thousandths.
 */
#ifndef FILTER_OPERAND_H
#define FILTER_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/condition.h"
#include "jfr/clock.h"
#include "jfr/metadata.h"

enum operand_kind {
	OPERAND_NULL,
	OPERAND_TIMESPAN,
	OPERAND_TIMESTAMP,
	OPERAND_INTEGER,
	OPERAND_REAL,
	OPERAND_BOOLEAN,
	OPERAND_TEXT,
};

struct operand {
	enum operand_kind kind;
	enum relation relation;
	union {
		struct {	/* times: from low to high */
			struct time low, high;
		};
		struct {	/* integers: floor, and a little more if has_rest */
			__int128 floor;
			bool has_rest;
		};
		double real;
		bool is_true;
		struct str text;	/* borrowed from the condition */
	};
};

/*
 * What the condition asks of that field (of its elements, if it is an array). Its
 * `shown` must not be NULL. For names of classes (is_dotted) slashes in the value are
 * dots. False if the value makes no sense there: *hint, a literal, says what would.
 */
bool operand_of(struct operand *operand, const struct condition *condition,
		const struct field *field, bool is_dotted, int zone, const char **hint);

/* True if the relation holds between this number of the field and the operand. */
bool operand_takes_number(const struct operand *operand, const struct field *field,
			  const struct value *value, const struct clock *clock);

/* The same for a point in time or a length of time; TIME_MISSING is null. */
bool operand_takes_time(const struct operand *operand, struct time time);

/* The same for a text; bytes NULL is null. */
bool operand_takes_text(const struct operand *operand, struct str text);

#endif
