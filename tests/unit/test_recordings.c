#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "engine/recordings.h"
#include "fault.h"

static char base[] = "/tmp/test_recordings.XXXXXX";
static struct recordings recordings;
static struct repository repository;

static void begin(void)
{
	cr_assert(mkdtemp(base));
	cr_assert(repository_open(&repository, base, NULL));
}

static void end(void)
{
	char command[200];

	recordings_clear(&recordings);
	repository_close(&repository);
	snprintf(command, sizeof(command), "rm -rf %s", base);
	cr_assert_eq(system(command), 0);
}

TestSuite(recordings, .init = begin, .fini = end);

/* A recording of orders in lines, which runs from the next chunk on. */
static struct tape *run(const char *lines)
{
	struct tape *recording;
	struct orders orders;
	struct err err;

	orders_init(&orders);
	cr_assert(orders_read(&orders, str_of(lines), &err), "%s", err.text);
	recording = recordings_add(&recordings, &orders, &err);
	cr_assert(recording, "%s", err.text);
	recordings.last_id = recording->id;
	recording->state = FACTS_RUNNING;
	recording->first = repository.number + 1;
	recording->last = UINT64_MAX;
	return recording;
}

static void stop(struct tape *recording)
{
	recording->state = FACTS_STOPPED;
	recording->last = repository.number;
}

/* A chunk file of that size; with an end, it is complete. */
static void add(uint64_t size, int64_t end_nanos, unsigned epoch)
{
	int fd = repository_begin(&repository, end_nanos, epoch, NULL);

	cr_assert_geq(fd, 0);
	close(fd);
	repository_grown(&repository, size, end_nanos);
}

static unsigned retain(int64_t now_nanos)
{
	return recordings_retain(&recordings, &repository, now_nanos, 0);
}

static bool refuses(const char *lines, const char *why)
{
	struct orders orders;
	struct err err;

	orders_init(&orders);
	cr_assert(orders_read(&orders, str_of(lines), &err), "%s", err.text);
	if (recordings_add(&recordings, &orders, &err))
		return false;
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect(strstr(err.text, why), "%s", err.text);
	return true;
}

