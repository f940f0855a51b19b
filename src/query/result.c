#include "query/result.h"

#include <stdlib.h>

#include "query/words.h"

/* A row and what it is sorted by. */
struct item {
	const struct cells *row;
	union {
		struct datum value;
		struct str text;
	};
};

/* Rows on their way into an order. */
struct order {
	struct item *items;
	struct item *spare;	/* room for half of them */
	bool is_lexical;
	int sign;		/* -1: the greatest comes first */
	struct arena texts;
};

static int item_compare(const struct order *order, const struct item *a,
			const struct item *b)
{
	return order->sign * (order->is_lexical ? str_compare(a->text, b->text) :
						  datum_compare(&a->value, &b->value));
}

/* Merges two sorted runs that follow each other. Of equals, the left one goes first. */
static void merge(const struct order *order, struct item *items, size_t middle,
		  size_t count)
{
	const struct item *left = order->spare, *left_end = left + middle;
	const struct item *right = items + middle, *right_end = items + count;

	memcpy(order->spare, items, middle * sizeof(*items));
	while (left < left_end && right < right_end) {
		if (item_compare(order, left, right) <= 0)
			*items++ = *left++;
		else
			*items++ = *right++;
	}
	memcpy(items, left, (size_t)(left_end - left) * sizeof(*items));
}

/* Halves that lie right already, as events by time mostly do, cost next to nothing. */
static void merge_sort(const struct order *order, struct item *items, size_t count)
{
	size_t middle = count / 2;

	if (count < 2)
		return;
	merge_sort(order, items, middle);
	merge_sort(order, items + middle, count - middle);
	if (item_compare(order, &items[middle - 1], &items[middle]) > 0)
		merge(order, items, middle, count);
}

/* Each text is made once, and not even that if the value has one. */
static bool set_texts(struct order *order, const struct result *result, size_t column)
{
	const struct column *kind = &result->plan->columns[column];
	struct buf buf = { 0 };
	bool has_failed = false;

	for (size_t i = 0; i < result->rows.count && !has_failed; i++) {
		struct item *item = &order->items[i];
		struct datum cell = result_cell(result, item->row, column);

		item->text = words_ready(kind, &cell, WORDS_FULL);
		if (item->text.bytes)
			continue;
		buf_reset(&buf);
		words_add(&buf, kind, &cell, WORDS_FULL, result->zone);
		item->text.size = buf.size;
		item->text.bytes = arena_copy(&order->texts, buf.bytes, buf.size);
		has_failed = buf.failed || !item->text.bytes;
	}
	buf_clear(&buf);
	return !has_failed;
}

static void set_values(struct order *order, const struct result *result, size_t column)
{
	for (size_t i = 0; i < result->rows.count; i++)
		order->items[i].value =
			*result_value(result, order->items[i].row, column);
}

static bool is_descending(const struct column *column, enum query_direction direction)
{
	if (direction == ORDER_DEFAULT)
		return column->is_timespan || column->is_percentage;
	return direction == ORDER_DESCENDING;
}

static bool sort_items(struct order *order, struct result *result, size_t column)
{
	size_t count = result->rows.count;

	for (size_t i = 0; i < count; i++)
		order->items[i].row = result->rows.items[i];
	if (!order->is_lexical)
		set_values(order, result, column);
	else if (!set_texts(order, result, column))
		return false;
	merge_sort(order, order->items, count);
	for (size_t i = 0; i < count; i++)
		result->rows.items[i] = order->items[i].row;
	return true;
}

bool result_sort(struct result *result, size_t column, enum query_direction direction,
		 struct err *err)
{
	const struct column *kind = &result->plan->columns[column];
	size_t count = result->rows.count;
	struct order order = {
		.is_lexical = kind->is_lexical,
		.sign = is_descending(kind, direction) ? -1 : 1,
	};
	bool is_good;

	if (count < 2)
		return true;
	order.items = malloc(count * sizeof(*order.items));
	order.spare = malloc(count / 2 * sizeof(*order.spare));
	is_good = order.items && order.spare && sort_items(&order, result, column);
	free(order.items);
	free(order.spare);
	arena_clear(&order.texts);
	return is_good || err_memory(err);
}

/* What makes a column one to sort by. */
enum basis {
	BASIS_ORDER,		/* it is the nth of ORDER BY */
	BASIS_AGGREGATE,
	BASIS_GROUP,
};

