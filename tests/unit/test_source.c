#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/source.h"

/* Each test runs in a process of its own, so each has a file of its own. */
static char path[] = "/tmp/test-source-XXXXXX";

static int file_make(const void *bytes, size_t size)
{
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
	cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Puts `fd` in the place of standard input. */
static void stdin_become(int fd)
{
	cr_assert_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	close(fd);
}

/* Standard input delivers byte i % 251 at i, in pieces, written by a child. */
static pid_t stdin_deliver(size_t size)
{
	int ends[2];
	pid_t child;

	cr_assert_eq(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		unsigned char piece[997];

		for (size_t at = 0; at < size;) {
			size_t count = size - at < 997 ? size - at : 997;
			ssize_t put;

			for (size_t i = 0; i < count; i++)
				piece[i] = (unsigned char)((at + i) % 251);
			put = write(ends[1], piece, count);
			at += put > 0 ? (size_t)put : 0;
		}
		_exit(0);
	}
	close(ends[1]);
	stdin_become(ends[0]);
	return child;
}

static void check_delivered(const struct source *source, size_t size)
{
	cr_assert_eq(source->size, size);
	for (size_t i = 0; i < size; i++)
		if (source->bytes[i] != i % 251)
			cr_assert_fail("byte %zu", i);
}

Test(source, is_the_bytes_of_a_file)
{
	struct source source;
	struct err err = { 0 };

	close(file_make("FLR\0\2", 5));
	cr_assert(source_open(&source, path, &err), "%s", err.text);
	cr_assert_eq(source.size, 5);
	cr_assert_eq(memcmp(source.bytes, "FLR\0\2", 5), 0);
	cr_assert_eq(source.name, path);
	source_close(&source);
	unlink(path);
}

Test(source, may_be_empty)
{
	struct source source;

	close(file_make("", 0));
	cr_assert(source_open(&source, path, NULL));
	cr_assert_eq(source.size, 0);
	cr_assert_not_null(source.bytes);
	source_close(&source);
	source_close(&source);
	unlink(path);
}

Test(source, says_why_it_cannot_be_opened)
{
	struct source source;
	struct err err = { 0 };

	cr_assert_not(source_open(&source, "/nowhere/r.jfr", &err));
	cr_assert_eq(err.kind, ERR_SYSTEM);
	cr_assert_str_eq(err.text,
			 "cannot open '/nowhere/r.jfr' (No such file or directory)");
	cr_assert_not(source_open(&source, "/", &err));
	cr_assert_eq(err.kind, ERR_SYSTEM);
	cr_assert_str_eq(err.text, "cannot read '/' (Is a directory)");
	source_close(&source);
}

Test(source, may_be_a_device)
{
	struct source source;

	cr_assert(source_open(&source, "/dev/null", NULL));
	cr_assert_eq(source.size, 0);
	source_close(&source);
}

Test(source, may_be_a_pipe)
{
	struct source source;
	struct err err = { 0 };
	pid_t child = stdin_deliver(1000003);

	cr_assert(source_waits());
	cr_assert(source_open(&source, "-", &err), "%s", err.text);
	cr_assert_str_eq(source.name, "standard input");
	check_delivered(&source, 1000003);
	source_close(&source);
	waitpid(child, NULL, 0);
}

Test(source, may_be_an_empty_pipe)
{
	struct source source;
	pid_t child = stdin_deliver(0);

	cr_assert(source_open(&source, "-", NULL));
	cr_assert_eq(source.size, 0);
	source_close(&source);
	waitpid(child, NULL, 0);
}

Test(source, waits_for_a_pipe_that_does_not_block)
{
	struct source source;
	pid_t child = stdin_deliver(300000);

	cr_assert_eq(fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK), 0);
	cr_assert(source_open(&source, "-", NULL));
	check_delivered(&source, 300000);
	source_close(&source);
	waitpid(child, NULL, 0);
}

static void ignore(int number)
{
	(void)number;
}

