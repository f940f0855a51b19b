#include "engine/store.h"

#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"

#define PAUSE_NANOS 10000000	/* far longer than what was written stays unseen */
#define CLOSE_NANOS SECOND	/* events that are open are waited for, at most */

/* Once between two drainings, and only if the flusher can do something about it. */
static void wake_if_low(struct store *store)
{
	if (!store->wake || !slots_are_low(&store->slots))
		return;
	if (!atomic_load_explicit(&store->slots.full_count, memory_order_relaxed) &&
	    !atomic_load_explicit(&store->slots.can_grow, memory_order_relaxed))
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
		slots_push_full(&lane->store->slots, slot);
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
	slot->drained = 0;
	slot->lane = lane->number;
	slot->sequence = ++lane->sequence;
	__atomic_store_n(&slot->epoch, epoch, __ATOMIC_RELAXED);
	atomic_signal_fence(memory_order_seq_cst);
	lane->at = slot->bytes;
	atomic_store_explicit(&lane->slot, slot, memory_order_release);
	atomic_store_explicit(&lane->limit, slot->bytes + store->slots.room,
			      memory_order_relaxed);
}

char *lane_swap(struct lane *lane, size_t size)
{
	struct store *store = lane->store;
	struct spill_slot *slot = NULL;

	if (atomic_load_explicit(&store->is_closed, memory_order_relaxed)) {
		lane_cancel(lane);
		return NULL;
	}
	if (size <= store->slots.room) {
		give_up_slot(lane);
		slot = slots_pop_free(&store->slots);
		if (!slot)
			atomic_store_explicit(&store->ran_out, true,
					      memory_order_relaxed);
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

/* `kind`: LANE_RAW or 0. */
static struct lane *add_lane(struct store *store, uint64_t kind)
{
	struct lane *lane = aligned_alloc(CACHE_LINE, sizeof(*lane));
	struct lane *before;

	if (!lane)
		return NULL;
	memset(lane, 0, sizeof(*lane));
	lane->store = store;
	lane->number = kind | (1 + atomic_fetch_add_explicit(&store->lane_count, 1,
							     memory_order_relaxed));
	before = atomic_load_explicit(&store->lanes, memory_order_relaxed);
	do {
		lane->next = before;
	} while (!atomic_compare_exchange_weak_explicit(&store->lanes, &before, lane,
							memory_order_acq_rel,
							memory_order_relaxed));
	return lane;
}

struct lane *store_lane(struct store *store)
{
	struct lane *spare = pop_spare(store);

	return spare ? spare : add_lane(store, 0);
}

struct lane *store_raw_lane(struct store *store)
{
	return add_lane(store, LANE_RAW);
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

/* The slot of a lane, also one that is on its way to the full list. */
static struct spill_slot *slot_of(const struct lane *lane)
{
	struct spill_slot *slot =
		atomic_load_explicit(&lane->slot, memory_order_acquire);

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
	       slot_committed(slot) == slot->drained;
}

/* Takes limit from quiet lanes, whose slots become `seen`. False: there are none. */
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
 * Frees the slots of lanes that do not write. With limit gone, after the barrier, a
 * lane is either seen to have begun an event, or does not touch this slot but to give
 * it up: who gets the pointer then has the slot.
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
			slots_push_free(&store->slots, slot);
	}
}

/* When slots are low there shall be twice as many: what is free now was too few. */
static void make_room(struct store *store)
{
	unsigned wanted = 0;

	if (slots_are_low(&store->slots))
		reclaim(store);
	if (slots_are_low(&store->slots) ||
	    atomic_load_explicit(&store->ran_out, memory_order_relaxed))
		wanted = 2 * slots_count(&store->slots);
	atomic_store_explicit(&store->ran_out, false, memory_order_relaxed);
	while (slots_count(&store->slots) < wanted) {
		if (!slots_grow(&store->slots))
			break;
	}
}

/* Frees the full slots that were drained, but for those that their lanes still hold. */
static void free_spent(struct store *store)
{
	uint32_t place = store->spent;
	unsigned settling = ++store->settling;

	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		struct spill_slot *slot = slot_of(lane);

		if (slot)
			slot->held = settling;
	}
	store->spent = 0;
	while (place) {
		struct spill_slot *slot = slots_at(&store->slots, place);
		uint32_t next = slot_next(slot);

		if (slot->held == settling) {
			slot_set_next(slot, store->spent);
			store->spent = place;
		} else {
			slots_push_free(&store->slots, slot);
		}
		place = next;
	}
}

