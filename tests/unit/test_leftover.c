#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/leftover.h"
#include "unit/fault.h"
#include "unit/place.h"

TestSuite(leftover, .init = place_open, .fini = place_close);

#define SESSION "cjfr-abcdef"
#define REPOSITORY "2026_11_30_11_00_00_123"

static const char *put_repository(const char *name)
{
	static char path[100];

	snprintf(path, sizeof(path), "%s/2026_11_30_11_00_00.jfr", name);
	place_put(path, "chunk");
	return place_of(name);
}

/* A session as it is left behind, with a repository in it. */
static void put_session(void)
{
	put_repository(SESSION "/" REPOSITORY);
	place_put(SESSION "/orders", "name=x\n");
	place_put(SESSION "/socket", "");
	cr_assert_eq(chmod(place_of(SESSION), 0700), 0);
}

static struct leftovers look(bool shall_go)
{
	struct leftovers leftovers = { .failed = false };
	struct err err;

	cr_assert(leftovers_find(&leftovers, place_folder, shall_go, &err), "%s", err.text);
	return leftovers;
}

static void expect_count(bool shall_go, size_t count)
{
	struct leftovers leftovers = look(shall_go);

	cr_expect_eq(leftovers.all.count, count, "%zu", leftovers.all.count);
	leftovers_clear(&leftovers);
}

static void expect_in_use(size_t count)
{
	struct leftovers leftovers = look(false);

	cr_expect_eq(leftovers.in_use, count, "%zu", leftovers.in_use);
	leftovers_clear(&leftovers);
}

static bool is_there(const char *name)
{
	return access(place_of(name), F_OK) == 0;
}

static int lock(const char *name)
{
	int fd = open(place_of(name), O_RDONLY | O_DIRECTORY);

	cr_assert_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
	return fd;
}

Test(leftover, is_told_by_repository)
{
	struct leftovers leftovers;
	const struct leftover *one;

	put_session();
	place_put(SESSION "/2026_11_30_11_00_00_7_1/agent.log", "why\n");
	leftovers = look(false);
	cr_assert_eq(leftovers.all.count, 2);
	one = &leftovers.all.items[0];
	cr_expect_str_eq(one->path, place_of(SESSION "/" REPOSITORY));
	cr_expect_str_eq(one->began, "2026-11-30T11:00:00");
	cr_expect_eq(one->pid, 123);
	cr_expect_eq(one->size, 5);
	cr_expect(one->has_recording && !one->is_removed);
	one = &leftovers.all.items[1];
	cr_expect_eq(one->pid, 7);
	cr_expect_eq(one->size, 4);
	cr_expect_not(one->has_recording);
	leftovers_clear(&leftovers);
	cr_expect(is_there(SESSION "/orders"));
}

Test(leftover, goes_with_its_session)
{
	struct leftovers leftovers;

	put_session();
	leftovers = look(true);
	cr_assert_eq(leftovers.all.count, 1);
	cr_expect(leftovers.all.items[0].is_removed);
	cr_expect_not(is_there(SESSION));
	leftovers_clear(&leftovers);
	expect_count(true, 0);
}

Test(leftover, may_be_a_session_without_repositories)
{
	/* When it began; a repository that was in it went later. */
	const struct timespec times[2] = { { 1796040000, 0 }, { 1796040000, 0 } };
	struct leftovers leftovers;

	setenv("TZ", "UTC0", 1);
	place_put(SESSION "/orders", "name=x\n");
	cr_assert_eq(utimensat(AT_FDCWD, place_of(SESSION "/orders"), times, 0), 0);
	cr_assert_eq(chmod(place_of(SESSION), 0700), 0);
	leftovers = look(false);
	cr_assert_eq(leftovers.all.count, 1);
	cr_expect_str_eq(leftovers.all.items[0].path, place_of(SESSION));
	cr_expect_eq(leftovers.all.items[0].size, 7);
	cr_expect_eq(leftovers.all.items[0].pid, 0);
	cr_expect_str_eq(leftovers.all.items[0].began, "2026-11-30T12:00:00");
	leftovers_clear(&leftovers);
	expect_count(true, 1);
	cr_expect_not(is_there(SESSION));
}

Test(leftover, is_nothing_that_is_locked)
{
	int session, repository;

	put_session();
	put_repository(SESSION "/2026_11_30_11_00_01_124");
	session = lock(SESSION);
	expect_count(true, 0);
	expect_in_use(1);
	repository = lock(SESSION "/" REPOSITORY);
	close(session);
	expect_count(false, 1);
	expect_in_use(1);
	expect_count(true, 1);
	cr_expect(is_there(SESSION "/" REPOSITORY));
	cr_expect(is_there(SESSION "/socket"), "its JVM may still need the session");
	cr_expect_not(is_there(SESSION "/2026_11_30_11_00_01_124"));
	close(repository);
	expect_in_use(0);
	expect_count(true, 1);
	cr_expect_not(is_there(SESSION));
}

