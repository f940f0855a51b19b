#include "engine/slots.h"

#include "control/orders.h"

#define SLOT_UNIT ((size_t)ORDERS_BUFFER_UNIT)

/* Added at a time: a part of the limit, but not fewer bytes and slots than these. */
#define STEP_PART 16
#define STEP_BYTES ((size_t)1 << 20)
#define STEP_MIN 4
#define SPACE_MIN (SPILL_HEADER_SIZE + ORDERS_BUFFERS_MIN * SLOT_UNIT)

_Static_assert(sizeof(struct spill_slot) + SLOT_SLACK <= ORDERS_BUFFER_EXTRA,
	       "orders_buffer_for knows what a buffer needs");

struct spill_slot *slots_at(const struct slots *slots, uint32_t place)
{
	return spillfile_slot(&slots->file, place - 1);
}

static uint32_t place_of(const struct slots *slots, const struct spill_slot *slot)
{
	size_t offset = (size_t)((const char *)slot - (const char *)slots->file.header);

	return (uint32_t)((offset - SPILL_HEADER_SIZE) / slots->size) + 1;
}

/* --- lists -------------------------------------------------------------------- */

/* Each change has a new tag, so that a list that looks the same is the same. */
static uint64_t tagged(uint64_t before, uint32_t place)
{
	return ((before >> 32) + 1) << 32 | place;
}

void slots_push_free(struct slots *slots, struct spill_slot *slot)
{
	uint32_t place = place_of(slots, slot);
	uint64_t before = atomic_load_explicit(&slots->free, memory_order_relaxed);

	atomic_fetch_add_explicit(&slots->free_count, 1, memory_order_relaxed);
	do {
		slot_set_next(slot, (uint32_t)before);
	} while (!atomic_compare_exchange_weak_explicit(
		&slots->free, &before, tagged(before, place), memory_order_acq_rel,
		memory_order_relaxed));
}

struct spill_slot *slots_pop_free(struct slots *slots)
{
	uint64_t before = atomic_load_explicit(&slots->free, memory_order_acquire);
	struct spill_slot *slot;

	do {
		if (!(uint32_t)before)
			return NULL;
		slot = slots_at(slots, (uint32_t)before);
	} while (!atomic_compare_exchange_weak_explicit(
		&slots->free, &before, tagged(before, slot_next(slot)),
		memory_order_acq_rel, memory_order_acquire));
	atomic_fetch_sub_explicit(&slots->free_count, 1, memory_order_relaxed);
	return slot;
}

/* The flusher takes all at once, so this list needs no tags. */
void slots_push_full(struct slots *slots, struct spill_slot *slot)
{
	uint32_t place = place_of(slots, slot);
	uint32_t before = atomic_load_explicit(&slots->full, memory_order_relaxed);

	atomic_fetch_add_explicit(&slots->full_count, 1, memory_order_relaxed);
	do {
		slot_set_next(slot, before);
	} while (!atomic_compare_exchange_weak_explicit(&slots->full, &before, place,
							memory_order_acq_rel,
							memory_order_relaxed));
}

uint32_t slots_take_full(struct slots *slots, uint32_t *last)
{
	uint32_t place =
		atomic_exchange_explicit(&slots->full, 0, memory_order_acq_rel);
	uint32_t first = 0;
	unsigned count = 0;

	*last = place;
	for (; place; count++) {
		struct spill_slot *slot = slots_at(slots, place);
		uint32_t older = slot_next(slot);

		slot_set_next(slot, first);
		first = place;
		place = older;
	}
	atomic_fetch_sub_explicit(&slots->full_count, count, memory_order_relaxed);
	return first;
}

/* --- the file ----------------------------------------------------------------- */

bool slots_grow(struct slots *slots)
{
	uint32_t first = slots_count(slots);
	uint32_t count = slots->limit - first;
	uint32_t end;

	if (count > slots->step)
		count = slots->step;
	end = first + count;
	if (!count || !spillfile_allocate(&slots->file, slots_at(slots, first + 1),
					  count * slots->size)) {
		atomic_store_explicit(&slots->can_grow, false, memory_order_relaxed);
		return false;
	}
	atomic_store_explicit(&slots->count, end, memory_order_relaxed);
	spill_set(&slots->file.header->slots, end);
	for (uint32_t place = end; place > first; place--)
		slots_push_free(slots, slots_at(slots, place));
	atomic_store_explicit(&slots->can_grow, end < slots->limit,
			      memory_order_relaxed);
	return true;
}

/*
 * Where files may not be as large as wished for, slots have half of what there may be:
 * without blocks nobody would know what events refer to. Where even the fewest slots are
 * too large for a file, they will be in memory.
 */
static size_t choose_space(const struct slots_plan *plan)
{
	size_t wish = plan->memory > SPACE_MIN ? plan->memory : SPACE_MIN;
	size_t most = spillfile_most();
	size_t share = plan->blocks > 0 ? most / 2 : most;

	if (most < SPACE_MIN || wish <= share)
		return wish;
	return share > SPACE_MIN ? share : SPACE_MIN;
}

static void choose_sizes(struct slots *slots, size_t buffer, size_t memory)
{
	size_t space = memory - SPILL_HEADER_SIZE;
	size_t most = space / ORDERS_BUFFERS_MIN / SLOT_UNIT * SLOT_UNIT;
	size_t count;

	if (most > ORDERS_BUFFER_MAX)
		most = ORDERS_BUFFER_MAX;
	if (buffer > most)
		buffer = most;
	slots->size = (buffer + SLOT_UNIT - 1) / SLOT_UNIT * SLOT_UNIT;
	if (slots->size < SLOT_UNIT)
		slots->size = SLOT_UNIT;
	slots->room = slots->size - sizeof(struct spill_slot) - SLOT_SLACK;
	count = space / slots->size;
	slots->limit = count < UINT32_MAX / 2 ? (uint32_t)count : UINT32_MAX / 2;
	slots->step = slots->limit / STEP_PART;
	if (slots->step < STEP_BYTES / slots->size)
		slots->step = (uint32_t)(STEP_BYTES / slots->size);
	if (slots->step < STEP_MIN)
		slots->step = STEP_MIN;
	if (slots->step > slots->limit)
		slots->step = slots->limit;
}

bool slots_open(struct slots *slots, const struct slots_plan *plan, struct err *err)
{
	struct spillfile_shape shape = { .path = plan->path, .blocks = plan->blocks };

	*slots = (struct slots){ .file.fd = -1 };
	choose_sizes(slots, plan->buffer, choose_space(plan));
	shape.slot_size = slots->size;
	shape.slots = slots->limit;
	shape.slots_first = slots->step;
	return spillfile_open(&slots->file, &shape, err) && slots_grow(slots);
}

void slots_close(struct slots *slots)
{
	spillfile_close(&slots->file);
}
