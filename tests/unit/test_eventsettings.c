#include <criterion/criterion.h>
#include <stdio.h>

#include "control/eventsettings.h"
#include "jfc/builtin.h"
#include "jfc/jfcread.h"
#include "jfc/settings.h"

static struct event_settings settings;

/* That setting, and what it makes of the event. */
static const struct event_setting *set(enum event_id id, const char *name,
				       const char *value)
{
	struct err err = { 0 };
	char key[100];

	snprintf(key, sizeof(key), "%s#%s", eventtype_of(id)->name, name);
	cr_assert(event_settings_set(&settings, str_of(key), str_of(value), &err), "%s",
		  err.text);
	return event_setting_of(&settings, id);
}

static const char *fault_of(const char *key, const char *value)
{
	struct event_settings before = settings;
	static struct err err;

	err = (struct err){ 0 };
	cr_assert_not(event_settings_set(&settings, str_of(key), str_of(value), &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_eq(memcmp(&before, &settings, sizeof(before)), 0);
	return err.text;
}

static void read(const struct orders *orders)
{
	struct err err = { 0 };

	cr_assert(event_settings_read(&settings, orders, &err), "%s", err.text);
}

Test(eventsettings, begin_with_all_off)
{
	struct orders orders;

	orders_init(&orders);
	read(&orders);
	for (int id = EVENT_FIRST; id < EVENT_END; id++)
		cr_expect_not(event_setting_of(&settings, (enum event_id)id)->is_enabled);
	cr_expect_eq(event_setting_of(&settings, EVENT_CPU_LOAD)->period,
		     PERIOD_EVERY_CHUNK);
	cr_expect_eq(event_setting_of(&settings, EVENT_JVM_INFORMATION)->period,
		     PERIOD_END_CHUNK);
	cr_expect_eq(event_setting_of(&settings, EVENT_THREAD_END)->period, PERIOD_NONE);
	cr_expect(event_setting_of(&settings, EVENT_THREAD_START)->with_stack);
	cr_expect_not(event_setting_of(&settings, EVENT_VIRTUAL_THREAD_START)->with_stack);
	cr_expect_eq(event_setting_of(&settings, EVENT_GC_PHASE_PAUSE)->threshold, 0);
	orders_clear(&orders);
}

Test(eventsettings, are_what_the_orders_say)
{
	struct orders orders;

	orders_init(&orders);
	cr_assert(orders_set(&orders, STR("jdk.CPULoad#enabled"), STR("true")));
	cr_assert(orders_set(&orders, STR("jdk.CPULoad#period"), STR("1 s")));
	cr_assert(orders_set(&orders, STR("jdk.ThreadPark#threshold"), STR("nonsense")));
	read(&orders);
	cr_expect(event_setting_of(&settings, EVENT_CPU_LOAD)->is_enabled);
	cr_expect_eq(event_setting_of(&settings, EVENT_CPU_LOAD)->period, 1000000000);
	cr_expect_not(event_setting_of(&settings, EVENT_THREAD_CPU_LOAD)->is_enabled);
	orders_clear(&orders);
}

static void expect_text(enum event_id id, const char *name, const char *wanted)
{
	const struct schema_type *type = eventtype_of(id);
	size_t at = (size_t)(eventtype_setting(type, str_of(name)) - type->settings);

	cr_expect(str_is(event_setting_of(&settings, id)->texts[at], str_of(wanted)),
		  "%s#%s", type->name, name);
}

Test(eventsettings, are_told_as_they_were_given)
{
	struct orders orders;

	orders_init(&orders);
	cr_assert(orders_set(&orders, STR("jdk.CPULoad#period"), STR("1 s")));
	cr_assert(orders_set(&orders, STR("jdk.CPULoad#enabled"), STR("true")));
	cr_assert(orders_set(&orders, STR("jdk.CPULoad#period"), STR("0.5s")));
	read(&orders);
	expect_text(EVENT_CPU_LOAD, "period", "0.5s");
	expect_text(EVENT_CPU_LOAD, "enabled", "true");
	expect_text(EVENT_THREAD_CPU_LOAD, "enabled", "false");
	expect_text(EVENT_SHUTDOWN, "stackTrace", "true");
	cr_expect_eq(event_setting_of(&settings, EVENT_CPU_LOAD)->period, 500000000);
	orders_clear(&orders);
}

Test(eventsettings, tell_what_is_wrong_in_the_orders)
{
	struct orders orders;
	struct err err = { 0 };

	orders_init(&orders);
	cr_assert(orders_set(&orders, STR("jdk.CPULoad#enabled"), STR("on")));
	cr_assert_not(event_settings_read(&settings, &orders, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_str_eq(err.text, "jdk.CPULoad#enabled: 'on' is neither true nor false");
	orders_clear(&orders);
}

/* Whatever they say: who reads filters tells what is wrong with them. */
Test(eventsettings, hand_over_filters_as_they_are)
{
	struct orders orders;

	orders_init(&orders);
	cr_assert(orders_set(&orders, STR("jdk.MethodTiming#filter"),
			     STR("a.B;\n  ::c=,/")));
	cr_assert(orders_set(&orders, STR("jdk.CPULoad#filter"), STR("a.B")));
	read(&orders);
	cr_expect(str_is(event_setting_of(&settings, EVENT_METHOD_TIMING)->filter,
			 STR("a.B;\n  ::c=,/")));
	cr_expect_eq(event_setting_of(&settings, EVENT_METHOD_TRACE)->filter.size, 0);
	cr_expect_eq(event_setting_of(&settings, EVENT_CPU_LOAD)->filter.size, 0);
	cr_expect(event_setting_of(&settings, EVENT_METHOD_TRACE)->with_stack);
	cr_expect_eq(event_setting_of(&settings, EVENT_METHOD_TIMING)->period,
		     PERIOD_END_CHUNK);
	orders_clear(&orders);
}

Test(eventsettings, know_periods)
{
	static const struct {
		const char *text;
		int64_t period;
	} rows[] = {
		{ "everyChunk", PERIOD_EVERY_CHUNK },
		{ "beginChunk", PERIOD_BEGIN_CHUNK },
		{ "endChunk", PERIOD_END_CHUNK },
		{ "20 ms", 20000000 },
		{ "20ms", 20000000 },
		{ "1.5 s", 1500000000 },
		{ "1 ms", 1000000 },
		{ "999 us", 1000000 },
		{ "1 ns", 1000000 },
		{ "0 s", PERIOD_NONE },
		{ "0", PERIOD_NONE },
		{ "infinity", PERIOD_NONE },
		{ "100000 d", INT64_MAX / 4 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_eq(set(EVENT_CPU_LOAD, "period", rows[i].text)->period,
			     rows[i].period, "%s", rows[i].text);
}

Test(eventsettings, know_flags_and_thresholds)
{
	cr_expect(set(EVENT_SHUTDOWN, "enabled", "true")->is_enabled);
	cr_expect_not(set(EVENT_SHUTDOWN, "enabled", "false")->is_enabled);
	cr_expect(set(EVENT_SHUTDOWN, "stackTrace", "true")->with_stack);
	cr_expect_not(set(EVENT_SHUTDOWN, "stackTrace", "false")->with_stack);
	cr_expect_eq(set(EVENT_GARBAGE_COLLECTION, "threshold", "10 us")->threshold, 10000);
	cr_expect_eq(set(EVENT_GARBAGE_COLLECTION, "threshold", "0 ns")->threshold, 0);
	cr_expect_eq(set(EVENT_GARBAGE_COLLECTION, "threshold", "infinity")->threshold,
		     INT64_MAX);
}

Test(eventsettings, pass_over_what_is_not_theirs)
{
	static const char *const keys[] = {
		"jdk.ThreadPark#enabled", "jdk.CPULoad#threshold", "jdk.CPULoad#stackTrace",
		"jdk.CPULoad#filter", "jdk.CPULoad#throttle", "jdk.CPULoad#", "jdk.CPULoad",
		"#enabled", "#", "", "CPULoad#enabled", "java.lang.Thread#enabled",
	};
	struct event_settings before = settings;
	struct err err = { 0 };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		cr_expect(event_settings_set(&settings, str_of(keys[i]), STR("nonsense"),
					     &err), "%s", keys[i]);
	cr_expect_eq(memcmp(&before, &settings, sizeof(before)), 0);
}

Test(eventsettings, name_key_and_value)
{
	cr_expect_str_eq(fault_of("jdk.CPULoad#enabled", "TRUE"),
			 "jdk.CPULoad#enabled: 'TRUE' is neither true nor false");
	cr_expect_str_eq(fault_of("jdk.CPULoad#enabled", ""),
			 "jdk.CPULoad#enabled: '' is neither true nor false");
	cr_expect_str_eq(fault_of("jdk.CPULoad#period", "endchunk"),
			 "jdk.CPULoad#period: 'endchunk' is neither a length of time, as in "
			 "20ms, nor beginChunk, endChunk or everyChunk");
	cr_expect_str_eq(fault_of("jdk.CPULoad#period", "20 parsecs"),
			 "jdk.CPULoad#period: '20 parsecs' has a unit that is none of d, h, "
			 "m, s, ms, us, ns");
	cr_expect_str_eq(fault_of("jdk.CPULoad#period", "20"),
			 "jdk.CPULoad#period: 20 has no unit; write 20ms or 20s");
	cr_expect_str_eq(fault_of("jdk.CPULoad#period", "-1 s"),
			 "jdk.CPULoad#period: '-1 s' is less than no time");
	cr_expect_str_eq(fault_of("jdk.CPULoad#period", "300000 d"),
			 "jdk.CPULoad#period: '300000 d' is longer than 292 years");
	cr_expect_str_eq(fault_of("jdk.GCPhasePause#threshold", "-1 s"),
			 "jdk.GCPhasePause#threshold: '-1 s' is less than no time");
	cr_expect_str_eq(fault_of("jdk.Shutdown#stackTrace", "no"),
			 "jdk.Shutdown#stackTrace: 'no' is neither true nor false");
}

/* True if the settings have that one of that event. */
static bool has(const struct settings *own, const struct schema_type *type,
		const char *name)
{
	char key[100];

	snprintf(key, sizeof(key), "%s#%s", type->name, name);
	for (size_t i = 0; i < own->items.count; i++) {
		if (str_is(own->items.items[i].key, str_of(key)))
			return true;
	}
	return false;
}

static void check_own(struct str text)
{
	struct configuration all;
	struct settings own = { .arena.limit = 0 };
	struct orders orders;
	struct err err = { 0 };

	orders_init(&orders);
	cr_assert(configuration_init(&all, &err) && jfcread(&all, text, &err), "%s",
		  err.text);
	cr_assert(settings_add_all(&own, &all));
	for (size_t i = 0; i < own.items.count; i++)
		cr_assert(orders_set(&orders, own.items.items[i].key,
				     own.items.items[i].value));
	read(&orders);
	for (size_t i = 0; i < EVENT_COUNT; i++) {
		const struct schema_setting *at = eventtypes[i].settings;

		/* A filter that is empty is no setting. */
		for (; at->name; at++)
			cr_expect(!*at->value || has(&own, &eventtypes[i], at->name),
				  "%s#%s", eventtypes[i].name, at->name);
	}
	cr_expect(event_setting_of(&settings, EVENT_THREAD_CPU_LOAD)->is_enabled);
	cr_expect_eq(event_setting_of(&settings, EVENT_THREAD_CPU_LOAD)->period,
		     10000000000);
	orders_clear(&orders);
	settings_clear(&own);
	configuration_clear(&all);
}

Test(eventsettings, are_all_in_the_files_that_come_with_the_program)
{
	check_own(own_default);
	check_own(own_profile);
}

/* --- several recordings at once --------------------------------------------------- */

/* With those settings, "jdk.CPULoad#period=1 s" and so on; NULL ends them. */
static struct event_settings settings_of(const char *const lines[])
{
	struct event_settings of;
	struct orders orders;
	struct err err;

	orders_init(&orders);
	cr_assert(event_settings_read(&of, &orders, &err));
	for (; *lines; lines++) {
		const char *mark = strchr(*lines, '=');
		struct str key = { *lines, (size_t)(mark - *lines) };

		cr_assert(event_settings_set(&of, key, str_of(mark + 1), &err), "%s",
			  err.text);
	}
	orders_clear(&orders);
	return of;
}

#define SETTINGS_OF(...) settings_of((const char *const[]){ __VA_ARGS__, NULL })

/* Both of them, in `settings`. */
static void unite(struct event_settings one, const struct event_settings *other)
{
	static struct arena arena;

	arena_reset(&arena);
	settings = one;
	cr_assert(event_settings_unite(&settings, other, &arena));
}

static void expect_period(const char *one, const char *other, const char *wanted)
{
	struct event_settings both[2];
	const char *texts[] = { one, other };
	struct event_setting alone;

	for (size_t i = 0; i < 2; i++) {
		settings = SETTINGS_OF("jdk.CPULoad#enabled=true");
		set(EVENT_CPU_LOAD, "period", texts[i]);
		both[i] = settings;
	}
	alone = *set(EVENT_CPU_LOAD, "period", wanted);
	for (size_t i = 0; i < 2; i++) {
		unite(both[i], &both[1 - i]);
		cr_expect_eq(event_setting_of(&settings, EVENT_CPU_LOAD)->period,
			     alone.period, "%s and %s", one, other);
		expect_text(EVENT_CPU_LOAD, "period", wanted);
	}
}

Test(eventsettings, have_the_shorter_period)
{
	static const char *const rising[] = { "20 ms", "1 s", "100000 d", "everyChunk",
					      "0 s" };

	for (size_t i = 0; i < sizeof(rising) / sizeof(*rising); i++) {
		for (size_t k = i; k < sizeof(rising) / sizeof(*rising); k++)
			expect_period(rising[i], rising[k], rising[i]);
	}
	expect_period("beginChunk", "beginChunk", "beginChunk");
	expect_period("endChunk", "endChunk", "endChunk");
	expect_period("beginChunk", "endChunk", "everyChunk");
	expect_period("beginChunk", "everyChunk", "everyChunk");
	expect_period("endChunk", "everyChunk", "everyChunk");
	expect_period("beginChunk", "10 s", "10 s");
	expect_period("endChunk", "10 s", "10 s");
	expect_period("beginChunk", "infinity", "beginChunk");
	expect_period("endChunk", "infinity", "endChunk");
}

Test(eventsettings, have_what_either_wants)
{
	struct event_settings other =
		SETTINGS_OF("jdk.Shutdown#enabled=true", "jdk.Shutdown#stackTrace=true",
			    "jdk.MethodTrace#enabled=true",
			    "jdk.MethodTrace#threshold=10 ms",
			    "jdk.MethodTrace#filter=a.B;!c.D", "jdk.CPULoad#period=1 s",
			    "jdk.GCPhasePause#enabled=true",
			    "jdk.GCPhasePause#threshold=3 ms");
	const struct event_setting *of;

	unite(SETTINGS_OF("jdk.Shutdown#enabled=true", "jdk.Shutdown#stackTrace=false",
			  "jdk.MethodTrace#enabled=true", "jdk.MethodTrace#threshold=20 ms",
			  "jdk.MethodTrace#filter=c.*", "jdk.MethodTrace#stackTrace=false",
			  "jdk.CPULoad#enabled=true", "jdk.CPULoad#period=10 s"),
	      &other);
	cr_expect(event_setting_of(&settings, EVENT_SHUTDOWN)->with_stack);
	expect_text(EVENT_SHUTDOWN, "stackTrace", "true");
	of = event_setting_of(&settings, EVENT_METHOD_TRACE);
	cr_expect(of->with_stack);
	cr_expect_eq(of->threshold, 10000000);
	cr_expect(str_is(of->filter, STR("c.*;a.B")));
	expect_text(EVENT_METHOD_TRACE, "threshold", "10 ms");
	expect_text(EVENT_METHOD_TRACE, "filter", "c.*;a.B");
	of = event_setting_of(&settings, EVENT_GC_PHASE_PAUSE);
	cr_expect(of->is_enabled && of->threshold == 3000000);
	expect_text(EVENT_GC_PHASE_PAUSE, "enabled", "true");
	expect_text(EVENT_GC_PHASE_PAUSE, "threshold", "3 ms");
	cr_expect_not(event_setting_of(&settings, EVENT_METHOD_TIMING)->is_enabled);
}

Test(eventsettings, pass_over_what_is_off)
{
	struct event_settings other =
		SETTINGS_OF("jdk.CPULoad#period=1 s", "jdk.MethodTrace#filter=a.B",
			    "jdk.ThreadCPULoad#enabled=true", "jdk.ThreadCPULoad#period=5 s");

	unite(SETTINGS_OF("jdk.CPULoad#enabled=true", "jdk.CPULoad#period=10 s",
			  "jdk.ThreadCPULoad#period=1 s"),
	      &other);
	cr_expect_eq(event_setting_of(&settings, EVENT_CPU_LOAD)->period, 10000000000);
	cr_expect_eq(event_setting_of(&settings, EVENT_THREAD_CPU_LOAD)->period,
		     5000000000);
	cr_expect_eq(event_setting_of(&settings, EVENT_METHOD_TRACE)->filter.size, 0);
}

Test(eventsettings, differ_by_type)
{
	struct event_settings one = SETTINGS_OF("jdk.Shutdown#enabled=true"), other = one;

	settings = one;
	set(EVENT_CPU_LOAD, "period", "20 ms");
	set(EVENT_SHUTDOWN, "stackTrace", "true");
	other = settings;
	for (int id = EVENT_FIRST; id < EVENT_END; id++)
		cr_expect_not(event_settings_differ(&one, &other, (enum event_id)id));
	set(EVENT_CPU_LOAD, "enabled", "true");
	cr_expect(event_settings_differ(&one, &settings, EVENT_CPU_LOAD));
	cr_expect(event_settings_differ(&settings, &one, EVENT_CPU_LOAD));
	other = settings;
	set(EVENT_CPU_LOAD, "period", "0.02s");
	cr_expect_not(event_settings_differ(&other, &settings, EVENT_CPU_LOAD));
	set(EVENT_CPU_LOAD, "period", "21 ms");
	cr_expect(event_settings_differ(&other, &settings, EVENT_CPU_LOAD));
	set(EVENT_SHUTDOWN, "stackTrace", "false");
	cr_expect(event_settings_differ(&other, &settings, EVENT_SHUTDOWN));
	other = settings = SETTINGS_OF("jdk.MethodTrace#enabled=true");
	set(EVENT_METHOD_TRACE, "threshold", "1 ms");
	cr_expect_not(event_settings_differ(&other, &settings, EVENT_METHOD_TRACE),
		      "both are without a filter");
	set(EVENT_METHOD_TRACE, "filter", "a.C");
	other = settings;
	set(EVENT_METHOD_TRACE, "threshold", "2 ms");
	cr_expect(event_settings_differ(&other, &settings, EVENT_METHOD_TRACE));
	other = settings;
	set(EVENT_METHOD_TRACE, "filter", "a.B");
	cr_expect(event_settings_differ(&other, &settings, EVENT_METHOD_TRACE));
}
