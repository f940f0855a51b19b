#include "query/words.h"

#include <math.h>

#include "base/decimal.h"
#include "base/utf.h"
#include "jfr/units.h"
#include "query/plain.h"

/* What is asked of a datum's text. */
struct manner {
	const struct column *column;
	enum words_form form;
	int zone;
};

/*
 * Of a stack its first frame, of a frame its method. Bytes NULL if there is none: the
 * JDK does not survive a thread without a name, or a stack without frames.
 */
static struct str thing_text(const struct thing *thing, enum words_form form)
{
	if (thing->kind == THING_STACK) {
		if (thing->frame_count == 0)
			return (struct str){ NULL, 0 };
		thing = thing->frames[0];
	}
	if (thing->kind == THING_FRAME) {
		if (!thing->method)
			return STR("<unknown>");
		thing = thing->method;
	}
	if (form == WORDS_COMPACT && thing->compact.bytes)
		return thing->compact;
	return thing->text;
}

/* Numbers that stand for none; a byte or a short has no such value. */
static bool is_missing(const struct datum *datum)
{
	switch (datum->kind) {
	case DATUM_NULL:
		return true;
	case DATUM_FLOAT:
	case DATUM_DOUBLE:
		return isnan(datum->real) || (isinf(datum->real) && datum->real < 0);
	case DATUM_LONG:
		return datum->number == INT64_MIN;
	case DATUM_INT:
		return datum->number == INT32_MIN;
	case DATUM_SPAN:
		return time_is(datum_time(datum), TIME_MISSING);
	default:
		return false;
	}
}

/* What would break a line of a table. */
static bool is_break(char byte)
{
	return byte == '\n' || byte == '\r' || byte == '\t';
}

static bool has_break(struct str text)
{
	size_t at = 0;

	while (at < text.size && !is_break(text.bytes[at]))
		at++;
	return at < text.size;
}

static struct str missing_text(const struct column *column)
{
	return column->missing.bytes ? column->missing : STR("");
}

struct str words_ready(const struct column *column, const struct datum *datum,
		       enum words_form form)
{
	struct str text;

	if (is_missing(datum))
		return missing_text(column);
	if (datum->kind != DATUM_THING)
		return (struct str){ NULL, 0 };
	text = thing_text(datum->thing, form);
	if (!text.bytes)
		return missing_text(column);
	if (datum->thing->kind == THING_TEXT && has_break(text))
		return (struct str){ NULL, 0 };
	return text;
}

/* A string, the only thing whose text is not ready. */
static void add_unbroken(struct buf *to, struct str text)
{
	for (size_t i = 0; i < text.size; i++)
		buf_byte(to, is_break(text.bytes[i]) ? ' ' : text.bytes[i]);
}

static void add_span(struct buf *to, struct time span, int places)
{
	if (time_is(span, TIME_FOREVER))
		buf_text(to, "Indefinite");
	else
		units_timespan_fixed(to, span, places);
}

/* As Java casts it to a long. */
static int64_t integer_of(const struct datum *number)
{
	return datum_is_real(number) ? clock_integer(number->real) : number->number;
}

static void add_amount(struct buf *to, const struct column *column, int64_t amount)
{
	static const enum amount_unit units[2][2] = {
		{ AMOUNT_BITS, AMOUNT_BITS_PER_SECOND },
		{ AMOUNT_BYTES, AMOUNT_BYTES_PER_SECOND },
	};

	units_amount(to, amount, units[column->is_bytes][column->is_frequency], false);
}

/* Java's own text of a number: "1.0E7". */
static void add_simple(struct buf *to, const struct datum *number)
{
	if (number->kind == DATUM_DOUBLE)
		decimal_add_double(to, number->real);
	else if (number->kind == DATUM_FLOAT)
		decimal_add_float(to, (float)number->real);
	else
		buf_integer(to, number->number);
}

static void add_number(struct buf *to, const struct column *column,
		       const struct datum *number)
{
	if (column->is_percentage) {
		units_percentage(to, datum_real(number), false);
	} else if (column->is_bytes || column->is_bits) {
		add_amount(to, column, integer_of(number));
	} else if (column->is_address) {
		units_address(to, (uint64_t)integer_of(number));
	} else if (column->is_frequency) {
		add_simple(to, number);
		buf_text(to, " Hz");
	} else {
		words_add_number(to, number);
	}
}

/* What words_ready does not have. */
static void make(struct buf *to, const struct manner *manner, const struct datum *datum)
{
	switch (datum->kind) {
	case DATUM_BOOLEAN:
		buf_text(to, datum->number ? "true" : "false");
		break;
	case DATUM_CHAR:
		utf_add(to, (uint32_t)datum->number);
		break;
	case DATUM_TIME:
		units_time_of_day(to, datum_time(datum), manner->zone);
		break;
	case DATUM_SPAN:
		add_span(to, datum_time(datum), manner->column->precision);
		break;
	case DATUM_THING:
		add_unbroken(to, datum->thing->text);
		break;
	default:
		add_number(to, manner->column, datum);
	}
}

static void add_single(struct buf *to, const struct manner *manner,
		       const struct datum *datum)
{
	struct str ready = words_ready(manner->column, datum, manner->form);

	if (ready.bytes)
		buf_str(to, ready);
	else
		make(to, manner, datum);
}

static void add_list(struct buf *to, const struct manner *manner,
		     const struct datum_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		if (i > 0)
			buf_text(to, ", ");
		add_single(to, manner, &list->items[i]);
	}
}

void words_add(struct buf *to, const struct column *column, const struct datum *datum,
	       enum words_form form, int zone)
{
	const struct manner manner = { column, form, zone };

	if (datum->kind == DATUM_LIST)
		add_list(to, &manner, datum->list);
	else
		add_single(to, &manner, datum);
}

void words_add_number(struct buf *to, const struct datum *number)
{
	if (datum_is_real(number))
		plain_add_real(to, number->real);
	else
		plain_add_integer(to, number->number);
}
