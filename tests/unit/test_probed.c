#include <criterion/criterion.h>
#include <stdio.h>

#include "fault.h"
#include "probe/probed.h"

#define THREAD 0x1000

static struct counters *counters;
static struct probed *probed;
static unsigned run;			/* in which classes are seen */

static void begin(void)
{
	counters = counters_new();
	probed = probed_new(counters);
	cr_assert(counters && probed);
}

static void end(void)
{
	probed_free(probed);
	counters_free(counters);
}

static uint32_t add_as(uint64_t loader, const char *class_name, const char *name,
		       bool is_redefined)
{
	struct probed_class class_ = { loader, str_of(class_name), is_redefined, run };
	struct classfile_method method = { .name = str_of(name),
					   .descriptor = STR("()V") };
	unsigned added;

	return probed_add(probed, &class_, &method, PROBE_TIMING, &added);
}

static uint32_t add(uint64_t loader, const char *class_name, const char *name)
{
	return add_as(loader, class_name, name, false);
}

static void note(uint32_t id, bool is_redefined, int result, uint32_t before,
		 uint32_t after)
{
	struct outcome outcome = { result, before, after };

	probed_note(probed, id, is_redefined, &outcome);
}

static void count(uint32_t id, uint64_t times)
{
	struct counter *row = counters_row(counters, THREAD, id, false);

	cr_assert_not_null(row);
	row[id].count += times;
	row[id].total += (int64_t)times * 10;
	row[id].max = 10;
}

/* What the snapshot has of the method; count UINT64_MAX: nothing. */
static struct probed_copy found(const char *class_name, const char *name)
{
	struct probed_copy copy = { .sum = { .count = UINT64_MAX } };
	struct probed_snapshot snapshot;
	int times = 0;

	cr_assert(probed_snapshot(probed, &snapshot));
	for (size_t i = 0; i < snapshot.of.count; i++) {
		if (!str_is(snapshot.of.items[i].class_name, str_of(class_name)) ||
		    !str_is(snapshot.of.items[i].name, str_of(name)))
			continue;
		copy = snapshot.of.items[i];
		times++;
	}
	cr_expect_leq(times, 1);
	probed_snapshot_clear(&snapshot);
	copy.class_name = copy.name = copy.descriptor = (struct str){ NULL, 0 };
	return copy;
}

Test(probed, methods_keep_their_numbers, .init = begin, .fini = end)
{
	struct classfile_method method = { .name = STR("m"), .descriptor = STR("()V"),
					   .access = ACCESS_STATIC };
	struct probed_class class_ = { 7, STR("a/B"), false, 0 };
	struct probed_copy copy;
	unsigned added;
	uint32_t id;

	id = probed_add(probed, &class_, &method, PROBE_TIMING, &added);
	cr_assert_neq(id, PROBED_NONE);
	cr_expect_eq(added, PROBE_TIMING);
	cr_expect_eq(probed_add(probed, &class_, &method, PROBE_TIMING | PROBE_TRACE,
				&added), id);
	cr_expect_eq(added, PROBE_TRACE);
	cr_expect_neq(add(8, "a/B", "m"), id);
	cr_expect_neq(add(7, "a/B", "n"), id);
	note(id, false, REWRITE_TOO_LARGE, 5, 9);
	cr_assert(probed_find(probed, id, &copy));
	cr_expect(str_is(copy.class_name, STR("a/B")));
	cr_expect(str_is(copy.name, STR("m")));
	cr_expect(str_is(copy.descriptor, STR("()V")));
	cr_expect_eq(copy.access, ACCESS_STATIC);
	cr_expect_eq(copy.kinds, PROBE_TIMING | PROBE_TRACE);
	cr_expect_eq(copy.newest.result, REWRITE_TOO_LARGE);
	cr_expect(copy.newest.size_before == 5 && copy.newest.size_after == 9);
	cr_expect_not(copy.was_done);
	cr_expect_not(probed_find(probed, 99, &copy));
}

