#include "control/eventsettings.h"

#include "base/now.h"
#include "base/timespan.h"
#include "control/filtertext.h"
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

static bool is_wanted(const struct schema_type *type, const struct event_setting *of)
{
	return of->is_enabled && (!eventtype_setting(type, STR("filter")) ||
				  filtertext_selects(of->filter));
}

bool event_settings_want(const struct event_settings *settings, enum event_id id)
{
	return is_wanted(eventtype_of(id), event_setting_of(settings, id));
}

/* --- several recordings at once --------------------------------------------------- */

/* One takes the setting of the other, with its text. */
struct joint {
	const struct schema_type *type;
	struct event_setting *to;
	const struct event_setting *other;
	struct arena *arena;
};

/* Where the text of a setting is; NULL: the type does not have it. */
static struct str *text_of(const struct joint *joint, const char *name)
{
	const struct schema_setting *setting =
		eventtype_setting(joint->type, str_of(name));

	return setting ? &joint->to->texts[setting - joint->type->settings] : NULL;
}

static void take_text(const struct joint *joint, const char *name)
{
	struct str *text = text_of(joint, name);

	if (text)
		*text = joint->other->texts[text - joint->to->texts];
}

static void say(const struct joint *joint, const char *name, struct str value)
{
	struct str *text = text_of(joint, name);

	if (text)
		*text = value;
}

static void unite_stack(const struct joint *joint)
{
	if (joint->to->with_stack || !joint->other->with_stack)
		return;
	joint->to->with_stack = true;
	take_text(joint, "stackTrace");
}

static void unite_threshold(const struct joint *joint)
{
	if (joint->other->threshold >= joint->to->threshold)
		return;
	joint->to->threshold = joint->other->threshold;
	take_text(joint, "threshold");
}

/* How often an event comes: the less, the more often. */
static int64_t rank_of(int64_t period)
{
	if (period == PERIOD_NONE)
		return INT64_MAX;
	return period > 0 ? period : INT64_MAX - 1;
}

static void unite_period(const struct joint *joint)
{
	int64_t one = joint->to->period, other = joint->other->period;

	if (one < 0 && other < 0 && one != other) {
		joint->to->period = PERIOD_EVERY_CHUNK;
		say(joint, "period", STR("everyChunk"));
	} else if (rank_of(other) < rank_of(one)) {
		joint->to->period = other;
		take_text(joint, "period");
	}
}

static bool unite_filter(const struct joint *joint)
{
	struct str united;

	if (!filtertext_unite(joint->to->filter, joint->other->filter, joint->arena,
			      &united))
		return false;
	joint->to->filter = united;
	say(joint, "filter", united);
	return true;
}

static bool unite(const struct joint *joint)
{
	if (!is_wanted(joint->type, joint->other) && joint->to->is_enabled)
		return true;
	if (!is_wanted(joint->type, joint->to)) {
		if (joint->other->is_enabled)
			*joint->to = *joint->other;
		return true;
	}
	unite_stack(joint);
	unite_threshold(joint);
	unite_period(joint);
	return unite_filter(joint);
}

bool event_settings_unite(struct event_settings *to, const struct event_settings *other,
			  struct arena *arena)
{
	for (size_t i = 0; i < EVENT_COUNT; i++) {
		struct joint joint = { &eventtypes[i], &to->of[i], &other->of[i], arena };

		if (!unite(&joint))
			return false;
	}
	return true;
}

bool event_settings_differ(const struct event_settings *one,
			   const struct event_settings *other, enum event_id id)
{
	const struct event_setting *a = event_setting_of(one, id);
	const struct event_setting *b = event_setting_of(other, id);

	bool is_a = event_settings_want(one, id), is_b = event_settings_want(other, id);

	if (!is_a || !is_b)
		return is_a != is_b;
	return a->with_stack != b->with_stack ||
	       a->threshold != b->threshold || a->period != b->period ||
	       !str_is(a->filter, b->filter);
}
