#include "jfc/span.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* In the order in which the end of a text is compared with them: "ms" before "s". */
static const char *const units[] = { "ns", "us", "ms", "s", "m", "h", "d" };

#define UNITS "the units are ns, us, ms, s, m, h and d"

/* Digits behind a sign, perhaps, and nothing else: Java's Long.parseLong. */
static bool read_number(struct str text, int64_t *number)
{
	char digits[32], *end;

	if (text.size == 0 || text.size >= sizeof(digits))
		return false;
	memcpy(digits, text.bytes, text.size);
	digits[text.size] = '\0';
	if ((*digits < '0' || *digits > '9') &&
	    ((*digits != '-' && *digits != '+') || digits[1] < '0' || digits[1] > '9'))
		return false;
	errno = 0;
	*number = strtoll(digits, &end, 10);
	return !errno && end == digits + text.size;
}

static const char *unit_of(struct str text)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (str_ends(text, str_of(units[i])))
			return units[i];
	}
	return NULL;
}

bool span_read(struct str text, struct arena *arena, struct str *span, struct err *err)
{
	const char *unit = unit_of(text);
	struct str number = text;
	char written[32];
	int64_t value;

	if (unit) {
		/* A blank in front is an error, as in the JDK. */
		number.size -= strlen(unit);
		if (number.size && (unsigned char)*number.bytes > ' ')
			number = str_trim(number);
	}
	if (!read_number(number, &value))
		return err_set(err, ERR_USAGE,
			       "'%.*s' is not a timespan: a whole number and a unit, "
			       "as in 20ms; " UNITS,
			       (int)text.size, text.bytes);
	if (!unit)
		return err_set(err, ERR_USAGE,
			       "the timespan '%.*s' lacks its unit; " UNITS,
			       (int)text.size, text.bytes);
	snprintf(written, sizeof(written), "%" PRId64 " %s", value, unit);
	*span = str_of(arena_copy(arena, written, strlen(written)));
	return span->bytes || err_memory(err);
}
