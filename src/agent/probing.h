/*
 * probing.h - what the agent has of classes with probes: the instrumenter's own.
 */
#ifndef AGENT_PROBING_H
#define AGENT_PROBING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/vec.h"
#include "probe/probed.h"

struct methodchoice;

/* Of the agent (agent.h); zeroed it does nothing. */
struct instrumenter {
	_Atomic(struct probed *) probed;	/* NULL: there were never filters */
	_Atomic(struct methodchoice *) now;	/* methodchoice.h; NULL: the same */
	struct methodchoice *before;	/* those that some thread may still look at; locked */
	_Atomic bool is_on;		/* filters hold */
	atomic_int sweeps;		/* rounds that still look for probes to take out */
	pthread_mutex_t lock;
	VEC(void *) put_off;		/* references to those for the next round; locked */
	VEC(void *) open;		/* weak ones to those to be looked at; locked */
};

#endif
