#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "engine/store.h"
#include "fault.h"

#define SLOT ((size_t)4096)

/* Eight slots, as few as there can be; half of the room of one is a record. */
static struct store store;
static size_t half;

static void open_few(void)
{
	cr_assert(store_open(&store, NULL, SLOT, 0, NULL));
	cr_assert(store_fd(&store) >= 0);
	half = store.slots.room / 2;
}

static void close_few(void)
{
	store_close(&store);
}

TestSuite(store, .init = open_few, .fini = close_few);

/* An event of that size; what it is shows in its first byte. */
static bool put(struct lane *lane, char mark, size_t size)
{
	char *at = lane_reserve(lane, size);

	if (!at)
		return false;
	memset(at, 0, size);
	*at = mark;
	lane_commit(lane, at + size);
	return true;
}

static bool put_half(struct lane *lane, char mark)
{
	return put(lane, mark, half);
}

/* What was told: marks, those of one call together; refusal number `left` is a no. */
struct listener {
	struct buf marks;
	int left;
};

static bool listen(void *context, uint64_t lane, const char *bytes, size_t size)
{
	struct listener *listener = context;

	cr_expect_gt(lane & ~LANE_RAW, 0);
	if (--listener->left == 0)
		return false;
	for (size_t i = 0; i < size; i++) {
		if (bytes[i])
			buf_byte(&listener->marks, bytes[i]);
	}
	buf_byte(&listener->marks, ' ');
	return true;
}

static void expect_marks(struct listener *listener, const char *expected)
{
	buf_byte(&listener->marks, 0);
	cr_expect_str_eq(listener->marks.bytes, expected);
	buf_clear(&listener->marks);
}

static void expect_told(const char *expected)
{
	struct listener listener = { 0 };

	cr_expect(store_drain(&store, listen, &listener));
	expect_marks(&listener, expected);
}

static void expect_lost(uint64_t expected_events, uint64_t expected_bytes)
{
	uint64_t events, bytes;

	store_lost(&store, &events, &bytes);
	cr_expect_eq(events, expected_events, "%d lost", (int)events);
	cr_expect_eq(bytes, expected_bytes);
}

Test(store, tells_each_event_once)
{
	struct lane *lane = store_lane(&store), *other = store_lane(&store);

	cr_expect_neq(lane->number, other->number);
	expect_told("");
	put(lane, 'a', 10);
	put(lane, 'b', 10);
	put(other, 'A', 10);
	expect_told("A ab ");
	expect_told("");
	put(lane, 'c', 10);
	expect_told("c ");
	expect_lost(0, 0);
}

Test(store, tells_full_slots_in_their_order)
{
	struct lane *lane = store_lane(&store);

	for (char mark = 'a'; mark < 'h'; mark++)
		cr_assert(put_half(lane, mark));
	expect_told("ab cd ef g ");
	cr_assert(put_half(lane, 'h'));
	cr_assert(put_half(lane, 'i'));
	expect_told("h i ");
}

Test(store, keeps_what_is_not_taken)
{
	struct lane *lane = store_lane(&store);
	struct listener listener = { .left = 2 };

	for (char mark = 'a'; mark < 'f'; mark++)
		put_half(lane, mark);
	cr_expect_not(store_drain(&store, listen, &listener));
	expect_marks(&listener, "ab ");
	put_half(lane, 'f');
	put_half(lane, 'g');
	listener = (struct listener){ .left = 1 };
	cr_expect_not(store_drain(&store, listen, &listener));
	expect_marks(&listener, "");
	listener = (struct listener){ .left = 3 };
	cr_expect_not(store_drain(&store, listen, &listener));
	expect_marks(&listener, "cd ef ");
	expect_told("g ");
	expect_told("");
}

Test(store, loses_what_has_no_slot)
{
	struct lane *lane = store_lane(&store), *other = store_lane(&store);

	for (int i = 0; i < 16; i++)
		cr_assert(put_half(lane, 'a'));
	cr_expect_not(put_half(lane, 'b'));
	cr_expect_eq(atomic_load(&lane->begun), 0);
	cr_expect_not(put(other, 'B', 10));
	expect_lost(2, half + 10);
	expect_told("aa aa aa aa aa aa aa aa ");
	cr_expect_not(put(other, 'B', 10));
	store_settle(&store);
	cr_expect(put(other, 'C', 10));
	cr_expect(put_half(lane, 'c'));
	expect_told("C c ");
	expect_lost(3, half + 20);
}