static bool is_wanted(const struct column *column, enum basis basis, size_t nth)
{
	if (basis == BASIS_AGGREGATE)
		return column->aggregator != AGGREGATOR_NONE;
	if (basis == BASIS_GROUP)
		return column->group >= 0;
	return column->order >= 0 && (size_t)column->order == nth;
}

/*
 * Sorts by each of these columns, one after the other: the last one weighs most. False
 * without memory; *found is set if there is one.
 */
static bool sort_by(struct result *result, enum basis basis, size_t nth, bool *found,
		    struct err *err)
{
	const struct plan *plan = result->plan;

	for (size_t i = 0; i < plan->column_count; i++) {
		const struct column *column = &plan->columns[i];

		if (!is_wanted(column, basis, nth))
			continue;
		*found = true;
		if (!result_sort(result, i,
				 column->order >= 0 ? column->direction : ORDER_DEFAULT,
				 err))
			return false;
	}
	return true;
}

static bool sort_by_default(struct result *result, struct err *err)
{
	bool found = false;

	if (!sort_by(result, BASIS_AGGREGATE, 0, &found, err))
		return false;
	if (!found && !sort_by(result, BASIS_GROUP, 0, &found, err))
		return false;
	return found || result->plan->column_count == 0 ||
	       result_sort(result, 0, ORDER_DEFAULT, err);
}

static bool sort_by_plan(struct result *result, struct err *err)
{
	bool found = false;

	if (result->plan->order_count == 0)
		return sort_by_default(result, err);
	for (size_t nth = result->plan->order_count; nth-- > 0;)
		if (!sort_by(result, BASIS_ORDER, nth, &found, err))
			return false;
	return true;
}

static double column_total(const struct result *result, size_t column)
{
	double total = 0;

	for (size_t i = 0; i < result->rows.count; i++) {
		const struct datum *datum =
			result_value(result, result->rows.items[i], column);

		if (datum_is_number(datum))
			total += datum_real(datum);
	}
	return total;
}

/* Before rows are sorted: sums of doubles depend on the order. */
static bool make_totals(struct result *result)
{
	const struct plan *plan = result->plan;

	for (size_t i = 0; i < plan->column_count; i++) {
		if (!plan->columns[i].is_normalized)
			continue;
		if (!result->totals)
			result->totals = arena_array(&result->arena, plan->column_count,
						     sizeof(*result->totals));
		if (!result->totals)
			return false;
		result->totals[i] = column_total(result, i);
	}
	return true;
}

bool result_finish(struct result *result, struct err *err)
{
	if (!make_totals(result))
		return err_memory(err);
	return sort_by_plan(result, err);
}

/* Of what has no length, the same; of no time recorded, nothing. */
static struct datum share_of_run(const struct result *result, const struct datum *span)
{
	double nanos = (double)span->number * 1e9 + span->nanos;

	if (time_is(datum_time(span), TIME_MISSING) ||
	    time_is(datum_time(span), TIME_FOREVER))
		return *span;
	if (result->run_nanos <= 0)
		return DATUM_NONE;
	return datum_of_real(DATUM_DOUBLE, nanos / (double)result->run_nanos);
}

const struct datum *result_value(const struct result *result, const struct cells *row,
				 size_t column)
{
	static const struct datum none = { .kind = DATUM_NULL };
	const struct column *kind = &result->plan->columns[column];

	while (row && row->part != kind->part)
		row = row->next;
	if (row)
		return &row->items[kind->cell];
	return result->blanks ? &result->blanks[column] : &none;
}

struct datum result_cell(const struct result *result, const struct cells *row,
			 size_t column)
{
	const struct column *kind = &result->plan->columns[column];
	const struct datum *datum = result_value(result, row, column);

	if (kind->is_normalized && result->totals && datum_is_number(datum))
		return datum_of_real(DATUM_DOUBLE,
				     datum_real(datum) / result->totals[column]);
	if (kind->is_share_of_run && datum->kind == DATUM_SPAN)
		return share_of_run(result, datum);
	return *datum;
}

size_t result_shown(const struct result *result)
{
	size_t count = result->rows.count, limit = result->limit;

	return count < limit ? count : limit;
}

void result_clear(struct result *result)
{
	vec_clear(&result->rows);
	arena_clear(&result->arena);
	result->totals = NULL;
}
