#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"

Test(err, holds_kind_and_text)
{
	struct err err = { 0 };

	cr_assert_not(err_set(&err, ERR_FORMAT, "size %d is too big", 7));
	cr_assert_eq(err.kind, ERR_FORMAT);
	cr_assert_str_eq(err.text, "size 7 is too big");
}

Test(err, may_be_absent)
{
	cr_assert_not(err_set(NULL, ERR_FORMAT, "%s", "x"));
	cr_assert_not(err_system(NULL, "%s", "x"));
	cr_assert_not(err_memory(NULL));
	cr_assert_not(err_within(NULL, "%s", "x"));
}

Test(err, ends_with_the_reason_of_the_system)
{
	struct err err = { 0 };

	errno = ENOENT;
	cr_assert_not(err_system(&err, "cannot open %s", "r.jfr"));
	cr_assert_eq(err.kind, ERR_SYSTEM);
	cr_assert_str_eq(err.text, "cannot open r.jfr (No such file or directory)");
	cr_assert_eq(errno, ENOENT);
}

Test(err, keeps_the_reason_behind_a_long_path)
{
	struct err err = { 0 };
	char path[4000];

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	errno = EACCES;
	err_system(&err, "cannot open %s", path);
	cr_assert_eq(strlen(err.text), sizeof(err.text) - 1);
	cr_assert(strstr(err.text, "xxx... (Permission denied)"));
}

Test(err, tells_from_the_outside_in)
{
	struct err err = { 0 };

	err_set(&err, ERR_FORMAT, "bad size");
	cr_assert_not(err_within(&err, "chunk %d", 2));
	cr_assert_not(err_within(&err, "a.jfr"));
	cr_assert_str_eq(err.text, "a.jfr: chunk 2: bad size");
	cr_assert_eq(err.kind, ERR_FORMAT);
}

Test(err, cuts_the_place_before_the_cause)
{
	struct err err = { 0 };
	char path[1000];

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	err_set(&err, ERR_FORMAT, "bad size");
	err_within(&err, "%s", path);
	cr_assert_eq(strlen(err.text), sizeof(err.text) - 1);
	cr_assert_str_eq(err.text + sizeof(err.text) - 1 - 13, "...: bad size");
}

Test(err, survives_places_without_end)
{
	struct err err = { 0 };

	err_set(&err, ERR_FORMAT, "bad size");
	for (int i = 0; i < 500; i++)
		err_within(&err, "level %d", i);
	cr_assert_lt(strlen(err.text), sizeof(err.text));
	cr_assert_str_eq(err.text + strlen(err.text) - 8, "bad size");
}

Test(err, cuts_between_characters)
{
	struct err err = { 0 };
	char text[2000] = "";

	for (size_t i = 0; i < 600; i++)
		memcpy(text + 3 * i, "\xe2\x82\xac", 4);
	for (int shift = 0; shift < 3; shift++) {
		size_t size;

		err_set(&err, ERR_FORMAT, "%.*s%s", shift, "abc", text);
		size = strlen(err.text);
		cr_assert_str_eq(err.text + size - 4, "\xac...");
		cr_assert_eq((size - 3 - (size_t)shift) % 3, 0);
		cr_assert_geq(size, sizeof(err.text) - 4);
	}
}

Test(err, is_one_line_without_escapes)
{
	struct err err = { 0 };

	err_set(&err, ERR_FORMAT, "bad name %s", "a\nb\033[31mc\177");
	cr_assert_str_eq(err.text, "bad name a?b?[31mc?");
}

Test(err, may_be_told_of_itself)
{
	struct err err = { 0 };

	err_set(&err, ERR_FORMAT, "bad size");
	err_set(&err, ERR_USAGE, "I said: %s", err.text);
	cr_assert_str_eq(err.text, "I said: bad size");
	err_within(&err, "<%s>", err.text);
	cr_assert_str_eq(err.text, "<I said: bad size>: I said: bad size");
}

Test(err, needs_no_memory_to_say_so)
{
	struct err err = { 0 };

	cr_assert_not(err_memory(&err));
	cr_assert_eq(err.kind, ERR_MEMORY);
	cr_assert_str_eq(err.text, "out of memory");
}