Test(store, says_who_lost_how_much)
{
	struct lane *first = store_lane(&store), *second = store_lane(&store);
	const struct lane *lane;
	uint64_t bytes, total;

	store_lane(&store);
	cr_expect_not(store_next_loss(&store, &lane, &bytes, &total));
	lane_lose(first, 10);
	lane_lose(first, 20);
	lane_lose(second, 5);
	cr_assert(store_next_loss(&store, &lane, &bytes, &total));
	cr_expect(lane == second && bytes == 5 && total == 5);
	cr_assert(store_next_loss(&store, &lane, &bytes, &total));
	cr_expect(lane == first && bytes == 30 && total == 30);
	lane_lose(second, 5);	/* later: it had its turn */
	cr_expect_not(store_next_loss(&store, &lane, &bytes, &total));
	lane_lose(first, 1);
	cr_assert(store_next_loss(&store, &lane, &bytes, &total));
	cr_expect(lane == second && bytes == 5 && total == 10);
	cr_assert(store_next_loss(&store, &lane, &bytes, &total));
	cr_expect(lane == first && bytes == 1 && total == 31);
	cr_expect_not(store_next_loss(&store, &lane, &bytes, &total));
}

Test(store, has_no_slot_for_what_is_larger)
{
	struct lane *lane = store_lane(&store);

	cr_assert(put(lane, 'a', 10));
	cr_expect_null(lane_reserve(lane, store.slots.room + 1));
	cr_assert(put(lane, 'b', 10));
	expect_lost(1, store.slots.room + 1);
	cr_assert(put(lane, 'c', store.slots.room));
	expect_told("ab c ");
}

/* What others take for not written, as the header and the slot say. */
static uint32_t consumed(const struct spill_slot *slot)
{
	return slot->flush <= store_header(&store)->committed ? slot->drained
							       : slot->consumed;
}

/* Until it is settled, another process takes what was told for not written. */
Test(store, says_what_is_in_a_chunk_when_it_is)
{
	struct lane *lane = store_lane(&store);
	const struct spill_slot *slot;

	put_half(lane, 'a');
	slot = lane->slot;
	cr_expect_eq(slot->lane, lane->number);
	cr_expect_eq(slot->sequence, 1);
	cr_expect_eq(slot->epoch, 1);
	cr_expect_eq(slot->committed, half);
	expect_told("a ");
	put_half(lane, 'b');
	cr_expect_eq(consumed(slot), 0);
	cr_expect_eq(slot->drained, half);
	store_settle(&store);
	cr_expect_eq(consumed(slot), half);
	put_half(lane, 'c');
	cr_expect_neq(lane->slot, slot);
	cr_expect_eq(((struct spill_slot *)lane->slot)->sequence, 2);
	expect_told("b c ");
	cr_expect_eq(consumed(slot), half);
	cr_expect_eq(slot->consumed, half);
	store_settle(&store);
	cr_expect_eq(consumed(slot), 2 * half);
}

Test(store, numbers_flushes)
{
	struct lane *lane = store_lane(&store);
	const struct spill_header *header = store_header(&store);
	const struct spill_slot *slot;

	put(lane, 'a', 10);
	slot = lane->slot;
	expect_told("a ");
	cr_expect_eq(slot->flush, 1);
	cr_expect_eq(header->flush, 0, "not announced");
	store_announce(&store, 5, 6, 7);
	cr_expect_eq(header->flush, 1);
	cr_expect_eq(header->flush_chunk, 5);
	cr_expect_eq(header->flush_size, 6);
	cr_expect_eq(header->flush_kept, 7);
	cr_expect_eq(header->committed, 0);
	store_commit(&store);
	cr_expect_eq(header->committed, 1);
	cr_expect_eq(store_next_flush(&store), 2);
	store_commit(&store);
	cr_expect_eq(header->committed, 2);
	cr_expect_eq(header->flush, 2);
	cr_expect_eq(header->flush_chunk, 0, "there was nothing in it");
	put(lane, 'b', 10);
	expect_told("b ");
	cr_expect_eq(slot->flush, 3);
}

