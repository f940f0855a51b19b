/*
 * The bytecode that the JVM has of a class, for Cycles.java: another agent, which sees what
 * is there, and not what the JVM would show to who changes classes.
 */
#include <jvmti.h>
#include <stdint.h>

static jvmtiEnv *jvmti;

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiCapabilities wanted = { .can_get_bytecodes = 1 };

	(void)options;
	(void)reserved;
	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		return JNI_ERR;
	return (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE ? JNI_OK
									     : JNI_ERR;
}

static uint64_t add(uint64_t digest, jmethodID method)
{
	unsigned char *bytes = NULL;
	jint count = 0;

	if ((*jvmti)->GetBytecodes(jvmti, method, &count, &bytes) != JVMTI_ERROR_NONE)
		return digest;
	for (jint i = 0; i < count; i++)
		digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
	(*jvmti)->Deallocate(jvmti, bytes);
	return digest;
}

JNIEXPORT jlong JNICALL Java_Cycles_digest(JNIEnv *jni, jclass type, jclass of)
{
	uint64_t digest = UINT64_C(0xcbf29ce484222325);
	jmethodID *methods;
	jint count;

	(void)jni;
	(void)type;
	if ((*jvmti)->GetClassMethods(jvmti, of, &count, &methods) != JVMTI_ERROR_NONE)
		return 0;
	for (jint i = 0; i < count; i++)
		digest += add(0, methods[i]) * 31 + (uint64_t)count;
	(*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
	return (jlong)(digest >> 1);
}
