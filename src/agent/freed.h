/*
 * freed.h - tags of classes and loaders that the collector freed, until they are dealt
 * with.
 *
 * A sample taken before may still lie in a buffer, so what is known of them has to stay
 * until all that was committed by then is drained: one whole round of the recorder's.
 */
#ifndef AGENT_FREED_H
#define AGENT_FREED_H

#include <pthread.h>
#include <stdint.h>

#include "base/vec.h"

struct freed {
	pthread_mutex_t lock;
	VEC(int64_t) now;		/* since this round began; under the lock */
	VEC(int64_t) before;		/* between its begin and that of the one before */
};

void freed_init(struct freed *freed);

/* From the collector, which lets nothing be asked. Without memory the tag is forgotten. */
void freed_put(struct freed *freed, int64_t tag);

/*
 * A round begins: calls `what` for each tag that was put before the last round began,
 * without the lock. The flusher's.
 */
void freed_round(struct freed *freed, void (*what)(void *context, int64_t tag),
		 void *context);

/* Tags that were put are forgotten. The flusher's. */
void freed_clear(struct freed *freed);

#endif
