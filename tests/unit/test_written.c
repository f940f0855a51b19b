#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "control/written.h"
#include "unit/fault.h"
#include "unit/place.h"

static struct written written;
static const char *repository;

static void begin(void)
{
	place_open();
	repository = place_make("repository");
}

TestSuite(written, .init = begin, .fini = place_close);

static void ask(void)
{
	memset(&written, 1, sizeof(written));
	written_ask(&written, repository);
}

static void expect_nothing(void)
{
	ask();
	cr_expect_str_eq(written.path, "");
	cr_expect_not(written.is_complete);
	cr_expect_eq(written.inode, 0u);
}

Test(written, is_nothing_at_first)
{
	expect_nothing();
	repository = "/nowhere/at/all";
	expect_nothing();
	cr_expect_not(written_say(repository, "/x", true));
}

Test(written, is_what_was_said_last)
{
	const char *path = place_of("a:b c.jfr");
	struct stat status;

	cr_assert(written_say(repository, path, false));
	ask();
	cr_expect_str_eq(written.path, path);
	cr_expect_eq(written.inode, 0u, "it is not there yet");
	place_put("a:b c.jfr", "x");
	cr_assert_eq(stat(path, &status), 0);
	cr_expect_not(written_is(&written, &status));
	cr_assert(written_say(repository, path, false));
	ask();
	cr_expect(written_is(&written, &status));
	cr_expect_not(written.is_complete);
	cr_assert(written_say(repository, path, true));
	ask();
	cr_expect(written_is(&written, &status));
	cr_expect(written.is_complete);
	status.st_mtim.tv_nsec++;
	cr_expect_not(written_is(&written, &status), "its number is another's");
	status.st_mtim.tv_nsec--;
	status.st_ino++;
	cr_expect_not(written_is(&written, &status));
}

Test(written, has_a_path_from_the_root)
{
	const char *path = place_of("app.jfr");

	cr_assert_eq(chdir(place_folder), 0);
	cr_assert(written_say(repository, "app.jfr", true));
	ask();
	cr_expect_str_eq(written.path, path);
	cr_assert(written_say(repository, "-", false));
	ask();
	cr_expect_str_eq(written.path, "-");
}

Test(written, is_nothing_if_it_is_not_ours)
{
	static const char *const texts[] = {
		"x", "complete", "complete:1:2", "complete:1:2:/x", "finished:1:2:3:/x",
		"partial:a:2:3:/x", "completely:1:2:3:/x",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		unlink(place_of("repository/output"));
		cr_assert_eq(symlink(texts[i], place_of("repository/output")), 0);
		expect_nothing();
	}
	unlink(place_of("repository/output"));
	place_put("repository/output", "complete:1:2:3:/x");
	expect_nothing();
}

Test(written, needs_memory)
{
	const char *path = place_of("a.jfr");
	bool is_said = false;

	for (size_t n = 1; n < 10; n++) {
		fault_at(n);
		is_said = written_say(repository, path, true);
		cr_expect_eq(is_said, !fault_happened());
		fault_at(0);
	}
	cr_expect(is_said);
}
