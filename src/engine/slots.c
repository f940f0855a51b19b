#include "engine/slots.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "control/orders.h"

#define SLOT_UNIT ((size_t)ORDERS_BUFFER_UNIT)
#define STEP ((size_t)1 << 20)		/* bytes added at a time */
#define STEP_MIN 4			/* slots */
#define FALLOCATE_TRIES 20		/* signals interrupt it */

_Static_assert(sizeof(struct spill_slot) + SLOT_SLACK <= ORDERS_BUFFER_EXTRA,
	       "orders_buffer_for knows what a buffer needs");

struct spill_slot *slots_at(const struct slots *slots, uint32_t place)
{
	return (struct spill_slot *)((char *)slots->header + SPILL_HEADER_SIZE +
				     (place - 1) * slots->size);
}

static uint32_t place_of(const struct slots *slots, const struct spill_slot *slot)
{
	size_t offset = (size_t)((const char *)slot - (const char *)slots->header);

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

/*
 * Space for more slots, the first time for the header as well. What is mapped stays, also
 * when others have closed our descriptor.
 */
static bool allocate(const struct slots *slots, uint32_t first, uint32_t count)
{
	size_t from = first ? SPILL_HEADER_SIZE + first * slots->size : 0;
	size_t to = SPILL_HEADER_SIZE + (first + count) * slots->size;
	int error = 0;

	if (slots->fd < 0)
		return true;
	if (!fileid_is(&slots->file, slots->fd))
		return false;
	for (int i = 0; i < FALLOCATE_TRIES; i++) {
		error = posix_fallocate(slots->fd, (off_t)from, (off_t)(to - from));
		if (error != EINTR)
			break;
	}
	return error == 0;
}

bool slots_grow(struct slots *slots)
{
	uint32_t first = slots_count(slots);
	uint32_t count = slots->limit - first;
	uint32_t end;

	if (count > slots->step)
		count = slots->step;
	end = first + count;
	if (!count || !allocate(slots, first, count)) {
		atomic_store_explicit(&slots->can_grow, false, memory_order_relaxed);
		return false;
	}
	atomic_store_explicit(&slots->count, end, memory_order_relaxed);
	spill_set(&slots->header->slots, end);
	for (uint32_t place = end; place > first; place--)
		slots_push_free(slots, slots_at(slots, place));
	atomic_store_explicit(&slots->can_grow, end < slots->limit,
			      memory_order_relaxed);
	return true;
}

static void choose_sizes(struct slots *slots, size_t buffer, size_t memory)
{
	size_t least = SPILL_HEADER_SIZE + ORDERS_BUFFERS_MIN * SLOT_UNIT;
	size_t space = (memory > least ? memory : least) - SPILL_HEADER_SIZE;
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
	slots->step = STEP_MIN;
	if (STEP / slots->size > STEP_MIN)
		slots->step = (uint32_t)(STEP / slots->size);
	slots->mapped = SPILL_HEADER_SIZE + slots->limit * slots->size;
}

/* A file beyond what ulimit -f allows would end the process (SIGXFSZ). */
static bool may_be_so_large(size_t size)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       (limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur);
}

static bool map(struct slots *slots)
{
	int flags = slots->fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
				  : MAP_SHARED;
	void *at = mmap(NULL, slots->mapped, PROT_READ | PROT_WRITE, flags,
			slots->fd, 0);

	slots->header = at == MAP_FAILED ? NULL : at;
	return slots->header && slots_grow(slots);
}

/* Nobody who has the descriptor can take away what is mapped. */
static bool map_file(struct slots *slots)
{
	bool is_mapped = slots->fd >= 0 && may_be_so_large(slots->mapped) &&
			 ftruncate(slots->fd, (off_t)slots->mapped) == 0 && map(slots);

	if (is_mapped)
		fcntl(slots->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
	return is_mapped;
}

void slots_close(struct slots *slots)
{
	if (slots->header)
		munmap(slots->header, slots->mapped);
	fileid_close(&slots->file, slots->fd);
	slots->header = NULL;
	slots->fd = -1;
}

static void fill_header(struct slots *slots)
{
	struct spill_header *header = slots->header;

	header->version = SPILL_VERSION;
	header->slot_size = (uint32_t)slots->size;
	header->pid = (uint64_t)getpid();
	spill_set(&header->state, SPILL_STARTING);
	memcpy(header->magic, SPILL_MAGIC, sizeof(header->magic));
}

bool slots_open(struct slots *slots, const char *path, size_t buffer, size_t memory,
		struct err *err)
{
	*slots = (struct slots){ .fd = -1 };
	choose_sizes(slots, buffer, memory);
	slots->fd = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
			 : memfd_create("cjfr", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (slots->fd < 0 && path)
		return err_system(err, "%s", path);
	slots->file = fileid_of(slots->fd);
	if (!map_file(slots)) {
		slots_close(slots);
		if (path)
			unlink(path);
		if (!map(slots))
			return err_memory(err);
	}
	fill_header(slots);
	return true;
}