/* Part of a slot was told, the rest not: the next time, it is another flush. */
Test(store, has_one_flush_for_what_is_told_together)
{
	struct lane *lane = store_lane(&store), *other = store_lane(&store);
	struct listener listener = { .left = 2 };
	const struct spill_slot *slot, *next;

	put(lane, 'a', 10);
	put(other, 'A', 10);
	slot = other->slot;
	next = lane->slot;
	cr_expect_not(store_drain(&store, listen, &listener));
	expect_marks(&listener, "A ");
	cr_expect_eq(slot->flush, 1);
	cr_expect_eq(next->flush, 0);
	put(other, 'B', 10);
	expect_told("B a ");
	cr_expect_eq(slot->flush, 2);
	cr_expect_eq(slot->consumed, 10);
	cr_expect_eq(slot->drained, 20);
	cr_expect_eq(next->flush, 2);
	cr_expect_eq(next->consumed, 0);
}

/* Another flush may be done after one that failed: that leaves what it had. */
Test(store, takes_a_flush_back)
{
	struct lane *lane = store_lane(&store);
	const struct spill_header *header = store_header(&store);
	const struct spill_slot *slot;

	put(lane, 'a', 10);
	slot = lane->slot;
	expect_told("a ");
	store_settle(&store);
	store_undo(&store);
	cr_expect_eq(slot->drained, 10, "it was done");
	put(lane, 'b', 10);
	expect_told("b ");
	store_announce(&store, 5, 6, 7);
	store_undo(&store);
	cr_expect_eq(header->flush_chunk, 0);
	cr_expect_eq(slot->drained, 10);
	store_next_flush(&store);
	store_announce(&store, 8, 9, 10);
	cr_expect_eq(header->flush_chunk, 8);
	store_commit(&store);
	cr_expect_eq(consumed(slot), 10);
	cr_expect_eq(slot->committed, 20);
}

Test(store, is_closed_to_those_who_write)
{
	struct lane *lane = store_lane(&store), *fresh;

	put(lane, 'a', 10);
	store_close_lanes(&store);
	cr_expect_null(lane_reserve(lane, 10));
	cr_expect_eq(lane->begun, 0);
	cr_expect_not(put(lane, 'b', 10));
	fresh = store_lane(&store);
	cr_expect_not(put(fresh, 'c', 10));
	expect_lost(0, 0);
	expect_told("a ");
	store_close_lanes(&store);
	cr_expect_not(put(lane, 'd', 10));
	expect_told("");
}

/* For about a second, and not for ever. */
Test(store, waits_for_events_that_are_open_when_it_is_closed)
{
	struct lane *lane = store_lane(&store);
	char *at = lane_reserve(lane, 10);
	struct timespec start, end;

	clock_gettime(CLOCK_MONOTONIC, &start);
	store_close_lanes(&store);
	clock_gettime(CLOCK_MONOTONIC, &end);
	cr_expect_geq(end.tv_sec * 1000 + end.tv_nsec / 1000000 -
		      start.tv_sec * 1000 - start.tv_nsec / 1000000, 999);
	memset(at, 'a', 1);
	lane_commit(lane, at + 1);
	cr_expect_null(lane_reserve(lane, 10));
	expect_told("a ");
}

Test(store, gives_a_lane_to_one_owner_after_the_other)
{
	struct lane *lane = store_lane(&store), *second = store_lane(&store), *again;

	put(lane, 'a', 10);
	lane_release(lane);
	again = store_lane(&store);
	cr_expect_eq(again, lane);
	put(again, 'b', 10);
	lane_release(second);
	lane_release(again);
	lane_release(NULL);
	cr_expect_eq(store_lane(&store), again);
	cr_expect_eq(store_lane(&store), second);
	cr_expect_neq(store_lane(&store), second);
	expect_told("ab ");
	put(again, 'c', 10);
	expect_told("c ");
}

