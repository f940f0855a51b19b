#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/finish.h"
#include "base/now.h"
#include "control/written.h"
#include "jfr/header.h"
#include "unit/place.h"

/* A session, and a repository in it. */
static struct repository repository;
static struct orders orders;
static struct err err;

/* When the session did. */
#define BEGIN (1000000000 * SECOND)

static void set(struct str *member, const char *text)
{
	cr_assert(orders_text(&orders, member, str_of(text)));
}

static void begin(void)
{
	place_open();
	umask(022);
	orders_init(&orders);
	set(&orders.repository, place_make("session"));
	set(&orders.socket, place_of("session/socket"));
	set(&orders.destination, place_of("app.jfr"));
	place_put("session/orders", "x");
	place_put("session/socket", "x");
	cr_assert(repository_open(&repository, orders.repository.bytes, &err));
}

static void end(void)
{
	repository_close(&repository);
	orders_clear(&orders);
	place_close();
}

TestSuite(finish, .init = begin, .fini = end);

/* A chunk that starts then: a header, and bytes behind it. */
static void add_chunk(int64_t start, size_t size)
{
	struct header header = { .major = 2, .chunk_size = (int64_t)(HEADER_SIZE + size),
				 .start_nanos = start, .start_ticks = start };
	int fd = repository_begin(&repository, start, 1, NULL);
	struct buf bytes = { 0 };

	header_write(&header, &bytes);
	buf_fill(&bytes, 'x', size);
	cr_assert_eq(write(fd, bytes.bytes, bytes.size), (ssize_t)bytes.size);
	close(fd);
	repository_grown(&repository, bytes.size, start + SECOND);
	buf_clear(&bytes);
}

static bool finish_in(int64_t time)
{
	return finish_recording(&repository, &orders, BEGIN, now_ticks() + time, &err);
}

static bool finish(void)
{
	return finish_in(60 * SECOND);
}

static void expect_good(void)
{
	cr_expect(finish(), "%s", err.text);
}

static struct stat status_of(const char *name)
{
	struct stat status = { .st_size = -1 };

	(void)!stat(place_of(name), &status);
	return status;
}

static void expect_size(const char *name, size_t size)
{
	cr_expect_eq(status_of(name).st_size, (off_t)size);
}

static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

/* What goes with the last recording of a session. */
static void expect_clean(void)
{
	cr_expect_not(is_there(repository.path));
	cr_expect_not(is_there(orders.repository.bytes));
}

/* How many names there are in the folder of the test. */
static int names(void)
{
	char command[400];
	FILE *pipe;
	int count = -1;

	snprintf(command, sizeof(command), "ls -A %s | wc -l", place_folder);
	pipe = popen(command, "r");
	cr_assert_eq(fscanf(pipe, "%d", &count), 1);
	pclose(pipe);
	return count;
}

Test(finish, takes_one_chunk_as_it_is)
{
	struct stat status;

	add_chunk(BEGIN, 100);
	expect_good();
	expect_clean();
	status = status_of("app.jfr");
	cr_expect_eq(status.st_size, HEADER_SIZE + 100);
	cr_expect_eq(status.st_mode & 07777, 0644u);
	cr_expect_eq(status.st_nlink, 1u);
	cr_expect_eq(names(), 1);
}

Test(finish, joins_chunks_in_their_order)
{
	struct header header;
	unsigned char bytes[HEADER_SIZE];
	int fd;

	add_chunk(BEGIN, 100);
	add_chunk(BEGIN + SECOND, 20 << 20);
	add_chunk(BEGIN + 2 * SECOND, 7);
	expect_good();
	expect_clean();
	expect_size("app.jfr", 3 * HEADER_SIZE + 107 + (20 << 20));
	cr_expect_eq(names(), 1);
	fd = open(place_of("app.jfr"), O_RDONLY);
	cr_assert_eq(pread(fd, bytes, sizeof(bytes), HEADER_SIZE + 100), HEADER_SIZE);
	cr_assert(header_read(&header, bytes, sizeof(bytes), NULL));
	cr_expect_eq(header.start_nanos, BEGIN + SECOND);
	close(fd);
}

Test(finish, takes_of_a_file_what_counts)
{
	add_chunk(BEGIN, 100);
	add_chunk(BEGIN + SECOND, 100);
	repository_grown(&repository, HEADER_SIZE + 50, BEGIN + SECOND);
	expect_good();
	expect_size("app.jfr", 2 * HEADER_SIZE + 150);
}

Test(finish, replaces_what_is_older_and_keeps_its_rights)
{
	struct timespec old[2] = { { .tv_sec = 5 }, { .tv_sec = 5 } };
	const char *path = place_put("app.jfr", "older");

	cr_assert_eq(chmod(path, 0640), 0);
	cr_assert_eq(utimensat(AT_FDCWD, path, old, 0), 0);
	add_chunk(BEGIN, 100);
	expect_good();
	expect_size("app.jfr", HEADER_SIZE + 100);
	cr_expect_eq(status_of("app.jfr").st_mode & 07777, 0640u);
}

