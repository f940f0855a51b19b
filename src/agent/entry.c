/* What the JVM calls: the doors of a library that it is told to load, and callbacks. */
#include "agent/gc.h"
#include "agent/inside.h"
#include "agent/instrumenter.h"
#include "agent/javathreads.h"
#include "agent/life.h"
#include "agent/phase.h"
#include "agent/requests.h"
#include "agent/sampler.h"

/* Callbacks ------------------------------------------------------------------- */

static void JNICALL on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti, (void)thread;
	life_begin(jni);
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
	(void)jvmti;
	life_end(jni);
}

/*
 * Each of the others is inside (inside.h) while it runs. The agent, as long as there is
 * something to record; else NULL.
 */
static struct agent *enter(void)
{
	struct agent *agent;

	inside_enter();
	agent = phase_agent();
	return agent && !recorder_is_over(&agent->recorder) ? agent : NULL;
}

/* The same, for what is told of a thread. */
static struct agent *enter_for(JNIEnv *jni, jthread thread)
{
	struct agent *agent = enter();

	return jni && thread ? agent : NULL;
}

static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct agent *agent = enter_for(jni, thread);

	(void)jvmti;
	if (agent)
		javathreads_started(agent, jni, thread);
	inside_leave();
}

static void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct agent *agent = enter_for(jni, thread);

	(void)jvmti;
	if (agent) {
		instrumenter_thread_ended(agent, jni, thread);
		javathreads_ended(agent, jni, thread);
	}
	inside_leave();
}

static void JNICALL on_virtual_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct agent *agent = enter_for(jni, thread);

	(void)jvmti;
	if (agent)
		javathreads_virtual(agent, jni, thread, EVENT_VIRTUAL_THREAD_START);
	inside_leave();
}

static void JNICALL on_virtual_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct agent *agent = enter_for(jni, thread);

	(void)jvmti;
	if (agent)
		javathreads_virtual(agent, jni, thread, EVENT_VIRTUAL_THREAD_END);
	inside_leave();
}

/* Also asked for because else the JVM walks no stacks. */
static void JNICALL on_class_load(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
				  jclass type)
{
	struct agent *agent = enter_for(jni, thread);

	(void)jvmti;
	if (agent)
		instrumenter_class_loaded(agent, jni, type);
	inside_leave();
}

static void JNICALL on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
				     jclass type)
{
	struct agent *agent = enter_for(jni, thread);

	(void)jvmti;
	if (agent) {
		sampler_class_prepared(agent, jni, type);
		instrumenter_class_prepared(agent, jni, type);
	}
	inside_leave();
}

static void JNICALL on_class_bytes(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined,
				   jobject loader, const char *name, jobject domain,
				   jint size, const unsigned char *bytes,
				   jint *new_size, unsigned char **new_bytes)
{
	struct agent *agent = enter();
	struct instrumenter_bytes of = { redefined, loader,   name,     bytes,
					 size,	    new_size, new_bytes };

	(void)jvmti, (void)domain;
	if (agent && jni)
		instrumenter_class_bytes(agent, jni, &of);
	inside_leave();
}

/* The JVM's own behind Thread.start. Written while there is only one thread. */
static void (JNICALL *start_thread)(JNIEnv *, jobject);

static void JNICALL on_starting(JNIEnv *jni, jobject thread)
{
	struct agent *agent = enter_for(jni, thread);
	int64_t number = agent ? javathreads_starting(agent, jni, thread) : 0;

	start_thread(jni, thread);
	if (number && (*jni)->ExceptionCheck(jni))
		starts_take(&agent->starts, number);
	inside_leave();
}

/* May come before JNI can be called, or the name of the method be asked. */
static void JNICALL on_bind(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
			    jmethodID method, void *function, void **instead)
{
	(void)jvmti, (void)jni, (void)thread, (void)method;
	if (!function || function != javathreads_starter())
		return;
	start_thread = (void (JNICALL *)(JNIEnv *, jobject))function;
	*instead = (void *)on_starting;
}

/* On a thread of the collector, or where it stopped all others: nothing is asked. */
static void JNICALL on_object_free(jvmtiEnv *jvmti, jlong tag)
{
	struct agent *agent = enter();

	(void)jvmti;
	if (agent)
		freed_put(&agent->freed, tag);
	inside_leave();
}

static void JNICALL on_gc_start(jvmtiEnv *jvmti)
{
	struct agent *agent = enter();

	(void)jvmti;
	if (agent)
		gc_started(agent);
	inside_leave();
}

static void JNICALL on_gc_finish(jvmtiEnv *jvmti)
{
	struct agent *agent = enter();

	(void)jvmti;
	if (agent)
		gc_finished(agent);
	inside_leave();
}

#define AT(event) [(event) - COMPAT_EVENT_FIRST]

static const struct compat_callbacks callbacks = { {
	AT(JVMTI_EVENT_VM_INIT) = (void *)on_init,
	AT(JVMTI_EVENT_VM_DEATH) = (void *)on_death,
	AT(JVMTI_EVENT_THREAD_START) = (void *)on_thread_start,
	AT(JVMTI_EVENT_THREAD_END) = (void *)on_thread_end,
	AT(COMPAT_VIRTUAL_THREAD_START) = (void *)on_virtual_start,
	AT(COMPAT_VIRTUAL_THREAD_END) = (void *)on_virtual_end,
	AT(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) = (void *)on_class_bytes,
	AT(JVMTI_EVENT_CLASS_LOAD) = (void *)on_class_load,
	AT(JVMTI_EVENT_CLASS_PREPARE) = (void *)on_class_prepare,
	AT(JVMTI_EVENT_NATIVE_METHOD_BIND) = (void *)on_bind,
	AT(JVMTI_EVENT_OBJECT_FREE) = (void *)on_object_free,
	AT(JVMTI_EVENT_GARBAGE_COLLECTION_START) = (void *)on_gc_start,
	AT(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH) = (void *)on_gc_finish,
} };

/* Doors ----------------------------------------------------------------------- */

static const struct life_doors doors = { &callbacks, &requests_calls };

/* Whatever happens to us, the application starts. */
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	(void)reserved;
	life_load(vm, options, &doors);
	return JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	struct agent *agent;
	JNIEnv *jni = NULL;
	int code;

	(void)reserved;
	if (life_attach(vm, options, &doors, &code))
		return code;
	life_load(vm, options, &doors);
	agent = phase_agent();
	jni = agent ? jvm_jni(&agent->jvm) : NULL;
	if (jni)
		life_begin(jni);
	return JNI_OK;
}

/* The JVM goes on to call us, and so does code of ours that still runs: we stay. */
JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm)
{
	(void)vm;
}
