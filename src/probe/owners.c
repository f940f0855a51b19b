#include "probe/owners.h"

#include <stdlib.h>

#include "probe/text.h"

uint32_t owners_find(const struct owners *owners, uint64_t loader, struct str name)
{
	uint32_t at = map_find(&owners->by_name, text_hash(loader, name));

	while (at != MAP_NONE) {
		const struct owner *owner = owners->all.items[at];

		if (owner->loader == loader && str_is(owner->name, name))
			return at;
		at = owner->next;
	}
	return MAP_NONE;
}

static void free_owner(struct owner *owner)
{
	if (!owner)
		return;
	vec_clear(&owner->methods);
	arena_clear(&owner->arena);
	free(owner);
}

/* Puts it before the others of its loader. */
static bool link_owner(struct owners *owners, struct owner *owner, uint32_t at)
{
	owner->before = MAP_NONE;
	owner->behind = map_find(&owners->by_loader, owner->loader);
	if (!map_put(&owners->by_loader, owner->loader, at))
		return false;
	if (owner->behind != MAP_NONE)
		owners->all.items[owner->behind]->before = at;
	return true;
}

static void unlink_of_loader(struct owners *owners, const struct owner *owner)
{
	if (owner->behind != MAP_NONE)
		owners->all.items[owner->behind]->before = owner->before;
	if (owner->before != MAP_NONE)
		owners->all.items[owner->before]->behind = owner->behind;
	else if (owner->behind != MAP_NONE)
		map_put(&owners->by_loader, owner->loader, owner->behind);
	else
		map_remove(&owners->by_loader, owner->loader);
}

/* It is found there from now on. */
static bool link(struct owners *owners, struct owner *owner, uint32_t at)
{
	uint64_t number = text_hash(owner->loader, owner->name);

	owner->next = map_find(&owners->by_name, number);
	if (map_put(&owners->by_name, number, at) && link_owner(owners, owner, at))
		return true;
	if (owner->next != MAP_NONE)
		map_put(&owners->by_name, number, owner->next);
	else
		map_remove(&owners->by_name, number);
	return false;
}

/* Takes a place for it among the others. */
static uint32_t place_owner(struct owners *owners, struct owner *owner)
{
	uint32_t at = (uint32_t)owners->all.count;
	bool is_new = owners->free.count == 0;

	if (!is_new)
		at = owners->free.items[owners->free.count - 1];
	else if (!vec_push(&owners->all, NULL))
		return MAP_NONE;
	if (!link(owners, owner, at)) {
		owners->all.count -= is_new;
		return MAP_NONE;
	}
	owners->free.count -= !is_new;
	owners->all.items[at] = owner;
	return at;
}

uint32_t owners_add(struct owners *owners, uint64_t loader, struct str name, bool waits)
{
	uint32_t at = owners_find(owners, loader, name);
	struct owner *owner;

	if (at != MAP_NONE)
		return at;
	owner = calloc(1, sizeof(*owner));
	if (!owner)
		return MAP_NONE;
	owner->loader = loader;
	if (text_copy(&owner->name, &owner->arena, name))
		at = place_owner(owners, owner);
	if (at == MAP_NONE)
		free_owner(owner);
	else if (waits)
		waiting_add(&owners->waiting, &owner->waiter, at);
	return at;
}

static void unlink_of_name(struct owners *owners, uint32_t at)
{
	const struct owner *owner = owners->all.items[at];
	uint64_t number = text_hash(owner->loader, owner->name);
	uint32_t before = map_find(&owners->by_name, number);

	if (before == at) {
		if (owner->next == MAP_NONE)
			map_remove(&owners->by_name, number);
		else
			map_put(&owners->by_name, number, owner->next);
		return;
	}
	while (owners->all.items[before]->next != at)
		before = owners->all.items[before]->next;
	owners->all.items[before]->next = owner->next;
}

static void unlink_of_key(struct owners *owners, const struct owner *owner, uint32_t at)
{
	if (owner->key && map_find(&owners->by_key, owner->key) == at)
		map_remove(&owners->by_key, owner->key);
}

void owners_stay(struct owners *owners, uint32_t at)
{
	waiting_remove(&owners->waiting, &owners->all.items[at]->waiter);
}

void owners_bind(struct owners *owners, uint32_t at, uint64_t key)
{
	struct owner *owner = owners->all.items[at];

	owners_stay(owners, at);
	if (owner->key == key || !map_put(&owners->by_key, key, at))
		return;
	unlink_of_key(owners, owner, at);
	owner->key = key;
}

/* What was removed has room again, so that going back takes no memory. */
bool owners_move(struct owners *owners, uint32_t at, uint64_t loader)
{
	struct owner *owner = owners->all.items[at];
	uint64_t before = owner->loader;
	bool is_good;

	unlink_of_name(owners, at);
	unlink_of_loader(owners, owner);
	owner->loader = loader;
	is_good = link(owners, owner, at);
	if (!is_good) {
		owner->loader = before;
		link(owners, owner, at);
		return false;
	}
	unlink_of_key(owners, owner, at);
	owner->key = 0;
	return true;
}

void owners_remove(struct owners *owners, uint32_t at)
{
	struct owner *owner = owners->all.items[at];

	unlink_of_name(owners, at);
	unlink_of_loader(owners, owner);
	unlink_of_key(owners, owner, at);
	waiting_remove(&owners->waiting, &owner->waiter);
	owners->all.items[at] = NULL;
	vec_push(&owners->free, at);
	free_owner(owner);
}

struct owner_method *owners_find_method(struct owner *owner, struct str name,
					struct str descriptor)
{
	for (size_t i = 0; i < owner->methods.count; i++) {
		struct owner_method *method = &owner->methods.items[i];

		if (str_is(method->name, name) && str_is(method->descriptor, descriptor))
			return method;
	}
	return NULL;
}

struct owner_method *owners_add_method(struct owner *owner,
				       const struct classfile_method *of)
{
	struct owner_method method = { .access = of->access };

	if (!text_copy(&method.name, &owner->arena, of->name) ||
	    !text_copy(&method.descriptor, &owner->arena, of->descriptor) ||
	    !vec_push(&owner->methods, method))
		return NULL;
	return &owner->methods.items[owner->methods.count - 1];
}

void owners_clear(struct owners *owners)
{
	for (size_t i = 0; i < owners->all.count; i++)
		free_owner(owners->all.items[i]);
	vec_clear(&owners->all);
	vec_clear(&owners->free);
	map_clear(&owners->by_name);
	map_clear(&owners->by_key);
	map_clear(&owners->by_loader);
}
