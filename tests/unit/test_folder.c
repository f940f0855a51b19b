#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control/places.h"
#include "session/folder.h"
#include "unit/fault.h"
#include "unit/place.h"

static void begin(void)
{
	place_open();
	setenv("TMPDIR", place_folder, 1);
}

static void end(void)
{
	cr_expect_eq(rmdir(place_folder), 0, "something is left in it");
	place_close();
}

TestSuite(folder, .init = begin, .fini = end);

Test(folder, is_for_its_user_only)
{
	struct folder folder;
	struct err err = { 0 };
	struct stat status;
	char text[16] = "";
	int fd;

	cr_assert(folder_make(&folder, NULL, &err), "%s", err.text);
	cr_expect(strncmp(folder.path, place_folder, strlen(place_folder)) == 0);
	cr_assert_eq(stat(folder.path, &status), 0);
	cr_expect_eq(status.st_mode & 07777, 0700u);
	cr_assert(folder_write_orders(&folder, STR("name=x\n"), &err));
	cr_assert_eq(stat(folder.orders, &status), 0);
	cr_expect_eq(status.st_mode & 07777, 0600u);
	fd = open(folder.orders, O_RDONLY);
	cr_expect_eq(read(fd, text, sizeof(text)), 7);
	cr_expect_str_eq(text, "name=x\n");
	close(fd);
	cr_expect_not(folder_write_orders(&folder, STR("name=y\n"), &err));
	folder_close(&folder, false);
}

/* A file in a repository, which is made. */
static void put_recording(const char *repository)
{
	char name[300];

	snprintf(name, sizeof(name), "%s/a.jfr", repository + strlen(place_folder) + 1);
	place_put(name, "x");
}

Test(folder, goes_with_all_repositories_or_keeps_them)
{
	struct folder folder;
	struct err err = { 0 };
	char repository[256], path[256];

	for (int keep = 0; keep < 2; keep++) {
		cr_assert(folder_make(&folder, NULL, &err));
		cr_assert(folder_write_orders(&folder, STR("x"), &err));
		snprintf(path, sizeof(path), "%s", folder.path);
		snprintf(repository, sizeof(repository), "%s/2026_x", folder.path);
		put_recording(repository);
		folder_close(&folder, keep);
		cr_expect_eq(access(repository, F_OK) == 0, keep);
		snprintf(path + strlen(path), 8, "/orders");
		cr_expect_neq(access(path, F_OK), 0);
	}
	cr_expect(places_discard(repository));
	path[strlen(path) - strlen("/orders")] = '\0';
	cr_expect(places_discard(path));
}

Test(folder, stays_with_what_a_jvm_still_writes)
{
	struct folder folder;
	char held[256], other[256], session[256];
	int fd;

	cr_assert(folder_make(&folder, NULL, NULL));
	snprintf(session, sizeof(session), "%s", folder.path);
	snprintf(held, sizeof(held), "%s/2026_x", folder.path);
	snprintf(other, sizeof(other), "%s/2026_y", folder.path);
	put_recording(held);
	put_recording(other);
	fd = open(held, O_RDONLY | O_DIRECTORY);
	cr_assert_eq(flock(fd, LOCK_EX), 0);
	folder_close(&folder, false);
	cr_expect(folder_has_recording(held));
	cr_expect_neq(access(other, F_OK), 0);
	close(fd);
	cr_expect(places_discard(held));
	cr_expect(places_discard(session));
}

Test(folder, can_be_made_deep_down)
{
	struct folder folder;
	struct err err = { 0 };
	const char *deep = place_of("a/b"), *top = place_of("a");

	cr_assert(folder_make(&folder, deep, &err), "%s", err.text);
	folder_close(&folder, false);
	cr_expect_neq(access(top, F_OK), 0, "it was made for that");
	cr_assert_eq(mkdir(top, 0700), 0);
	cr_assert(folder_make(&folder, deep, &err), "%s", err.text);
	folder_close(&folder, false);
	cr_expect_neq(access(deep, F_OK), 0);
	cr_expect_eq(access(top, F_OK), 0, "it was there before");
	cr_assert_eq(mkdir(deep, 0700), 0);
	cr_assert(folder_make(&folder, deep, &err), "%s", err.text);
	folder_close(&folder, false);
	cr_expect_eq(rmdir(deep), 0, "likewise");
	cr_expect_eq(rmdir(top), 0);
}

Test(folder, leaves_the_folder_it_was_put_in_if_that_is_used)
{
	struct folder folder;
	struct err err = { 0 };
	const char *base = place_of("base"), *other = place_of("base/other");

	cr_assert(folder_make(&folder, base, &err), "%s", err.text);
	cr_assert_eq(mkdir(other, 0700), 0);
	folder_close(&folder, false);
	cr_expect_eq(rmdir(other), 0);
	cr_expect_eq(rmdir(base), 0);
}

Test(folder, says_where_it_cannot_be)
{
	struct folder folder;
	struct err err = { 0 };

	cr_expect_not(folder_make(&folder, "/proc/nowhere", &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, "/proc/nowhere"), "%s", err.text);
	setenv("TMPDIR", "/nowhere/at/all", 1);
	cr_expect_not(folder_make(&folder, NULL, &err));
	cr_expect(strstr(err.text, "/nowhere/at/all"), "%s", err.text);
}

Test(folder, is_locked_as_long_as_it_is_used)
{
	struct folder folder;
	int fd;

	cr_assert(folder_make(&folder, NULL, NULL));
	fd = open(folder.path, O_RDONLY | O_DIRECTORY);
	cr_expect_neq(flock(fd, LOCK_SH | LOCK_NB), 0);
	cr_expect(fcntl(folder.lock, F_GETFD) & FD_CLOEXEC);
	folder_close(&folder, false);
	cr_expect_eq(flock(fd, LOCK_SH | LOCK_NB), 0);
	close(fd);
}

Test(folder, has_a_recording_or_not)
{
	const char *one = place_of("one");

	cr_expect_not(folder_has_recording(one));
	place_make("one");
	cr_expect_not(folder_has_recording(one));
	place_put("one/a.txt", "x");
	place_put("one/a.jfr", "");
	cr_expect_not(folder_has_recording(one));
	place_put("one/b.jfr", "x");
	cr_expect(folder_has_recording(one));
	unlink(place_of("one/a.txt"));
	cr_expect(places_discard(one));
}

Test(folder, forgets_only_what_is_its_own)
{
	struct folder folder;
	const char *elsewhere = place_make("other");
	char mine[256], deep[512];

	cr_assert(folder_make(&folder, NULL, NULL));
	snprintf(mine, sizeof(mine), "%s/2026_x", folder.path);
	snprintf(deep, sizeof(deep), "%s/2026_x/y", folder.path);
	cr_assert_eq(mkdir(mine, 0700), 0);
	cr_assert_eq(mkdir(deep, 0700), 0);
	folder_forget(&folder, deep);
	cr_expect_eq(rmdir(deep), 0);
	folder_forget(&folder, elsewhere);
	cr_expect_eq(rmdir(elsewhere), 0);
	folder_forget(&folder, mine);
	cr_expect_neq(access(mine, F_OK), 0);
	folder_close(&folder, false);
}

Test(folder, needs_memory)
{
	struct folder folder;
	struct err err = { 0 };

	for (size_t n = 1; n < 10; n++) {
		fault_at(n);
		if (folder_make(&folder, NULL, &err)) {
			cr_expect_not(fault_happened());
			folder_close(&folder, false);
		} else {
			cr_expect_eq(err.kind, ERR_MEMORY);
		}
	}
	fault_at(0);
}
