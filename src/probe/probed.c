#include "probe/probed.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/siphash.h"
#include "base/vec.h"

struct method {
	struct str name, descriptor;
	uint16_t access;
	unsigned kinds;
	uint32_t id;
	enum rewrite_result result;
	uint32_t size_before, size_after;
};

struct type {
	uint64_t loader;
	uint64_t key;			/* 0: not ready */
	struct str name;		/* of the arena, as all texts here */
	bool is_left;
	VEC(struct method) methods;
	struct arena arena;
	uint32_t next;			/* of the same hash */
	uint32_t before, behind;	/* of the same loader */
};

/* Where the method of a number is. */
struct place {
	uint32_t type;			/* MAP_NONE: the number is free */
	uint32_t method;
};

/* Of all classes of that name that are gone. */
struct gone {
	struct probed_copy of;
	uint32_t next;			/* of the same hash */
};

struct probed {
	pthread_mutex_t lock;
	struct counters *counters;
	VEC(struct type *) types;	/* NULL: free */
	VEC(uint32_t) free_types;
	struct map by_name;		/* hash of loader and name: the first */
	struct map by_key;
	struct map by_loader;		/* the first */
	VEC(struct place) places;	/* by id */
	VEC(uint32_t) free_ids;
	VEC(struct gone) gone;
	struct map gone_by_name;	/* hash of the names: the first */
	uint64_t gone_lost;
	struct arena gone_texts;
	struct map taken;		/* hash of a method: kinds */
};

struct probed *probed_new(struct counters *counters)
{
	struct probed *probed = calloc(1, sizeof(*probed));

	if (probed) {
		pthread_mutex_init(&probed->lock, NULL);
		probed->counters = counters;
	}
	return probed;
}

static uint64_t hash(uint64_t seed, struct str text)
{
	struct siphash_key key = { { seed, 0 } };

	return siphash(&key, text.bytes, text.size);
}

static bool copy_text(struct str *to, struct arena *arena, struct str from)
{
	*to = (struct str){ arena_copy(arena, from.bytes ? from.bytes : "", from.size),
			    from.size };
	return to->bytes != NULL;
}

/* Classes ------------------------------------------------------------------------- */

static uint32_t find_type(struct probed *probed, uint64_t loader, struct str name)
{
	uint32_t at = map_find(&probed->by_name, hash(loader, name));

	while (at != MAP_NONE) {
		const struct type *type = probed->types.items[at];

		if (type->loader == loader && str_is(type->name, name))
			return at;
		at = type->next;
	}
	return MAP_NONE;
}

static void free_type(struct type *type)
{
	if (!type)
		return;
	vec_clear(&type->methods);
	arena_clear(&type->arena);
	free(type);
}

/* Puts it before the others of its loader. */
static bool link_type(struct probed *probed, struct type *type, uint32_t at)
{
	type->before = MAP_NONE;
	type->behind = map_find(&probed->by_loader, type->loader);
	if (!map_put(&probed->by_loader, type->loader, at))
		return false;
	if (type->behind != MAP_NONE)
		probed->types.items[type->behind]->before = at;
	return true;
}

static void unlink_of_loader(struct probed *probed, const struct type *type)
{
	if (type->behind != MAP_NONE)
		probed->types.items[type->behind]->before = type->before;
	if (type->before != MAP_NONE)
		probed->types.items[type->before]->behind = type->behind;
	else if (type->behind != MAP_NONE)
		map_put(&probed->by_loader, type->loader, type->behind);
	else
		map_remove(&probed->by_loader, type->loader);
}

/* Takes a place for it among the others. */
static uint32_t place_type(struct probed *probed, struct type *type)
{
	uint64_t number = hash(type->loader, type->name);
	uint32_t at = (uint32_t)probed->types.count;
	bool is_new = probed->free_types.count == 0;

	if (!is_new)
		at = probed->free_types.items[probed->free_types.count - 1];
	else if (!vec_push(&probed->types, NULL))
		return MAP_NONE;
	type->next = map_find(&probed->by_name, number);
	if (!map_put(&probed->by_name, number, at) || !link_type(probed, type, at)) {
		if (type->next != MAP_NONE)
			map_put(&probed->by_name, number, type->next);
		else
			map_remove(&probed->by_name, number);
		probed->types.count -= is_new;
		return MAP_NONE;
	}
	probed->free_types.count -= !is_new;
	probed->types.items[at] = type;
	return at;
}

