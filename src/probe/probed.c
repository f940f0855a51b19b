#include "probe/probed.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"
#include "probe/gone.h"
#include "probe/owners.h"

/* Where the method of a number is. */
struct place {
	uint32_t owner;			/* MAP_NONE: the number is free */
	uint32_t method;
};

struct probed {
	pthread_mutex_t lock;
	struct counters *counters;
	struct owners owners;
	VEC(struct place) places;	/* by id */
	VEC(uint32_t) free_ids;
	struct gone gone;
	uint64_t lost;			/* numbers that became free, ever */
	unsigned run;
};

struct probed *probed_new(struct counters *counters)
{
	struct probed *probed = calloc(1, sizeof(*probed));

	if (probed) {
		pthread_mutex_init(&probed->lock, NULL);
		probed->counters = counters;
		probed->owners.waiting.max = PROBED_WAITING_MAX;
		probed->owners.waiting.most = PROBED_WAITING_MOST;
		probed->owners.waiting.rounds = PROBED_ROUNDS;
		probed->gone.max = PROBED_GONE_MAX;
	}
	return probed;
}

/* Methods ------------------------------------------------------------------------- */

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

static uint32_t add_owner(struct probed *probed, const struct probed_class *class_)
{
	uint32_t at = owners_add(&probed->owners, class_->loader, class_->name,
				 !class_->is_redefined);

	if (at != MAP_NONE)
		probed->owners.all.items[at]->run = class_->run;
	return at;
}

static struct owner_method *add_method(struct probed *probed, uint32_t at,
				       const struct classfile_method *of)
{
	struct owner *owner = probed->owners.all.items[at];
	struct owner_method *method = owners_find_method(owner, of->name,
							 of->descriptor);

	if (method)
		return method;
	method = owners_add_method(owner, of);
	if (!method)
		return NULL;
	method->id = new_id(probed,
			    (struct place){ at, (uint32_t)owner->methods.count - 1 });
	if (method->id == PROBED_NONE)
		owner->methods.count--;
	return method->id == PROBED_NONE ? NULL : method;
}

/* What is made of a class that is there, or being changed, the JVM may not take. */
static bool is_sure(const struct owner *owner, bool is_redefined)
{
	return !is_redefined && !owner->key;
}

uint32_t probed_add(struct probed *probed, const struct probed_class *class_,
		    const struct classfile_method *of, unsigned kinds, unsigned *added)
{
	struct owner_method *method = NULL;
	uint32_t at, id = PROBED_NONE;

	*added = 0;
	pthread_mutex_lock(&probed->lock);
	at = add_owner(probed, class_);
	if (at != MAP_NONE)
		method = add_method(probed, at, of);
	if (method) {
		if (class_->run == probed->run)
			*added = kinds & ~method->kinds;
		method->kinds |= *added;
		method->outcomes.is_there |=
			is_sure(probed->owners.all.items[at], class_->is_redefined);
		id = method->id;
	}
	pthread_mutex_unlock(&probed->lock);
	return id;
}

/* Under the lock. NULL: nobody has that number. */
static struct owner_method *method_of(struct probed *probed, uint32_t id,
				      struct owner **owner)
{
	struct place place;

	if (id >= probed->places.count)
		return NULL;
	place = probed->places.items[id];
	if (place.owner == MAP_NONE)
		return NULL;
	*owner = probed->owners.all.items[place.owner];
	return &(*owner)->methods.items[place.method];
}

void probed_note(struct probed *probed, uint32_t id, bool is_redefined,
		 const struct outcome *outcome)
{
	struct owner_method *method;
	struct owner *owner;

	pthread_mutex_lock(&probed->lock);
	method = method_of(probed, id, &owner);
	if (method) {
		method->outcomes.next = *outcome;
		method->outcomes.has_next = true;
		owner->has_probes |= outcome->result == REWRITE_DONE;
		if (is_sure(owner, is_redefined))
			outcomes_settle(&method->outcomes);
	}
	pthread_mutex_unlock(&probed->lock);
}

/* Leaves the lock taken. NULL: there is none. */
static struct owner *lock_owner(struct probed *probed, uint64_t loader, struct str name)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = owners_find(&probed->owners, loader, name);
	return at == MAP_NONE ? NULL : probed->owners.all.items[at];
}

