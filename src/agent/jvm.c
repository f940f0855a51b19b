#include "agent/jvm.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "base/utf.h"
#include "host/proc.h"

#define REFERENCES 16

/* Numbers of versions are 0x30MMmmuu; before 9, M was 1. */
static int version_of(jint number)
{
	int major = number >> 16 & 0xfff;

	return major == 1 ? 8 : major;
}

bool jvm_open(struct jvm *jvm, JavaVM *vm, struct err *err)
{
	jint number;

	*jvm = (struct jvm){ .vm = vm };
	if ((*vm)->GetEnv(vm, (void **)&jvm->jvmti, JVMTI_VERSION_1_2) != JNI_OK ||
	    (*jvm->jvmti)->GetVersionNumber(jvm->jvmti, &number) != JVMTI_ERROR_NONE) {
		jvm->jvmti = NULL;
		return err_set(err, ERR_SYSTEM,
			       "this JVM has no tool interface (JVMTI)");
	}
	jvm->version = version_of(number);
	return true;
}

bool jvm_hear(struct jvm *jvm, const struct compat_callbacks *callbacks, struct err *err)
{
	jvmtiEnv *jvmti = jvm->jvmti;

	jvm->callbacks = callbacks;
	if ((*jvmti)->SetEventCallbacks(jvmti, (const jvmtiEventCallbacks *)callbacks,
					sizeof(*callbacks)) != JVMTI_ERROR_NONE)
		return err_set(err, ERR_SYSTEM, "the JVM does not take our callbacks");
	return (jvm_enable(jvm, JVMTI_EVENT_VM_INIT, true) &&
		jvm_enable(jvm, JVMTI_EVENT_VM_DEATH, true)) ||
	       err_set(err, ERR_SYSTEM, "the JVM does not tell of its life");
}

void jvm_close(struct jvm *jvm)
{
	if (jvm->jvmti)
		(*jvm->jvmti)->DisposeEnvironment(jvm->jvmti);
	jvm->jvmti = NULL;
}

/* Asked for one that it has not, the JVM gives none. */
static void take_capabilities(const struct jvm *jvm, const jvmtiCapabilities *wanted)
{
	jvmtiCapabilities can;
	unsigned char *bytes = (unsigned char *)&can;

	if ((*jvm->jvmti)->GetPotentialCapabilities(jvm->jvmti, &can) !=
	    JVMTI_ERROR_NONE)
		return;
	for (size_t i = 0; i < sizeof(can); i++)
		bytes[i] &= ((const unsigned char *)wanted)[i];
	(*jvm->jvmti)->AddCapabilities(jvm->jvmti, &can);
}

void jvm_want(const struct jvm *jvm, const jvmtiCapabilities *wanted)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	take_capabilities(jvm, wanted);
	pthread_mutex_unlock(&lock);
}

jvmtiCapabilities jvm_can(const struct jvm *jvm)
{
	jvmtiCapabilities can;

	if ((*jvm->jvmti)->GetCapabilities(jvm->jvmti, &can) != JVMTI_ERROR_NONE)
		memset(&can, 0, sizeof(can));
	return can;
}

bool jvm_enable(const struct jvm *jvm, jvmtiEvent event, bool is_on)
{
	return (*jvm->jvmti)->SetEventNotificationMode(jvm->jvmti,
			is_on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL) ==
	       JVMTI_ERROR_NONE;
}

