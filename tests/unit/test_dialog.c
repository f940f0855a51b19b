#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/now.h"
#include "jvms/dialog.h"
#include "unit/place.h"

/* What the process says that stands for a JVM with an agent in it, in this order. */
struct line {
	const char *word, *rest;
	int file;		/* a letter: f(older), r(egular file), p(ipe); 0: none */
	bool waits;		/* first it waits for something to be said to it */
};

static const char *place;

static void begin(void)
{
	place_open();
	place = place_of("agent");
	cr_assert_eq(mkdir(place, 0700), 0);
}

TestSuite(dialog, .init = begin, .fini = place_close);

static int open_file(int file)
{
	int ends[2];

	if (file == 'f')
		return open(place, O_RDONLY | O_DIRECTORY);
	if (file == 'r')
		return open(place, O_TMPFILE | O_RDWR, 0600);
	return file == 'p' && pipe(ends) == 0 ? ends[0] : -1;
}

static void await(int connection)
{
	struct pollfd entry = { .fd = connection, .events = POLLIN };
	struct message message;

	poll(&entry, 1, 5000);
	message_receive(connection, &message, NULL);
}

/* Stays as long as the test needs it. */
static void play(int listener, const struct line *lines)
{
	struct pollfd entry = { .fd = listener, .events = POLLIN };
	int connection;

	poll(&entry, 1, 5000);
	connection = message_accept(listener, NULL);
	for (; lines->word; lines++) {
		int file = open_file(lines->file);

		if (lines->waits)
			await(connection);
		message_send(connection, lines->word, lines->rest, file, NULL);
		if (file >= 0)
			close(file);
	}
	if (!lines->waits)
		close(connection);
	pause();
	_exit(0);
}

