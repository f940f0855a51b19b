#include <criterion/criterion.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/entries.h"
#include "unit/place.h"

TestSuite(entries, .init = place_open, .fini = place_close);

static bool count(int folder, const char *name, void *context)
{
	cr_expect_eq(faccessat(folder, name, F_OK, 0), 0);
	return ++*(int *)context < 2;
}

Test(entries, are_shown_until_it_is_enough)
{
	const char *one = place_make("one");
	int fd = open(one, O_RDONLY | O_DIRECTORY), seen = 0;

	cr_expect(entries_each(fd, count, &seen));
	place_put("one/a", "x");
	cr_expect(entries_each(fd, count, &seen));
	cr_expect_eq(seen, 1);
	place_put("one/b", "x");
	place_put("one/c", "x");
	cr_expect_not(entries_each(fd, count, &seen));
	cr_expect_eq(seen, 2);
	close(fd);
}

Test(entries, are_those_of_a_folder)
{
	int seen = 0;

	cr_expect_not(entries_each(-1, count, &seen));
	cr_expect_not(entries_each_of(place_of("none"), count, &seen));
	place_put("one/a", "x");
	cr_expect_not(entries_each_of(place_of("one/a"), count, &seen));
	cr_assert_eq(symlink("one", place_of("link")), 0);
	cr_expect(entries_each_of(place_of("link"), count, &seen));
	cr_expect_eq(seen, 1);
}
