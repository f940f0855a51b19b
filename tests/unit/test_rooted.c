#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jvms/rooted.h"
#include "place.h"

TestSuite(rooted, .init = place_open, .fini = place_close);

static struct rooted in_place(void)
{
	return (struct rooted){
		.fd = open(place_folder, O_PATH | O_DIRECTORY | O_CLOEXEC),
		.path = strdup(place_folder),
	};
}

static void expect_text(int fd, const char *text)
{
	char bytes[16] = "";

	cr_assert_geq(fd, 0, "%s: %s", text, strerror(errno));
	cr_expect_gt(read(fd, bytes, sizeof(bytes) - 1), 0);
	cr_expect_str_eq(bytes, text);
	close(fd);
}

Test(rooted, links_lead_to_where_they_lead_the_process)
{
	struct rooted rooted = in_place();

	place_put("etc/passwd", "inside");
	place_make("tmp");
	cr_assert_eq(symlink("/etc/passwd", place_of("tmp/link")), 0);
	cr_assert_eq(symlink("../../../../etc/passwd", place_of("tmp/up")), 0);
	cr_assert_eq(symlink("/etc", place_of("tmp/folder")), 0);
	expect_text(rooted_open(&rooted, "/tmp/link", O_RDONLY, 0), "inside");
	expect_text(rooted_open(&rooted, "tmp/up", O_RDONLY, 0), "inside");
	expect_text(rooted_open(&rooted, "/tmp/folder/passwd", O_RDONLY, 0), "inside");
	expect_text(rooted_open(&rooted, "/../etc/passwd", O_RDONLY, 0), "inside");
	rooted_end(&rooted);
}

Test(rooted, no_link_of_proc_is_followed)
{
	struct rooted rooted = { .fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC) };

	cr_expect_lt(rooted_open(&rooted, "/proc/self/cwd", O_RDONLY, 0), 0);
	cr_expect_eq(errno, ELOOP);
	rooted_end(&rooted);
}

Test(rooted, without_the_system_s_help_no_link_is_followed)
{
	int root = open(place_folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	place_put("etc/passwd", "inside");
	place_make("tmp");
	cr_assert_eq(symlink("/etc/passwd", place_of("tmp/link")), 0);
	cr_assert_eq(symlink("/etc", place_of("tmp/folder")), 0);
	expect_text(rooted_open_stepwise(root, "/etc//./passwd", O_RDONLY, 0),
		    "inside");
	cr_expect_lt(rooted_open_stepwise(root, "/tmp/link", O_RDONLY, 0), 0);
	cr_expect_eq(errno, ELOOP);
	cr_expect_lt(rooted_open_stepwise(root, "/tmp/folder/passwd", O_RDONLY, 0), 0);
	cr_expect_eq(errno, ELOOP);
	cr_expect_lt(rooted_open_stepwise(root, "/tmp/../etc/passwd", O_RDONLY, 0), 0);
	cr_expect_eq(errno, EXDEV);
	cr_expect_lt(rooted_open_stepwise(root, "/tmp/nothing", O_RDONLY, 0), 0);
	cr_expect_eq(errno, ENOENT);
	close(root);
}

Test(rooted, tells_what_the_process_calls_a_path)
{
	struct rooted rooted = { .fd = -1, .path = strdup("/a/root") };
	static const struct {
		const char *path, *inside;
	} rows[] = {
		{ "/a/root/tmp/x", "/tmp/x" },
		{ "/a/root", "/" },
		{ "/a/rooted/x", NULL },
		{ "/b", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *inside = rooted_inside(&rooted, rows[i].path);

		cr_expect_eq(!inside, !rows[i].inside, "%s", rows[i].path);
		if (inside && rows[i].inside)
			cr_expect_str_eq(inside, rows[i].inside);
		free(inside);
	}
	rooted_end(&rooted);
}

Test(rooted, is_ours_if_it_is_ourselves)
{
	struct process process;
	struct rooted rooted;
	char *path;
	int fd;

	cr_assert(process_open(&process, getpid()));
	cr_expect_not(rooted_is_elsewhere(&process));
	cr_assert(rooted_begin(&rooted, &process));
	fd = rooted_open(&rooted, place_folder, O_PATH | O_DIRECTORY, 0);
	cr_assert_geq(fd, 0);
	path = rooted_path(&rooted, fd);
	cr_expect_str_eq(path, place_folder);
	free(path);
	close(fd);
	rooted_end(&rooted);
	process_close(&process);
}
