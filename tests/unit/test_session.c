#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/now.h"
#include "control/message.h"
#include "engine/store.h"
#include "session/session.h"
#include "unit/place.h"

/* Words that nobody writes to. */
#define WORDS(...) ((char **)(uintptr_t)(const char *const[]){ __VA_ARGS__, NULL })

static const char *place;
static struct session session;

static void begin(void)
{
	place_open();
	place = place_of("socket");
}

TestSuite(session, .init = begin, .fini = place_close, .timeout = 60);

static bool try_to_open(const char *script, struct err *err)
{
	char **words = WORDS("sh", "-c", script);
	int listener = message_listen(place, err);

	cr_assert_geq(listener, 0, "%s", err->text);
	return session_open(&session, words, environ, false, listener, err);
}

static void open_session(const char *script)
{
	struct err err = { 0 };

	cr_assert(try_to_open(script, &err), "%s", err.text);
}

/* The next news that are no tick. */
static bool next(struct session_news *news)
{
	bool is_there;

	do
		is_there = session_next(&session, news);
	while (is_there && news->kind == SESSION_TICK);
	return is_there;
}

static void expect_end(int status)
{
	struct session_news news = { 0 };

	cr_assert(next(&news));
	cr_expect_eq(news.kind, SESSION_COMMAND_ENDED);
	cr_expect_not(next(&news));
	cr_expect_eq(child_exit_status(session_close(&session)), status);
}

Test(session, ends_with_its_command)
{
	open_session("exit 3");
	expect_end(3);
}

Test(session, tells_which_signal_ended_the_command)
{
	open_session("kill -9 $$");
	expect_end(128 + SIGKILL);
}

static void expect_text(int status, const char *wanted)
{
	char text[CHILD_TEXT_MAX];

	cr_expect_str_eq(child_text(status, text), wanted);
}

Test(session, says_how_a_command_ended)
{
	expect_text(W_EXITCODE(3, 0), "ended at once, with status 3");
	expect_text(W_EXITCODE(0, 0), "ended at once, with status 0");
	expect_text(W_EXITCODE(0, SIGKILL), "was killed (signal 9)");
	expect_text(W_EXITCODE(0, SIGTERM), "was killed (signal 15)");
	expect_text(W_EXITCODE(0, SIGABRT), "crashed (signal 6)");
	expect_text(W_EXITCODE(0, SIGSEGV) | WCOREFLAG, "crashed (signal 11)");
}

Test(session, waits_for_a_command_that_is_about_to_end)
{
	open_session("sleep 0.3; kill -9 $$");
	child_await(&session.child, SECOND / 100);
	cr_expect_not(session.child.has_ended);
	child_await(&session.child, 30 * SECOND);
	cr_expect(session.child.has_ended);
	cr_expect_eq(child_exit_status(session.child.status), 128 + SIGKILL);
	expect_end(128 + SIGKILL);
}

Test(session, ticks_while_nothing_happens)
{
	struct session_news news = { 0 };

	open_session("sleep 1.5");
	cr_assert(session_next(&session, &news));
	cr_expect_eq(news.kind, SESSION_TICK);
	cr_expect_geq(session_sum(&session).nanos, 1000000000);
	expect_end(0);
}

Test(session, passes_signals_on)
{
	static const int numbers[] = {
		SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2,
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char script[128];
		struct session_news news = { 0 };

		snprintf(script, sizeof(script),
			 "trap 'exit 7' %d; for i in $(seq 100); do sleep 0.1; done",
			 numbers[i]);
		/* A shell cannot trap what is ignored. */
		signal(numbers[i], SIG_DFL);
		open_session(script);
		cr_assert(session_next(&session, &news));
		cr_assert_eq(news.kind, SESSION_TICK);
		kill(getpid(), numbers[i]);
		expect_end(7);
		unlink(place);
	}
}

/* The signal for that would end us, and with us what we hold for those who are dead. */
Test(session, lives_where_files_may_not_be_so_large)
{
	struct rlimit limit = { 10, RLIM_INFINITY };
	char text[20] = "no more than ten";
	int fd = open(place_of("file"), O_WRONLY | O_CREAT, 0600);

	open_session("while :; do sleep 0.1; done");
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	cr_assert_eq(write(fd, text, sizeof(text)), 10);
	cr_assert_eq(write(fd, text, sizeof(text)), -1);
	cr_expect_eq(errno, EFBIG);
	kill(session.child.pid, SIGKILL);
	expect_end(128 + SIGKILL);
	close(fd);
}

