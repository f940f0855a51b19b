#include "engine/store.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SLOT_UNIT ((size_t)4096)	/* sizes of slots are multiples */
#define SLOT_MAX ((size_t)16 << 20)
#define SLOTS_MIN 8			/* what the limit allows at least */
#define STEP ((size_t)1 << 20)		/* bytes added at a time */
#define STEP_MIN 4			/* slots */
#define FALLOCATE_TRIES 20		/* signals interrupt it */
#define PAUSE_NANOS 10000000		/* far longer than a store stays unseen */

static struct spill_slot *slot_at(const struct store *store, uint32_t place)
{
	return (struct spill_slot *)((char *)store->header + SPILL_HEADER_SIZE +
				     (place - 1) * store->slot_size);
}

/* Places in lists are 0 for none, and else the number of the slot + 1. */
static uint32_t place_of(const struct store *store, const struct spill_slot *slot)
{
	size_t offset = (size_t)((const char *)slot - (const char *)store->header);

	return (uint32_t)((offset - SPILL_HEADER_SIZE) / store->slot_size) + 1;
}

/* --- lists of slots, pushed and popped by anyone at any time ------------------ */

static uint32_t next_of(const struct spill_slot *slot)
{
	return __atomic_load_n(&slot->next, __ATOMIC_RELAXED);
}

static void set_next(struct spill_slot *slot, uint32_t place)
{
	__atomic_store_n(&slot->next, place, __ATOMIC_RELAXED);
}

/* Each change has a new tag, so that a list that looks the same is the same. */
static uint64_t tagged(uint64_t before, uint32_t place)
{
	return ((before >> 32) + 1) << 32 | place;
}

static void push_free(struct store *store, struct spill_slot *slot)
{
	uint32_t place = place_of(store, slot);
	uint64_t before = atomic_load_explicit(&store->free, memory_order_relaxed);

	atomic_fetch_add_explicit(&store->free_count, 1, memory_order_relaxed);
	do {
		set_next(slot, (uint32_t)before);
	} while (!atomic_compare_exchange_weak_explicit(
		&store->free, &before, tagged(before, place), memory_order_acq_rel,
		memory_order_relaxed));
}

static struct spill_slot *pop_free(struct store *store)
{
	uint64_t before = atomic_load_explicit(&store->free, memory_order_acquire);
	struct spill_slot *slot;

	do {
		if (!(uint32_t)before)
			return NULL;
		slot = slot_at(store, (uint32_t)before);
	} while (!atomic_compare_exchange_weak_explicit(
		&store->free, &before, tagged(before, next_of(slot)),
		memory_order_acq_rel, memory_order_acquire));
	atomic_fetch_sub_explicit(&store->free_count, 1, memory_order_relaxed);
	return slot;
}

/* The flusher takes all at once, so this list needs no tags. */
static void push_full(struct store *store, struct spill_slot *slot)
{
	uint32_t place = place_of(store, slot);
	uint32_t before = atomic_load_explicit(&store->full, memory_order_relaxed);

	atomic_fetch_add_explicit(&store->full_count, 1, memory_order_relaxed);
	do {
		set_next(slot, before);
	} while (!atomic_compare_exchange_weak_explicit(&store->full, &before, place,
							memory_order_acq_rel,
							memory_order_relaxed));
}

static unsigned slots_of(struct store *store)
{
	return atomic_load_explicit(&store->slots, memory_order_relaxed);
}

static bool is_low(struct store *store)
{
	return atomic_load_explicit(&store->free_count, memory_order_relaxed) <
	       slots_of(store) / 4;
}

/* Once between two drainings, and only if the flusher can do something about it. */
static void wake_if_low(struct store *store)
{
	if (!store->wake || !is_low(store))
		return;
	if (!atomic_load_explicit(&store->full_count, memory_order_relaxed) &&
	    !atomic_load_explicit(&store->can_grow, memory_order_relaxed))
		return;
	if (!atomic_load_explicit(&store->is_awake, memory_order_relaxed) &&
	    !atomic_exchange_explicit(&store->is_awake, true, memory_order_relaxed))
		store->wake(store->context);
}

