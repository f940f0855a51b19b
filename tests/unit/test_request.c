#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "control/request.h"
#include "fault.h"

static void expect_rest(const struct request *request, const char *rest)
{
	struct buf buf = { 0 };

	request_write(request, &buf);
	cr_expect(str_is(buf_as_str(&buf), str_of(rest)), "%.*s", (int)buf.size,
		  buf.bytes);
	buf_clear(&buf);
}

static struct request read_good(const char *word, const char *rest)
{
	struct request request;
	struct err err = { 0 };

	request_init(&request, REQUEST_CHECK);
	cr_assert(request_read(&request, word, rest, &err), "%s", err.text);
	cr_expect_str_eq(request_word(request.verb), word);
	expect_rest(&request, rest);
	return request;
}

Test(request, is_read_and_written)
{
	struct request request = read_good("stop", "name=a\\nb\nlast=300\nto=client\n");

	cr_expect_eq(request.verb, REQUEST_STOP);
	cr_expect_str_eq(request.name.bytes, "a\nb");
	cr_expect_eq(request.last, 300);
	cr_expect_eq(request.to, REQUEST_TO_CLIENT);
	request_clear(&request);
	cr_expect(request.verb == REQUEST_STOP && !request.name.bytes);
	request = read_good("dump", "name=1\nlast=0\n");
	request_clear(&request);
	request = read_good("check", "");
	cr_expect_eq(request.name.size, 0);
	request_clear(&request);
	request = read_good("set", "name=x\n");
	request_clear(&request);
	request = read_good("start", "");
	request_clear(&request);
	request = read_good("detach", "");
	request_clear(&request);
}

Test(request, needs_no_lines_at_all)
{
	struct request request;
	struct err err;

	request_init(&request, REQUEST_DETACH);
	cr_assert(request_read(&request, "stop", "", &err));
	cr_expect_eq(request.to, REQUEST_TO_OUTPUT);
	cr_expect_eq(request.name.size, 0);
	request_clear(&request);
}

static const char *fault_of(const char *word, const char *rest)
{
	static struct err err;
	struct request request;

	err = (struct err){ 0 };
	request_init(&request, REQUEST_CHECK);
	cr_assert_not(request_read(&request, word, rest, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	request_clear(&request);
	return err.text;
}

Test(request, is_refused_with_a_text)
{
	cr_expect_str_eq(fault_of("fly", ""), "an agent does not know 'fly'");
	cr_expect_str_eq(fault_of("", ""), "an agent does not know ''");
	cr_expect_str_eq(fault_of("stop", "to=me"), "stop: to: 'me' is unknown here");
	cr_expect_str_eq(fault_of("dump", "to=client"), "dump: 'to' is unknown here");
	cr_expect_str_eq(fault_of("start", "name=x"), "start: 'name' is unknown here");
	cr_expect_str_eq(fault_of("stop", "until=now"), "stop: 'until' is unknown here");
	cr_expect_str_eq(fault_of("stop", "now"), "stop: no '='");
	cr_expect_str_eq(fault_of("dump", "last=5m"),
			 "dump: last: '5m' is no number from 0 on");
	cr_expect_str_eq(fault_of("dump", "name=a\\tb"),
			 "dump: name: a backslash before nothing that needs one");
}

/* The text of that file, or what is wrong with it, until the next. */
static const char *read_file(int fd)
{
	static struct buf text;
	static struct err err;

	buf_reset(&text);
	err = (struct err){ 0 };
	if (!request_file(fd, &text, &err)) {
		cr_expect_eq(err.kind, ERR_USAGE);
		return err.text;
	}
	buf_byte(&text, '\0');
	return text.bytes;
}

static const char *read_and_close(int fd)
{
	const char *text = read_file(fd);

	close(fd);
	return text;
}

Test(request, has_its_orders_in_a_file)
{
	int fd = request_make_file(STR("name=x\n"), NULL);

	cr_assert_geq(fd, 0);
	cr_expect_str_eq(read_file(fd), "name=x\n");
	lseek(fd, 3, SEEK_SET);
	cr_expect_str_eq(read_and_close(fd), "name=x\n");
	cr_expect_str_eq(read_and_close(request_make_file(STR(""), NULL)), "");
}

#define NOT_IN_MEMORY "the file with it is not one in memory"

Test(request, has_no_other_files)
{
	int ends[2];

	cr_expect_str_eq(read_file(-1), "there is no file with it");
	cr_assert_eq(pipe(ends), 0);
	cr_expect_str_eq(read_and_close(ends[0]), NOT_IN_MEMORY);
	close(ends[1]);
	cr_expect_str_eq(read_and_close(open("/dev/zero", O_RDONLY)), NOT_IN_MEMORY);
	cr_expect_str_eq(read_and_close(open("/proc/self/maps", O_RDONLY)), NOT_IN_MEMORY);
	cr_expect_str_eq(read_and_close(open("/", O_RDONLY)), NOT_IN_MEMORY);
	cr_expect_str_eq(read_and_close(open("/", O_PATH)), NOT_IN_MEMORY);
}

Test(request, has_a_file_of_bounded_size)
{
	int fd = memfd_create("request", MFD_CLOEXEC);
	struct buf text = { 0 };
	struct err err;

	cr_assert_eq(ftruncate(fd, (off_t)REQUEST_FILE_MAX), 0);
	cr_expect(request_file(fd, &text, &err));
	cr_expect_eq(text.size, REQUEST_FILE_MAX);
	buf_clear(&text);
	cr_assert_eq(ftruncate(fd, (off_t)REQUEST_FILE_MAX + 1), 0);
	cr_expect_str_eq(read_file(fd), "the file with it has more than 1048576 bytes");
	cr_assert_eq(ftruncate(fd, INT64_MAX), 0);
	cr_expect_str_eq(read_file(fd), "the file with it has more than 1048576 bytes");
	close(fd);
}

Test(request, survives_without_memory)
{
	bool is_good = false;

	for (size_t n = 1; !is_good; n++) {
		struct request request;
		struct err err = { 0 };

		request_init(&request, REQUEST_CHECK);
		fault_at(n);
		is_good = request_read(&request, "dump", "name=x\nname=y\n", &err);
		cr_expect_eq(is_good, !fault_happened());
		cr_expect(is_good || err.kind == ERR_MEMORY);
		fault_at(0);
		request_clear(&request);
	}
}
