#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>

#include "agent/bell.h"
#include "base/now.h"

static struct bell bell;

Test(bell, rings_until_it_was_waited_for)
{
	cr_expect_not(bell_wait(&bell, 0));
	bell_ring(&bell);
	bell_ring(&bell);
	cr_expect(bell_wait(&bell, SECOND));
	cr_expect_not(bell_wait(&bell, MILLISECOND));
}

Test(bell, is_waited_for_no_longer_than_said)
{
	int64_t start = now_ticks();

	cr_expect_not(bell_wait(&bell, 50 * MILLISECOND));
	cr_expect_geq(now_ticks() - start, 50 * MILLISECOND);
	cr_expect_lt(now_ticks() - start, 5 * SECOND);
}

static void *ring(void *context)
{
	struct timespec pause = { .tv_nsec = 20 * MILLISECOND };

	nanosleep(&pause, NULL);
	errno = ENOENT;
	bell_ring(context);
	cr_expect_eq(errno, ENOENT);
	return NULL;
}

Test(bell, wakes_who_waits)
{
	int64_t start = now_ticks();
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, ring, &bell), 0);
	cr_expect(bell_wait(&bell, 20 * SECOND));
	cr_expect_lt(now_ticks() - start, 10 * SECOND);
	pthread_join(thread, NULL);
}