Test(session, leaves_signals_as_they_were)
{
	sigset_t before, after;

	sigprocmask(SIG_SETMASK, NULL, &before);
	open_session("exit 0");
	expect_end(0);
	sigprocmask(SIG_SETMASK, NULL, &after);
	for (int i = 1; i < NSIG; i++)
		cr_expect_eq(sigismember(&before, i), sigismember(&after, i));
}

Test(session, gives_the_command_no_blocked_signals)
{
	open_session("case $(grep SigBlk /proc/self/status) in *0000000000000000) "
		     "exit 0;; esac; exit 1");
	expect_end(0);
}

Test(session, follows_a_command_that_a_signal_ended)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		struct session_news news = { 0 };

		open_session("kill -SEGV $$");
		while (next(&news))
			continue;
		child_follow(session_close(&session));
		_exit(1);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_expect(WIFSIGNALED(status));
	cr_expect_eq(WTERMSIG(status), SIGSEGV);
	cr_expect_not(WCOREDUMP(status));
}

Test(session, says_that_there_is_no_such_command)
{
	char **words = WORDS("/no/such/command");
	char **folder_as_command = WORDS("/tmp");
	struct err err = { 0 };

	cr_expect_not(session_open(&session, words, environ, false,
				   message_listen(place, &err), &err));
	cr_expect(session.child.is_missing);
	cr_expect(strstr(err.text, "/no/such/command"), "%s", err.text);
	unlink(place);
	cr_expect_not(session_open(&session, folder_as_command, environ, false,
				   message_listen(place, &err), &err));
	cr_expect_not(session.child.is_missing);
}

Test(session, can_send_the_output_to_standard_error)
{
	char **words = WORDS("sh", "-c", "echo out");
	struct err err = { 0 };
	char text[8] = "";
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	fflush(stderr);
	dup2(ends[1], STDERR_FILENO);
	cr_assert(session_open(&session, words, environ, true,
			       message_listen(place, &err), &err));
	expect_end(0);
	cr_expect_eq(read(ends[0], text, sizeof(text)), 4);
	cr_expect_str_eq(text, "out\n");
}

/* --- an agent of our own ------------------------------------------------------- */

static struct store store;

static int say_hello(void)
{
	struct err err = { 0 };
	int connection;

	cr_assert(store_open(&store, NULL, 4096, 1 << 20, &err), "%s",
		  err.text);
	connection = message_connect(place, &err);
	cr_assert_geq(connection, 0, "%s", err.text);
	cr_assert(message_send(connection, MESSAGE_HELLO, "/repository", store_fd(&store),
			       &err));
	return connection;
}

/* It is this one, which lives on: as where processes cannot be seen. */
static void forget_process(struct guest *guest)
{
	if (guest->process >= 0)
		close(guest->process);
	guest->process = -1;
}

static void expect_guest(unsigned what)
{
	struct session_news news = { 0 };

	cr_assert(next(&news));
	cr_assert_eq(news.kind, SESSION_GUEST);
	cr_expect_eq(news.what, what);
	cr_expect_eq(news.guest, session.guests.items[0]);
	if (what == GUEST_BEGAN)
		forget_process(news.guest);
}

Test(session, knows_its_guests)
{
	const struct guest *guest;
	int connection;

	open_session("sleep 0.2");
	connection = say_hello();
	expect_guest(GUEST_BEGAN);
	guest = session.guests.items[0];
	cr_expect_eq(guest->pid, getpid());
	cr_expect_str_eq(guest->repository, "/repository");
	cr_expect_eq(guest->sums.state, SPILL_STARTING);
	cr_expect_geq(fcntl(guest->spill, F_GETFD), 0);
	cr_expect_neq(guest->spill, store_fd(&store));
	cr_expect_eq(session_recording(&session), 1u);
	spill_set(&store_header(&store)->state, SPILL_RECORDING);
	spill_set(&store_header(&store)->events, 7);
	spill_set(&store_header(&store)->bytes, 8);
	spill_set(&store_header(&store)->lost_events, 9);
	spill_set(&store_header(&store)->chunks, 1);
	spill_set(&store_header(&store)->state, SPILL_STOPPED);
	expect_guest(GUEST_STOPPED);
	cr_expect_eq(session_recording(&session), 0u);
	cr_expect_eq(session_sum(&session).events, 7u);
	cr_expect_eq(session_sum(&session).bytes, 8u);
	cr_expect_eq(session_sum(&session).lost, 9u);
	cr_expect_eq(guest->sums.chunks, 1u);
	guest_settle(session.guests.items[0]);
	cr_expect_eq(guest->spill, -1);
	cr_expect_eq(session_sum(&session).events, 7u, "they are kept");
	close(connection);
	expect_guest(GUEST_GONE);
	expect_end(0);
	store_close(&store);
}

