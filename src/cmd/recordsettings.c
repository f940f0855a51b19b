#include "cmd/recordsettings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/jfcfiles.h"
#include "cmd/recordmethods.h"
#include "cmd/recordorders.h"
#include "cmd/usage.h"
#include "control/eventsettings.h"
#include "jfc/choice.h"
#include "jfc/settings.h"
#include "jfr/eventtypes.h"

/* Each file is on its own, as for a JVM: two of them may have the same options. */
struct file {
	struct configuration it;
	char *name;
	struct file *next;
};

struct work {
	const struct invocation *invocation;
	struct file *first, **end;	/* of the files, in order */
	bool are_changed;		/* by options of theirs */
	bool is_change;			/* of settings that we do not know */
	bool has_others;		/* who take what is not known here */
	struct settings settings;
	struct event_settings events;	/* what all that comes to */
	struct buf warnings;
	struct err err;
};

/* --- files ------------------------------------------------------------------------ */

static bool add_file(void *context, const char *name, struct err *err)
{
	struct work *work = context;
	struct file *file = calloc(1, sizeof(*file));

	if (!file)
		return err_memory(err);
	*work->end = file;
	work->end = &file->next;
	file->name = strdup(name);
	if (!file->name)
		return err_memory(err);
	return configuration_init(&file->it, err) &&
	       jfcfiles_add_own(&file->it, name, &work->warnings, err);
}

static bool load(struct work *work, const struct option_list *files)
{
	struct str rest, line;
	bool is_good = files->count || work->is_change ||
		       add_file(work, "default", &work->err);

	for (size_t i = 0; is_good && i < files->count; i++)
		is_good = jfcfiles_each(files->items[i], add_file, work, &work->err);
	rest = (struct str){ work->warnings.bytes, work->warnings.size };
	while (str_split(&rest, '\n', &line))
		complain(work->invocation, "%.*s", (int)line.size, line.bytes);
	return is_good;
}

static void close_files(struct work *work)
{
	while (work->first) {
		struct file *file = work->first;

		work->first = file->next;
		configuration_clear(&file->it);
		free(file->name);
		free(file);
	}
}

/* --- words ------------------------------------------------------------------------ */

static struct str key_of(const char *word)
{
	return (struct str){ word, strcspn(word, "=") };
}

static bool is_setting(struct str key)
{
	return memchr(key.bytes, '#', key.size) != NULL;
}

static struct str event_of(struct str key)
{
	struct str event;

	str_split(&key, '#', &event);
	return event;
}

/* One of ours, of which somebody thinks as HotSpot spells it: "maxage=1h". */
static const char *find_row(struct str key)
{
	for (const struct option_row *row = record_rows; row->name; row++) {
		if (str_is(str_of(row->name), key))
			return row->name;
	}
	return NULL;
}

static bool fail_input(struct work *work, struct str key, struct str value)
{
	const char *row = find_row(key);
	struct str names[64];
	size_t count = 0;
	int nearest;

	if (row)
		return err_set(&work->err, ERR_USAGE, "'%.*s' is an option with "
			       "dashes: --%s %.*s", (int)key.size, key.bytes, row,
			       (int)value.size, value.bytes);
	for (const struct file *file = work->first; file; file = file->next) {
		for (const struct node *at = configuration_input(&file->it);
		     at && count < 64; at = configuration_next_input(at))
			names[count++] = node_get(at, STR("name"));
	}
	if (!work->first)
		return err_set(&work->err, ERR_USAGE, "'%.*s' is no setting, as in "
			       "event#setting=value; for options of .jfc files, name "
			       "them: --settings", (int)key.size, key.bytes);
	nearest = str_nearest(key, names, count);
	if (nearest >= 0)
		return err_set(&work->err, ERR_USAGE,
			       "there is no option '%.*s'; did you mean '%.*s'?",
			       (int)key.size, key.bytes, (int)names[nearest].size,
			       names[nearest].bytes);
	return err_set(&work->err, ERR_USAGE, "the settings have no option '%.*s'",
		       (int)key.size, key.bytes);
}

