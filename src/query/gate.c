#include "query/gate.h"

#include <string.h>

#include "jfr/measure.h"
#include "query/heading.h"
#include "query/words.h"

/* --- the column as a field ------------------------------------------------------------ */

/* Shown as text, whatever the field is declared as. */
static bool is_made_text(const struct column *column)
{
	return column_is_list(column) || (column->is_text && !column_counts(column));
}

static enum unit unit_of(const struct column *column)
{
	if (is_made_text(column))
		return UNIT_NONE;
	if (column_is_share(column))
		return UNIT_PERCENTAGE;
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
	if (is_made_text(column))
		return OP_STRING;
	if (!column->is_integral && !column->is_fractional)
		return OP_STRING;
	if (column->is_fractional || column->is_percentage ||
	    aggregator_facts[column->aggregator].is_mean)
		return OP_DOUBLE;
	return OP_LONG;
}

/* The column in front of the operator, which is what `rest` begins with. */
static bool find_column(struct gate *gate, const struct plan *plan, struct str text,
			struct str *rest, struct err *err)
{
	struct arena arena = { 0 };
	const struct str *headings = heading_all(plan, NULL, &arena);
	size_t end = 0;
	bool is_good;

	while (end < text.size && !strchr("=!<>~", text.bytes[end]))
		end++;
	*rest = (struct str){ text.bytes + end, text.size - end };
	gate->column = headings ? heading_find_front(plan, headings, text, rest)
				: HEADING_NONE;
	is_good = gate->column != HEADING_NONE || rest->size == 0;
	if (!headings)
		err_memory(err);
	else if (!is_good)
		heading_lack(plan, headings, str_trim((struct str){ text.bytes, end }),
			     err);
	arena_clear(&arena);
	return is_good;
}

/* "Percent > 10", where 10 would be a thousand of hundred. */
static bool is_likely_slip(const struct gate *gate)
{
	return gate->field.unit == UNIT_PERCENTAGE &&
	       gate->operand.kind == OPERAND_REAL && gate->operand.real > 1 &&
	       !memchr(gate->condition->value.bytes, '%', gate->condition->value.size);
}

bool gate_open(struct gate *gate, const struct plan *plan, struct str text, int zone,
	       struct err *err)
{
	const struct column *column;
	const char *hint = NULL;
	struct str rest;

	*gate = (struct gate){ .column = HEADING_NONE };
	text = str_trim(text);
	if (!find_column(gate, plan, text, &rest, err))
		return false;
	gate->condition = condition_new_at(text, (size_t)(rest.bytes - text.bytes), err);
	if (!gate->condition)
		return false;
	column = &plan->columns[gate->column];
	gate->field.unit = unit_of(column);
	gate->type.primitive = primitive_of(column, gate->field.unit);
	gate->type.shown = gate->field.type = gate->field.shown = &gate->type;
	if (operand_of(&gate->operand, gate->condition, &gate->field, false, zone, &hint)) {
		if (!is_likely_slip(gate))
			return true;
		hint = "a percentage: write 10%";
	}
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

/* The value is of the kind that the field has, as it is in the first chunk. */
static bool is_as_declared(const struct gate *gate, const struct datum *datum)
{
	bool is_time = datum->kind == DATUM_TIME || datum->kind == DATUM_SPAN;

	if (gate->type.primitive == OP_STRING)
		return true;
	return datum->kind != DATUM_THING && datum->kind != DATUM_LIST &&
	       is_time == (unit_is_timespan(gate->field.unit) ||
			   unit_is_timestamp(gate->field.unit));
}

/* What is shown as missing; and what a field has that has become another. */
static bool is_null(const struct gate *gate, const struct datum *datum)
{
	return datum->kind == DATUM_NULL ||
	       (datum->kind == DATUM_THING && !datum->thing->text.bytes) ||
	       !is_as_declared(gate, datum);
}

/* A number as the field has it. */
static struct value value_of(const struct gate *gate, const struct datum *datum)
{
	if (gate->type.primitive == OP_DOUBLE)
		return (struct value){ .real = datum_real(datum) };
	if (datum_is_real(datum))
		return (struct value){ .number = clock_integer(datum->real) };
	return (struct value){ .number = datum->number };
}

static bool takes_number(const struct gate *gate, const struct datum *datum)
{
	struct value value;

	if (datum->kind == DATUM_TIME || datum->kind == DATUM_SPAN)
		return operand_takes_time(&gate->operand, datum_time(datum));
	value = value_of(gate, datum);
	return operand_takes_number(&gate->operand, &gate->field, &value, NULL);
}

static bool takes(const struct gate *gate, const struct result *result,
		  const struct datum *datum, struct buf *text)
{
	const struct column *column = &result->plan->columns[gate->column];

	if (is_null(gate, datum))
		return gate->condition->is_null;
	if (gate->type.primitive == OP_STRING) {
		buf_reset(text);
		words_add(text, column, datum, WORDS_FULL, result->zone);
		return operand_takes_text(&gate->operand,
					  (struct str){ text->bytes ? text->bytes : "",
							text->size });
	}
	return takes_number(gate, datum);
}

bool gate_holds(const struct gate *gate, const struct result *result, struct err *err)
{
	struct buf text = { 0 };
	bool holds = false;

	for (size_t i = 0; i < result->rows.count && !holds && !text.failed; i++) {
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
