#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"

static void expect(char *path, const char *wanted)
{
	cr_assert_not_null(path);
	cr_expect_str_eq(path, wanted);
	free(path);
}

/* The path behind the current directory. */
static const char *here(const char *path)
{
	static char text[8192];
	char *directory = getcwd(NULL, 0);

	cr_assert_not_null(directory);
	snprintf(text, sizeof(text), "%s%s", directory, path);
	free(directory);
	return text;
}

Test(path, is_seen_from_the_root)
{
	expect(path_absolute("a.jfr"), here("/a.jfr"));
	expect(path_absolute("x/a.jfr"), here("/x/a.jfr"));
	expect(path_absolute("./../a.jfr"), here("/./../a.jfr"));
	expect(path_absolute("."), here("/."));
	expect(path_absolute(""), here(""));
	expect(path_absolute("x//y///"), here("/x/y"));
	expect(path_absolute("/x/a.jfr"), "/x/a.jfr");
	expect(path_absolute("//x//.//a.jfr/"), "/x/./a.jfr");
	expect(path_absolute("/"), "/");
	expect(path_absolute("///"), "/");
}

Test(path, in_the_root_has_one_slash)
{
	cr_assert_eq(chdir("/"), 0);
	expect(path_absolute("a.jfr"), "/a.jfr");
	expect(path_absolute(""), "/");
}

Test(path, is_within_a_folder)
{
	expect(path_within("x", "a.jfr"), "x/a.jfr");
	expect(path_within("x/", "a.jfr"), "x/a.jfr");
	expect(path_within("/", "a.jfr"), "/a.jfr");
	expect(path_within("/x//y", "a.jfr"), "/x/y/a.jfr");
}

Test(path, ends_in_a_name)
{
	static const struct {
		const char *path, *name;
	} cases[] = {
		{ "a.jfr", "a.jfr" },  { "x/a.jfr", "a.jfr" },
		{ "/a.jfr", "a.jfr" }, { "x/y/", "y" },
		{ "x//y//", "y" },     { "..", ".." },
		{ "/", "" },	       { "", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str name = path_last(cases[i].path);

		cr_expect(str_is(name, str_of(cases[i].name)), "%s: %.*s",
			  cases[i].path, (int)name.size, name.bytes);
	}
}
