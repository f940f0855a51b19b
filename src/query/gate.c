#include "query/gate.h"

#include <string.h>
#include <strings.h>

#include "query/words.h"

#define NANOS_PER_MILLI 1000000

/* --- columns by name --------------------------------------------------------------- */

static bool is_front(struct str front, struct str text)
{
	return front.size > 0 && front.size <= text.size &&
	       strncasecmp(front.bytes, text.bytes, front.size) == 0;
}

static struct str behind(struct str text, struct str front)
{
	return (struct str){ text.bytes + front.size, text.size - front.size };
}

/* The longest name that is all of the text, or stands in front of an operator. */
static size_t find(const struct plan *plan, struct str text, bool by_title,
		   struct str *rest)
{
	size_t found = plan->visible_count, longest = 0;

	for (size_t i = 0; i < plan->visible_count; i++) {
		struct str name = by_title ? plan->columns[i].title
					   : plan->columns[i].name;
		struct str left;

		if (!is_front(name, text) || name.size <= longest)
			continue;
		left = str_trim(behind(text, name));
		if (rest ? !left.size || !strchr("=!<>~", *left.bytes) : left.size > 0)
			continue;
		found = i;
		longest = name.size;
		if (rest)
			*rest = left;
	}
	return found;
}

size_t gate_column(const struct plan *plan, struct str text, struct str *rest)
{
	size_t found = find(plan, str_trim(text), true, rest);

	if (found < plan->visible_count)
		return found;
	return find(plan, str_trim(text), false, rest);
}

bool gate_lack_column(const struct plan *plan, struct str name, struct err *err)
{
	struct arena arena = { 0 };
	struct str *titles = arena_array(&arena, plan->visible_count, sizeof(*titles));
	int nearest;

	for (size_t i = 0; titles && i < plan->visible_count; i++)
		titles[i] = plan->columns[i].title;
	nearest = titles ? str_nearest(name, titles, plan->visible_count) : -1;
	arena_clear(&arena);
	if (nearest < 0)
		return err_set(err, ERR_USAGE, "the view has no column '%.*s'",
			       (int)name.size, name.bytes);
	return err_set(err, ERR_USAGE, "the view has no column '%.*s'; the nearest is %.*s",
		       (int)name.size, name.bytes,
		       (int)plan->columns[nearest].title.size,
		       plan->columns[nearest].title.bytes);
}

/* --- the column as a field ------------------------------------------------------------ */

/* Aggregators that make fractions of whole numbers. */
static bool makes_fractions(enum aggregator aggregator)
{
	return aggregator == AGGREGATOR_AVERAGE || aggregator == AGGREGATOR_MEDIAN ||
	       aggregator == AGGREGATOR_DEVIATION ||
	       (aggregator >= AGGREGATOR_P90 && aggregator <= AGGREGATOR_P999);
}

static enum unit unit_of(const struct column *column)
{
	if (column->is_timestamp && column->aggregator != AGGREGATOR_DIFFERENCE)
		return UNIT_TIMESTAMP_MILLIS;
	if (column->is_timestamp || column->is_timespan)
		return UNIT_TIMESPAN_NANOS;
	if (column->is_percentage)
		return UNIT_PERCENTAGE;
	if (column->is_bytes)
		return column->is_frequency ? UNIT_BYTES_PER_SECOND : UNIT_BYTES;
	if (column->is_bits)
		return column->is_frequency ? UNIT_BITS_PER_SECOND : UNIT_BITS;
	if (column->is_frequency)
		return UNIT_FREQUENCY;
	return column->is_address ? UNIT_ADDRESS : UNIT_NONE;
}

/* A text where it is nothing else: names and booleans go by what is shown. */
static enum op_kind primitive_of(const struct column *column, enum unit unit)
{
	if (unit == UNIT_TIMESTAMP_MILLIS || unit == UNIT_TIMESPAN_NANOS)
		return OP_LONG;
	if (column->is_text || (!column->is_integral && !column->is_fractional &&
				!column->is_percentage))
		return OP_STRING;
	if (column->is_fractional || column->is_percentage ||
	    makes_fractions(column->aggregator))
		return OP_DOUBLE;
	return OP_LONG;
}

