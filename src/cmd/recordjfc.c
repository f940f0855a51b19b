#include "cmd/recordjfc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "cmd/jfcfiles.h"
#include "cmd/recordmethods.h"
#include "cmd/usage.h"
#include "control/eventsettings.h"
#include "jfc/choice.h"
#include "jfc/settings.h"
#include "jfr/eventtypes.h"

/* JDK 25 is the first that times methods. */
#define METHODS_VERSION 25

struct work {
	const struct record_task *task;
	struct configuration *files;	/* each on its own, as for a JVM */
	size_t count;
	struct settings settings;
	struct buf warnings;
};

/* --- files ------------------------------------------------------------------------ */

static bool add_file(void *context, const char *name, struct err *err)
{
	struct work *work = context;
	struct configuration *more =
		realloc(work->files, (work->count + 1) * sizeof(*more));

	if (!more)
		return err_memory(err);
	work->files = more;
	more[work->count] = (struct configuration){ .files = 0 };
	work->count++;
	return configuration_init(&more[work->count - 1], err) &&
	       jfcfiles_add_own(&more[work->count - 1], name, &work->warnings, err);
}

static bool load(struct work *work, struct err *err)
{
	const struct option_list *files = &work->task->options->settings;
	bool is_good = files->count || add_file(work, "default", err);

	for (size_t i = 0; is_good && i < files->count; i++)
		is_good = jfcfiles_each(files->items[i], add_file, work, err);
	return is_good;
}

/* "gc=all": an option of the files, of each that has it. */
static bool set_input(struct work *work, struct str key, struct str value,
		      struct err *err)
{
	bool is_there = false;

	for (size_t i = 0; i < work->count; i++) {
		struct node *input = configuration_find_input(&work->files[i], key);

		if (!input)
			continue;
		is_there = true;
		if (!choice_set(&work->files[i], input, value, NULL, err))
			return false;
	}
	return is_there || err_set(err, ERR_USAGE, "the settings have no option '%.*s'",
				   (int)key.size, key.bytes);
}

/* --- settings --------------------------------------------------------------------- */

/* A copy of both texts; the event gets "jdk." in front where it has no package. */
static bool set(struct work *work, struct str event, struct str name, struct str value,
		struct err *err)
{
	struct settings_item item = { .order = work->settings.items.count };
	struct arena *arena = &work->settings.arena;
	struct buf key = { 0 };

	if (!memchr(event.bytes, '.', event.size))
		buf_text(&key, "jdk.");
	buf_printf(&key, "%.*s#%.*s", (int)event.size, event.bytes, (int)name.size,
		   name.bytes);
	if (!key.failed) {
		item.key = (struct str){ arena_copy(arena, key.bytes, key.size),
					 key.size };
		item.value = (struct str){ arena_copy(arena, value.bytes, value.size),
					   value.size };
	}
	buf_clear(&key);
	return (item.key.bytes && item.value.bytes &&
		vec_push(&work->settings.items, item)) || err_memory(err);
}

static bool set_text(struct work *work, const char *event, const char *name,
		     const char *value, struct err *err)
{
	return set(work, str_of(event), str_of(name), str_of(value), err);
}

/* "jdk.CPULoad#period=1s", or an option of the files. */
static bool set_word(struct work *work, const char *word, bool is_setting,
		     struct err *err)
{
	struct str key = { word, strcspn(word, "=") };
	struct str value = str_of(word + key.size + 1), event;

	if ((memchr(key.bytes, '#', key.size) != NULL) != is_setting)
		return true;
	if (!is_setting)
		return set_input(work, key, value, err);
	if (*key.bytes == '+')
		key = (struct str){ key.bytes + 1, key.size - 1 };
	str_split(&key, '#', &event);
	return set(work, event, key, value, err);
}

static bool set_words(struct work *work, bool are_settings, struct err *err)
{
	const struct words *words = work->task->words;
	bool is_good = true;

	for (size_t i = 0; is_good && words && i < words->count; i++) {
		if (!strchr(words->items[i], '='))
			return err_set(err, ERR_USAGE, "unknown word '%s'; settings are "
				       "given as event#setting=value", words->items[i]);
		is_good = set_word(work, words->items[i], are_settings, err);
	}
	return is_good;
}

static bool set_interval(struct work *work, struct err *err)
{
	static const char *const sampled[] = { "jdk.ExecutionSample",
					       "jdk.NativeMethodSample" };
	const struct record_options *options = work->task->options;
	bool is_on = options->interval_nanos > 0;
	bool is_good = true;

	for (size_t i = 0; is_good && options->interval && i < 2; i++) {
		is_good = set_text(work, sampled[i], "enabled",
				   is_on ? "true" : "false", err) &&
			  (!is_on || set_text(work, sampled[i], "period",
					      options->interval, err));
	}
	return is_good;
}

