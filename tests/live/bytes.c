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

/* How long instructions are; but for switches, and wide ones. */
static const char lengths[] =
	"1111111111111111232332222211111111111111111111111111112222211111"
	"1111111111111111111111111111111111111111111111111111111111111111"
	"1111311111111111111111111333333333333333321111111133333335532311"
	"3311143355";

static jint word_at(const unsigned char *bytes, jint at)
{
	return bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3];
}

static jint length_at(const unsigned char *bytes, jint at)
{
	jint padded = (at + 4) / 4 * 4;

	switch (bytes[at]) {
	case 0xaa:	/* tableswitch */
		return padded + 12 - at +
		       4 * (word_at(bytes, padded + 8) - word_at(bytes, padded + 4) + 1);
	case 0xab:	/* lookupswitch */
		return padded + 8 - at + 8 * word_at(bytes, padded + 4);
	case 0xc4:	/* wide */
		return bytes[at + 1] == 0x84 ? 6 : 4;
	default:
		return bytes[at] < sizeof(lengths) - 1 ? lengths[bytes[at]] - '0' : 1;
	}
}

static int has_constant(unsigned char opcode)
{
	return (opcode >= 0x12 && opcode <= 0x14) || (opcode >= 0xb2 && opcode <= 0xbb) ||
	       opcode == 0xbd || opcode == 0xc0 || opcode == 0xc1 || opcode == 0xc5;
}

/*
 * Constants have other numbers in a class that was transformed twice, as the JVM puts
 * those of both versions together: they are left out.
 */
static unsigned sum_of(const unsigned char *bytes, jint size)
{
	unsigned sum = SUM_START;
	jint length;

	for (jint at = 0; at < size; at += length) {
		length = length_at(bytes, at);
		for (jint i = 0; i < length && !(i && has_constant(bytes[at])); i++)
			sum = (sum ^ bytes[at + i]) * 16777619u;
	}
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
