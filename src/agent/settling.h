/*
 * settling.h - which recordings have stopped and wait for what comes of them: data of
 * settle.h.
 */
#ifndef AGENT_SETTLING_H
#define AGENT_SETTLING_H

#include <pthread.h>
#include <stdint.h>

#include "base/vec.h"

/* Of the agent. */
struct settling {
	pthread_mutex_t lock;
	VEC(uint64_t) waiting;
	/* Where files are being written, that is given up then; ticks. */
	_Atomic(int64_t) deadline;
};

#endif