bool probed_has(struct probed *probed, uint64_t loader, struct str class_name)
{
	bool has = lock_owner(probed, loader, class_name) != NULL;

	pthread_mutex_unlock(&probed->lock);
	return has;
}

bool probed_is_seen(struct probed *probed, uint64_t loader, struct str class_name)
{
	const struct owner *owner = lock_owner(probed, loader, class_name);
	bool is_seen = owner && owner->run == probed->run;

	pthread_mutex_unlock(&probed->lock);
	return is_seen;
}

bool probed_has_probes(struct probed *probed, uint64_t loader, struct str class_name,
		       bool is_stale)
{
	const struct owner *owner = lock_owner(probed, loader, class_name);
	bool has = owner && owner->has_probes &&
		   !(is_stale && owner->run == probed->run);

	pthread_mutex_unlock(&probed->lock);
	return has;
}

static size_t count_methods(const struct owner *owner)
{
	size_t count = 0;

	for (size_t i = 0; i < owner->methods.count; i++) {
		const struct owner_method *method = &owner->methods.items[i];

		count += method->kinds && method->outcomes.was_done;
	}
	return count;
}

size_t probed_count(struct probed *probed, size_t *methods)
{
	size_t count = 0;

	*methods = 0;
	pthread_mutex_lock(&probed->lock);
	for (size_t i = 0; i < probed->owners.all.count; i++) {
		const struct owner *owner = probed->owners.all.items[i];

		if (!owner || !owner->has_probes)
			continue;
		count++;
		*methods += count_methods(owner);
	}
	pthread_mutex_unlock(&probed->lock);
	return count;
}

/* What is told in a run that is over never comes to count for the one that is now. */
void probed_taken(struct probed *probed, uint64_t loader, struct str class_name,
		  bool is_plain)
{
	struct owner *owner = lock_owner(probed, loader, class_name);

	if (owner)
		owner->has_probes &= !is_plain && owner->run == probed->run;
	for (size_t i = 0; owner && i < owner->methods.count; i++) {
		owner->methods.items[i].kinds_before = 0;
		owner->methods.items[i].outcomes.is_there = true;
		outcomes_settle(&owner->methods.items[i].outcomes);
	}
	pthread_mutex_unlock(&probed->lock);
}

void probed_leave(struct probed *probed, uint64_t loader, struct str class_name)
{
	struct owner *owner = lock_owner(probed, loader, class_name);

	if (owner)
		owner->is_left = true;
	for (size_t i = 0; owner && i < owner->methods.count; i++)
		outcomes_leave(&owner->methods.items[i].outcomes);
	pthread_mutex_unlock(&probed->lock);
}

bool probed_is_left(struct probed *probed, uint64_t loader, struct str class_name)
{
	struct owner *owner = lock_owner(probed, loader, class_name);
	bool is_left = owner && owner->is_left;

	pthread_mutex_unlock(&probed->lock);
	return is_left;
}

static bool is_open(const struct owner *owner)
{
	for (size_t i = 0; i < owner->methods.count; i++) {
		if (outcomes_is_open(&owner->methods.items[i].outcomes))
			return true;
	}
	return false;
}

bool probed_is_open(struct probed *probed, uint64_t loader, struct str class_name)
{
	struct owner *owner = lock_owner(probed, loader, class_name);
	bool is = owner && !owner->is_asked && is_open(owner);

	if (is)
		owner->is_asked = true;
	pthread_mutex_unlock(&probed->lock);
	return is;
}

bool probed_checked(struct probed *probed, uint64_t loader, struct str class_name)
{
	struct owner *owner = lock_owner(probed, loader, class_name);
	bool is = owner && is_open(owner);

	if (owner)
		owner->is_asked = is;
	pthread_mutex_unlock(&probed->lock);
	return is;
}

void probed_check(struct probed *probed, uint64_t loader, struct str class_name,
		  struct str name, struct str descriptor, uint32_t size)
{
	struct owner *owner = lock_owner(probed, loader, class_name);
	struct owner_method *method =
		owner ? owners_find_method(owner, name, descriptor) : NULL;

