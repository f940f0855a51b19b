/*
 * sampled.h - which threads have a timer.
 *
 * Those of Java, if their names are wanted, which is looked at again as threads may
 * take other names; a virtual thread is sampled where its carrier is. Those that are
 * not Java's have one so that their ticks are counted, but for the recorder's own; not
 * where time passes for all (TICK_WALL): whatever they wait in would be interrupted.
 */
#ifndef AGENT_SAMPLED_H
#define AGENT_SAMPLED_H

#include <pthread.h>

#include "agent/agent.h"
#include "base/map.h"
#include "base/vec.h"
#include "sampler/ticks.h"

struct sampled {
	struct agent *agent;
	struct ticks *ticks;
	atomic_bool has_one;		/* some thread was wanted */
	pthread_mutex_t lock;		/* for the filter: threads that start ask for it */
	struct str filter;		/* of names; the text stays in the agent's orders */
	/* The flusher's: threads that are not Java's. */
	VEC(pid_t) others;
	struct map known;		/* the same, to be found */
	int64_t listed;			/* ticks when the system's list was read last */
	size_t untimed;			/* threads that had no timer then */
	int64_t judged;			/* ticks when names were looked at last */
};

/*
 * Of those ticks, and threads that the agent's orders want; under the recorder's lock,
 * before anything else, and before each begin. Starts zeroed, but for the lock.
 */
void sampled_open(struct sampled *sampled, struct agent *agent, struct ticks *ticks);

/* The ticks have started: threads that live get their timers. */
void sampled_begin(struct sampled *sampled, JNIEnv *jni);

/* What has changed: each round. */
void sampled_look(struct sampled *sampled, JNIEnv *jni);

/* True if there was a thread that is wanted. */
bool sampled_had_one(struct sampled *sampled);

/* The calling thread has begun; its record. */
void sampled_add(struct sampled *sampled, JNIEnv *jni, jthread thread,
		 const struct thread *self);

/* It ends, and its record, which had that key, is gone: in this order. */
void sampled_remove(struct sampled *sampled, pid_t tid, uint64_t key);

#endif