/* A process that holds the folder open, and listens there. */
static pid_t start(const struct line *lines)
{
	int ready[2];
	char byte = 0;
	pid_t pid;

	cr_assert_eq(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		char path[4096];
		int listener;

		snprintf(path, sizeof(path), "%s/control", place);
		listener = message_listen(path, NULL);
		open(place, O_RDONLY | O_DIRECTORY);
		if (listener < 0 || write(ready[1], &byte, 1) != 1)
			_exit(1);
		play(listener, lines);
	}
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void stop(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static struct vm vm_of(pid_t pid)
{
	static char empty[] = "", user[] = "me";

	return (struct vm){ .pid = pid, .inner = pid, .uid = geteuid(), .gid = getegid(),
			    .user = user, .version = empty, .main = empty,
			    .arguments = empty };
}

#define GREETING { MESSAGE_AGENT, "1 0.9", 0, false }
#define END_HELD { NULL, NULL, 0, true }
#define END { NULL, NULL, 0, false }

static bool ask(struct dialog *dialog, enum request_verb verb, struct err *err)
{
	struct request request;
	bool is_asked;

	request_init(&request, verb);
	is_asked = dialog_ask(dialog, &request, -1, err);
	request_clear(&request);
	return is_asked;
}

Test(dialog, hears_an_agent_until_it_is_done)
{
	const struct line lines[] = {
		GREETING,
		{ MESSAGE_NOTE, "a note", 'r', true },
		{ MESSAGE_WORKING, "", 0, false },
		{ MESSAGE_FOLDER, "1", 'f', false },
		{ MESSAGE_DONE, "1 shop", 0, true },
		END_HELD,
	};
	pid_t pid = start(lines);
	struct vm vm = vm_of(pid);
	struct dialog dialog = { .patience = 5 * SECOND };
	struct err err;

	cr_assert(dialog_open(&dialog, &vm, &err), "%s", err.text);
	cr_assert_eq(dialog.protocol, 1);
	cr_assert_str_eq(dialog.version, "0.9");
	cr_assert(ask(&dialog, REQUEST_CHECK, &err), "%s", err.text);
	cr_assert(dialog_next(&dialog, NULL, NULL, &err), "%s", err.text);
	cr_assert_str_eq(dialog.message.word, "note");
	cr_assert_eq(dialog.message.fd, -1, "a file that belongs to nothing is closed");
	cr_assert(dialog_next(&dialog, NULL, NULL, &err), "%s", err.text);
	cr_assert_str_eq(dialog.message.word, "folder");
	cr_assert_geq(dialog.message.fd, 0);
	close(dialog.message.fd);
	cr_assert(dialog_taken(&dialog, &err), "%s", err.text);
	cr_assert_not(dialog_next(&dialog, NULL, NULL, &err));
	cr_assert_eq(err.kind, ERR_NONE, "%s", err.text);
	cr_assert_str_eq(dialog.message.rest, "1 shop");
	cr_assert_not(dialog_next(&dialog, NULL, NULL, &err));
	cr_assert_eq(err.kind, ERR_NONE);
	dialog_close(&dialog);
	stop(pid);
}

/* Asks once, and gives what the first answer comes to. */
static struct err fail(const struct line *lines, int64_t patience, enum request_verb verb)
{
	pid_t pid = start(lines);
	struct vm vm = vm_of(pid);
	struct dialog dialog = { .patience = patience };
	struct err err = { ERR_NONE, "" };

	if (dialog_open(&dialog, &vm, &err)) {
		if (ask(&dialog, verb, &err))
			cr_assert_not(dialog_next(&dialog, NULL, NULL, &err));
		dialog_close(&dialog);
	}
	stop(pid);
	return err;
}

Test(dialog, tells_what_the_agent_could_not_do)
{
	const struct line lines[] = {
		GREETING, { MESSAGE_FAILED, "there is no recording 7", 0, true }, END_HELD,
	};
	struct err err = fail(lines, 5 * SECOND, REQUEST_STOP);

	cr_assert_eq(err.kind, ERR_USAGE);
	cr_assert_str_eq(err.text, "there is no recording 7");
}

Test(dialog, loses_patience)
{
	const struct line lines[] = { END_HELD };
	struct err err = fail(lines, SECOND, REQUEST_CHECK);

	cr_assert_eq(err.kind, ERR_SYSTEM);
	cr_assert_str_eq(err.text, "its agent has not answered for 1 seconds");
}

Test(dialog, loses_patience_with_one_that_has_greeted)
{
	const struct line lines[] = { GREETING, END_HELD };
	struct err err = fail(lines, SECOND, REQUEST_CHECK);

	cr_assert_eq(err.kind, ERR_SYSTEM);
}

Test(dialog, sees_that_the_agent_hangs_up)
{
	const struct line lines[] = { GREETING, END };
	struct err err = fail(lines, 5 * SECOND, REQUEST_CHECK);

	cr_assert_eq(err.kind, ERR_SYSTEM);
}

Test(dialog, wants_a_folder_with_that_word)
{
	const struct line lines[] = {
		GREETING, { MESSAGE_FOLDER, "1", 0, true }, END_HELD,
	};
	struct err err = fail(lines, 5 * SECOND, REQUEST_DUMP);

	cr_assert_eq(err.kind, ERR_SYSTEM);
	cr_assert_str_eq(err.text, "its agent handed over no folder");
}

Test(dialog, wants_nothing_but_a_folder_with_that_word)
{
	const struct line lines[] = {
		GREETING, { MESSAGE_FOLDER, "1", 'p', true }, END_HELD,
	};
	struct err err = fail(lines, 5 * SECOND, REQUEST_DUMP);

	cr_assert_str_eq(err.text, "its agent handed over no folder");
}

Test(dialog, knows_who_is_no_agent)
{
	const struct line lines[] = { { "hello", "world", 'f', false }, END_HELD };
	struct err err = fail(lines, 5 * SECOND, REQUEST_CHECK);

	cr_assert_str_eq(err.text, "who answers there is no agent of cjfr");
}

Test(dialog, has_another_version_only_leave)
{
	const struct line lines[] = {
		{ MESSAGE_AGENT, "2 9.9", 0, false },
		{ MESSAGE_DONE, "", 0, true }, END_HELD,
	};
	struct err err = fail(lines, 5 * SECOND, REQUEST_DETACH);

	cr_assert_eq(err.kind, ERR_NONE, "%s", err.text);
}

Test(dialog, asks_another_version_nothing_else)
{
	const struct line lines[] = { { MESSAGE_AGENT, "2 9.9", 0, false }, END_HELD };
	struct err err = fail(lines, 5 * SECOND, REQUEST_CHECK);

	cr_assert_eq(err.kind, ERR_SYSTEM);
	cr_assert(strstr(err.text, "another version (9.9)"), "%s", err.text);
}

Test(dialog, finds_none_where_none_is)
{
	struct dialog dialog = { .patience = SECOND };
	struct vm vm = vm_of(getpid());
	struct err err;

	cr_assert_not(dialog_open(&dialog, &vm, &err));
	cr_assert_eq(err.kind, ERR_NONE, "%s", err.text);
}

/* A folder that is there by chance, or was laid there. */
Test(dialog, does_not_take_another_process_for_the_agent)
{
	const struct line lines[] = { GREETING, END_HELD };
	struct dialog dialog = { .patience = SECOND };
	struct vm vm = vm_of(getpid());
	pid_t pid = start(lines);
	int folder = open(place, O_RDONLY | O_DIRECTORY);
	struct err err;

	cr_assert_not(dialog_open(&dialog, &vm, &err));
	cr_assert_eq(err.kind, ERR_SYSTEM);
	cr_assert(strstr(err.text, "listens in its place"), "%s", err.text);
	close(folder);
	stop(pid);
}

Test(dialog, does_not_hear_without_end)
{
	static struct line lines[400] = { GREETING };
	struct dialog dialog = { .patience = 2 * SECOND };
	struct err err;
	struct vm vm;
	pid_t pid;

	for (size_t i = 1; i < 399; i++)
		lines[i] = (struct line){ MESSAGE_NOTE, "once more", 0, i == 1 };
	lines[399] = (struct line)END_HELD;
	pid = start(lines);
	vm = vm_of(pid);
	cr_assert(dialog_open(&dialog, &vm, &err), "%s", err.text);
	cr_assert(ask(&dialog, REQUEST_CHECK, &err), "%s", err.text);
	cr_assert(dialog_next(&dialog, NULL, NULL, &err), "%s", err.text);
	dialog.answers = DIALOG_ANSWERS_MAX;
	cr_assert_not(dialog_next(&dialog, NULL, NULL, &err));
	cr_assert_str_eq(err.text, "its agent says too much");
	dialog_close(&dialog);
	stop(pid);
}
