#include "probe/counters.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LINE ((size_t)128)	/* what processors fetch together */
#define ROOM_MIN 64		/* counters of the smallest row */
#define CLASSES 32		/* of rows, by the logarithm of their room */
#define TABLE_MIN 6		/* logarithm of the entries of the first table */
#define TABLE_MAX 22
#define SPARE 4			/* entries for each thread: most are found at once */
#define TRIES 8

/* Rooms are powers of two. Rows are never freed, but may change their owner. */
struct row {
	struct row *next;		/* of all rows; never changes */
	struct row *left;		/* of those that nobody owns */
	struct counter *of;
	uint32_t room;
	bool is_ignored;
};

/* As CjfrRuntime reads it, but for the last word, which is ours. */
struct entry {
	uint64_t thread;		/* 0: free. 1 to COUNTERS_SHARED: a shared row */
	uint64_t begin, end;
	struct row *row;
};

_Static_assert(sizeof(struct entry) == 32, "CjfrRuntime knows it so");

/*
 * There are COUNTERS_PROBES - 1 entries behind the last, for those that begin there.
 * Entry 0 is nobody's: it is where code finds itself that looks for thread 0.
 */
struct table {
	struct table *next;		/* older ones, which somebody may still read */
	struct entry *entries;
	unsigned log2;
};

struct counters {
	_Alignas(LINE) _Atomic uint64_t root;
	_Alignas(LINE) pthread_mutex_t lock;
	_Atomic(struct row *) rows;	/* all, newest first; read without the lock */
	struct table *table;
	struct row *shared[COUNTERS_SHARED];
	struct row *left[2][CLASSES];	/* of rows that count, and of those that do not */
	uint32_t room;			/* the most that was asked for */
	size_t threads;			/* in the table, but for the shared rows */
};

/* Rows ------------------------------------------------------------------------- */

static unsigned class_of(uint32_t room)
{
	return 31 - (unsigned)__builtin_clz(room);
}

/* Room for `id`, and for whatever others have needed so far. 0: there are not so many. */
static uint32_t room_for(struct counters *counters, uint32_t id)
{
	if (id >= UINT32_MAX / 2)
		return 0;
	while (counters->room <= id)
		counters->room *= 2;
	return counters->room;
}

static void *aligned(void *memory)
{
	return (void *)(((uintptr_t)memory + LINE - 1) & ~(uintptr_t)(LINE - 1));
}

/* Large ones take memory only where they are counted in: calloc does not touch it. */
static struct row *new_row(struct counters *counters, uint32_t room, bool is_ignored)
{
	struct row *row = calloc(1, sizeof(*row) + LINE + room * sizeof(struct counter));

	if (!row)
		return NULL;
	row->of = aligned(row + 1);
	row->room = room;
	row->is_ignored = is_ignored;
	row->next = atomic_load_explicit(&counters->rows, memory_order_relaxed);
	atomic_store_explicit(&counters->rows, row, memory_order_release);
	return row;
}

/* One that was left, or a new one. */
static struct row *take_row(struct counters *counters, uint32_t id, bool is_ignored)
{
	uint32_t room = room_for(counters, id);

	if (!room)
		return NULL;
	for (unsigned class_ = class_of(room); class_ < CLASSES; class_++) {
		struct row **first = &counters->left[is_ignored][class_];
		struct row *row = *first;

		if (row) {
			*first = row->left;
			return row;
		}
	}
	return new_row(counters, room, is_ignored);
}

static void leave_row(struct counters *counters, struct row *row)
{
	struct row **first = &counters->left[row->is_ignored][class_of(row->room)];

	row->left = *first;
	*first = row;
}

/* Tables ----------------------------------------------------------------------- */

static size_t entry_count(unsigned log2)
{
	return ((size_t)1 << log2) + COUNTERS_PROBES - 1;
}

