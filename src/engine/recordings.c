#include "engine/recordings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/now.h"
#include "base/number.h"

#define CHUNK_SIZE_MIN ((int64_t)128 << 10)
#define CHUNK_AGE_MAX (3600 * SECOND)
#define CHUNKS_OF_SIZE 4		/* at least so many make up max_size, */
#define CHUNKS_OF_AGE 10		/* and max_age */

/* --- one ------------------------------------------------------------------------ */

static void tape_free(struct tape *recording)
{
	orders_clear(&recording->orders);
	wishes_clear(&recording->wishes);
	free(recording);
}

static bool is_running(const struct tape *recording)
{
	return recording->state == FACTS_RUNNING;
}

struct str tape_name(const struct tape *recording,
			  char room[TAPE_NAME_ROOM])
{
	if (recording->orders.name.size)
		return recording->orders.name;
	snprintf(room, TAPE_NAME_ROOM, "%llu", (unsigned long long)recording->id);
	return str_of(room);
}

size_t tape_kept_size(const struct orders *orders)
{
	return (size_t)(orders->memory_size / 4 * 3);
}

static bool put_setting(struct orders *orders, const struct order_setting *setting)
{
	for (size_t i = 0; i < orders->settings.count; i++) {
		struct order_setting *there = &orders->settings.items[i];

		if (str_is(there->key, setting->key))
			return orders_text(orders, &there->value, setting->value);
	}
	return orders_set(orders, setting->key, setting->value);
}

/* Of orders that are made anew each time nothing is left that no longer counts. */
bool tape_set(struct tape *recording, const struct orders *orders,
		   struct orders *old, struct err *err)
{
	struct event_settings settings;
	struct orders copy;
	bool is_good = orders_copy(&copy, &recording->orders, err);

	for (size_t i = 0; i < orders->settings.count && is_good; i++)
		is_good = put_setting(&copy, &orders->settings.items[i]) ||
			  err_memory(err);
	is_good = is_good && event_settings_read(&settings, &copy, err);
	if (!is_good) {
		orders_clear(&copy);
		return false;
	}
	*old = recording->orders;
	recording->orders = copy;
	recording->settings = settings;
	return true;
}

/* --- all ------------------------------------------------------------------------ */

void recordings_clear(struct recordings *recordings)
{
	for (size_t i = 0; i < recordings->all.count; i++)
		tape_free(recordings->all.items[i]);
	vec_clear(&recordings->all);
	arena_clear(&recordings->texts);
	*recordings = (struct recordings){ .last_id = 0 };
}

struct tape *recordings_find(const struct recordings *recordings, uint64_t id)
{
	for (size_t i = 0; i < recordings->all.count; i++) {
		if (recordings->all.items[i]->id == id)
			return recordings->all.items[i];
	}
	return NULL;
}

static struct tape *find_name(const struct recordings *recordings, struct str name)
{
	char room[TAPE_NAME_ROOM];

	for (size_t i = 0; i < recordings->all.count; i++) {
		struct tape *recording = recordings->all.items[i];

		if (str_is(tape_name(recording, room), name))
			return recording;
	}
	return NULL;
}

static struct tape *find_number(const struct recordings *recordings,
				     struct str name)
{
	int64_t id;

	return number_java(name, &id) && id > 0
		       ? recordings_find(recordings, (uint64_t)id)
		       : NULL;
}

/* "1 (checkout), 2" */
static void list_names(const struct recordings *recordings, char *to, size_t room)
{
	size_t size = 0;

	*to = '\0';
	for (size_t i = 0; i < recordings->all.count && size < room; i++) {
		const struct tape *one = recordings->all.items[i];
		struct str name = str_front(one->orders.name, 60);
		int more = snprintf(to + size, room - size,
				    name.size ? "%s%llu (%.*s)" : "%s%llu%.*s",
				    i ? ", " : "", (unsigned long long)one->id,
				    (int)name.size, name.size ? name.bytes : "");

		size += more > 0 ? (size_t)more : 0;
	}
}

static const struct tape *only_one(const struct recordings *recordings,
					struct err *err)
{
	char names[300];

	if (recordings->all.count == 1)
		return recordings->all.items[0];
	list_names(recordings, names, sizeof(names));
	if (recordings->all.count == 0)
		err_set(err, ERR_USAGE, "there is no recording");
	else
		err_set(err, ERR_USAGE, "there are several recordings, and one has to be "
			"named: %s", names);
	return NULL;
}

