/*
 * bytes.c - an agent that tells what runs now: attached with "CLASS FILE", it writes a
 * line for each method of the class, with the size and a sum of its bytecodes. Then the
 * class is transformed once more, by all who transform classes.
 */
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

#define SUM_START 2166136261u

static FILE *out;
static const char *wanted;

static unsigned sum_of(const unsigned char *bytes, jint size)
{
	unsigned sum = SUM_START;

	for (jint i = 0; i < size; i++)
		sum = (sum ^ bytes[i]) * 16777619u;
	return sum;
}

static void tell_methods(jvmtiEnv *jvmti, jclass type)
{
	jmethodID *methods;
	jint count = 0;

	(*jvmti)->GetClassMethods(jvmti, type, &count, &methods);
	for (jint i = 0; i < count; i++) {
		unsigned char *bytes = NULL;
		char *name = NULL;
		jint size = 0;

		(*jvmti)->GetMethodName(jvmti, methods[i], &name, NULL, NULL);
		if ((*jvmti)->GetBytecodes(jvmti, methods[i], &size, &bytes))
			continue;
		fprintf(out, "%s %d %u\n", name, (int)size, sum_of(bytes, size));
	}
}

static void look(jvmtiEnv *jvmti)
{
	jclass *classes;
	jint count = 0;

	(*jvmti)->GetLoadedClasses(jvmti, &count, &classes);
	for (jint i = 0; i < count; i++) {
		char *signature = NULL;

		(*jvmti)->GetClassSignature(jvmti, classes[i], &signature, NULL);
		if (!signature || strncmp(signature + 1, wanted, strlen(wanted)) != 0 ||
		    strcmp(signature + 1 + strlen(wanted), ";") != 0)
			continue;
		tell_methods(jvmti, classes[i]);
		(*jvmti)->RetransformClasses(jvmti, 1, &classes[i]);
	}
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	jvmtiCapabilities capabilities = { .can_get_bytecodes = 1,
					   .can_retransform_classes = 1 };
	char class_name[256], path[4096];
	jvmtiEnv *jvmti;

	(void)reserved;
	if (sscanf(options, "%255s %4095s", class_name, path) != 2 ||
	    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_1) ||
	    (*jvmti)->AddCapabilities(jvmti, &capabilities))
		return 1;
	out = fopen(path, "w");
	if (!out)
		return 2;
	wanted = class_name;
	look(jvmti);
	(*jvmti)->DisposeEnvironment(jvmti);
	fclose(out);
	out = NULL;
	return 0;
}