/* Other recordings go on in that JVM: its spill file is not ours any more. */
Test(session, takes_the_folder_of_a_recording_that_stopped_alone)
{
	const struct guest *guest;
	int connection;

	open_session("sleep 0.2");
	connection = say_hello();
	expect_guest(GUEST_BEGAN);
	guest = session.guests.items[0];
	cr_assert(message_send(connection, MESSAGE_STOPPED, "/folder", -1, NULL));
	expect_guest(GUEST_STOPPED);
	cr_expect_str_eq(guest->repository, "/folder");
	cr_expect_str_eq(guest->home, "/repository");
	cr_expect_eq(guest->spill, -1);
	cr_expect_eq(guest->sums.state, SPILL_STOPPED);
	cr_assert(message_send(connection, MESSAGE_STOPPED, "/other", -1, NULL));
	close(connection);
	expect_guest(GUEST_GONE);
	cr_expect_str_eq(guest->repository, "/folder");
	expect_end(0);
	store_close(&store);
}

Test(session, tells_of_a_guest_that_is_gone_only_that)
{
	int connection;

	open_session("sleep 0.2");
	connection = say_hello();
	expect_guest(GUEST_BEGAN);
	spill_set(&store_header(&store)->state, SPILL_STOPPED);
	close(connection);
	expect_guest(GUEST_GONE);
	expect_end(0);
}

Test(session, tells_that_a_guest_failed_once)
{
	int connection;

	open_session("sleep 0.2");
	connection = say_hello();
	expect_guest(GUEST_BEGAN);
	snprintf(store_header(&store)->message,
		 sizeof(store_header(&store)->message), "no space");
	spill_set(&store_header(&store)->state, SPILL_FAILED);
	expect_guest(GUEST_FAILED);
	cr_expect_str_eq(session.guests.items[0]->failure, "no space");
	cr_assert(message_send(connection, MESSAGE_FAILED, "no space either", -1,
			       NULL));
	expect_end(0);
	close(connection);
}

/* Before all else that it may have to tell by then. */
Test(session, hears_the_warnings_of_a_guest)
{
	int connection;

	open_session("sleep 0.2");
	connection = say_hello();
	expect_guest(GUEST_BEGAN);
	cr_assert(message_send(connection, MESSAGE_WARNING, "no samples", -1, NULL));
	cr_assert(message_send(connection, MESSAGE_WARNING, "nothing", -1, NULL));
	cr_assert(message_send(connection, "unheard", "of", -1, NULL));
	spill_set(&store_header(&store)->state, SPILL_STOPPED);
	expect_guest(GUEST_WARNED);
	cr_expect_str_eq(session.guests.items[0]->warnings, "no samples\nnothing\n");
	expect_guest(GUEST_STOPPED);
	cr_assert(message_send(connection, MESSAGE_WARNING, "one more", -1, NULL));
	expect_guest(GUEST_WARNED);
	cr_expect_str_eq(session.guests.items[0]->warnings, "one more\n");
	close(connection);
	expect_guest(GUEST_GONE);
	expect_end(0);
}

/* Where there was no space for a spill file, nobody else says so. */
Test(session, hears_that_a_recording_without_a_spill_file_is_complete)
{
	int connection;

	open_session("sleep 0.2");
	connection = message_connect(place, NULL);
	cr_assert(message_send(connection, MESSAGE_HELLO, "/repository", -1, NULL));
	expect_guest(GUEST_BEGAN);
	cr_expect_eq(session_recording(&session), 1u);
	cr_assert(message_send(connection, MESSAGE_STOPPED, "", -1, NULL));
	expect_guest(GUEST_STOPPED);
	cr_expect_eq(session.guests.items[0]->sums.state, SPILL_STOPPED);
	cr_expect_eq(session_recording(&session), 0u);
	close(connection);
	expect_guest(GUEST_GONE);
	expect_end(0);
}

