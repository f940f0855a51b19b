#include "agent/loaders.h"

#include <string.h>

#include "agent/classes.h"

#define LOADER "Ljava/lang/ClassLoader;"

void loaders_init(struct loaders *loaders, const struct jvm *jvm)
{
	*loaders = (struct loaders){ .jvm = jvm };
	pthread_mutex_init(&loaders->lock, NULL);
}

void loaders_clear(struct loaders *loaders, JNIEnv *jni)
{
	int count = atomic_load(&loaders->count);

	for (int i = 0; i < count; i++)
		(*jni)->DeleteGlobalRef(jni, loaders->all[i]);
	atomic_store(&loaders->count, 0);
	pthread_mutex_destroy(&loaders->lock);
}

/* The first to know them keeps them. */
static void keep(struct loaders *loaders, JNIEnv *jni, jobject *found, int count)
{
	bool is_first;

	pthread_mutex_lock(&loaders->lock);
	is_first = atomic_load(&loaders->count) == 0;
	if (is_first) {
		memcpy(loaders->all, found, (size_t)count * sizeof(*found));
		atomic_store_explicit(&loaders->count, count, memory_order_release);
	}
	pthread_mutex_unlock(&loaders->lock);
	for (int i = 0; !is_first && i < count; i++)
		(*jni)->DeleteGlobalRef(jni, found[i]);
}

/*
 * ClassLoader keeps the system's in a static field, which is null until that one is
 * made. To call the method for it might run the program's code.
 */
static void find(struct loaders *loaders, JNIEnv *jni, jobject any)
{
	jobject found[LOADERS_MAX];
	jobject at = jvm_static_field(jni, any, "scl", LOADER);
	int count = 0;

	while (at && count < LOADERS_MAX) {
		found[count] = (*jni)->NewGlobalRef(jni, at);
		if (!found[count])
			break;
		count++;
		at = jvm_object_field(jni, at, "parent", LOADER);
	}
	keep(loaders, jni, found, count);
}

static bool is_one(struct loaders *loaders, JNIEnv *jni, jobject loader)
{
	int count = atomic_load_explicit(&loaders->count, memory_order_acquire);

	if (count == 0) {
		find(loaders, jni, loader);
		count = atomic_load_explicit(&loaders->count, memory_order_acquire);
	}
	for (int i = 0; i < count; i++) {
		if ((*jni)->IsSameObject(jni, loader, loaders->all[i]))
			return true;
	}
	return false;
}

static bool is_hidden(const struct loaders *loaders, jclass type)
{
	jvmtiEnv *jvmti = loaders->jvm->jvmti;
	char *signature = NULL;
	bool hidden;

	if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) !=
	    JVMTI_ERROR_NONE)
		return true;
	hidden = classes_hidden(classes_name(signature)) != NULL;
	jvm_free(loaders->jvm, signature);
	return hidden;
}

enum loaders_fate loaders_fate(struct loaders *loaders, JNIEnv *jni, jclass type)
{
	jvmtiEnv *jvmti = loaders->jvm->jvmti;
	jobject loader = NULL;

	if (is_hidden(loaders, type) ||
	    (*jvmti)->GetClassLoader(jvmti, type, &loader) != JVMTI_ERROR_NONE)
		return LOADERS_ALONE;
	return !loader || is_one(loaders, jni, loader) ? LOADERS_STAYS : LOADERS_GOES;
}