/* --- lanes: their owners ------------------------------------------------------ */

static void add_relaxed(atomic_uint_fast64_t *sum, uint64_t more)
{
	uint64_t before = atomic_load_explicit(sum, memory_order_relaxed);

	atomic_store_explicit(sum, before + more, memory_order_relaxed);
}

void lane_lose(struct lane *lane, size_t size)
{
	add_relaxed(&lane->lost_events, 1);
	add_relaxed(&lane->lost_bytes, size);
	lane_cancel(lane);
}

/*
 * A slot that is about to go to the full list stays with its lane until it is there, so
 * that the flusher always finds it; the lowest bit of the pointer says that the flusher
 * cannot take it away any more.
 */
static struct spill_slot *parting(struct spill_slot *slot)
{
	return (struct spill_slot *)((char *)slot + 1);
}

static bool is_parting(const struct spill_slot *slot)
{
	return (uintptr_t)slot & 1;
}

/* The slot goes to the full list, if the flusher was not faster. */
static void give_up_slot(struct lane *lane)
{
	struct spill_slot *slot =
		atomic_load_explicit(&lane->slot, memory_order_relaxed);

	if (slot && atomic_compare_exchange_strong_explicit(
			    &lane->slot, &slot, parting(slot), memory_order_acq_rel,
			    memory_order_relaxed))
		push_full(lane->store, slot);
	lane->at = NULL;
	atomic_store_explicit(&lane->limit, NULL, memory_order_relaxed);
	atomic_store_explicit(&lane->slot, NULL, memory_order_release);
}

/* Who looks at the file after our end sees no old bytes: the count goes first. */
static void take_slot(struct lane *lane, struct spill_slot *slot)
{
	const struct store *store = lane->store;
	unsigned epoch = atomic_load_explicit(&store->epoch, memory_order_relaxed);

	__atomic_store_n(&slot->committed, 0, __ATOMIC_RELEASE);
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&slot->consumed, 0, __ATOMIC_RELAXED);
	slot->told = 0;
	slot->lane = lane->number;
	slot->sequence = ++lane->sequence;
	__atomic_store_n(&slot->epoch, epoch, __ATOMIC_RELAXED);
	atomic_signal_fence(memory_order_seq_cst);
	lane->at = slot->bytes;
	atomic_store_explicit(&lane->slot, slot, memory_order_release);
	atomic_store_explicit(&lane->limit, slot->bytes + store->room,
			      memory_order_relaxed);
}

char *lane_swap(struct lane *lane, size_t size)
{
	struct store *store = lane->store;
	struct spill_slot *slot = NULL;

	if (size <= store->room) {
		give_up_slot(lane);
		slot = pop_free(store);
		if (!slot)
			atomic_store_explicit(&store->ran_out, true, memory_order_relaxed);
		wake_if_low(store);
	}
	if (slot) {
		take_slot(lane, slot);
		return lane->at;
	}
	lane_lose(lane, size);
	return NULL;
}

static void push_spare(struct store *store, struct lane *lane)
{
	struct lane *before = atomic_load_explicit(&store->spare, memory_order_relaxed);

	do {
		lane->next_spare = before;
	} while (!atomic_compare_exchange_weak_explicit(&store->spare, &before, lane,
							memory_order_acq_rel,
							memory_order_relaxed));
}

/*
 * Takes all spare lanes, keeps one and puts the others back. Who finds none meanwhile
 * makes a new one, which does no harm.
 */
static struct lane *pop_spare(struct store *store)
{
	struct lane *lane =
		atomic_exchange_explicit(&store->spare, NULL, memory_order_acq_rel);
	struct lane *rest = lane ? lane->next_spare : NULL;
	struct lane *none = NULL;

