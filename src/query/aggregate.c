#include "query/aggregate.h"

#include <math.h>

#include "base/date.h"
#include "query/collection.h"
#include "query/samples.h"

#define SECONDS_LEAST INT64_C(-31557014167219200)	/* of an Instant */

static struct datum long_of(int64_t number)
{
	return datum_of_integer(DATUM_LONG, number);
}

/* --- one of the values: the first, the last, the last that is not null --------------- */

struct kept {
	bool is_there;
	struct rank rank;
	struct datum value;
};

static void add_last(void *state, const struct addend *addend)
{
	struct kept *kept = state;

	if (!kept->is_there || rank_is_before(&kept->rank, addend->rank))
		*kept = (struct kept){ true, *addend->rank, addend->value };
}

static void add_last_present(void *state, const struct addend *addend)
{
	if (addend->value.kind != DATUM_NULL)
		add_last(state, addend);
}

static void add_first(void *state, const struct addend *addend)
{
	struct kept *kept = state;

	if (!kept->is_there || rank_is_before(addend->rank, &kept->rank))
		*kept = (struct kept){ true, *addend->rank, addend->value };
}

static void import(const struct merging *merging)
{
	struct kept *kept = merging->state;

	*kept = *(const struct kept *)merging->later;
	kept->value = lexicon_import(merging->lexicon, &kept->value);
}

static void merge_last(const struct merging *merging)
{
	if (((const struct kept *)merging->later)->is_there)
		import(merging);
}

static void merge_first(const struct merging *merging)
{
	if (!((const struct kept *)merging->state)->is_there)
		import(merging);
}

static struct datum result_kept(void *state)
{
	const struct kept *kept = state;

	return kept->is_there ? kept->value : DATUM_NONE;
}

bool aggregate_batch_end(const void *state, int64_t *nanos)
{
	const struct kept *kept = state;

	*nanos = kept->rank.nanos;
	return kept->is_there;
}

/* --- the difference of the first and the last ----------------------------------------- */

struct ends {
	struct kept first, last;
	uint64_t count;
};

static void add_end(struct ends *ends, const struct addend *addend)
{
	add_first(&ends->first, addend);
	add_last(&ends->last, addend);
	ends->count++;
}

static void add_number_end(void *state, const struct addend *addend)
{
	if (datum_is_finite(&addend->value))
		add_end(state, addend);
}

static void add_time_end(void *state, const struct addend *addend)
{
	if (addend->value.kind == DATUM_TIME)
		add_end(state, addend);
}

/* Numbers and times: there is nothing to import. */
static void merge_ends(const struct merging *merging)
{
	const struct ends *later = merging->later;
	struct ends *ends = merging->state;

	if (later->count == 0)
		return;
	if (ends->count == 0)
		ends->first = later->first;
	ends->last = later->last;
	ends->count += later->count;
}

static struct datum result_number_ends(void *state)
{
	const struct ends *ends = state;
	const struct datum *first = &ends->first.value, *last = &ends->last.value;

	if (ends->count == 0)
		return DATUM_NONE;
	if (datum_is_integral(first) && datum_is_integral(last))
		return long_of((int64_t)((uint64_t)last->number -
					 (uint64_t)first->number));
	if (first->kind == DATUM_FLOAT && last->kind == DATUM_FLOAT)
		return datum_of_real(DATUM_FLOAT,
				     (float)last->real - (float)first->real);
	return datum_of_real(DATUM_DOUBLE, datum_real(last) - datum_real(first));
}

/* A missing time is the least that Java has. */
static int64_t seconds_of(const struct datum *time)
{
	return time_is(datum_time(time), TIME_MISSING) ? SECONDS_LEAST : time->number;
}

static struct datum result_time_ends(void *state)
{
	const struct ends *ends = state;
	struct time span;

	if (ends->count == 0)
		return DATUM_NONE;
	if (ends->count == 1)
		return datum_of_time(DATUM_SPAN, TIME_FOREVER);
	span.seconds = seconds_of(&ends->last.value) - seconds_of(&ends->first.value);
	span.nanos = ends->last.value.nanos - ends->first.value.nanos;
	if (span.nanos < 0) {
		span.nanos += DATE_SECOND;
		span.seconds--;
	}
	return datum_of_time(DATUM_SPAN, span);
}

