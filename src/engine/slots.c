#include "engine/slots.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define SLOT_UNIT ((size_t)4096)	/* sizes of slots are multiples */
#define SLOT_MAX ((size_t)16 << 20)
#define SLOTS_MIN 8			/* what the limit allows at least */
#define STEP ((size_t)1 << 20)		/* bytes added at a time */
#define STEP_MIN 4			/* slots */
#define FALLOCATE_TRIES 20		/* signals interrupt it */

struct spill_slot *slot_at(const struct store *store, uint32_t place)
{
	return (struct spill_slot *)((char *)store->header + SPILL_HEADER_SIZE +
				     (place - 1) * store->slot_size);
}

static uint32_t place_of(const struct store *store, const struct spill_slot *slot)
{
	size_t offset = (size_t)((const char *)slot - (const char *)store->header);

	return (uint32_t)((offset - SPILL_HEADER_SIZE) / store->slot_size) + 1;
}

/* --- lists -------------------------------------------------------------------- */

/* Each change has a new tag, so that a list that looks the same is the same. */
static uint64_t tagged(uint64_t before, uint32_t place)
{
	return ((before >> 32) + 1) << 32 | place;
}

void slots_push_free(struct store *store, struct spill_slot *slot)
{
	uint32_t place = place_of(store, slot);
	uint64_t before = atomic_load_explicit(&store->free, memory_order_relaxed);

	atomic_fetch_add_explicit(&store->free_count, 1, memory_order_relaxed);
	do {
		slot_set_next(slot, (uint32_t)before);
	} while (!atomic_compare_exchange_weak_explicit(
		&store->free, &before, tagged(before, place), memory_order_acq_rel,
		memory_order_relaxed));
}

struct spill_slot *slots_pop_free(struct store *store)
{
	uint64_t before = atomic_load_explicit(&store->free, memory_order_acquire);
	struct spill_slot *slot;

	do {
		if (!(uint32_t)before)
			return NULL;
		slot = slot_at(store, (uint32_t)before);
	} while (!atomic_compare_exchange_weak_explicit(
		&store->free, &before, tagged(before, slot_next(slot)),
		memory_order_acq_rel, memory_order_acquire));
	atomic_fetch_sub_explicit(&store->free_count, 1, memory_order_relaxed);
	return slot;
}

/* The flusher takes all at once, so this list needs no tags. */
void slots_push_full(struct store *store, struct spill_slot *slot)
{
	uint32_t place = place_of(store, slot);
	uint32_t before = atomic_load_explicit(&store->full, memory_order_relaxed);

	atomic_fetch_add_explicit(&store->full_count, 1, memory_order_relaxed);
	do {
		slot_set_next(slot, before);
	} while (!atomic_compare_exchange_weak_explicit(&store->full, &before, place,
							memory_order_acq_rel,
							memory_order_relaxed));
}

uint32_t slots_take_full(struct store *store, uint32_t *last)
{
	uint32_t place =
		atomic_exchange_explicit(&store->full, 0, memory_order_acq_rel);
	uint32_t first = 0;
	unsigned count = 0;

	*last = place;
	for (; place; count++) {
		struct spill_slot *slot = slot_at(store, place);
		uint32_t older = slot_next(slot);

		slot_set_next(slot, first);
		first = place;
		place = older;
	}
	atomic_fetch_sub_explicit(&store->full_count, count, memory_order_relaxed);
	return first;
}

unsigned slots_count(const struct store *store)
{
	return atomic_load_explicit(&store->slots, memory_order_relaxed);
}

bool slots_are_low(const struct store *store)
{
	return atomic_load_explicit(&store->free_count, memory_order_relaxed) <
	       slots_count(store) / 4;
}

/* --- the file ----------------------------------------------------------------- */

