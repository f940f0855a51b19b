/*
 * loaders.h - the class loaders that never go, nor the classes that they load.
 *
 * The boot loader is one, and so is the system's with all that it asks first: the one of
 * the platform, or of extensions. Other classes go with their loader. A hidden class may
 * go before, whatever loaded it.
 */
#ifndef AGENT_LOADERS_H
#define AGENT_LOADERS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "agent/jvm.h"

#define LOADERS_MAX 8

struct loaders {
	const struct jvm *jvm;
	pthread_mutex_t lock;
	jobject all[LOADERS_MAX];	/* global references */
	atomic_int count;		/* 0: not known yet */
};

void loaders_init(struct loaders *loaders, const struct jvm *jvm);

/* Nobody uses them any more. */
void loaders_clear(struct loaders *loaders, JNIEnv *jni);

enum loaders_fate {
	LOADERS_STAYS,			/* until the JVM ends */
	LOADERS_GOES,			/* with its loader */
	LOADERS_ALONE,			/* maybe before */
};

/*
 * What becomes of a class. Runs no code of Java's. Leaves references to the caller's
 * frame.
 */
enum loaders_fate loaders_fate(struct loaders *loaders, JNIEnv *jni, jclass type);

#endif