/* Its number says what it is, to the flusher and in the file; others never get it. */
Test(store, has_lanes_for_what_is_raw)
{
	struct lane *raw = store_raw_lane(&store), *lane = store_lane(&store);
	const struct spill_slot *slot;
	const struct lane *who;
	uint64_t bytes, total;

	cr_assert_eq(raw->number & LANE_RAW, LANE_RAW);
	cr_expect_eq(lane->number & LANE_RAW, 0);
	cr_expect_neq(raw->number & ~LANE_RAW, lane->number);
	cr_expect_neq(store_raw_lane(&store)->number, raw->number);
	cr_assert(put(raw, 'a', 10));
	slot = raw->slot;
	cr_expect_eq(slot->lane, raw->number);
	expect_told("a ");
	lane_lose(raw, 10);
	cr_assert(store_next_loss(&store, &who, &bytes, &total));
	cr_expect(who == raw && bytes == 10 && total == 10);
	cr_expect_neq(store_lane(&store), raw);
}

/* Each of these would keep a slot for ever. */
Test(store, takes_slots_from_lanes_that_do_not_write)
{
	struct lane *lanes[40];
	struct lane *busy = store_lane(&store);

	for (int i = 0; i < 40; i++) {
		lanes[i] = store_lane(&store);
		cr_assert(put(lanes[i], 'a', 10));
		cr_assert(put(busy, 'b', 10));
		expect_told("a b ");
		store_settle(&store);
	}
	for (int i = 0; i < 40; i++) {
		cr_assert(put(lanes[i], 'c', 10));
		cr_assert(put(busy, 'b', 10));
		expect_told("c b ");
	}
	expect_lost(0, 0);
}

/* A slot in which an event is open stays, however long it takes. */
Test(store, leaves_the_slots_of_open_events)
{
	struct lane *lane = store_lane(&store), *other;
	char *at = lane_reserve(lane, 10);

	for (int i = 0; i < 20; i++) {
		other = store_lane(&store);
		cr_assert(put(other, 'b', 10));
		expect_told("b ");
	}
	memcpy(at, "a", 2);
	lane_commit(lane, at + 2);
	expect_told("a ");
}

/* The same without the system call: then it waits. */
Test(store, takes_slots_without_a_system_call_as_well)
{
	store.barrier = BARRIER_PAUSE;
	for (int i = 0; i < 20; i++) {
		cr_assert(put(store_lane(&store), 'a', 10));
		expect_told("a ");
	}
	store_flip(&store);
	cr_expect(store_is_past(&store, 1));
}

Test(store, knows_which_epochs_are_past)
{
	struct lane *lane = store_lane(&store);
	char *at = lane_reserve(lane, 10);

	cr_expect_not(store_is_past(&store, 1));
	cr_expect_eq(store_flip(&store), 2);
	cr_expect_not(store_is_past(&store, 1));
	lane_commit(lane, at);
	cr_expect(store_is_past(&store, 1));
	cr_expect_not(store_is_past(&store, 2));
	lane_reserve(lane, 10);
	cr_expect(store_is_past(&store, 1));
	cr_expect_eq(store_flip(&store), 3);
	cr_expect_not(store_is_past(&store, 2));
	lane_cancel(lane);
	cr_expect(store_is_past(&store, 2));
	lane_reserve(lane, 10);
	lane_release(lane);
	store_flip(&store);
	cr_expect(store_is_past(&store, 3));
}

/* As when a thread is held up there: the slot is full, and in no list yet, or is. */
static void be_parting(struct lane *lane, struct spill_slot *slot)
{
	atomic_store(&lane->slot, (struct spill_slot *)((char *)slot + 1));
}

Test(store, tells_a_slot_on_its_way_to_the_full_list)
{
	struct lane *lane = store_lane(&store);

	put_half(lane, 'a');
	put_half(lane, 'b');
	be_parting(lane, lane->slot);
	expect_told("ab ");
	expect_told("");
}

Test(store, frees_no_slot_that_a_lane_still_holds)
{
	struct lane *lane = store_lane(&store), *other = store_lane(&store);
	struct spill_slot *first, *second;

	put_half(lane, 'a');
	first = lane->slot;
	put_half(lane, 'b');
	put_half(lane, 'c');
	second = lane->slot;
	be_parting(lane, first);
	expect_told("ab ");
	store_settle(&store);
	for (int i = 0; i < 6; i++)
		cr_expect(put(other, 'A', store.slots.room));
	cr_expect_not(put(other, 'A', store.slots.room));
	atomic_store(&lane->slot, second);
	expect_told("A A A A A A c ");
	store_settle(&store);
	for (int i = 0; i < 7; i++)
		cr_expect(put(other, 'B', store.slots.room));
}

