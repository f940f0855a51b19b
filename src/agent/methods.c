#include "agent/methods.h"

#include <string.h>

#include "agent/symbols.h"
#include "base/now.h"
#include "jfr/methodnote.h"

#define REFERENCES 32
#define MINUTE (60 * SECOND)
#define NATIVE 0x100		/* among the modifiers */

void methods_init(struct methods *methods, struct classes *classes,
		  struct records *records)
{
	*methods = (struct methods){
		.jvm = classes->jvm,
		.constants = classes->constants,
		.classes = classes,
		.records = records,
		.free = MAP_NONE,
	};
	copies_init(&methods->copies, classes);
	pthread_mutex_init(&methods->lock, NULL);
}

void methods_tick(struct methods *methods, int64_t now)
{
	pthread_mutex_lock(&methods->lock);
	methods->minute = (unsigned)(now / MINUTE);
	pthread_mutex_unlock(&methods->lock);
}

/* Those that are known: under the lock -------------------------------------------- */

/* A place for it in methods; MAP_NONE without memory. */
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

/* What it holds is the caller's. */
static void drop_method(struct methods *methods, uint32_t index)
{
	struct method *method = &methods->all.items[index];

	*method = (struct method){ .next = methods->free };
	methods->free = index;
}

/* False: it is there already, or there is no memory. */
static bool keep_method(struct methods *methods, const struct method *method)
{
	uint32_t index;

	if (methods->is_closed || map_find(&methods->by_id, method->id) != MAP_NONE)
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
	drop_method(methods, index);
	return false;
}

static bool are_same(const struct lines *a, const struct lines *b)
{
	size_t count = a->all.count;

	return count == b->all.count &&
	       (count == 0 ||
		memcmp(a->all.items, b->all.items, count * sizeof(*a->all.items)) == 0);
}

/* Of now. True if they are others than before; a copy of the method then. */
static bool has_changed(struct methods *methods, uint64_t id, const struct lines *lines,
			struct method *copy)
{
	uint32_t index = map_find(&methods->by_id, id);
	struct method *method;

	if (index == MAP_NONE)
		return false;
	method = &methods->all.items[index];
	method->minute = methods->minute;
	*copy = *method;
	return !are_same(&method->lines, lines);
}

/* What there was before, or is of no use, is the caller's then. */
static void change_lines(struct methods *methods, struct method *changed)
{
	uint32_t index = map_find(&methods->by_id, changed->id);

	if (index != MAP_NONE && methods->all.items[index].key == changed->key) {
		struct method *method = &methods->all.items[index];
		struct method before = *method;

		method->lines = changed->lines;
		if (changed->note)
			method->note = changed->note;
		else
			before.note = NULL;	/* an older one is better than none */
		*changed = before;
	}
}

/* Asking the JVM: without the lock -------------------------------------------------- */

/* What is known of a method, from wherever. */
struct naming {
	uint64_t type;			/* POOL_CLASS */
	struct buf text;		/* name and descriptor, each with a NUL */
	struct buf lines;		/* lines_encode, where there is no class to ask */
	jint modifiers;
	bool is_there;			/* the class, so that the JVM can be asked */
	const char *waiting;
};

/* From what was copied: the JVM is not asked for names again. */
static bool copy_names(struct methods *methods, JNIEnv *jni, jmethodID id,
		       struct naming *naming)
{
	jvmtiEnv *jvmti = methods->jvm->jvmti;
	struct copy copy = { 0 };
	jclass type = NULL;

	if (!copies_find(&methods->copies, jni, id, &copy))
		return false;
	buf_str(&naming->text, buf_as_str(&copy.name));
	buf_str(&naming->text, buf_as_str(&copy.descriptor));
	naming->text.failed |= copy.name.failed | copy.descriptor.failed;
	buf_str(&naming->lines, buf_as_str(&copy.lines));
	naming->modifiers = copy.modifiers;
	naming->is_there = copy.is_there;
	if (copy.is_there && (*jvmti)->GetMethodDeclaringClass(jvmti, id, &type) ==
				     JVMTI_ERROR_NONE)
		naming->type = classes_key(methods->classes, jni, type);
	else if (!copy.type_name.failed)
		naming->type = classes_key_of_gone(
			methods->classes, copy.type.key, copy.type.loader,
			copy.type_name.bytes, copy.type.modifiers);
	if (naming->type)
		copies_set_key(&methods->copies, id, naming->type);
	copy_clear(&copy);
	return true;
}

/* Where threads wait, and what the JVM calls that. */
static const struct {
	const char *type, *name, *state;
} waits[] = {
	{ "Lsun/misc/Unsafe;", "park", "STATE_PARKED" },
	{ "Ljdk/internal/misc/Unsafe;", "park", "STATE_PARKED" },
	{ "Ljava/lang/Object;", "wait", "STATE_IN_OBJECT_WAIT" },
	{ "Ljava/lang/Object;", "wait0", "STATE_IN_OBJECT_WAIT" },
	{ "Ljava/lang/Thread;", "sleep", "STATE_SLEEPING" },
	{ "Ljava/lang/Thread;", "sleep0", "STATE_SLEEPING" },
	{ "Ljava/lang/Thread;", "sleepNanos0", "STATE_SLEEPING" },
};

