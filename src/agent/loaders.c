#include "agent/loaders.h"

#include <string.h>

#define LOADER "Ljava/lang/ClassLoader;"

void loaders_init(struct loaders *loaders, const struct jvm *jvm)
{
	*loaders = (struct loaders){ .jvm = jvm };
	pthread_mutex_init(&loaders->lock, NULL);
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

/*
 * In its signature there is a point before the address, which has a slash before it in
 * what came before hidden classes (until 14): then nothing but digits is behind it.
 */
static bool is_hidden(const char *signature)
{
	const char *last = strrchr(signature, '/');

	if (*signature != 'L')
		return false;
	return strchr(signature, '.') ||
	       (last && last[1] != ';' && last[1 + strspn(last + 1, "0123456789")] == ';');
}

bool loaders_may_unload(struct loaders *loaders, JNIEnv *jni, jclass type)
{
	jvmtiEnv *jvmti = loaders->jvm->jvmti;
	char *signature = NULL;
	jobject loader = NULL;
	bool hidden;

	if ((*jvmti)->GetClassLoader(jvmti, type, &loader) != JVMTI_ERROR_NONE)
		return true;
	if (loader && !is_one(loaders, jni, loader))
		return true;
	if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) !=
	    JVMTI_ERROR_NONE)
		return true;
	hidden = is_hidden(signature);
	jvm_free(loaders->jvm, signature);
	return hidden;
}