const struct tape *recordings_named(const struct recordings *recordings,
					 struct str name, struct err *err)
{
	const struct tape *found;
	char names[300];

	if (name.size == 0)
		return only_one(recordings, err);
	found = find_name(recordings, name);
	if (!found)
		found = find_number(recordings, name);
	if (found)
		return found;
	list_names(recordings, names, sizeof(names));
	err_set(err, ERR_USAGE, "there is no recording '%.*s'%s%s",
		(int)str_front(name, 60).size, name.bytes, *names ? ", but " : "", names);
	return NULL;
}

static bool is_new_name(const struct recordings *recordings, struct str name,
			struct err *err)
{
	if (name.size == 0 ||
	    (!find_name(recordings, name) && !find_number(recordings, name)))
		return true;
	return err_set(err, ERR_USAGE, "there is a recording '%.*s' already",
		       (int)str_front(name, 60).size, name.bytes);
}

/* Nobody else can have the number as a name. */
static uint64_t next_number(const struct recordings *recordings)
{
	uint64_t id = recordings->last_id;
	char room[TAPE_NAME_ROOM];

	do
		snprintf(room, sizeof(room), "%llu", (unsigned long long)++id);
	while (find_name(recordings, str_of(room)) || recordings_find(recordings, id));
	return id;
}

struct tape *recordings_add(struct recordings *recordings, struct orders *orders,
				 struct err *err)
{
	struct tape *recording = calloc(1, sizeof(*recording));

	if (!recording) {
		err_memory(err);
		orders_clear(orders);
		return NULL;
	}
	recording->orders = *orders;
	*orders = (struct orders){ .to_disk = false };
	recording->state = FACTS_DELAYED;
	recording->due = INT64_MAX;
	recording->first = UINT64_MAX;
	if (event_settings_read(&recording->settings, &recording->orders, err) &&
	    is_new_name(recordings, recording->orders.name, err)) {
		recording->id = next_number(recordings);
		if (vec_push(&recordings->all, recording))
			return recording;
		err_memory(err);
	}
	tape_free(recording);
	return NULL;
}

void recordings_remove(struct recordings *recordings, struct tape *recording)
{
	struct tape **items = recordings->all.items;
	size_t i = 0;

	while (items[i] != recording)
		i++;
	recordings->all.count--;
	memmove(items + i, items + i + 1,
		(recordings->all.count - i) * sizeof(*items));
	tape_free(recording);
}

bool recordings_unite(struct recordings *recordings, struct arena *old)
{
	static const struct orders none = { .to_disk = false };
	struct arena texts = { 0 };
	struct event_settings united;
	bool is_any = false, is_good;

	is_good = event_settings_read(&united, &none, NULL);
	for (size_t i = 0; i < recordings->all.count && is_good; i++) {
		const struct tape *recording = recordings->all.items[i];

		if (!is_running(recording))
			continue;
		if (is_any)
			is_good = event_settings_unite(&united, &recording->settings,
						       &texts);
		else
			united = recording->settings;
		is_any = true;
	}
	if (!is_good) {
		arena_clear(&texts);
		return false;
	}
	*old = recordings->texts;
	recordings->texts = texts;
	recordings->united = united;
	return true;
}

/* --- limits ---------------------------------------------------------------------- */

/* What all its chunks may have: of one in memory, that of what is kept. */
static int64_t size_limit(const struct tape *recording)
{
	const struct orders *orders = &recording->orders;

	return orders->to_disk ? orders->max_size
			       : (int64_t)tape_kept_size(orders);
}

static uint64_t chunk_size(const struct tape *recording)
{
	const struct orders *orders = &recording->orders;
	int64_t size = orders->max_chunk_size ? orders->max_chunk_size : INT64_MAX;
	int64_t part = size_limit(recording) / CHUNKS_OF_SIZE;

	if (part && part < CHUNK_SIZE_MIN)
		part = CHUNK_SIZE_MIN;
	return (uint64_t)(part && part < size ? part : size);
}

static int64_t chunk_age(const struct orders *orders)
{
	int64_t age = orders->max_age / CHUNKS_OF_AGE;

	if (age == 0 || age > CHUNK_AGE_MAX)
		return CHUNK_AGE_MAX;
	return age < SECOND ? SECOND : age;
}

