/*
 * retime.h - ticks of one clock as those of another, which then tell the same times.
 *
 * To the nanosecond, as long as the other clock has that many ticks, and the times lie
 * within 2^53 of its ticks from its start: readers reckon in doubles (clock.h).
 */
#ifndef COPY_RETIME_H
#define COPY_RETIME_H

#include <stdbool.h>
#include <stdint.h>

#include "jfr/clock.h"
#include "jfr/metadata.h"

struct retime {
	struct clock from, to;
	uint64_t clipped;	/* times that did not fit into their fields */
};

/* False if both clocks are the same: then nothing changes. */
bool retime_is_needed(const struct retime *retime);

/* The tick at which a chunk begins, for readers that go by its own header. */
int64_t retime_start(const struct retime *retime, int64_t nanos);

/* What the number in a field whose unit is ticks becomes. */
int64_t retime_number(struct retime *retime, const struct field *field, int64_t number);

#endif
