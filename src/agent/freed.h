/*
 * freed.h - tags of classes and loaders that the collector freed, until they are dealt
 * with.
 *
 * A sample taken before may still lie in a buffer, so what is known of them has to stay
 * until all that was committed by then is drained: one whole round of the recorder's.
 */
#ifndef AGENT_FREED_H
#define AGENT_FREED_H

#include <jni.h>
#include <pthread.h>

#include "base/vec.h"

struct freed {
	pthread_mutex_t lock;
	VEC(jlong) now, before;		/* since this round began, since the one before */
};

void freed_init(struct freed *freed);

/* From the collector, which lets nothing be asked. Without memory the tag is forgotten. */
void freed_put(struct freed *freed, jlong tag);

/*
 * A round begins: calls `what` for each tag that was put before the last round began,
 * without the lock. The flusher's.
 */
void freed_round(struct freed *freed, void (*what)(void *context, jlong tag),
		 void *context);

#endif
