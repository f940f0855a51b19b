#include <criterion/criterion.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control/places.h"
#include "unit/place.h"

TestSuite(places, .init = place_open, .fini = place_close);

Test(places, have_names)
{
	cr_expect(places_is_session(STR("cjfr-aZ09xy")));
	cr_expect_not(places_is_session(STR("cjfr-aZ09xyz")));
	cr_expect_not(places_is_session(STR("cjfr-aZ09x")));
	cr_expect_not(places_is_session(STR("cjfr-aZ0.xy")));
	cr_expect_not(places_is_session(STR("cjfx-aZ09xy")));
	cr_expect(places_is_of_session("orders") && places_is_of_session("socket"));
	cr_expect(places_is_of_session("control") && places_is_of_session("agent.log"));
	cr_expect_not(places_is_of_session("orders2"));
}

static const char *const ours[] = { "one/a.jfr", "one/spill", "one/spill.part",
				    "one/agent.log" };

static void put_ours(void)
{
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		place_put(ours[i], "x");
	cr_assert_eq(symlink("a", place_of("one/output")), 0);
	cr_assert_eq(symlink("a", place_of("one/output.part")), 0);
}

Test(places, are_removed_whole)
{
	const char *one = place_of("one");

	put_ours();
	cr_expect(places_discard(one));
	cr_expect_neq(access(one, F_OK), 0);
	cr_expect(places_discard(one), "it is gone already");
}

Test(places, keep_what_is_not_of_them)
{
	const char *one = place_of("one"), *log = place_of("one/agent.log");
	const char *notes;

	put_ours();
	notes = place_put("one/notes.txt", "x");
	place_put("one/deep.jfr/a.jfr", "x");
	cr_assert_eq(unlink(log), 0);
	cr_assert_eq(symlink("notes.txt", log), 0);
	cr_expect_not(places_discard(one));
	cr_expect_eq(access(notes, F_OK), 0);
	cr_expect_eq(access(log, F_OK), 0);
	cr_expect_eq(access(place_of("one/deep.jfr/a.jfr"), F_OK), 0);
	cr_expect_neq(access(place_of("one/a.jfr"), F_OK), 0);
	cr_assert_eq(symlink("one", place_of("link")), 0);
	cr_expect_not(places_discard(place_of("link")));
}

Test(places, have_chunks_or_not)
{
	int one = open(place_make("one"), O_RDONLY | O_DIRECTORY);

	cr_expect_not(places_has_chunks(-1));
	cr_expect_not(places_has_chunks(one));
	place_put("one/a.jfr", "");
	place_put("one/b.txt", "x");
	place_make("one/c.jfr");
	cr_expect_not(places_has_chunks(one));
	place_put("one/d.jfr", "x");
	cr_expect(places_has_chunks(one));
	close(one);
}

Test(places, of_sessions_are_removed_with_nothing_else)
{
	int folder;

	place_put("one/orders", "x");
	place_put("one/a.jfr", "x");
	folder = open(place_of("one"), O_RDONLY | O_DIRECTORY);
	cr_assert_geq(folder, 0);
	cr_expect_not(places_empty_session(folder));
	cr_expect_eq(access(place_of("one/orders"), F_OK), 0, "all, or nothing");
	cr_assert_eq(unlink(place_of("one/a.jfr")), 0);
	cr_expect(places_empty_session(folder));
	cr_expect_eq(rmdir(place_of("one")), 0);
	close(folder);
}
