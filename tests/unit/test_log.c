#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/log.h"

static char folder[] = "/tmp/cjfr-log-XXXXXX";
static char path[sizeof(folder) + 16];

static void make_folder(void)
{
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/agent.log", folder);
}

static void remove_folder(void)
{
	unlink(path);
	rmdir(folder);
}

/* The text of the line, without its time; NULL: there is none. */
static const char *line_of(int number)
{
	static char line[2048];
	FILE *file = fopen(path, "r");
	char *found = NULL;

	while (file && number-- > 0)
		found = fgets(line, sizeof(line), file);
	if (file)
		fclose(file);
	if (!found)
		return NULL;
	cr_assert_eq(strspn(line, "0123456789-T:Z"), 20);
	line[strcspn(line, "\n")] = 0;
	return line + 21;
}

TestSuite(log, .init = make_folder, .fini = remove_folder);

Test(log, is_a_file_for_its_owner_once_there_is_something_to_say)
{
	struct stat stat_;

	log_line("nobody hears this");
	cr_assert(log_open(folder));
	cr_expect_neq(access(path, F_OK), 0);
	log_line("first");
	log_say("%d of %s", 2, "two\nlines");
	cr_expect_str_eq(line_of(1), "first");
	cr_expect_str_eq(line_of(2), "2 of two?lines");
	cr_expect_null(line_of(3));
	cr_assert_eq(stat(path, &stat_), 0);
	cr_expect_eq(stat_.st_mode & 0777, 0600);
}

Test(log, follows_no_link)
{
	char there[sizeof(path) + 2];

	snprintf(there, sizeof(there), "%s.x", path);
	cr_assert_eq(symlink(there, path), 0);
	cr_assert(log_open(folder));
	log_line("secret");
	cr_expect_neq(access(there, F_OK), 0);
}

Test(log, ends_after_so_many_lines)
{
	cr_assert(log_open(folder));
	for (int i = 0; i <= LOG_LINES; i++)
		log_say("line %d", i);
	cr_expect_str_eq(line_of(LOG_LINES), "line 999");
	cr_expect_null(line_of(LOG_LINES + 1));
}

Test(log, may_be_closed_and_opened_again)
{
	cr_assert(log_open(folder));
	log_line("first");
	log_close();
	log_line("nobody hears this");
	for (int i = 0; i < LOG_LINES; i++)
		log_line("nor this");
	cr_assert(log_open(folder));
	log_line("second");
	cr_expect_str_eq(line_of(2), "second");
	cr_expect_null(line_of(3));
}
