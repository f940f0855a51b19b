#include <criterion/criterion.h>
#include <string.h>

#include "hotspot/gcmarks.h"
#include "counters.h"

/* A JVM with one generation of two spaces, in the middle of its life. */
struct jvm {
	struct counters counters;
	char *cause, *last_cause, *young, *full, *capacity, *eden, *survivor;
	struct gcmarks marks;
};

static void start(struct jvm *jvm, bool counts_before)
{
	struct collector collector = { .counts_before = counts_before };
	struct hotspot hotspot = { .collector = &collector };
	struct counters *counters = &jvm->counters;

	memset(&jvm->marks, 0, sizeof(jvm->marks));
	counters_begin(counters);
	jvm->cause = counters_add(counters, "sun.gc.cause", 'B', 32, 32);
	jvm->last_cause = counters_add(counters, "sun.gc.lastCause", 'B', 32, 32);
	jvm->young = counters_add(counters, "sun.gc.collector.0.invocations", 'J', 0,
				  8);
	jvm->full = counters_add(counters, "sun.gc.collector.1.invocations", 'J', 0, 8);
	jvm->capacity = counters_add(counters, "sun.gc.generation.0.capacity", 'J', 0,
				     8);
	jvm->eden = counters_add(counters, "sun.gc.generation.0.space.0.used", 'J', 0,
				 8);
	jvm->survivor =
		counters_add(counters, "sun.gc.generation.0.space.1.used", 'J', 0, 8);
	strcpy(jvm->cause, "No GC");
	strcpy(jvm->last_cause, "No GC");
	counters_set(jvm->young, 7);
	counters_set(jvm->full, 2);
	counters_set(jvm->capacity, 8192 + 32);
	counters_set(jvm->eden, 500);
	counters_set(jvm->survivor, 40);
	cr_assert(perfdata_in(&hotspot.perf, counters->bytes, sizeof(counters->bytes)));
	gcmarks_find(&jvm->marks, &hotspot, NULL);
}

Test(gcmarks, tells_what_changed_in_a_pause)
{
	static struct jvm jvm;
	struct gcmark mark;

	start(&jvm, true);
	cr_expect_not(gcmarks_take(&jvm.marks, &mark));
	gcmarks_start(&jvm.marks);
	strcpy(jvm.cause, "Allocation Failure");
	counters_set(jvm.young, 8);
	counters_set(jvm.eden, 0);
	counters_set(jvm.survivor, 60);
	cr_expect_not(gcmarks_finish(&jvm.marks), "one is no reason to hurry");
	cr_assert(gcmarks_take(&jvm.marks, &mark));
	cr_expect_eq(mark.calls[0], 1);
	cr_expect_eq(mark.calls[1], 0);
	cr_expect_eq(mark.before.used, 540);
	cr_expect_eq(mark.after.used, 60);
	cr_expect_eq(mark.after.committed, 8192);
	cr_expect_eq(mark.tenuring, -1);
	cr_expect_geq(mark.end, mark.start);
	cr_expect_gt(mark.tid, 0);
	cr_expect_str_eq(mark.cause, "Allocation Failure");
	cr_expect_not(gcmarks_take(&jvm.marks, &mark));
}

Test(gcmarks, finds_the_cause_before_and_behind_the_pause)
{
	static struct jvm jvm;
	struct gcmark mark;

	start(&jvm, true);
	strcpy(jvm.cause, "System.gc()");
	gcmarks_start(&jvm.marks);
	strcpy(jvm.cause, "No GC");
	strcpy(jvm.last_cause, "System.gc()");
	gcmarks_finish(&jvm.marks);
	gcmarks_start(&jvm.marks);
	strcpy(jvm.last_cause, "Heap Dump Initiated GC");
	gcmarks_finish(&jvm.marks);
	cr_assert(gcmarks_take(&jvm.marks, &mark));
	cr_expect_str_eq(mark.cause, "System.gc()");
	cr_assert(gcmarks_take(&jvm.marks, &mark));
	cr_expect_str_eq(mark.cause, "Heap Dump Initiated GC");
}

Test(gcmarks, asks_the_jvm_itself_for_eden)
{
	static struct jvm jvm;
	uint64_t top = 4096 + 900, bottom = 4096;
	struct gcmark mark;

	start(&jvm, false);
	gcmarks_start(&jvm.marks);
	gcmarks_finish(&jvm.marks);
	cr_assert(gcmarks_take(&jvm.marks, &mark));
	cr_expect_eq(mark.before.committed, 0, "what the counters say may be old");
	jvm.marks.eden = (struct gceden){ &top, &bottom };
	jvm.marks.is_before_known = true;
	gcmarks_start(&jvm.marks);
	gcmarks_finish(&jvm.marks);
	cr_assert(gcmarks_take(&jvm.marks, &mark));
	cr_expect_eq(mark.before.used, 940);
	cr_expect_eq(mark.before.committed, 8192);
}