	if (rest && !atomic_compare_exchange_strong_explicit(&store->spare, &none, rest,
							     memory_order_acq_rel,
							     memory_order_relaxed)) {
		while (rest) {
			struct lane *next = rest->next_spare;

			push_spare(store, rest);
			rest = next;
		}
	}
	return lane;
}

struct lane *store_lane(struct store *store)
{
	struct lane *lane = pop_spare(store);
	struct lane *before;

	if (lane)
		return lane;
	lane = aligned_alloc(STORE_LINE, sizeof(*lane));
	if (!lane)
		return NULL;
	memset(lane, 0, sizeof(*lane));
	lane->store = store;
	lane->number = 1 + atomic_fetch_add_explicit(&store->lane_count, 1,
						     memory_order_relaxed);
	before = atomic_load_explicit(&store->lanes, memory_order_relaxed);
	do {
		lane->next = before;
	} while (!atomic_compare_exchange_weak_explicit(&store->lanes, &before, lane,
							memory_order_acq_rel,
							memory_order_relaxed));
	return lane;
}

void lane_release(struct lane *lane)
{
	if (!lane)
		return;
	lane_cancel(lane);
	push_spare(lane->store, lane);
}

/* --- making room: the flusher ------------------------------------------------- */

static struct lane *first_lane(struct store *store)
{
	return atomic_load_explicit(&store->lanes, memory_order_acquire);
}

/*
 * Space for more slots, the first time for the header as well. Nothing may be touched
 * that has no space of its own: that would be SIGBUS when the system is full.
 */
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

static bool grow(struct store *store)
{
	uint32_t first = slots_of(store);
	uint32_t count = store->slot_limit - first;
	bool is_done;

	if (count > store->step)
		count = store->step;
	is_done = count && allocate(store, first, count);
	if (is_done) {
		atomic_store_explicit(&store->slots, first + count, memory_order_relaxed);
		spill_set(&store->header->slots, first + count);
		for (uint32_t i = count; i; i--)
			push_free(store, slot_at(store, first + i));
	}
	atomic_store_explicit(&store->can_grow,
			      is_done && first + count < store->slot_limit,
			      memory_order_relaxed);
	return is_done;
}

/* The slot of a lane, also one that is on its way to the full list. */
static struct spill_slot *slot_of(const struct lane *lane)
{
	struct spill_slot *slot = atomic_load_explicit(&lane->slot, memory_order_acquire);

	return is_parting(slot) ? (struct spill_slot *)((char *)slot - 1) : slot;
}

static long membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

/*
 * What any thread wrote before is seen after it, and what is written before is seen by
 * what any thread reads after. Without the system call we wait until it is so: writes
 * leave a processor within microseconds.
 */
static void barrier(struct store *store)
{
	struct timespec pause = { .tv_nsec = PAUSE_NANOS };

	if (store->barrier == BARRIER_UNKNOWN)
		store->barrier =
			membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0
				? BARRIER_MEMBARRIER
				: BARRIER_PAUSE;
	if (store->barrier == BARRIER_MEMBARRIER &&
	    membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0)
		return;
	nanosleep(&pause, NULL);
}

/* True if all in this slot of the lane is in a chunk, and nothing is being added. */
static bool is_quiet(const struct lane *lane, const struct spill_slot *slot)
{
	return slot && !is_parting(slot) && lane->is_idle &&
	       !atomic_load_explicit(&lane->begun, memory_order_acquire) &&
	       __atomic_load_n(&slot->committed, __ATOMIC_ACQUIRE) == slot->told;
}

/* Takes limit away from quiet lanes, whose slots become `seen`; false if there are none. */
static bool choose_quiet(struct store *store)
{
	bool is_any = false;

	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		struct spill_slot *slot =
			atomic_load_explicit(&lane->slot, memory_order_acquire);

		if (!is_quiet(lane, slot))
			continue;
		lane->seen = slot;
		atomic_store_explicit(&lane->limit, NULL, memory_order_relaxed);
		is_any = true;
	}
	return is_any;
}

