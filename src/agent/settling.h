/*
 * settling.h - which recordings have stopped and wait for what comes of them: data of
 * settle.h.
 */
#ifndef AGENT_SETTLING_H
#define AGENT_SETTLING_H

#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

/* A file that was made of a recording, when so many had begun. */
struct settled {
	dev_t device;
	ino_t inode;
	uint64_t newest;
};

/* Of the agent. */
struct settling {
	pthread_mutex_t lock;
	VEC(uint64_t) waiting;
	VEC(struct settled) files;	/* who writes them has it for himself */
	unsigned next;			/* of them, to be forgotten */
	/* Where files are being written, that is given up then; ticks. */
	_Atomic(int64_t) deadline;
};

#endif
