/*
 * holdings.h - the constants that there are, found by key or by value: constants.h
 * without the lock. For it alone.
 *
 * How often constants refer to each other is counted, so that none goes while another
 * one needs it; also references to what is not there (yet). Places are numbers that
 * stay the same while a constant is there; pointers to them do not. Values lie in
 * records, which are borrowed.
 */
#ifndef ENGINE_HOLDINGS_H
#define ENGINE_HOLDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/records.h"
#include "jfr/eventtypes.h"
#include "jfr/metadata.h"
#include "jfr/refs.h"

struct holding {
	struct spill_record *record; /* NULL: it is not there, but others refer to it */
	uint64_t key;
	uint64_t hash;		/* of its value, if it is to be found by it */
	uint32_t next;		/* of unused places: the next one */
	uint32_t referrers;	/* how often other constants refer to it */
	uint32_t version;	/* grows with each value */
	unsigned epoch;		/* the newest it was used in */
	uint8_t type;		/* enum pool_id; 0: the place is unused */
	bool is_pinned;
};

struct holdings {
	struct records *records;
	struct arena arena;
	struct metadata metadata;	/* of all types, for the programs of values */
	const struct type *types[POOL_COUNT];
	VEC(struct holding) places;
	uint32_t unused;		/* a list of places; MAP_NONE: none */
	struct map by_name, by_value;
	size_t count;			/* of those that are there */
	size_t held;			/* bytes of their values */
};

/* A constant's name is its key and, in the low bits, its type. */
#define HOLDING_TYPE_BITS 5
#define HOLDING_KEY_MAX (UINT64_MAX >> HOLDING_TYPE_BITS)

static inline uint64_t holding_name(enum pool_id type, uint64_t key)
{
	return key << HOLDING_TYPE_BITS | (uint64_t)(type - POOL_FIRST);
}

static inline enum pool_id holding_type(uint64_t name)
{
	return POOL_FIRST + (enum pool_id)(name & ((1 << HOLDING_TYPE_BITS) - 1));
}

static inline uint64_t holding_key(uint64_t name)
{
	return name >> HOLDING_TYPE_BITS;
}

/* True if the types of constants are there, as in eventtypes. */
bool holdings_know(const struct metadata *metadata);

/*
 * Of the types in a metadata event, which is copied; NULL: of those of eventtypes. False
 * without memory, or if types of constants are not as there. In any case:
 * holdings_clear, which leaves the records.
 */
bool holdings_open(struct holdings *holdings, struct records *records,
		   const void *metadata_event, size_t size);
void holdings_clear(struct holdings *holdings);

/* The place of the constant, or of that value, if it is there; else MAP_NONE. */
uint32_t holdings_find(const struct holdings *holdings, enum pool_id type,
		       uint64_t key);
uint32_t holdings_find_value(const struct holdings *holdings, enum pool_id type,
			     uint64_t hash, const void *bytes, size_t size);

/*
 * A new constant under that key, or another value of the one there is; the first one
 * will be found by its value. MAP_NONE, and all is as it was, without memory, or if the
 * bytes are no value of the type.
 */
uint32_t holdings_add_value(struct holdings *holdings, enum pool_id type, uint64_t key,
			    uint64_t hash, const void *bytes, size_t size);
uint32_t holdings_put(struct holdings *holdings, enum pool_id type, uint64_t key,
		      const void *bytes, size_t size);

/* True if that can be a value of the type. */
bool holdings_fits(const struct holdings *holdings, enum pool_id type,
		   const void *bytes, size_t size);

static inline const struct holding *holdings_at(const struct holdings *holdings,
						uint32_t place)
{
	return &holdings->places.items[place];
}

/* Places so far, used or not. */
static inline uint32_t holdings_end(const struct holdings *holdings)
{
	return (uint32_t)holdings->places.count;
}

/* What they take, in bytes about. */
size_t holdings_memory(const struct holdings *holdings);

/* One that is pinned is never idle. */
static inline void holdings_pin(struct holdings *holdings, uint32_t place,
				bool is_pinned)
{
	holdings->places.items[place].is_pinned = is_pinned;
}

/* It is used in that epoch, if not in a newer one. */
void holdings_use(struct holdings *holdings, uint32_t place, unsigned epoch);

/* True if there is a constant in the place that nobody needs since that epoch. */
bool holdings_is_idle(const struct holdings *holdings, uint32_t place, unsigned epoch);
void holdings_remove(struct holdings *holdings, uint32_t place);

/* Tells the references in the constant's value. */
void holdings_walk(const struct holdings *holdings, uint32_t place, refs_visit *visit,
		   void *context);

#endif
