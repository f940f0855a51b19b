/*
 * vmtables.c - an agent that writes a JVM's flags and counters to the files that its
 * options name: "FLAGS,COUNTERS". One line each: name, blank, value.
 */
#include <inttypes.h>
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

#include "hotspot/perfdata.h"
#include "hotspot/vmflags.h"

static char flags_path[1024], counters_path[1024];

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

static void write_file(const char *path, void (*write)(FILE *file))
{
	FILE *file = fopen(path, "w");

	if (!file)
		return;
	write(file);
	fclose(file);
}

static void JNICALL started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	write_file(flags_path, write_flags);
	write_file(counters_path, write_counters);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiEventCallbacks callbacks = { .VMInit = started };
	jvmtiEnv *jvmti;

	if (!options ||
	    sscanf(options, "%1023[^,],%1023s", flags_path, counters_path) != 2 ||
	    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		return JNI_ERR;
	(*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof(callbacks));
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
					   NULL);
	return JNI_OK;
}