/* --- the least and the greatest --------------------------------------------------------- */

/* What Java can compare: threads, methods and the like it cannot. */
static bool is_comparable(const struct datum *value)
{
	return value->kind != DATUM_NULL && value->kind != DATUM_LIST &&
	       (value->kind != DATUM_THING || value->thing->kind == THING_TEXT);
}

static void take_if(struct datum *best, const struct datum *value, int sign)
{
	if (is_comparable(value) &&
	    (best->kind == DATUM_NULL || datum_compare(value, best) * sign > 0))
		*best = *value;
}

static void add_maximum(void *state, const struct addend *addend)
{
	take_if(state, &addend->value, 1);
}

static void add_minimum(void *state, const struct addend *addend)
{
	take_if(state, &addend->value, -1);
}

static void merge_extreme(const struct merging *merging, int sign)
{
	struct datum value = lexicon_import(merging->lexicon, merging->later);

	take_if(merging->state, &value, sign);
}

static void merge_maximum(const struct merging *merging)
{
	merge_extreme(merging, 1);
}

static void merge_minimum(const struct merging *merging)
{
	merge_extreme(merging, -1);
}

static struct datum result_extreme(void *state)
{
	return *(struct datum *)state;
}

/* --- counts, and sums and means that do not depend on the order --------------------------- */

/* Of whole numbers; of spans, whose nanoseconds are apart. Longs wrap around. */
struct sum {
	uint64_t total;
	int64_t nanos;
	int64_t count;
};

static void add_one(void *state, const struct addend *addend)
{
	(void)addend;
	((struct sum *)state)->count++;
}

static void add_whole(void *state, const struct addend *addend)
{
	const struct datum *value = &addend->value;
	struct sum *sum = state;

	if (!datum_is_number(value))
		return;
	sum->total += (uint64_t)(datum_is_real(value) ? clock_integer(value->real)
						      : value->number);
	sum->count++;
}

static void add_span(void *state, const struct addend *addend)
{
	struct sum *sum = state;

	if (addend->value.kind != DATUM_SPAN)
		return;
	sum->total += (uint64_t)addend->value.number;
	sum->nanos += addend->value.nanos;
	sum->count++;
}

static void merge_sum(const struct merging *merging)
{
	const struct sum *later = merging->later;
	struct sum *sum = merging->state;

	sum->total += later->total;
	sum->nanos += later->nanos;
	sum->count += later->count;
}

static struct datum result_count(void *state)
{
	return long_of(((const struct sum *)state)->count);
}

static struct datum result_whole_sum(void *state)
{
	const struct sum *sum = state;

	return sum->count ? long_of((int64_t)sum->total) : DATUM_NONE;
}

static struct datum result_span_sum(void *state)
{
	const struct sum *sum = state;
	struct time time = { 0, (int32_t)(sum->nanos % DATE_SECOND) };

	/* Where the JDK gives up. */
	if (__builtin_add_overflow((int64_t)sum->total, sum->nanos / DATE_SECOND,
				   &time.seconds))
		time = TIME_FOREVER;
	return sum->count ? datum_of_time(DATUM_SPAN, time) : DATUM_NONE;
}

/* Rounded as Java's Math.round does it: up from the middle. */
static struct datum result_span_mean(void *state)
{
	const struct sum *sum = state;
	double total = 1e9 * (double)(int64_t)sum->total + (double)sum->nanos;
	double mean = total / (double)sum->count, below = floor(mean);

	if (!sum->count)
		return DATUM_NONE;
	return datum_of_time(DATUM_SPAN, time_of_nanos(clock_integer(
						 below + (mean - below >= 0.5))));
}

/* --- the table ------------------------------------------------------------------------------ */

static void add_nothing(void *state, const struct addend *addend)
{
	(void)state;
	(void)addend;
}