static uint32_t add_type(struct probed *probed, uint64_t loader, struct str name)
{
	uint32_t at = find_type(probed, loader, name);
	struct type *type;

	if (at != MAP_NONE)
		return at;
	type = calloc(1, sizeof(*type));
	if (!type)
		return MAP_NONE;
	type->loader = loader;
	if (copy_text(&type->name, &type->arena, name))
		at = place_type(probed, type);
	if (at == MAP_NONE)
		free_type(type);
	return at;
}

static void unlink_type(struct probed *probed, uint32_t at)
{
	const struct type *type = probed->types.items[at];
	uint64_t number = hash(type->loader, type->name);
	uint32_t before = map_find(&probed->by_name, number);

	if (before == at) {
		if (type->next == MAP_NONE)
			map_remove(&probed->by_name, number);
		else
			map_put(&probed->by_name, number, type->next);
		return;
	}
	while (probed->types.items[before]->next != at)
		before = probed->types.items[before]->next;
	probed->types.items[before]->next = type->next;
}

/* Methods ------------------------------------------------------------------------- */

static struct method *find_method(struct type *type, struct str name,
				  struct str descriptor)
{
	for (size_t i = 0; i < type->methods.count; i++) {
		struct method *method = &type->methods.items[i];

		if (str_is(method->name, name) && str_is(method->descriptor, descriptor))
			return method;
	}
	return NULL;
}

/* A number that nobody has. PROBED_NONE without memory. */
static uint32_t new_id(struct probed *probed, struct place place)
{
	uint32_t id;

	if (probed->free_ids.count) {
		id = probed->free_ids.items[--probed->free_ids.count];
		probed->places.items[id] = place;
		return id;
	}
	/* Generated code has it as an int. */
	if (probed->places.count >= INT32_MAX || !vec_push(&probed->places, place))
		return PROBED_NONE;
	return (uint32_t)probed->places.count - 1;
}

static struct method *add_method(struct probed *probed, uint32_t at,
				 const struct classfile_method *of)
{
	struct type *type = probed->types.items[at];
	struct method *known = find_method(type, of->name, of->descriptor);
	struct method method = { .access = of->access };

	if (known)
		return known;
	if (!copy_text(&method.name, &type->arena, of->name) ||
	    !copy_text(&method.descriptor, &type->arena, of->descriptor) ||
	    !vec_push(&type->methods, method))
		return NULL;
	known = &type->methods.items[type->methods.count - 1];
	known->id = new_id(probed, (struct place){ at, (uint32_t)type->methods.count - 1 });
	if (known->id == PROBED_NONE)
		type->methods.count--;
	return known->id == PROBED_NONE ? NULL : known;
}

uint32_t probed_add(struct probed *probed, uint64_t loader, struct str class_name,
		    const struct classfile_method *of, unsigned kinds, unsigned *added)
{
	struct method *method = NULL;
	uint32_t at, id = PROBED_NONE;

	*added = 0;
	pthread_mutex_lock(&probed->lock);
	at = add_type(probed, loader, class_name);
	if (at != MAP_NONE)
		method = add_method(probed, at, of);
	if (method) {
		*added = kinds & ~method->kinds;
		method->kinds |= kinds;
		id = method->id;
	}
	pthread_mutex_unlock(&probed->lock);
	return id;
}

unsigned probed_take(struct probed *probed, uint64_t loader, struct str class_name,
		     const struct classfile_method *of, unsigned kinds)
{
	uint64_t number = hash(hash(hash(loader, class_name), of->name), of->descriptor);
	uint32_t before;

	pthread_mutex_lock(&probed->lock);
	before = map_find(&probed->taken, number);
	if (before == MAP_NONE)
		before = 0;
	if (probed->taken.count >= PROBED_TAKEN_MAX ||
	    !map_put(&probed->taken, number, before | kinds))
		kinds = 0;
	pthread_mutex_unlock(&probed->lock);
	return kinds & ~before;
}

/* Under the lock. NULL: nobody has that number. */
static struct method *method_of(struct probed *probed, uint32_t id, struct type **type)
{
	struct place place;

	if (id >= probed->places.count)
		return NULL;
	place = probed->places.items[id];
	if (place.type == MAP_NONE)
		return NULL;
	*type = probed->types.items[place.type];
	return &(*type)->methods.items[place.method];
}

