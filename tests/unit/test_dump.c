#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "place.h"
#include "probe/dump.h"

TestSuite(dump, .init = place_open, .fini = place_close);

/* What is in the file; "-": there is none. */
static const char *content(const char *name)
{
	static char text[64];
	FILE *file = fopen(place_of(name), "r");
	size_t size;

	if (!file)
		return "-";
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = '\0';
	fclose(file);
	return text;
}

static bool dump(const char *name, const char *bytes)
{
	return dump_class(place_folder, str_of(name), str_of(bytes), NULL);
}

Test(dump, has_a_file_for_each_class)
{
	cr_expect(dump("a/b/C", "one"));
	cr_expect(dump("a/b/D", "two"));
	cr_expect(dump("E", "three"));
	cr_expect_str_eq(content("a/b/C.class"), "one");
	cr_expect_str_eq(content("a/b/D.class"), "two");
	cr_expect_str_eq(content("E.class"), "three");
}

Test(dump, keeps_what_is_there)
{
	cr_expect(dump("a/C", "one"));
	cr_expect(dump("a/C", "one"));
	cr_expect(dump("a/C", "one more"));
	cr_expect(dump("a/C", "on"));
	cr_expect(dump("a/C", "on"));
	cr_expect_str_eq(content("a/C.class"), "one");
	cr_expect_str_eq(content("a/C.2.class"), "one more");
	cr_expect_str_eq(content("a/C.3.class"), "on");
	cr_expect_str_eq(content("a/C.4.class"), "-");
}

Test(dump, ends_with_so_many_of_a_name)
{
	char text[16];

	for (int i = 1; i <= DUMP_VERSIONS + 2; i++) {
		snprintf(text, sizeof(text), "%d", i);
		cr_expect(dump("C", text));
	}
	cr_expect_str_eq(content("C.100.class"), "100");
	cr_expect_str_eq(content("C.101.class"), "-");
}

Test(dump, stays_in_its_folder)
{
	static const char *const names[] = { "../C", "/tmp/C", "a/../../C", "a//C", "a/",
					     "", "a.b" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_expect(dump(names[i], "one"));
	cr_expect_eq(rmdir(place_folder), 0, "something is in it");
	cr_assert_eq(mkdir(place_folder, 0700), 0);
}

Test(dump, says_where_it_cannot_write)
{
	struct err err;
	char name[400];

	cr_expect(dump("a", "one"));
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	cr_expect_not(dump_class(place_folder, str_of(name), STR("one"), &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, place_folder), "%s", err.text);
}
