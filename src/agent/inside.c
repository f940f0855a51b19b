#include "agent/inside.h"

#include <stdatomic.h>
#include <time.h>

#include "base/now.h"

#define STRIPES 64
#define LINE 64			/* bytes that processors pass around */
#define PAUSE MILLISECOND

/* Threads count in different places, so that they do not wait for each other. */
static struct stripe {
	_Alignas(LINE) atomic_uint inside;
} stripes[STRIPES];

/* Where a thread counts, from its first time on. */
static __thread struct stripe *own;

static struct stripe *stripe_here(void)
{
	static atomic_uint threads;

	if (!own)
		own = &stripes[atomic_fetch_add(&threads, 1) % STRIPES];
	return own;
}

/* Either we are counted when others look, or we see what they said before. */
void inside_enter(void)
{
	atomic_fetch_add(&stripe_here()->inside, 1);
}

void inside_leave(void)
{
	atomic_fetch_sub_explicit(&stripe_here()->inside, 1, memory_order_release);
}

static bool is_empty(const struct stripe *stripe, int64_t deadline)
{
	const struct timespec pause = { .tv_nsec = PAUSE };

	while (atomic_load(&stripe->inside) != 0) {
		if (now_ticks() >= deadline)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

/* One after the other: who enters where it was empty is nobody to wait for. */
bool inside_wait(int64_t patience)
{
	int64_t deadline = now_ticks() + patience;

	for (int i = 0; i < STRIPES; i++) {
		if (!is_empty(&stripes[i], deadline))
			return false;
	}
	return true;
}