void probed_note(struct probed *probed, uint32_t id, enum rewrite_result result,
		 uint32_t size_before, uint32_t size_after)
{
	struct method *method;
	struct type *type;

	pthread_mutex_lock(&probed->lock);
	method = method_of(probed, id, &type);
	if (method) {
		method->result = result;
		method->size_before = size_before;
		method->size_after = size_after;
	}
	pthread_mutex_unlock(&probed->lock);
}

bool probed_has(struct probed *probed, uint64_t loader, struct str class_name)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = find_type(probed, loader, class_name);
	pthread_mutex_unlock(&probed->lock);
	return at != MAP_NONE;
}

void probed_leave(struct probed *probed, uint64_t loader, struct str class_name)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = find_type(probed, loader, class_name);
	if (at != MAP_NONE)
		probed->types.items[at]->is_left = true;
	pthread_mutex_unlock(&probed->lock);
}

bool probed_is_left(struct probed *probed, uint64_t loader, struct str class_name)
{
	bool is_left;
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = find_type(probed, loader, class_name);
	is_left = at != MAP_NONE && probed->types.items[at]->is_left;
	pthread_mutex_unlock(&probed->lock);
	return is_left;
}

bool probed_bind(struct probed *probed, uint64_t loader, struct str class_name,
		 uint64_t key)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = find_type(probed, loader, class_name);
	if (at != MAP_NONE && probed->types.items[at]->key != key &&
	    map_put(&probed->by_key, key, at))
		probed->types.items[at]->key = key;
	pthread_mutex_unlock(&probed->lock);
	return at != MAP_NONE;
}

/* What is gone -------------------------------------------------------------------- */

static struct probed_copy copy_of(const struct type *type, const struct method *method)
{
	return (struct probed_copy){
		.class_key = type->key,
		.class_name = type->name,
		.name = method->name,
		.descriptor = method->descriptor,
		.access = method->access,
		.kinds = method->kinds,
		.result = type->is_left ? REWRITE_DAMAGED : method->result,
		.size_before = method->size_before,
		.size_after = type->is_left ? 0 : method->size_after,
	};
}

static uint64_t hash_names(const struct probed_copy *of)
{
	return hash(hash(hash(0, of->class_name), of->name), of->descriptor);
}

static struct gone *find_gone(struct probed *probed, const struct probed_copy *of)
{
	uint32_t at = map_find(&probed->gone_by_name, hash_names(of));

	while (at != MAP_NONE) {
		struct gone *gone = &probed->gone.items[at];

		if (str_is(gone->of.class_name, of->class_name) &&
		    str_is(gone->of.name, of->name) &&
		    str_is(gone->of.descriptor, of->descriptor))
			return gone;
		at = gone->next;
	}
	return NULL;
}

static bool copy_texts(struct probed_copy *of, struct arena *arena)
{
	return copy_text(&of->class_name, arena, of->class_name) &&
	       copy_text(&of->name, arena, of->name) &&
	       copy_text(&of->descriptor, arena, of->descriptor);
}

/* False: without memory, or there are too many. */
static bool add_gone(struct probed *probed, const struct probed_copy *of)
{
	uint64_t number = hash_names(of);
	struct gone gone = { .of = *of, .next = map_find(&probed->gone_by_name, number) };

	gone.of.is_gone = true;
	gone.of.class_key = 0;
	if (probed->gone.count == PROBED_GONE_MAX ||
	    !copy_texts(&gone.of, &probed->gone_texts) || !vec_push(&probed->gone, gone))
		return false;
	if (map_put(&probed->gone_by_name, number, (uint32_t)probed->gone.count - 1))
		return true;
	probed->gone.count--;
	return false;
}

/* Its counts are added to those of others of its name; its number is free. */
static void lose_method(struct probed *probed, const struct type *type,
			const struct method *method)
{
	struct probed_copy of = copy_of(type, method);
	struct gone *gone = find_gone(probed, &of);

	counters_sum(probed->counters, method->id, 1, &of.sum);
	if (gone) {
		gone->of.kinds |= of.kinds;
		counter_add(&gone->of.sum, &of.sum);
	} else if ((type->key || of.sum.count) && !add_gone(probed, &of)) {
		probed->gone_lost++;
	}
	counters_zero(probed->counters, method->id);
	probed->places.items[method->id].type = MAP_NONE;
	vec_push(&probed->free_ids, method->id);
}