/* --- flushes -------------------------------------------------------------------- */

uint64_t store_next_flush(struct store *store)
{
	return ++store->flush;
}

/*
 * If the flush before failed, it must not be taken for done while this is written: a
 * chunk goes last, as that of the one before was taken away (store_undo).
 */
void store_announce(struct store *store, int64_t chunk, uint64_t size, uint64_t kept)
{
	struct spill_header *header = store_header(store);

	spill_set(&header->flush_kept, kept);
	spill_set(&header->flush_size, size);
	__atomic_store_n(&header->flush_chunk, chunk, __ATOMIC_RELEASE);
	spill_set(&header->flush, store->flush);
}

/* One that was not announced had nothing to write. */
void store_commit(struct store *store)
{
	struct spill_header *header = store_header(store);

	if (spill_get(&header->flush) < store->flush)
		store_announce(store, 0, 0, 0);
	if (spill_get(&header->committed) < store->flush)
		spill_set(&header->committed, store->flush);
}

/* Of a flush that is not done `consumed` counts: then both are the same. */
void store_undo(struct store *store)
{
	struct spill_header *header = store_header(store);

	if (spill_get(&header->committed) == store->flush)
		return;
	__atomic_store_n(&header->flush_chunk, 0, __ATOMIC_RELEASE);
	for (uint32_t place = slots_count(&store->slots); place > 0; place--) {
		struct spill_slot *slot = slots_at(&store->slots, place);

		if (slot->flush == store->flush)
			__atomic_store_n(&slot->drained, slot->consumed,
					 __ATOMIC_RELEASE);
	}
}

/* So much of the slot goes with this flush. */
static void set_drained(const struct store *store, struct spill_slot *slot, uint32_t end)
{
	if (slot->flush != store->flush) {
		__atomic_store_n(&slot->consumed, slot->drained, __ATOMIC_RELEASE);
		spill_set(&slot->flush, store->flush);
	}
	__atomic_store_n(&slot->drained, end, __ATOMIC_RELEASE);
}

/* What lanes hold comes first: it may be among the full slots meanwhile. */
void store_settle(struct store *store)
{
	store_commit(store);
	for (struct lane *lane = first_lane(store); lane; lane = lane->next)
		lane->seen = NULL;
	if (store->spent)
		free_spent(store);
	make_room(store);
}

/* --- draining: the flusher ---------------------------------------------------- */

static bool hand_over(const struct store *store, struct spill_slot *slot,
		      uint32_t committed, store_take *take, void *context)
{
	if (committed <= slot->drained)
		return true;
	if (!take(context, slot->lane, slot->bytes + slot->drained,
		  committed - slot->drained))
		return false;
	set_drained(store, slot, committed);
	return true;
}

/* What lanes hold now. Full slots are taken after that: they hold what came before. */
static void look_at_lanes(struct store *store)
{
	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		struct spill_slot *slot = slot_of(lane);

		lane->seen = slot;
		lane->seen_committed = slot ? slot_committed(slot) : 0;
		lane->is_idle = slot && slot->drained == lane->seen_committed;
	}
}

/* Puts the full slots behind those that wait to be drained. */
static void take_full(struct store *store)
{
	uint32_t last;
	uint32_t first = slots_take_full(&store->slots, &last);

	if (!first)
		return;
	if (store->waiting)
		slot_set_next(slots_at(&store->slots, store->waiting_last), first);
	else
		store->waiting = first;
	store->waiting_last = last;
}

