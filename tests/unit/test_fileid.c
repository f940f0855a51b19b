#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fileid.h"

Test(fileid, is_that_of_one_file)
{
	int pipes[2], fd;
	struct fileid id;

	cr_assert_eq(pipe(pipes), 0);
	id = fileid_of(pipes[0]);
	cr_expect(fileid_is(&id, pipes[0]));
	fd = fcntl(pipes[0], F_DUPFD_CLOEXEC, 100);
	cr_expect(fileid_is(&id, fd));
	close(pipes[0]);
	cr_expect_not(fileid_is(&id, pipes[0]));
	cr_assert_eq(open("/dev/null", O_RDWR | O_CLOEXEC), pipes[0]);
	cr_expect_not(fileid_is(&id, pipes[0]));
}

Test(fileid, of_no_descriptor_is_nothing)
{
	struct fileid none = { 0 }, id = fileid_of(-1), closed = fileid_of(1000);

	cr_expect_not(fileid_is(&none, -1));
	cr_expect_not(fileid_is(&none, STDOUT_FILENO));
	cr_expect_not(fileid_is(&id, -1));
	cr_expect_not(fileid_is(&closed, 1000));
	cr_expect_not(fileid_is_removed(&none, -1));
}

Test(fileid, knows_that_the_name_is_gone)
{
	char path[] = "/tmp/test_fileid.XXXXXX";
	int fd = mkstemp(path);
	struct fileid id = fileid_of(fd), nameless;

	cr_assert_geq(fd, 0);
	cr_expect_not(fileid_is_removed(&id, fd));
	unlink(path);
	cr_expect(fileid_is_removed(&id, fd));
	cr_expect(fileid_is(&id, fd));
	nameless = fileid_of(fd);
	cr_expect_not(fileid_is_removed(&nameless, fd));
	close(fd);
}

Test(fileid, closes_its_own_file_alone)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct fileid id = fileid_of(fd);

	close(fd);
	cr_assert_eq(open("/dev/zero", O_RDONLY | O_CLOEXEC), fd);
	fileid_close(&id, fd);
	cr_expect_neq(fcntl(fd, F_GETFD), -1);
	id = fileid_of(fd);
	fileid_close(&id, fd);
	cr_expect_eq(fcntl(fd, F_GETFD), -1);
}
