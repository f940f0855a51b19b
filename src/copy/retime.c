#include "copy/retime.h"

#include "jfr/measure.h"

bool retime_is_needed(const struct retime *retime)
{
	const struct clock *from = &retime->from, *to = &retime->to;

	return from->start_ticks != to->start_ticks ||
	       from->start_nanos != to->start_nanos || from->divisor < to->divisor ||
	       from->divisor > to->divisor;
}

int64_t retime_start(const struct retime *retime, int64_t nanos)
{
	int64_t ticks = clock_ticks(&retime->to, nanos);

	/* Times are the first ticks in them: seen from here none is before its time. */
	return retime->to.divisor > 1 ? ticks - 1 : ticks;
}

/* What a field can hold and is read as; bytes of 128 and more are read as others. */
static void find_bounds(const struct field *field, int64_t *least, int64_t *most)
{
	bool is_unsigned = field->is_unsigned;

	switch (field->shown->primitive) {
	case OP_BYTE:
		*least = is_unsigned ? 0 : INT8_MIN;
		*most = INT8_MAX;
		return;
	case OP_SHORT:
		*least = is_unsigned ? 0 : INT16_MIN;
		*most = is_unsigned ? UINT16_MAX : INT16_MAX;
		return;
	case OP_CHAR:
		*least = 0;
		*most = UINT16_MAX;
		return;
	case OP_INT:
		*least = is_unsigned ? 0 : INT32_MIN;
		*most = is_unsigned ? UINT32_MAX : INT32_MAX;
		return;
	default: /* the ends mean something else: none, for ever */
		*least = INT64_MIN + 1;
		*most = INT64_MAX - 1;
		return;
	}
}

int64_t retime_number(struct retime *retime, const struct field *field, int64_t number)
{
	bool is_span = field->unit == UNIT_TIMESPAN_TICKS;
	int64_t ticks = measure_widen(field, number), least, most;

	if (ticks == INT64_MIN || (is_span && ticks == INT64_MAX))
		return number;
	if (is_span)
		ticks = clock_span_ticks(&retime->to, clock_span(&retime->from, ticks));
	else
		ticks = clock_ticks(&retime->to, clock_nanos(&retime->from, ticks));
	find_bounds(field, &least, &most);
	if (ticks >= least && ticks <= most)
		return ticks;
	retime->clipped += field->shown->primitive != OP_LONG;
	return ticks < least ? least : most;
}