Test(gcmarks, counts_what_finds_no_room)
{
	static struct jvm jvm;
	struct gcmark mark;
	unsigned taken = 0;
	int hurries = 0;

	start(&jvm, true);
	for (int i = 0; i < GCMARKS_ROOM + 3; i++) {
		gcmarks_start(&jvm.marks);
		counters_set(jvm.young, 8 + i);
		hurries += gcmarks_finish(&jvm.marks);
		counters_set(jvm.survivor, i + 1);
	}
	cr_expect_eq(jvm.marks.lost, 3);
	cr_expect_eq(hurries, 1 + 3, "half full, and each time that it is full");
	while (gcmarks_take(&jvm.marks, &mark)) {
		cr_expect_eq(mark.before.used, taken ? 500 + taken : 540);
		cr_expect_eq(mark.id, -1);
		taken++;
	}
	cr_expect_eq(taken, GCMARKS_ROOM);
}

Test(gcmarks, knows_no_end_without_a_start)
{
	static struct jvm jvm;
	struct gcmark mark;

	start(&jvm, true);
	cr_expect_not(gcmarks_finish(&jvm.marks));
	cr_expect_not(gcmarks_take(&jvm.marks, &mark));
}

Test(gcmarks, does_without_counters)
{
	static struct gcmarks marks;
	struct collector collector = { .counts_before = true };
	struct hotspot hotspot = { .collector = &collector };
	struct gcmark mark;

	gcmarks_find(&marks, &hotspot, NULL);
	gcmarks_start(&marks);
	gcmarks_finish(&marks);
	cr_assert(gcmarks_take(&marks, &mark));
	cr_expect_eq(mark.calls[0], 0);
	cr_expect_eq(mark.after.committed, 0);
	cr_expect_str_empty(mark.cause);
}

Test(gcmarks, knows_more_than_was_counted)
{
	static struct jvm jvm;
	uint64_t filled = 700;
	struct gcmark mark;

	start(&jvm, true);
	jvm.marks.filled = &filled;
	gcmarks_start(&jvm.marks);
	filled = 100;
	gcmarks_finish(&jvm.marks);
	gcmarks_start(&jvm.marks);
	gcmarks_finish(&jvm.marks);
	cr_assert(gcmarks_take(&jvm.marks, &mark));
	cr_expect_eq(mark.before.used, 700);
	cr_expect_eq(mark.after.used, 540, "then all was counted");
	cr_assert(gcmarks_take(&jvm.marks, &mark));
	cr_expect_eq(mark.before.used, 540, "what is counted is more");
}

Test(gcmarks, sees_a_collection_begin)
{
	static struct jvm jvm;
	uint32_t total = 20;
	struct gcmark mark;

	start(&jvm, true);
	jvm.marks.total = &total;
	cr_expect_eq(gcmarks_past(&jvm.marks), 20);
	gcmarks_start(&jvm.marks);
	total++;
	gcmarks_finish(&jvm.marks);
	gcmarks_start(&jvm.marks);
	gcmarks_finish(&jvm.marks);
	cr_assert(gcmarks_take(&jvm.marks, &mark));
	cr_expect(mark.begins);
	cr_assert(gcmarks_take(&jvm.marks, &mark));
	cr_expect_not(mark.begins);
}

Test(gcmarks, takes_two_collections_in_one_pause_apart)
{
	struct gcmark parts[2], mark = {
		.id = -1,
		.start = 1000,
		.end = 2000,
		.is_counted = true,
		.calls = { 1, 1, 0, 0 },
		.full = 600,
		.before = { 5, 10 },
		.after = { 3, 10 },
	};

	cr_assert_eq(gcmark_parts(&mark, parts), 2);
	cr_expect(parts[0].start == 1000 && parts[0].end == 1400);
	cr_expect(parts[1].start == 1400 && parts[1].end == 2000);
	cr_expect(parts[0].calls[COLLECTOR_YOUNG] && !parts[0].calls[COLLECTOR_FULL]);
	cr_expect(!parts[1].calls[COLLECTOR_YOUNG] && parts[1].calls[COLLECTOR_FULL]);
	cr_expect(parts[0].before.used == 5 && parts[0].after.committed == 0);
	cr_expect(parts[1].after.used == 3 && parts[1].before.committed == 0);
	mark.full = 1001;
	cr_expect_eq(gcmark_parts(&mark, parts), 1, "longer than the pause: another one");
	mark.full = 600;
	mark.calls[COLLECTOR_YOUNG] = 0;
	cr_expect_eq(gcmark_parts(&mark, parts), 1);
}

Test(gcmarks, knows_when_the_jvm_rests)
{
	static struct jvm jvm;
	static struct gcmarks none;

	start(&jvm, true);
	cr_expect(gcmarks_are_idle(&jvm.marks) && !gcmarks_are_busy(&jvm.marks));
	cr_expect_eq(gcmarks_past(&jvm.marks), 9);
	strcpy(jvm.cause, "System.gc()");
	cr_expect(gcmarks_are_busy(&jvm.marks) && !gcmarks_are_idle(&jvm.marks));
	cr_expect_not(gcmarks_are_idle(&none) || gcmarks_are_busy(&none), "nobody knows");
}
