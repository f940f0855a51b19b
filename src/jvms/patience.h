/*
 * patience.h - waiting for another process: until a time, and no longer than the user
 * wants.
 *
 *	patience_begin(&patience, 5 * SECOND);
 *	... makes files that must be gone afterwards ...
 *	while (patience_wait(&patience, fd, POLLIN, -1) == WAITED_READY) ...
 *	... removes them ...
 *	patience_end(&patience);
 *
 * Signals that end the program are held back in this thread from begin to end, and cut
 * all waiting short; they have their effect at the end.
 */
#ifndef JVMS_PATIENCE_H
#define JVMS_PATIENCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct patience {
	int64_t end;			/* now_ticks */
	int signals;			/* a descriptor that tells of them */
	sigset_t before;
};

enum waited {
	WAITED_READY,
	WAITED_PAUSED,		/* that long nothing came, but there is time left */
	WAITED_OVER,			/* the time is up */
	WAITED_STOPPED,		/* a signal came */
};

void patience_begin(struct patience *patience, int64_t nanos);

/* As if it began now. */
void patience_renew(struct patience *patience, int64_t nanos);

/* For a descriptor (-1: none), `most` nanoseconds (-1: to the end). */
enum waited patience_wait(const struct patience *patience, int fd, short events,
			  int64_t most);

/* Leaves errno as it was. */
void patience_end(struct patience *patience);

#endif