JNIEnv *jvm_jni(const struct jvm *jvm)
{
	JNIEnv *jni = NULL;

	if ((*jvm->vm)->GetEnv(jvm->vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK)
		return NULL;
	return jni;
}

bool jvm_failed(JNIEnv *jni)
{
	if (!(*jni)->ExceptionCheck(jni))
		return false;
	(*jni)->ExceptionClear(jni);
	return true;
}

bool jvm_frame(JNIEnv *jni, int references)
{
	if ((*jni)->PushLocalFrame(jni, references) == 0)
		return true;
	jvm_failed(jni);
	return false;
}

void jvm_frame_end(JNIEnv *jni)
{
	(*jni)->PopLocalFrame(jni, NULL);
}

void jvm_room(JNIEnv *jni, int references)
{
	if ((*jni)->EnsureLocalCapacity(jni, references) != 0)
		jvm_failed(jni);
}

void jvm_free(const struct jvm *jvm, void *memory)
{
	if (memory)
		(*jvm->jvmti)->Deallocate(jvm->jvmti, memory);
}

void jvm_add_text(struct buf *to, const char *text)
{
	utf_add_modified(to, str_of(text));
}

bool jvm_add_string(struct buf *to, JNIEnv *jni, jstring string)
{
	const char *text;

	if (!string)
		return false;
	text = (*jni)->GetStringUTFChars(jni, string, NULL);
	if (jvm_failed(jni) || !text)
		return false;
	jvm_add_text(to, text);
	(*jni)->ReleaseStringUTFChars(jni, string, text);
	return true;
}

bool jvm_add_property(struct buf *to, const struct jvm *jvm, const char *name)
{
	char *value;

	if ((*jvm->jvmti)->GetSystemProperty(jvm->jvmti, name, &value) !=
	    JVMTI_ERROR_NONE)
		return false;
	jvm_add_text(to, value);
	jvm_free(jvm, value);
	return true;
}

jthread jvm_thread_here(const struct jvm *jvm)
{
	jthread thread;

	if ((*jvm->jvmti)->GetCurrentThread(jvm->jvmti, &thread) != JVMTI_ERROR_NONE)
		return NULL;
	return thread;
}

/* What JVMTI has a list of. In C there is one type for all objects. */
typedef jvmtiError (JNICALL *get_objects)(jvmtiEnv *, jint *, jobject **);

static bool for_all(const struct jvm *jvm, JNIEnv *jni, get_objects get,
		    jvm_object_what *what, void *context)
{
	jobject *all;
	jint count;
	bool is_had;

	if (!jvm_frame(jni, REFERENCES))
		return false;
	is_had = get(jvm->jvmti, &count, &all) == JVMTI_ERROR_NONE;
	if (is_had) {
		jvm_room(jni, count + REFERENCES);
		for (jint i = 0; i < count; i++)
			what(context, jni, all[i]);
		jvm_free(jvm, all);
	}
	jvm_frame_end(jni);
	return is_had;
}

bool jvm_for_threads(const struct jvm *jvm, JNIEnv *jni, jvm_object_what *what,
		     void *context)
{
	return for_all(jvm, jni, (*jvm->jvmti)->GetAllThreads, what, context);
}

bool jvm_for_classes(const struct jvm *jvm, JNIEnv *jni, jvm_object_what *what,
		     void *context)
{
	return for_all(jvm, jni, (*jvm->jvmti)->GetLoadedClasses, what, context);
}

int64_t jvm_thread_number(JNIEnv *jni, jthread thread)
{
	int64_t number;

	return jvm_long_field(jni, thread, "tid", &number) && number > 0 ? number : 0;
}

uintptr_t jvm_thread_vm(JNIEnv *jni, jthread thread)
{
	int64_t address;

	return jvm_long_field(jni, thread, "eetop", &address) ? (uintptr_t)address : 0;
}

pid_t jvm_thread_tid(const struct jvm *jvm, JNIEnv *jni, jthread thread)
{
	pid_t tid = osthread_tid(&jvm->hotspot.osthread, jvm_thread_vm(jni, thread));

	return tid && proc_is_thread(tid) ? tid : 0;
}

bool jvm_add_thread_name(struct buf *to, const struct jvm *jvm, JNIEnv *jni,
			 jthread thread)
{
	jvmtiThreadInfo info = { 0 };
	bool is_had;

	if (!jvm_frame(jni, REFERENCES))
		return false;
	is_had = (*jvm->jvmti)->GetThreadInfo(jvm->jvmti, thread, &info) ==
		 JVMTI_ERROR_NONE;
	if (is_had)
		jvm_add_text(to, info.name ? info.name : "");
	jvm_free(jvm, info.name);
	jvm_frame_end(jni);
	return is_had;
}

void jvm_add_lines(struct lines *to, const struct jvm *jvm, jmethodID method)
{
	jvmtiLineNumberEntry *table;
	jint count;

	if ((*jvm->jvmti)->GetLineNumberTable(jvm->jvmti, method, &count, &table) !=
	    JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++)
		lines_add(to, (uint32_t)table[i].start_location, table[i].line_number);
	jvm_free(jvm, table);
}

/* The class right below Object: those below that one may be the program's. */
static jclass top_class(JNIEnv *jni, jobject object)
{
	jclass type = (*jni)->GetObjectClass(jni, object);
	jclass above = (*jni)->GetSuperclass(jni, type), next;

	while (above && (next = (*jni)->GetSuperclass(jni, above))) {
		(*jni)->DeleteLocalRef(jni, type);
		type = above;
		above = next;
	}
	(*jni)->DeleteLocalRef(jni, above);
	return type;
}

static jfieldID field_of(JNIEnv *jni, jobject object, const char *name,
			 const char *descriptor)
{
	jclass type = top_class(jni, object);
	jfieldID field = (*jni)->GetFieldID(jni, type, name, descriptor);

	(*jni)->DeleteLocalRef(jni, type);
	return jvm_failed(jni) ? NULL : field;
}

bool jvm_long_field(JNIEnv *jni, jobject object, const char *name, int64_t *value)
{
	jfieldID field = field_of(jni, object, name, "J");

	if (field)
		*value = (*jni)->GetLongField(jni, object, field);
	return field != NULL;
}

bool jvm_add_field(struct buf *to, JNIEnv *jni, jobject object, const char *name)
{
	jstring string = jvm_object_field(jni, object, name, "Ljava/lang/String;");

	return string && jvm_add_string(to, jni, string);
}

jobject jvm_static_field(JNIEnv *jni, jobject object, const char *name,
			 const char *descriptor)
{
	jclass type = top_class(jni, object);
	jfieldID field = (*jni)->GetStaticFieldID(jni, type, name, descriptor);
	jobject value = NULL;

	if (!jvm_failed(jni))
		value = (*jni)->GetStaticObjectField(jni, type, field);
	(*jni)->DeleteLocalRef(jni, type);
	return value;
}

jobject jvm_object_field(JNIEnv *jni, jobject object, const char *name,
			 const char *descriptor)
{
	jfieldID field = field_of(jni, object, name, descriptor);

	return field ? (*jni)->GetObjectField(jni, object, field) : NULL;
}
