#include <criterion/criterion.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/held.h"
#include "unit/place.h"

TestSuite(held, .init = place_open, .fini = place_close);

Test(held, is_what_somebody_has_locked)
{
	const char *one;
	int fd;

	place_put("one/x", "x");
	one = place_of("one");
	cr_expect_not(held_is(AT_FDCWD, one));
	fd = open(one, O_RDONLY | O_DIRECTORY);
	cr_expect_not(held_is(AT_FDCWD, one), "it is open, but not locked");
	cr_assert_eq(flock(fd, LOCK_EX), 0);
	cr_expect(held_is(AT_FDCWD, one));
	close(fd);
	cr_expect_not(held_is(AT_FDCWD, one));
}

Test(held, is_seen_from_within)
{
	int within, fd;

	place_put("one/two/x", "x");
	within = open(place_of("one"), O_RDONLY | O_DIRECTORY);
	fd = openat(within, "two", O_RDONLY | O_DIRECTORY);
	cr_assert_eq(flock(fd, LOCK_EX), 0);
	cr_expect(held_is(within, "two"));
	cr_expect_not(held_is(within, "three"), "it is not there");
	close(fd);
	close(within);
}