/* A process that reads is interrupted again and again, without SA_RESTART. */
Test(source, is_read_through_interruptions)
{
	struct sigaction action = { .sa_handler = ignore };
	struct source source;
	pid_t reader, child;
	int status;

	cr_assert_eq(sigaction(SIGUSR1, &action, NULL), 0);
	reader = fork();
	if (reader == 0) {
		child = stdin_deliver(2000000);
		if (!source_open(&source, "-", NULL))
			_exit(1);
		check_delivered(&source, 2000000);
		waitpid(child, NULL, 0);
		_exit(0);
	}
	while (waitpid(reader, &status, WNOHANG) == 0) {
		kill(reader, SIGUSR1);
		usleep(100);
	}
	cr_assert(WIFEXITED(status));
	cr_assert_eq(WEXITSTATUS(status), 0);
}

Test(source, may_be_a_named_pipe)
{
	struct source source;
	pid_t child;

	close(file_make("", 0));
	unlink(path);
	cr_assert_eq(mkfifo(path, 0600), 0);
	child = fork();
	if (child == 0) {
		int fd = open(path, O_WRONLY);

		_exit(write(fd, "hello", 5) != 5);
	}
	cr_assert(source_open(&source, path, NULL));
	cr_assert_eq(source.size, 5);
	cr_assert_eq(memcmp(source.bytes, "hello", 5), 0);
	source_close(&source);
	waitpid(child, NULL, 0);
	unlink(path);
}

Test(source, begins_where_standard_input_stands)
{
	static unsigned char bytes[20000];
	const off_t positions[] = { 0, 1, 4095, 4096, 10000, 19999, 20000, 30000 };
	struct source source;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i % 251);
	stdin_become(file_make(bytes, sizeof(bytes)));
	cr_assert(source_waits());
	for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); i++) {
		size_t at = (size_t)positions[i];
		size_t rest = at < sizeof(bytes) ? sizeof(bytes) - at : 0;

		cr_assert_eq(lseek(STDIN_FILENO, positions[i], SEEK_SET), positions[i]);
		cr_assert(source_open(&source, "-", NULL));
		cr_assert_eq(source.size, rest);
		if (rest)
			cr_assert_eq(memcmp(source.bytes, bytes + at, rest), 0);
		source_close(&source);
	}
	unlink(path);
}

Test(source, fails_when_standard_input_is_closed)
{
	struct source source;
	struct err err = { 0 };

	close(STDIN_FILENO);
	cr_assert_not(source_waits());
	cr_assert_not(source_open(&source, "-", &err));
	cr_assert_str_eq(err.text, "cannot read 'standard input' (Bad file descriptor)");
}

Test(source, does_not_wait_for_a_device)
{
	stdin_become(open("/dev/null", O_RDONLY));
	cr_assert_not(source_waits());
}

Test(source, waits_for_a_socket)
{
	int ends[2];

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	stdin_become(ends[0]);
	cr_assert(source_waits());
	close(ends[1]);
}

Test(source, keeps_a_pipe_where_tmpdir_says)
{
	struct source source;
	struct err err = { 0 };
	pid_t child = stdin_deliver(10);

	setenv("TMPDIR", "/nowhere", 1);
	cr_assert_not(source_open(&source, "-", &err));
	cr_assert_str_eq(
		err.text,
		"cannot keep standard input in /nowhere (No such file or directory)");
	setenv("TMPDIR", "", 1);
	cr_assert(source_open(&source, "-", &err));
	check_delivered(&source, 10);
	source_close(&source);
	waitpid(child, NULL, 0);
}

Test(source, leaves_no_descriptor_open)
{
	struct source source;
	int before = dup(0), after;

	close(before);
	close(file_make("x", 1));
	cr_assert(source_open(&source, path, NULL));
	cr_assert_not(source_open(&source, "/", NULL));
	after = dup(0);
	cr_assert_eq(after, before);
	source_close(&source);
	unlink(path);
}