/* What lies under the name with our number, and whatever comes behind that. */
static const char *distinct(const char *more)
{
	static char name[60];

	snprintf(name, sizeof(name), "app-%ld%s.jfr", (long)getpid(), more);
	return name;
}

Test(finish, replaces_nothing_under_a_name_that_nobody_chose)
{
	struct timespec old[2] = { { .tv_sec = 5 }, { .tv_sec = 5 } };

	cr_assert_eq(utimensat(AT_FDCWD, place_put("app.jfr", "older"), old, 0), 0);
	orders.made_up = true;
	add_chunk(BEGIN, 100);
	expect_good();
	expect_size("app.jfr", 5);
	expect_size(distinct(""), HEADER_SIZE + 100);
}

/* The process that waited has written what there was, and has gone. */
Test(finish, replaces_its_own_beginning)
{
	const char *path = place_put("app.jfr", "half");

	cr_assert(written_say(repository.path, path, false));
	add_chunk(BEGIN, 100);
	expect_good();
	expect_size("app.jfr", HEADER_SIZE + 100);
	cr_expect_eq(names(), 1);
}

Test(finish, replaces_no_beginning_that_somebody_has_replaced)
{
	const char *path = place_put("app.jfr", "half");

	cr_assert(written_say(repository.path, path, false));
	place_put("other", "scrubbed");
	cr_assert_eq(rename(place_of("other"), path), 0);
	add_chunk(BEGIN, 100);
	expect_good();
	expect_size("app.jfr", 8);
	expect_size(distinct(""), HEADER_SIZE + 100);
}

Test(finish, takes_the_name_that_it_was_told)
{
	cr_assert(written_say(repository.path, place_of("other.jfr"), false));
	add_chunk(BEGIN, 100);
	expect_good();
	expect_size("other.jfr", HEADER_SIZE + 100);
	cr_expect_eq(names(), 1);
}

Test(finish, writes_nothing_that_is_written)
{
	const char *path = place_put("app.jfr", "all");

	cr_assert(written_say(repository.path, path, true));
	cr_assert_eq(unlink(path), 0);
	place_put("app.jfr", "somebody's");
	add_chunk(BEGIN, 100);
	orders.preserve = true;
	expect_good();
	expect_size("app.jfr", 10);
	orders.preserve = false;
	expect_good();
	expect_clean();
	cr_expect_eq(names(), 1);
}

Test(finish, leaves_what_another_process_has_written)
{
	place_put("app.jfr", "another JVM's");
	add_chunk(BEGIN, 100);
	expect_good();
	expect_clean();
	expect_size("app.jfr", 13);
	expect_size(distinct(""), HEADER_SIZE + 100);
}

/* There may be one more with our number, in a namespace of its own. */
Test(finish, leaves_others_that_have_its_number)
{
	place_put("app.jfr", "another JVM's");
	place_put(distinct(""), "one more");
	place_put(distinct("-2"), "and more");
	add_chunk(BEGIN, 100);
	expect_good();
	expect_size(distinct(""), 8);
	expect_size(distinct("-2"), 8);
	expect_size(distinct("-3"), HEADER_SIZE + 100);
}

Test(finish, leaves_a_link_to_nothing_a_link)
{
	struct stat status;

	cr_assert_eq(symlink("x.jfr", place_of("app.jfr")), 0);
	add_chunk(BEGIN, 100);
	expect_good();
	cr_assert_eq(lstat(place_of("app.jfr"), &status), 0);
	cr_expect(S_ISLNK(status.st_mode));
	expect_size("x.jfr", HEADER_SIZE + 100);
}

Test(finish, leaves_a_link_a_link)
{
	struct stat status;

	place_put("data/x.jfr", "");
	cr_assert_eq(symlink("data/x.jfr", place_of("app.jfr")), 0);
	cr_assert_eq(truncate(place_of("data/x.jfr"), 0), 0);
	cr_assert_eq(utimensat(AT_FDCWD, place_of("data/x.jfr"),
			       (struct timespec[2]){ { 5, 0 }, { 5, 0 } }, 0), 0);
	add_chunk(BEGIN, 100);
	expect_good();
	cr_assert_eq(lstat(place_of("app.jfr"), &status), 0);
	cr_expect(S_ISLNK(status.st_mode));
	expect_size("data/x.jfr", HEADER_SIZE + 100);
}

static void expect_bad(const char *text)
{
	cr_expect_not(finish());
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, text), "%s", err.text);
	cr_expect(is_there(repository.path));
	cr_expect(is_there(orders.socket.bytes));
}