/* The entry of a thread, or with thread 0 a free one, where `key` has to be. */
static struct entry *find(const struct table *table, uint64_t key, uint64_t thread)
{
	struct entry *entry = &table->entries[key * COUNTERS_GOLDEN >>
					      (64 - table->log2)];

	for (int i = 0; i < COUNTERS_PROBES; i++, entry++) {
		if (entry != table->entries && entry->thread == thread)
			return entry;
	}
	return NULL;
}

/* Only its own thread reads what is in an entry, or else it is in no table yet. */
static void fill(struct entry *entry, uint64_t thread, struct row *row)
{
	uint64_t begin = (uintptr_t)row->of;

	__atomic_store_n(&entry->begin, begin, __ATOMIC_RELAXED);
	__atomic_store_n(&entry->end, begin + row->room * sizeof(struct counter),
			 __ATOMIC_RELAXED);
	entry->row = row;
	__atomic_store_n(&entry->thread, thread, __ATOMIC_RELEASE);
}

static bool put(struct table *table, uint64_t thread, struct row *row)
{
	struct entry *entry = find(table, thread, 0);

	if (entry)
		fill(entry, thread, row);
	return entry != NULL;
}

static struct table *new_table(unsigned log2)
{
	struct table *table = calloc(1, sizeof(*table) + LINE +
					entry_count(log2) * sizeof(struct entry));

	if (!table)
		return NULL;
	table->entries = aligned(table + 1);
	table->log2 = log2;
	return table;
}

/* The threads of another table, and the shared rows as they are now. */
static bool refill(struct table *table, const struct counters *counters)
{
	for (uint64_t i = 0; i < COUNTERS_SHARED; i++) {
		if (counters->shared[i] && !put(table, i + 1, counters->shared[i]))
			return false;
	}
	for (size_t i = 1; i < entry_count(counters->table->log2); i++) {
		const struct entry *entry = &counters->table->entries[i];

		if (entry->thread > COUNTERS_SHARED &&
		    !put(table, entry->thread, entry->row))
			return false;
	}
	return true;
}

static void use_table(struct counters *counters, struct table *table)
{
	table->next = counters->table;
	counters->table = table;
	atomic_store_explicit(&counters->root,
			      (uint64_t)(uintptr_t)table->entries | table->log2,
			      memory_order_release);
}

/* Another table, at least so large, in which all have a place. */
static bool replace_table(struct counters *counters, unsigned log2)
{
	for (; log2 <= TABLE_MAX; log2++) {
		struct table *table = new_table(log2);

		if (!table)
			return false;
		if (refill(table, counters)) {
			use_table(counters, table);
			return true;
		}
		free(table);
	}
	return false;
}

/* A place for a new thread; NULL without memory. */
static struct entry *make_place(struct counters *counters, uint64_t thread)
{
	struct entry *entry;

	if ((counters->threads + 1) * SPARE > (size_t)1 << counters->table->log2)
		replace_table(counters, counters->table->log2 + 1);
	while (!(entry = find(counters->table, thread, 0))) {
		if (!replace_table(counters, counters->table->log2 + 1))
			return NULL;
	}
	return entry;
}

/* All of it -------------------------------------------------------------------- */

struct counters *counters_new(void)
{
	struct counters *counters = aligned_alloc(LINE, sizeof(*counters));
	struct table *table = new_table(TABLE_MIN);

	if (!counters || !table) {
		free(counters);
		free(table);
		return NULL;
	}
	memset(counters, 0, sizeof(*counters));
	pthread_mutex_init(&counters->lock, NULL);
	counters->room = ROOM_MIN;
	use_table(counters, table);
	return counters;
}

const volatile uint64_t *counters_root(const struct counters *counters)
{
	return (const volatile uint64_t *)&counters->root;
}

