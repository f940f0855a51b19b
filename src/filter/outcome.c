#include "filter/outcome.h"

#include <stdio.h>
#include <time.h>

#include "filter/threads.h"
#include "jfr/object.h"

/* Chunks, and threads of each, looked at for a name near to the one that was given. */
#define CHUNKS_MAX 16
#define THREADS_MAX 4096

/* So much of a text is repeated in a note. */
#define SHOWN_MAX 60

typedef VEC(struct str) names;

/* A name that fits, in front of which stands what leads to it. */
static void keep(char *to, const struct condition *condition, size_t parts,
		 struct str name)
{
	size_t at = 0;

	for (size_t i = 0; i < parts; i++)
		at += strlen(condition->parts[i]) + 1;
	if (at + name.size >= OUTCOME_NAME_SIZE)
		return;
	at = 0;
	for (size_t i = 0; i < parts; i++)
		at += (size_t)snprintf(to + at, OUTCOME_NAME_SIZE - at, "%s.",
				       condition->parts[i]);
	snprintf(to + at, OUTCOME_NAME_SIZE - at, "%.*s", (int)name.size, name.bytes);
}

static bool find_type(struct outcome *outcome, const struct selection *selection)
{
	const struct metadata *metadata = &selection->chunk->metadata;
	struct str pattern = selection->filter->events;
	names list = { 0 };
	bool good = true;
	int nearest;

	/* Simple names first: of two that are as near the first is taken. */
	for (size_t i = 0; good && i < 2 * metadata->type_count; i++) {
		const struct type *type = &metadata->types[i % metadata->type_count];
		struct str name = i < metadata->type_count ? type_simple_name(type)
							   : type->name;

		good = vec_push(&list, type->is_event ? name : STR(""));
	}
	nearest = good ? str_nearest(pattern, list.items, list.count) : -1;
	if (nearest >= 0)
		keep(outcome->nearest_type, NULL, 0,
		     metadata->types[(size_t)nearest % metadata->type_count].name);
	vec_clear(&list);
	return good;
}

/* The names of all fields where the path leads nowhere, farthest down. */
static bool find_field(struct outcome_condition *result,
		       const struct condition *condition,
		       const struct selection *selection)
{
	const struct metadata *metadata = &selection->chunk->metadata;
	const struct type *owner;
	names list = { 0 };
	size_t deepest = 0;
	bool good = true;
	int nearest;

	for (size_t i = 0; good && i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];
		size_t depth;

		if (!selection->choices[i].is_named)
			continue;
		depth = probe_depth(condition, type, &owner);
		if (!owner || depth < deepest)
			continue;
		if (depth > deepest)
			list.count = 0;
		deepest = depth;
		for (size_t j = 0; good && j < owner->field_count; j++)
			good = vec_push(&list, owner->fields[j].name);
	}
	nearest = good ? str_nearest(str_of(condition->parts[deepest]), list.items,
				     list.count) : -1;
	if (nearest >= 0)
		keep(result->nearest, condition, deepest, list.items[nearest]);
	vec_clear(&list);
	return good;
}

/* *matches is set if one of them is wanted, though maybe not at that time. */
static bool add_thread_names(names *list, const struct pool *pool,
			     const struct selection *selection, struct arena *arena,
			     bool *matches)
{
	const struct threads threads = { selection->filter->threads, false };

	for (uint32_t i = 0; i < pool->constants.count && i < THREADS_MAX; i++) {
		struct object thread;

		if (!object_at(&thread, selection->chunk, pool, i, arena))
			continue;
		*matches |= threads_match(&threads, &thread, arena);
		if (!vec_push(list, object_text(&thread, "javaName", arena)) ||
		    !vec_push(list, object_text(&thread, "osName", arena)))
			return false;
	}
	return true;
}

static bool find_thread(struct outcome *outcome, const struct selection *selection)
{
	const struct chunk *chunk = selection->chunk;
	struct arena arena = { .limit = PROBE_TEXT_MAX };
	names list = { 0 };
	bool good = true;
	int nearest;

	for (size_t i = 0; good && i < chunk->metadata.type_count; i++) {
		const struct type *type = &chunk->metadata.types[i];
		const struct pool *pool = chunk_pool(chunk, type);

		if (pool && type->role == TYPE_THREAD)
			good = add_thread_names(&list, pool, selection, &arena,
						&outcome->has_found);
	}
	good = good && (!arena.failed || arena.is_full);
	nearest = good ? str_nearest(selection->filter->threads, list.items, list.count)
		       : -1;
	if (nearest >= 0 && !outcome->has_found)
		keep(outcome->nearest_thread, NULL, 0, list.items[nearest]);
	vec_clear(&list);
	arena_clear(&arena);
	return good;
}