/* HotSpot drops what it does not understand without a word, so it is refused here. */
static bool check_filter(struct str filter, int version, struct err *err)
{
	static const char beyond[] = "*!+(";

	if (version && version < METHODS_VERSION)
		return err_set(err, ERR_USAGE, "the recorder of JDK %d cannot time or trace "
			       "methods: --engine cjfr can", version);
	for (const char *at = beyond; *at; at++) {
		if (memchr(filter.bytes, *at, filter.size))
			return err_set(err, ERR_USAGE, "HotSpot's recorder has no filters "
				       "with '%c', as in '%.*s': --engine cjfr has",
				       *at, (int)filter.size, filter.bytes);
	}
	return true;
}

/* The filters that are given; what a file may have is the JVM's matter. */
static bool set_methods(struct work *work, int version, struct err *err)
{
	const struct record_options *options = work->task->options;
	bool is_good = true;

	for (size_t i = 0; is_good && i < RECORD_METHODS; i++) {
		const struct record_methods *row = &record_methods[i];
		const struct option_list *filters = record_methods_filters(row, options);
		struct str event = str_of(eventtype_of(row->event)->name);
		const char *time = record_methods_time(row, options);
		struct buf text = { 0 };

		record_methods_join(filters, &text);
		if (filters->count && !text.failed)
			is_good = check_filter(buf_as_str(&text), version, err) &&
				  set(work, event, STR("enabled"), STR("true"), err) &&
				  set(work, event, STR("filter"), buf_as_str(&text), err);
		is_good = is_good && (!text.failed || err_memory(err));
		buf_clear(&text);
		if (is_good && time)
			is_good = set(work, event, str_of(row->time_option), str_of(time),
				      err);
	}
	return is_good;
}

/* --- both engines ------------------------------------------------------------------ */

/* What our samples stand for: HotSpot's use the same signal. */
static const char *const sampled_too[] = { "jdk.CPUTimeSample",
					   "jdk.CPUTimeSamplesLost" };

static bool turn_off(struct work *work, const char *event, struct err *err)
{
	return set_text(work, event, "enabled", "false", err);
}

static bool leave_ours(struct work *work, struct err *err)
{
	struct event_settings ours;
	bool is_good = event_settings_read(&ours, work->task->orders, err);

	for (size_t i = 0; is_good && i < EVENT_COUNT; i++) {
		if (ours.of[i].is_enabled)
			is_good = turn_off(work, eventtypes[i].name, err);
	}
	for (size_t i = 0; is_good && i < 2; i++) {
		if (event_setting_of(&ours, EVENT_EXECUTION_SAMPLE)->is_enabled)
			is_good = turn_off(work, sampled_too[i], err);
	}
	return is_good;
}

/* --- the file ---------------------------------------------------------------------- */

static void write_setting(struct buf *to, const struct settings_item *item,
			  struct str *open)
{
	struct str name = item->key, event;

	str_split(&name, '#', &event);
	if (!str_is(event, *open)) {
		buf_text(to, open->size ? "</event>\n<event name=\"" : "<event name=\"");
		escape_xml(to, event);
		buf_text(to, "\">\n");
		*open = event;
	}
	buf_text(to, "<setting name=\"");
	escape_xml(to, name);
	buf_text(to, "\">");
	escape_xml(to, item->value);
	buf_text(to, "</setting>\n");
}

/* Sorted by key, the settings of an event lie together. */
static void write(struct buf *to, const struct settings *settings)
{
	struct str open = { "", 0 };

	buf_text(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		     "<configuration version=\"2.0\" label=\"cjfr\" description=\"\" "
		     "provider=\"cjfr\">\n");
	for (size_t i = 0; i < settings->items.count; i++)
		write_setting(to, &settings->items.items[i], &open);
	buf_text(to, open.size ? "</event>\n</configuration>\n" : "</configuration>\n");
}

static bool unite(struct work *work, struct err *err)
{
	for (size_t i = 0; i < work->count; i++) {
		if (!settings_add_all(&work->settings, &work->files[i]))
			return err_memory(err);
	}
	return true;
}

bool record_jfc(const struct record_task *task, int version, struct buf *to,
		struct err *err)
{
	struct work work = { .task = task };
	bool is_good = load(&work, err) && set_words(&work, false, err) &&
		       unite(&work, err) && set_interval(&work, err) &&
		       (task->has_others || set_methods(&work, version, err)) &&
		       set_words(&work, true, err) &&
		       (!task->has_others || leave_ours(&work, err));

	if (is_good) {
		settings_settle(&work.settings);
		write(to, &work.settings);
		is_good = !to->failed || err_memory(err);
	}
	for (size_t i = 0; i < work.count; i++)
		configuration_clear(&work.files[i]);
	free(work.files);
	settings_clear(&work.settings);
	buf_clear(&work.warnings);
	return is_good;
}