Test(probed, tells_of_classes_that_are_ready, .init = begin, .fini = end)
{
	uint32_t id = add(7, "a/B", "m");

	cr_expect_eq(found("a/B", "m").sum.count, UINT64_MAX);
	count(id, 3);
	cr_expect_eq(found("a/B", "m").sum.count, 3);
	cr_expect(found("a/B", "m").is_gone);
	cr_expect_not(probed_bind(probed, 8, STR("a/B"), 100));
	cr_expect(probed_bind(probed, 7, STR("a/B"), 100));
	cr_expect_eq(found("a/B", "m").sum.count, 3);
	cr_expect_eq(found("a/B", "m").sum.total, 30);
	cr_expect_eq(found("a/B", "m").class_key, 100);
	cr_expect(probed_has(probed, 7, STR("a/B")));
	cr_expect_not(probed_has(probed, 0, STR("a/B")));
}

Test(probed, adds_up_what_is_gone_by_names, .init = begin, .fini = end)
{
	for (uint64_t round = 1; round <= 50; round++) {
		uint32_t id = add(round, "a/B", "m");

		cr_assert_lt(id, 2, "numbers of what is gone are free");
		cr_assert_eq(add(round, "a/B", "never"), round == 1 ? 1 : 1 - id);
		cr_assert(probed_bind(probed, round, STR("a/B"), 1000 + round));
		count(id, round);
		if (round % 2) {
			probed_class_gone(probed, 1000 + round);
			probed_loader_gone(probed, round);
		} else {
			probed_loader_gone(probed, round);
			probed_class_gone(probed, 1000 + round);
		}
	}
	cr_expect_eq(found("a/B", "m").sum.count, 50 * 51 / 2);
	cr_expect(found("a/B", "m").is_gone);
	cr_expect_eq(found("a/B", "m").class_key, 0);
	cr_expect_eq(found("a/B", "never").sum.count, 0);
}

Test(probed, forgets_what_was_never_ready_and_never_ran, .init = begin, .fini = end)
{
	struct probed_copy copy;
	uint32_t ran;

	add(7, "a/B", "never");
	ran = add(7, "a/C", "ran");
	add(0, "a/D", "stays");
	count(ran, 2);
	probed_loader_gone(probed, 7);
	probed_loader_gone(probed, 0);
	cr_expect_eq(found("a/B", "never").sum.count, UINT64_MAX);
	cr_expect_eq(found("a/C", "ran").sum.count, 2);
	cr_expect(probed_has(probed, 0, STR("a/D")));
	cr_expect_not(probed_has(probed, 7, STR("a/B")));
	cr_expect_not(probed_find(probed, ran, &copy));
}

Test(probed, counts_what_is_gone_and_too_much, .init = begin, .fini = end)
{
	struct probed_snapshot snapshot;
	char name[16];

	for (int i = 0; i < PROBED_GONE_MAX + 5; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		cr_assert_eq(add(1, "a/B", name), 0);
		cr_assert(probed_bind(probed, 1, STR("a/B"), 5));
		probed_class_gone(probed, 5);
	}
	cr_assert(probed_snapshot(probed, &snapshot));
	cr_expect_eq(snapshot.of.count, PROBED_GONE_MAX);
	cr_expect_eq(snapshot.gone_lost, 5);
	probed_snapshot_clear(&snapshot);
}

Test(probed, leaves_what_the_jvm_does_not_take, .init = begin, .fini = end)
{
	uint32_t id = add_as(7, "a/B", "m", true), large = add_as(7, "a/B", "n", true);
	struct probed_copy copy;

	note(id, true, REWRITE_DONE, 5, 9);
	note(large, true, REWRITE_TOO_LARGE, 5, 0);
	cr_expect_not(probed_is_left(probed, 7, STR("a/B")));
	probed_leave(probed, 7, STR("a/B"));
	probed_leave(probed, 7, STR("a/C"));
	cr_expect(probed_is_left(probed, 7, STR("a/B")));
	cr_expect_not(probed_is_left(probed, 7, STR("a/C")));
	cr_assert(probed_find(probed, id, &copy));
	cr_expect_eq(copy.newest.result, OUTCOME_REFUSED);
	cr_expect_eq(copy.newest.size_after, 0);
	cr_expect_not(copy.was_done);
	cr_assert(probed_find(probed, large, &copy));
	cr_expect_eq(copy.newest.result, REWRITE_TOO_LARGE);
}

