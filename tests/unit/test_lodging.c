#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/lodging.h"
#include "base/held.h"
#include "base/path.h"
#include "control/places.h"
#include "unit/place.h"

static struct lodging lodging;
static struct err err;

TestSuite(lodging, .init = place_open, .fini = place_close);

static void make(void)
{
	cr_assert(lodging_make(&lodging, place_folder, &err), "%s", err.text);
}

Test(lodging, is_a_locked_folder_of_a_session)
{
	struct stat status;

	const char *base = place_make("base");

	cr_assert(lodging_make(&lodging, base, &err), "%s", err.text);
	cr_expect(places_is_session(path_last(lodging.path)));
	cr_assert_eq(stat(lodging.path, &status), 0);
	cr_expect_eq(status.st_mode & 07777, 0700u);
	cr_expect(held_is(AT_FDCWD, lodging.path));
	cr_expect(lodging_leave(&lodging));
	cr_expect_eq(rmdir(base), 0, "nothing is left");
}

Test(lodging, is_in_TMPDIR_if_nobody_says_where)
{
	setenv("TMPDIR", place_folder, 1);
	cr_assert(lodging_make(&lodging, NULL, &err));
	cr_expect_eq(strncmp(lodging.path, place_folder, strlen(place_folder)), 0);
	cr_expect(lodging_leave(&lodging));
	setenv("TMPDIR", place_of("nowhere"), 1);
	cr_assert(lodging_make(&lodging, NULL, &err));
	cr_expect_eq(strncmp(lodging.path, "/tmp/cjfr-", 10), 0);
	cr_expect(lodging_leave(&lodging));
}

Test(lodging, has_an_error_where_it_cannot_be)
{
	errno = 0;
	cr_expect_not(lodging_make(&lodging, place_of("nowhere"), &err));
	cr_expect_eq(errno, ENOENT);
	cr_expect_eq(err.kind, ERR_SYSTEM);
}

Test(lodging, is_locked_again_if_others_closed_it)
{
	int other;

	make();
	close(lodging.lock);
	other = open("/dev/null", O_RDONLY);
	cr_assert_eq(other, lodging.lock);
	cr_expect_not(held_is(AT_FDCWD, lodging.path));
	lodging_hold_again(&lodging);
	cr_expect(held_is(AT_FDCWD, lodging.path));
	cr_expect_neq(lodging.lock, other);
	cr_expect(fcntl(other, F_GETFD) >= 0, "that of others stays open");
	lodging_hold_again(&lodging);
	cr_expect(lodging_leave(&lodging));
}

Test(lodging, stays_with_a_repository_in_it)
{
	char *inside, path[PATH_MAX];

	make();
	strcpy(path, lodging.path);
	inside = path_within(lodging.path, "2026_11_30_22_07_32_640");
	cr_assert_eq(mkdir(inside, 0700), 0);
	cr_expect_not(lodging_leave(&lodging));
	cr_expect_eq(access(inside, F_OK), 0);
	cr_expect_not(held_is(AT_FDCWD, path));
	free(inside);
}

Test(lodging, of_others_is_left_alone)
{
	const char *theirs = place_make("theirs");

	lodging_at(&lodging, theirs);
	cr_expect_str_eq(lodging.path, theirs);
	lodging_hold_again(&lodging);
	cr_expect_not(held_is(AT_FDCWD, theirs));
	cr_expect(lodging_leave(&lodging));
	cr_expect_eq(access(theirs, F_OK), 0);
}
