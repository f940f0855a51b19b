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

/*
 * What a field can hold and is read as, signed and unsigned: bytes of 128 and more are read
 * as others; the ends of longs mean something else: none, for ever.
 */
static const struct bounds {
	int64_t least, most;
} bounds[][2] = {
	[OP_BYTE] = { { INT8_MIN, INT8_MAX }, { 0, INT8_MAX } },
	[OP_SHORT] = { { INT16_MIN, INT16_MAX }, { 0, UINT16_MAX } },
	[OP_CHAR] = { { 0, UINT16_MAX }, { 0, UINT16_MAX } },
	[OP_INT] = { { INT32_MIN, INT32_MAX }, { 0, UINT32_MAX } },
	[OP_LONG] = { { INT64_MIN + 1, INT64_MAX - 1 }, { INT64_MIN + 1, INT64_MAX - 1 } },
};

static const struct bounds *bounds_of(const struct field *field)
{
	enum op_kind kind = field->shown->primitive;
	bool is_known = kind >= OP_BYTE && kind <= OP_LONG;

	return &bounds[is_known ? kind : OP_LONG][field->is_unsigned];
}

int64_t retime_number(struct retime *retime, const struct field *field, int64_t number)
{
	bool is_span = field->unit == UNIT_TIMESPAN_TICKS;
	const struct bounds *in = bounds_of(field);
	int64_t ticks = measure_widen(field, number);

	if (ticks == INT64_MIN || (is_span && ticks == INT64_MAX))
		return number;
	if (is_span)
		ticks = clock_span_ticks(&retime->to, clock_span(&retime->from, ticks));
	else
		ticks = clock_ticks(&retime->to, clock_nanos(&retime->from, ticks));
	if (ticks >= in->least && ticks <= in->most)
		return ticks;
	retime->clipped += field->shown->primitive != OP_LONG;
	return ticks < in->least ? in->least : in->most;
}
