#include "agent/runtime.h"

#include <stddef.h>
#include <string.h>

#include "agent/runtimeclass.h"

#define REFERENCES 16

/* One in a JVM; written before the class is initialised, and then never again. */
static struct {
	struct counters *counters;
	struct runtime_calls calls;
	jclass type;
	jfieldID threshold;
	bool has_natives, is_ready;
} runtime;

/* While it is rehearsed nobody is told. */
static __thread bool is_rehearsal;

/* What the class calls ---------------------------------------------------------- */

static jlong JNICALL get_root(JNIEnv *jni, jclass type)
{
	(void)jni;
	(void)type;
	return (jlong)(uintptr_t)counters_root(runtime.counters);
}

/* An exception, if there is no such field, goes to the class that asked. */
static jobject JNICALL get_field(JNIEnv *jni, jclass type, jboolean is_tid)
{
	jclass thread = (*jni)->FindClass(jni, "java/lang/Thread");
	jfieldID field;

	(void)type;
	if (!thread)
		return NULL;
	field = (*jni)->GetFieldID(jni, thread, is_tid ? "tid" : "eetop", "J");
	return field ? (*jni)->ToReflectedField(jni, thread, field, JNI_FALSE) : NULL;
}

/* There is always a row, but for want of memory: then one of the shared may do. */
static void JNICALL missed(JNIEnv *jni, jclass type, jlong key, jlong duration, jint id)
{
	const struct runtime_calls *calls = &runtime.calls;
	struct counter *row = NULL;
	bool is_shared = key <= COUNTERS_SHARED;

	(void)jni;
	(void)type;
	if (!is_shared)
		row = counters_row(runtime.counters, (uint64_t)key, (uint32_t)id,
				   calls->is_ours && calls->is_ours());
	if (row) {
		counter_count(&row[id], duration);
		return;
	}
	row = counters_shared_row(runtime.counters, is_shared ? (unsigned)key - 1 : 0,
				  (uint32_t)id);
	if (row)
		counter_count_shared(&row[id], duration);
}

static void JNICALL traced(JNIEnv *jni, jclass type, jlong start, jlong end, jint id,
			   jlong virtual_tid)
{
	(void)type;
	if (!is_rehearsal && runtime.calls.traced)
		runtime.calls.traced(jni, start, end, (uint32_t)id, virtual_tid);
}

/* Defining it ------------------------------------------------------------------- */

static bool register_natives(JNIEnv *jni)
{
	static const struct {
		char name[8], signature[32];
		void *function;
	} rows[] = {
		{ "root", "()J", (void *)get_root },
		{ "field", "(Z)Ljava/lang/reflect/Field;", (void *)get_field },
		{ "missed", "(JJI)V", (void *)missed },
		{ "traced", "(JJIJ)V", (void *)traced },
	};
	JNINativeMethod methods[sizeof(rows) / sizeof(*rows)];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		methods[i] = (JNINativeMethod){ (char *)rows[i].name,
						(char *)rows[i].signature,
						rows[i].function };
	}
	return (*jni)->RegisterNatives(jni, runtime.type, methods,
				       sizeof(rows) / sizeof(*rows)) == 0 &&
	       !jvm_failed(jni);
}

static bool define_class(const struct jvm *jvm, JNIEnv *jni)
{
	struct str bytes = jvm->version < 9 ? own_runtime8 : own_runtime9;
	jclass type = (*jni)->DefineClass(jni, RUNTIME_CLASS, NULL,
					  (const jbyte *)bytes.bytes, (jsize)bytes.size);

	if (jvm_failed(jni) || !type)
		return false;
	runtime.type = (*jni)->NewGlobalRef(jni, type);
	return runtime.type != NULL;
}

/* The class is linked; its initialiser, which calls them, comes after this. */
static void JNICALL on_prepared(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass type)
{
	(void)jvmti;
	(void)thread;
	if ((*jni)->IsSameObject(jni, type, runtime.type))
		runtime.has_natives = register_natives(jni);
}

/* Class.forName: in Java, so that there are frames of the JDK's on the stack. */
static bool initialize(JNIEnv *jni)
{
	jclass class_ = (*jni)->FindClass(jni, "java/lang/Class");
	jmethodID by_name;
	jstring name;

	if (jvm_failed(jni) || !class_)
		return false;
	by_name = (*jni)->GetStaticMethodID(jni, class_, "forName",
		"(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
	if (jvm_failed(jni) || !by_name)
		return false;
	name = (*jni)->NewStringUTF(jni, "java.lang.CjfrRuntime");
	if (jvm_failed(jni) || !name)
		return false;
	(*jni)->CallStaticObjectMethod(jni, class_, by_name, name, JNI_TRUE, NULL);
	return !jvm_failed(jni) && runtime.has_natives;
}

/*
 * The JVM writes a warning to the program's output when native methods of java.base are
 * registered, but not if it is code of the JDK's that asks. So we do it when the class
 * is prepared because of such code: an environment of its own tells us, of this thread
 * alone.
 */
static bool link_class(const struct jvm *jvm, JNIEnv *jni)
{
	jvmtiEventCallbacks callbacks = { .ClassPrepare = on_prepared };
	jthread thread = jvm_thread_here(jvm);
	jvmtiEnv *jvmti;
	bool is_good;

	if (!thread || (*jvm->vm)->GetEnv(jvm->vm, (void **)&jvmti, JVMTI_VERSION_1_2) !=
	    JNI_OK)
		return false;
	is_good = (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof(callbacks)) ==
			  JVMTI_ERROR_NONE &&
		  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE,
						     JVMTI_EVENT_CLASS_PREPARE,
						     thread) == JVMTI_ERROR_NONE &&
		  initialize(jni);
	(*jvmti)->DisposeEnvironment(jvmti);
	return is_good;
}

