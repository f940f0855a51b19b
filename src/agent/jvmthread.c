#include "agent/jvmthread.h"

#include <errno.h>
#include <stdlib.h>

#include "agent/ownthread.h"
#include "agent/registry.h"

#define NAME_MAX_SIZE 32

/* What a new thread is told; its own to free. */
struct start {
	struct jvmthread told;
	JavaVM *vm;
	jobject group;			/* global reference; NULL: the default */
};

/* The group at the top. */
static jobject system_group(const struct jvm *jvm, JNIEnv *jni)
{
	jthreadGroup *groups;
	jobject group = NULL;
	jint count;

	if ((*jvm->jvmti)->GetTopThreadGroups(jvm->jvmti, &count, &groups) !=
	    JVMTI_ERROR_NONE)
		return NULL;
	if (count > 0)
		group = (*jni)->NewGlobalRef(jni, groups[0]);
	for (jint i = 0; i < count; i++)
		(*jni)->DeleteLocalRef(jni, groups[i]);
	jvm_free(jvm, groups);
	return group;
}

static JNIEnv *attach(const struct start *start)
{
	JavaVM *vm = start->vm;
	char name[NAME_MAX_SIZE];
	JavaVMAttachArgs arguments = { JNI_VERSION_1_6, name, start->group };
	struct str text = str_of(start->told.name);
	size_t size = text.size < sizeof(name) ? text.size : sizeof(name) - 1;
	JNIEnv *jni;

	for (size_t i = 0; i < size; i++)
		name[i] = text.bytes[i];
	name[size] = '\0';
	if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&jni, &arguments) != JNI_OK)
		return NULL;
	if (start->group)
		(*jni)->DeleteGlobalRef(jni, start->group);
	return jni;
}

static void *run(void *context)
{
	struct start start = *(struct start *)context;
	JNIEnv *jni;

	free(context);
	registry_mark_recorder();
	jni = attach(&start);
	start.told.run(start.told.context, jni);
	if (jni)
		(*start.vm)->DetachCurrentThread(start.vm);
	if (start.told.over)
		start.told.over(start.told.context);
	return NULL;
}

bool jvmthread_start(const struct jvm *jvm, JNIEnv *jni, const struct jvmthread *told,
		     struct err *err)
{
	struct start *start = malloc(sizeof(*start));

	if (!start)
		return err_memory(err);
	*start = (struct start){ *told, jvm->vm, system_group(jvm, jni) };
	errno = ownthread_start(NULL, run, start);
	if (errno == 0)
		return true;
	err_system(err, "cannot start a thread");
	if (start->group)
		(*jni)->DeleteGlobalRef(jni, start->group);
	free(start);
	return false;
}
