#include "query/samples.h"

#include <math.h>
#include <stdlib.h>

#include "base/date.h"
#include "base/vec.h"

struct samples {
	enum datum_kind kind;		/* of all of them */
	VEC(int64_t) items;		/* whole numbers, or the bits of doubles */
	VEC(struct rank) ranks;		/* of each, where order matters; until settled */
	double sum;			/* of what was merged, where that is enough */
	int64_t count;
};

static bool is_real(const struct samples *samples)
{
	return samples->kind == DATUM_FLOAT || samples->kind == DATUM_DOUBLE;
}

static struct datum item(const struct samples *samples, size_t index)
{
	int64_t bits = samples->items.items[index];
	double real;

	if (!is_real(samples))
		return datum_of_integer(samples->kind, bits);
	memcpy(&real, &bits, sizeof(real));
	return datum_of_real(samples->kind, real);
}

static double item_real(const struct samples *samples, size_t index)
{
	struct datum datum = item(samples, index);

	return datum_real(&datum);
}

/* --- adding ------------------------------------------------------------------------ */

static void add_any(void *state, const struct addend *addend)
{
	struct samples *samples = state;
	int64_t bits = addend->value.number;

	if (!datum_is_number(&addend->value))
		return;
	if (datum_is_real(&addend->value))
		memcpy(&bits, &addend->value.real, sizeof(bits));
	samples->kind = addend->value.kind;
	if (!vec_push(&samples->items, bits))
		*addend->failed = true;
}

static void add_finite(void *state, const struct addend *addend)
{
	if (datum_is_finite(&addend->value))
		add_any(state, addend);
}

static void add_ranked(void *state, const struct addend *addend)
{
	struct samples *samples = state;

	if (!datum_is_finite(&addend->value))
		return;
	add_any(samples, addend);
	if (!vec_push(&samples->ranks, *addend->rank))
		*addend->failed = true;
}

/* Nanoseconds as Java has them in a long, which may overflow. */
static struct addend nanos_of(const struct addend *addend)
{
	const struct datum *span = &addend->value;
	struct addend nanos = *addend;

	nanos.value = DATUM_NONE;
	if (span->kind == DATUM_SPAN)
		nanos.value = datum_of_integer(
			DATUM_LONG, (int64_t)((uint64_t)span->number * DATE_SECOND +
					      (uint64_t)span->nanos));
	return nanos;
}

static void add_span(void *state, const struct addend *addend)
{
	struct addend nanos = nanos_of(addend);

	add_any(state, &nanos);
}

static void add_ranked_span(void *state, const struct addend *addend)
{
	struct addend nanos = nanos_of(addend);

	add_ranked(state, &nanos);
}

/* --- settling and merging ------------------------------------------------------------ */

struct ranked {
	struct rank rank;
	int64_t bits;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	return rank_compare(&one->rank, &other->rank);
}

static void settle(void *state, bool *failed)
{
	struct samples *samples = state;
	size_t count = samples->items.count;
	struct ranked *all;

	if (*failed || count == 0)
		return;
	all = malloc(count * sizeof(*all));
	if (!all) {
		*failed = true;
		return;
	}
	for (size_t i = 0; i < count; i++)
		all[i] = (struct ranked){ samples->ranks.items[i],
					  samples->items.items[i] };
	qsort(all, count, sizeof(*all), compare_ranked);
	for (size_t i = 0; i < count; i++)
		samples->items.items[i] = all[i].bits;
	free(all);
	vec_clear(&samples->ranks);
}

static void merge_items(const struct merging *merging)
{
	const struct samples *later = merging->later;
	struct samples *samples = merging->state;

	if (later->items.count)
		samples->kind = later->kind;
	for (size_t i = 0; i < later->items.count; i++) {
		if (!vec_push(&samples->items, later->items.items[i]))
			*merging->failed = true;
	}
}

/* One after the other: a sum of sums would be rounded otherwise. */
static void merge_sum(const struct merging *merging)
{
	const struct samples *later = merging->later;
	struct samples *samples = merging->state;

	for (size_t i = 0; i < later->items.count; i++)
		samples->sum += item_real(later, i);
	samples->count += (int64_t)later->items.count;
}

/* --- results -------------------------------------------------------------------------- */

static struct datum double_of(double real)
{
	return datum_of_real(DATUM_DOUBLE, real);
}

static struct datum result_sum(void *state)
{
	const struct samples *samples = state;