Test(session, hears_from_guests_that_cannot_record)
{
	int connection;

	open_session("sleep 0.2");
	connection = message_connect(place, NULL);
	cr_assert(message_send(connection, MESSAGE_FAILED, "no JVMTI", -1, NULL));
	expect_guest(GUEST_FAILED);
	cr_expect_str_eq(session.guests.items[0]->failure, "no JVMTI");
	close(connection);
	expect_guest(GUEST_GONE);
	expect_end(0);
}

/* Of a guest that says so before it greets, and after that. */
static int64_t begin_of_guest(const char *before)
{
	int connection;

	open_session("sleep 0.2");
	connection = message_connect(place, NULL);
	if (before)
		cr_assert(message_send(connection, MESSAGE_BEGAN, before, -1, NULL));
	cr_assert(message_send(connection, MESSAGE_HELLO, "/repository", -1, NULL));
	cr_assert(message_send(connection, MESSAGE_BEGAN, "12", -1, NULL));
	expect_guest(GUEST_BEGAN);
	close(connection);
	expect_guest(GUEST_GONE);
	return session.guests.items[0]->begin_nanos;
}

Test(session, hears_when_a_recording_begins)
{
	cr_expect_eq(begin_of_guest("1796036400000000007"), 1796036400000000007);
	expect_end(0);
}

Test(session, takes_no_time_that_is_none)
{
	int64_t now = now_nanos();

	cr_expect_geq(begin_of_guest("-5"), now);
	expect_end(0);
}

Test(session, takes_its_own_time_if_none_was_said)
{
	int64_t now = now_nanos();

	cr_expect_geq(begin_of_guest(NULL), now);
	expect_end(0);
}

Test(session, refuses_a_file_that_is_no_spill_file)
{
	int connection, fd = open("/proc/self/exe", O_RDONLY);

	open_session("sleep 0.2");
	connection = message_connect(place, NULL);
	cr_assert(message_send(connection, MESSAGE_HELLO, "/repository", fd, NULL));
	expect_guest(GUEST_BEGAN);
	expect_guest(GUEST_FAILED);
	close(connection);
	expect_guest(GUEST_GONE);
	expect_end(0);
}

/* A JVM that still runs, and is recorded, when the command has ended. */
static int outlive_the_command(void)
{
	struct session_news news = { 0 };
	int connection;

	open_session("exit 0");
	connection = say_hello();
	expect_guest(GUEST_BEGAN);
	cr_assert(next(&news));
	cr_assert_eq(news.kind, SESSION_COMMAND_ENDED);
	return connection;
}

Test(session, does_not_take_those_for_alive_who_are_about_to_end)
{
	struct session_news news = { 0 };
	int connection;
	pid_t other;

	open_session("exit 0");
	connection = say_hello();
	expect_guest(GUEST_BEGAN);
	other = fork();
	if (other == 0) {
		usleep(200000);
		_exit(0);
	}
	close(connection);
	/* The other process has the connection, too, and ends. */
	expect_guest(GUEST_GONE);
	cr_assert(next(&news));
	cr_expect_eq(news.kind, SESSION_COMMAND_ENDED);
	cr_expect_eq(session_recording(&session), 0u);
	cr_expect_not(next(&news));
	session_close(&session);
	waitpid(other, NULL, 0);
}

/* As many as may be; the rest waits. */
static void crowd(int *connections, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		connections[i] = message_connect(place, NULL);
		cr_assert_geq(connections[i], 0);
		cr_assert(message_send(connections[i], MESSAGE_HELLO, "/repository", -1,
				       NULL));
	}
}

