/* The native part of Leave.java. */
#include <jni.h>
#include <pthread.h>

static void *join_and_end(void *context)
{
	JavaVM *vm = context;
	char name[] = "left alone";
	JavaVMAttachArgs arguments = { JNI_VERSION_1_6, name, NULL };
	JNIEnv *jni;

	(*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&jni, &arguments);
	return NULL;
}

JNIEXPORT void JNICALL Java_Leave_leave(JNIEnv *jni, jclass type)
{
	pthread_t thread;
	JavaVM *vm;

	(void)type;
	if ((*jni)->GetJavaVM(jni, &vm) == 0 &&
	    pthread_create(&thread, NULL, join_and_end, vm) == 0)
		pthread_join(thread, NULL);
}
