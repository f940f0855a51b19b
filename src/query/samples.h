/*
 * samples.h - aggregators that look at all numbers at once, or take them in order.
 *
 * Of timespans they see the nanoseconds.
 */
#ifndef QUERY_SAMPLES_H
#define QUERY_SAMPLES_H

#include "query/function.h"

extern const struct function samples_median, samples_median_of_spans;
extern const struct function samples_p90, samples_p90_of_spans;
extern const struct function samples_p95, samples_p95_of_spans;
extern const struct function samples_p99, samples_p99_of_spans;
extern const struct function samples_p999, samples_p999_of_spans;
extern const struct function samples_deviation, samples_deviation_of_spans;

/* Sums of doubles, and the mean of any numbers: their rounding depends on the order. */
extern const struct function samples_sum, samples_mean;

#endif
