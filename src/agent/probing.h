/*
 * probing.h - what the agent has of classes with probes: the instrumenter's own.
 */
#ifndef AGENT_PROBING_H
#define AGENT_PROBING_H

#include <pthread.h>
#include <stdbool.h>

#include "base/map.h"
#include "base/vec.h"
#include "probe/counters.h"
#include "probe/instrument.h"

/* Of the agent (agent.h); zeroed it does nothing. */
struct instrumenter {
	struct filters filters;
	struct counters *counters;
	struct probed *probed;		/* NULL: there are no filters */
	struct instrument instrument;
	_Atomic bool is_on;
	pthread_mutex_t lock;
	VEC(void *) put_off;		/* references to those for the next round; locked */
	VEC(void *) open;		/* weak ones to those to be looked at; locked */
	_Atomic bool has_failed;	/* a class could not be rewritten: that is told */
};

#endif
