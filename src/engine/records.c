#include "engine/records.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/*
 * Sizes of records, themselves included, are counted in units. From 2^4 units on there
 * are 2^3 sizes up to the next power of two; the largest one takes a whole block.
 */
#define UNIT ((size_t)16)
#define UNITS_MIN 3			/* room for struct links */
#define UNITS_MAX (BLOCK_ROOM / UNIT)
#define STEP_BITS 3
#define STEPS (1 << STEP_BITS)
#define EXACT (2 * STEPS)		/* below it each count has its own class */
#define CLASSES 78
#define CLASSES_LARGER STEPS		/* up to twice as large serves as well */

/* Bytes of a value in a block; of one in parts in each of them but the last. */
#define SMALL_MAX (UNITS_MAX * UNIT - sizeof(struct spill_record))
#define PART_SIZE (SMALL_MAX - sizeof(struct spill_part_of))

/* Values of about a size share blocks: where large ones were, nothing small stays. */
#define KINDS 3
#define KIND_BITS 4			/* from one to the next: so many times larger */

/* In spill_record.place: 0 is where no record of a block lies. */
#define PLACE_OWN 0

/* In the bytes of a record that is free. */
struct links {
	struct spill_record *next, *before;	/* of its class */
};

/* A value with memory of its own, whose parts are for others. */
struct large {
	struct large *next, *before;
	struct spill_record **parts;	/* behind the value */
	size_t count;			/* of them; 0: others will not see it */
	size_t taken;			/* bytes of memory, without parts */
	struct spill_record record;
};


struct records {
	pthread_mutex_t lock;
	struct blocks own;
	struct blocks *blocks;
	VEC(struct spill_block *) all;	/* `next` of a block is its place here */
	struct spill_block *current[KINDS]; /* where new ones are made; may be NULL */
	struct spill_record *free[CLASSES];
	struct large *large;
	size_t large_size;		/* bytes they take, without parts */
	uint64_t number;		/* of the newest value in parts */
	bool is_closed, stays;
};

_Static_assert(UNITS_MIN * UNIT >= sizeof(struct spill_record) + sizeof(struct links),
	       "a free record has room for its links");

/* --- sizes ---------------------------------------------------------------------- */

/* How far the sizes are apart, in units, as a power of two. */
static unsigned step_of(size_t units)
{
	if (units < EXACT)
		return 0;
	return 63 - (unsigned)__builtin_clzll(units) - STEP_BITS;
}

static unsigned class_of(size_t units)
{
	unsigned step = step_of(units);

	if (units < EXACT)
		return (unsigned)units - UNITS_MIN;
	if (units == UNITS_MAX)
		return CLASSES - 1;
	return step * STEPS + (unsigned)(units >> step) - UNITS_MIN;
}

/* The smallest size that has so many bytes of room. */
static size_t units_for(size_t size)
{
	size_t units = (sizeof(struct spill_record) + size + UNIT - 1) / UNIT;
	size_t more = ((size_t)1 << step_of(units)) - 1;

	if (units < UNITS_MIN)
		return UNITS_MIN;
	units = (units + more) & ~more;
	return units < UNITS_MAX ? units : UNITS_MAX;
}

/* The largest size that is not larger. */
static size_t units_within(size_t units)
{
	return units == UNITS_MAX ? units : units >> step_of(units) << step_of(units);
}

/* The largest ones are of kind 0. */
static unsigned kind_of(size_t units)
{
	unsigned kind = 0;

	while (kind < KINDS - 1 && units << ((kind + 1) * KIND_BITS) <= UNITS_MAX)
		kind++;
	return kind;
}

static size_t units_of(const struct spill_record *record)
{
	return (sizeof(*record) + record->room) / UNIT;
}

/* --- lists of what is free ------------------------------------------------------ */

static struct links *links_of(struct spill_record *record)
{
	return (struct links *)record->bytes;
}

static void push(struct records *records, struct spill_record *record)
{
	struct spill_record **first = &records->free[class_of(units_of(record))];

	*links_of(record) = (struct links){ .next = *first };
	if (*first)
		links_of(*first)->before = record;
	*first = record;
}

static void unlink_free(struct records *records, struct spill_record *record)
{
	struct links links = *links_of(record);

	if (links.next)
		links_of(links.next)->before = links.before;
	if (links.before)
		links_of(links.before)->next = links.next;
	else
		records->free[class_of(units_of(record))] = links.next;
}

/* --- blocks --------------------------------------------------------------------- */

static struct spill_block *block_of(struct spill_record *record)
{
	return (struct spill_block *)((char *)record - record->place);
}

static size_t units_left(const struct spill_block *block)
{
	return block ? (BLOCK_ROOM - block->used) / UNIT : 0;
}

/* The type goes last, or first: who looks at the file sees none, or a whole one. */
static void set_type(struct spill_record *record, uint32_t type)
{
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&record->type, type, __ATOMIC_RELEASE);
	atomic_signal_fence(memory_order_seq_cst);
}

