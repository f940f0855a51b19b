#include "hotspot/gcmarks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/now.h"

#define GENERATIONS 4
#define SPACES (GCMARKS_SPACES / GENERATIONS)

static const int64_t *counter(const struct perfdata *perf, const char *format, int i,
			      int j)
{
	char name[80];

	snprintf(name, sizeof(name), format, i, j);
	return perfdata_counter(perf, name);
}

void gcmarks_find(struct gcmarks *marks, const struct hotspot *hotspot)
{
	const struct perfdata *perf = &hotspot->perf;
	size_t used = 0, committed = 0;

	marks->is_before_known =
		hotspot->collector->counts_before ||
		collector_eden(&hotspot->structs, &hotspot->flags, &marks->eden);
	marks->cause = perfdata_text(perf, "sun.gc.cause");
	marks->last_cause = perfdata_text(perf, "sun.gc.lastCause");
	marks->tenuring = perfdata_counter(perf, "sun.gc.policy.tenuringThreshold");
	for (int i = 0; i < COLLECTOR_COUNTERS; i++)
		marks->calls[i] = counter(perf, "sun.gc.collector.%d.invocations", i, 0);
	for (int i = 0; i < GENERATIONS; i++) {
		marks->committed[committed] =
			counter(perf, "sun.gc.generation.%d.capacity", i, 0);
		committed += marks->committed[committed] != NULL;
		for (int j = 0; j < SPACES; j++) {
			marks->used[used] =
				counter(perf, "sun.gc.generation.%d.space.%d.used", i, j);
			used += marks->used[used] != NULL;
		}
	}
}

static uint64_t sum(const int64_t *const *counters)
{
	uint64_t total = 0;

	for (size_t i = 0; i < GCMARKS_SPACES && counters[i]; i++)
		total += (uint64_t)perfdata_read(counters[i]);
	return total;
}

static struct gcheap heap_now(const struct gcmarks *marks)
{
	return (struct gcheap){ sum(marks->used), sum(marks->committed) };
}

/* The first space of the first generation is eden. */
static struct gcheap heap_before(const struct gcmarks *marks)
{
	struct gcheap heap = heap_now(marks);
	const struct gceden *eden = &marks->eden;

	if (eden->top && marks->used[0]) {
		heap.used -= (uint64_t)perfdata_read(marks->used[0]);
		heap.used += *(const volatile uint64_t *)eden->top -
			     *(const volatile uint64_t *)eden->bottom;
	}
	return heap;
}

void gcmarks_start(struct gcmarks *marks)
{
	struct gcmark *mark = &marks->open;

	mark->start = now_ticks();
	mark->tid = gettid();
	mark->before = marks->is_before_known ? heap_before(marks) : (struct gcheap){ 0, 0 };
	for (int i = 0; i < COLLECTOR_COUNTERS; i++)
		mark->calls[i] = perfdata_read(marks->calls[i]);
	perfdata_copy(marks->cause, mark->cause, sizeof(mark->cause));
	marks->is_open = true;
}

/* It may have been set only after the start, or be reset already. */
static void find_cause(const struct gcmarks *marks, struct gcmark *mark)
{
	static const char none[] = "No GC";

	if (*mark->cause && strcmp(mark->cause, none) != 0)
		return;
	perfdata_copy(marks->cause, mark->cause, sizeof(mark->cause));
	if (!*mark->cause || strcmp(mark->cause, none) == 0)
		perfdata_copy(marks->last_cause, mark->cause, sizeof(mark->cause));
}

bool gcmarks_finish(struct gcmarks *marks)
{
	unsigned head = atomic_load_explicit(&marks->head, memory_order_relaxed);
	unsigned held = head - atomic_load_explicit(&marks->tail, memory_order_acquire);
	struct gcmark *mark = &marks->open;

	if (!marks->is_open)
		return false;
	marks->is_open = false;
	if (held >= GCMARKS_ROOM) {
		atomic_fetch_add_explicit(&marks->lost, 1, memory_order_relaxed);
		return true;
	}
	for (int i = 0; i < COLLECTOR_COUNTERS; i++)
		mark->calls[i] = perfdata_read(marks->calls[i]) - mark->calls[i];
	find_cause(marks, mark);
	mark->tenuring = perfdata_read_or(marks->tenuring, -1);
	mark->after = heap_now(marks);
	mark->end = now_ticks();
	marks->ring[head % GCMARKS_ROOM] = *mark;
	atomic_store_explicit(&marks->head, head + 1, memory_order_release);
	return held + 1 == GCMARKS_ROOM / 2;
}

bool gcmarks_take(struct gcmarks *marks, struct gcmark *mark)
{
	unsigned tail = atomic_load_explicit(&marks->tail, memory_order_relaxed);

	if (atomic_load_explicit(&marks->head, memory_order_acquire) == tail)
		return false;
	*mark = marks->ring[tail % GCMARKS_ROOM];
	mark->number = tail;
	atomic_store_explicit(&marks->tail, tail + 1, memory_order_release);
	return true;
}
