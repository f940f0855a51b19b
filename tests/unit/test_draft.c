#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/draft.h"
#include "unit/fault.h"
#include "unit/place.h"

static void begin(void)
{
	place_open();
	umask(027);
}

TestSuite(draft, .init = begin, .fini = place_close);

static void expect(const char *name, const char *wanted)
{
	char text[16] = "";
	int fd = open(place_of(name), O_RDONLY);

	cr_assert_geq(fd, 0, "%s", name);
	cr_expect_geq(read(fd, text, sizeof(text) - 1), 0);
	cr_expect_str_eq(text, wanted, "%s: %s", name, text);
	close(fd);
}

static mode_t rights(const char *name)
{
	struct stat status;

	cr_assert_eq(stat(place_of(name), &status), 0);
	return status.st_mode & 07777;
}

static struct draft open_at(const char *name)
{
	struct draft draft;

	cr_assert(draft_open(&draft, place_of(name)), "%s", strerror(errno));
	cr_assert_eq(write(draft.fd, "tea", 3), 3);
	return draft;
}

/* As where the file system has none without a name. */
static struct draft open_named_at(const char *name)
{
	struct draft draft = open_at(name);

	if (draft.name)
		return draft;
	close(draft.fd);
	cr_assert_gt(asprintf(&draft.name, "%s.draft", draft.path), 0);
	draft.fd = open(draft.name, O_WRONLY | O_CREAT | O_EXCL, 0600);
	cr_assert_eq(write(draft.fd, "tea", 3), 3);
	return draft;
}

Test(draft, is_not_there_before_it_is_placed)
{
	struct draft draft = open_at("a");

	cr_expect_neq(access(place_of("a"), F_OK), 0);
	cr_assert(draft_place(&draft));
	draft_drop(&draft);
	expect("a", "tea");
	cr_expect_eq(rights("a"), 0640);
}

Test(draft, is_gone_if_it_is_dropped)
{
	struct draft draft = open_at("a");

	draft_drop(&draft);
	draft = open_named_at("a");
	draft_drop(&draft);
	cr_expect_eq(rmdir(place_folder), 0);
	cr_expect_eq(mkdir(place_folder, 0700), 0);
}

Test(draft, replaces_what_is_there_with_its_rights)
{
	for (int named = 0; named < 2; named++) {
		struct draft draft;

		place_put("a", "older");
		cr_assert_eq(chmod(place_of("a"), 0606), 0);
		draft = named ? open_named_at("a") : open_at("a");
		cr_assert(draft_place(&draft));
		draft_drop(&draft);
		expect("a", "tea");
		cr_expect(named || rights("a") == 0606);
		cr_assert_eq(unlink(place_of("a")), 0);
	}
}

Test(draft, replaces_nothing_where_it_must_be_new)
{
	for (int named = 0; named < 2; named++) {
		struct draft draft;
		const char *taken = place_put("a", "older"), *free_one = place_of("b");

		draft = named ? open_named_at("a") : open_at("a");
		cr_expect_not(draft_place_new(&draft, taken));
		cr_expect_eq(errno, EEXIST);
		cr_expect(draft_place_new(&draft, free_one));
		draft_drop(&draft);
		expect("a", "older");
		expect("b", "tea");
		cr_assert_eq(unlink(free_one), 0);
	}
}

/* Left of a process with our number. */
Test(draft, finds_a_name_beside_others)
{
	struct draft draft;
	char name[64];

	snprintf(name, sizeof(name), "a.%ld", (long)getpid());
	place_put(name, "other");
	draft = open_at("a");
	cr_assert(draft_place(&draft), "%s", strerror(errno));
	draft_drop(&draft);
	expect("a", "tea");
	expect(name, "other");
}

Test(draft, follows_links)
{
	struct draft draft;
	struct stat status;

	place_make("data");
	cr_assert_eq(symlink("data/x", place_of("link")), 0);
	cr_assert_eq(symlink("link", place_of("first")), 0);
	for (int i = 0; i < 2; i++) {
		draft = open_at("first");
		cr_expect_str_eq(draft.path, place_of("data/x"));
		cr_assert(draft_place(&draft));
		draft_drop(&draft);
		expect("data/x", "tea");
		cr_assert_eq(lstat(place_of("link"), &status), 0);
		cr_expect(S_ISLNK(status.st_mode));
	}
}

Test(draft, needs_a_folder_and_no_circle)
{
	struct draft draft;

	cr_expect_not(draft_open(&draft, place_of("none/a")));
	cr_expect_eq(errno, ENOENT);
	cr_assert_eq(symlink("y", place_of("x")), 0);
	cr_assert_eq(symlink("x", place_of("y")), 0);
	cr_expect_not(draft_open(&draft, place_of("x")));
	cr_expect_eq(errno, ELOOP);
}

Test(draft, needs_memory)
{
	const char *path = place_of("a");
	struct draft draft;

	for (size_t n = 1; n < 10; n++) {
		bool is_good;

		fault_at(n);
		is_good = draft_open(&draft, path) && draft_place(&draft);
		if (!is_good)
			cr_expect(errno == ENOMEM || fault_happened());
		draft_drop(&draft);
		fault_at(0);
		cr_expect_eq(access(path, F_OK) == 0, is_good);
		unlink(path);
	}
}
