#include "filter/filter.h"

#include "base/date.h"
#include "base/timespan.h"
#include "jfr/clock.h"

bool filter_accepts(const struct filter *filter, const struct type *type)
{
	const struct rule events = { RULE_EVENTS, false, filter->events };
	const struct rule categories = { RULE_CATEGORIES, false, filter->categories };

	if (filter->events.bytes && !rule_accepts(&events, type))
		return false;
	if (filter->categories.bytes && !rule_accepts(&categories, type))
		return false;
	for (size_t i = 0; i < filter->rules.count; i++) {
		if (!rule_accepts(&filter->rules.items[i], type))
			return false;
	}
	return true;
}

/* So much of a text is repeated in a message. */
#define SHOWN_MAX 60

static bool fail(struct err *err, struct str text, const char *why)
{
	struct str shown = str_front(text, SHOWN_MAX);

	return err_set(err, ERR_USAGE, "'%.*s' %s", (int)shown.size, shown.bytes, why);
}

static int64_t minus(int64_t nanos)
{
	return nanos == INT64_MIN ? INT64_MAX : -nanos;
}

static bool read_date(struct bound *bound, struct str text, struct err *err)
{
	static const enum bound_kind kinds[] = {
		[DATE_UTC] = BOUND_UTC,
		[DATE_LOCAL] = BOUND_LOCAL,
		[DATE_OF_DAY] = BOUND_OF_DAY,
	};
	struct date date;

	if (!date_parse(text, &date, err))
		return false;
	*bound = (struct bound){ kinds[date.kind], date.nanos, date.precision };
	return true;
}

/* What begins with a letter, but for the P of ISO 8601, is neither date nor time. */
static bool is_nothing(struct str text)
{
	unsigned char byte = text.size ? (unsigned char)*text.bytes : 0;

	return (byte | 0x20) >= 'a' && (byte | 0x20) != 'p';
}

static bool read_bound(struct bound *bound, struct str text, struct err *err)
{
	bool is_before_end;
	int64_t nanos;

	text = str_trim(text);
	if (date_is_meant(text))
		return read_date(bound, text, err);
	if (is_nothing(text))
		return fail(err, text,
			    "is neither a point in time (2026-11-29T22:06:54Z, "
			    "22:06) nor a length of time (30s, -30s)");
	if (!timespan_parse(text, &nanos, &is_before_end, err))
		return false;
	*bound = (struct bound){ is_before_end ? BOUND_BEFORE_END : BOUND_AFTER_START,
				 is_before_end ? minus(nanos) : nanos, 1 };
	return true;
}

/* A length of time that is not negative. */
static bool read_length(int64_t *nanos, struct str text, struct err *err)
{
	bool is_negative;

	if (!timespan_parse(text, nanos, &is_negative, err))
		return false;
	return !is_negative || fail(err, str_trim(text), "must not be negative");
}

bool filter_set_from(struct filter *filter, struct str text, struct err *err)
{
	return read_bound(&filter->from, text, err);
}

bool filter_set_to(struct filter *filter, struct str text, struct err *err)
{
	return read_bound(&filter->to, text, err);
}

bool filter_set_last(struct filter *filter, struct str text, struct err *err)
{
	int64_t nanos;

	if (!read_length(&nanos, text, err))
		return false;
	filter->from = (struct bound){ BOUND_BEFORE_END, nanos, 1 };
	return true;
}

bool filter_set_min_duration(struct filter *filter, struct str text, struct err *err)
{
	filter->has_min_duration = read_length(&filter->min_duration, text, err);
	return filter->has_min_duration;
}

bool filter_add_condition(struct filter *filter, struct str text, struct err *err)
{
	struct condition *condition = condition_new(text, err);

	if (!condition)
		return false;
	if (vec_push(&filter->conditions, condition))
		return true;
	condition_free(condition);
	return err_memory(err);
}

bool filter_add_rule(struct filter *filter, const struct rule *rule)
{
	return vec_push(&filter->rules, *rule);
}

