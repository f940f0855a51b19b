#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fully.h"

#define SIZE ((size_t)1 << 20)		/* more than a pipe holds */

static void ignore(int number)
{
	(void)number;
}

/* A pipe takes less at a time, and signals come meanwhile. */
Test(fully, writes_all_of_it)
{
	struct sigaction action = { .sa_handler = ignore };
	char *bytes = calloc(1, SIZE), piece[4096];
	size_t seen = 0;
	int ends[2], status;
	pid_t child;
	ssize_t got;

	cr_assert(bytes && pipe(ends) == 0);
	child = fork();
	if (child == 0) {
		sigaction(SIGUSR1, &action, NULL);
		close(ends[0]);
		_exit(!fully_write(ends[1], bytes, SIZE));
	}
	close(ends[1]);
	while ((got = read(ends[0], piece, sizeof(piece))) > 0) {
		seen += (size_t)got;
		if (seen > sizeof(piece))
			kill(child, SIGUSR1);
	}
	cr_expect_eq(seen, SIZE);
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_expect_eq(status, 0);
	free(bytes);
}

Test(fully, says_that_it_could_not)
{
	cr_expect_not(fully_write(-1, "x", 1));
	cr_expect_eq(errno, EBADF);
	cr_expect(fully_write(-1, "x", 0));
}

Test(fully, passes_on_what_comes_next)
{
	char bytes[100];
	int one[2], other[2];

	cr_assert(pipe(one) == 0 && pipe(other) == 0);
	cr_expect(fully_write(one[1], "abcdef", 6));
	cr_expect_eq(fully_pass(one[0], other[1], 4), 4);
	cr_expect_eq(fully_pass(one[0], other[1], SIZE), 2);
	close(one[1]);
	cr_expect_eq(fully_pass(one[0], other[1], SIZE), 0);
	cr_expect_eq(read(other[0], bytes, sizeof(bytes)), 6);
	cr_expect_arr_eq(bytes, "abcdef", 6);
	close(one[0]);
	cr_expect_eq(fully_pass(one[0], other[1], SIZE), -1);
	cr_expect_eq(errno, EBADF);
	close(other[0]);
	close(other[1]);
}
