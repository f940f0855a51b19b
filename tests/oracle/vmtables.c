/*
 * vmtables.c - an agent that writes a JVM's flags and counters, and how some methods
 * run, to the files that its options name: "FLAGS,COUNTERS,FRAMES". One line each: name,
 * blank, value.
 */
#include <inttypes.h>
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hotspot/frametypes.h"
#include "hotspot/perfdata.h"
#include "hotspot/vmflags.h"

static char flags_path[1024], counters_path[1024], frames_path[1024];

static void write_flag(FILE *file, const struct vmflag *flag)
{
	uint64_t wide;
	uint32_t narrow;

	fprintf(file, "%s ", flag->name);
	switch (flag->type) {
	case VMFLAG_BOOL:
		fprintf(file, "%s", *(const char *)flag->address ? "true" : "false");
		break;
	case VMFLAG_INT:
	case VMFLAG_UINT:
		memcpy(&narrow, flag->address, sizeof(narrow));
		fprintf(file, flag->type == VMFLAG_INT ? "%" PRId32 : "%" PRIu32,
			narrow);
		break;
	case VMFLAG_LONG:
	case VMFLAG_ULONG:
		memcpy(&wide, flag->address, sizeof(wide));
		fprintf(file, flag->type == VMFLAG_LONG ? "%" PRId64 : "%" PRIu64,
			wide);
		break;
	case VMFLAG_DOUBLE:
		fprintf(file, "%f", *(const double *)flag->address);
		break;
	case VMFLAG_TEXT:
		if (*(const char *const *)flag->address)
			fputs(*(const char *const *)flag->address, file);
		break;
	case VMFLAG_UNKNOWN:
		fputs("of no known type", file);
		break;
	}
	fputc('\n', file);
}

static void write_flags(FILE *file)
{
	struct vmstructs structs;
	struct vmflags flags;

	vmstructs_find(&structs, NULL);
	vmflags_find(&flags, &structs);
	for (size_t i = 0; i < flags.count; i++) {
		struct vmflag flag = vmflags_at(&flags, i);

		if (flag.name)
			write_flag(file, &flag);
	}
}

static void write_counters(FILE *file)
{
	struct perfdata_entry entry = { 0 };
	struct vmstructs structs;
	struct perfdata perf;
	char text[4096];

	vmstructs_find(&structs, NULL);
	perfdata_find(&perf, &structs);
	while (perfdata_next(&perf, &entry)) {
		const int64_t *counter = perfdata_counter(&perf, entry.name);
		struct perfdata_text place = perfdata_text(&perf, entry.name);

		fprintf(file, "%s ", entry.name);
		if (counter)
			fprintf(file, "%" PRId64 "\n", perfdata_read(counter));
		else
			fprintf(file, "%s\n",
				perfdata_copy(place, text, sizeof(text)).bytes);
	}
}

static const char *word_of(enum frametype type)
{
	static const char *const words[] = {
		[FRAMETYPE_UNKNOWN] = "unknown",
		[FRAMETYPE_INTERPRETED] = "interpreted",
		[FRAMETYPE_COMPILED] = "compiled",
	};

	return words[type];
}

/* A method that each JVM runs before it is up. */
static uint64_t hash_code(JNIEnv *jni)
{
	jclass string = (*jni)->FindClass(jni, "java/lang/String");

	return (uintptr_t)(*jni)->GetMethodID(jni, string, "hashCode", "()I");
}

static void write_frames(FILE *file, JNIEnv *jni, int version)
{
	struct vmstructs structs;
	struct frametypes types;
	uintptr_t first, last;

	vmstructs_find(&structs, NULL);
	frametypes_find(&types, &structs, version);
	first = types.interpreter.from;
	last = types.interpreter.end - 1;
	fprintf(file, "interpreter %s\n",
		first && first < last && last - first < 1 << 20 &&
				first > types.cache.from && last < types.cache.end
			? "lies in the cache"
			: "is not there");
	fprintf(file, "first %s\n", word_of(frametypes_of(&types, 0, first)));
	fprintf(file, "last %s\n", word_of(frametypes_of(&types, 0, last)));
	fprintf(file, "end %s\n", word_of(frametypes_of(&types, 0, types.cache.end - 1)));
	fprintf(file, "method %s\n", word_of(frametypes_of(&types, hash_code(jni), 0)));
}

static FILE *file_of(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		perror(path);
	return file ? file : stderr;
}

static int version_of(jvmtiEnv *jvmti)
{
	char *text = NULL;
	int version = 0;

	if ((*jvmti)->GetSystemProperty(jvmti, "java.vm.specification.version", &text) ==
	    JVMTI_ERROR_NONE)
		version = atoi(strncmp(text, "1.", 2) == 0 ? text + 2 : text);
	return version;
}

static void JNICALL started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	FILE *flags = file_of(flags_path), *counters = file_of(counters_path);

	write_flags(flags);
	write_counters(counters);
	fclose(flags);
	fclose(counters);
}

/* By now methods are compiled that shall be. */
static void JNICALL ends(jvmtiEnv *jvmti, JNIEnv *jni)
{
	FILE *frames = file_of(frames_path);

	write_frames(frames, jni, version_of(jvmti));
	fclose(frames);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiEventCallbacks callbacks = { .VMInit = started, .VMDeath = ends };
	jvmtiEnv *jvmti;

	if (!options ||
	    sscanf(options, "%1023[^,],%1023[^,],%1023s", flags_path, counters_path,
		   frames_path) != 3 ||
	    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		return JNI_ERR;
	(*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof(callbacks));
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
					   NULL);
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH,
					   NULL);
	return JNI_OK;
}
