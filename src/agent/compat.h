/*
 * compat.h - JVMTI and JNI, whichever JDK the headers come from.
 *
 * Built with the headers of JDK 8 the agent does the same as built with those of 25:
 * what came later is declared here, by its place in the tables, which never changes.
 * Ask jvm->version before using it.
 */
#ifndef AGENT_COMPAT_H
#define AGENT_COMPAT_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Events, by number. */
#define COMPAT_VIRTUAL_THREAD_START ((jvmtiEvent)87)	/* 21 */
#define COMPAT_VIRTUAL_THREAD_END ((jvmtiEvent)88)	/* 21 */

/* The table of callbacks has a place for each event from the first one on. */
#define COMPAT_EVENT_FIRST 50
#define COMPAT_EVENT_END 89

struct compat_callbacks {
	void *of[COMPAT_EVENT_END - COMPAT_EVENT_FIRST];
};

/* Capabilities are bits, those of later versions too. */
#define COMPAT_CAPABILITY_VIRTUAL_THREADS 44		/* 21 */

static inline void compat_want(jvmtiCapabilities *capabilities, int bit)
{
	uint64_t words[sizeof(*capabilities) / sizeof(uint64_t)];

	memcpy(words, capabilities, sizeof(words));
	words[bit / 64] |= UINT64_C(1) << bit % 64;
	memcpy(capabilities, words, sizeof(words));
}

static inline bool compat_has(const jvmtiCapabilities *capabilities, int bit)
{
	uint64_t words[sizeof(*capabilities) / sizeof(uint64_t)];

	memcpy(words, capabilities, sizeof(words));
	return words[bit / 64] >> bit % 64 & 1;
}

/* JNI functions, by place. */
#define COMPAT_GET_MODULE 233		/* 9 */
#define COMPAT_IS_VIRTUAL_THREAD 234	/* 21 */

static inline void *compat_jni(JNIEnv *jni, int place)
{
	void *function;

	memcpy(&function, (const char *)*jni + (size_t)place * sizeof(function),
	       sizeof(function));
	return function;
}

static inline jobject compat_module(JNIEnv *jni, jclass type)
{
	jobject (JNICALL *function)(JNIEnv *, jclass) =
		(jobject (JNICALL *)(JNIEnv *, jclass))compat_jni(
			jni, COMPAT_GET_MODULE);

	return function(jni, type);
}

static inline bool compat_is_virtual(JNIEnv *jni, jobject thread)
{
	jboolean (JNICALL *function)(JNIEnv *, jobject) =
		(jboolean (JNICALL *)(JNIEnv *, jobject))compat_jni(
			jni, COMPAT_IS_VIRTUAL_THREAD);

	return function(jni, thread);
}

#endif