static void count(void *context)
{
	++*(int *)context;
}

Test(store, wakes_the_flusher_once_when_slots_run_low)
{
	struct lane *lane = store_lane(&store);
	int calls = 0;

	store_wake_by(&store, count, &calls);
	for (int i = 0; i < 13; i++)
		put_half(lane, 'a');
	cr_expect_eq(calls, 1, "%d", calls);
	for (int i = 0; i < 10; i++)
		put_half(lane, 'b');
	cr_expect_eq(calls, 1);
	expect_told("aa aa aa aa aa aa ab bb ");
	store_settle(&store);
	for (int i = 0; i < 16; i++)
		put_half(lane, 'c');
	cr_expect_eq(calls, 2);
}

Test(store, gives_nothing_without_memory)
{
	fault_at(1);
	cr_expect_null(store_lane(&store));
	fault_at(1);
	cr_expect_null(store_raw_lane(&store));
	fault_at(0);
	cr_expect_not_null(store_lane(&store));
}

/* --- sizes -------------------------------------------------------------------- */

static void expect_sizes(size_t buffer, size_t memory, size_t slot, size_t slots)
{
	struct store made;
	cr_assert(store_open(&made, NULL, buffer, memory, NULL));
	cr_expect_eq(made.slots.size, slot, "%zu in %zu: %zu", buffer, memory,
		     made.slots.size);
	cr_expect_eq(made.slots.limit, slots, "%zu in %zu: %u slots", buffer, memory,
		     made.slots.limit);
	cr_expect_leq(made.slots.file.mapped, memory > 36864 ? memory : 36864);
	cr_expect_eq(store_header(&made)->slot_size, slot);
	store_close(&made);
}

Test(store, has_buffers_that_fit_its_memory)
{
	expect_sizes(0, 0, SLOT, 8);
	expect_sizes(1, 1, SLOT, 8);
	expect_sizes(4096, 36864, SLOT, 8);
	expect_sizes(4097, 36864, SLOT, 8);
	expect_sizes(4097, 1 << 20, 2 * SLOT, 127);
	expect_sizes(8192, (1 << 20) + 4096, 2 * SLOT, 128);
	expect_sizes(1 << 20, 1 << 20, 31 * SLOT, 8);
	expect_sizes(SIZE_MAX, 1 << 20, 31 * SLOT, 8);
	expect_sizes((size_t)64 << 20, (size_t)1 << 30, (size_t)16 << 20, 63);
}

Test(store, takes_more_space_as_it_needs_it)
{
	struct lane *lane;
	uint64_t slots = 256;

	store_close(&store);
	cr_assert(store_open(&store, NULL, SLOT, 5 << 20, NULL));
	lane = store_lane(&store);
	for (int i = 0; i < 20; i++) {
		cr_expect_eq(store.slots.count, slots, "%d, not %d", (int)store.slots.count,
			     (int)slots);
		cr_expect_eq(store_header(&store)->slots, slots);
		while (put(lane, 'a', store.slots.room))
			continue;
		store_settle(&store);	/* twice as many, and nothing was told */
		slots = slots < 1024 ? 2 * slots : 1279;
	}
	cr_expect_eq(store.slots.count, 1279);
}

/* --- files -------------------------------------------------------------------- */

static char path[64];

static void choose_path(void)
{
	snprintf(path, sizeof(path), "/tmp/test_store.%d", (int)getpid());
	unlink(path);
	store_close(&store);
}

Test(store, is_a_file_where_one_is_asked_for)
{
	struct err err = { 0 };
	struct stat status;

	choose_path();
	cr_assert(store_open(&store, path, SLOT, 1 << 20, &err), "%s",
		  err.text);
	cr_expect(store_fd(&store) >= 0);
	cr_expect_eq(stat(path, &status), 0);
	cr_expect_eq(status.st_mode & 0777, 0600);
	cr_expect_eq((size_t)status.st_size, store.slots.file.mapped);
	cr_expect_eq(fcntl(store_fd(&store), F_GETFD), FD_CLOEXEC);
	store_close(&store);
	cr_expect_not(store_open(&store, path, SLOT, 1 << 20, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, path), "%s", err.text);
	store_close(&store);
	store_close(&store);
	cr_expect_neq(fcntl(STDIN_FILENO, F_GETFD), -1);
	unlink(path);
}

