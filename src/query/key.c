#include "query/key.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/javahash.h"

/* What a value goes by. */
static struct datum identity_of(struct datum value)
{
	const struct thing *thing = value.kind == DATUM_THING ? value.thing : NULL;

	if (!thing)
		return value;
	switch (thing->kind) {
	case THING_THREAD:
	case THING_CLASS:
	case THING_LOADER:
		return datum_of_integer(DATUM_LONG, thing->id);
	case THING_FRAME:
	case THING_STACK:
		value.thing = thing->method;
		return thing->method ? value : DATUM_NONE;
	default:
		return value;
	}
}

static uint64_t bits_of(const struct datum *item)
{
	uint64_t bits = (uint64_t)item->number;

	if (datum_is_real(item))
		memcpy(&bits, &item->real, sizeof(bits));
	return bits;
}

static int compare_items(const void *a, const void *b)
{
	const struct datum *one = a, *other = b;
	uint64_t one_bits = bits_of(one), other_bits = bits_of(other);

	if (one->kind != other->kind)
		return one->kind < other->kind ? -1 : 1;
	if (one_bits != other_bits)
		return one_bits < other_bits ? -1 : 1;
	return one->nanos < other->nanos ? -1 : one->nanos > other->nanos;
}

static bool has_item(const struct key *key, const struct datum *item)
{
	for (size_t i = 0; i < key->count; i++) {
		if (compare_items(&key->items[i], item) == 0)
			return true;
	}
	return false;
}

/* Null in front is no part of it; the second value makes it a set. */
void key_add(struct key *key, struct datum value)
{
	struct datum item = identity_of(value);

	if (key->count == 1 && !key->is_set && key->items[0].kind == DATUM_NULL)
		key->count = 0;
	else if (key->count > 0)
		key->is_set = true;
	if (!key->is_set || !has_item(key, &item))
		key->items[key->count++] = item;
}

void key_finish(struct key *key)
{
	if (key->is_set)
		qsort(key->items, key->count, sizeof(*key->items), compare_items);
}

bool key_is(const struct key *a, const struct key *b)
{
	if (a->count != b->count || a->is_set != b->is_set)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (compare_items(&a->items[i], &b->items[i]) != 0)
			return false;
	}
	return true;
}

uint64_t key_digest(const struct key *key, uint64_t seed)
{
	uint64_t number = seed ^ key->is_set;

	for (size_t i = 0; i < key->count; i++) {
		uint64_t words[] = { key->items[i].kind, (uint64_t)key->items[i].nanos,
				     bits_of(&key->items[i]) };

		number = digest(words, sizeof(words), number);
	}
	return number;
}

static uint32_t hash_item(const struct datum *item)
{
	uint32_t hash = 1;

	switch (item->kind) {
	case DATUM_NULL:
		return 0;
	case DATUM_BOOLEAN:
		return item->number ? 1231 : 1237;
	case DATUM_LONG:
		return javahash_long(item->number);
	case DATUM_FLOAT:
		return javahash_float((float)item->real);
	case DATUM_DOUBLE:
		return javahash_double(item->real);
	case DATUM_TIME:
	case DATUM_SPAN:
		return javahash_long(item->number) + 51u * (uint32_t)item->nanos;
	case DATUM_THING:
		return item->thing->hash;
	case DATUM_LIST:
		for (size_t i = 0; i < item->list->count; i++)
			hash = 31 * hash + hash_item(&item->list->items[i]);
		return hash;
	default:
		return (uint32_t)item->number;
	}
}

uint32_t key_hash(const struct key *key)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < key->count; i++)
		hash += hash_item(&key->items[i]);
	return hash;
}