Test(probed, keeps_what_was_done_when_a_later_version_is_not, .init = begin, .fini = end)
{
	uint32_t id = add(7, "a/B", "m");

	note(id, false, REWRITE_DONE, 5, 9);
	cr_assert(probed_bind(probed, 7, STR("a/B"), 100));
	count(id, 3);
	note(id, true, REWRITE_TOO_LARGE, 65000, 0);
	probed_taken(probed, 7, STR("a/B"), false);
	cr_expect(found("a/B", "m").was_done);
	cr_expect_eq(found("a/B", "m").newest.result, REWRITE_TOO_LARGE);
	note(id, true, REWRITE_DONE, 6, 10);
	probed_leave(probed, 7, STR("a/B"));
	cr_expect(found("a/B", "m").was_done);
	cr_expect_eq(found("a/B", "m").newest.result, REWRITE_TOO_LARGE);
	probed_class_gone(probed, 100);
	id = add(8, "a/B", "m");
	note(id, false, REWRITE_SUBROUTINES, 5, 0);
	cr_assert(probed_bind(probed, 8, STR("a/B"), 101));
	probed_class_gone(probed, 101);
	cr_expect(found("a/B", "m").was_done);
	cr_expect_eq(found("a/B", "m").sum.count, 3);
	cr_expect_eq(found("a/B", "m").newest.result, REWRITE_SUBROUTINES);
}

static void check(const char *name, uint32_t size)
{
	probed_check(probed, 7, STR("a/B"), str_of(name), STR("()V"), size);
}

Test(probed, looks_what_others_changed, .init = begin, .fini = end)
{
	uint32_t id = add(7, "a/B", "m"), extra;

	note(id, false, REWRITE_DONE, 5, 9);
	cr_expect_not(probed_is_open(probed, 7, STR("a/B")));
	cr_assert(probed_bind(probed, 7, STR("a/B"), 100));
	note(id, true, REWRITE_TOO_LARGE, 65000, 0);
	extra = add_as(7, "a/B", "extra", true);
	note(extra, true, REWRITE_DONE, 5, 9);
	cr_expect(probed_is_open(probed, 7, STR("a/B")));
	cr_expect_not(probed_is_open(probed, 7, STR("a/B")), "somebody looks already");
	cr_expect_eq(found("a/B", "extra").sum.count, UINT64_MAX);
	check("m", 9);
	cr_expect(probed_checked(probed, 7, STR("a/B")), "it was not taken, so far");
	cr_expect_eq(found("a/B", "m").newest.result, REWRITE_DONE);
	cr_expect_eq(found("a/B", "extra").sum.count, UINT64_MAX);
	check("m", 65000);
	check("extra", 9);
	check("other", 1);
	cr_expect_not(probed_checked(probed, 7, STR("a/B")));
	cr_expect_eq(found("a/B", "m").newest.result, REWRITE_TOO_LARGE);
	cr_expect(found("a/B", "m").was_done);
	cr_expect_eq(found("a/B", "extra").sum.count, 0);
	/* A second definition of one that is there is never taken; who runs is there. */
	extra = add(7, "a/B", "second");
	note(extra, false, REWRITE_DONE, 5, 9);
	cr_expect_eq(found("a/B", "second").sum.count, UINT64_MAX);
	count(extra, 1);
	cr_expect_eq(found("a/B", "second").newest.result, REWRITE_DONE);
}

Test(probed, has_one_row_for_all_without_a_class, .init = begin, .fini = end)
{
	uint32_t id = add(7, "a/B", "m");

	cr_assert(probed_bind(probed, 7, STR("a/B"), 100));
	count(id, 3);
	probed_class_gone(probed, 100);
	count(add(8, "a/B", "m"), 4);
	count(add(9, "a/B", "m"), 5);
	cr_expect_eq(found("a/B", "m").sum.count, 12);
	cr_expect(found("a/B", "m").is_gone);
}

Test(probed, finds_the_loader_of_a_class_that_is_ready, .init = begin, .fini = end)
{
	uint64_t loader = 0;

	add(7, "a/B", "m");
	cr_expect_not(probed_loader(probed, 0, &loader));
	cr_assert(probed_bind(probed, 7, STR("a/B"), 100));
	cr_assert(probed_loader(probed, 100, &loader));
	cr_expect_eq(loader, 7);
	cr_assert(probed_bind(probed, 7, STR("a/B"), 101));
	cr_expect_not(probed_loader(probed, 100, &loader));
	cr_expect(probed_loader(probed, 101, &loader));
}

