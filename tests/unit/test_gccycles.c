#include <criterion/criterion.h>
#include <string.h>

#include "hotspot/gccycles.h"

static const struct collector_cycle old_cycle = {
	.follows = true,
	.pauses = 2,
	.names = { "Remark", "Cleanup" },
};
static const struct collector mixed = {
	.young = "New", .old = "Old", .full = "Full", .old_cycle = &old_cycle,
};
static const struct collector still = { .young = "New", .old = "Old", .full = "Full" };
static const struct collector_cycle any_cycle = {
	.is_all = true,
	.frees_later = true,
	.names = { "Start", "End", "Relocate" },
};
static const struct collector concurrent = {
	.young = "N/A", .old = "Z", .full = "Z", .old_cycle = &any_cycle,
};

static struct gccycles cycles;
static struct gccollection found;
static int64_t now;

static void start(const struct collector *collector, unsigned past)
{
	gccycles_begin(&cycles, collector, past);
	now = 0;
}

/* A pause of 10 ticks, 100 after the last one. */
static void pause(int64_t id, int young, int full)
{
	int64_t begun = now + 100;
	struct gcmark mark = {
		.id = id,
		.start = begun,
		.end = begun + 10,
		.tid = 5,
		.is_counted = true,
		.calls = { young, full, 0, 0 },
		.before = { (uint64_t)begun, 1000 },
		.after = { (uint64_t)begun + 1, 1000 },
		.cause = "why",
	};

	now = begun;
	gccycles_add(&cycles, &mark);
}

static bool next(void)
{
	return gccycles_next(&cycles, &found);
}

static bool is_named(const char *name)
{
	return str_is(found.name.text, str_of(name));
}

Test(gccycles, makes_a_collection_of_a_pause)
{
	start(&still, 3);
	pause(-1, 1, 0);
	cr_assert(next());
	cr_expect(found.is_whole && is_named("New") && found.number == 3);
	cr_expect(found.start == 100 && found.end == 110 && found.tid == 5);
	cr_expect(found.sum == 10 && found.longest == 10 && found.count == 1);
	cr_expect(found.before.used == 100 && found.after.used == 101);
	cr_expect_str_eq(found.cause, "why");
	cr_expect_str_eq(found.pauses[0].name, "GC Pause");
	cr_expect_not(next());
	pause(-1, 0, 0);
	cr_expect_not(next(), "nothing was collected");
	pause(-1, 0, 1);
	cr_assert(next());
	cr_expect(is_named("Full") && found.number == 4);
}

Test(gccycles, makes_one_of_the_pauses_of_a_cycle)
{
	start(&mixed, 0);
	pause(0, 1, 0);
	cr_assert(next());
	pause(2, 1, 0);			/* 1 has begun */
	cr_assert(next());
	pause(1, 0, 0);
	cr_expect_not(next());
	pause(3, 0, 1);
	cr_assert(next());
	cr_expect_eq(found.number, 3);
	pause(1, 0, 0);
	cr_assert(next());
	cr_expect(found.is_whole && is_named("Old") && found.number == 1);
	cr_expect(found.start == 110 && found.end == 510, "from the end of 0");
	cr_expect(found.sum == 20 && found.count == 2 && found.tid == 0);
	cr_expect(found.before.used == 101 && found.after.used == 501);
	cr_expect_str_eq(found.pauses[0].name, "Remark");
	cr_expect_str_eq(found.pauses[1].name, "Cleanup");
	cr_expect_eq(found.pauses[1].tid, 5);
	pause(1, 0, 0);
	gccycles_end(&cycles);
	cr_assert(next());
	cr_expect(!found.is_whole && found.count == 1, "it was told already");
}

Test(gccycles, knows_no_heap_after_a_cycle_that_was_given_up)
{
	start(&mixed, 0);
	pause(0, 1, 0);
	cr_assert(next());
	pause(1, 0, 0);
	pause(2, 1, 0);
	cr_assert(next());
	pause(3, 0, 0);			/* the next cycle */
	cr_assert(next());
	cr_expect(found.is_whole && found.number == 1 && found.count == 1);
	cr_expect_eq(found.after.committed, 0);
	cr_expect_str_eq(found.pauses[0].name, "Remark");
}

Test(gccycles, waits_long_for_the_pauses_of_a_cycle)
{
	start(&mixed, 0);
	pause(0, 1, 0);
	cr_assert(next());
	for (int i = 2; i < 200; i++) {
		pause(i, 1, 0);
		cr_assert(next());
	}
	pause(1, 0, 0);
	pause(1, 0, 0);
	cr_assert(next());
	cr_expect(found.is_whole && found.number == 1 && found.start == 110);
	pause(1, 0, 0);
	gccycles_end(&cycles);
	cr_assert(next());
	cr_expect(!found.is_whole && found.count == 1);
}

