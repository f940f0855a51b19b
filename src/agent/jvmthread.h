/*
 * jvmthread.h - threads of our own in the JVM.
 *
 * Daemon threads in the group at the top, so that the application's own has none of ours.
 * They are marked as the recorder's (registry.h), and take no signals of the process.
 */
#ifndef AGENT_JVMTHREAD_H
#define AGENT_JVMTHREAD_H

#include <stdbool.h>

#include "agent/jvm.h"
#include "base/err.h"

struct jvmthread {
	const char *name;
	/* `jni` NULL: the JVM takes no thread of ours. */
	void (*run)(void *context, JNIEnv *jni);
	/* The last that it does; it has left the JVM. NULL: nothing. */
	void (*over)(void *context);
	void *context;
};

/* The calling thread is one of the JVM's, in its live phase. What is told is copied. */
bool jvmthread_start(const struct jvm *jvm, JNIEnv *jni, const struct jvmthread *told,
		     struct err *err);

#endif
