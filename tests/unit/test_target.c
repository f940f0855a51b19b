#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/target.h"

static char folder[] = "/tmp/cjfr-target-XXXXXX";

static void open_folder(void)
{
	cr_assert(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
	umask(022);
}

static void close_folder(void)
{
	unlink("file");
	unlink("link");
	cr_expect_eq(rmdir(folder), 0, "something is left");
}

TestSuite(target, .init = open_folder, .fini = close_folder);

static bool write_to(const char *path, const char *text, bool is_good)
{
	struct err err = { 0 };
	struct target target;

	if (!target_open(&target, path, &err))
		return false;
	out_write(&target.out, text, strlen(text));
	return target_close(&target, is_good, &err);
}

static void expect(const char *path, const char *wanted, int line)
{
	FILE *file = fopen(path, "r");
	char text[16] = "";

	cr_assert(file, "line %d", line);
	cr_expect_eq(fread(text, 1, sizeof(text) - 1, file), strlen(wanted), "line %d",
		     line);
	cr_expect_str_eq(text, wanted, "line %d", line);
	fclose(file);
}

#define HAS(path, wanted) expect(path, wanted, __LINE__)

static mode_t rights(const char *path)
{
	struct stat status;

	cr_assert_eq(stat(path, &status), 0);
	return status.st_mode & 0777;
}

static size_t files(void)
{
	DIR *directory = opendir(".");
	size_t count = 0;

	cr_assert(directory);
	for (const struct dirent *entry; (entry = readdir(directory));)
		count += entry->d_name[0] != '.';
	closedir(directory);
	return count;
}

Test(target, is_there_when_it_is_complete)
{
	struct err err = { 0 };
	struct target target;

	cr_assert(target_open(&target, "file", &err));
	cr_assert(out_write(&target.out, "tea", 3));
	cr_expect_neq(access("file", F_OK), 0);
	cr_assert(target_close(&target, true, &err));
	HAS("file", "tea");
	cr_expect_eq(rights("file"), 0644);
	cr_expect_eq(files(), 1);
}

Test(target, leaves_nothing_if_it_is_not_good)
{
	cr_expect_not(write_to("file", "tea", false));
	cr_expect_eq(files(), 0);
}

Test(target, keeps_the_rights_of_what_it_replaces)
{
	cr_assert(write_to("file", "tea", true));
	cr_assert_eq(chmod("file", 0600), 0);
	cr_assert_not(write_to("file", "nothing", false));
	HAS("file", "tea");
	cr_assert(write_to("file", "coffee", true));
	HAS("file", "coffee");
	cr_expect_eq(rights("file"), 0600);
	cr_expect_eq(files(), 1);
}

Test(target, is_where_a_link_leads_to)
{
	cr_assert_eq(symlink("file", "link"), 0);
	cr_assert(write_to("link", "tea", true));
	HAS("file", "tea");
	cr_expect_eq(files(), 2);
}

Test(target, may_be_a_pipe_without_a_name)
{
	char path[32], text[4] = "";
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
	cr_assert(write_to(path, "tea", true));
	cr_expect_eq(read(ends[0], text, 3), 3);
	cr_expect_str_eq(text, "tea");
	close(ends[0]);
	close(ends[1]);
}

Test(target, is_not_written_where_there_is_no_folder)
{
	cr_expect_not(write_to("no-such-folder/file", "tea", true));
	cr_expect_not(write_to("", "tea", true));
}
