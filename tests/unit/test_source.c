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
#include "jfr/unpack.h"
#include "way.h"

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

static bool is_delivered(const unsigned char *bytes, size_t from, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] != (from + i) % 251)
			return false;
	}
	return true;
}

/* All of it is there, and nothing behind it. */
static void check_delivered(struct source *source, size_t size)
{
	cr_assert_eq(source_fill(source, size + 1), size);
	cr_assert_eq(source->size, size);
	cr_assert(is_delivered(source->bytes, 0, size));
	cr_assert_eq(source->failure.kind, ERR_NONE);
}

Test(source, is_the_bytes_of_a_file)
{
	struct source source;
	struct err err = { 0 };

	close(file_make("FLR\0\2", 5));
	cr_assert(source_open(&source, path, NULL, &err), "%s", err.text);
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
	cr_assert(source_open(&source, path, NULL, NULL));
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

	cr_assert_not(source_open(&source, "/nowhere/r.jfr", NULL, &err));
	cr_assert_eq(err.kind, ERR_SYSTEM);
	cr_assert_str_eq(err.text,
			 "cannot open '/nowhere/r.jfr' (No such file or directory)");
	cr_assert_not(source_open(&source, "/", NULL, &err));
	cr_assert_eq(err.kind, ERR_SYSTEM);
	cr_assert_str_eq(err.text, "cannot read '/' (Is a directory)");
	source_close(&source);
}

Test(source, may_be_a_device)
{
	struct source source;

	cr_assert(source_open(&source, "/dev/null", NULL, NULL));
	cr_assert_eq(source_fill(&source, 1), 0);
	source_close(&source);
}

Test(source, may_be_a_pipe)
{
	struct source source;
	struct err err = { 0 };
	pid_t child = stdin_deliver(1000003);

	cr_assert(source_waits());
	cr_assert(source_open(&source, "-", NULL, &err), "%s", err.text);
	cr_assert_str_eq(source.name, "standard input");
	check_delivered(&source, 1000003);
	source_close(&source);
	waitpid(child, NULL, 0);
}

Test(source, may_be_an_empty_pipe)
{
	struct source source;
	pid_t child = stdin_deliver(0);

	cr_assert(source_open(&source, "-", NULL, NULL));
	cr_assert_eq(source_fill(&source, 1), 0);
	cr_assert_not_null(source.bytes);
	source_close(&source);
	waitpid(child, NULL, 0);
}

Test(source, waits_for_a_pipe_that_does_not_block)
{
	struct source source;
	pid_t child = stdin_deliver(300000);

	cr_assert_eq(fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK), 0);
	cr_assert(source_open(&source, "-", NULL, NULL));
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
		if (!source_open(&source, "-", NULL, NULL))
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
	cr_assert(source_open(&source, path, NULL, NULL));
	cr_assert_eq(source_fill(&source, 100), 5);
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
		cr_assert(source_open(&source, "-", NULL, NULL));
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
	cr_assert_not(source_open(&source, "-", NULL, &err));
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

#define MEGA ((size_t)1 << 20)

/* What is too much for memory; the file is needed only then. */
Test(source, keeps_a_pipe_where_tmpdir_says)
{
	struct source source;
	struct err err = { 0 };
	pid_t child = stdin_deliver(60 * MEGA);
	size_t kept;

	setenv("TMPDIR", "/nowhere", 1);
	cr_assert(source_open(&source, "-", NULL, &err));
	kept = source_fill(&source, 60 * MEGA);
	cr_assert_lt(kept, 60 * MEGA);
	cr_assert_gt(kept, 16 * MEGA);
	cr_assert_eq(source.failure.kind, ERR_SYSTEM);
	cr_assert_str_eq(
		source.failure.text,
		"cannot keep the input in /nowhere (No such file or directory)");
	cr_assert(is_delivered(source.bytes, 0, kept));
	cr_assert_eq(source_fill(&source, 60 * MEGA), kept);	/* it has ended */
	source_close(&source);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	child = stdin_deliver(60 * MEGA);
	setenv("TMPDIR", "", 1);
	cr_assert(source_open(&source, "-", NULL, &err));
	check_delivered(&source, 60 * MEGA);
	source_close(&source);
	waitpid(child, NULL, 0);
}

/* A pipe may have no more for a long time: what is there must do. */
Test(source, reads_a_pipe_no_further_than_asked)
{
	struct source source;
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(write(ends[1], "FLR\0\0\2\0\1 and more", 17), 17);
	stdin_become(ends[0]);
	cr_assert(source_open(&source, "-", NULL, NULL));
	cr_assert_eq(source_fill(&source, 17), 17);
	cr_assert_eq(memcmp(source.bytes, "FLR\0\0\2\0\1 and more", 17), 0);
	cr_assert_eq(source_fill(&source, 5), 17);
	close(ends[1]);
	cr_assert_eq(source_fill(&source, 18), 17);
	source_close(&source);
}