/* What our engine knows; files may well speak of events that it has not. */
static bool is_known(struct str key)
{
	const struct schema_type *type = eventtype_find(event_of(key));

	return type && eventtype_setting(type, str_after_last(key, '#'));
}

static void note_known(void *context, const struct node *setting)
{
	bool *is_any_known = context;
	struct buf key = { 0 };

	settings_key(&key, setting);
	*is_any_known |= is_known((struct str){ key.bytes, key.size });
	buf_clear(&key);
}

/* "gc=all": an option of the files, of each that has it. */
static bool set_input(struct work *work, struct str key, struct str value)
{
	bool is_there = false, is_any_known = false;

	for (struct file *file = work->first; file; file = file->next) {
		struct node *input = configuration_find_input(&file->it, key);

		if (!input)
			continue;
		is_there = work->are_changed = true;
		if (!choice_set(&file->it, input, value, NULL, &work->err) ||
		    !choice_reach(&file->it, input, note_known, &is_any_known,
				  &work->err))
			return false;
	}
	if (!is_there)
		return work->has_others || fail_input(work, key, value);
	if (!is_any_known)
		complain(work->invocation, "note: nothing that is recorded depends on "
			 "'%.*s'", (int)key.size, key.bytes);
	return true;
}

/* Events of others, and what tells here what they tell. */
static const struct {
	const char *name, *ours;
} instead[] = {
	{ "jdk.CPUTimeSample", "jdk.ExecutionSample, by CPU time" },
	{ "jdk.CPUTimeSamplesLost", "cjfr.SamplerStatistics" },
};

/* NULL, with the reason: it is not recorded. */
static const struct schema_type *fail_event(struct work *work, struct str name,
					    const char *full)
{
	struct str names[EVENT_COUNT];
	int nearest;

	for (size_t i = 0; i < sizeof(instead) / sizeof(instead[0]); i++) {
		if (str_is(name, str_of(instead[i].name)) ||
		    strcmp(full, instead[i].name) == 0) {
			err_set(&work->err, ERR_USAGE, "no event '%.*s' is recorded, "
				"but %s", (int)name.size, name.bytes, instead[i].ours);
			return NULL;
		}
	}
	for (size_t i = 0; i < EVENT_COUNT; i++)
		names[i] = str_of(eventtypes[i].name);
	nearest = str_nearest(name, names, EVENT_COUNT);
	if (nearest < 0)
		nearest = str_nearest(str_of(full), names, EVENT_COUNT);
	if (nearest >= 0)
		err_set(&work->err, ERR_USAGE,
			"no event '%.*s' is recorded; did you mean '%s'?",
			(int)name.size, name.bytes, eventtypes[nearest].name);
	else
		err_set(&work->err, ERR_USAGE, "no event '%.*s' is recorded; 'cjfr "
			"metadata' lists those that are", (int)name.size, name.bytes);
	return NULL;
}

static const struct schema_type *find_event(struct work *work, struct str name)
{
	const struct schema_type *type = eventtype_find(name);
	char full[256];

	if (type || name.size > sizeof(full) - sizeof("jdk."))
		return type;
	snprintf(full, sizeof(full), "jdk.%.*s", (int)name.size, name.bytes);
	type = eventtype_find(str_of(full));
	return type ? type : fail_event(work, name, full);
}

static bool fail_name(struct work *work, const struct schema_type *type,
		      struct str name)
{
	struct buf has = { 0 };

	for (const struct schema_setting *at = type->settings; at && at->name; at++)
		buf_printf(&has, "%s%s", has.size ? ", " : "", at->name);
	err_set(&work->err, ERR_USAGE, "%s has no setting '%.*s', but %.*s", type->name,
		(int)name.size, name.bytes, (int)has.size, has.bytes ? has.bytes : "");
	buf_clear(&has);
	return false;
}

