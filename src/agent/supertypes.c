#include "agent/supertypes.h"

#include "agent/classes.h"
#include "jfc/methodfilter.h"

#define REFERENCES 16
#define DEPTH_MAX 200		/* of interfaces above each other */

static void add_name(struct supertypes *above, jclass type)
{
	jvmtiEnv *jvmti = above->jvm->jvmti;
	struct buf text = { 0 };
	struct str name = { NULL, 0 };
	char *signature = NULL;

	if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	jvm_add_text(&text, classes_name(signature));
	if (!text.failed)
		name.bytes = arena_copy(&above->arena, text.bytes, text.size);
	name.size = text.size;
	if (name.bytes)
		vec_push(&above->names, name);
	buf_clear(&text);
	jvm_free(above->jvm, signature);
}

static void add_interfaces(struct supertypes *above, jclass type, int depth)
{
	jvmtiEnv *jvmti = above->jvm->jvmti;
	jclass *interfaces = NULL;
	jint count = 0;

	if (depth > DEPTH_MAX || !jvm_frame(above->jni, REFERENCES))
		return;
	if ((*jvmti)->GetImplementedInterfaces(jvmti, type, &count, &interfaces) ==
	    JVMTI_ERROR_NONE) {
		for (jint i = 0; i < count; i++) {
			add_name(above, interfaces[i]);
			add_interfaces(above, interfaces[i], depth + 1);
		}
		jvm_free(above->jvm, interfaces);
	}
	jvm_frame_end(above->jni);
}

static void read_all(struct supertypes *above)
{
	JNIEnv *jni = above->jni;
	jclass at = above->type, next;

	if (!jvm_frame(jni, REFERENCES))
		return;
	while (at) {
		add_name(above, at);
		add_interfaces(above, at, 0);
		next = (*jni)->GetSuperclass(jni, at);
		if (at != above->type)
			(*jni)->DeleteLocalRef(jni, at);
		at = next;
	}
	jvm_frame_end(jni);
}

bool supertypes_is_below(void *supertypes, struct str pattern)
{
	struct supertypes *above = supertypes;

	if (!above->is_read)
		read_all(above);
	above->is_read = true;
	for (size_t i = 0; i < above->names.count; i++) {
		if (methodfilter_matches(pattern, above->names.items[i]))
			return true;
	}
	return false;
}

void supertypes_clear(struct supertypes *above)
{
	vec_clear(&above->names);
	arena_clear(&above->arena);
	above->is_read = false;
}