/* What was counted in a row that has become too small stays there. */
static struct row *row_of(struct counters *counters, uint64_t thread, uint32_t id,
			  bool is_ignored)
{
	struct entry *entry = find(counters->table, thread, thread);
	struct row *row;

	if (entry && id < entry->row->room)
		return entry->row;
	if (!entry && !(entry = make_place(counters, thread)))
		return NULL;
	row = take_row(counters, id, entry->thread ? entry->row->is_ignored : is_ignored);
	if (!row)
		return NULL;
	if (entry->thread)
		leave_row(counters, entry->row);
	else
		counters->threads++;
	fill(entry, thread, row);
	return row;
}

struct counter *counters_row(struct counters *counters, uint64_t thread, uint32_t id,
			     bool is_ignored)
{
	struct row *row;

	pthread_mutex_lock(&counters->lock);
	row = row_of(counters, thread, id, is_ignored);
	pthread_mutex_unlock(&counters->lock);
	return row ? row->of : NULL;
}

/*
 * Entries of shared rows do not change, as others read them meanwhile: when these rows
 * grow there is another table. Those who still have the old one count in old rows.
 */
static bool grow_shared(struct counters *counters, uint32_t id)
{
	struct row *before[COUNTERS_SHARED];
	uint32_t room = room_for(counters, id);

	memcpy(before, counters->shared, sizeof(before));
	for (size_t i = 0; room && i < COUNTERS_SHARED; i++) {
		struct row *row = new_row(counters, room, false);

		if (!row)
			room = 0;
		counters->shared[i] = row;
	}
	if (room && replace_table(counters, counters->table->log2))
		return true;
	memcpy(counters->shared, before, sizeof(before));
	return false;
}

struct counter *counters_shared_row(struct counters *counters, unsigned which,
				    uint32_t id)
{
	struct counter *counter = NULL;

	pthread_mutex_lock(&counters->lock);
	which %= COUNTERS_SHARED;
	if ((counters->shared[which] && id < counters->shared[which]->room) ||
	    grow_shared(counters, id))
		counter = counters->shared[which]->of;
	pthread_mutex_unlock(&counters->lock);
	return counter;
}

static void leave(struct counters *counters, struct entry *entry)
{
	leave_row(counters, entry->row);
	__atomic_store_n(&entry->thread, 0, __ATOMIC_RELAXED);
	counters->threads--;
}

void counters_leave(struct counters *counters, uint64_t thread)
{
	struct entry *entry;

	pthread_mutex_lock(&counters->lock);
	entry = thread > COUNTERS_SHARED ? find(counters->table, thread, thread) : NULL;
	if (entry)
		leave(counters, entry);
	pthread_mutex_unlock(&counters->lock);
}

void counters_leave_others(struct counters *counters, const struct map *alive)
{
	pthread_mutex_lock(&counters->lock);
	for (size_t i = 1; i < entry_count(counters->table->log2); i++) {
		struct entry *entry = &counters->table->entries[i];

		if (entry->thread > COUNTERS_SHARED &&
		    map_find(alive, entry->thread) == MAP_NONE)
			leave(counters, entry);
	}
	pthread_mutex_unlock(&counters->lock);
}

/* Counting --------------------------------------------------------------------- */

/* As CjfrRuntime.add does it: others read meanwhile. Times of 0 are no minimum. */
void counter_count(struct counter *counter, int64_t duration)
{
	int64_t min = counter->min_plus_one - 1;

	if (duration > counter->max)
		__atomic_store_n(&counter->max, duration, __ATOMIC_RELAXED);
	if (duration > 0 && (min < 0 || duration < min))
		__atomic_store_n(&counter->min_plus_one, duration + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&counter->total, counter->total + duration, __ATOMIC_RELEASE);
	__atomic_store_n(&counter->count, counter->count + 1, __ATOMIC_RELEASE);
}