/* A record behind those of the block, which has room for it. */
static struct spill_record *carve(struct spill_block *block, size_t units)
{
	struct spill_record *record = (void *)(block->bytes + block->used);

	record->room = (uint32_t)(units * UNIT - sizeof(*record));
	record->size = 0;
	record->place = (uint32_t)((char *)record - (char *)block);
	record->key = 0;
	set_type(record, SPILL_GONE);
	block_set_used(block, block->used + units * UNIT);
	return record;
}

static void remove_block(struct records *records, struct spill_block *block)
{
	struct spill_block *last = records->all.items[--records->all.count];

	records->all.items[block->next] = last;
	last->next = block->next;
	blocks_give(records->blocks, block);
}

/* Where it is said that new ones are made in the block; NULL: nowhere. */
static struct spill_block **current_of(struct records *records,
				       const struct spill_block *block)
{
	for (unsigned kind = 0; kind < KINDS; kind++) {
		if (records->current[kind] == block)
			return &records->current[kind];
	}
	return NULL;
}

/* Nothing is in the block any more. One that others will not see is not used again. */
static void leave_block(struct records *records, struct spill_block *block)
{
	struct spill_block **current = current_of(records, block);
	struct spill_record *record;

	for (size_t at = 0; at < block->used; at += units_of(record) * UNIT) {
		record = (void *)(block->bytes + at);
		unlink_free(records, record);
	}
	if (current && blocks_is_seen(records->blocks, block)) {
		block_set_used(block, 0);
		return;
	}
	if (current)
		*current = NULL;
	remove_block(records, block);
}

/* The block will be current no more. */
static void leave_rest(struct records *records, struct spill_block *block)
{
	size_t left;

	while ((left = units_left(block)) >= UNITS_MIN)
		push(records, carve(block, units_within(left)));
}

static bool add_block(struct records *records, unsigned kind)
{
	struct spill_block *block = blocks_take(records->blocks);

	if (block && !vec_push(&records->all, block)) {
		blocks_give(records->blocks, block);
		block = NULL;
	}
	if (!block)
		return false;
	leave_rest(records, records->current[kind]);
	block->next = (uint32_t)records->all.count - 1;
	block->held = 0;
	blocks_publish(block, SPILL_RECORDS, 0);
	records->current[kind] = block;
	return true;
}

/* --- records --------------------------------------------------------------------- */

static struct spill_record *pop(struct records *records, unsigned class, unsigned end)
{
	for (; class < end && class < CLASSES; class++) {
		struct spill_record *record = records->free[class];

		if (record) {
			unlink_free(records, record);
			return record;
		}
	}
	return NULL;
}

static struct spill_record *find_room(struct records *records, size_t size)
{
	size_t units = units_for(size);
	unsigned class = class_of(units), kind = kind_of(units);
	struct spill_record *record = pop(records, class, class + 1);

	if (!record && units_left(records->current[kind]) < units)
		record = pop(records, class + 1, class + 1 + CLASSES_LARGER);
	if (record)
		return record;
	if (units_left(records->current[kind]) < units && !add_block(records, kind))
		return NULL;
	return carve(records->current[kind], units);
}

static struct spill_record *put_small(struct records *records, uint32_t type,
				      uint64_t key, const void *bytes, size_t size)
{
	struct spill_record *record = find_room(records, size);

	if (!record)
		return NULL;
	block_of(record)->held++;
	record->size = (uint32_t)size;
	record->key = key;
	if (size)
		memcpy(record->bytes, bytes, size);
	set_type(record, type);
	return record;
}

static void remove_small(struct records *records, struct spill_record *record)
{
	struct spill_block *block = block_of(record);

	set_type(record, SPILL_GONE);
	push(records, record);
	if (--block->held == 0)
		leave_block(records, block);
}

/* --- large ones ------------------------------------------------------------------- */

static struct large *large_of(const struct spill_record *record)
{
	return (void *)((char *)(uintptr_t)record - offsetof(struct large, record));
}

/* False: it has no place, or one that others will not see. */
static bool put_part(struct records *records, struct large *large,
		     const struct spill_part_of *of, const char *bytes, size_t size)
{
	struct spill_record *part = find_room(records, sizeof(*of) + size);

	if (!part)
		return false;
	block_of(part)->held++;
	large->parts[large->count++] = part;
	if (!blocks_is_seen(records->blocks, block_of(part)))
		return false;
	part->size = (uint32_t)(sizeof(*of) + size);
	part->key = records->number;
	memcpy(part->bytes, of, sizeof(*of));
	memcpy(part->bytes + sizeof(*of), bytes, size);
	set_type(part, SPILL_PART);
	return true;
}

/* Who looks at the file while one is missing sees nothing of the value. */
static void remove_parts(struct records *records, struct large *large)
{
	while (large->count > 0)
		remove_small(records, large->parts[--large->count]);
}