	if (method)
		outcomes_check(&method->outcomes, size);
	pthread_mutex_unlock(&probed->lock);
}

/* Ready, and gone ----------------------------------------------------------------- */

static struct probed_copy copy_of(const struct owner *owner,
				  const struct owner_method *method)
{
	return (struct probed_copy){
		.class_key = owner->key,
		.class_name = owner->name,
		.name = method->name,
		.descriptor = method->descriptor,
		.access = method->access,
		.kinds = method->kinds,
		.was_done = method->outcomes.was_done,
		.newest = *outcomes_newest(&method->outcomes),
	};
}

/* True if it is to be told: it is meant, and is there, or was, as far as is known. */
static bool is_real(const struct owner *owner, const struct owner_method *method,
		    const struct probed_copy *of)
{
	return of->kinds &&
	       (of->sum.count || (owner->key && method->outcomes.is_there));
}

/* Its counts are added to those of others of its name; its number is free. */
static void lose_method(struct probed *probed, const struct owner *owner,
			const struct owner_method *method)
{
	struct probed_copy of = copy_of(owner, method);

	/* It was there when others began to hold, and gone before they could be asked. */
	if (!of.kinds)
		of.kinds = method->kinds_before;
	counters_sum(probed->counters, method->id, 1, &of.sum);
	counter_since(&of.sum, &method->before);
	if (is_real(owner, method, &of))
		gone_add(&probed->gone, &of);
	counters_zero(probed->counters, method->id);
	probed->lost++;
	probed->places.items[method->id].owner = MAP_NONE;
	vec_push(&probed->free_ids, method->id);
}

static void lose_owner(struct probed *probed, uint32_t at)
{
	struct owner *owner = probed->owners.all.items[at];

	for (size_t i = 0; i < owner->methods.count; i++)
		lose_method(probed, owner, &owner->methods.items[i]);
	owners_remove(&probed->owners, at);
}

/* Under the lock. MAP_NONE: it has no methods that are known, or any more. */
static uint32_t find_ready(struct probed *probed, uint64_t loader, struct str name)
{
	uint32_t at = owners_find(&probed->owners, loader, name);

	if (at == MAP_NONE || probed->owners.all.items[at]->methods.count)
		return at;
	lose_owner(probed, at);
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

bool probed_bind(struct probed *probed, uint64_t loader, struct str class_name,
		 uint64_t key)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = find_ready(probed, loader, class_name);
	if (at != MAP_NONE)
		owners_bind(&probed->owners, at, key);
	pthread_mutex_unlock(&probed->lock);
	return at != MAP_NONE;
}

bool probed_loader(struct probed *probed, uint64_t key, uint64_t *loader)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = key ? map_find(&probed->owners.by_key, key) : MAP_NONE;
	if (at != MAP_NONE)
		*loader = probed->owners.all.items[at]->loader;
	pthread_mutex_unlock(&probed->lock);
	return at != MAP_NONE;
}

static void lose_too_many(struct probed *probed)
{
	uint32_t at;

	while (waiting_is_full(&probed->owners.waiting, &at))
		lose_owner(probed, at);
}

void probed_see(struct probed *probed, const struct probed_class *class_)
{
	pthread_mutex_lock(&probed->lock);
	add_owner(probed, class_);
	lose_too_many(probed);
	pthread_mutex_unlock(&probed->lock);
}

void probed_loaded(struct probed *probed, uint64_t loader, struct str class_name)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = owners_find(&probed->owners, loader, class_name);
	if (at != MAP_NONE)
		owners_stay(&probed->owners, at);
	pthread_mutex_unlock(&probed->lock);
}

void probed_round(struct probed *probed)
{
	pthread_mutex_lock(&probed->lock);
	probed->owners.waiting.round++;
	lose_too_many(probed);
	pthread_mutex_unlock(&probed->lock);
}

void probed_class_gone(struct probed *probed, uint64_t key)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = map_find(&probed->owners.by_key, key);
	if (at != MAP_NONE)
		lose_owner(probed, at);
	pthread_mutex_unlock(&probed->lock);
}