static bool hand_over_waiting(struct store *store, store_take *take, void *context)
{
	while (store->waiting) {
		uint32_t place = store->waiting;
		struct spill_slot *slot = slots_at(&store->slots, place);

		if (!hand_over(store, slot, slot_committed(slot), take, context))
			return false;
		store->waiting = slot_next(slot);
		slot_set_next(slot, store->spent);
		store->spent = place;
	}
	return true;
}

/* A slot that was full in the end is drained already, up to its end. */
bool store_drain(struct store *store, store_take *take, void *context)
{
	store_settle(store);
	store_next_flush(store);
	atomic_store_explicit(&store->is_awake, false, memory_order_relaxed);
	look_at_lanes(store);
	take_full(store);
	if (!hand_over_waiting(store, take, context))
		return false;
	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		if (lane->seen &&
		    !hand_over(store, lane->seen, lane->seen_committed, take, context))
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
		unsigned begun =
			atomic_load_explicit(&lane->begun, memory_order_acquire);

		if (begun && begun <= epoch)
			return false;
	}
	return true;
}

void store_await(struct store *store)
{
	unsigned epoch = atomic_load_explicit(&store->epoch, memory_order_relaxed);
	struct timespec pause = { .tv_nsec = MILLISECOND };
	int64_t end = now_ticks() + CLOSE_NANOS;

	while (!store_is_past(store, epoch - 1) && now_ticks() < end)
		nanosleep(&pause, NULL);
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
		*events += atomic_load_explicit(&lane->lost_events,
						memory_order_relaxed);
		*bytes += atomic_load_explicit(&lane->lost_bytes,
					       memory_order_relaxed);
	}
}

/* --- the end: the flusher ------------------------------------------------------ */

/* Takes limit from all lanes that are not shut. False: all are. */
static bool take_limits(struct store *store)
{
	bool is_any = false;

	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		if (lane->is_shut)
			continue;
		atomic_store_explicit(&lane->limit, NULL, memory_order_relaxed);
		is_any = true;
	}
	return is_any;
}

/* Who is outside of an event now, without a limit, gets none any more. */
static void shut(struct store *store)
{
	for (struct lane *lane = first_lane(store); lane; lane = lane->next) {
		if (!atomic_load_explicit(&lane->begun, memory_order_acquire) &&
		    !atomic_load_explicit(&lane->limit, memory_order_relaxed))
			lane->is_shut = true;
	}
}

/*
 * Who is inside of lane_swap may set a limit once more: so limits are taken again, until
 * each lane was seen without one and without an event, after the barrier. That is enough
 * to see once: threads that go on in vain are inside now and then, too.
 */
void store_close_lanes(struct store *store)
{
	struct timespec pause = { .tv_nsec = MILLISECOND };
	int64_t end = now_ticks() + CLOSE_NANOS;

	if (atomic_exchange_explicit(&store->is_closed, true, memory_order_relaxed))
		return;
	while (take_limits(store)) {
		barrier(store);
		shut(store);
		if (now_ticks() >= end)
			break;
		nanosleep(&pause, NULL);
	}
}

/* --- life --------------------------------------------------------------------- */

bool store_make(struct store *store, const struct slots_plan *plan, struct err *err)
{
	*store = (struct store){ .slots.file.fd = -1 };
	atomic_store_explicit(&store->epoch, 1, memory_order_relaxed);
	return slots_open(&store->slots, plan, err);
}

bool store_open(struct store *store, const char *path, size_t buffer, size_t memory,
		struct err *err)
{
	return store_make(store,
			  &(struct slots_plan){ .path = path,
						.buffer = buffer,
						.memory = memory },
			  err);
}

void store_wake_by(struct store *store, void (*wake)(void *context), void *context)
{
	store->wake = wake;
	store->context = context;
}

void store_close(struct store *store)
{
	struct lane *lane = first_lane(store);

	while (lane) {
		struct lane *next = lane->next;

		free(lane);
		lane = next;
	}
	slots_close(&store->slots);
	*store = (struct store){ .slots.file.fd = -1 };
}
