#include "hotspot/gcmarks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/now.h"

#define GENERATIONS 4
#define SPACES (GCMARKS_SPACES / GENERATIONS)

/* Memory is committed in pages; what a counter has beyond them is none. */
#define PAGE UINT64_C(4096)

static const char no_cause[] = "No GC";

static const int64_t *counter(const struct perfdata *perf, const char *format, int i,
			      int j)
{
	char name[80];

	snprintf(name, sizeof(name), format, i, j);
	return perfdata_counter(perf, name);
}

void gcmarks_find(struct gcmarks *marks, const struct hotspot *hotspot,
		  const struct gcid *id)
{
	const struct perfdata *perf = &hotspot->perf;
	size_t used = 0, committed = 0;

	marks->is_before_known =
		hotspot->collector->counts_before ||
		collector_eden(&hotspot->structs, &hotspot->flags, &marks->eden);
	marks->filled = collector_filled(&hotspot->structs, &hotspot->flags);
	marks->total = collector_total(&hotspot->structs);
	marks->id = id;
	marks->full_entry = counter(perf, "sun.gc.collector.%d.lastEntryTime",
				    COLLECTOR_FULL, 0);
	marks->full_exit =
		counter(perf, "sun.gc.collector.%d.lastExitTime", COLLECTOR_FULL, 0);
	marks->cause = perfdata_text(perf, "sun.gc.cause");
	marks->last_cause = perfdata_text(perf, "sun.gc.lastCause");
	marks->tenuring = perfdata_counter(perf, "sun.gc.policy.tenuringThreshold");
	for (int i = 0; i < COLLECTOR_COUNTERS; i++)
		marks->calls[i] =
			counter(perf, "sun.gc.collector.%d.invocations", i, 0);
	for (int i = 0; i < GENERATIONS; i++) {
		marks->committed[committed] =
			counter(perf, "sun.gc.generation.%d.capacity", i, 0);
		committed += marks->committed[committed] != NULL;
		for (int j = 0; j < SPACES; j++) {
			marks->used[used] = counter(
				perf, "sun.gc.generation.%d.space.%d.used", i, j);
			used += marks->used[used] != NULL;
		}
	}
}

void gcmarks_forget(struct gcmarks *marks)
{
	marks->is_open = false;
	atomic_store(&marks->tail, atomic_load(&marks->head));
	atomic_store(&marks->lost, 0);
}

static uint32_t total_now(const struct gcmarks *marks)
{
	return marks->total ? *(const volatile uint32_t *)marks->total : 0;
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
	return (struct gcheap){ sum(marks->used), sum(marks->committed) / PAGE * PAGE };
}

/* The first space of the first generation is eden. */
static struct gcheap heap_before(const struct gcmarks *marks)
{
	struct gcheap heap = heap_now(marks);
	const struct gceden *eden = &marks->eden;
	uint64_t filled;

	if (eden->top && marks->used[0]) {
		heap.used -= (uint64_t)perfdata_read(marks->used[0]);
		heap.used += *(const volatile uint64_t *)eden->top -
			     *(const volatile uint64_t *)eden->bottom;
	}
	filled = marks->filled ? *(const volatile uint64_t *)marks->filled : 0;
	if (heap.used < filled && filled <= heap.committed)
		heap.used = filled;
	return heap;
}

void gcmarks_start(struct gcmarks *marks)
{
	struct gcmark *mark = &marks->open;

	mark->start = now_ticks();
	mark->tid = gettid();
	mark->id = marks->id ? gcid_here(marks->id) : -1;
	mark->before = marks->is_before_known ? heap_before(marks)
					      : (struct gcheap){ 0, 0 };
	marks->total_before = total_now(marks);
	mark->is_counted = marks->calls[COLLECTOR_YOUNG] || marks->calls[COLLECTOR_FULL];
	for (int i = 0; i < COLLECTOR_COUNTERS; i++)
		mark->calls[i] = perfdata_read(marks->calls[i]);
	perfdata_copy(marks->cause, mark->cause, sizeof(mark->cause));
	marks->is_open = true;
}

/* It may have been set only after the start, or be reset already. */
static void find_cause(const struct gcmarks *marks, struct gcmark *mark)
{
	mark->is_past = false;
	if (*mark->cause && strcmp(mark->cause, no_cause) != 0)
		return;
	perfdata_copy(marks->cause, mark->cause, sizeof(mark->cause));
	mark->is_past = !*mark->cause || strcmp(mark->cause, no_cause) == 0;
	if (mark->is_past)
		perfdata_copy(marks->last_cause, mark->cause, sizeof(mark->cause));
}

/* The JVM's clock begins when the JVM does, but nanoseconds are ours. */
static int64_t full_time(const struct gcmarks *marks)
{
	return perfdata_read(marks->full_exit) - perfdata_read(marks->full_entry);
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
	mark->begins = total_now(marks) != marks->total_before;
	mark->full = full_time(marks);
	if (mark->id < 0 && marks->id)
		mark->id = gcid_here(marks->id);
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
	atomic_store_explicit(&marks->tail, tail + 1, memory_order_release);
	return true;
}

/* Either may leave some out. */
unsigned gcmarks_past(const struct gcmarks *marks)
{
	uint32_t total = total_now(marks);
	uint32_t calls = (uint32_t)(perfdata_read(marks->calls[COLLECTOR_YOUNG]) +
				    perfdata_read(marks->calls[COLLECTOR_FULL]));

	return total > calls ? total : calls;
}

bool gcmarks_are_busy(const struct gcmarks *marks)
{
	return marks->cause.bytes && !gcmarks_are_idle(marks);
}

bool gcmarks_are_idle(const struct gcmarks *marks)
{
	char cause[GCMARKS_TEXT] = "";

	perfdata_copy(marks->cause, cause, sizeof(cause));
	return strcmp(cause, no_cause) == 0;
}

/* The second of them ends with the pause; of what was between them nothing is known. */
int gcmark_parts(const struct gcmark *mark, struct gcmark parts[2])
{
	const struct gcheap unknown = { 0, 0 };
	bool has_both = mark->is_counted && mark->calls[COLLECTOR_YOUNG] > 0 &&
			mark->calls[COLLECTOR_FULL] > 0 && mark->id < 0;

	parts[0] = parts[1] = *mark;
	if (!has_both || mark->full <= 0 || mark->full > mark->end - mark->start)
		return 1;
	parts[0].calls[COLLECTOR_FULL] = 0;
	parts[0].end = parts[1].start = mark->end - mark->full;
	parts[0].after = parts[1].before = unknown;
	parts[1].calls[COLLECTOR_YOUNG] = 0;
	return 2;
}
