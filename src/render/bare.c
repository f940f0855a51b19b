#include "render/bare.h"

#include <math.h>

#include "base/decimal.h"
#include "base/utf.h"
#include "jfr/units.h"
#include "render/cell.h"
#include "render/items.h"
#include "render/quote.h"

/* Each appends a value that is no list, without quotes; false: it is missing. */

static bool add_none(struct buf *to, const struct column *column,
		     const struct datum *datum)
{
	(void)to, (void)column, (void)datum;
	return false;
}

static bool add_boolean(struct buf *to, const struct column *column,
			const struct datum *datum)
{
	(void)column;
	buf_text(to, datum->number ? "true" : "false");
	return true;
}

static bool add_integer(struct buf *to, const struct column *column,
			const struct datum *datum)
{
	if ((datum->kind == DATUM_LONG && datum->number == INT64_MIN) ||
	    (datum->kind == DATUM_INT && datum->number == INT32_MIN))
		return false;
	if (column->is_address)
		buf_unsigned(to, (uint64_t)datum->number);
	else
		buf_integer(to, datum->number);
	return true;
}

static bool add_char(struct buf *to, const struct column *column,
		     const struct datum *datum)
{
	(void)column;
	utf_add(to, (uint16_t)datum->number);
	return true;
}

static bool add_float(struct buf *to, const struct column *column,
		      const struct datum *datum)
{
	(void)column;
	if (!isfinite(datum->real))
		return false;
	decimal_add_float(to, (float)datum->real);
	return true;
}

static bool add_double(struct buf *to, const struct column *column,
		       const struct datum *datum)
{
	(void)column;
	if (!isfinite(datum->real))
		return false;
	decimal_add_double(to, datum->real);
	return true;
}

static bool add_time(struct buf *to, const struct column *column,
		     const struct datum *datum)
{
	(void)column;
	if (time_is(datum_time(datum), TIME_MISSING))
		return false;
	units_iso_exact(to, datum_time(datum), 0);
	return true;
}

static bool add_span(struct buf *to, const struct column *column,
		     const struct datum *datum)
{
	(void)column;
	if (time_is(datum_time(datum), TIME_MISSING))
		return false;
	buf_integer(to, time_nanos(datum_time(datum)));
	return true;
}

/* Of a frame, its method: others have none. */
static bool add_thing(struct buf *to, const struct column *column,
		      const struct datum *datum)
{
	const struct thing *thing = datum->thing;

	(void)column;
	if (thing->kind == THING_FRAME)
		thing = thing->method;
	if (!thing || !thing->text.bytes)
		return false;
	buf_str(to, thing->text);
	return true;
}

static const struct {
	bool (*add)(struct buf *to, const struct column *column,
		    const struct datum *datum);
	bool is_word;		/* in quotes in JSON */
} values[] = {
	[DATUM_NULL] = { add_none, false },
	[DATUM_BOOLEAN] = { add_boolean, false },
	[DATUM_BYTE] = { add_integer, false },
	[DATUM_SHORT] = { add_integer, false },
	[DATUM_CHAR] = { add_char, true },
	[DATUM_INT] = { add_integer, false },
	[DATUM_LONG] = { add_integer, false },
	[DATUM_FLOAT] = { add_float, false },
	[DATUM_DOUBLE] = { add_double, false },
	[DATUM_TIME] = { add_time, true },
	[DATUM_SPAN] = { add_span, false },
	[DATUM_THING] = { add_thing, true },
	[DATUM_LIST] = { add_none, false },	/* see add_items */
};

static const struct {
	const char *begin, *between, *end, *none;
} marks[] = {
	[BARE_CSV] = { "", ";", "", "" },
	[BARE_JSON] = { "[", ",", "]", "null" },
};

static bool add_value(struct buf *to, const struct column *column,
		      const struct datum *datum, enum bare_form form);

static void add_items(struct buf *to, const struct column *column,
		      const struct datum *datum, enum bare_form form)
{
	size_t count = items_count(datum);

	buf_text(to, marks[form].begin);
	for (size_t i = 0; i < count; i++) {
		struct datum item = items_get(datum, i);

		buf_text(to, i ? marks[form].between : "");
		if (!add_value(to, column, &item, form))
			buf_text(to, marks[form].none);
	}
	buf_text(to, marks[form].end);
}

/* Calls itself for the items of a list, and for the frames of those: no deeper. */
static bool add_value(struct buf *to, const struct column *column,
		      const struct datum *datum, enum bare_form form)
{
	size_t start = to->size;

	if (items_has(datum)) {
		add_items(to, column, datum, form);
		return true;
	}
	if (!values[datum->kind].add(to, column, datum))
		return false;
	if (form == BARE_JSON && values[datum->kind].is_word)
		quote_tail(to, start);
	return true;
}

bool bare_add(struct buf *to, const struct column *column, const struct datum *datum,
	      enum bare_form form)
{
	size_t start = to->size;

	if (!add_value(to, column, datum, form))
		return false;
	if (form == BARE_CSV) {
		utf_end_output(to, start);
		cell_tail(to, start);
	}
	return true;
}

/* Kinds. */

static const char *const kinds_of_roles[] = {
	[TYPE_PLAIN] = "string",
	[TYPE_THREAD] = "thread",
	[TYPE_THREAD_GROUP] = "thread-group",
	[TYPE_CLASS] = "class",
	[TYPE_CLASS_LOADER] = "class-loader",
	[TYPE_METHOD] = "method",
	[TYPE_STACK_TRACE] = "stack-trace",
	[TYPE_STACK_FRAME] = "method",
	[TYPE_OLD_OBJECT] = "string",
};

static const char *kind_of_number(const struct column *column)
{
	if (column->is_percentage)
		return "fraction";
	if (column->is_bytes)
		return column->is_frequency ? "bytes-per-second" : "bytes";
	if (column->is_bits)
		return column->is_frequency ? "bits-per-second" : "bits";
	if (column->is_address)
		return "address";
	if (column->is_frequency)
		return "frequency";
	if (!column->is_integral || aggregator_facts[column->aggregator].is_mean)
		return "number";
	return "integer";
}

const char *bare_kind(const struct column *column)
{
	bool is_length = column->aggregator == AGGREGATOR_DIFFERENCE;

	if (column_is_list(column))
		return "list";
	if (column_is_share(column))
		return "fraction";
	if (column_counts(column))
		return "integer";
	if (column->is_text)
		return "string";
	if (column->is_timespan || (column->is_timestamp && is_length))
		return "timespan";
	if (column->is_timestamp)
		return "timestamp";
	if (column->is_integral || column->is_fractional)
		return kind_of_number(column);
	return column->is_boolean ? "boolean" : kinds_of_roles[column->role];
}