/* "jdk.CPULoad#period=1s"; with a "+" in front, as for configure, it is the same. */
static bool set_setting(struct work *work, struct str key, struct str value)
{
	struct settings_item item = { .value = value,
				      .order = work->settings.items.count };
	const struct schema_type *type;
	struct str event;
	char full[512];

	if (key.size && *key.bytes == '+')
		key = (struct str){ key.bytes + 1, key.size - 1 };
	str_split(&key, '#', &event);
	type = find_event(work, event);
	if (!type || !eventtype_setting(type, key))
		return work->has_others || (type && fail_name(work, type, key));
	item.key.size = (size_t)snprintf(full, sizeof(full), "%s#%.*s", type->name,
					 (int)key.size, key.bytes);
	item.key.bytes = arena_copy(&work->settings.arena, full, item.key.size);
	return (item.key.bytes && vec_push(&work->settings.items, item)) ||
	       err_memory(&work->err);
}

static const char *const sampled[] = { "jdk.ExecutionSample", "jdk.NativeMethodSample" };

#define SAMPLED (sizeof(sampled) / sizeof(sampled[0]))

static bool set_of(struct work *work, const char *event, const char *name,
		   const char *value)
{
	char key[64];

	snprintf(key, sizeof(key), "%s#%s", event, name);
	return set_setting(work, str_of(key), str_of(value));
}

/* How often threads are sampled: one word for what is four settings. */
static bool set_interval(struct work *work, const struct record_options *options)
{
	bool is_on = options->interval_nanos > 0;

	for (size_t i = 0; options->interval && i < SAMPLED; i++) {
		if (!set_of(work, sampled[i], "enabled", is_on ? "true" : "false") ||
		    (is_on && !set_of(work, sampled[i], "period", options->interval)))
			return false;
	}
	return true;
}

/* All filters of an option, as one text. */
static bool set_filters(struct work *work, const char *event,
			const struct option_list *filters)
{
	struct buf text = { 0 };
	const char *copy = NULL;

	record_methods_join(filters, &text);
	if (!text.failed)
		copy = arena_copy(&work->settings.arena, text.bytes, text.size);
	buf_clear(&text);
	return copy ? set_of(work, event, "filter", copy) : err_memory(&work->err);
}

/* Which methods are timed and traced. */
static bool set_methods(struct work *work, const struct record_options *options)
{
	bool is_good = true;

	for (size_t i = 0; is_good && i < RECORD_METHODS; i++) {
		const struct record_methods *row = &record_methods[i];
		const struct option_list *filters = record_methods_filters(row, options);
		const char *event = eventtype_of(row->event)->name;
		const char *time = record_methods_time(row, options);

		if (filters->count)
			is_good = set_of(work, event, "enabled", "true") &&
				  set_filters(work, event, filters);
		if (is_good && time)
			is_good = set_of(work, event, row->time_option, time);
	}
	return is_good;
}

/* Options of files first: a setting that is named stands above all. */
static bool set_words(struct work *work, const struct words *words, bool are_settings)
{
	for (size_t i = 0; i < words->count; i++) {
		struct str key = key_of(words->items[i]);
		struct str value = str_of(words->items[i] + key.size + 1);

		if (is_setting(key) != are_settings)
			continue;
		if (!(are_settings ? set_setting : set_input)(work, key, value))
			return false;
	}
	return true;
}

/* --- orders ----------------------------------------------------------------------- */

/* The settings of the files: of one that several of them have, the last counts. */
static bool unite(struct work *work)
{
	for (const struct file *file = work->first; file; file = file->next) {
		if (!settings_add_all(&work->settings, &file->it))
			return err_memory(&work->err);
	}
	return true;
}

static const struct event_setting *setting_of(const struct work *work,
					      const char *event)
{
	return event_setting_of(&work->events, eventtype_find(str_of(event))->id);
}

/* The beginning of a chunk is no time to sample a thread. */
static bool check_periods(struct work *work)
{
	for (size_t i = 0; i < SAMPLED; i++) {
		if (setting_of(work, sampled[i])->period < 0)
			return err_set(&work->err, ERR_USAGE, "%s#period is no length of "
				       "time, as in 20ms, as samples need one",
				       sampled[i]);
	}
	return true;
}