Test(session, takes_no_more_guests_than_it_has_descriptors_for)
{
	enum { CROWD = 40 };
	struct rlimit limit = { 80, 80 };
	struct session_news news = { 0 };
	int connections[CROWD];
	size_t began = 0, troubles = 0, ticks = 0;

	open_session("sleep 0.1");
	crowd(connections, CROWD);
	setrlimit(RLIMIT_NOFILE, &limit);
	while (began < CROWD && ticks < 3 && session_next(&session, &news)) {
		if (news.kind == SESSION_GUEST)
			forget_process(news.guest);
		began += news.kind == SESSION_GUEST && news.what == GUEST_BEGAN;
		troubles += news.kind == SESSION_TROUBLE;
		ticks += news.kind == SESSION_TICK;
	}
	cr_expect_gt(began, 0u);
	cr_expect_lt(began, (size_t)CROWD);
	cr_expect_eq(troubles, 1u, "%zu", troubles);
	for (size_t i = 0; i < CROWD; i++)
		close(connections[i]);
	while (session_next(&session, &news)) {
		if (news.kind == SESSION_GUEST)
			forget_process(news.guest);
		began += news.kind == SESSION_GUEST && news.what == GUEST_BEGAN;
	}
	cr_expect_eq(began, (size_t)CROWD);
	session_close(&session);
}

Test(session, gives_the_command_its_own_limit_of_descriptors)
{
	struct rlimit limit = { 50, 60 };

	setrlimit(RLIMIT_NOFILE, &limit);
	open_session("[ $(ulimit -n) = 50 ]");
	getrlimit(RLIMIT_NOFILE, &limit);
	cr_expect_eq(limit.rlim_cur, 60u);
	expect_end(0);
}

/* A process that writes into a pipe that nobody reads, while a session is on. */
static pid_t get_stuck(const char *script, int errors[2])
{
	int nobody[2];
	pid_t stuck;

	cr_assert_eq(pipe(errors), 0);
	cr_assert_eq(pipe(nobody), 0);
	stuck = fork();
	if (stuck)
		return stuck;
	open_session(script);
	dup2(errors[1], STDERR_FILENO);
	usleep(300000);
	child_signals(&session.child);
	child_leave(&session.child, STR("farewell"));
	while (write(nobody[1], script, 1) > 0)
		continue;
	_exit(1);
}

Test(session, ends_by_a_signal_while_nobody_reads)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		int errors[2], status;
		char said[16] = "";
		pid_t stuck;

		signal(numbers[i], SIG_DFL);
		stuck = get_stuck("exit 0", errors);
		usleep(600000);
		kill(stuck, numbers[i]);
		cr_assert_eq(waitpid(stuck, &status, 0), stuck);
		cr_expect(WIFSIGNALED(status));
		cr_expect_eq(WTERMSIG(status), numbers[i]);
		cr_expect_eq(read(errors[0], said, sizeof(said) - 1), 8);
		cr_expect_str_eq(said, "farewell");
		unlink(place);
	}
}

Test(session, passes_signals_on_also_while_nobody_reads)
{
	int errors[2], status;
	pid_t stuck = get_stuck("trap 'exit 0' TERM; sleep 30 & wait", errors);

	signal(SIGTERM, SIG_DFL);
	usleep(600000);
	kill(stuck, SIGTERM);
	usleep(300000);
	cr_expect_eq(waitpid(stuck, &status, WNOHANG), 0, "it was the command's");
	kill(stuck, SIGTERM);
	cr_assert_eq(waitpid(stuck, &status, 0), stuck);
	cr_expect_eq(WTERMSIG(status), SIGTERM);
}

Test(session, waits_for_those_who_outlive_the_command)
{
	struct session_news news = { 0 };
	int connection = outlive_the_command();

	cr_assert(session_next(&session, &news));
	cr_expect_eq(news.kind, SESSION_TICK);
	close(connection);
	expect_guest(GUEST_GONE);
	cr_expect_not(next(&news));
	session_close(&session);
}

/* A program that closes what is not its own is recorded as long as it lives. */
Test(session, waits_for_those_who_have_lost_their_connection)
{
	struct session_news news = { 0 };
	int ends[2], said[2];
	pid_t other;
	char byte = 0;

	cr_assert(pipe(ends) == 0 && pipe(said) == 0);
	open_session("exit 0");
	other = fork();
	if (other == 0) {
		close(ends[1]);
		close(say_hello());
		(void)!write(said[1], &byte, 1);
		(void)!read(ends[0], &byte, 1);
		_exit(0);
	}
	cr_assert_eq(read(said[0], &byte, 1), 1);
	cr_assert(next(&news));
	cr_assert_eq(news.what, GUEST_BEGAN);
	cr_assert_eq(session.guests.items[0]->pid, other);
	cr_assert(next(&news));
	cr_assert_eq(news.kind, SESSION_COMMAND_ENDED);
	cr_assert(session_next(&session, &news));
	cr_assert_eq(news.kind, SESSION_TICK);
	cr_expect_lt(session.guests.items[0]->connection, 0);
	cr_expect_eq(session_recording(&session), 1u);
	close(ends[1]);
	cr_assert(next(&news));
	cr_expect_eq(news.what, GUEST_GONE, "though it is a zombie");
	cr_expect_not(next(&news));
	session_close(&session);
	waitpid(other, NULL, 0);
}

