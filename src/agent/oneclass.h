/*
 * oneclass.h - what has to be known of a class that may have probes.
 */
#ifndef AGENT_ONECLASS_H
#define AGENT_ONECLASS_H

#include "agent/agent.h"

/* A class, asked of the JVM; it has to be given back. False: it can have no probes. */
struct oneclass {
	char *signature;		/* of the JVM's */
	char *name;			/* "a/b/C", in it */
	uint64_t loader;		/* POOL_CLASS_LOADER; 0: the boot loader */
	bool is_known;			/* probed_has: `loader` is where */
	bool is_seen;			/* by the filters that hold: probed_is_seen */
};
bool oneclass_read(struct oneclass *of, struct agent *agent, JNIEnv *jni, jclass type);
void oneclass_clear(struct oneclass *of, struct agent *agent);

bool oneclass_is_linked(struct agent *agent, jclass type);

/* If it has probes, and is linked, it is known by its key from now on. */
void oneclass_bind(struct agent *agent, JNIEnv *jni, jclass type);
#endif
