/*
 * starts.h - threads that are being started, and what is told to them of who does it.
 *
 * The thread that starts another puts down what it knows; the new one takes it when it
 * runs, and then it is gone. Java's numbers of threads are never used again. Any
 * thread; the lock is held for short.
 */
#ifndef AGENT_STARTS_H
#define AGENT_STARTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

/* Keys, each to be touched before it is used; 0: not known. */
struct start {
	int64_t java_tid;		/* of the new thread */
	uint64_t parent;		/* POOL_THREAD */
	uint64_t stack;			/* POOL_STACK_TRACE */
};

struct starts {
	pthread_mutex_t lock;
	VEC(struct start) waiting;
	struct map by_tid;		/* index in `waiting` */
};

void starts_init(struct starts *starts);
void starts_clear(struct starts *starts);

/* In place of what there was of that thread. False without memory: nothing waits. */
bool starts_put(struct starts *starts, const struct start *start);

/* What was put down for that thread, or no keys. */
struct start starts_take(struct starts *starts, int64_t java_tid);

#endif
