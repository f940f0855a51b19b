/*
 * identity.h - what a thread is called, as a constant: POOL_THREAD, with its groups.
 *
 * Any thread. No lock; no references to objects are left.
 */
#ifndef AGENT_IDENTITY_H
#define AGENT_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/jvm.h"
#include "base/buf.h"
#include "engine/constants.h"

struct identity {
	struct buf name;
	uint64_t group;			/* POOL_THREAD_GROUP */
	int64_t java_tid;		/* 0: not one of Java's, or not known */
	/* The caller's to set; 0: not known. */
	pid_t tid;
	bool is_java, is_virtual;
};

/* Reads it of a thread of Java. False: it has ended, and there is nothing to clear. */
bool identity_read(struct identity *identity, const struct jvm *jvm,
		   struct constants *constants, JNIEnv *jni, jthread thread);

/*
 * Puts the constant under that key, and pins it, unless it says the same as before:
 * `said` is 0 at first. False without memory.
 */
bool identity_put(const struct identity *identity, struct constants *constants,
		  uint64_t key, uint32_t *said);

void identity_clear(struct identity *identity);

#endif
