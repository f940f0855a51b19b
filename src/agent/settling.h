/*
 * settling.h - what is known of files that recordings have become: data of settle.h.
 */
#ifndef AGENT_SETTLING_H
#define AGENT_SETTLING_H

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
	VEC(struct settled) files;	/* who writes them has it for himself */
	unsigned next;			/* of them, to be forgotten */
	/* Where files are being written, that is given up then; ticks. */
	_Atomic(int64_t) deadline;
};

#endif