static void merge_nothing(const struct merging *merging)
{
	(void)merging;
}

#define KEPT(add, merge) { sizeof(struct kept), add, NULL, merge, result_kept, NULL }
#define ENDS(add, result) { sizeof(struct ends), add, NULL, merge_ends, result, NULL }
#define EXTREME(add, merge)                                                         \
	{ sizeof(struct datum), add, NULL, merge, result_extreme, NULL }
#define SUM(add, result) { sizeof(struct sum), add, NULL, merge_sum, result, NULL }

static const struct function last_present = KEPT(add_last_present, merge_last);
static const struct function first = KEPT(add_first, merge_first);
static const struct function last = KEPT(add_last, merge_last);
static const struct function difference = ENDS(add_number_end, result_number_ends);
static const struct function time_difference = ENDS(add_time_end, result_time_ends);
static const struct function maximum = EXTREME(add_maximum, merge_maximum);
static const struct function minimum = EXTREME(add_minimum, merge_minimum);
static const struct function count = SUM(add_one, result_count);
static const struct function whole_sum = SUM(add_whole, result_whole_sum);
static const struct function span_sum = SUM(add_span, result_span_sum);
static const struct function span_mean = SUM(add_span, result_span_mean);
static const struct function nothing = EXTREME(add_nothing, merge_nothing);

/* What a column may hold, as far as aggregators differ by it. */
enum content {
	CONTENT_OTHER,
	CONTENT_WHOLE,
	CONTENT_REAL,
	CONTENT_SPAN,
	CONTENT_TIME,
	CONTENT_COUNT,
};

static enum content content_of(const struct column *column)
{
	if (column->is_timestamp)
		return CONTENT_TIME;
	if (column->is_timespan)
		return CONTENT_SPAN;
	if (column->is_fractional)
		return CONTENT_REAL;
	return column->is_integral ? CONTENT_WHOLE : CONTENT_OTHER;
}

#define FOR_ALL(function)                                                           \
	{ &(function), &(function), &(function), &(function), &(function) }
#define BUT_SPANS(function)                                                         \
	{ &(function), &(function), &(function), &function##_of_spans, &(function) }

static const struct function *const
functions[AGGREGATOR_COUNT_OF_KINDS][CONTENT_COUNT] = {
	[AGGREGATOR_NONE] = FOR_ALL(last_present),
	[AGGREGATOR_AVERAGE] = { &samples_mean, &samples_mean, &samples_mean,
				 &span_mean, &samples_mean },
	[AGGREGATOR_COUNT] = FOR_ALL(count),
	[AGGREGATOR_DIFFERENCE] = { &difference, &difference, &difference, &difference,
				    &time_difference },
	[AGGREGATOR_FIRST] = FOR_ALL(first),
	[AGGREGATOR_LAST] = FOR_ALL(last),
	[AGGREGATOR_LIST] = FOR_ALL(collection_list),
	[AGGREGATOR_SET] = FOR_ALL(collection_set),
	[AGGREGATOR_MAXIMUM] = FOR_ALL(maximum),
	[AGGREGATOR_MEDIAN] = BUT_SPANS(samples_median),
	[AGGREGATOR_MINIMUM] = FOR_ALL(minimum),
	[AGGREGATOR_P90] = BUT_SPANS(samples_p90),
	[AGGREGATOR_P95] = BUT_SPANS(samples_p95),
	[AGGREGATOR_P99] = BUT_SPANS(samples_p99),
	[AGGREGATOR_P999] = BUT_SPANS(samples_p999),
	[AGGREGATOR_DEVIATION] = BUT_SPANS(samples_deviation),
	[AGGREGATOR_SUM] = { &nothing, &whole_sum, &samples_sum, &span_sum, &whole_sum },
	[AGGREGATOR_UNIQUE] = FOR_ALL(collection_unique),
	[AGGREGATOR_LAST_BATCH] = FOR_ALL(last),
};

const struct function *aggregate_function(const struct column *column)
{
	if (column->group >= 0)
		return &last_present;
	return functions[column->aggregator][content_of(column)];
}