static const char *waiting_in(struct methods *methods, jclass type, const char *name)
{
	jvmtiEnv *jvmti = methods->jvm->jvmti;
	const char *state = NULL;

	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits) && !state; i++) {
		char *signature = NULL;

		if (strcmp(waits[i].name, name) != 0 ||
		    (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) !=
			    JVMTI_ERROR_NONE)
			continue;
		if (strcmp(waits[i].type, signature) == 0)
			state = waits[i].state;
		jvm_free(methods->jvm, signature);
	}
	return state;
}

/* From the JVM, which has the class: it never unloads it, or it is on our stack. */
static bool read_names(struct methods *methods, JNIEnv *jni, jmethodID id,
		       struct naming *naming)
{
	jvmtiEnv *jvmti = methods->jvm->jvmti;
	char *name = NULL, *descriptor = NULL;
	jclass type = NULL;

	if (!id ||
	    (*jvmti)->GetMethodDeclaringClass(jvmti, id, &type) != JVMTI_ERROR_NONE ||
	    (*jvmti)->GetMethodName(jvmti, id, &name, &descriptor, NULL) !=
		    JVMTI_ERROR_NONE)
		return false;
	(*jvmti)->GetMethodModifiers(jvmti, id, &naming->modifiers);
	naming->type = classes_key(methods->classes, jni, type);
	naming->is_there = true;
	if (naming->modifiers & NATIVE)
		naming->waiting = waiting_in(methods, type, name);
	buf_text_nul(&naming->text, name);
	buf_text_nul(&naming->text, descriptor);
	jvm_free(methods->jvm, name);
	jvm_free(methods->jvm, descriptor);
	return true;
}

/* Constants -------------------------------------------------------------------- */

static bool put_method(struct methods *methods, const struct naming *naming,
		       uint64_t key)
{
	const char *name = naming->text.bytes;
	struct buf value = { 0 };
	bool is_good;

	if (naming->text.failed)
		return false;
	stack_encode_method(&value, naming->type,
			    symbols_text(methods->constants, name),
			    symbols_text(methods->constants, name + strlen(name) + 1),
			    naming->modifiers & 0xffff);
	is_good = constants_put_buf(methods->constants, POOL_METHOD, key, &value);
	buf_clear(&value);
	return is_good;
}

static uint64_t stand_in(struct methods *methods)
{
	uint64_t key = __atomic_load_n(&methods->stand_in, __ATOMIC_RELAXED);

	if (key && constants_touch(methods->constants, POOL_METHOD, key))
		return key;
	key = stack_unknown_method(methods->constants);
	__atomic_store_n(&methods->stand_in, key, __ATOMIC_RELAXED);
	return key;
}

/* Places ----------------------------------------------------------------------- */

enum finding { NOT_KNOWN, KNOWN, KNOWN_LONG };	/* long: its lines are of old */

static enum finding find_place(struct methods *methods, jmethodID id, int64_t bytecode,
			       struct method_place *place)
{
	enum finding finding = NOT_KNOWN;
	uint32_t index;

	pthread_mutex_lock(&methods->lock);
	index = map_find(&methods->by_id, (uintptr_t)id);
	if (index != MAP_NONE) {
		const struct method *method = &methods->all.items[index];

		place->method = method->key;
		place->is_native = method->is_native;
		place->waiting = str_of(method->waiting);
		place->line = lines_at(&method->lines, bytecode);
		finding = method->minute == methods->minute || method->is_native
				  ? KNOWN
				  : KNOWN_LONG;
	}
	pthread_mutex_unlock(&methods->lock);
	return finding;
}

/* For who has but the file of this process. */
static void take_note(struct methods *methods, struct method *method)
{
	struct buf lines = { 0 }, note = { 0 };

	lines_encode(&lines, &method->lines);
	methodnote_write(&note, &(struct methodnote){ .method = method->key,
						      .is_native = method->is_native,
						      .waiting = str_of(method->waiting),
						      .lines = buf_as_str(&lines) });
	if (!lines.failed && !note.failed)
		method->note = records_put(methods->records, SPILL_METHOD, method->id,
					   note.bytes, note.size);
	buf_clear(&lines);
	buf_clear(&note);
}

static void forget(struct methods *methods, struct method *method)
{
	records_remove(methods->records, method->note);
	lines_clear(&method->lines);
}

