#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/discard.h"
#include "unit/place.h"

TestSuite(discard, .init = place_open, .fini = place_close);

Test(discard, takes_a_folder_with_its_files_but_no_folders)
{
	const char *one = place_of("one"), *deep = place_make("one/deep");

	place_put("one/a.jfr", "x");
	cr_expect_not(discard_folder(one));
	rmdir(deep);
	cr_expect(discard_folder(one));
	cr_expect(discard_folder(one), "it is gone already");
}

Test(discard, follows_no_link)
{
	const char *one = place_make("one"), *other = place_make("other");
	const char *link = place_of("link");

	place_put("other/a.jfr", "x");
	cr_assert_eq(symlink(other, place_of("one/there")), 0);
	cr_assert_eq(symlink(place_of("other/a.jfr"), place_of("one/file")), 0);
	cr_expect(discard_folder(one));
	cr_expect_eq(access(place_of("other/a.jfr"), F_OK), 0);
	cr_assert_eq(symlink(other, link), 0);
	cr_expect_not(discard_folder(link));
	cr_expect_eq(access(place_of("other/a.jfr"), F_OK), 0);
	unlink(link);
	cr_expect(discard_folder(other));
}

static bool count(int folder, const char *name, void *context)
{
	cr_expect_eq(faccessat(folder, name, F_OK, 0), 0);
	return ++*(int *)context < 2;
}

Test(discard, shows_names_until_it_is_enough)
{
	const char *one = place_make("one");
	int fd = open(one, O_RDONLY | O_DIRECTORY), seen = 0;

	cr_expect(discard_each(fd, count, &seen));
	place_put("one/a", "x");
	place_put("one/b", "x");
	place_put("one/c", "x");
	cr_expect_not(discard_each(fd, count, &seen));
	cr_expect_eq(seen, 2);
	cr_expect_not(discard_each(-1, count, &seen));
	discard_files(fd);
	close(fd);
	cr_expect(discard_folder(one));
}