/* Who has forked off a process that holds the connection is gone when it has ended. */
Test(session, does_not_wait_for_those_who_hold_the_connection_of_others)
{
	struct session_news news = { 0 };
	pid_t other, holder;
	int numbers[2];

	cr_assert_eq(pipe(numbers), 0);
	open_session("exit 0");
	other = fork();
	if (other == 0) {
		say_hello();
		holder = fork();
		if (holder == 0)
			pause();
		(void)!write(numbers[1], &holder, sizeof(holder));
		_exit(0);
	}
	cr_assert_eq(read(numbers[0], &holder, sizeof(holder)), sizeof(holder));
	while (next(&news) && news.what != GUEST_GONE)
		continue;
	cr_expect_eq(news.what, GUEST_GONE);
	cr_expect(session.guests.items[0]->has_died);
	cr_expect_lt(session.guests.items[0]->connection, 0);
	cr_expect_eq(kill(holder, SIGKILL), 0, "it was there until now");
	session_close(&session);
	waitpid(other, NULL, 0);
}

/* Its descriptors are closed, and nothing of the recorder is mapped any more. */
Test(session, does_not_wait_for_who_has_become_another_program)
{
	struct session_news news = { 0 };
	pid_t other;
	int ends[2];
	char byte;

	cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
	open_session("exit 0");
	other = fork();
	if (other == 0) {
		say_hello();
		(void)!write(ends[1], "x", 1);
		execlp("sleep", "sleep", "100", (char *)NULL);
		_exit(1);
	}
	cr_assert_eq(read(ends[0], &byte, 1), 1);
	while (next(&news) && news.what != GUEST_GONE)
		continue;
	cr_expect_eq(news.what, GUEST_GONE);
	cr_expect_not(session.guests.items[0]->has_died);
	cr_expect_eq(kill(other, SIGKILL), 0, "it was there until now");
	session_close(&session);
	waitpid(other, NULL, 0);
}

Test(session, takes_nobody_who_comes_when_nothing_is_awaited_any_more)
{
	open_session("exit 0");
	session_refuse(&session);
	session_refuse(&session);
	cr_expect_lt(message_connect(place, NULL), 0);
	session_close(&session);
}

Test(session, tells_who_is_left_that_it_is)
{
	struct session_news news = { 0 };
	int connection = outlive_the_command();
	char byte;

	cr_expect_lt(recv(connection, &byte, 1, MSG_DONTWAIT), 0);
	cr_assert(message_send(connection, MESSAGE_WARNING, "at last", -1, NULL));
	guest_leave(session.guests.items[0]);
	cr_expect_eq(recv(connection, &byte, 1, MSG_DONTWAIT), 0);
	cr_expect_str_eq(session.guests.items[0]->warnings, "at last\n");
	cr_expect_not(message_send(connection, MESSAGE_WARNING, "too late", -1, NULL));
	while (next(&news))
		continue;
	session_close(&session);
}

Test(session, waits_no_longer_when_it_is_interrupted)
{
	struct session_news news = { 0 };
	int connection = outlive_the_command();

	kill(getpid(), SIGINT);
	cr_assert(next(&news));
	cr_expect_eq(news.kind, SESSION_INTERRUPTED);
	cr_expect_eq(session_recording(&session), 1u);
	cr_expect_not(next(&news));
	session_close(&session);
	close(connection);
}

Test(session, hears_what_was_said_before_the_command_ended)
{
	struct session_news news = { 0 };
	int connection;

	open_session("exit 0");
	connection = say_hello();
	close(connection);
	usleep(200000);		/* all has happened when anybody looks */
	expect_guest(GUEST_BEGAN);
	expect_guest(GUEST_GONE);
	cr_assert(next(&news));
	cr_expect_eq(news.kind, SESSION_COMMAND_ENDED);
	cr_expect_not(next(&news));
	session_close(&session);
}