/* Reads it for the first time. */
static void meet(struct methods *methods, JNIEnv *jni, jmethodID id)
{
	struct method method = { .id = (uintptr_t)id };
	struct naming naming = { 0 };
	bool is_kept = false;

	if (copy_names(methods, jni, id, &naming) ||
	    read_names(methods, jni, id, &naming)) {
		method.type = naming.type;
		method.is_native = naming.modifiers & NATIVE;
		method.waiting = naming.waiting;
		method.key = constants_key(methods->constants, POOL_METHOD);
		if (naming.is_there && !method.is_native)
			jvm_add_lines(&method.lines, methods->jvm, id);
		else
			lines_decode(&method.lines, buf_as_str(&naming.lines));
		if (put_method(methods, &naming, method.key)) {
			take_note(methods, &method);
			pthread_mutex_lock(&methods->lock);
			method.minute = methods->minute;
			is_kept = keep_method(methods, &method);
			pthread_mutex_unlock(&methods->lock);
		}
		if (!is_kept) {
			constants_unpin(methods->constants, POOL_METHOD, method.key);
			forget(methods, &method);
		}
	}
	buf_clear(&naming.text);
	buf_clear(&naming.lines);
}

/* Reads its lines again, unless its class is gone. */
static void reread(struct methods *methods, JNIEnv *jni, jmethodID id)
{
	struct lines lines = { 0 };
	struct method method = { 0 };
	bool is_other;

	if (copies_is_gone(&methods->copies, jni, id))
		return;
	jvm_add_lines(&lines, methods->jvm, id);
	pthread_mutex_lock(&methods->lock);
	is_other = has_changed(methods, (uintptr_t)id, &lines, &method);
	pthread_mutex_unlock(&methods->lock);
	method.lines = lines;
	method.note = NULL;
	if (is_other) {
		take_note(methods, &method);
		pthread_mutex_lock(&methods->lock);
		change_lines(methods, &method);
		pthread_mutex_unlock(&methods->lock);
	}
	forget(methods, &method);
}

struct method_place methods_place(struct methods *methods, JNIEnv *jni, jmethodID id,
				 int64_t bytecode)
{
	struct method_place place = { .line = -1 };
	enum finding finding = find_place(methods, id, bytecode, &place);

	if (finding != KNOWN && jni && jvm_frame(jni, REFERENCES)) {
		if (finding == NOT_KNOWN)
			meet(methods, jni, id);
		else
			reread(methods, jni, id);
		finding = find_place(methods, id, bytecode, &place);
		jvm_frame_end(jni);
	}
	if (finding == NOT_KNOWN)
		place.method = stand_in(methods);
	return place;
}

/* Classes ---------------------------------------------------------------------- */

void methods_prepare(struct methods *methods, JNIEnv *jni, jclass type)
{
	jvmtiEnv *jvmti = methods->jvm->jvmti;
	jmethodID *ids;
	jint count;

	if ((*jvmti)->GetClassMethods(jvmti, type, &count, &ids) != JVMTI_ERROR_NONE)
		return;
	if (count > 0 && jvm_frame(jni, REFERENCES)) {
		copies_prepare(&methods->copies, jni, type, ids, count);
		jvm_frame_end(jni);
	}
	jvm_free(methods->jvm, ids);
}

/* The methods of a class go with it; what is elsewhere of them, without the lock. */
static bool take_method(struct methods *methods, uint64_t type, struct method *taken)
{
	uint32_t index;

	pthread_mutex_lock(&methods->lock);
	index = map_find(&methods->first, type);
	if (index != MAP_NONE) {
		struct method *method = &methods->all.items[index];

		*taken = *method;
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

static void drop_class(struct methods *methods, uint64_t type)
{
	struct method method;

	while (take_method(methods, type, &method)) {
		constants_unpin(methods->constants, POOL_METHOD, method.key);
		forget(methods, &method);
	}
}

/* A class that went with its loader. It may not have borne its key as a tag. */
static void lose_class(void *context, uint64_t type)
{
	struct methods *methods = context;

	drop_class(methods, type);
	constants_unpin(methods->constants, POOL_CLASS, type);
}

void methods_freed(struct methods *methods, JNIEnv *jni, jlong tag)
{
	uint64_t type = classes_of_tag(tag);

	if (type)
		drop_class(methods, type);
	copies_freed(&methods->copies, jni, tag, lose_class, methods);
}

void methods_close(struct methods *methods, JNIEnv *jni)
{
	pthread_mutex_lock(&methods->lock);
	methods->is_closed = true;
	for (size_t i = 0; i < methods->all.count; i++)
		lines_clear(&methods->all.items[i].lines);
	vec_clear(&methods->all);
	map_clear(&methods->by_id);
	map_clear(&methods->first);
	methods->free = MAP_NONE;
	pthread_mutex_unlock(&methods->lock);
	copies_close(&methods->copies, jni);
}

void methods_clear(struct methods *methods, JNIEnv *jni)
{
	methods_close(methods, jni);
	copies_clear(&methods->copies, jni);
	pthread_mutex_destroy(&methods->lock);
}
