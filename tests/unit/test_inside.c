#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "agent/inside.h"
#include "base/now.h"

static atomic_bool may_leave;

static void *visit(void *context)
{
	(void)context;
	inside_enter();
	inside_enter();
	inside_leave();
	while (!atomic_load(&may_leave))
		usleep(1000);
	inside_leave();
	return NULL;
}

Test(inside, nobody_is_waited_for_if_nobody_is_there)
{
	cr_expect(inside_wait(0));
	inside_enter();
	inside_leave();
	cr_expect(inside_wait(0));
}

Test(inside, each_thread_is_waited_for)
{
	pthread_t threads[100];

	for (int i = 0; i < 100; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, visit, NULL), 0);
	usleep(50000);
	cr_expect_not(inside_wait(10 * MILLISECOND));
	atomic_store(&may_leave, true);
	cr_expect(inside_wait(10 * SECOND));
	for (int i = 0; i < 100; i++)
		pthread_join(threads[i], NULL);
}