/* All, or none. */
static void put_parts(struct records *records, struct large *large, size_t count)
{
	const struct spill_record *record = &large->record;
	struct spill_part_of of = {
		.key = record->key,
		.type = record->type,
		.size = record->size,
		.count = (uint32_t)count,
	};
	size_t at = 0, size;
	bool is_good = record->size <= SPILL_PART_MAX;

	records->number++;
	for (; is_good && of.index < count; of.index++, at += size) {
		size = record->size - at < PART_SIZE ? record->size - at : PART_SIZE;
		is_good = put_part(records, large, &of, record->bytes + at, size);
	}
	if (is_good)
		return;
	remove_parts(records, large);
	atomic_store(&records->blocks->is_short, true);
}

static struct large *add_large(struct records *records, size_t size, size_t parts)
{
	size_t room = (size + 7) & ~(size_t)7;
	size_t taken = sizeof(struct large) + room + parts * sizeof(void *);
	struct large *large = malloc(taken);

	if (!large)
		return NULL;
	*large = (struct large){ .next = records->large, .taken = taken };
	large->parts = (void *)(large->record.bytes + room);
	large->record.room = (uint32_t)room;
	large->record.place = PLACE_OWN;
	if (large->next)
		large->next->before = large;
	records->large = large;
	records->large_size += taken;
	return large;
}

static struct spill_record *put_large(struct records *records, uint32_t type,
				      uint64_t key, const void *bytes, size_t size)
{
	size_t parts = records->blocks->file ? (size + PART_SIZE - 1) / PART_SIZE : 0;
	struct large *large = add_large(records, size, parts);

	if (!large)
		return NULL;
	large->record.size = (uint32_t)size;
	large->record.key = key;
	large->record.type = type;
	memcpy(large->record.bytes, bytes, size);
	if (parts > 0)
		put_parts(records, large, parts);
	return &large->record;
}

/* Its parts stay. */
static void free_large(struct records *records, struct large *large)
{
	if (large->next)
		large->next->before = large->before;
	if (large->before)
		large->before->next = large->next;
	else
		records->large = large->next;
	records->large_size -= large->taken;
	free(large);
}

/* --- all -------------------------------------------------------------------------- */

static bool fits_block(size_t size)
{
	return size <= SMALL_MAX;
}

struct spill_record *records_put(struct records *records, uint32_t type, uint64_t key,
				 const void *bytes, size_t size)
{
	struct spill_record *record = NULL;

	pthread_mutex_lock(&records->lock);
	if (!records->is_closed && size < UINT32_MAX - 7)
		record = (fits_block(size) ? put_small : put_large)(records, type, key,
								    bytes, size);
	pthread_mutex_unlock(&records->lock);
	return record;
}

void records_remove(struct records *records, struct spill_record *record)
{
	if (!record)
		return;
	pthread_mutex_lock(&records->lock);
	if (records->is_closed) {
		;
	} else if (record->place == PLACE_OWN) {
		remove_parts(records, large_of(record));
		free_large(records, large_of(record));
	} else {
		remove_small(records, record);
	}
	pthread_mutex_unlock(&records->lock);
}

size_t records_taken(const struct spill_record *record)
{
	size_t taken = sizeof(*record) + record->room;
	const struct large *large;

	if (record->place != PLACE_OWN)
		return taken;
	large = large_of(record);
	taken = large->taken;
	for (size_t i = 0; i < large->count; i++)
		taken += sizeof(*record) + large->parts[i]->room;
	return taken;
}

size_t records_memory(struct records *records)
{
	size_t memory;

	pthread_mutex_lock(&records->lock);
	memory = records->all.count * BLOCK_SIZE + records->large_size;
	pthread_mutex_unlock(&records->lock);
	return memory;
}

/* --- life ------------------------------------------------------------------------ */

struct records *records_new(struct blocks *blocks)
{
	struct records *records = calloc(1, sizeof(*records));

	if (!records)
		return NULL;
	pthread_mutex_init(&records->lock, NULL);
	blocks_init(&records->own, NULL);
	records->blocks = blocks ? blocks : &records->own;
	return records;
}

static void empty(struct records *records)
{
	while (records->large)
		free_large(records, records->large);
	for (size_t i = 0; i < records->all.count; i++)
		(records->stays ? blocks_leave : blocks_give)(records->blocks,
							      records->all.items[i]);
	vec_clear(&records->all);
	memset(records->free, 0, sizeof(records->free));
	memset(records->current, 0, sizeof(records->current));
}

void records_close(struct records *records, bool stays)
{
	pthread_mutex_lock(&records->lock);
	records->is_closed = true;
	records->stays = stays;
	if (!stays)
		empty(records);
	pthread_mutex_unlock(&records->lock);
}

void records_free(struct records *records)
{
	if (!records)
		return;
	empty(records);
	blocks_clear(&records->own);
	pthread_mutex_destroy(&records->lock);
	free(records);
}