/* The file that has the setting as it is; NULL: none, or it may be of an option. */
static const char *file_of(const struct work *work, struct str key, struct str value)
{
	const char *name = NULL;

	for (const struct file *file = work->are_changed ? NULL : work->first;
	     file && !name; file = file->next) {
		struct settings all = { 0 };

		settings_add_all(&all, &file->it);
		for (size_t i = 0; i < all.items.count; i++) {
			if (str_is(all.items.items[i].key, key) &&
			    str_is(all.items.items[i].value, value))
				name = file->name;
		}
		settings_clear(&all);
	}
	return name;
}

static bool fail_filter(struct work *work, const char *event, struct str filter)
{
	char key[64];
	const char *file;

	snprintf(key, sizeof(key), "%s#filter", event);
	file = file_of(work, str_of(key), filter);
	err_within(&work->err, "%s", key);
	return file ? err_within(&work->err, "%s", file) : false;
}

static bool check_methods(struct work *work, const struct record_options *options)
{
	bool has_any = false;

	for (size_t i = 0; i < RECORD_METHODS; i++) {
		const struct record_methods *row = &record_methods[i];
		const struct event_setting *of = event_setting_of(&work->events,
								  row->event);
		bool has_filter = str_trim(of->filter).size > 0;

		if (has_filter && !record_methods_select(of->filter, &work->err))
			return fail_filter(work, eventtype_of(row->event)->name,
					   of->filter);
		has_any |= has_filter;
		if (record_methods_time(row, options) && !has_filter && !work->is_change)
			return err_set(&work->err, ERR_USAGE,
				       "--%s is for the methods of --%s, and none are "
				       "given", row->time_option, row->option);
	}
	return has_any || !options->dump_classes ||
	       err_set(&work->err, ERR_USAGE, "--dump-classes is for classes with methods "
		       "of --method-timing or --method-trace, and none are given");
}

static bool has_setting(const struct settings *settings, struct str key)
{
	for (size_t i = 0; i < settings->items.count; i++) {
		if (str_is(settings->items.items[i].key, key))
			return true;
	}
	return false;
}

static bool has_methods(const struct work *work)
{
	for (size_t i = 0; i < RECORD_METHODS; i++) {
		const struct event_setting *of =
			event_setting_of(&work->events, record_methods[i].event);

		if (of->is_enabled && str_trim(of->filter).size)
			return true;
	}
	return false;
}

/*
 * What came of filters and probes is told wherever there are filters, but where that is
 * set otherwise: files that were written for the JDK's own recorder do not know of it.
 */
static bool give_outcome(struct work *work, struct orders *orders)
{
	static const enum event_id events[] = { EVENT_METHOD_FILTER, EVENT_METHOD_PROBE };
	const struct str yes = STR("true");
	char key[64];

	for (size_t i = 0; i < 2 && has_methods(work); i++) {
		snprintf(key, sizeof(key), "%s#enabled", eventtype_of(events[i])->name);
		if (has_setting(&work->settings, str_of(key)))
			continue;
		if (!orders_set(orders, str_of(key), yes))
			return err_memory(&work->err);
		if (!event_settings_set(&work->events, str_of(key), yes, &work->err))
			return false;
	}
	return true;
}

static bool give(struct work *work, struct orders *orders)
{
	settings_settle(&work->settings);
	for (size_t i = 0; i < work->settings.items.count; i++) {
		const struct settings_item *item = &work->settings.items.items[i];

		if (is_known(item->key) && !orders_set(orders, item->key, item->value))
			return err_memory(&work->err);
	}
	return event_settings_read(&work->events, orders, &work->err) &&
	       give_outcome(work, orders) && check_periods(work);
}

/* The event of a word that was taken; NULL: it is no setting. */
static const struct schema_type *event_of_word(struct work *work, struct str key)
{
	if (!is_setting(key))
		return NULL;
	if (*key.bytes == '+')
		key = (struct str){ key.bytes + 1, key.size - 1 };
	return find_event(work, event_of(key));
}

