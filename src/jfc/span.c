#include "jfc/span.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"

/* In the order in which the end of a text is compared with them: "ms" before "s". */
static const char *const units[] = { "ns", "us", "ms", "s", "m", "h", "d" };

#define UNITS "the units are ns, us, ms, s, m, h and d"

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
	if (!number_java(number, &value))
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