static bool add_condition(struct outcome_condition *result,
			  const struct selection *selection, size_t index,
			  bool is_looked_at)
{
	enum fit fit = selection->fits[index];

	if (fit > result->fit) {
		result->fit = fit;
		result->hint = selection->probes[index].hint;
	}
	return result->fit != FIT_NO_FIELD || *result->nearest || !is_looked_at ||
	       find_field(result, selection->filter->conditions.items[index],
			  selection);
}

static bool add_conditions(struct outcome *outcome, const struct selection *selection)
{
	const struct outcome_condition none = { .fit = FIT_NO_FIELD };

	for (size_t i = 0; i < selection->filter->conditions.count; i++) {
		if (i == outcome->conditions.count &&
		    !vec_push(&outcome->conditions, none))
			return false;
		if (!add_condition(&outcome->conditions.items[i], selection, i,
				   outcome->chunks <= CHUNKS_MAX))
			return false;
	}
	return true;
}

/* Asks all rules for the type. */
static void ask_rules(struct outcome *outcome, const struct filter *filter,
		      const struct type *type)
{
	for (size_t i = 0; i < filter->rules.count; i++) {
		const struct rule *rule = &filter->rules.items[i];

		outcome->rules.items[i].has_asked |= rule->kind != RULE_THREADS;
		outcome->rules.items[i].has_matched |= rule_matches(rule, type);
	}
}

static bool add_rules(struct outcome *outcome, const struct selection *selection)
{
	const struct filter *filter = selection->filter;
	const struct metadata *metadata = &selection->chunk->metadata;

	while (outcome->rules.count < filter->rules.count) {
		const struct outcome_rule none = { .has_asked = false };

		if (!vec_push(&outcome->rules, none))
			return false;
	}
	for (size_t i = 0; i < filter->rules.count; i++) {
		const struct probe *gate = &selection->gates[i];

		outcome->rules.items[i].has_asked |= gate->has_asked;
		outcome->rules.items[i].has_matched |= gate->has_found;
	}
	for (size_t i = 0; filter->rules.count > 0 && i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (!type->is_event ||
		    map_find(&outcome->types, (uint64_t)type->id) != MAP_NONE)
			continue;
		if (!map_put(&outcome->types, (uint64_t)type->id, 0))
			return false;
		ask_rules(outcome, filter, type);
	}
	return true;
}

bool outcome_is_idle(const struct outcome *outcome, size_t rule)
{
	return rule < outcome->rules.count && outcome->rules.items[rule].has_asked &&
	       !outcome->rules.items[rule].has_matched;
}

bool outcome_add(struct outcome *outcome, const struct selection *selection)
{
	const struct filter *filter = selection->filter;

	outcome->chunks++;
	outcome->has_type |= selection->has_type;
	outcome->has_duration |= selection->has_duration;
	outcome->has_thread |= selection->has_thread;
	outcome->has_all |= selection->has_all;
	outcome->has_asked_time |= selection->has_asked_time;
	outcome->has_time |= selection->has_time;
	outcome->has_asked |= selection->threads.has_asked;
	outcome->has_found |= selection->threads.has_found;
	if (!add_rules(outcome, selection))
		return false;
	if (outcome->chunks > CHUNKS_MAX)
		return add_conditions(outcome, selection);
	if (!outcome->has_type && filter->events.bytes && !*outcome->nearest_type &&
	    !find_type(outcome, selection))
		return false;
	if (outcome->has_asked && !outcome->has_found && !*outcome->nearest_thread &&
	    !find_thread(outcome, selection))
		return false;
	return add_conditions(outcome, selection);
}

void outcome_clear(struct outcome *outcome)
{
	vec_clear(&outcome->conditions);
	vec_clear(&outcome->rules);
	map_clear(&outcome->types);
	*outcome = (struct outcome){ 0 };
}

/* --- notes --------------------------------------------------------------------- */

static const char *nearest_of(const char *nearest)
{
	return *nearest ? "; the nearest is " : "";
}

static bool note_type(const struct outcome *outcome, const struct filter *filter,
		      struct err *note)
{
	if (outcome->has_type || (!filter->events.bytes && !filter->categories.bytes))
		return false;
	err_set(note, ERR_USAGE, "no event type %s matches%s%s",
		outcome->whose ? outcome->whose : "of the recording",
		nearest_of(outcome->nearest_type), outcome->nearest_type);
	return true;
}

