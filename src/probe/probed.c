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
	struct outcomes outcomes;
};

struct type {
	uint64_t loader;
	uint64_t key;			/* 0: not ready */
	struct str name;		/* of the arena, as all texts here */
	bool is_left, is_asked;
	VEC(struct method) methods;
	struct arena arena;
	uint32_t next;			/* of the same hash */
	uint32_t before, behind;	/* of the same loader */
	bool is_waiting;		/* new, and not ready */
	uint32_t older, newer;		/* of those */
	uint64_t since;			/* round */
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
	uint32_t oldest, newest;	/* of those that wait */
	size_t waiting;
	uint64_t round;
	VEC(struct place) places;	/* by id */
	VEC(uint32_t) free_ids;
	VEC(struct gone) gone;
	struct map gone_by_name;	/* hash of the names: the first */
	uint64_t gone_lost;
	struct arena gone_texts;
};

struct probed *probed_new(struct counters *counters)
{
	struct probed *probed = calloc(1, sizeof(*probed));

	if (probed) {
		pthread_mutex_init(&probed->lock, NULL);
		probed->counters = counters;
		probed->oldest = probed->newest = MAP_NONE;
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

/* Makes it the newest of those that wait. */
static void let_wait(struct probed *probed, struct type *type, uint32_t at)
{
	type->is_waiting = true;
	type->since = probed->round;
	type->newer = MAP_NONE;
	type->older = probed->newest;
	if (type->older != MAP_NONE)
		probed->types.items[type->older]->newer = at;
	else
		probed->oldest = at;
	probed->newest = at;
	probed->waiting++;
}

static void end_waiting(struct probed *probed, struct type *type)
{
	if (!type->is_waiting)
		return;
	if (type->older != MAP_NONE)
		probed->types.items[type->older]->newer = type->newer;
	else
		probed->oldest = type->newer;
	if (type->newer != MAP_NONE)
		probed->types.items[type->newer]->older = type->older;
	else
		probed->newest = type->older;
	type->is_waiting = false;
	probed->waiting--;
}

static uint32_t add_type(struct probed *probed, const struct probed_class *class_)
{
	uint32_t at = find_type(probed, class_->loader, class_->name);
	struct type *type;

	if (at != MAP_NONE)
		return at;
	type = calloc(1, sizeof(*type));
	if (!type)
		return MAP_NONE;
	type->loader = class_->loader;
	if (copy_text(&type->name, &type->arena, class_->name))
		at = place_type(probed, type);
	if (at == MAP_NONE)
		free_type(type);
	else if (!class_->is_redefined)
		let_wait(probed, type, at);
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

/* What is made of a class that is there, or being changed, the JVM may not take. */
static bool is_sure(const struct type *type, bool is_redefined)
{
	return !is_redefined && !type->key;
}

uint32_t probed_add(struct probed *probed, const struct probed_class *class_,
		    const struct classfile_method *of, unsigned kinds, unsigned *added)
{
	struct method *method = NULL;
	uint32_t at, id = PROBED_NONE;

	*added = 0;
	pthread_mutex_lock(&probed->lock);
	at = add_type(probed, class_);
	if (at != MAP_NONE)
		method = add_method(probed, at, of);
	if (method) {
		*added = kinds & ~method->kinds;
		method->kinds |= kinds;
		method->outcomes.is_there |=
			is_sure(probed->types.items[at], class_->is_redefined);
		id = method->id;
	}
	pthread_mutex_unlock(&probed->lock);
	return id;
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

void probed_note(struct probed *probed, uint32_t id, bool is_redefined,
		 const struct outcome *outcome)
{
	struct method *method;
	struct type *type;

	pthread_mutex_lock(&probed->lock);
	method = method_of(probed, id, &type);
	if (method) {
		method->outcomes.next = *outcome;
		method->outcomes.has_next = true;
		if (is_sure(type, is_redefined))
			outcomes_settle(&method->outcomes);
	}
	pthread_mutex_unlock(&probed->lock);
}

/* Leaves the lock taken. NULL: there is none. */
static struct type *lock_type(struct probed *probed, uint64_t loader, struct str name)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = find_type(probed, loader, name);
	return at == MAP_NONE ? NULL : probed->types.items[at];
}

bool probed_has(struct probed *probed, uint64_t loader, struct str class_name)
{
	bool has = lock_type(probed, loader, class_name) != NULL;

	pthread_mutex_unlock(&probed->lock);
	return has;
}

void probed_taken(struct probed *probed, uint64_t loader, struct str class_name)
{
	struct type *type = lock_type(probed, loader, class_name);

	for (size_t i = 0; type && i < type->methods.count; i++) {
		type->methods.items[i].outcomes.is_there = true;
		outcomes_settle(&type->methods.items[i].outcomes);
	}
	pthread_mutex_unlock(&probed->lock);
}

void probed_leave(struct probed *probed, uint64_t loader, struct str class_name)
{
	struct type *type = lock_type(probed, loader, class_name);

	if (type)
		type->is_left = true;
	for (size_t i = 0; type && i < type->methods.count; i++)
		outcomes_leave(&type->methods.items[i].outcomes);
	pthread_mutex_unlock(&probed->lock);
}

bool probed_is_left(struct probed *probed, uint64_t loader, struct str class_name)
{
	struct type *type = lock_type(probed, loader, class_name);
	bool is_left = type && type->is_left;

	pthread_mutex_unlock(&probed->lock);
	return is_left;
}

static bool is_open(const struct type *type)
{
	for (size_t i = 0; i < type->methods.count; i++) {
		if (outcomes_is_open(&type->methods.items[i].outcomes))
			return true;
	}
	return false;
}

bool probed_is_open(struct probed *probed, uint64_t loader, struct str class_name)
{
	struct type *type = lock_type(probed, loader, class_name);
	bool is = type && !type->is_asked && is_open(type);

	if (is)
		type->is_asked = true;
	pthread_mutex_unlock(&probed->lock);
	return is;
}

bool probed_checked(struct probed *probed, uint64_t loader, struct str class_name)
{
	struct type *type = lock_type(probed, loader, class_name);
	bool is = type && is_open(type);

	if (type)
		type->is_asked = is;
	pthread_mutex_unlock(&probed->lock);
	return is;
}

void probed_check(struct probed *probed, uint64_t loader, struct str class_name,
		  struct str name, struct str descriptor, uint32_t size)
{
	struct type *type = lock_type(probed, loader, class_name);
	struct method *method = type ? find_method(type, name, descriptor) : NULL;

	if (method)
		outcomes_check(&method->outcomes, size);
	pthread_mutex_unlock(&probed->lock);
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
		.was_done = method->outcomes.was_done,
		.newest = *outcomes_newest(&method->outcomes),
	};
}

/* True if it is to be told: it is there, or was, as far as is known. */
static bool is_real(const struct type *type, const struct method *method,
		    const struct counter *sum)
{
	return sum->count || (type->key && method->outcomes.is_there);
}

static uint64_t hash_names(const struct probed_copy *of)
{
	return hash(hash(hash(0, of->class_name), of->name), of->descriptor);
}

static bool has_names(const struct probed_copy *a, const struct probed_copy *b)
{
	return str_is(a->class_name, b->class_name) && str_is(a->name, b->name) &&
	       str_is(a->descriptor, b->descriptor);
}

/* Adds another one of its names, whose outcome is newer. */
static void add_other(struct probed_copy *to, const struct probed_copy *of)
{
	to->kinds |= of->kinds;
	to->was_done |= of->was_done;
	to->newest = of->newest;
	counter_add(&to->sum, &of->sum);
}

static struct gone *find_gone(struct probed *probed, const struct probed_copy *of)
{
	uint32_t at = map_find(&probed->gone_by_name, hash_names(of));

	while (at != MAP_NONE) {
		struct gone *gone = &probed->gone.items[at];

		if (has_names(&gone->of, of))
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
	struct gone *gone;

	counters_sum(probed->counters, method->id, 1, &of.sum);
	if (is_real(type, method, &of.sum)) {
		gone = find_gone(probed, &of);
		if (gone)
			add_other(&gone->of, &of);
		else if (!add_gone(probed, &of))
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
	end_waiting(probed, type);
	if (type->key && map_find(&probed->by_key, type->key) == at)
		map_remove(&probed->by_key, type->key);
	probed->types.items[at] = NULL;
	vec_push(&probed->free_types, at);
	free_type(type);
}

/* Under the lock. MAP_NONE: it has no methods that are known, or any more. */
static uint32_t find_ready(struct probed *probed, uint64_t loader, struct str name)
{
	uint32_t at = find_type(probed, loader, name);

	if (at == MAP_NONE || probed->types.items[at]->methods.count)
		return at;
	lose_type(probed, at);
	return MAP_NONE;
}

bool probed_ready(struct probed *probed, uint64_t loader, struct str class_name)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = find_ready(probed, loader, class_name);
	pthread_mutex_unlock(&probed->lock);
	return at != MAP_NONE;
}

static void bind(struct probed *probed, uint32_t at, uint64_t key)
{
	struct type *type = probed->types.items[at];

	end_waiting(probed, type);
	if (type->key == key || !map_put(&probed->by_key, key, at))
		return;
	if (type->key && map_find(&probed->by_key, type->key) == at)
		map_remove(&probed->by_key, type->key);
	type->key = key;
}

bool probed_bind(struct probed *probed, uint64_t loader, struct str class_name,
		 uint64_t key)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = find_ready(probed, loader, class_name);
	if (at != MAP_NONE)
		bind(probed, at, key);
	pthread_mutex_unlock(&probed->lock);
	return at != MAP_NONE;
}

bool probed_loader(struct probed *probed, uint64_t key, uint64_t *loader)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = key ? map_find(&probed->by_key, key) : MAP_NONE;
	if (at != MAP_NONE)
		*loader = probed->types.items[at]->loader;
	pthread_mutex_unlock(&probed->lock);
	return at != MAP_NONE;
}

static bool are_too_many(const struct probed *probed)
{
	return probed->waiting > PROBED_WAITING_MOST ||
	       (probed->waiting > PROBED_WAITING_MAX &&
		probed->types.items[probed->oldest]->since + PROBED_ROUNDS <
			probed->round);
}

void probed_see(struct probed *probed, const struct probed_class *class_)
{
	pthread_mutex_lock(&probed->lock);
	add_type(probed, class_);
	while (are_too_many(probed))
		lose_type(probed, probed->oldest);
	pthread_mutex_unlock(&probed->lock);
}

void probed_round(struct probed *probed)
{
	pthread_mutex_lock(&probed->lock);
	probed->round++;
	while (are_too_many(probed))
		lose_type(probed, probed->oldest);
	pthread_mutex_unlock(&probed->lock);
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
	return copy_texts(&copy, &snapshot->arena) && vec_push(&snapshot->of, copy);
}

/* One for all of its names. */
static bool add_without_class(struct probed_snapshot *snapshot, struct map *by_name,
			      const struct probed_copy *copy)
{
	uint64_t number = hash_names(copy);
	uint32_t at = map_find(by_name, number);
	struct probed_copy gone = *copy;

	if (at != MAP_NONE && has_names(&snapshot->of.items[at], copy)) {
		add_other(&snapshot->of.items[at], copy);
		return true;
	}
	gone.is_gone = true;
	return map_put(by_name, number, (uint32_t)snapshot->of.count) &&
	       add_copy(snapshot, gone);
}

/*
 * Those that got their numbers after the sums were made have no counts that matter. Of a
 * class that is not ready methods can have run already, static initialisers at least; and
 * it may never be, if it was not seen to be.
 */
static bool copy_type(struct probed_snapshot *snapshot, struct map *by_name,
		      const struct type *type, const struct counter *sums, size_t count)
{
	bool is_good = true;

	for (size_t i = 0; is_good && i < type->methods.count; i++) {
		const struct method *method = &type->methods.items[i];
		struct probed_copy copy = copy_of(type, method);

		if (method->id < count)
			copy.sum = sums[method->id];
		if (is_real(type, method, &copy.sum))
			is_good = type->key ? add_copy(snapshot, copy)
					    : add_without_class(snapshot, by_name, &copy);
	}
	return is_good;
}

static bool copy_all(struct probed *probed, struct probed_snapshot *snapshot,
		     const struct counter *sums, size_t count)
{
	struct map by_name = { 0 };
	bool is_good = true;

	for (size_t i = 0; is_good && i < probed->gone.count; i++)
		is_good = add_without_class(snapshot, &by_name, &probed->gone.items[i].of);
	for (size_t i = 0; is_good && i < probed->types.count; i++) {
		const struct type *type = probed->types.items[i];

		if (type)
			is_good = copy_type(snapshot, &by_name, type, sums, count);
	}
	snapshot->gone_lost = probed->gone_lost;
	map_clear(&by_name);
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
	map_clear(&probed->by_loader);
	vec_clear(&probed->places);
	vec_clear(&probed->free_ids);
	vec_clear(&probed->gone);
	map_clear(&probed->gone_by_name);
	arena_clear(&probed->gone_texts);
	pthread_mutex_destroy(&probed->lock);
	free(probed);
}
