#include "agent/methods.h"

#include <stdlib.h>

#include "agent/symbols.h"
#include "jfr/encode.h"

#define REFERENCES 32

void methods_init(struct methods *methods, struct classes *classes)
{
	*methods = (struct methods){
		.jvm = classes->jvm,
		.constants = classes->constants,
		.classes = classes,
		.free = MAP_NONE,
	};
	pthread_mutex_init(&methods->lock, NULL);
}

/* Under the lock. A place for it in methods; MAP_NONE without memory. */
static uint32_t place_method(struct methods *methods)
{
	uint32_t index = methods->free;

	if (index != MAP_NONE) {
		methods->free = methods->all.items[index].next;
		return index;
	}
	if (!vec_push(&methods->all, (struct method){ 0 }))
		return MAP_NONE;
	return (uint32_t)methods->all.count - 1;
}

static void drop_method(struct methods *methods, uint32_t index)
{
	struct method *method = &methods->all.items[index];

	free(method->lines);
	*method = (struct method){ .next = methods->free };
	methods->free = index;
}

/* False: it is there already, or there is no memory. */
static bool keep_method(struct methods *methods, const struct method *method)
{
	uint32_t index;

	if (map_find(&methods->by_id, method->id) != MAP_NONE)
		return false;
	index = place_method(methods);
	if (index == MAP_NONE)
		return false;
	methods->all.items[index] = *method;
	methods->all.items[index].next = map_find(&methods->first, method->type);
	if (map_put(&methods->by_id, method->id, index) &&
	    map_put(&methods->first, method->type, index))
		return true;
	map_remove(&methods->by_id, method->id);
	methods->all.items[index].lines = NULL;	/* the caller's */
	drop_method(methods, index);
	return false;
}

static void read_lines(struct methods *methods, struct method *method, jmethodID id)
{
	jvmtiEnv *jvmti = methods->jvm->jvmti;
	jvmtiLineNumberEntry *table;
	jint count;

	if (method->is_native ||
	    (*jvmti)->GetLineNumberTable(jvmti, id, &count, &table) != JVMTI_ERROR_NONE)
		return;
	method->lines = calloc((size_t)count + 1, sizeof(*method->lines));
	for (jint i = 0; method->lines && i < count; i++)
		method->lines[method->line_count++] = (struct method_line){
			(uint32_t)table[i].start_location, table[i].line_number
		};
	jvm_free(methods->jvm, table);
}

static bool read_method(struct methods *methods, JNIEnv *jni, jmethodID id,
			struct method *method)
{
	jvmtiEnv *jvmti = methods->jvm->jvmti;
	char *name = NULL, *descriptor = NULL;
	struct buf value = { 0 };
	jclass type = NULL;
	jint modifiers = 0;
	bool is_good;

	if ((*jvmti)->GetMethodDeclaringClass(jvmti, id, &type) != JVMTI_ERROR_NONE ||
	    (*jvmti)->GetMethodName(jvmti, id, &name, &descriptor, NULL) !=
		    JVMTI_ERROR_NONE)
		return false;
	(*jvmti)->GetMethodModifiers(jvmti, id, &modifiers);
	method->type = classes_key(methods->classes, jni, type);
	method->key = constants_key(methods->constants, POOL_METHOD);
	method->is_native = modifiers & 0x100;
	encode_long(&value, (int64_t)method->type);
	encode_long(&value, (int64_t)symbols_text(methods->constants, name));
	encode_long(&value, (int64_t)symbols_text(methods->constants, descriptor));
	encode_int(&value, modifiers & 0xffff);
	encode_boolean(&value, false);
	is_good = constants_put_buf(methods->constants, POOL_METHOD, method->key,
				    &value);
	jvm_free(methods->jvm, name);
	jvm_free(methods->jvm, descriptor);
	buf_clear(&value);
	return is_good;
}

/* Under the lock. The line with the last start that is not behind the place. */
static int32_t line_at(const struct method *method, int64_t bytecode)
{
	const struct method_line *best = NULL;

	for (uint32_t i = 0; i < method->line_count; i++) {
		const struct method_line *line = &method->lines[i];

		if (line->start <= bytecode && (!best || line->start >= best->start))
			best = line;
	}
	return best ? best->line : -1;
}

static bool find_place(struct methods *methods, jmethodID id, int64_t bytecode,
		       struct method_place *place)
{
	uint32_t index;

	pthread_mutex_lock(&methods->lock);
	index = map_find(&methods->by_id, (uintptr_t)id);
	if (index != MAP_NONE) {
		const struct method *method = &methods->all.items[index];

		place->method = method->key;
		place->is_native = method->is_native;
		place->line = line_at(method, bytecode);
	}
	pthread_mutex_unlock(&methods->lock);
	return index != MAP_NONE;
}

struct method_place methods_place(struct methods *methods, JNIEnv *jni, jmethodID id,
				 int64_t bytecode)
{
	struct method method = { .id = (uintptr_t)id };
	struct method_place place = { .line = -1 };
	bool is_kept;

	if (find_place(methods, id, bytecode, &place) || !jvm_frame(jni, REFERENCES))
		return place;
	if (read_method(methods, jni, id, &method)) {
		read_lines(methods, &method, id);
		pthread_mutex_lock(&methods->lock);
		is_kept = keep_method(methods, &method);
		pthread_mutex_unlock(&methods->lock);
		if (!is_kept) {
			constants_unpin(methods->constants, POOL_METHOD, method.key);
			free(method.lines);
		}
		find_place(methods, id, bytecode, &place);
	}
	jvm_frame_end(jni);
	return place;
}

/* The methods of a class go with it; their constants are unpinned without the lock. */
static bool take_method(struct methods *methods, uint64_t type, uint64_t *key)
{
	uint32_t index;

	pthread_mutex_lock(&methods->lock);
	index = map_find(&methods->first, type);
	if (index != MAP_NONE) {
		struct method *method = &methods->all.items[index];

		*key = method->key;
		map_remove(&methods->by_id, method->id);
		if (method->next == MAP_NONE)
			map_remove(&methods->first, type);
		else
			map_put(&methods->first, type, method->next);
		drop_method(methods, index);
	}
	pthread_mutex_unlock(&methods->lock);
	return index != MAP_NONE;
}

void methods_freed(struct methods *methods, uint64_t type)
{
	uint64_t key;

	while (type && take_method(methods, type, &key))
		constants_unpin(methods->constants, POOL_METHOD, key);
}
