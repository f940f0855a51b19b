/*
 * load.h - how busy the processors were between two moments.
 */
#ifndef HOST_LOAD_H
#define HOST_LOAD_H

#include "host/proc.h"

struct load_sample {
	struct proc_times process;
	struct proc_machine machine;
};

/* Shares of all processors together, 0 to 1. */
struct load {
	float user, system;	/* of this process */
	float machine;		/* of all processes; no less than both */
};

bool load_sample(struct load_sample *sample);

/* `tick` in nanoseconds. Where no time has passed, all are 0. */
struct load load_between(const struct load_sample *before,
			 const struct load_sample *after, int64_t tick);

#endif
