#include "engine/holdings.h"

#include <stdlib.h>
#include <string.h>

#define MALLOC_COST 16	/* bytes that each piece of memory takes besides, about */

_Static_assert(POOL_COUNT <= 1 << HOLDING_TYPE_BITS, "types fit the names");

/* Tells the references in the value of a constant. */
static bool walk(const struct holdings *holdings, enum pool_id type, const char *bytes,
		 size_t size, refs_visit *visit, void *context)
{
	struct cursor cursor = cursor_of((const unsigned char *)bytes, size);
	const struct program *program = &holdings->types[type - POOL_FIRST]->program;

	return refs_walk(program, &cursor, NULL, visit, context) &&
	       cursor_left(&cursor) == 0;
}

static uint32_t find(const struct holdings *holdings, enum pool_id type, uint64_t key)
{
	if (key > HOLDING_KEY_MAX)
		return MAP_NONE;
	return map_find(&holdings->by_name, holding_name(type, key));
}

uint32_t holdings_find(const struct holdings *holdings, enum pool_id type, uint64_t key)
{
	uint32_t place = find(holdings, type, key);

	if (place != MAP_NONE && !holdings->places.items[place].bytes)
		return MAP_NONE;
	return place;
}

static uint32_t unused_place(struct holdings *holdings)
{
	uint32_t place = holdings->unused;

	if (place != MAP_NONE) {
		holdings->unused = holdings->places.items[place].next;
		return place;
	}
	if (holdings->places.count >= MAP_NONE ||
	    !vec_push(&holdings->places, (struct holding){ 0 }))
		return MAP_NONE;
	return (uint32_t)holdings->places.count - 1;
}

static void leave_place(struct holdings *holdings, uint32_t place)
{
	struct holding *holding = &holdings->places.items[place];

	*holding = (struct holding){ .next = holdings->unused };
	holdings->unused = place;
}

/* The place of that constant, as it is or a new one; MAP_NONE without memory. */
static uint32_t place_of(struct holdings *holdings, enum pool_id type, uint64_t key)
{
	uint32_t place = find(holdings, type, key);
	struct holding *holding;

	if (place != MAP_NONE || key > HOLDING_KEY_MAX)
		return place;
	place = unused_place(holdings);
	if (place == MAP_NONE)
		return place;
	if (!map_put(&holdings->by_name, holding_name(type, key), place)) {
		leave_place(holdings, place);
		return MAP_NONE;
	}
	holding = &holdings->places.items[place];
	*holding = (struct holding){ .key = key };
	holding->type = (uint8_t)type;
	return place;
}

/* Gives up a place where nothing is and that nobody refers to. */
static void drop_empty(struct holdings *holdings, uint32_t place)
{
	const struct holding *holding = &holdings->places.items[place];

	if (holding->bytes || holding->referrers > 0)
		return;
	map_remove(&holdings->by_name, holding_name(holding->type, holding->key));
	leave_place(holdings, place);
}

/* References that are counted, or taken back. */
struct tie {
	struct holdings *holdings;
	uint64_t done;	/* so many were counted, or are still to be taken back */
	bool failed;
};

static bool tie_one(void *context, const struct type *type, uint64_t key)
{
	struct tie *tie = context;
	uint32_t place;

	if (key == 0)
		return true;
	place = type->id < POOL_FIRST || type->id >= POOL_END
			? MAP_NONE
			: place_of(tie->holdings, (enum pool_id)type->id, key);
	if (place == MAP_NONE) {
		tie->failed = true;
		return false;
	}
	tie->holdings->places.items[place].referrers++;
	tie->done++;
	return true;
}

static bool untie_one(void *context, const struct type *type, uint64_t key)
{
	struct tie *tie = context;
	uint32_t place;

	if (key == 0)
		return true;
	if (tie->done == 0)
		return false;
	tie->done--;
	place = find(tie->holdings, (enum pool_id)type->id, key);
	tie->holdings->places.items[place].referrers--;
	drop_empty(tie->holdings, place);
	return true;
}

/*
 * Counts the references in a value, so that what it refers to stays as long as it does.
 * False without memory, or if this is no value of the type; then none is counted.
 */
static bool tie(struct holdings *holdings, enum pool_id type, const char *bytes,
		size_t size)
{
	struct tie tie = { .holdings = holdings };

	if (walk(holdings, type, bytes, size, tie_one, &tie) && !tie.failed)
		return true;
	walk(holdings, type, bytes, size, untie_one, &tie);
	return false;
}

static void untie(struct holdings *holdings, enum pool_id type, const char *bytes,
		  size_t size)
{
	struct tie tie = { .holdings = holdings, .done = UINT64_MAX };

	walk(holdings, type, bytes, size, untie_one, &tie);
}

size_t holdings_memory(const struct holdings *holdings)
{
	return holdings->held + holdings->places.capacity * sizeof(struct holding) +
	       (holdings->by_name.capacity + holdings->by_value.capacity) *
		       sizeof(struct map_slot);
}