void counter_count_shared(struct counter *counter, int64_t duration)
{
	int64_t max = __atomic_load_n(&counter->max, __ATOMIC_RELAXED);
	int64_t min = __atomic_load_n(&counter->min_plus_one, __ATOMIC_RELAXED);

	while (duration > max &&
	       !__atomic_compare_exchange_n(&counter->max, &max, duration, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		continue;
	while (duration > 0 && (!min || duration < min - 1) &&
	       !__atomic_compare_exchange_n(&counter->min_plus_one, &min, duration + 1,
					    false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		continue;
	__atomic_fetch_add(&counter->total, duration, __ATOMIC_RELEASE);
	__atomic_fetch_add(&counter->count, 1, __ATOMIC_RELEASE);
}

/* Sums ------------------------------------------------------------------------- */

void counter_add(struct counter *a, const struct counter *b)
{
	a->count += b->count;
	a->total += b->total;
	if (b->min_plus_one && (!a->min_plus_one || b->min_plus_one < a->min_plus_one))
		a->min_plus_one = b->min_plus_one;
	if (b->max > a->max)
		a->max = b->max;
}

/*
 * Whoever counts writes the longest and shortest time first, then the sum, then how often.
 * So what we have of the sum may belong to calls that we have not counted, but no less
 * than to those that we have.
 */
static struct counter read_counter(const struct counter *from)
{
	struct counter counter = { 0 };

	for (int i = 0; i < TRIES; i++) {
		counter.count = __atomic_load_n(&from->count, __ATOMIC_ACQUIRE);
		counter.total = __atomic_load_n(&from->total, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(&from->count, __ATOMIC_ACQUIRE) == counter.count)
			break;
	}
	if (!counter.count)
		return (struct counter){ 0 };
	counter.min_plus_one = __atomic_load_n(&from->min_plus_one, __ATOMIC_RELAXED);
	counter.max = __atomic_load_n(&from->max, __ATOMIC_RELAXED);
	return counter;
}

/* What makes calls longer than the longest is of calls that are not counted yet. */
void counter_since(struct counter *sum, const struct counter *before)
{
	int64_t most;

	sum->count -= before->count;
	sum->total -= before->total;
	if (!sum->count) {
		*sum = (struct counter){ 0 };
		return;
	}
	if (!__builtin_mul_overflow(sum->max, sum->count, &most) && sum->total > most)
		sum->total = most;
}

void counters_sum(struct counters *counters, uint32_t first, uint32_t count,
		  struct counter *sums)
{
	struct row *row = atomic_load_explicit(&counters->rows, memory_order_acquire);

	memset(sums, 0, count * sizeof(*sums));
	for (; row; row = row->next) {
		if (row->is_ignored)
			continue;
		for (uint32_t i = 0; i < count && (uint64_t)first + i < row->room; i++) {
			struct counter counter = read_counter(&row->of[first + i]);

			counter_add(&sums[i], &counter);
		}
	}
}

/* Rows take no memory where nothing was counted: what is 0 is only read. */
static void zero(int64_t *at)
{
	if (__atomic_load_n(at, __ATOMIC_RELAXED))
		__atomic_store_n(at, 0, __ATOMIC_RELAXED);
}

void counters_anew(struct counters *counters, uint32_t id)
{
	struct row *row = atomic_load_explicit(&counters->rows, memory_order_acquire);

	for (; row; row = row->next) {
		if (id >= row->room)
			continue;
		zero(&row->of[id].min_plus_one);
		zero(&row->of[id].max);
	}
}

void counters_zero(struct counters *counters, uint32_t id)
{
	struct row *row = atomic_load_explicit(&counters->rows, memory_order_acquire);

	counters_anew(counters, id);
	for (; row; row = row->next) {
		if (id >= row->room)
			continue;
		zero((int64_t *)&row->of[id].count);
		zero(&row->of[id].total);
	}
}

void counters_free(struct counters *counters)
{
	struct row *row, *next_row;
	struct table *table, *next_table;

	if (!counters)
		return;
	for (row = atomic_load(&counters->rows); row; row = next_row) {
		next_row = row->next;
		free(row);
	}
	for (table = counters->table; table; table = next_table) {
		next_table = table->next;
		free(table);
	}
	pthread_mutex_destroy(&counters->lock);
	free(counters);
}