Test(leftover, may_lie_by_itself_if_it_is_ours)
{
	struct leftovers leftovers;

	put_repository("2026_11_30_11_00_00_1");
	put_repository("2026_11_30_11_00_00_2");
	put_repository("2026_11_30_11_00_00_3");
	place_put("2026_11_30_11_00_00_2/spill", "none");
	place_put("2026_11_30_11_00_00_3/agent.log", "why\n");
	leftovers = look(true);
	cr_assert_eq(leftovers.all.count, 2);
	cr_expect_eq(leftovers.all.items[0].pid, 2);
	cr_expect_eq(leftovers.all.items[1].pid, 3);
	leftovers_clear(&leftovers);
	cr_expect(is_there("2026_11_30_11_00_00_1"), "it is HotSpot's");
	cr_expect_not(is_there("2026_11_30_11_00_00_2"));
	cr_expect_not(is_there("2026_11_30_11_00_00_3"));
}

Test(leftover, has_a_name_of_ours)
{
	static const char *const names[] = {
		"cjfr-abcde", "cjfr-abcdefg", "cjfr-abc.ef", "xcjfr-abcdef", "jfr-abcdef",
		"2026_11_30_11_00_00", "2026_11_30_11_00_00_", "2026_11_30_11_00_00_x",
		"2026_11_30_11_00_00_1x", "2026_11_30_11_00_00_1_x", "2026-11-30_11_00_00_1",
		"26_11_30_11_00_00_1",
	};
	char path[100];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/agent.log", names[i]);
		place_put(path, "why\n");
		cr_assert_eq(chmod(place_of(names[i]), 0700), 0);
	}
	expect_count(true, 0);
}

Test(leftover, is_no_folder_with_other_things_in_it)
{
	put_session();
	place_put(SESSION "/notes.txt", "x");
	expect_count(true, 0);
	unlink(place_of(SESSION "/notes.txt"));
	cr_assert_eq(chmod(place_of(SESSION), 0755), 0);
	expect_count(true, 0);
	cr_expect(is_there(SESSION "/" REPOSITORY));
}

static void expect_others(const char *repository)
{
	struct leftovers leftovers = look(true);
	char chunk[100];

	cr_assert_eq(leftovers.all.count, 1);
	cr_expect_str_eq(leftovers.all.items[0].path, place_of(repository));
	cr_expect(leftovers.all.items[0].has_others);
	cr_expect_not(leftovers.all.items[0].is_removed);
	leftovers_clear(&leftovers);
	snprintf(chunk, sizeof(chunk), "%s/2026_11_30_11_00_00.jfr", repository);
	cr_expect(is_there(chunk), "all, or nothing");
}

/* Alone, and in a session. */
Test(leftover, stays_whole_if_others_put_something_into_it)
{
	put_repository(REPOSITORY);
	place_put(REPOSITORY "/spill", "none");
	place_put(REPOSITORY "/notes.txt", "x");
	expect_others(REPOSITORY);
	cr_assert_eq(unlink(place_of(REPOSITORY "/notes.txt")), 0);
	place_make(REPOSITORY "/deep");
	expect_others(REPOSITORY);
	cr_expect(is_there(REPOSITORY "/spill"));
	cr_assert_eq(rmdir(place_of(REPOSITORY "/deep")), 0);
	expect_count(true, 1);
	cr_expect_not(is_there(REPOSITORY));
	put_session();
	place_put(SESSION "/" REPOSITORY "/notes.txt", "x");
	expect_others(SESSION "/" REPOSITORY);
	cr_expect(is_there(SESSION "/orders"));
}

Test(leftover, may_say_what_was_made_of_it)
{
	put_session();
	cr_assert_eq(symlink("partial:1:2:/x", place_of(SESSION "/" REPOSITORY "/output")),
		     0);
	expect_count(true, 1);
	cr_expect_not(is_there(SESSION));
}

Test(leftover, is_not_what_a_link_leads_to)
{
	const char *mine = place_put("mine/2026_11_30_11_00_00_1/agent.log", "x");

	cr_assert_eq(chmod(place_of("mine"), 0700), 0);
	cr_assert_eq(symlink("mine", place_of("cjfr-abcdef")), 0);
	cr_assert_eq(symlink("mine/2026_11_30_11_00_00_1",
			     place_of("2026_11_30_11_00_00_1")), 0);
	place_make("cjfr-ghijkl");
	cr_assert_eq(chmod(place_of("cjfr-ghijkl"), 0700), 0);
	cr_assert_eq(symlink("../mine/2026_11_30_11_00_00_1",
			     place_of("cjfr-ghijkl/2026_11_30_11_00_00_1")), 0);
	expect_count(true, 0);
	cr_expect_eq(access(mine, F_OK), 0);
}

Test(leftover, needs_a_folder_and_memory)
{
	struct leftovers leftovers = { .failed = false };
	struct err err = { 0 };

	cr_expect_not(leftovers_find(&leftovers, "/nowhere/at/all", false, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, "/nowhere/at/all"), "%s", err.text);
	put_session();
	fault_at(1);
	cr_expect_not(leftovers_find(&leftovers, place_folder, false, &err));
	cr_expect(fault_happened());
	fault_at(0);
	cr_expect_eq(err.kind, ERR_MEMORY);
	leftovers_clear(&leftovers);
}