Test(gccycles, tells_nothing_but_pauses_without_a_beginning)
{
	start(&mixed, 20);
	pause(30, 0, 0);
	pause(30, 0, 0);
	cr_assert(next());
	cr_expect(!found.is_whole && found.number == 30 && found.count == 2);
	cr_expect_null(found.pauses[0].name);
	pause(30, 0, 0);
	gccycles_end(&cycles);
	cr_assert(next());
	cr_expect(!found.is_whole, "it was told already");
	start(&mixed, 0);
	pause(-1, 0, 0);
	cr_assert(next());
	cr_expect(!found.is_whole && found.number == 0, "a JVM that has no numbers");
}

Test(gccycles, ends_a_cycle_when_the_next_begins)
{
	start(&concurrent, 0);
	pause(0, 0, 0);
	pause(0, 0, 0);
	pause(0, 0, 0);
	cr_expect_not(next());
	pause(1, 0, 0);
	cr_assert(next());
	cr_expect(found.is_whole && is_named("Z") && found.number == 0);
	cr_expect(found.start == 100 && found.end == 310 && found.sum == 30);
	cr_expect_eq(found.after.committed, 0, "it goes on to free");
	cr_expect_str_eq(found.pauses[2].name, "Relocate");
	gccycles_end(&cycles);
	cr_assert(next());
	cr_expect(!found.is_whole && found.number == 1, "maybe it was not over");
}

Test(gccycles, ends_a_cycle_when_the_jvm_rests)
{
	start(&concurrent, 0);
	pause(0, 0, 0);
	gccycles_rest(&cycles, 110);
	cr_expect_not(next(), "it has just begun");
	gccycles_rest(&cycles, 111);
	cr_assert(next());
	cr_expect(found.is_whole);
}

Test(gccycles, tells_cycles_without_numbers_by_their_beginning)
{
	struct gcmark mark = { .id = -1, .begins = true };

	start(&concurrent, 0);
	gccycles_add(&cycles, &mark);
	mark.begins = false;
	gccycles_add(&cycles, &mark);
	gccycles_add(&cycles, &mark);
	cr_expect_not(next());
	mark.begins = true;
	gccycles_add(&cycles, &mark);
	cr_assert(next());
	cr_expect(found.is_whole && found.number == 0 && found.count == 3);
	start(&concurrent, 0);
	mark.begins = false;
	gccycles_add(&cycles, &mark);
	gccycles_rest(&cycles, INT64_MAX);
	cr_assert(next());
	cr_expect_not(found.is_whole, "it had begun before");
}

Test(gccycles, passes_over_the_cycle_that_it_came_into)
{
	start(&concurrent, 7);
	pause(9, 0, 0);
	pause(10, 0, 0);
	cr_assert(next());
	cr_expect(!found.is_whole && found.number == 9);
	pause(11, 0, 0);
	cr_assert(next());
	cr_expect(found.is_whole && found.number == 10);
}

Test(gccycles, joins_nothing_without_numbers_and_counters)
{
	struct gcmark mark = { .id = -1, .begins = true };

	start(&mixed, 0);
	gccycles_add(&cycles, &mark);
	cr_assert(next());
	cr_expect(found.is_whole && !found.name.text.bytes && found.count == 1);
	mark.begins = false;
	gccycles_add(&cycles, &mark);
	cr_assert(next());
	cr_expect(!found.is_whole && found.count == 1, "a part of a cycle");
}

Test(gccycles, counts_those_that_were_lost)
{
	start(&mixed, 0);
	pause(-1, 1, 0);
	cr_assert(next());
	gccycles_skip(&cycles, 2);
	pause(-1, 1, 0);
	cr_assert(next());
	cr_expect_eq(found.number, 3);
	gccycles_skip(&cycles, 1);
	pause(5, 0, 0);
	pause(5, 0, 0);
	cr_assert(next());
	cr_expect(!found.is_whole, "its beginning may be lost");
}

Test(gccycles, has_room_for_ever)
{
	struct gcmark mark = { .end = 1 };
	int told = 0;

	start(&mixed, 0);
	for (unsigned i = 0; i < 100; i++) {
		mark.id = i;		/* no counters: each may be one of a cycle */
		gccycles_add(&cycles, &mark);
		for (; next(); told++)
			cr_expect(found.number == (unsigned)told && found.is_whole);
	}
	cr_expect_geq(told, 100 - GCCYCLES_ROOM);
	mark.id = UINT32_MAX - 1;
	gccycles_add(&cycles, &mark);
	for (unsigned i = 0; i < 2 * GCCYCLES_PAUSES; i++)
		gccycles_add(&cycles, &mark);
	gccycles_rest(&cycles, INT64_MAX);
	while (next())
		told++;
	cr_expect_eq(told, 101);
}

Test(gccycles, knows_no_cause_that_was_hidden)
{
	static const struct collector hiding = {
		.young = "New", .old = "Old", .full = "Full", .sets_cause = true,
	};
	struct gcmark mark = {
		.id = -1,
		.is_counted = true,
		.calls = { 0, 1, 0, 0 },
		.cause = "Allocation Failure",
		.is_past = true,
	};

	start(&hiding, 0);
	gccycles_add(&cycles, &mark);
	cr_assert(next());
	cr_expect_str_empty(found.cause);
	mark.is_past = false;
	gccycles_add(&cycles, &mark);
	cr_assert(next());
	cr_expect_str_eq(found.cause, "Allocation Failure");
}