/* The system has no space: SIGXFSZ or SIGBUS would end us. */
Test(store, makes_do_with_memory_where_there_is_no_space)
{
	struct rlimit limit = { 30000, 30000 };
	struct lane *lane;

	choose_path();
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	cr_assert(store_open(&store, path, SLOT, 1 << 20, NULL));
	cr_expect_eq(store_fd(&store), -1);
	cr_expect_neq(access(path, F_OK), 0);
	lane = store_lane(&store);
	put_half(lane, 'a');
	expect_told("a ");
	store_close(&store);
	cr_assert(store_open(&store, NULL, SLOT, 1 << 20, NULL));
	cr_expect_eq(store_fd(&store), -1);
}

Test(store, says_that_it_has_no_memory_at_all)
{
	struct rlimit before, limit;
	bool is_open;
	struct err err = { 0 };

	store_close(&store);
	cr_assert_eq(getrlimit(RLIMIT_AS, &before), 0);
	limit = before;
	limit.rlim_cur = (rlim_t)1 << 36;
	cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
	is_open = store_open(&store, NULL, SLOT, (size_t)1 << 37, &err);
	cr_assert_eq(setrlimit(RLIMIT_AS, &before), 0);
	cr_expect_not(is_open);
	cr_expect_eq(err.kind, ERR_MEMORY);
}

/* Others close our descriptor, and theirs gets its number: no space is made in it. */
Test(store, does_not_grow_into_the_file_of_another)
{
	char other[] = "/tmp/test_store_other.XXXXXX";
	struct stat status;
	unsigned count;
	bool has_grown;
	int fd;

	store_close(&store);
	cr_assert(store_open(&store, NULL, SLOT, 8 << 20, NULL));
	count = slots_count(&store.slots);
	fd = store_fd(&store);
	close(fd);
	cr_assert_eq(mkstemp(other), fd);
	has_grown = slots_grow(&store.slots);
	cr_expect_eq(slots_count(&store.slots) > count, has_grown);
	put_half(store_lane(&store), 'a');
	expect_told("a ");
	cr_expect_eq(fstat(fd, &status), 0);
	cr_expect_eq(status.st_size, 0);
	store_close(&store);
	cr_expect_neq(fcntl(fd, F_GETFD), -1);
	close(fd);
	unlink(other);
}

/* The descriptor is in other hands: they cannot take away what is mapped. */
Test(store, stays_as_long_as_it_is)
{
	cr_expect_neq(ftruncate(store_fd(&store), 0), 0);
	cr_expect_neq(ftruncate(store_fd(&store), 1 << 30), 0);
}

static void write_and_die(void)
{
	struct lane *lane = store_lane(&store);

	put_half(lane, 'a');
	put_half(lane, 'b');
	put_half(lane, 'c');
	lane_reserve(lane, 10);
	kill(getpid(), SIGKILL);
}

/* All that was committed when the process was killed is in the file. */
Test(store, outlives_its_writer)
{
	struct spill_header header;
	const struct spill_slot *slot;
	char marks[16] = { 0 };
	struct err err = { 0 };
	pid_t child = fork();

	if (child == 0)
		write_and_die();
	cr_assert_eq(waitpid(child, NULL, 0), child);
	cr_assert(spill_look(store_fd(&store), &header, &err), "%s", err.text);
	cr_expect_eq(header.pid, (uint64_t)getpid());
	cr_expect_eq(header.state, SPILL_STARTING);
	cr_expect_eq(header.slots, 8);
	for (size_t i = 0; i < header.slots; i++) {
		slot = (void *)((char *)store_header(&store) + SPILL_HEADER_SIZE +
				i * header.slot_size);
		cr_assert_eq(slot->flush, 0);
		for (size_t at = slot->consumed; at < slot->committed; at += half)
			marks[2 * slot->sequence + at / half] = slot->bytes[at];
	}
	cr_expect_str_eq(marks + 2, "abc");
}