Test(probed, knows_what_was_seen_until_it_is_ready, .init = begin, .fini = end)
{
	struct probed_class class_ = { 7, STR("a/B"), false, 0 };

	probed_see(probed, &class_);
	cr_expect(probed_has(probed, 7, STR("a/B")));
	cr_expect_not(probed_ready(probed, 7, STR("a/B")));
	cr_expect_not(probed_has(probed, 7, STR("a/B")));
	probed_see(probed, &class_);
	cr_expect_not(probed_bind(probed, 7, STR("a/B"), 100));
	cr_expect_not(probed_has(probed, 7, STR("a/B")));
	add(7, "a/B", "m");
	cr_expect(probed_ready(probed, 7, STR("a/B")));
}

static void make_many(uint64_t loader, int count, bool is_redefined)
{
	char name[16];

	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "a/C%d", i);
		cr_assert_neq(add_as(loader, name, "m", is_redefined), PROBED_NONE);
	}
}

Test(probed, forgets_the_oldest_that_never_become_ready, .init = begin, .fini = end)
{
	make_many(7, PROBED_WAITING_MAX + 10, false);
	make_many(8, PROBED_WAITING_MOST, true);
	cr_assert(probed_bind(probed, 7, STR("a/C0"), 100));
	for (int i = 0; i < PROBED_ROUNDS; i++)
		probed_round(probed);
	cr_expect(probed_has(probed, 7, STR("a/C1")), "they are young");
	probed_round(probed);
	cr_expect(probed_has(probed, 7, STR("a/C0")), "it is ready");
	cr_expect_not(probed_has(probed, 7, STR("a/C1")));
	cr_expect_not(probed_has(probed, 7, STR("a/C9")));
	cr_expect(probed_has(probed, 7, STR("a/C10")), "there are not many");
	cr_expect(probed_has(probed, 8, STR("a/C1")), "it is there");
	cr_expect_lt(add(9, "a/B", "m"), PROBED_WAITING_MAX, "numbers are free");
	make_many(10, PROBED_WAITING_MOST, false);
	probed_round(probed);
	cr_expect_not(probed_has(probed, 7, STR("a/C10")), "they are far too many");
	cr_expect(probed_has(probed, 10, STR("a/C0")));
}

Test(probed, keeps_what_the_jvm_has_taken, .init = begin, .fini = end)
{
	uint32_t id;

	make_many(7, 2, false);
	id = add(7, "a/C1", "m");
	probed_loaded(probed, 7, STR("a/C1"));
	probed_loaded(probed, 7, STR("a/Unknown"));
	make_many(8, PROBED_WAITING_MOST + 1, false);
	probed_round(probed);
	cr_expect_not(probed_has(probed, 7, STR("a/C0")));
	cr_expect(probed_has(probed, 7, STR("a/C1")));
	cr_expect_eq(add(7, "a/C1", "m"), id, "what runs counts under that number");
}

static void begin_run(bool is_anew)
{
	cr_assert(probed_begin(probed, is_anew, &run));
}

/* Its class is there, and gets its probes now. */
static uint32_t probe(const char *class_name, const char *name)
{
	uint32_t id = add_as(7, class_name, name, true);

	note(id, true, REWRITE_DONE, 10, 20);
	probed_taken(probed, 7, str_of(class_name), false);
	probed_bind(probed, 7, str_of(class_name), 70);
	return id;
}

Test(probed, begins_anew_with_the_same_numbers, .init = begin, .fini = end)
{
	uint32_t id, other;
	size_t methods;

	begin_run(true);
	id = probe("a/B", "m");
	other = probe("a/B", "other");
	count(id, 3);
	count(other, 4);
	cr_expect_eq(found("a/B", "m").sum.count, 3);
	cr_expect_eq(probed_count(probed, &methods), 1);
	cr_expect_eq(methods, 2);
	probed_taken(probed, 7, STR("a/B"), true);
	cr_expect_eq(probed_count(probed, &methods), 0);
	cr_expect_eq(methods, 0);
	count(id, 1);
	begin_run(true);
	cr_expect_not(probed_is_seen(probed, 7, STR("a/B")));
	cr_expect_eq(found("a/B", "m").sum.count, UINT64_MAX, "it is not meant yet");
	cr_expect_eq(probe("a/B", "m"), id);
	cr_expect(probed_is_seen(probed, 7, STR("a/B")));
	cr_expect_eq(found("a/B", "m").sum.count, 0);
	count(id, 5);
	cr_expect_eq(found("a/B", "m").sum.count, 5);
	cr_expect_eq(found("a/B", "m").sum.total, 50);
	cr_expect_eq(found("a/B", "other").sum.count, UINT64_MAX);
}