Test(recordings, have_names_and_numbers)
{
	struct tape *one = run(""), *two;
	struct err err;
	char room[TAPE_NAME_ROOM];

	cr_expect_eq(recordings_named(&recordings, STR(""), &err), one);
	two = run("name=checkout\n");
	cr_expect_eq(two->id, 2);
	cr_expect(str_is(tape_name(one, room), STR("1")));
	cr_expect_eq(recordings_named(&recordings, STR("checkout"), &err), two);
	cr_expect_eq(recordings_named(&recordings, STR("2"), &err), two);
	cr_expect_eq(recordings_named(&recordings, STR("1"), &err), one);
	cr_expect_null(recordings_named(&recordings, STR(""), &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect(strstr(err.text, "1, 2 (checkout)"), "%s", err.text);
	cr_expect_null(recordings_named(&recordings, STR("3"), &err));
	cr_expect(strstr(err.text, "no recording '3', but 1, 2 (checkout)"), "%s", err.text);
	cr_expect(refuses("name=checkout\n", "there is a recording 'checkout'"));
	cr_expect(refuses("name=1\n", "there is a recording '1'"));
	cr_expect(refuses("setting=jdk.CPULoad#period=20 parsecs\n", "parsecs"));
	run("name=3\n");
	cr_expect_eq(run("")->id, 4);
	recordings_remove(&recordings, one);
	cr_expect_null(recordings_find(&recordings, 1));
	cr_expect_eq(run("")->id, 5, "numbers are not given again");
}

Test(recordings, give_up_the_oldest_when_there_is_too_much)
{
	struct tape *one = run("");

	cr_expect_eq(retain(1000), UINT_MAX);
	add(100, 10, 3);
	add(100, 20, 5);
	add(100, 0, 7);
	cr_expect_eq(retain(1000), 3);
	one->orders.max_size = 300;
	cr_expect_eq(retain(1000), 3);
	one->orders.max_size = 299;
	cr_expect_eq(retain(1000), 5);
	cr_expect_eq(repository.size, 200);
	one->orders.max_size = 1;
	cr_expect_eq(retain(1000), 7, "the newest stays");
	cr_expect_eq(repository.files.count, 1);
}

Test(recordings, give_up_what_ended_too_long_ago)
{
	struct tape *one = run("max-age=20\n");

	add(100, 10, 3);
	add(100, 20, 5);
	add(100, 30, 7);
	cr_expect_eq(retain(30), 3);
	cr_expect_eq(retain(31), 5);
	cr_expect_eq(retain(50), 7);
	cr_expect_eq(retain(51), 7, "the newest stays");
	cr_expect_eq(one->first, 3);
}

/* Each by its own limits: a file goes when nobody has it. */
Test(recordings, have_limits_of_their_own)
{
	struct tape *one = run("max-size=150\n"), *two;

	add(100, 10, 1);
	two = run("");
	add(100, 20, 2);
	add(100, 30, 3);
	stop(two);
	add(100, 40, 4);
	cr_expect_eq(retain(1000), 4, "of those that run");
	cr_expect_eq(one->first, 4);
	cr_assert_eq(repository.files.count, 3);
	cr_expect_eq(repository.files.items[0].number, 2);
	recordings_remove(&recordings, two);
	cr_expect_eq(retain(1000), 4);
	cr_expect_eq(repository.files.count, 1);
}

/* What is in memory is newer than all files: they go when it is as much as they may be. */
Test(recordings, in_memory_have_as_much_as_they_keep)
{
	run("disk=false\nmemory-size=400\n");	/* 300 are kept */
	add(250, 10, 1);
	cr_expect_eq(recordings_retain(&recordings, &repository, 100, 299), 1);
	cr_expect_eq(repository.files.count, 1);
	cr_expect_eq(recordings_retain(&recordings, &repository, 100, 300), UINT_MAX);
	cr_expect_eq(repository.files.count, 0);
}

Test(recordings, limit_chunks_as_the_strictest_wants)
{
	struct recordings_limits limits = recordings_limits(&recordings);
	struct tape *one;

	cr_expect_eq(limits.running, 0);
	one = run("disk=false\nmax-age=60000000000\nmemory-size=4000000\n");
	limits = recordings_limits(&recordings);
	cr_expect_not(limits.to_disk);
	cr_expect_eq(limits.kept_size, 3000000);
	cr_expect_eq(limits.kept_age, INT64_C(60000000000));
	run("disk=false\nmemory-size=8000000\nflush-interval=5\n");
	limits = recordings_limits(&recordings);
	cr_expect_eq(limits.kept_size, 6000000);
	cr_expect_eq(limits.kept_age, 0, "the longest");
	run("max-chunk-size=2000\n");
	limits = recordings_limits(&recordings);
	cr_expect(limits.to_disk);
	cr_expect_eq(limits.running, 3);
	cr_expect_eq(limits.chunk_size, 2000);
	cr_expect_eq(limits.chunk_age, INT64_C(6000000000));
	cr_expect_eq(limits.flush_interval, 5);
	stop(one);
	cr_expect_eq(recordings_limits(&recordings).running, 2);
}

static void unite(uint64_t chunk)
{
	struct event_settings before = recordings.united;
	struct arena texts;

	cr_assert(recordings_unite(&recordings, &texts));
	arena_clear(&texts);
	recordings_wish(&recordings, &before, chunk);
}

static int64_t least(const struct tape *recording, uint64_t chunk,
		     enum event_id id)
{
	const struct sieve *sieve = tape_sieve(recording, chunk);

	cr_assert(sieve);
	return sieve->least[id - EVENT_FIRST];
}

#define TRACE "setting=jdk.MethodTrace#enabled=true\nsetting=jdk.MethodTrace#"
#define CALLS TRACE "filter=a.B\nsetting=jdk.MethodTrace#threshold="
#define LOAD "setting=jdk.CPULoad#enabled=true\n"

/* Another one comes with the third chunk, and goes with the fifth. */
Test(recordings, want_less_than_others_do)
{
	struct tape *one = run(CALLS "20 ms\n"), *two;

	unite(1);
	add(1, 1, 1);
	add(1, 2, 2);
	two = run(CALLS "5 ms\n" LOAD);
	unite(3);
	cr_expect(event_setting_of(&recordings.united, EVENT_CPU_LOAD)->is_enabled);
	add(1, 3, 3);
	add(1, 4, 4);
	stop(two);
	unite(5);
	cr_expect_not(event_setting_of(&recordings.united, EVENT_CPU_LOAD)->is_enabled);
	add(1, 5, 5);
	add(1, 6, 6);
	cr_expect_null(tape_sieve(one, 1));
	cr_expect_null(tape_sieve(one, 2));
	for (uint64_t i = 3; i <= 5; i++) {
		cr_expect_eq(least(one, i, EVENT_CPU_LOAD), SIEVE_NONE);
		cr_expect_eq(least(one, i, EVENT_METHOD_TRACE), 20000000);
	}
	cr_expect_null(tape_sieve(one, 6), "what was left of the other is over");
	cr_expect_null(tape_sieve(two, 3));
	cr_expect_null(tape_sieve(two, 4));
	cr_expect_eq(one->wishes.of.count, 3);
	one->orders.max_size = 1;
	retain(100);
	cr_expect_eq(one->wishes.of.count, 1, "of chunks that are gone there are none");
	cr_expect_null(tape_sieve(one, 6));
}

/* As files of settings have it: the event is on, and has no filter. */
Test(recordings, want_nothing_without_a_filter)
{
	struct tape *one = run(TRACE "threshold=0 ms\n"), *two;
	const struct event_setting *of =
		event_setting_of(&recordings.united, EVENT_METHOD_TRACE);

	unite(1);
	cr_expect(of->is_enabled);
	cr_expect_eq(of->threshold, 0);
	cr_expect_null(tape_sieve(one, 1));
	two = run(CALLS "500 ms\n");
	unite(2);
	cr_expect_eq(of->threshold, 500000000);
	cr_expect(str_is(of->filter, STR("a.B")));
	cr_expect_eq(least(one, 2, EVENT_METHOD_TRACE), SIEVE_NONE);
	cr_expect_null(tape_sieve(two, 2));
	stop(one);
	run(TRACE "filter=!a.C\n");
	unite(3);
	cr_expect_eq(of->threshold, 500000000, "what only takes out asks for nothing");
	cr_expect_null(tape_sieve(two, 3));
}

/* Not less than it asked for, as before there was no memory. */
Test(recordings, want_all_without_memory)
{
	struct event_settings own[2], all = run(CALLS "5 ms\n")->settings;
	struct wishes wishes = { .of = { .count = 0 } };
	uint64_t chunk = 1;

	own[0] = run(CALLS "20 ms\n")->settings;
	own[1] = run(CALLS "30 ms\n")->settings;
	wishes_set(&wishes, chunk, &own[1], &all, &all);
	cr_expect(wishes_sieve(&wishes, chunk));
	fault_at(1);
	while (!fault_happened()) {
		chunk++;
		wishes_set(&wishes, chunk, &own[chunk % 2], &all, &all);
	}
	fault_at(0);
	cr_expect_null(wishes_sieve(&wishes, chunk));
	cr_expect_geq(wishes.of.count, 1);
	wishes_clear(&wishes);
}

Test(recordings, are_set_otherwise)
{
	struct tape *one = run(LOAD "name=checkout\n");
	struct orders orders, old;
	struct err err;

	for (int i = 0; i < 3; i++) {
		orders_init(&orders);
		cr_assert(orders_read(&orders, STR("name=other\n" CALLS "5 ms\n"), &err));
		cr_assert(tape_set(one, &orders, &old, &err), "%s", err.text);
		orders_clear(&orders);
		orders_clear(&old);
	}
	cr_expect_eq(one->orders.settings.count, 4, "each once");
	cr_expect(str_is(one->orders.name, STR("checkout")));
	cr_expect(event_setting_of(&one->settings, EVENT_CPU_LOAD)->is_enabled);
	cr_expect_eq(event_setting_of(&one->settings, EVENT_METHOD_TRACE)->threshold,
		     5000000);
	orders_init(&orders);
	cr_assert(orders_read(&orders, STR("setting=jdk.CPULoad#period=1 x\n"), &err));
	cr_expect_not(tape_set(one, &orders, &old, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_eq(one->orders.settings.count, 4);
	orders_clear(&orders);
}