/* What a probe calls: nothing of it shall happen for the first time there. */
static bool rehearse_exit(JNIEnv *jni, const char *name, jlong start)
{
	jmethodID method = (*jni)->GetStaticMethodID(jni, runtime.type, name, "(JI)V");

	if (jvm_failed(jni) || !method)
		return false;
	for (int i = 0; i < 2; i++) {
		(*jni)->CallStaticVoidMethod(jni, runtime.type, method, start, (jint)0);
		if (jvm_failed(jni))
			return false;
	}
	return true;
}

static bool rehearse(JNIEnv *jni)
{
	jmethodID enter = (*jni)->GetStaticMethodID(jni, runtime.type, "enter", "()J");
	jlong start;

	if (jvm_failed(jni) || !enter)
		return false;
	start = (*jni)->CallStaticLongMethod(jni, runtime.type, enter);
	if (jvm_failed(jni))
		return false;
	runtime.threshold = (*jni)->GetStaticFieldID(jni, runtime.type, "threshold", "J");
	if (jvm_failed(jni) || !runtime.threshold)
		return false;
	runtime_set_threshold(jni, 0);
	if (!rehearse_exit(jni, "timing", start) || !rehearse_exit(jni, "trace", start) ||
	    !rehearse_exit(jni, "timingAndTrace", start))
		return false;
	runtime_set_threshold(jni, INT64_MAX);
	counters_zero(runtime.counters, 0);
	return true;
}

struct finding {
	const struct jvm *jvm;
	bool is_there;
};

static void look_for_runtime(void *context, JNIEnv *jni, jclass type)
{
	struct finding *finding = context;
	char *signature;

	(void)jni;
	if ((*finding->jvm->jvmti)->GetClassSignature(finding->jvm->jvmti, type,
						      &signature, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	finding->is_there |= strcmp(signature, "L" RUNTIME_CLASS ";") == 0;
	jvm_free(finding->jvm, signature);
}

/* Another library of ours, of another version, say, has done it: its counters are not ours. */
static bool is_taken(const struct jvm *jvm, JNIEnv *jni)
{
	struct finding finding = { jvm, false };

	jvm_for_classes(jvm, jni, look_for_runtime, &finding);
	return finding.is_there;
}

static bool define(const struct jvm *jvm, JNIEnv *jni, struct err *err)
{
	if (!define_class(jvm, jni))
		return err_set(err, ERR_SYSTEM,
			       is_taken(jvm, jni)
				       ? "another copy of cjfr's agent has timed methods in "
					 "this JVM before, and no other can: use that one, "
					 "or start the JVM again"
				       : "the JVM does not take the class that probes "
					 "call");
	if (!link_class(jvm, jni))
		return err_set(err, ERR_SYSTEM, "the JVM does not initialise the class "
			       "that probes call");
	is_rehearsal = true;
	runtime.is_ready = rehearse(jni);
	is_rehearsal = false;
	return runtime.is_ready ||
	       err_set(err, ERR_SYSTEM, "the class that probes call does not work in "
		       "this JVM");
}

/* What failed once is not tried again: the class may be there. */
bool runtime_define(const struct jvm *jvm, JNIEnv *jni,
		    const struct runtime_calls *calls, struct err *err)
{
	bool is_good;

	if (runtime.is_ready)
		return true;
	if (runtime.type)
		return err_set(err, ERR_SYSTEM, "the class that probes call did not work "
			       "in this JVM before");
	if (!runtime.counters)
		runtime.counters = counters_new();
	if (!runtime.counters || !jvm_frame(jni, REFERENCES))
		return err_memory(err);
	runtime.calls = *calls;
	is_good = define(jvm, jni, err);
	jvm_frame_end(jni);
	return is_good;
}

struct counters *runtime_counters(void)
{
	return runtime.is_ready ? runtime.counters : NULL;
}

void runtime_set_threshold(JNIEnv *jni, int64_t threshold)
{
	if (runtime.threshold)
		(*jni)->SetStaticLongField(jni, runtime.type, runtime.threshold, threshold);
}
