#include "control/eventsettings.h"

#include "base/now.h"
#include "base/timespan.h"
#include "control/members.h"

/* The shortest period, and the longest, so that times can be added to it. */
#define PERIOD_MIN MILLISECOND
#define PERIOD_MAX (INT64_MAX / 4)

/* A length of time of 0 and more; "infinity" is the longest. */
static bool read_time(struct str value, int64_t *nanos, struct err *err)
{
	int64_t read = INT64_MAX;

	if (!str_is(value, STR("infinity")) && !timespan_parse(value, &read, NULL, err))
		return false;
	if (read < 0)
		return err_set(err, ERR_USAGE, "'%.*s' is less than no time",
			       (int)str_front(value, 60).size, value.bytes);
	*nanos = read;
	return true;
}

static bool read_enabled(struct event_setting *of, struct str value, struct err *err)
{
	return member_flag(value, &of->is_enabled, ERR_USAGE, err);
}

static bool read_stack_trace(struct event_setting *of, struct str value,
			     struct err *err)
{
	return member_flag(value, &of->with_stack, ERR_USAGE, err);
}

static bool read_threshold(struct event_setting *of, struct str value, struct err *err)
{
	return read_time(value, &of->threshold, err);
}

static const struct {
	struct str name;
	int64_t period;
} periods[] = {
	{ STR("beginChunk"), PERIOD_BEGIN_CHUNK },
	{ STR("endChunk"), PERIOD_END_CHUNK },
	{ STR("everyChunk"), PERIOD_EVERY_CHUNK },
};

/* Who writes a word means one of those; what else is wrong read_time says. */
static bool fail_period(struct str value, struct err *err)
{
	char first = value.size ? *value.bytes : '0';

	if (!str_is_alphanumeric(first) || (first >= '0' && first <= '9'))
		return false;
	return err_set(err, ERR_USAGE,
		       "'%.*s' is neither a length of time, as in 20ms, nor beginChunk, "
		       "endChunk or everyChunk",
		       (int)str_front(value, 60).size, value.bytes);
}

static bool read_period(struct event_setting *of, struct str value, struct err *err)
{
	int64_t nanos = 0;

	for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		if (str_is(value, periods[i].name)) {
			of->period = periods[i].period;
			return true;
		}
	}
	if (!read_time(value, &nanos, err))
		return fail_period(value, err);
	if (nanos == 0 || nanos == INT64_MAX)
		of->period = PERIOD_NONE;
	else if (nanos < PERIOD_MIN)
		of->period = PERIOD_MIN;
	else
		of->period = nanos < PERIOD_MAX ? nanos : PERIOD_MAX;
	return true;
}

/* Who has filters says what is wrong with them. */
static bool read_filter(struct event_setting *of, struct str value, struct err *err)
{
	(void)err;
	of->filter = value;
	return true;
}

static const struct {
	const char *name;
	bool (*read)(struct event_setting *of, struct str value, struct err *err);
} kinds[] = {
	{ "enabled", read_enabled },
	{ "period", read_period },
	{ "threshold", read_threshold },
	{ "stackTrace", read_stack_trace },
	{ "filter", read_filter },
};

static bool set(struct event_settings *settings, const struct schema_type *type,
		const struct schema_setting *setting, struct str value, struct err *err)
{
	struct event_setting *of = &settings->of[type->id - EVENT_FIRST];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].name, setting->name) != 0)
			continue;
		if (!kinds[i].read(of, value, err))
			return err_within(err, "%s#%s", type->name, setting->name);
		of->texts[setting - type->settings] = value;
	}
	return true;
}

bool event_settings_set(struct event_settings *settings, struct str key,
			struct str value, struct err *err)
{
	struct str name = str_after_last(key, '#');
	struct str event = { key.bytes, key.size - name.size };
	const struct schema_setting *setting;
	const struct schema_type *type;

	if (event.size)
		event.size--;
	type = eventtype_find(event);
	setting = type ? eventtype_setting(type, name) : NULL;
	return !setting || set(settings, type, setting, value, err);
}

/* What the table of event types says. */
static bool set_defaults(struct event_settings *settings,
			 const struct schema_type *type, struct err *err)
{
	for (const struct schema_setting *at = type->settings; at->name; at++) {
		if (!set(settings, type, at, str_of(at->value), err))
			return false;
	}
	return true;
}

bool event_settings_read(struct event_settings *settings, const struct orders *orders,
			 struct err *err)
{
	*settings = (struct event_settings){ 0 };
	for (size_t i = 0; i < EVENT_COUNT; i++) {
		if (!set_defaults(settings, &eventtypes[i], err))
			return false;
	}
	for (size_t i = 0; i < orders->settings.count; i++) {
		const struct order_setting *setting = &orders->settings.items[i];

		if (!event_settings_set(settings, setting->key, setting->value, err))
			return false;
	}
	return true;
}

/* Until helper PARTS has it. */
bool event_settings_unite(struct event_settings *to, const struct event_settings *other,
			  struct arena *arena)
{
	(void)arena;
	for (size_t i = 0; i < EVENT_COUNT; i++) {
		struct event_setting *one = &to->of[i];
		const struct event_setting *two = &other->of[i];

		if (!two->is_enabled)
			continue;
		if (!one->is_enabled) {
			*one = *two;
			continue;
		}
		one->with_stack |= two->with_stack;
		if (two->threshold < one->threshold)
			one->threshold = two->threshold;
		if (two->period > 0 && (one->period <= 0 || two->period < one->period))
			one->period = two->period;
	}
	return true;
}

bool event_settings_differ(const struct event_settings *one,
			   const struct event_settings *other, enum event_id id)
{
	const struct event_setting *a = event_setting_of(one, id);
	const struct event_setting *b = event_setting_of(other, id);

	return a->is_enabled != b->is_enabled || a->threshold != b->threshold ||
	       a->period != b->period || a->with_stack != b->with_stack;
}
