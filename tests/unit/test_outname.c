#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "control/outname.h"
#include "unit/fault.h"
#include "unit/place.h"

static void expect(char *name, const char *wanted)
{
	cr_assert_not_null(name);
	cr_expect_str_eq(name, wanted);
	free(name);
}

Test(outname, has_the_process_and_the_time_in_it)
{
	setenv("TZ", "UTC", 1);
	tzset();
	expect(outname_expand("x-%p-%t-%%.jfr", 12, 1796036400000000000),
	       "x-12-20261130-110000-%.jfr");
	expect(outname_expand("plain", 12, 0), "plain");
	expect(outname_expand("", 12, 0), "");
	setenv("TZ", "CET-1", 1);
	tzset();
	expect(outname_expand("%t", 12, 1796036400000000000), "20261130-120000");
}

Test(outname, has_a_default)
{
	expect(outname_default(NULL, "app"), "app-%p-%t.jfr");
	expect(outname_default("out", "app"), "out/app-%p-%t.jfr");
	expect(outname_default("out/", "app"), "out/app-%p-%t.jfr");
	expect(outname_default("100%p", "app"), "100%%p/app-%p-%t.jfr");
}

Test(outname, knows_what_a_percent_sign_means)
{
	cr_expect_null(outname_unknown("a").bytes);
	cr_expect_null(outname_unknown("%p%t%%").bytes);
	cr_expect(str_is(outname_unknown("a%xb"), STR("%x")));
	cr_expect(str_is(outname_unknown("%%%"), STR("%")));
	cr_expect(str_is(outname_unknown("%%x%P"), STR("%P")));
}

Test(outname, can_be_made_distinct)
{
	expect(outname_distinct("a.jfr", 12, 0), "a-12.jfr");
	expect(outname_distinct("x.y/a", 12, 0), "x.y/a-12");
	expect(outname_distinct("x/.jfr", 12, 0), "x/.jfr-12");
	expect(outname_distinct("a.jfr", 12, 1), "a-12-2.jfr");
	expect(outname_distinct("a.jfr", 12, 9), "a-12-10.jfr");
}

Test(outname, is_seen_from_the_root_whatever_folders_are_called)
{
	char *pattern, *name;

	place_open();
	cr_assert_eq(chdir(place_make("100%p %")), 0);
	pattern = outname_absolute("app-%p.jfr");
	cr_assert(pattern);
	name = outname_expand(pattern, 12, 0);
	cr_expect_str_eq(name, place_of("100%p %/app-12.jfr"));
	free(name);
	free(pattern);
	expect(outname_absolute("/x//%p"), "/x/%p");
	place_close();
}

Test(outname, needs_memory)
{
	for (size_t n = 1; n < 3; n++) {
		fault_at(n);
		free(outname_default("x", "y"));
		free(outname_expand("%p", 1, 0));
		free(outname_distinct("x", 1, 0));
		cr_expect(fault_happened());
	}
	fault_at(1);
	cr_expect_null(outname_expand("%p", 1, 0));
	fault_at(0);
}