Test(finish, leaves_all_where_it_was_if_it_fails)
{
	add_chunk(BEGIN, 100);
	set(&orders.destination, "-");
	expect_bad("nobody");
	set(&orders.destination, "/nowhere/at/all.jfr");
	expect_bad("/nowhere/at/all.jfr");
	set(&orders.destination, place_make("folder"));
	expect_bad("/folder', the recording stays here: it is no file");
	set(&orders.destination, place_of("app.jfr"));
	cr_assert_eq(truncate(repository_last(&repository), 10), 0);
	add_chunk(BEGIN, 100);
	expect_bad("has become shorter");
	cr_expect_eq(names(), 2);
}

Test(finish, replaces_no_device)
{
	add_chunk(BEGIN, 100);
	cr_assert_eq(mkfifo(place_of("app.jfr"), 0600), 0);
	expect_bad("it is no file");
	cr_expect(S_ISFIFO(status_of("app.jfr").st_mode));
}

Test(finish, writes_nothing_if_there_is_nothing)
{
	expect_good();
	expect_clean();
	cr_expect_eq(names(), 0);
	cr_expect_not(finish(), "it is gone");
	cr_expect_eq(err.kind, ERR_NONE);
}

Test(finish, leaves_the_session_to_others_in_it)
{
	const char *other = place_make("session/2026_x");

	add_chunk(BEGIN, 100);
	expect_good();
	cr_expect_not(is_there(repository.path));
	cr_expect(is_there(other));
	cr_expect(is_there(orders.socket.bytes));
}

Test(finish, keeps_the_repository_if_that_is_ordered)
{
	orders.preserve = true;
	add_chunk(BEGIN, 100);
	expect_good();
	expect_size("app.jfr", HEADER_SIZE + 100);
	cr_expect(is_there(repository_last(&repository)));
	cr_expect_eq(status_of("app.jfr").st_nlink, 1u);
	cr_expect_eq(names(), 2);
	cr_assert_eq(unlink(place_of("app.jfr")), 0);
	expect_good();
	expect_size("app.jfr", (size_t)-1);
}

/* As that of the process that waits, which is there after all. */
Test(finish, respects_a_lock)
{
	int fd = open(orders.repository.bytes, O_RDONLY);

	cr_assert_eq(flock(fd, LOCK_EX), 0);
	add_chunk(BEGIN, 100);
	cr_expect_not(finish_in(MILLISECOND));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, "another process uses"), "%s", err.text);
	cr_expect_eq(names(), 1);
	close(fd);
	expect_good();
}

Test(finish, does_not_take_for_ever)
{
	add_chunk(BEGIN, 100);
	add_chunk(BEGIN + SECOND, 100);
	cr_expect_not(finish_in(0));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect(strstr(err.text, "no time left"), "%s", err.text);
	cr_expect_eq(names(), 1);
	expect_good();
}

/* --- of a folder ------------------------------------------------------------------ */

static _Atomic(int64_t) deadline = INT64_MAX;
static char *path;

static bool finish_of(const char *destination, const char *told_in)
{
	const struct finish_folder of = {
		.folder = repository.path,
		.told_in = told_in,
		.destination = destination,
		.begin_nanos = BEGIN,
		.deadline = &deadline,
	};

	return finish_folder(&of, &path, &err);
}

Test(finish, makes_a_file_of_a_folder_which_stays)
{
	const char *to = place_of("of.jfr");

	add_chunk(BEGIN, 100);
	add_chunk(BEGIN + SECOND, 50);
	cr_assert(finish_of(to, NULL), "%s", err.text);
	cr_expect_str_eq(path, to);
	expect_size("of.jfr", 2 * HEADER_SIZE + 150);
	cr_expect(is_there(repository.path));
	free(path);
}

Test(finish, tells_the_name_that_a_file_of_a_folder_got)
{
	char expected[400];

	place_put("of.jfr", "of somebody else");
	add_chunk(BEGIN, 100);
	cr_assert(finish_of(place_of("of.jfr"), NULL), "%s", err.text);
	snprintf(expected, sizeof(expected), "%s/of-%ld.jfr", place_folder,
		 (long)getpid());
	cr_expect_str_eq(path, expected);
	free(path);
}

Test(finish, takes_the_name_for_a_folder_that_was_told)
{
	const char *other = place_make("told");

	written_say(other, place_of("told.jfr"), false);
	add_chunk(BEGIN, 100);
	cr_assert(finish_of(place_of("of.jfr"), other), "%s", err.text);
	cr_expect_str_eq(path, place_of("told.jfr"));
	free(path);
}

Test(finish, makes_nothing_of_an_empty_folder)
{
	cr_assert(finish_of(place_of("of.jfr"), NULL));
	cr_expect_null(path);
	cr_expect_not(is_there(place_of("of.jfr")));
}

Test(finish, gives_a_folder_up_when_it_is_time)
{
	add_chunk(BEGIN, 100);
	deadline = 0;
	cr_expect_not(finish_of(place_of("of.jfr"), NULL));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect_null(path);
	cr_expect_not(is_there(place_of("of.jfr")));
}