/* What is set, and without any effect. */
static void note_idle(struct work *work, const struct words *words)
{
	size_t enabled = 0;

	for (size_t i = 0; i < EVENT_COUNT; i++)
		enabled += work->events.of[i].is_enabled;
	if (!enabled)
		complain(work->invocation, "note: these settings enable no event");
	for (size_t i = 0; i < words->count; i++) {
		struct str key = key_of(words->items[i]);
		const struct schema_type *type = event_of_word(work, key);

		if (type && !str_ends(key, STR("#enabled")) &&
		    !event_setting_of(&work->events, type->id)->is_enabled)
			complain(work->invocation, "note: %.*s has no effect, as %s is "
				 "not enabled", (int)key.size, key.bytes, type->name);
	}
}

/* Of words for an event that has no filter. */
static void note_no_filter(struct work *work, const struct words *words)
{
	for (size_t i = 0; i < RECORD_METHODS * words->count; i++) {
		const struct record_methods *row = &record_methods[i / words->count];
		const struct event_setting *of = event_setting_of(&work->events,
								  row->event);
		struct str key = key_of(words->items[i % words->count]);
		const struct schema_type *type = event_of_word(work, key);

		if (type && type->id == row->event && of->is_enabled &&
		    !str_trim(of->filter).size && !str_ends(key, STR("#filter")))
			complain(work->invocation, "note: %.*s has no effect, as "
				 "%s#filter is empty", (int)key.size, key.bytes,
				 eventtype_of(row->event)->name);
	}
}

/* True if these are the filters that are set. */
static bool has_filters(const struct event_setting *of,
			const struct option_list *filters)
{
	struct buf text = { 0 };
	bool has;

	record_methods_join(filters, &text);
	has = str_is(of->filter, buf_as_str(&text));
	buf_clear(&text);
	return has;
}

static void note_option(struct work *work, const char *option, const char *event,
			const char *setting)
{
	complain(work->invocation,
		 "note: --%s has no effect on %s, as %s#%s says otherwise", option,
		 event, event, setting);
}

/* A setting that is named stands above the options. */
static void note_methods(struct work *work, const struct record_options *options)
{
	int64_t times[RECORD_METHODS] = { options->period_nanos,
					  options->threshold_nanos };

	for (size_t i = 0; i < RECORD_METHODS; i++) {
		const struct record_methods *row = &record_methods[i];
		const struct option_list *filters = record_methods_filters(row, options);
		const struct event_setting *of = event_setting_of(&work->events,
								  row->event);
		const char *event = eventtype_of(row->event)->name;
		int64_t time = row->event == EVENT_METHOD_TIMING ? of->period
								 : of->threshold;

		if (filters->count && !of->is_enabled)
			note_option(work, row->option, event, "enabled");
		if (filters->count && !has_filters(of, filters))
			note_option(work, row->option, event, "filter");
		if (record_methods_time(row, options) && time != times[i])
			note_option(work, row->time_option, event, row->time_option);
	}
}

/* The same of samples. */
static void note_interval(struct work *work, const struct record_options *options)
{
	for (size_t i = 0; options->interval && i < SAMPLED; i++) {
		const struct event_setting *of = setting_of(work, sampled[i]);
		const char *name = NULL;

		if (of->is_enabled != (options->interval_nanos > 0))
			name = "enabled";
		else if (of->is_enabled && of->period != options->interval_nanos)
			name = "period";
		if (name)
			note_option(work, "interval", sampled[i], name);
	}
}

static bool has_samples(const struct work *work)
{
	for (size_t i = 0; i < SAMPLED; i++) {
		const struct event_setting *of = setting_of(work, sampled[i]);

		if (of->is_enabled && of->period > 0)
			return true;
	}
	return false;
}

/* Which threads, and how, is said of samples that nobody takes. */
static void note_no_samples(struct work *work, const struct record_options *options)
{
	if (options->mode)
		complain(work->invocation,
			 "note: --mode has no effect, as no samples are taken");
	if (options->threads)
		complain(work->invocation,
			 "note: --threads has no effect, as no samples are taken");
}

