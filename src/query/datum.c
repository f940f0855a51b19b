#include "query/datum.h"

#include <math.h>

#include "base/decimal.h"
#include "base/digits.h"

/* The order of anything that < and > know. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* As Java has it: all NaNs are one and the greatest, and -0.0 is less than 0.0. */
static int compare_reals(double a, double b)
{
	if (isnan(a) || isnan(b))
		return ORDER(isnan(a) != 0, isnan(b) != 0);
	if (a == 0 && b == 0)
		return ORDER(signbit(b) != 0, signbit(a) != 0);
	return ORDER(a, b);
}

/*
 * The shortest decimal of a double from 2^53 on, which is a whole number. That of the
 * largest double below 2^64 fits 64 bits, too.
 */
static uint64_t whole_of(double real)
{
	struct decimal decimal = decimal_of_double(real);
	uint64_t whole = 0;

	for (int i = 0; i < decimal.count; i++)
		whole = whole * 10 + (uint64_t)(decimal.digits[i] - '0');
	return whole * digits_powers[decimal.point - decimal.count];
}

/*
 * Java makes a BigDecimal of the double's text. Below 2^53 it is on the same side of
 * each whole number as the double; above, where doubles are whole, it may be another.
 */
static int compare_mixed(int64_t number, double real)
{
	uint64_t size = number < 0 ? -(uint64_t)number : (uint64_t)number;

	if (fabs(real) < 0x1p53) {
		int64_t whole = (int64_t)floor(real);
		int order = ORDER(number, whole);

		return order ? order : -(real > (double)whole);
	}
	if (isnan(real) || fabs(real) >= 0x1p64 || (number < 0) != (real < 0))
		return real < 0 ? 1 : -1;
	return real < 0 ? ORDER(whole_of(-real), size) : ORDER(size, whole_of(real));
}

static int compare_numbers(const struct datum *a, const struct datum *b)
{
	if (datum_is_real(a))
		return datum_is_real(b) ? compare_reals(a->real, b->real) :
					  -compare_mixed(b->number, a->real);
	return datum_is_real(b) ? compare_mixed(a->number, b->real) :
				  ORDER(a->number, b->number);
}

/* Of one kind, and none of numbers. */
static int compare_alike(const struct datum *a, const struct datum *b)
{
	switch (a->kind) {
	case DATUM_TIME:
	case DATUM_SPAN:
		return time_compare(datum_time(a), datum_time(b));
	case DATUM_BOOLEAN:
	case DATUM_CHAR:
		return ORDER(a->number, b->number);
	case DATUM_THING:
		if (a->thing->kind == THING_TEXT && b->thing->kind == THING_TEXT)
			return str_compare(a->thing->text, b->thing->text);
		return 0;
	default:
		return 0;
	}
}

int datum_compare(const struct datum *a, const struct datum *b)
{
	if (a->kind == DATUM_NULL || b->kind == DATUM_NULL)
		return ORDER(a->kind != DATUM_NULL, b->kind != DATUM_NULL);
	if (datum_is_number(a) && datum_is_number(b))
		return compare_numbers(a, b);
	if (datum_is_number(a) || datum_is_number(b))
		return datum_is_number(a) ? 1 : -1;
	return a->kind == b->kind ? compare_alike(a, b) : 0;
}

/* What lists hold are no lists. */
static bool is_same_item(const struct datum *a, const struct datum *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case DATUM_NULL:
		return true;
	case DATUM_FLOAT:
	case DATUM_DOUBLE:
		return compare_reals(a->real, b->real) == 0;
	case DATUM_TIME:
	case DATUM_SPAN:
		return time_is(datum_time(a), datum_time(b));
	case DATUM_THING:
		return a->thing == b->thing;
	case DATUM_LIST:
		return a->list == b->list;
	default:
		return a->number == b->number;
	}
}

static bool is_same_list(const struct datum_list *a, const struct datum_list *b)
{
	size_t at = 0;

	if (a->count != b->count)
		return false;
	while (at < a->count && is_same_item(&a->items[at], &b->items[at]))
		at++;
	return at == a->count;
}

bool datum_is(const struct datum *a, const struct datum *b)
{
	if (a->kind == DATUM_LIST && b->kind == DATUM_LIST)
		return is_same_list(a->list, b->list);
	return is_same_item(a, b);
}