void probed_loader_gone(struct probed *probed, uint64_t loader)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	while (loader && (at = map_find(&probed->owners.by_loader, loader)) != MAP_NONE)
		lose_owner(probed, at);
	pthread_mutex_unlock(&probed->lock);
}

/* Without keys -------------------------------------------------------------------- */

/* No key is so large. */
static uint64_t token_of(uint32_t at)
{
	return UINT64_MAX - at;
}

/* MAP_NONE: the token is nobody's. */
static uint32_t orphan_of(const struct probed *probed, uint64_t token)
{
	return map_find(&probed->owners.by_loader, token);
}

uint64_t probed_orphan(struct probed *probed, uint64_t loader, struct str class_name)
{
	uint64_t token = 0;
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = owners_find(&probed->owners, loader, class_name);
	if (at != MAP_NONE && owners_move(&probed->owners, at, token_of(at))) {
		owners_stay(&probed->owners, at);
		token = token_of(at);
	}
	pthread_mutex_unlock(&probed->lock);
	return token;
}

/* Its numbers are never given again. */
static void retire_owner(struct probed *probed, uint32_t at)
{
	const struct owner *owner = probed->owners.all.items[at];

	for (size_t i = 0; i < owner->methods.count; i++)
		probed->places.items[owner->methods.items[i].id].owner = MAP_NONE;
	owners_remove(&probed->owners, at);
}

void probed_orphan_rest(struct probed *probed)
{
	pthread_mutex_lock(&probed->lock);
	for (uint32_t at = 0; at < probed->owners.all.count; at++) {
		struct owner *owner = probed->owners.all.items[at];

		if (!owner || owner->loader == token_of(at))
			continue;
		if (owner->key)
			lose_owner(probed, at);
		else
			retire_owner(probed, at);
	}
	pthread_mutex_unlock(&probed->lock);
}

void probed_adopt(struct probed *probed, uint64_t token, uint64_t loader, uint64_t key)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = orphan_of(probed, token);
	if (at != MAP_NONE && owners_move(&probed->owners, at, loader) && key)
		owners_bind(&probed->owners, at, key);
	pthread_mutex_unlock(&probed->lock);
}

void probed_lose(struct probed *probed, uint64_t token)
{
	uint32_t at;

	pthread_mutex_lock(&probed->lock);
	at = orphan_of(probed, token);
	if (at != MAP_NONE)
		lose_owner(probed, at);
	pthread_mutex_unlock(&probed->lock);
}

/* Asking -------------------------------------------------------------------------- */

bool probed_find(struct probed *probed, uint32_t id, struct probed_copy *copy)
{
	const struct owner_method *method;
	struct owner *owner;

	pthread_mutex_lock(&probed->lock);
	method = method_of(probed, id, &owner);
	if (method)
		*copy = copy_of(owner, method);
	pthread_mutex_unlock(&probed->lock);
	return method != NULL;
}

struct sums {
	struct counter *of;		/* by number */
	size_t count;
};

/* Those that got their numbers after the sums were made have no counts that matter. */
static struct counter sum_of(const struct sums *sums, uint32_t id)
{
	return id < sums->count ? sums->of[id] : (struct counter){ 0 };
}

/*
 * Of a class that is not ready methods can have run already, static initialisers at least; and
 * it may never be, if it was not seen to be.
 */
static bool copy_owner(struct probed_snapshot *snapshot, struct map *by_name,
		       const struct owner *owner, const struct sums *sums)
{
	bool is_good = true;

	for (size_t i = 0; is_good && i < owner->methods.count; i++) {
		const struct owner_method *method = &owner->methods.items[i];
		struct probed_copy copy = copy_of(owner, method);

		copy.sum = sum_of(sums, method->id);
		counter_since(&copy.sum, &method->before);
		if (is_real(owner, method, &copy))
			is_good = owner->key ? snapshot_add(snapshot, copy)
					     : snapshot_add_gone(snapshot, by_name,
								 copy);
	}
	return is_good;
}

