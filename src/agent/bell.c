#include "agent/bell.h"

#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"

static void futex(struct bell *bell, int what, uint32_t value,
		  const struct timespec *time)
{
	syscall(SYS_futex, &bell->rings, what | FUTEX_PRIVATE_FLAG, value, time, NULL,
		0);
}

void bell_ring(struct bell *bell)
{
	int error = errno;

	if (!atomic_exchange(&bell->rings, 1))
		futex(bell, FUTEX_WAKE, 1, NULL);
	errno = error;
}

/* The kernel may wake us for nothing. */
bool bell_wait(struct bell *bell, int64_t nanos)
{
	int64_t end = now_ticks() + nanos, left = nanos;

	while (!atomic_exchange(&bell->rings, 0)) {
		struct timespec time = { (time_t)(left / SECOND), (long)(left % SECOND) };

		if (left <= 0)
			return false;
		futex(bell, FUTEX_WAIT, 0, &time);
		left = end - now_ticks();
	}
	return true;
}