/*
 * Frees the slots of lanes that do not write. With limit gone, after the barrier, a lane
 * is either seen to have begun an event, or does not touch this slot but to give it up:
 * who gets the pointer then has the slot.
 */
static void reclaim(struct store *store)
{
	if (!choose_quiet(store))
		return;
	barrier(store);
	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		struct spill_slot *slot = lane->seen;

		lane->seen = NULL;
		if (is_quiet(lane, slot) && atomic_compare_exchange_strong_explicit(
						    &lane->slot, &slot, NULL,
						    memory_order_acq_rel,
						    memory_order_relaxed))
			push_free(store, slot);
	}
}

static void consume(struct spill_slot *slot)
{
	__atomic_store_n(&slot->consumed, slot->told, __ATOMIC_RELEASE);
}

/* When slots ran out there shall be twice as many: those that are free now are too few. */
static void make_room(struct store *store)
{
	unsigned wanted = 0;

	if (is_low(store))
		reclaim(store);
	if (atomic_exchange_explicit(&store->ran_out, false, memory_order_relaxed))
		wanted = 2 * slots_of(store);
	while ((is_low(store) || slots_of(store) < wanted) && grow(store))
		continue;
}

/* Frees the full slots that were told, but for those that their lanes still hold. */
static void free_told(struct store *store)
{
	uint32_t place = store->told;
	unsigned settling = ++store->settling;

	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		struct spill_slot *slot = slot_of(lane);

		if (slot)
			slot->held = settling;
	}
	store->told = 0;
	while (place) {
		struct spill_slot *slot = slot_at(store, place);
		uint32_t next = next_of(slot);

		consume(slot);
		if (slot->held == settling) {
			set_next(slot, store->told);
			store->told = place;
		} else {
			push_free(store, slot);
		}
		place = next;
	}
}

/* What lanes hold comes first: it may be among the full slots meanwhile. */
void store_settle(struct store *store)
{
	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		if (lane->seen)
			consume(lane->seen);
		lane->seen = NULL;
	}
	if (store->told)
		free_told(store);
	make_room(store);
}

/* --- draining: the flusher ---------------------------------------------------- */

static bool tell(struct spill_slot *slot, uint32_t committed, store_told *told,
		 void *context)
{
	if (committed <= slot->told)
		return true;
	if (!told(context, slot->lane, slot->bytes + slot->told, committed - slot->told))
		return false;
	slot->told = committed;
	return true;
}

/* What lanes hold now. Full slots are taken after that: they hold what came before. */
static void look_at_lanes(struct store *store)
{
	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		struct spill_slot *slot = slot_of(lane);

		lane->seen = slot;
		lane->seen_committed =
			slot ? __atomic_load_n(&slot->committed, __ATOMIC_ACQUIRE) : 0;
		lane->is_idle = slot && slot->told == lane->seen_committed;
	}
}

/* Puts the full slots behind those that wait to be told, the oldest first. */
static void take_full(struct store *store)
{
	uint32_t place = atomic_exchange_explicit(&store->full, 0, memory_order_acq_rel);
	uint32_t last = place, first = 0;
	unsigned count = 0;

	for (; place; count++) {
		struct spill_slot *slot = slot_at(store, place);
		uint32_t older = next_of(slot);

		set_next(slot, first);
		first = place;
		place = older;
	}
	atomic_fetch_sub_explicit(&store->full_count, count, memory_order_relaxed);
	if (!first)
		return;
	if (store->waiting)
		set_next(slot_at(store, store->waiting_last), first);
	else
		store->waiting = first;
	store->waiting_last = last;
}