void holdings_use(struct holdings *holdings, uint32_t place, unsigned epoch)
{
	struct holding *holding = &holdings->places.items[place];

	if (holding->epoch < epoch)
		holding->epoch = epoch;
}

uint32_t holdings_find_value(const struct holdings *holdings, enum pool_id type,
			     uint64_t hash, const void *bytes, size_t size)
{
	uint32_t place = map_find(&holdings->by_value, hash);
	const struct holding *holding;

	if (place == MAP_NONE)
		return place;
	holding = &holdings->places.items[place];
	return holding->type == type && holding->size == size &&
			       memcmp(holding->bytes, bytes, size) == 0
		       ? place
		       : MAP_NONE;
}

/* One with the same hash, should there ever be one, is not found any more. */
static bool add_value(struct holdings *holdings, uint32_t place, uint64_t hash)
{
	holdings->places.items[place].hash = hash;
	return map_put(&holdings->by_value, hash, place);
}

/* It will not be found by its value any more. */
static void remove_value(struct holdings *holdings, uint32_t place)
{
	uint64_t hash = holdings->places.items[place].hash;

	if (map_find(&holdings->by_value, hash) == place)
		map_remove(&holdings->by_value, hash);
}

/* The place may be another's after it. */
void holdings_remove(struct holdings *holdings, uint32_t place)
{
	struct holding *holding = &holdings->places.items[place];
	char *bytes = holding->bytes;
	uint32_t size = holding->size;
	enum pool_id type = holding->type;

	remove_value(holdings, place);
	holdings->count--;
	holdings->held -= size + MALLOC_COST;
	holding->bytes = NULL;
	drop_empty(holdings, place);
	untie(holdings, type, bytes, size);
	free(bytes);
}

/* The place gets its first value, or another one; the bytes become the constant's. */
static void set_value(struct holdings *holdings, uint32_t place, char *bytes,
		      size_t size)
{
	struct holding *holding = &holdings->places.items[place];

	if (holding->bytes) {
		remove_value(holdings, place);
		holdings->count--;
		holdings->held -= holding->size + MALLOC_COST;
		untie(holdings, holding->type, holding->bytes, holding->size);
		free(holding->bytes);
	}
	holding->bytes = bytes;
	holding->size = (uint32_t)size;
	holding->version++;
	holdings->count++;
	holdings->held += size + MALLOC_COST;
}

/* A constant of that value, whose references are counted already. */
static uint32_t name_value(struct holdings *holdings, enum pool_id type, uint64_t key,
			   uint64_t hash)
{
	uint32_t place = place_of(holdings, type, key);

	if (place == MAP_NONE || add_value(holdings, place, hash))
		return place;
	drop_empty(holdings, place);
	return MAP_NONE;
}

uint32_t holdings_add_value(struct holdings *holdings, enum pool_id type, uint64_t key,
			    uint64_t hash, char *bytes, size_t size)
{
	uint32_t place;

	if (!tie(holdings, type, bytes, size))
		return MAP_NONE;
	place = name_value(holdings, type, key, hash);
	if (place == MAP_NONE)
		untie(holdings, type, bytes, size);
	else
		set_value(holdings, place, bytes, size);
	return place;
}

uint32_t holdings_put(struct holdings *holdings, enum pool_id type, uint64_t key,
		      char *bytes, size_t size)
{
	uint32_t place;

	if (key == 0 || !tie(holdings, type, bytes, size))
		return MAP_NONE;
	place = place_of(holdings, type, key);
	if (place == MAP_NONE)
		untie(holdings, type, bytes, size);
	else
		set_value(holdings, place, bytes, size);
	return place;
}

bool holdings_is_idle(const struct holdings *holdings, uint32_t place, unsigned epoch)
{
	const struct holding *holding = &holdings->places.items[place];

	return holding->bytes && !holding->is_pinned && holding->referrers == 0 &&
	       holding->epoch < epoch;
}

void holdings_walk(const struct holdings *holdings, uint32_t place, refs_visit *visit,
		   void *context)
{
	const struct holding *holding = &holdings->places.items[place];

	walk(holdings, holding->type, holding->bytes, holding->size, visit, context);
}

bool holdings_open(struct holdings *holdings)
{
	holdings->unused = MAP_NONE;
	if (!eventtypes_metadata(&holdings->metadata, &holdings->arena, NULL))
		return false;
	for (int id = POOL_FIRST; id < POOL_END; id++) {
		const struct type *type = metadata_type(&holdings->metadata, id);

		if (!type)
			return false;
		holdings->types[id - POOL_FIRST] = type;
	}
	return true;
}

void holdings_clear(struct holdings *holdings)
{
	for (size_t i = 0; i < holdings->places.count; i++)
		free(holdings->places.items[i].bytes);
	vec_clear(&holdings->places);
	map_clear(&holdings->by_name);
	map_clear(&holdings->by_value);
	metadata_clear(&holdings->metadata);
	arena_clear(&holdings->arena);
}
