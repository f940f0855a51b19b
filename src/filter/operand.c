#include "filter/operand.h"

#include "base/date.h"
#include "base/number.h"
#include "base/scale.h"
#include "base/timespan.h"
#include "base/utf.h"
#include "jfr/naming.h"
#include "jfr/measure.h"

/* The names of units behind a number; all may be left out. */
static const struct scale scales[] = {
	[UNIT_BITS] = { 1024, "bit bits" },
	[UNIT_BYTES_PER_SECOND] = { 1024, "b/s byte/s bytes/s b byte bytes" },
	[UNIT_BITS_PER_SECOND] = { 1024, "bps bit/s bits/s bit bits" },
	[UNIT_FREQUENCY] = { 1000, "hz" },
};

static const char *const hints[] = {
	[UNIT_TIMESPAN_TICKS] = "a timespan: write 20ms",
	[UNIT_TIMESPAN_NANOS] = "a timespan: write 20ms",
	[UNIT_TIMESPAN_MICROS] = "a timespan: write 20ms",
	[UNIT_TIMESPAN_MILLIS] = "a timespan: write 20ms",
	[UNIT_TIMESPAN_SECONDS] = "a timespan: write 20ms",
	[UNIT_TIMESTAMP_TICKS] = "a point in time: write 2026-11-29T22:06:54",
	[UNIT_TIMESTAMP_MILLIS] = "a point in time: write 2026-11-29T22:06:54",
	[UNIT_PERCENTAGE] = "a percentage: write 50% or 0.5",
	[UNIT_BYTES] = "an amount of data: write 64kB",
	[UNIT_BITS] = "an amount of data: write 64kbit",
	[UNIT_BYTES_PER_SECOND] = "a rate: write 64kB/s",
	[UNIT_BITS_PER_SECOND] = "a rate: write 64kbps",
	[UNIT_ADDRESS] = "an address: write 0x7f0012345678",
	[UNIT_FREQUENCY] = "a frequency: write 2.4GHz",
};

static bool is_real(const struct field *field)
{
	return field->shown->primitive == OP_FLOAT ||
	       field->shown->primitive == OP_DOUBLE;
}

/* A number of a condition: sign, digits and what stands behind them. */
struct amount {
	bool is_negative;
	struct number number;
	struct str unit;
};

