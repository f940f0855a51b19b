#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/now.h"
#include "jvms/patience.h"

Test(patience, has_an_end)
{
	struct patience patience;
	int64_t begin = now_ticks();

	patience_begin(&patience, 50 * MILLISECOND);
	cr_expect_eq(patience_wait(&patience, -1, 0, 5 * MILLISECOND), WAITED_PAUSED);
	cr_expect_eq(patience_wait(&patience, -1, 0, -1), WAITED_OVER);
	cr_expect_eq(patience_wait(&patience, -1, 0, SECOND), WAITED_OVER);
	cr_expect_geq(now_ticks() - begin, 50 * MILLISECOND);
	patience_end(&patience);
}

Test(patience, is_cut_short_by_what_comes)
{
	struct patience patience;
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(write(ends[1], "x", 1), 1);
	patience_begin(&patience, 10 * SECOND);
	cr_expect_eq(patience_wait(&patience, ends[0], POLLIN, -1), WAITED_READY);
	patience_end(&patience);
	close(ends[0]);
	close(ends[1]);
}

static volatile sig_atomic_t seen;

static void see(int number)
{
	seen = number;
}

Test(patience, is_cut_short_by_a_signal_which_comes_at_its_end)
{
	struct patience patience;

	signal(SIGTERM, see);
	patience_begin(&patience, 10 * SECOND);
	kill(getpid(), SIGTERM);
	cr_expect_eq(patience_wait(&patience, -1, 0, -1), WAITED_STOPPED);
	cr_expect_eq(seen, 0);
	patience_end(&patience);
	cr_expect_eq(seen, SIGTERM);
}

Test(patience, bears_a_signal_that_is_ignored)
{
	struct patience patience;

	signal(SIGHUP, SIG_IGN);
	patience_begin(&patience, 20 * MILLISECOND);
	kill(getpid(), SIGHUP);
	cr_expect_eq(patience_wait(&patience, -1, 0, -1), WAITED_OVER);
	patience_end(&patience);
}