static void lose_type(struct probed *probed, uint32_t at)
{
	struct type *type = probed->types.items[at];

	for (size_t i = 0; i < type->methods.count; i++)
		lose_method(probed, type, &type->methods.items[i]);
	unlink_type(probed, at);
	unlink_of_loader(probed, type);
	if (type->key && map_find(&probed->by_key, type->key) == at)
		map_remove(&probed->by_key, type->key);
	probed->types.items[at] = NULL;
	vec_push(&probed->free_types, at);
	free_type(type);
}

void probed_class_gone(struct probed *probed, uint64_t key)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = map_find(&probed->by_key, key);
	if (at != MAP_NONE)
		lose_type(probed, at);
	pthread_mutex_unlock(&probed->lock);
}

void probed_loader_gone(struct probed *probed, uint64_t loader)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	while (loader && (at = map_find(&probed->by_loader, loader)) != MAP_NONE)
		lose_type(probed, at);
	pthread_mutex_unlock(&probed->lock);
}

/* Asking -------------------------------------------------------------------------- */

bool probed_find(struct probed *probed, uint32_t id, struct probed_copy *copy)
{
	const struct method *method;
	struct type *type;

	pthread_mutex_lock(&probed->lock);
	method = method_of(probed, id, &type);
	if (method)
		*copy = copy_of(type, method);
	pthread_mutex_unlock(&probed->lock);
	return method != NULL;
}

static bool add_copy(struct probed_snapshot *snapshot, struct probed_copy copy)
{
	copy.is_gone = copy.class_key == 0;
	return copy_texts(&copy, &snapshot->arena) && vec_push(&snapshot->of, copy);
}

/*
 * Those that got their numbers after the sums were made have no counts that matter. Of a
 * class that is not ready methods can have run already, static initialisers at least; and
 * it may never be, if it was not seen to be.
 */
static bool copy_type(struct probed_snapshot *snapshot, const struct type *type,
		      const struct counter *sums, size_t count)
{
	for (size_t i = 0; i < type->methods.count; i++) {
		const struct method *method = &type->methods.items[i];
		struct probed_copy copy = copy_of(type, method);

		if (method->id < count)
			copy.sum = sums[method->id];
		if ((type->key || copy.sum.count) && !add_copy(snapshot, copy))
			return false;
	}
	return true;
}

static bool copy_all(struct probed *probed, struct probed_snapshot *snapshot,
		     const struct counter *sums, size_t count)
{
	bool is_good = true;

	for (size_t i = 0; is_good && i < probed->types.count; i++) {
		const struct type *type = probed->types.items[i];

		if (type)
			is_good = copy_type(snapshot, type, sums, count);
	}
	for (size_t i = 0; is_good && i < probed->gone.count; i++)
		is_good = add_copy(snapshot, probed->gone.items[i].of);
	snapshot->gone_lost = probed->gone_lost;
	return is_good;
}

bool probed_snapshot(struct probed *probed, struct probed_snapshot *snapshot)
{
	struct counter *sums;
	bool is_good;
	size_t count;

	*snapshot = (struct probed_snapshot){ 0 };
	pthread_mutex_lock(&probed->lock);
	count = probed->places.count;
	pthread_mutex_unlock(&probed->lock);
	sums = calloc(count + 1, sizeof(*sums));
	if (!sums)
		return false;
	/* It takes long: classes may be loaded meanwhile. */
	counters_sum(probed->counters, 0, (uint32_t)count, sums);
	pthread_mutex_lock(&probed->lock);
	is_good = copy_all(probed, snapshot, sums, count);
	pthread_mutex_unlock(&probed->lock);
	free(sums);
	return is_good;
}

void probed_snapshot_clear(struct probed_snapshot *snapshot)
{
	vec_clear(&snapshot->of);
	arena_clear(&snapshot->arena);
}

void probed_free(struct probed *probed)
{
	if (!probed)
		return;
	for (size_t i = 0; i < probed->types.count; i++)
		free_type(probed->types.items[i]);
	vec_clear(&probed->types);
	vec_clear(&probed->free_types);
	map_clear(&probed->by_name);
	map_clear(&probed->by_key);
	map_clear(&probed->taken);
	map_clear(&probed->by_loader);
	vec_clear(&probed->places);
	vec_clear(&probed->free_ids);
	vec_clear(&probed->gone);
	map_clear(&probed->gone_by_name);
	arena_clear(&probed->gone_texts);
	pthread_mutex_destroy(&probed->lock);
	free(probed);
}
