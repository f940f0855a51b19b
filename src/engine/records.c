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

/* Values of about a size share blocks: where large ones were, nothing small stays. */
#define KINDS 3
#define KIND_BITS 4			/* from one to the next: so many times larger */

/* In spill_record.place: 0 is where no record of a block lies. */
#define PLACE_OWN 0

/* In the bytes of a record that is free. */
struct links {
	struct spill_record *next, *before;	/* of its class */
};

/* A value with memory of its own. */
struct large {
	struct large *next, *before;
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
	size_t large_size;
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

static bool is_current(const struct records *records, const struct spill_block *block)
{
	for (unsigned kind = 0; kind < KINDS; kind++) {
		if (records->current[kind] == block)
			return true;
	}
	return false;
}

/* Nothing is in the block any more. */
static void leave_block(struct records *records, struct spill_block *block)
{
	struct spill_record *record;

	for (size_t at = 0; at < block->used; at += units_of(record) * UNIT) {
		record = (void *)(block->bytes + at);
		unlink_free(records, record);
	}
	if (is_current(records, block))
		block_set_used(block, 0);
	else
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

static struct spill_record *add_large(struct records *records, size_t size)
{
	struct large *large = malloc(sizeof(*large) + size);

	if (!large)
		return NULL;
	*large = (struct large){ .next = records->large };
	large->record.room = (uint32_t)size;
	large->record.place = PLACE_OWN;
	if (large->next)
		large->next->before = large;
	records->large = large;
	records->large_size += sizeof(*large) + size;
	return &large->record;
}

static void remove_large(struct records *records, struct spill_record *record)
{
	struct large *large =
		(void *)((char *)record - offsetof(struct large, record));

	if (large->next)
		large->next->before = large->before;
	if (large->before)
		large->before->next = large->next;
	else
		records->large = large->next;
	records->large_size -= sizeof(*large) + record->room;
	free(large);
}

static bool fits_block(size_t size)
{
	return size <= UNITS_MAX * UNIT - sizeof(struct spill_record);
}

struct spill_record *records_put(struct records *records, uint32_t type, uint64_t key,
				 const void *bytes, size_t size)
{
	struct spill_record *record = NULL;

	pthread_mutex_lock(&records->lock);
	if (!records->is_closed && size < UINT32_MAX)
		record = fits_block(size) ? find_room(records, size)
					  : add_large(records, size);
	if (record) {
		if (record->place != PLACE_OWN)
			block_of(record)->held++;
		record->size = (uint32_t)size;
		record->key = key;
		if (size)
			memcpy(record->bytes, bytes, size);
		set_type(record, type);
	}
	pthread_mutex_unlock(&records->lock);
	return record;
}

static void remove_record(struct records *records, struct spill_record *record)
{
	struct spill_block *block = block_of(record);

	set_type(record, SPILL_GONE);
	push(records, record);
	if (--block->held == 0)
		leave_block(records, block);
}

void records_remove(struct records *records, struct spill_record *record)
{
	if (!record)
		return;
	pthread_mutex_lock(&records->lock);
	if (records->is_closed)
		;
	else if (record->place == PLACE_OWN)
		remove_large(records, record);
	else
		remove_record(records, record);
	pthread_mutex_unlock(&records->lock);
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
		remove_large(records, &records->large->record);
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