static void limit_kept(struct recordings_limits *limits, const struct orders *orders,
		       bool is_first)
{
	size_t size = tape_kept_size(orders);

	if (size > limits->kept_size)
		limits->kept_size = size;
	if (is_first || (limits->kept_age && (orders->max_age == 0 ||
					      orders->max_age > limits->kept_age)))
		limits->kept_age = orders->max_age;
}

static void limit_by(struct recordings_limits *limits, const struct tape *recording)
{
	const struct orders *orders = &recording->orders;
	bool is_first = limits->running++ == 0;
	uint64_t size = chunk_size(recording);
	int64_t age = chunk_age(orders);

	if (is_first || size < limits->chunk_size)
		limits->chunk_size = size;
	if (is_first || age < limits->chunk_age)
		limits->chunk_age = age;
	if (is_first || orders->flush_interval < limits->flush_interval)
		limits->flush_interval = orders->flush_interval;
	limits->to_disk |= orders->to_disk;
	if (!orders->to_disk)
		limit_kept(limits, orders, limits->kept_size == 0);
}

struct recordings_limits recordings_limits(const struct recordings *recordings)
{
	struct recordings_limits limits = { .running = 0 };

	for (size_t i = 0; i < recordings->all.count; i++) {
		if (is_running(recordings->all.items[i]))
			limit_by(&limits, recordings->all.items[i]);
	}
	return limits;
}

/* Bytes of its chunk files. */
static uint64_t size_of(const struct tape *recording,
			const struct repository *repository)
{
	uint64_t size = 0;

	for (size_t i = 0; i < repository->files.count; i++) {
		const struct chunkfile *file = &repository->files.items[i];

		if (tape_has(recording, file->number))
			size += file->size;
	}
	return size;
}

/*
 * A file goes when there is more than the limit with it; one of a recording in memory
 * only when there is as much without it, as what is kept is all in one file at times.
 */
static bool is_too_much(const struct tape *recording, uint64_t all, uint64_t size)
{
	uint64_t limit = (uint64_t)size_limit(recording);

	if (limit == 0)
		return false;
	return recording->orders.to_disk ? all > limit : all - size >= limit;
}

/* Never the newest. */
static void limit_one(struct tape *recording, const struct repository *repository,
		      int64_t now_nanos, uint64_t kept)
{
	uint64_t all = size_of(recording, repository) + kept;
	int64_t max_age = recording->orders.max_age;

	for (size_t i = 0; i < repository->files.count; i++) {
		const struct chunkfile *file = &repository->files.items[i];

		if (!tape_has(recording, file->number))
			continue;
		if (i + 1 == repository->files.count && kept == 0)
			break;
		if (!(max_age > 0 && now_nanos - file->end_nanos > max_age) &&
		    !is_too_much(recording, all, file->size))
			break;
		all -= file->size;
		recording->first = file->number + 1;
	}
}

static bool has_somebody(const void *context, uint64_t number)
{
	const struct recordings *recordings = context;

	for (size_t i = 0; i < recordings->all.count; i++) {
		if (tape_has(recordings->all.items[i], number))
			return true;
	}
	return false;
}

static bool is_of_running(const struct recordings *recordings, uint64_t number)
{
	for (size_t i = 0; i < recordings->all.count; i++) {
		if (is_running(recordings->all.items[i]) &&
		    tape_has(recordings->all.items[i], number))
			return true;
	}
	return false;
}

unsigned recordings_retain(struct recordings *recordings, struct repository *repository,
			   int64_t now_nanos, uint64_t kept)
{
	for (size_t i = 0; i < recordings->all.count; i++) {
		struct tape *recording = recordings->all.items[i];

		if (!is_running(recording))
			continue;
		limit_one(recording, repository, now_nanos, kept);
		wishes_drop(&recording->wishes, recording->first);
	}
	repository_retain(repository, has_somebody, recordings);
	for (size_t i = 0; i < repository->files.count; i++) {
		const struct chunkfile *file = &repository->files.items[i];

		if (is_of_running(recordings, file->number))
			return file->epoch;
	}
	return UINT_MAX;
}

void recordings_wish(struct recordings *recordings, const struct event_settings *before,
		     uint64_t chunk)
{
	for (size_t i = 0; i < recordings->all.count; i++) {
		struct tape *recording = recordings->all.items[i];

		if (is_running(recording))
			wishes_set(&recording->wishes, chunk, &recording->settings, before,
				   &recordings->united);
	}
}