/* What takes and skips do, in any order, to all kinds of sources. */
static void check_walk(struct source *source, size_t size, unsigned int seed)
{
	struct block blocks[8] = { 0 };
	size_t starts[8] = { 0 }, at = 0;

	srandom(seed);
	for (size_t n = 0; at < size; n = (n + 1) % 8) {
		size_t wanted = (size_t)random() % 40000;
		size_t there = source_fill(source, wanted), part;

		cr_assert(there >= wanted || there == size - at, "%zu of %zu at %zu", there,
			  wanted, at);
		cr_assert_eq(source->offset, at);
		cr_assert(is_delivered(source->bytes, at, there < 50000 ? there : 50000));
		part = there < wanted || random() % 4 ? (size_t)random() % (there + 1) : there;
		if (random() % 2) {
			source_skip(source, part);
		} else {
			cr_assert(is_delivered(blocks[n].bytes, starts[n], blocks[n].size));
			block_free(&blocks[n]);
			starts[n] = at;
			cr_assert(source_take(source, part, &blocks[n], NULL));
		}
		at += part;
	}
	cr_assert_eq(source_fill(source, 1), 0);
	source_finish(source);
	for (size_t n = 0; n < 8; n++) {
		cr_assert(is_delivered(blocks[n].bytes, starts[n], blocks[n].size));
		block_free(&blocks[n]);
	}
}

static unsigned char *delivered(size_t size)
{
	unsigned char *bytes = malloc(size);

	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(i % 251);
	return bytes;
}

Test(source, hands_over_and_skips_in_any_order)
{
	enum { SIZE = 700001 };
	unsigned char *bytes = delivered(SIZE);

	for (unsigned int seed = 0; seed < 20; seed++) {
		for (enum way way = 0; way < WAY_COUNT; way++) {
			struct come come = way_open(way, bytes, SIZE);
			struct source source;
			struct err err = { 0 };

			cr_assert(source_open(&source, come.path, &unpack_archive, &err),
				  "%s: %s", way_names[way], err.text);
			if (way == WAY_FILE && seed % 2)
				source_copy(&source);
			check_walk(&source, SIZE, seed);
			source_close(&source);
			way_close(&come);
		}
	}
	free(bytes);
}

Test(source, may_be_bytes_in_memory)
{
	unsigned char *bytes = delivered(300000);
	struct source source = source_of_bytes(bytes, 300000, "r.jfr");

	cr_assert_str_eq(source.name, "r.jfr");
	cr_assert_eq(source_fill(&source, SIZE_MAX), 300000);
	check_walk(&source, 300000, 1);
	source_close(&source);
	source_close(&source);
	free(bytes);
}

/* Blocks of a mapped file are lent: they are there until it is closed. */
Test(source, lends_what_is_mapped)
{
	struct source source;
	struct block block;

	close(file_make("FLR\0\2 and more", 14));
	cr_assert(source_open(&source, path, NULL, NULL));
	cr_assert_eq(source.file_size, 14);
	cr_assert(source_take(&source, 5, &block, NULL));
	cr_assert_eq(block.capacity, 0);
	cr_assert_eq(source_position(&source), 5);
	source_finish(&source);
	cr_assert_eq(source.size, 0);
	cr_assert_eq(memcmp(block.bytes, "FLR\0\2", 5), 0);
	block_free(&block);
	source_close(&source);
	unlink(path);
}

Test(source, that_is_copied_may_shrink_and_grow)
{
	unsigned char *bytes = delivered(200000);
	struct source source;
	int fd = file_make(bytes, 200000);

	cr_assert(source_open(&source, path, NULL, NULL));
	source_copy(&source);
	cr_assert_eq(source_fill(&source, 1000), 1000);
	cr_assert_eq(ftruncate(fd, 5000), 0);
	check_delivered(&source, 5000);
	source_close(&source);

	cr_assert(source_open(&source, path, NULL, NULL));
	cr_assert_eq(source.size, 5000);
	source_copy(&source);
	cr_assert_eq(pwrite(fd, bytes + 5000, 195000, 5000), 195000);
	check_delivered(&source, 200000);
	cr_assert_eq(source_position(&source), 200000);
	source_close(&source);
	close(fd);
	free(bytes);
	unlink(path);
}

/* Nothing of a pipe or of bytes can be copied, nor need be. */
Test(source, copies_only_what_is_mapped)
{
	struct source source = source_of_bytes("abc", 3, "bytes");
	pid_t child;

	source_copy(&source);
	cr_assert_eq(source_fill(&source, 9), 3);
	source_close(&source);
	child = stdin_deliver(100);
	cr_assert(source_open(&source, "-", NULL, NULL));
	source_copy(&source);
	check_delivered(&source, 100);
	source_close(&source);
	waitpid(child, NULL, 0);
}

