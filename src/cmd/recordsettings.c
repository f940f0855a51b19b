#include "cmd/recordsettings.h"

#include <stdio.h>
#include <string.h>

#include "cmd/jfcfiles.h"
#include "cmd/recordorders.h"
#include "cmd/usage.h"
#include "control/eventsettings.h"
#include "jfc/choice.h"
#include "jfc/settings.h"
#include "jfr/eventtypes.h"

struct work {
	const struct invocation *invocation;
	struct configuration all;
	struct settings settings;
	struct event_settings events;	/* what all that comes to */
	struct buf warnings;
	struct err err;
};

/* --- files ------------------------------------------------------------------------ */

static bool add_file(void *context, const char *name, struct err *err)
{
	struct work *work = context;

	return jfcfiles_add_own(&work->all, name, &work->warnings, err);
}

static bool load(struct work *work, const struct option_list *files)
{
	bool is_good = configuration_init(&work->all, &work->err);
	struct str rest, line;

	if (is_good && !files->count)
		is_good = add_file(work, "default", &work->err);
	for (size_t i = 0; is_good && i < files->count; i++)
		is_good = jfcfiles_each(files->items[i], add_file, work, &work->err);
	rest = (struct str){ work->warnings.bytes, work->warnings.size };
	while (str_split(&rest, '\n', &line))
		complain(work->invocation, "%.*s", (int)line.size, line.bytes);
	return is_good;
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
	for (const struct node *at = configuration_input(&work->all); at && count < 64;
	     at = configuration_next_input(at))
		names[count++] = node_get(at, STR("name"));
	nearest = str_nearest(key, names, count);
	if (nearest >= 0)
		return err_set(&work->err, ERR_USAGE,
			       "there is no option '%.*s'; did you mean '%.*s'?",
			       (int)key.size, key.bytes, (int)names[nearest].size,
			       names[nearest].bytes);
	return err_set(&work->err, ERR_USAGE, "the settings have no option '%.*s'",
		       (int)key.size, key.bytes);
}

/* "gc=all": an option of the files. */
static bool set_input(struct work *work, struct str key, struct str value)
{
	struct node *input = configuration_find_input(&work->all, key);

	if (!input)
		return fail_input(work, key, value);
	return choice_set(&work->all, input, value, NULL, &work->err);
}

static const struct schema_type *find_event(struct work *work, struct str name)
{
	const struct schema_type *type = eventtype_find(name);
	struct str names[EVENT_COUNT];
	char full[256];
	int nearest;

	if (type || name.size > sizeof(full) - sizeof("jdk."))
		return type;
	snprintf(full, sizeof(full), "jdk.%.*s", (int)name.size, name.bytes);
	type = eventtype_find(str_of(full));
	if (type)
		return type;
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
	if (!type)
		return false;
	if (!eventtype_setting(type, key))
		return fail_name(work, type, key);
	item.key.size = (size_t)snprintf(full, sizeof(full), "%s#%.*s", type->name,
					 (int)key.size, key.bytes);
	item.key.bytes = arena_copy(&work->settings.arena, full, item.key.size);
	return (item.key.bytes && vec_push(&work->settings.items, item)) ||
	       err_memory(&work->err);
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

static struct str event_of(struct str key)
{
	struct str event;

	str_split(&key, '#', &event);
	return event;
}

/* What our engine knows; files may well speak of events that it has not. */
static bool is_known(struct str key)
{
	const struct schema_type *type = eventtype_find(event_of(key));

	return type && eventtype_setting(type, str_after_last(key, '#'));
}

static bool give(struct work *work, struct orders *orders)
{
	settings_settle(&work->settings);
	for (size_t i = 0; i < work->settings.items.count; i++) {
		const struct settings_item *item = &work->settings.items.items[i];

		if (is_known(item->key) && !orders_set(orders, item->key, item->value))
			return err_memory(&work->err);
	}
	return event_settings_read(&work->events, orders, &work->err);
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
		const struct schema_type *type;

		if (!is_setting(key) || str_ends(key, STR("#enabled")))
			continue;
		type = find_event(work, event_of(*key.bytes == '+'
							 ? str_of(key.bytes + 1)
							 : key));
		if (type && !event_setting_of(&work->events, type->id)->is_enabled)
			complain(work->invocation, "note: %.*s has no effect, as %s is "
				 "not enabled", (int)key.size, key.bytes, type->name);
	}
}

static enum status check_words(const struct invocation *invocation,
			       const struct words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		struct str key = key_of(words->items[i]);

		if (!key.size || !key.bytes[key.size])
			return complain_usage(
				invocation, "unknown word '%s' in front of --; "
				"settings are given as event#setting=value",
				words->items[i]);
	}
	return STATUS_DONE;
}

enum status record_settings(const struct invocation *invocation,
			    const struct option_list *files, const struct words *words,
			    struct orders *orders)
{
	struct work work = { .invocation = invocation };
	enum status status = check_words(invocation, words);
	bool is_good;

	if (status != STATUS_DONE)
		return status;
	is_good = load(&work, files) && set_words(&work, words, false) &&
		  (settings_add_all(&work.settings, &work.all) ||
		   err_memory(&work.err)) &&
		  set_words(&work, words, true) && give(&work, orders);
	if (is_good)
		note_idle(&work, words);
	else
		complain(invocation, "%s", work.err.text);
	if (!is_good)
		status = work.err.kind == ERR_USAGE ? STATUS_USAGE : STATUS_FAILED;
	settings_clear(&work.settings);
	configuration_clear(&work.all);
	buf_clear(&work.warnings);
	return status;
}
