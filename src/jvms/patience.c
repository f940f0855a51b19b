#include "jvms/patience.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/now.h"

/* What ends programs; but one that ignores it goes on. */
static sigset_t ending(void)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	struct sigaction action;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		if (sigaction(signals[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			sigaddset(&set, signals[i]);
	}
	return set;
}

void patience_renew(struct patience *patience, int64_t nanos)
{
	patience->end = now_ticks() + nanos;
}

void patience_begin(struct patience *patience, int64_t nanos)
{
	sigset_t set = ending();

	patience_renew(patience, nanos);
	sigprocmask(SIG_BLOCK, &set, &patience->before);
	patience->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

enum waited patience_wait(const struct patience *patience, int fd, short events,
			  int64_t most)
{
	struct pollfd polls[2] = {
		{ .fd = fd, .events = events },
		{ .fd = patience->signals, .events = POLLIN },
	};
	int64_t left = patience->end - now_ticks();
	int64_t nanos = most >= 0 && most < left ? most : left;
	int count;

	if (left <= 0)
		return WAITED_OVER;
	count = poll(polls, 2, (int)((nanos + MILLISECOND - 1) / MILLISECOND));
	if (polls[1].revents && count > 0)
		return WAITED_STOPPED;
	if (count > 0)
		return WAITED_READY;
	return patience->end - now_ticks() <= 0 ? WAITED_OVER : WAITED_PAUSED;
}

void patience_end(struct patience *patience)
{
	int error = errno;

	if (patience->signals >= 0)
		close(patience->signals);
	patience->signals = -1;
	sigprocmask(SIG_SETMASK, &patience->before, NULL);
	errno = error;
}
