#include <criterion/criterion.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "render/out.h"

static int new_file(void)
{
	int fd = memfd_create("out", MFD_CLOEXEC);

	cr_assert(fd >= 0);
	return fd;
}

static size_t size_of(int fd)
{
	return (size_t)lseek(fd, 0, SEEK_END);
}

static void expect_content(int fd, const char *text)
{
	char bytes[64] = "";

	cr_assert(pread(fd, bytes, sizeof(bytes) - 1, 0) >= 0);
	cr_expect_str_eq(bytes, text);
}

Test(out, writes_its_buffer_before_what_is_given)
{
	struct out out = { .fd = new_file() };
	struct err err;

	buf_text(&out.buf, "one ");
	cr_expect(out_write(&out, "two ", 4));
	buf_text(&out.buf, "three");
	cr_expect(out_close(&out, &err));
	expect_content(out.fd, "one two three");
	close(out.fd);
}

Test(out, waits_until_its_buffer_is_large)
{
	struct out out = { .fd = new_file() };

	buf_text(&out.buf, "x");
	cr_expect(out_drain(&out));
	cr_expect_eq(size_of(out.fd), 0);
	buf_fill(&out.buf, 'x', 1 << 20);
	cr_expect(out_drain(&out));
	cr_expect_eq(size_of(out.fd), (1 << 20) + 1);
	cr_expect_eq(out.buf.size, 0);
	cr_expect(out_close(&out, NULL));
	close(out.fd);
}

Test(out, keeps_its_first_failure)
{
	struct out out = { .fd = open("/dev/full", O_WRONLY | O_CLOEXEC) };
	struct err err = { 0 };

	cr_assert(out.fd >= 0);
	buf_text(&out.buf, "x");
	cr_expect_not(out_write(&out, "y", 1));
	cr_expect_eq(out.error, ENOSPC);
	close(out.fd);
	out.fd = new_file();
	cr_expect_not(out_write(&out, "y", 1));
	cr_expect_not(out_close(&out, &err));
	cr_expect_eq(size_of(out.fd), 0);
	cr_expect_eq(err.kind, ERR_SYSTEM);
	cr_expect_str_eq(err.text, "cannot write the output (No space left on device)");
	close(out.fd);
}

Test(out, fails_when_its_buffer_did)
{
	struct out out = { .fd = new_file(), .buf.limit = 4 };
	struct err err = { 0 };

	buf_text(&out.buf, "much too long");
	cr_expect_not(out_close(&out, &err));
	cr_expect_eq(out.error, ENOMEM);
	cr_expect_eq(err.kind, ERR_SYSTEM);
	close(out.fd);
}

Test(out, writes_in_pieces_where_the_reader_is_slow)
{
	struct out out = { 0 };
	char piece[4096];
	size_t got = 0;
	ssize_t size;
	int ends[2];

	cr_assert(pipe(ends) == 0);
	if (fork() == 0) {
		out.fd = ends[1];
		buf_fill(&out.buf, 'x', 300000);
		_exit(!out_write(&out, "y", 1));
	}
	close(ends[1]);
	while ((size = read(ends[0], piece, sizeof(piece))) > 0)
		got += (size_t)size;
	cr_expect_eq(got, 300001);
	close(ends[0]);
}

/* A character that begins in the buffer, and controls at each end of a piece. */
Test(out, tells_a_terminal_what_controls_there_are)
{
	struct out out = { .fd = new_file(), .is_terminal = true };
	struct err err;

	buf_text(&out.buf, "a\x1b\xe2");
	cr_expect(out_write(&out, "\x82\xac\x1b", 3));
	cr_expect_eq(out.error, 0);
	buf_text(&out.buf, "\t\n\xc3");
	cr_expect(out_close(&out, &err));
	expect_content(out.fd, "a\\x1b\u20ac\\x1b\t\n\\xc3");
	close(out.fd);
}

Test(out, writes_long_text_to_a_terminal)
{
	struct out out = { .fd = new_file(), .is_terminal = true };

	buf_fill(&out.buf, '\r', 100000);
	cr_expect(out_drain(&out));
	cr_expect_eq(size_of(out.fd), 0);
	cr_expect(out_close(&out, NULL));
	cr_expect_eq(size_of(out.fd), 400000);
	close(out.fd);
}

Test(out, fails_on_a_terminal_that_is_gone)
{
	struct out out = { .fd = open("/dev/full", O_WRONLY | O_CLOEXEC),
			   .is_terminal = true };

	buf_text(&out.buf, "x");
	cr_expect_not(out_write(&out, "y", 1));
	cr_expect_eq(out.error, ENOSPC);
	cr_expect_not(out_close(&out, &(struct err){ 0 }));
	close(out.fd);
}
