/*
 * counting.c - what Counting.java asks for: the class that probes call, defined by our
 * agent's own code, without the agent. Loaded by System.load.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "agent/runtime.h"

JNIEXPORT jstring JNICALL Java_Counting_define(JNIEnv *jni, jclass type);
JNIEXPORT void JNICALL Java_Counting_threshold(JNIEnv *jni, jclass type, jlong nanos);
JNIEXPORT void JNICALL Java_Counting_ignore(JNIEnv *jni, jclass type);
JNIEXPORT void JNICALL Java_Counting_zero(JNIEnv *jni, jclass type, jint id);
JNIEXPORT jlongArray JNICALL Java_Counting_sums(JNIEnv *jni, jclass type, jint first,
						jint count);
JNIEXPORT jlongArray JNICALL Java_Counting_traces(JNIEnv *jni, jclass type);
JNIEXPORT jlong JNICALL Java_Counting_frames(JNIEnv *jni, jclass type);

#define TRACED_IDS 8

/* What was told of traced calls: how often, their times, and threads. */
struct traces {
	atomic_llong count[TRACED_IDS], total[TRACED_IDS], tids[TRACED_IDS];
};

static struct jvm jvm;
static struct counters *counters;
static struct traces traces;
static jmethodID outside;
static __thread bool is_ours;

static void on_traced(JNIEnv *jni, int64_t start, int64_t end, uint32_t id,
		      int64_t java_tid)
{
	jvmtiFrameInfo frame;
	jint count;
	jthread thread;

	(void)jni;
	atomic_fetch_add(&traces.count[id % TRACED_IDS], 1);
	atomic_fetch_add(&traces.total[id % TRACED_IDS], end - start);
	atomic_fetch_add(&traces.tids[id % TRACED_IDS], java_tid);
	thread = jvm_thread_here(&jvm);
	if ((*jvm.jvmti)->GetStackTrace(jvm.jvmti, thread, RUNTIME_FRAMES, 1, &frame,
					&count) == JVMTI_ERROR_NONE && count == 1)
		outside = frame.method;
}

static bool on_is_ours(void)
{
	return is_ours;
}

static void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti;
	counters_leave(counters, jvm_thread_vm(jni, thread));
}

static bool watch_threads(void)
{
	jvmtiEventCallbacks callbacks = { .ThreadEnd = on_thread_end };

	return (*jvm.jvmti)->SetEventCallbacks(jvm.jvmti, &callbacks, sizeof(callbacks)) ==
	       JVMTI_ERROR_NONE && jvm_enable(&jvm, JVMTI_EVENT_THREAD_END, true);
}

/* Null, or what went wrong. */
JNIEXPORT jstring JNICALL Java_Counting_define(JNIEnv *jni, jclass type)
{
	static const struct runtime_calls calls = { on_traced, on_is_ours };
	JavaVM *vm;
	struct err err = { 0 };

	(void)type;
	if ((*jni)->GetJavaVM(jni, &vm) != 0 || !jvm_open(&jvm, vm, &err) ||
	    !runtime_define(&jvm, jni, &calls, &err))
		return (*jni)->NewStringUTF(jni, err.text);
	counters = runtime_counters();
	if (!watch_threads())
		return (*jni)->NewStringUTF(jni, err.text);
	return NULL;
}

JNIEXPORT void JNICALL Java_Counting_threshold(JNIEnv *jni, jclass type, jlong nanos)
{
	(void)type;
	runtime_set_threshold(jni, nanos);
}

/* What the calling thread counts from its first call on is ours. */
JNIEXPORT void JNICALL Java_Counting_ignore(JNIEnv *jni, jclass type)
{
	(void)jni;
	(void)type;
	is_ours = true;
}

JNIEXPORT void JNICALL Java_Counting_zero(JNIEnv *jni, jclass type, jint id)
{
	(void)jni;
	(void)type;
	counters_zero(counters, (uint32_t)id);
}

static jlongArray array_of(JNIEnv *jni, const jlong *values, jsize count)
{
	jlongArray array = (*jni)->NewLongArray(jni, count);

	if (array)
		(*jni)->SetLongArrayRegion(jni, array, 0, count, values);
	return array;
}

/* Four of each, as they are in struct counter. */
JNIEXPORT jlongArray JNICALL Java_Counting_sums(JNIEnv *jni, jclass type, jint first,
						jint count)
{
	struct counter *sums = calloc((size_t)count, sizeof(*sums));
	const struct counter none = { 0 };
	jlongArray array;

	(void)type;
	if (!sums)
		return NULL;
	counters_sum(counters, (uint32_t)first, (uint32_t)count, sums);
	for (jint i = 0; i < count; i++)
		counter_since(&sums[i], &none);
	array = array_of(jni, (const jlong *)sums, count * 4);
	free(sums);
	return array;
}

/* Of each traced id: how many, their times, the sum of threads. */
JNIEXPORT jlongArray JNICALL Java_Counting_traces(JNIEnv *jni, jclass type)
{
	jlong values[TRACED_IDS * 3];

	(void)type;
	for (int i = 0; i < TRACED_IDS; i++) {
		values[i * 3] = traces.count[i];
		values[i * 3 + 1] = traces.total[i];
		values[i * 3 + 2] = traces.tids[i];
	}
	return array_of(jni, values, TRACED_IDS * 3);
}

/* 1 if the frame behind those of the runtime was Counting.caller the last time. */
JNIEXPORT jlong JNICALL Java_Counting_frames(JNIEnv *jni, jclass type)
{
	jmethodID caller = (*jni)->GetStaticMethodID(jni, type, "caller", "(I)V");

	return caller && caller == outside;
}
