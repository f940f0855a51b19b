#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/now.h"
#include "jvms/door.h"
#include "place.h"

/* A root of its own, below a path that no socket could have. */
#define LONG_NAME                                                                      \
	"a-name-that-is-long-enough-to-make-the-whole-path-too-long-for-a-socket"
#define ROOT LONG_NAME "/" LONG_NAME

static struct visit visit;
static pid_t child;

static void visit_child(pid_t pid)
{
	memset(&visit, 0, sizeof(visit));
	cr_assert(process_open(&visit.process, pid));
	visit.rooted.fd = open(place_of(ROOT), O_PATH | O_DIRECTORY | O_CLOEXEC);
	visit.cwd = -1;
	patience_begin(&visit.patience, SECOND);
}

static void begin(void)
{
	place_open();
	place_make(ROOT "/tmp");
	child = 0;
}

static void end(void)
{
	if (child) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		patience_end(&visit.patience);
		rooted_end(&visit.rooted);
		process_close(&visit.process);
	}
	place_close();
}

TestSuite(door, .init = begin, .fini = end, .timeout = 30);

static const char *name_of(const char *start, pid_t pid)
{
	char name[256];

	snprintf(name, sizeof(name), ROOT "/tmp/%s%d", start, (int)pid);
	return place_of(name);
}

static int listen_there(pid_t pid)
{
	struct sockaddr_un place = { .sun_family = AF_UNIX };
	int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(place.sun_path, sizeof(place.sun_path), ".java_pid%d", (int)pid);
	cr_assert_eq(chdir(place_of(ROOT "/tmp")), 0);
	cr_assert_eq(bind(door, (struct sockaddr *)&place, sizeof(place)), 0);
	cr_assert_eq(listen(door, 5), 0);
	return door;
}

/* Somebody listens there, and does so with who comes. */
static void begin_child(void (*serve)(int guest))
{
	int ready[2];
	char byte;

	cr_assert_eq(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		int door = listen_there(getpid());

		(void)!write(ready[1], "x", 1);
		for (;;) {
			int guest = accept(door, NULL, NULL);

			serve(guest);
			close(guest);
		}
	}
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	visit_child(child);
}

static const char *const arguments[DOOR_ARGUMENTS] = { "a", NULL, "c" };

/* What is said within 300 ms. */
static bool ask(struct buf *answer, struct err *err)
{
	int door = door_open(&visit, 300 * MILLISECOND, err);
	bool is_told;

	if (door < 0)
		return false;
	is_told = door_ask(&visit, door, 1, "do", arguments, answer, err);
	close(door);
	return is_told;
}

static void expect_failure(const char *text)
{
	struct buf answer = { .limit = 100000 };
	struct err err = { .kind = ERR_NONE };
	char told[256];

	snprintf(told, sizeof(told), text, (int)child, (int)getpid());
	cr_expect_not(ask(&answer, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect_str_eq(err.text, told);
	buf_clear(&answer);
}

Test(door, has_commands_in_two_versions)
{
	struct buf bytes = { NULL };

	door_request(&bytes, 1, "do", arguments);
	cr_expect(str_is(buf_as_str(&bytes), STR("1\0do\0a\0\0c\0")));
	buf_reset(&bytes);
	door_request(&bytes, 2, "do", arguments);
	cr_expect(str_is(buf_as_str(&bytes), STR("2\0"
						 "8\0do\0a\0\0c\0")));
	buf_clear(&bytes);
}

static void echo(int guest)
{
	char bytes[64];
	ssize_t size = read(guest, bytes, sizeof(bytes));

	(void)!write(guest, bytes, (size_t)size);
}

Test(door, is_open_at_a_path_of_any_length)
{
	struct buf answer = { .limit = 100000 };
	struct err err = { .kind = ERR_NONE };

	begin_child(echo);
	cr_assert(ask(&answer, &err), "%s", err.text);
	cr_expect(str_is(buf_as_str(&answer), STR("1\0do\0a\0\0c\0")));
	buf_clear(&answer);
}

static void keep_silent(int guest)
{
	(void)guest;
	pause();
}

#define TOO_LATE "process %d does not answer: it listens, but is not done in time"

Test(door, has_an_end_if_nothing_is_said)
{
	begin_child(keep_silent);
	expect_failure(TOO_LATE);
}

static void drip(int guest)
{
	while (send(guest, "0", 1, MSG_NOSIGNAL) == 1)
		usleep(20000);
}

Test(door, has_an_end_if_byte_by_byte_is_said)
{
	begin_child(drip);
	expect_failure(TOO_LATE);
}

static void go_on(int guest)
{
	static char bytes[4096];

	while (send(guest, bytes, sizeof(bytes), MSG_NOSIGNAL) > 0)
		continue;
}

Test(door, has_an_end_if_all_too_much_is_said)
{
	begin_child(go_on);
	expect_failure("process %d does not come to an end with its answer");
}

static void begin_quiet_child(void)
{
	child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	visit_child(child);
}

Test(door, is_not_another_one_s)
{
	int door;

	begin_quiet_child();
	door = listen_there(child);
	expect_failure(
		"process %2$d listens at /tmp/.java_pid%1$d, in place of process "
		"%1$d: nothing was sent there; remove that file");
	close(door);
}

Test(door, is_no_link)
{
	begin_quiet_child();
	cr_assert_eq(symlink("/dev/null", name_of(".java_pid", child)), 0);
	expect_failure(
		"/tmp/.java_pid%1$d is in the way: process %1$d would listen there, "
		"and it is no socket; remove it");
}

#define STARTING                                                                       \
	"process %d does not wait to be asked: it is still starting; try again in a "  \
	"moment"

/* This one does not wait for the signal, which would end it. */
Test(door, is_not_knocked_at_if_that_would_do_harm)
{
	struct stat status;

	begin_quiet_child();
	expect_failure(STARTING);
	cr_expect_eq(waitpid(child, NULL, WNOHANG), 0);
	cr_expect_neq(stat(name_of(".attach_pid", child), &status), 0);
}

Test(door, that_nobody_is_behind_any_more_is_removed)
{
	struct stat status;

	begin_quiet_child();
	close(listen_there(child));
	expect_failure(STARTING);
	cr_expect_neq(lstat(name_of(".java_pid", child), &status), 0);
	cr_expect_eq(errno, ENOENT);
}
