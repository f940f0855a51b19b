/*
 * osthread.h - the system's number of a thread of the JVM that is not the calling one.
 *
 * JVMTI does not tell it. HotSpot's own structures have it, and it says where. Memory
 * is read by way of the kernel, as the thread may end meanwhile: then it is not known.
 */
#ifndef AGENT_OSTHREAD_H
#define AGENT_OSTHREAD_H

#include <jni.h>
#include <sys/types.h>

/* 0: not known. */
pid_t osthread_of(JNIEnv *jni, jobject thread);

#endif