	return samples->count ? double_of(samples->sum) : DATUM_NONE;
}

static struct datum result_mean(void *state)
{
	const struct samples *samples = state;

	return samples->count ? double_of(samples->sum / (double)samples->count)
			      : DATUM_NONE;
}

static int compare_reals(const void *a, const void *b)
{
	struct datum one = double_of(0), other = double_of(0);

	memcpy(&one.real, a, sizeof(one.real));
	memcpy(&other.real, b, sizeof(other.real));
	return datum_compare(&one, &other);
}

static int compare_wholes(const void *a, const void *b)
{
	const int64_t *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

static void sort(struct samples *samples)
{
	if (samples->items.count)
		qsort(samples->items.items, samples->items.count, sizeof(int64_t),
		      is_real(samples) ? compare_reals : compare_wholes);
}

static struct datum result_median(void *state)
{
	struct samples *samples = state;
	size_t count = samples->items.count;

	if (count == 0)
		return DATUM_NONE;
	sort(samples);
	if (count % 2 == 1)
		return item(samples, count / 2);
	return double_of((item_real(samples, count / 2 - 1) +
			  item_real(samples, count / 2)) / 2);
}

/* With one more than there are, so that the ends are stretched (jfr-tool.md 5.5). */
static struct datum percentile(struct samples *samples, double part)
{
	size_t count = samples->items.count;
	double place = (double)(count + 1) * part, below, above;
	size_t next = (size_t)place;

	if (count == 0)
		return DATUM_NONE;
	sort(samples);
	if (count == 1 || next < 1)
		return item(samples, 0);
	if (next >= count)
		return item(samples, count - 1);
	below = item_real(samples, next - 1);
	above = item_real(samples, next);
	return double_of(below + (place - (double)next) * (above - below));
}

static struct datum result_p90(void *state)
{
	return percentile(state, 0.90);
}

static struct datum result_p95(void *state)
{
	return percentile(state, 0.95);
}

static struct datum result_p99(void *state)
{
	return percentile(state, 0.99);
}

static struct datum result_p999(void *state)
{
	return percentile(state, 0.999);
}

static struct datum result_deviation(void *state)
{
	const struct samples *samples = state;
	size_t count = samples->items.count;
	double sum = 0, mean;

	if (count == 0)
		return DATUM_NONE;
	for (size_t i = 0; i < count; i++)
		sum += item_real(samples, i);
	mean = sum / (double)count;
	sum = 0;
	for (size_t i = 0; i < count; i++) {
		double off = item_real(samples, i) - mean;

		sum += off * off;
	}
	return double_of(sqrt(sum / (double)count));
}

/* Nanoseconds as a timespan; fractions of one are dropped. */
static struct datum span_of(struct datum nanos)
{
	int64_t whole = nanos.number;

	if (nanos.kind == DATUM_NULL)
		return nanos;
	if (datum_is_real(&nanos))
		whole = clock_integer(nanos.real);
	return datum_of_time(DATUM_SPAN, time_of_nanos(whole));
}

static void clear(void *state)
{
	struct samples *samples = state;

	vec_clear(&samples->items);
	vec_clear(&samples->ranks);
}

/* An aggregator of numbers, and the same of timespans. */
#define PAIR(name, add_number, add_timespan, put_in_order)                          \
	static struct datum result_span_##name(void *state)                         \
	{                                                                           \
		return span_of(result_##name(state));                               \
	}                                                                           \
	const struct function samples_##name = {                                    \
		sizeof(struct samples), add_number, put_in_order, merge_items,      \
		result_##name, clear                                                \
	};                                                                          \
	const struct function samples_##name##_of_spans = {                         \
		sizeof(struct samples), add_timespan, put_in_order, merge_items,    \
		result_span_##name, clear                                           \
	}

PAIR(median, add_any, add_span, NULL);
PAIR(p90, add_finite, add_span, NULL);
PAIR(p95, add_finite, add_span, NULL);
PAIR(p99, add_finite, add_span, NULL);
PAIR(p999, add_finite, add_span, NULL);
PAIR(deviation, add_ranked, add_ranked_span, settle);

const struct function samples_sum = {
	sizeof(struct samples), add_ranked, settle, merge_sum, result_sum, clear
};
const struct function samples_mean = {
	sizeof(struct samples), add_ranked, settle, merge_sum, result_mean, clear
};