static bool note_duration(const struct outcome *outcome, const struct filter *filter,
			  struct err *note)
{
	if (!outcome->has_type || !filter->has_min_duration || outcome->has_duration)
		return false;
	err_set(note, ERR_USAGE, "no selected event type has a duration");
	return true;
}

static bool note_thread(const struct outcome *outcome, const struct filter *filter,
			struct err *note)
{
	struct str shown = str_front(filter->threads, SHOWN_MAX);

	if (!outcome->has_type || !filter->threads.bytes)
		return false;
	if (!outcome->has_thread)
		err_set(note, ERR_USAGE, "no selected event type has a thread");
	else if (outcome->has_asked && !outcome->has_found)
		err_set(note, ERR_USAGE, "no thread matches '%.*s'%s%s",
			(int)shown.size, shown.bytes,
			nearest_of(outcome->nearest_thread), outcome->nearest_thread);
	else
		return false;
	return true;
}

static bool note_condition(const struct outcome_condition *result,
			   const struct condition *condition, struct err *note)
{
	struct str path = str_front(condition->path, SHOWN_MAX);
	struct str value = str_front(condition->value, SHOWN_MAX);

	if (result->fit == FIT_GOOD)
		return false;
	if (result->fit == FIT_NO_FIELD)
		err_set(note, ERR_USAGE,
			"no selected event type has a field '%.*s'%s%s", (int)path.size,
			path.bytes, nearest_of(result->nearest), result->nearest);
	else
		err_set(note, ERR_USAGE, "the value '%.*s' fits no field '%.*s' (%s)",
			(int)value.size, value.bytes, (int)path.size, path.bytes,
			result->hint);
	return true;
}

/* Each of the parts is there, but no type has them all. */
static bool note_all(const struct outcome *outcome, const struct filter *filter,
		     struct err *note)
{
	bool good = !outcome->has_all && outcome->has_type &&
		    (outcome->has_duration || !filter->has_min_duration) &&
		    (outcome->has_thread || !filter->threads.bytes);

	for (size_t i = 0; good && i < outcome->conditions.count; i++)
		good = outcome->conditions.items[i].fit == FIT_GOOD;
	if (good)
		err_set(note, ERR_USAGE,
			"no selected event type has all that is asked for");
	return good;
}

/* " from 2026-11-29 22:06:54", with milliseconds where some are; "" if it is open. */
static const char *bound_text(const char *word, int64_t nanos, int zone, char *to,
			      size_t size)
{
	struct time at = time_of_nanos(nanos);
	time_t seconds = (time_t)at.seconds;
	int millis = (int)(at.nanos / 1000000);
	struct tm shown;
	size_t length;

	*to = '\0';
	if (nanos == INT64_MIN || nanos == INT64_MAX)
		return to;
	seconds += clock_zone_at(zone, seconds);
	length = (size_t)snprintf(to, size, " %s ", word);
	if (gmtime_r(&seconds, &shown))
		length += strftime(to + length, size - length, "%Y-%m-%d %H:%M:%S", &shown);
	if (millis)
		snprintf(to + length, size - length, ".%03d", millis);
	return to;
}

static bool note_window(const struct outcome *outcome, const struct filter *filter,
			struct err *note)
{
	char from[40], to[40];

	if (!filter_has_window(filter))
		return false;
	bound_text("from", filter->window_from, filter->zone, from, sizeof(from));
	bound_text("to", filter->window_to, filter->zone, to, sizeof(to));
	if (filter->window_from > filter->window_to)
		err_set(note, ERR_USAGE, "the window%s%s ends before it starts", from, to);
	else if (outcome->has_asked_time && !outcome->has_time)
		err_set(note, ERR_USAGE, "no selected event is in the window%s%s", from, to);
	else
		return false;
	return true;
}

bool outcome_note(const struct outcome *outcome, const struct filter *filter,
		  size_t *at, struct err *note)
{
	static bool (*const others[])(const struct outcome *, const struct filter *,
				      struct err *) = {
		note_window, note_type, note_duration, note_thread, note_all,
	};
	size_t first = sizeof(others) / sizeof(others[0]);
	bool has_notes = outcome->chunks > 0 && !outcome->is_partial;

	for (; has_notes && *at < first + outcome->conditions.count; (*at)++) {
		size_t index = *at - first;
		bool is_noted = *at < first
			? others[*at](outcome, filter, note)
			: outcome->has_type &&
			  note_condition(&outcome->conditions.items[index],
					 filter->conditions.items[index], note);

		if (is_noted) {
			(*at)++;
			return true;
		}
	}
	return false;
}