static bool tell_waiting(struct store *store, store_told *told, void *context)
{
	while (store->waiting) {
		uint32_t place = store->waiting;
		struct spill_slot *slot = slot_at(store, place);
		uint32_t committed = __atomic_load_n(&slot->committed, __ATOMIC_ACQUIRE);

		if (!tell(slot, committed, told, context))
			return false;
		store->waiting = next_of(slot);
		set_next(slot, store->told);
		store->told = place;
	}
	return true;
}

/* A slot that was full in the end is told already, up to its end. */
bool store_drain(struct store *store, store_told *told, void *context)
{
	store_settle(store);
	atomic_store_explicit(&store->is_awake, false, memory_order_relaxed);
	look_at_lanes(store);
	take_full(store);
	if (!tell_waiting(store, told, context))
		return false;
	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		if (lane->seen &&
		    !tell(lane->seen, lane->seen_committed, told, context))
			return false;
	}
	return true;
}

/* --- epochs and losses: the flusher ------------------------------------------- */

unsigned store_flip(struct store *store)
{
	return atomic_fetch_add_explicit(&store->epoch, 1, memory_order_acq_rel) + 1;
}

bool store_is_past(struct store *store, unsigned epoch)
{
	if (epoch >= atomic_load_explicit(&store->epoch, memory_order_relaxed))
		return false;
	barrier(store);
	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		unsigned begun = atomic_load_explicit(&lane->begun, memory_order_acquire);

		if (begun && begun <= epoch)
			return false;
	}
	return true;
}

bool store_next_loss(struct store *store, const struct lane **lane, uint64_t *bytes,
		     uint64_t *total)
{
	struct lane *at = store->loss_at ? store->loss_at->next : first_lane(store);

	for (; at; at = at->next) {
		*total = atomic_load_explicit(&at->lost_bytes, memory_order_relaxed);
		if (*total != at->reported)
			break;
	}
	store->loss_at = at;
	if (!at)
		return false;
	*lane = at;
	*bytes = *total - at->reported;
	at->reported = *total;
	return true;
}

void store_lost(struct store *store, uint64_t *events, uint64_t *bytes)
{
	*events = *bytes = 0;
	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		*events += atomic_load_explicit(&lane->lost_events, memory_order_relaxed);
		*bytes += atomic_load_explicit(&lane->lost_bytes, memory_order_relaxed);
	}
}

/* --- the spill file ----------------------------------------------------------- */

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
	void *at = mmap(NULL, store->mapped, PROT_READ | PROT_WRITE, flags, store->fd, 0);

	store->header = at == MAP_FAILED ? NULL : at;
	return store->header && grow(store);
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

static void unmap(struct store *store)
{
	if (store->header)
		munmap(store->header, store->mapped);
	if (store->fd >= 0)
		close(store->fd);
	store->header = NULL;
	store->fd = -1;
}

static void fill_header(struct store *store)
{
	struct spill_header *header = store->header;

	header->version = SPILL_VERSION;
	header->slot_size = (uint32_t)store->slot_size;
	header->pid = (uint64_t)getpid();
	spill_set(&header->state, SPILL_STARTING);
	memcpy(header->magic, SPILL_MAGIC, sizeof(header->magic));
}

bool store_open(struct store *store, const char *path, size_t buffer, size_t memory,
		bool *is_shared, struct err *err)
{
	*store = (struct store){ .fd = -1 };
	choose_sizes(store, buffer, memory);
	atomic_store_explicit(&store->epoch, 1, memory_order_relaxed);
	store->fd = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
			 : memfd_create("cjfr", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (store->fd < 0 && path)
		return err_system(err, "%s", path);
	*is_shared = map_file(store);
	if (!*is_shared) {
		unmap(store);
		if (path)
			unlink(path);
		if (!map(store))
			return err_memory(err);
	}
	fill_header(store);
	return true;
}

void store_close(struct store *store)
{
	struct lane *lane = first_lane(store);

	while (lane) {
		struct lane *next = lane->next;

		free(lane);
		lane = next;
	}
	unmap(store);
	*store = (struct store){ .fd = -1 };
}