static bool copy_all(struct probed *probed, struct probed_snapshot *snapshot,
		     const struct sums *sums)
{
	struct map by_name = { 0 };
	bool is_good = true;

	for (size_t i = 0; is_good && i < probed->gone.methods.count; i++)
		is_good = snapshot_add_gone(snapshot, &by_name,
					    probed->gone.methods.items[i].of);
	for (size_t i = 0; is_good && i < probed->owners.all.count; i++) {
		const struct owner *owner = probed->owners.all.items[i];

		if (owner)
			is_good = copy_owner(snapshot, &by_name, owner, sums);
	}
	snapshot->gone_lost = probed->gone.lost;
	map_clear(&by_name);
	return is_good;
}

static bool make_sums(struct probed *probed, struct sums *sums)
{
	sums->count = probed->places.count;
	free(sums->of);
	sums->of = calloc(sums->count + 1, sizeof(*sums->of));
	return sums->of != NULL;
}

/*
 * Of all numbers that there are, and leaves the lock taken. It takes long, and classes may
 * be loaded meanwhile; if numbers have become another's, it is done once more, and they
 * wait. False without memory, and without the lock.
 */
static bool lock_sums(struct probed *probed, struct sums *sums)
{
	uint64_t lost;
	bool is_good;

	*sums = (struct sums){ 0 };
	pthread_mutex_lock(&probed->lock);
	lost = probed->lost;
	is_good = make_sums(probed, sums);
	pthread_mutex_unlock(&probed->lock);
	if (!is_good)
		return false;
	counters_sum(probed->counters, 0, (uint32_t)sums->count, sums->of);
	pthread_mutex_lock(&probed->lock);
	if (probed->lost == lost)
		return true;
	is_good = make_sums(probed, sums);
	if (is_good)
		counters_sum(probed->counters, 0, (uint32_t)sums->count, sums->of);
	else
		pthread_mutex_unlock(&probed->lock);
	return is_good;
}

bool probed_snapshot(struct probed *probed, struct probed_snapshot *snapshot)
{
	struct sums sums;
	bool is_good;

	*snapshot = (struct probed_snapshot){ 0 };
	if (!lock_sums(probed, &sums))
		return false;
	is_good = copy_all(probed, snapshot, &sums);
	pthread_mutex_unlock(&probed->lock);
	free(sums.of);
	return is_good;
}

void probed_snapshot_clear(struct probed_snapshot *snapshot)
{
	vec_clear(&snapshot->of);
	arena_clear(&snapshot->arena);
}

/* Runs ---------------------------------------------------------------------------- */

/*
 * What is counted already goes on. Longest and shortest times are forgotten here, before
 * the method has a probe again.
 */
static void begin_method(struct probed *probed, struct owner_method *method,
			 const struct sums *sums, bool is_anew)
{
	bool goes_on = !is_anew && method->kinds & PROBE_TIMING;

	method->kinds_before = goes_on ? method->kinds : 0;
	method->kinds = 0;
	if (is_anew)
		method->outcomes = (struct outcomes){ 0 };
	if (goes_on)
		return;
	method->before = sum_of(sums, method->id);
	if (method->before.count)
		counters_anew(probed->counters, method->id);
}

static void begin_all(struct probed *probed, const struct sums *sums, bool is_anew)
{
	for (size_t i = 0; i < probed->owners.all.count; i++) {
		struct owner *owner = probed->owners.all.items[i];

		for (size_t k = 0; owner && k < owner->methods.count; k++)
			begin_method(probed, &owner->methods.items[k], sums, is_anew);
		if (owner)
			owner->is_left = owner->is_asked = false;
	}
}

bool probed_begin(struct probed *probed, bool is_anew, unsigned *run)
{
	struct sums sums;

	if (!lock_sums(probed, &sums))
		return false;
	begin_all(probed, &sums, is_anew);
	if (is_anew) {
		gone_clear(&probed->gone);
		probed->gone = (struct gone){ .max = PROBED_GONE_MAX };
	}
	*run = ++probed->run;
	pthread_mutex_unlock(&probed->lock);
	free(sums.of);
	return true;
}

void probed_free(struct probed *probed)
{
	if (!probed)
		return;
	owners_clear(&probed->owners);
	vec_clear(&probed->places);
	vec_clear(&probed->free_ids);
	gone_clear(&probed->gone);
	pthread_mutex_destroy(&probed->lock);
	free(probed);
}