/* Space for more slots, the first time for the header as well. */
static bool allocate(const struct store *store, uint32_t first, uint32_t count)
{
	size_t from = first ? SPILL_HEADER_SIZE + first * store->slot_size : 0;
	size_t to = SPILL_HEADER_SIZE + (first + count) * store->slot_size;
	int error = 0;

	if (store->fd < 0)
		return true;
	for (int i = 0; i < FALLOCATE_TRIES; i++) {
		error = posix_fallocate(store->fd, (off_t)from, (off_t)(to - from));
		if (error != EINTR)
			break;
	}
	return error == 0;
}

bool slots_grow(struct store *store)
{
	uint32_t first = slots_count(store);
	uint32_t count = store->slot_limit - first;
	uint32_t end;

	if (count > store->step)
		count = store->step;
	end = first + count;
	if (!count || !allocate(store, first, count)) {
		atomic_store_explicit(&store->can_grow, false, memory_order_relaxed);
		return false;
	}
	atomic_store_explicit(&store->slots, end, memory_order_relaxed);
	spill_set(&store->header->slots, end);
	for (uint32_t place = end; place > first; place--)
		slots_push_free(store, slot_at(store, place));
	atomic_store_explicit(&store->can_grow, end < store->slot_limit,
			      memory_order_relaxed);
	return true;
}

static void choose_sizes(struct store *store, size_t buffer, size_t memory)
{
	size_t least = SPILL_HEADER_SIZE + SLOTS_MIN * SLOT_UNIT;
	size_t space = (memory > least ? memory : least) - SPILL_HEADER_SIZE;
	size_t most = space / SLOTS_MIN / SLOT_UNIT * SLOT_UNIT;
	size_t slots;

	if (most > SLOT_MAX)
		most = SLOT_MAX;
	if (buffer > most)
		buffer = most;
	store->slot_size = (buffer + SLOT_UNIT - 1) / SLOT_UNIT * SLOT_UNIT;
	if (store->slot_size < SLOT_UNIT)
		store->slot_size = SLOT_UNIT;
	store->room = store->slot_size - sizeof(struct spill_slot) - LANE_SLACK;
	slots = space / store->slot_size;
	store->slot_limit = slots < UINT32_MAX / 2 ? (uint32_t)slots : UINT32_MAX / 2;
	store->step = STEP_MIN;
	if (STEP / store->slot_size > STEP_MIN)
		store->step = (uint32_t)(STEP / store->slot_size);
	store->mapped = SPILL_HEADER_SIZE + store->slot_limit * store->slot_size;
}

/* A file beyond what ulimit -f allows would end the process (SIGXFSZ). */
static bool may_be_so_large(size_t size)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       (limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur);
}

static bool map(struct store *store)
{
	int flags = store->fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
				  : MAP_SHARED;
	void *at = mmap(NULL, store->mapped, PROT_READ | PROT_WRITE, flags,
			store->fd, 0);

	store->header = at == MAP_FAILED ? NULL : at;
	return store->header && slots_grow(store);
}

/* Nobody who has the descriptor can take away what is mapped. */
static bool map_file(struct store *store)
{
	bool is_mapped = store->fd >= 0 && may_be_so_large(store->mapped) &&
			 ftruncate(store->fd, (off_t)store->mapped) == 0 && map(store);

	if (is_mapped)
		fcntl(store->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
	return is_mapped;
}

void slots_close(struct store *store)
{
	if (store->header)
		munmap(store->header, store->mapped);
	if (store->fd >= 0)
		close(store->fd);
	store->header = NULL;
	store->fd = -1;
}

bool slots_open(struct store *store, const char *path, size_t buffer, size_t memory,
		bool *is_shared, struct err *err)
{
	choose_sizes(store, buffer, memory);
	store->fd = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
			 : memfd_create("cjfr", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (store->fd < 0 && path)
		return err_system(err, "%s", path);
	*is_shared = map_file(store);
	if (*is_shared)
		return true;
	slots_close(store);
	if (path)
		unlink(path);
	return map(store) || err_memory(err);
}