Test(probed, goes_on_with_those_that_are_meant_again, .init = begin, .fini = end)
{
	uint32_t id, other;

	begin_run(true);
	id = probe("a/B", "m");
	other = probe("a/C", "m");
	count(id, 3);
	count(other, 4);
	begin_run(false);
	cr_expect(probed_has_probes(probed, 7, STR("a/B"), true));
	cr_expect(probed_has_probes(probed, 7, STR("a/C"), true));
	cr_expect_eq(probe("a/B", "m"), id);
	cr_expect_not(probed_has_probes(probed, 7, STR("a/B"), true));
	cr_expect(probed_has_probes(probed, 7, STR("a/B"), false));
	probed_taken(probed, 7, STR("a/C"), false);
	cr_expect_not(probed_has_probes(probed, 7, STR("a/C"), false), "none was put in");
	count(id, 1);
	cr_expect_eq(found("a/B", "m").sum.count, 4);
	cr_expect_eq(found("a/C", "m").sum.count, UINT64_MAX);
	begin_run(false);
	cr_expect_eq(probe("a/C", "m"), other);
	count(other, 2);
	cr_expect_eq(found("a/C", "m").sum.count, 2, "it was not meant in between");
}

Test(probed, does_not_take_what_comes_late_for_new, .init = begin, .fini = end)
{
	uint32_t id;

	begin_run(true);
	id = probe("a/B", "m");
	begin_run(true);
	run--;
	cr_expect_eq(add(7, "a/B", "m"), id);
	cr_expect_not(probed_is_seen(probed, 7, STR("a/B")));
	run++;
	count(id, 1);
	cr_expect_eq(found("a/B", "m").sum.count, UINT64_MAX);
}

/* It was collected before the run began, which was told after that. */
Test(probed, keeps_counts_of_what_went_meanwhile, .init = begin, .fini = end)
{
	begin_run(true);
	count(probe("a/B", "m"), 3);
	begin_run(false);
	probed_class_gone(probed, 70);
	cr_expect_eq(found("a/B", "m").sum.count, 3);
	begin_run(true);
	cr_expect_eq(found("a/B", "m").sum.count, UINT64_MAX);
}

Test(probed, keeps_numbers_while_there_are_no_keys, .init = begin, .fini = end)
{
	uint32_t id, gone, waiting;
	uint64_t token, other;

	begin_run(true);
	id = probe("a/B", "m");
	gone = add(8, "a/Gone", "m");
	probed_bind(probed, 8, STR("a/Gone"), 80);
	waiting = add(9, "a/Waits", "m");
	add(8, "a/Dead", "m");
	probed_bind(probed, 8, STR("a/Dead"), 81);
	token = probed_orphan(probed, 7, STR("a/B"));
	other = probed_orphan(probed, 8, STR("a/Gone"));
	cr_assert(token && other);
	cr_expect_eq(probed_orphan(probed, 8, STR("a/None")), 0);
	probed_orphan_rest(probed);
	probed_adopt(probed, token, 1, 2);
	probed_lose(probed, other);
	probed_lose(probed, other);
	begin_run(true);
	cr_expect_eq(add(1, "a/B", "m"), id);
	cr_expect_neq(add(1, "x/A", "m"), waiting);
	cr_expect_neq(add(1, "x/B", "m"), waiting);
	cr_expect_neq(add(1, "x/C", "m"), waiting);
	cr_expect_eq(gone, 1);
}

Test(probed, does_without_memory, .init = begin, .fini = end)
{
	struct probed_snapshot snapshot = { .gone_lost = 0 };
	uint32_t id;
	size_t n = 0;

	do {
		fault_at(++n);
		id = add(7, "a/B", "m");
	} while (id == PROBED_NONE);
	fault_at(0);
	cr_expect_gt(n, 3);
	cr_assert_eq(id, 0);
	cr_assert(probed_bind(probed, 7, STR("a/B"), 100));
	n = 0;
	do {
		probed_snapshot_clear(&snapshot);
		fault_at(++n);
	} while (!probed_snapshot(probed, &snapshot));
	fault_at(0);
	cr_expect_gt(n, 3);
	cr_expect_eq(snapshot.of.count, 1);
	probed_snapshot_clear(&snapshot);
	cr_expect_eq(found("a/B", "m").sum.count, 0);
}