static int hex_digit(char byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	byte |= 0x20;
	return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* Behind "0x": up to 64 bits, and nothing else. */
static bool read_hex(struct str text, struct number *number)
{
	*number = (struct number){ 0 };
	for (size_t i = 0; i < text.size; i++) {
		int digit = hex_digit(text.bytes[i]);

		if (digit < 0 || i == 16)
			return false;
		number->digits = number->digits << 4 | (unsigned)digit;
	}
	return text.size > 0;
}

static bool read_amount(struct str text, struct amount *amount)
{
	*amount = (struct amount){ .unit = STR("") };
	if (text.size && (*text.bytes == '-' || *text.bytes == '+')) {
		amount->is_negative = *text.bytes == '-';
		text.bytes++;
		text.size--;
	}
	if (str_starts(text, STR("0x")) || str_starts(text, STR("0X")))
		return read_hex((struct str){ text.bytes + 2, text.size - 2 },
				&amount->number);
	if (!number_take(&text, &amount->number))
		return false;
	amount->unit = str_trim(text);
	return true;
}

/* What the words behind a number make of it; false if the unit has no such words. */
static bool scale_amount(struct amount *amount, enum unit unit, uint64_t *factor)
{
	*factor = 1;
	if (amount->unit.size == 0)
		return true;
	if (unit == UNIT_PERCENTAGE) {
		amount->number.exponent -= 2;
		return str_is(amount->unit, STR("%"));
	}
	if (unit == UNIT_BYTES)
		return scale_read(&scale_of_bytes, amount->unit, factor);
	return unit < sizeof(scales) / sizeof(scales[0]) && scales[unit].names &&
	       scale_read(&scales[unit], amount->unit, factor);
}

static bool read_number(struct operand *operand, struct str text,
			const struct field *field)
{
	struct amount amount;
	struct product product;
	uint64_t factor;

	operand->kind = is_real(field) ? OPERAND_REAL : OPERAND_INTEGER;
	if (!read_amount(text, &amount) || !scale_amount(&amount, field->unit, &factor))
		return false;
	if (operand->kind == OPERAND_REAL) {
		operand->real = number_real(&amount.number) * (double)factor;
		if (amount.is_negative)
			operand->real = -operand->real;
		/* What prints as 0.1 equals 0.1. */
		if (field->shown->primitive == OP_FLOAT)
			operand->real = (float)operand->real;
		return true;
	}
	product = number_times(&amount.number, factor);
	operand->floor = (__int128)product.whole;
	operand->has_rest = product.has_rest;
	if (amount.is_negative)
		operand->floor = -operand->floor - product.has_rest;
	return true;
}

static bool read_timespan(struct operand *operand, struct str text)
{
	bool is_forever = str_is(text, STR("Forever")) || str_is(text, STR("forever"));
	int64_t nanos = 0;

	operand->kind = OPERAND_TIMESPAN;
	if (!is_forever && !timespan_parse(text, &nanos, NULL, NULL))
		return false;
	operand->low = operand->high = is_forever ? TIME_FOREVER : time_of_nanos(nanos);
	return true;
}

static bool read_timestamp(struct operand *operand, struct str text, int zone)
{
	struct date date;
	struct time time;

	operand->kind = OPERAND_TIMESTAMP;
	if (!date_parse(text, &date, NULL) || date.kind == DATE_OF_DAY)
		return false;
	time = time_of_nanos(date.nanos);
	if (date.kind == DATE_LOCAL)
		time.seconds = clock_utc_of_local(zone, time.seconds);
	operand->low = operand->high = time;
	if (date.precision < DATE_SECOND)
		operand->high.nanos += (int32_t)date.precision - 1;
	return true;
}

static bool read_boolean(struct operand *operand, struct str text)
{
	operand->kind = OPERAND_BOOLEAN;
	operand->is_true = str_is(text, STR("true"));
	return operand->relation == RELATION_SAME &&
	       (operand->is_true || str_is(text, STR("false")));
}

static bool is_text(const struct field *field)
{
	enum op_kind primitive = field->shown->primitive;

	return primitive == OP_STRING ||
	       (primitive == OP_CHAR && field->unit == UNIT_NONE) ||
	       (primitive == OP_NONE && naming_has(field->shown->role));
}

static const char *hint_of(const struct operand *operand, const struct field *field)
{
	if (field->shown->primitive == OP_NONE)
		return "it has fields of its own: write one of them behind a dot";
	if (operand->relation == RELATION_LIKE)
		return "patterns are for texts";
	if (field->shown->primitive == OP_BOOLEAN)
		return "true or false: write = true";
	if (field->unit != UNIT_NONE)
		return hints[field->unit];
	return is_real(field) ? "a number: write 1.5" : "a number: write 20";
}

static bool read_value(struct operand *operand, const struct condition *condition,
		       const struct field *field, int zone)
{
	struct str text = condition->value;

	if (field->shown->primitive == OP_NONE || operand->relation == RELATION_LIKE)
		return false;
	if (field->shown->primitive == OP_BOOLEAN)
		return read_boolean(operand, text);
	if (unit_is_timespan(field->unit))
		return read_timespan(operand, text);
	if (unit_is_timestamp(field->unit))
		return read_timestamp(operand, text, zone);
	return read_number(operand, text, field);
}

bool operand_of(struct operand *operand, const struct condition *condition,
		const struct field *field, bool is_dotted, int zone, const char **hint)
{
	*operand = (struct operand){ .relation = condition->relation };
	if (condition->is_null) {
		operand->kind = OPERAND_NULL;
		return true;
	}
	if (is_text(field)) {
		operand->kind = OPERAND_TEXT;
		operand->text = is_dotted ? condition->dotted : condition->value;
		return true;
	}
	if (read_value(operand, condition, field, zone))
		return true;
	*hint = hint_of(operand, field);
	return false;
}

/* From where something stands to the two ends of the operand: <0 before, >0 behind. */
static bool relation_holds(enum relation relation, int to_low, int to_high)
{
	switch (relation) {
	case RELATION_SAME:
		return to_low >= 0 && to_high <= 0;
	case RELATION_LESS:
		return to_low < 0;
	case RELATION_AT_MOST:
		return to_high <= 0;
	case RELATION_GREATER:
		return to_high > 0;
	case RELATION_AT_LEAST:
		return to_low >= 0;
	case RELATION_LIKE:
		break;
	}
	return false;
}

bool operand_takes_time(const struct operand *operand, struct time time)
{
	if (time_is(time, TIME_MISSING))
		return operand->kind == OPERAND_NULL;
	return operand->kind != OPERAND_NULL &&
	       relation_holds(operand->relation, time_compare(time, operand->low),
			      time_compare(time, operand->high));
}

static bool takes_integer(const struct operand *operand, const struct field *field,
			  int64_t number)
{
	__int128 integer = measure_integer(field, number);
	int order;

	if (measure_is_huge(field, number) || field->unit == UNIT_ADDRESS)
		integer = (uint64_t)integer;
	order = (integer > operand->floor) - (integer < operand->floor);
	if (operand->has_rest && order == 0)
		order = -1;
	return relation_holds(operand->relation, order, order);
}

static bool takes_real(const struct operand *operand, double real)
{
	int order = (real > operand->real) - (real < operand->real);

	return real == real && relation_holds(operand->relation, order, order);
}

static bool takes_char(const struct operand *operand, uint32_t unit)
{
	char bytes[UTF_POINT_MAX];
	char *end = utf_write(bytes, unit);

	return operand_takes_text(operand,
				  (struct str){ bytes, (size_t)(end - bytes) });
}

bool operand_takes_number(const struct operand *operand, const struct field *field,
			  const struct value *value, const struct clock *clock)
{
	if (unit_is_timespan(field->unit))
		return operand_takes_time(
			operand, measure_timespan(field, value->number, clock));
	if (unit_is_timestamp(field->unit))
		return operand_takes_time(
			operand, measure_timestamp(field, value->number, clock));
	switch (operand->kind) {
	case OPERAND_INTEGER:
		return takes_integer(operand, field, value->number);
	case OPERAND_REAL:
		return takes_real(operand, value->real);
	case OPERAND_BOOLEAN:
		return operand->is_true == (value->number != 0);
	case OPERAND_TEXT:
		return takes_char(operand, (uint32_t)value->number);
	default:
		return false;
	}
}

bool operand_takes_text(const struct operand *operand, struct str text)
{
	int order;

	if (operand->kind == OPERAND_NULL || !text.bytes)
		return operand->kind == OPERAND_NULL && !text.bytes;
	if (operand->relation == RELATION_LIKE)
		return str_glob(operand->text, text);
	order = str_compare(text, operand->text);
	return relation_holds(operand->relation, order, order);
}
