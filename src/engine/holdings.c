#include "engine/holdings.h"

#include <string.h>

#include "jfr/compile.h"

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

	if (place != MAP_NONE && !holdings->places.items[place].record)
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

	if (holding->record || holding->referrers > 0)
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

static bool is_of_pool(const struct type *type)
{
	return type->id >= POOL_FIRST && type->id < POOL_END;
}

static bool tie_one(void *context, const struct type *type, uint64_t key)
{
	struct tie *tie = context;
	uint32_t place;

	if (key == 0)
		return true;
	place = is_of_pool(type)
			? place_of(tie->holdings, (enum pool_id)type->id, key)
			: MAP_NONE;
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

static bool accept_one(void *context, const struct type *type, uint64_t key)
{
	bool *is_good = context;

	*is_good &= key == 0 || is_of_pool(type);
	return *is_good;
}

bool holdings_fits(const struct holdings *holdings, enum pool_id type,
		   const void *bytes, size_t size)
{
	bool is_good = true;

	return walk(holdings, type, bytes, size, accept_one, &is_good) && is_good;
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
	const struct spill_record *record;

	if (place == MAP_NONE)
		return place;
	record = holdings->places.items[place].record;
	return record->type == type && record->size == size &&
			       (size == 0 || memcmp(record->bytes, bytes, size) == 0)
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

/* The value goes, and what it refers to may go. */
static void drop_value(struct holdings *holdings, struct spill_record *record)
{
	holdings->count--;
	holdings->held -= records_taken(record);
	untie(holdings, (enum pool_id)record->type, record->bytes, record->size);
	records_remove(holdings->records, record);
}

/* The place may be another's after it. */
void holdings_remove(struct holdings *holdings, uint32_t place)
{
	struct holding *holding = &holdings->places.items[place];
	struct spill_record *record = holding->record;

	remove_value(holdings, place);
	holding->record = NULL;
	drop_empty(holdings, place);
	drop_value(holdings, record);
}

/* The place gets its first value, or another one. */
static void set_value(struct holdings *holdings, uint32_t place,
		      struct spill_record *record)
{
	struct holding *holding = &holdings->places.items[place];
	struct spill_record *before = holding->record;

	holding->record = record;
	holding->version++;
	holdings->count++;
	holdings->held += records_taken(record);
	if (before)
		drop_value(holdings, before);
}

/* It is to be found by its value, if there is a hash of it. */
static bool name_value(struct holdings *holdings, uint32_t place, const uint64_t *hash)
{
	if (holdings->places.items[place].record)
		remove_value(holdings, place);
	return !hash || add_value(holdings, place, *hash);
}

/* The references in the value are counted already. */
static uint32_t put_tied(struct holdings *holdings, enum pool_id type, uint64_t key,
			 const uint64_t *hash, const void *bytes, size_t size)
{
	uint32_t place = place_of(holdings, type, key);
	struct spill_record *record;

	if (place == MAP_NONE)
		return place;
	record = records_put(holdings->records, type, key, bytes, size);
	if (record && name_value(holdings, place, hash)) {
		set_value(holdings, place, record);
		return place;
	}
	records_remove(holdings->records, record);
	drop_empty(holdings, place);
	return MAP_NONE;
}

static uint32_t put_value(struct holdings *holdings, enum pool_id type, uint64_t key,
			  const uint64_t *hash, const void *bytes, size_t size)
{
	uint32_t place;

	if (key == 0 || !tie(holdings, type, bytes, size))
		return MAP_NONE;
	place = put_tied(holdings, type, key, hash, bytes, size);
	if (place == MAP_NONE)
		untie(holdings, type, bytes, size);
	return place;
}

uint32_t holdings_add_value(struct holdings *holdings, enum pool_id type, uint64_t key,
			    uint64_t hash, const void *bytes, size_t size)
{
	return put_value(holdings, type, key, &hash, bytes, size);
}

uint32_t holdings_put(struct holdings *holdings, enum pool_id type, uint64_t key,
		      const void *bytes, size_t size)
{
	return put_value(holdings, type, key, NULL, bytes, size);
}

bool holdings_is_idle(const struct holdings *holdings, uint32_t place, unsigned epoch)
{
	const struct holding *holding = &holdings->places.items[place];

	return holding->record && !holding->is_pinned && holding->referrers == 0 &&
	       holding->epoch < epoch;
}

void holdings_walk(const struct holdings *holdings, uint32_t place, refs_visit *visit,
		   void *context)
{
	const struct spill_record *record = holdings->places.items[place].record;

	walk(holdings, (enum pool_id)record->type, record->bytes, record->size, visit,
	     context);
}

/* --- life ------------------------------------------------------------------------ */

static bool read_metadata(struct holdings *holdings, const void *event, size_t size)
{
	struct metadata *metadata = &holdings->metadata;
	const void *copy;

	if (!event)
		return eventtypes_metadata(metadata, &holdings->arena, NULL);
	copy = arena_copy(&holdings->arena, event, size);
	return copy && metadata_read(metadata, copy, size, &holdings->arena, NULL) &&
	       compile_types(metadata, &holdings->arena);
}

/* What has that number in eventtypes has that name, too. */
static bool is_known(const struct type *type)
{
	const struct schema_type *known = eventtypes;

	while (known->name && known->id != type->id)
		known++;
	return known->name && str_is(type->name, str_of(known->name));
}

bool holdings_know(const struct metadata *metadata)
{
	for (int id = POOL_FIRST; id < POOL_END; id++) {
		const struct type *type = metadata_type(metadata, id);

		if (!type || !is_known(type))
			return false;
	}
	return true;
}

bool holdings_open(struct holdings *holdings, struct records *records,
		   const void *metadata_event, size_t size)
{
	holdings->records = records;
	holdings->unused = MAP_NONE;
	if (!read_metadata(holdings, metadata_event, size) ||
	    !holdings_know(&holdings->metadata))
		return false;
	for (int id = POOL_FIRST; id < POOL_END; id++)
		holdings->types[id - POOL_FIRST] =
			metadata_type(&holdings->metadata, id);
	return true;
}

void holdings_clear(struct holdings *holdings)
{
	vec_clear(&holdings->places);
	map_clear(&holdings->by_name);
	map_clear(&holdings->by_value);
	metadata_clear(&holdings->metadata);
	arena_clear(&holdings->arena);
}