bool gate_open(struct gate *gate, const struct plan *plan, struct str text, int zone,
	       struct err *err)
{
	const struct column *column;
	const char *hint = NULL;
	struct str rest = text;
	struct buf bare = { 0 };

	*gate = (struct gate){ .column = gate_column(plan, text, &rest) };
	if (gate->column == plan->visible_count) {
		size_t end = 0;

		while (end < text.size && !memchr("=!<>~", text.bytes[end], 5))
			end++;
		return gate_lack_column(plan, str_trim((struct str){ text.bytes, end }),
					err);
	}
	buf_text(&bare, "column");
	buf_str(&bare, rest);
	gate->condition = bare.failed ? NULL
				      : condition_new((struct str){ bare.bytes, bare.size },
						      err);
	if (bare.failed)
		err_memory(err);
	buf_clear(&bare);
	if (!gate->condition)
		return false;
	column = &plan->columns[gate->column];
	gate->field.unit = unit_of(column);
	gate->type.primitive = primitive_of(column, gate->field.unit);
	gate->type.shown = gate->field.type = gate->field.shown = &gate->type;
	if (operand_of(&gate->operand, gate->condition, &gate->field, false, zone, &hint))
		return true;
	return err_set(err, ERR_USAGE, "the value '%.*s' fits no column '%.*s' (%s)",
		       (int)gate->condition->value.size, gate->condition->value.bytes,
		       (int)column->title.size, column->title.bytes, hint);
}

void gate_close(struct gate *gate)
{
	condition_free(gate->condition);
	*gate = (struct gate){ 0 };
}

/* --- rows ------------------------------------------------------------------------------ */

static int64_t saturate(__int128 number)
{
	if (number > INT64_MAX)
		return INT64_MAX;
	return number < INT64_MIN ? INT64_MIN : (int64_t)number;
}

static __int128 nanos_of(const struct datum *datum)
{
	return (__int128)datum->number * 1000000000 + datum->nanos;
}

/* As the field has it. */
static struct value value_of(const struct gate *gate, const struct datum *datum)
{
	if (datum->kind == DATUM_TIME)
		return (struct value){ .number = saturate(nanos_of(datum) /
							  NANOS_PER_MILLI) };
	if (datum->kind == DATUM_SPAN)
		return (struct value){ .number = saturate(nanos_of(datum)) };
	if (gate->type.primitive == OP_DOUBLE)
		return (struct value){ .real = datum_real(datum) };
	if (datum_is_real(datum))
		return (struct value){ .number = clock_integer(datum->real) };
	return (struct value){ .number = datum->number };
}

static bool takes(const struct gate *gate, const struct result *result,
		  const struct datum *datum, struct buf *text)
{
	static const struct clock clock = { .divisor = 1 };
	const struct column *column = &result->plan->columns[gate->column];
	struct value value;

	if (datum->kind == DATUM_NULL)
		return gate->condition->is_null;
	if (gate->type.primitive == OP_STRING) {
		buf_reset(text);
		words_add(text, column, datum, WORDS_FULL, result->zone);
		return operand_takes_text(&gate->operand,
					  (struct str){ text->bytes ? text->bytes : "",
							text->size });
	}
	value = value_of(gate, datum);
	return operand_takes_number(&gate->operand, &gate->field, &value, &clock);
}

bool gate_holds(const struct gate *gate, const struct result *result, struct err *err)
{
	struct buf text = { 0 };
	bool holds = false;

	for (size_t i = 0; i < result->rows.count && !holds; i++) {
		struct datum datum =
			result_cell(result, result->rows.items[i], gate->column);

		holds = takes(gate, result, &datum, &text) !=
			gate->condition->is_negated;
	}
	if (text.failed)
		err_memory(err);
	buf_clear(&text);
	return holds && err->kind == ERR_NONE;
}