/* Who names methods wants to see these. */
static const char *look_at_methods(const struct work *work, size_t from,
				   const char *otherwise)
{
	for (size_t i = from; i < RECORD_METHODS; i++) {
		const struct event_setting *of =
			event_setting_of(&work->events, record_methods[i].event);

		if (of->is_enabled && str_trim(of->filter).size)
			return record_methods[i].look;
	}
	return otherwise;
}

static struct record_looks looks_of(const struct work *work)
{
	const struct event_setting *timing =
		event_setting_of(&work->events, record_methods[0].event);
	struct record_looks looks;

	looks.idle = has_samples(work) ? "view hot-methods" : "summary";
	looks.first = look_at_methods(work, 0, looks.idle);
	/* Counts come with the ends of chunks alone. */
	looks.cut = looks.first == record_methods[0].look && timing->period < 0
			    ? look_at_methods(work, 1, looks.idle) : NULL;
	return looks;
}

/* The shell has made files of a filter with stars. */
static bool is_expanded(const char *word, const struct record_options *options)
{
	bool has_filters = false;

	for (size_t i = 0; i < RECORD_METHODS; i++)
		has_filters |= record_methods_filters(&record_methods[i],
						      options)->count > 0;
	return has_filters && access(word, F_OK) == 0;
}

static enum status check_words(const struct invocation *invocation,
			       const struct record_options *options,
			       const struct words *words)
{
	bool has_mark = invocation->command == &cmd_record;
	const char *where = has_mark ? " in front of --" : "";

	for (size_t i = 0; i < words->count; i++) {
		struct str key = key_of(words->items[i]);

		if (key.size && key.bytes[key.size])
			continue;
		if (is_expanded(words->items[i], options))
			return complain_usage(
				invocation, "unknown word '%s'%s, which is a file here; "
				"filters with * need quotes", key.bytes, where);
		return complain_usage(
			invocation, "unknown word '%s'%s; settings are given as "
			"event#setting=value", words->items[i], where);
	}
	return STATUS_DONE;
}

static void note(struct work *work, const struct record_options *options,
		 const struct words *words)
{
	note_idle(work, words);
	note_no_filter(work, words);
	note_interval(work, options);
	note_methods(work, options);
	if (!has_samples(work))
		note_no_samples(work, options);
}

static enum status settle(struct work *work, const struct record_options *options,
			  const struct words *words, struct orders *orders)
{
	enum status status = check_words(work->invocation, options, words);

	if (status != STATUS_DONE)
		return status;
	if (load(work, &options->settings) && set_words(work, words, false) &&
	    unite(work) && set_interval(work, options) && set_methods(work, options) &&
	    set_words(work, words, true) && give(work, orders) &&
	    check_methods(work, options))
		return STATUS_DONE;
	complain(work->invocation, "%s", work->err.text);
	return work->err.kind == ERR_USAGE ? STATUS_USAGE : STATUS_FAILED;
}

static void clear(struct work *work)
{
	settings_clear(&work->settings);
	close_files(work);
	buf_clear(&work->warnings);
}

enum status record_settings(const struct invocation *invocation,
			    const struct record_options *options,
			    const struct words *words, struct orders *orders,
			    struct record_looks *looks)
{
	struct work work = { .invocation = invocation, .end = &work.first,
			     .has_others = options->has_others };
	enum status status = settle(&work, options, words, orders);

	if (status == STATUS_DONE) {
		note(&work, options, words);
		*looks = looks_of(&work);
	}
	clear(&work);
	return status;
}

enum status record_settings_changes(const struct invocation *invocation,
				    const struct record_options *options,
				    const struct words *words, struct orders *orders)
{
	struct work work = { .invocation = invocation, .end = &work.first,
			     .is_change = true, .has_others = options->has_others };
	enum status status = settle(&work, options, words, orders);

	clear(&work);
	return status;
}