/* An unpacker that gives ten bytes of each one, and fails at the end. */
static int open_unpackings;
static source_read *read_packed;
static void *packed;

static void *fake_open(source_read *read, void *context, struct err *err)
{
	unsigned char first;

	if (read(context, &first, 1, err) != 1 || first == 'P') {
		err_set(err, ERR_FORMAT, "not to be unpacked");
		return NULL;
	}
	read_packed = read;
	packed = context;
	open_unpackings++;
	return &open_unpackings;
}

static ssize_t fake_read(void *context, unsigned char *to, size_t size, struct err *err)
{
	unsigned char byte;
	ssize_t got = read_packed(packed, &byte, 1, err);

	cr_assert_eq(context, &open_unpackings);
	if (got == 0) {
		err_set(err, ERR_FORMAT, "cut short");
		return -1;
	}
	size = size < 10 ? size : 10;
	memset(to, byte, size);
	return (ssize_t)size;
}

static void fake_close(void *context)
{
	cr_assert_eq(context, &open_unpackings);
	open_unpackings--;
}

static const struct unpacker fake = { fake_open, fake_read, fake_close };

Test(source, is_unpacked_by_whom_it_is_given)
{
	struct source source;

	close(file_make("\x1f\x8b" "abcdefghij", 12));
	cr_assert(source_open(&source, path, &fake, NULL));
	cr_assert_eq(open_unpackings, 1);
	cr_assert_eq(source_fill(&source, 1000), 110);	/* but for the first byte */
	cr_assert_eq(source.bytes[0], 0x8b);
	cr_assert_eq(source.bytes[109], 'j');
	cr_assert_eq(source.failure.kind, ERR_FORMAT);
	cr_assert_str_eq(source.failure.text, "cut short");
	cr_assert_eq(source_position(&source), 12);
	source_finish(&source);
	cr_assert_eq(open_unpackings, 0);
	source_close(&source);
	unlink(path);
}

Test(source, says_why_it_cannot_be_unpacked)
{
	static const struct {
		const char *bytes;
		const char *message;
	} cases[] = {
		{ "\x1f\x8b\x08 more", "compressed with gzip; decompress it first" },
		{ "PK\3\4 more", "compressed with zip; decompress it first" },
		{ "\x28\xb5\x2f\xfd more", "compressed with zstd; decompress it first" },
		{ "\x04\x22\x4d\x18 more", "compressed with lz4; decompress it first" },
		{ "\xfd" "7zXZ more", "compressed with xz; decompress it first" },
		{ "BZh9 more", "compressed with bzip2; decompress it first" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct source source;
		struct err err = { 0 };

		strcpy(path, "/tmp/test-source-XXXXXX");
		close(file_make(cases[i].bytes, strlen(cases[i].bytes)));
		cr_assert_not(source_open(&source, path, NULL, &err));
		cr_assert_str_eq(err.text, cases[i].message);
		cr_assert_eq(err.kind, ERR_FORMAT);
		source_close(&source);
		unlink(path);
	}
	strcpy(path, "/tmp/test-source-XXXXXX");
	close(file_make("PK\3\4 more", 9));
	cr_assert_not(source_open(&(struct source){ 0 }, path, &fake, NULL));
	cr_assert_eq(open_unpackings, 0);
	unlink(path);
}

Test(source, leaves_no_descriptor_open)
{
	struct source source;
	int before = dup(0), after;

	close(before);
	close(file_make("x", 1));
	cr_assert(source_open(&source, path, NULL, NULL));
	source_finish(&source);
	cr_assert_not(source_open(&source, "/", NULL, NULL));
	cr_assert_not(source_open(&source, "/nowhere/r.jfr", NULL, NULL));
	after = dup(0);
	cr_assert_eq(after, before);
	source_close(&source);
	unlink(path);
}

/* Mapped, or read piece by piece. */
Test(source, ends_where_it_is_cut)
{
	for (int is_copied = 0; is_copied < 2; is_copied++) {
		struct source source;
		struct block block;
		struct err err;

		strcpy(path, "/tmp/test-source-XXXXXX");
		close(file_make("0123456789", 10));
		cr_assert(source_open(&source, path, NULL, &err));
		if (is_copied)
			source_copy(&source);
		source_cut(&source, 6);
		cr_expect_geq(source_fill(&source, 2), 2u);
		cr_assert(source_take(&source, 2, &block, &err));
		cr_expect_eq(source_fill(&source, 100), 4u);
		cr_expect_eq(memcmp(source.bytes, "2345", 4), 0);
		cr_expect_eq(source.failure.kind, ERR_NONE);
		block_free(&block);
		source_close(&source);
		/* It is not so long. */
		cr_assert(source_open(&source, path, NULL, &err));
		if (is_copied)
			source_copy(&source);
		source_cut(&source, 60);
		cr_expect_eq(source_fill(&source, 100), 10u);
		source_close(&source);
		unlink(path);
	}
}