bool filter_check(const struct filter *filter, struct err *err)
{
	const struct bound *from = &filter->from, *to = &filter->to;

	if (from->kind == to->kind && from->nanos > to->nanos &&
	    (from->kind == BOUND_UTC || from->kind == BOUND_LOCAL))
		return err_set(err, ERR_USAGE,
			       "the end of the window is before its start");
	return true;
}

void filter_clear(struct filter *filter)
{
	for (size_t i = 0; i < filter->conditions.count; i++)
		condition_free(filter->conditions.items[i]);
	vec_clear(&filter->conditions);
	vec_clear(&filter->rules);
	*filter = (struct filter){ 0 };
}

bool filter_has_window(const struct filter *filter)
{
	return filter->from.kind != BOUND_NONE || filter->to.kind != BOUND_NONE;
}

static bool bound_needs_start(const struct bound *bound)
{
	return bound->kind == BOUND_LOCAL || bound->kind == BOUND_OF_DAY ||
	       bound->kind == BOUND_AFTER_START;
}

bool filter_needs_start(const struct filter *filter)
{
	return bound_needs_start(&filter->from) || bound_needs_start(&filter->to);
}

bool filter_needs_end(const struct filter *filter)
{
	return filter->from.kind == BOUND_BEFORE_END ||
	       filter->to.kind == BOUND_BEFORE_END;
}

/* Sums that do not fit end where numbers end. */
static int64_t plus(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return a < 0 ? INT64_MIN : INT64_MAX;
}

/* The first such time of day that is not over at the start; both of one zone. */
static int64_t next_of_day(const struct bound *bound, int64_t start)
{
	int64_t second = start % DATE_DAY;
	int64_t midnight = plus(start, -(second < 0 ? second + DATE_DAY : second));
	int64_t time = plus(midnight, bound->nanos);

	return plus(time, bound->precision - 1) < start ? plus(time, DATE_DAY) : time;
}

/* What a clock on the wall shows, in nanoseconds, as UTC; and the other way round. */
static int64_t utc_of_local(int64_t nanos, int zone)
{
	int64_t seconds = time_of_nanos(nanos).seconds;

	return plus(nanos, (clock_utc_of_local(zone, seconds) - seconds) * DATE_SECOND);
}

static int64_t local_of_utc(int64_t nanos, int zone)
{
	int64_t seconds = time_of_nanos(nanos).seconds;

	return plus(nanos, clock_zone_at(zone, seconds) * DATE_SECOND);
}

static int64_t resolve(const struct bound *bound, int64_t start, int64_t end, int zone)
{
	switch (bound->kind) {
	case BOUND_NONE:
	case BOUND_UTC:
		break;
	case BOUND_LOCAL:
		return utc_of_local(bound->nanos, zone);
	case BOUND_OF_DAY:
		return utc_of_local(next_of_day(bound, local_of_utc(start, zone)), zone);
	case BOUND_AFTER_START:
		return plus(start, bound->nanos);
	case BOUND_BEFORE_END:
		return plus(end, minus(bound->nanos));
	}
	return bound->nanos;
}

void filter_resolve(struct filter *filter, int64_t start, int64_t end, int zone)
{
	const struct bound *to = &filter->to;

	filter->zone = zone;
	filter->window_from = INT64_MIN;
	filter->window_to = INT64_MAX;
	if (filter->from.kind != BOUND_NONE)
		filter->window_from = resolve(&filter->from, start, end, zone);
	if (to->kind == BOUND_NONE)
		return;
	filter->window_to = resolve(to, start, end, zone);
	if (to->precision < DATE_SECOND)
		filter->window_to = plus(filter->window_to, to->precision - 1);
}

bool filter_needs_constants(const struct filter *filter)
{
	for (size_t i = 0; i < filter->rules.count; i++) {
		if (filter->rules.items[i].kind == RULE_THREADS)
			return true;
	}
	return filter->threads.bytes || filter->conditions.count > 0;
}

bool filter_takes_all(const struct filter *filter)
{
	return !filter_has_window(filter) && !filter->has_min_duration &&
	       !filter_needs_constants(filter) && !filter->events.bytes &&
	       !filter->categories.bytes && filter->rules.count == 0;
}
