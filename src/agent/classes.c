#include "agent/classes.h"

#include <stdlib.h>
#include <string.h>

#include "jfr/encode.h"

#define DEPTH_MAX 16		/* the class of a loader of the class of a loader ... */
#define REFERENCES 32

/* A tag is a key and a bit that says of what. */
enum { TAG_CLASS, TAG_LOADER };

static jlong tag_of(uint64_t key, int what)
{
	return (jlong)(key << 1 | (uint64_t)what);
}

void classes_init(struct classes *classes, const struct jvm *jvm,
		  struct constants *constants)
{
	*classes = (struct classes){ .jvm = jvm, .constants = constants, .free = MAP_NONE };
	pthread_mutex_init(&classes->lock, NULL);
}

/* Keys ------------------------------------------------------------------------ */

static uint64_t tagged(struct classes *classes, jobject object)
{
	jvmtiEnv *jvmti = classes->jvm->jvmti;
	jlong tag = 0;

	if ((*jvmti)->GetTag(jvmti, object, &tag) != JVMTI_ERROR_NONE)
		return 0;
	return (uint64_t)tag >> 1;
}

/*
 * Puts the constant under a key that the object bears from now on. Two threads may do so
 * at once: the tag that is there at the end is the key, the other goes.
 */
static uint64_t put(struct classes *classes, jobject object, enum pool_id pool,
		    const struct buf *value)
{
	jvmtiEnv *jvmti = classes->jvm->jvmti;
	uint64_t key = constants_key(classes->constants, pool), now;
	int what = pool == POOL_CLASS ? TAG_CLASS : TAG_LOADER;

	if (!constants_put_buf(classes->constants, pool, key, value))
		return 0;
	(*jvmti)->SetTag(jvmti, object, tag_of(key, what));
	now = tagged(classes, object);
	if (now != key)
		constants_unpin(classes->constants, pool, key);
	return now;
}

static uint64_t symbol_of(struct classes *classes, const struct buf *text)
{
	if (text->failed)
		return 0;
	return constants_symbol(classes->constants, buf_as_str(text));
}

static uint64_t symbol(struct classes *classes, const char *text)
{
	struct buf buf = { 0 };
	uint64_t key;

	if (!text)
		return 0;
	jvm_add_text(&buf, text);
	key = symbol_of(classes, &buf);
	buf_clear(&buf);
	return key;
}

/* Appends a Java string in a field; false if it is null. */
static bool add_field(struct buf *to, JNIEnv *jni, jobject object, const char *name)
{
	jstring string = jvm_object_field(jni, object, name, "Ljava/lang/String;");

	return string && jvm_add_string(to, jni, string);
}

/* Loaders --------------------------------------------------------------------- */

static uint64_t class_key(struct classes *classes, JNIEnv *jni, jclass type, int depth);

static uint64_t boot_loader(struct classes *classes)
{
	struct buf value = { 0 };
	uint64_t key = __atomic_load_n(&classes->boot_loader, __ATOMIC_ACQUIRE);

	if (key)
		return key;
	encode_long(&value, 0);
	encode_long(&value, (int64_t)symbol(classes, "bootstrap"));
	key = constants_key(classes->constants, POOL_CLASS_LOADER);
	if (!constants_put_buf(classes->constants, POOL_CLASS_LOADER, key, &value))
		key = 0;
	buf_clear(&value);
	__atomic_store_n(&classes->boot_loader, key, __ATOMIC_RELEASE);
	return key;
}

static uint64_t loader_key(struct classes *classes, JNIEnv *jni, jobject loader, int depth)
{
	struct buf value = { 0 }, name = { 0 };
	uint64_t key;
	jclass type;

	if (!loader)
		return boot_loader(classes);
	key = tagged(classes, loader);
	if (key || depth > DEPTH_MAX)
		return key;
	type = (*jni)->GetObjectClass(jni, loader);
	encode_long(&value, (int64_t)class_key(classes, jni, type, depth + 1));
	encode_long(&value, add_field(&name, jni, loader, "name")
				    ? (int64_t)symbol_of(classes, &name) : 0);
	key = put(classes, loader, POOL_CLASS_LOADER, &value);
	buf_clear(&value);
	buf_clear(&name);
	return key;
}

/* Modules and packages -------------------------------------------------------- */

static void add_version(struct buf *to, JNIEnv *jni, jobject module)
{
	jobject descriptor = jvm_object_field(jni, module, "descriptor",
					      "Ljava/lang/module/ModuleDescriptor;");
	jobject version = NULL;

	if (!descriptor)
		return;
	version = jvm_object_field(jni, descriptor, "version",
				   "Ljava/lang/module/ModuleDescriptor$Version;");
	if (version)
		add_field(to, jni, version, "version");
	else
		add_field(to, jni, descriptor, "rawVersionString");
}

static jobject module_of(const struct jvm *jvm, JNIEnv *jni, jclass type)
{
	jobject module = jvm->version >= 9 ? compat_module(jni, type) : NULL;

	return jvm->version >= 9 && jvm_failed(jni) ? NULL : module;
}

bool classes_module(const struct jvm *jvm, JNIEnv *jni, jclass type,
		    struct classes_module *names)
{
	jobject module = module_of(jvm, jni, type);

	*names = (struct classes_module){ 0 };
	if (!module || !add_field(&names->name, jni, module, "name"))
		return false;
	add_version(&names->version, jni, module);
	return true;
}

/* Where it came from is not seen. 0: the class is in none with a name. */
static uint64_t module_key(struct classes *classes, JNIEnv *jni, jclass type,
			   uint64_t loader)
{
	struct classes_module names;
	struct buf value = { 0 };
	uint64_t key;

	if (!classes_module(classes->jvm, jni, type, &names))
		return 0;
	encode_long(&value, (int64_t)symbol_of(classes, &names.name));
	encode_long(&value, names.version.size
				    ? (int64_t)symbol_of(classes, &names.version) : 0);
	encode_long(&value, 0);
	encode_long(&value, (int64_t)loader);
	key = constants_intern_buf(classes->constants, POOL_MODULE, &value);
	buf_clear(&value);
	buf_clear(&names.name);
	buf_clear(&names.version);
	return key;
}

static void exchange(char *text, char from, char to)
{
	for (; *text; text++) {
		if (*text == from)
			*text = to;
	}
}

/* To all: Module.isExported(String). */
static bool is_exported(const struct jvm *jvm, JNIEnv *jni, jclass type, char *package)
{
	jobject module = module_of(jvm, jni, type);
	jmethodID method;
	jstring string;
	bool is_so;

	if (!module)
		return true;
	method = (*jni)->GetMethodID(jni, (*jni)->GetObjectClass(jni, module), "isExported",
				     "(Ljava/lang/String;)Z");
	if (jvm_failed(jni))
		return false;
	exchange(package, '/', '.');
	string = (*jni)->NewStringUTF(jni, package);
	exchange(package, '.', '/');
	if (jvm_failed(jni))
		return false;
	is_so = (*jni)->CallBooleanMethod(jni, module, method, string);
	return !jvm_failed(jni) && is_so;
}

/* `name` is that of a class: a/b/C. What has no package gives 0. */
static uint64_t package_key(struct classes *classes, JNIEnv *jni, jclass type, char *name,
			    uint64_t loader)
{
	char *slash = strrchr(name, '/');
	struct buf value = { 0 };
	uint64_t key;

	if (*name == '[' || !slash)
		return 0;
	*slash = 0;
	encode_long(&value, (int64_t)symbol(classes, name));
	encode_long(&value, (int64_t)module_key(classes, jni, type, loader));
	encode_boolean(&value, is_exported(classes->jvm, jni, type, name));
	key = constants_intern_buf(classes->constants, POOL_PACKAGE, &value);
	buf_clear(&value);
	*slash = '/';
	return key;
}

/* Classes --------------------------------------------------------------------- */

char *classes_name(char *signature)
{
	static const struct { char code; const char *name; } primitives[] = {
		{ 'Z', "boolean" }, { 'B', "byte" }, { 'C', "char" }, { 'S', "short" },
		{ 'I', "int" }, { 'J', "long" }, { 'F', "float" }, { 'D', "double" },
		{ 'V', "void" },
	};
	size_t size = strlen(signature);

	if (*signature == 'L' && size > 1) {
		signature[size - 1] = 0;
		return signature + 1;
	}
	for (size_t i = 0; i < sizeof(primitives) / sizeof(*primitives); i++) {
		if (*signature == primitives[i].code)
			return (char *)primitives[i].name;
	}
	return signature;
}

/* JVMTI has a point before the address in the name of a hidden class, JFR a plus. */
static bool is_hidden(char *name)
{
	char *point = *name == '[' ? NULL : strrchr(name, '.');

	if (point)
		*point = '+';
	return point != NULL;
}

static void encode_class(struct buf *to, struct classes *classes, JNIEnv *jni, jclass type,
			 char *name, int depth)
{
	jvmtiEnv *jvmti = classes->jvm->jvmti;
	bool hidden = is_hidden(name);
	jobject loader = NULL;
	jint modifiers = 0;
	uint64_t loaded_by;

	(*jvmti)->GetClassLoader(jvmti, type, &loader);
	(*jvmti)->GetClassModifiers(jvmti, type, &modifiers);
	loaded_by = loader_key(classes, jni, loader, depth);
	encode_long(to, (int64_t)loaded_by);
	encode_long(to, (int64_t)symbol(classes, name));
	encode_long(to, (int64_t)package_key(classes, jni, type, name, loaded_by));
	encode_int(to, modifiers);
	encode_boolean(to, hidden);
}

static uint64_t class_key(struct classes *classes, JNIEnv *jni, jclass type, int depth)
{
	jvmtiEnv *jvmti = classes->jvm->jvmti;
	struct buf value = { 0 };
	char *signature = NULL;
	uint64_t key = tagged(classes, type);

	if (key || depth > DEPTH_MAX || !jvm_frame(jni, REFERENCES))
		return key;
	if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) ==
	    JVMTI_ERROR_NONE) {
		encode_class(&value, classes, jni, type, classes_name(signature), depth);
		key = put(classes, type, POOL_CLASS, &value);
	}
	jvm_free(classes->jvm, signature);
	buf_clear(&value);
	jvm_frame_end(jni);
	return key;
}

uint64_t classes_key(struct classes *classes, JNIEnv *jni, jclass type)
{
	return type ? class_key(classes, jni, type, 0) : 0;
}

/* Methods --------------------------------------------------------------------- */

/* Under the lock. A place for it in methods; MAP_NONE without memory. */
static uint32_t place_method(struct classes *classes)
{
	uint32_t index = classes->free;

	if (index != MAP_NONE) {
		classes->free = classes->methods.items[index].next;
		return index;
	}
	if (!vec_push(&classes->methods, (struct class_method){ 0 }))
		return MAP_NONE;
	return (uint32_t)classes->methods.count - 1;
}

static void drop_method(struct classes *classes, uint32_t index)
{
	struct class_method *method = &classes->methods.items[index];

	free(method->lines);
	*method = (struct class_method){ .next = classes->free };
	classes->free = index;
}

/* False: it is there already, or there is no memory. */
static bool keep_method(struct classes *classes, const struct class_method *method)
{
	uint32_t index;

	if (map_find(&classes->by_id, method->id) != MAP_NONE)
		return false;
	index = place_method(classes);
	if (index == MAP_NONE)
		return false;
	classes->methods.items[index] = *method;
	classes->methods.items[index].next = map_find(&classes->first, method->type);
	if (map_put(&classes->by_id, method->id, index) &&
	    map_put(&classes->first, method->type, index))
		return true;
	map_remove(&classes->by_id, method->id);
	classes->methods.items[index].lines = NULL;	/* the caller's */
	drop_method(classes, index);
	return false;
}

static void read_lines(struct classes *classes, struct class_method *method, jmethodID id)
{
	jvmtiEnv *jvmti = classes->jvm->jvmti;
	jvmtiLineNumberEntry *table;
	jint count;

	if (method->is_native ||
	    (*jvmti)->GetLineNumberTable(jvmti, id, &count, &table) != JVMTI_ERROR_NONE)
		return;
	method->lines = calloc((size_t)count + 1, sizeof(*method->lines));
	for (jint i = 0; method->lines && i < count; i++)
		method->lines[method->line_count++] = (struct class_line){
			(uint32_t)table[i].start_location, table[i].line_number
		};
	jvm_free(classes->jvm, table);
}

static bool read_method(struct classes *classes, JNIEnv *jni, jmethodID id,
			struct class_method *method)
{
	jvmtiEnv *jvmti = classes->jvm->jvmti;
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
	method->type = classes_key(classes, jni, type);
	method->key = constants_key(classes->constants, POOL_METHOD);
	method->is_native = modifiers & 0x100;
	encode_long(&value, (int64_t)method->type);
	encode_long(&value, (int64_t)symbol(classes, name));
	encode_long(&value, (int64_t)symbol(classes, descriptor));
	encode_int(&value, modifiers & 0xffff);
	encode_boolean(&value, false);
	is_good = constants_put_buf(classes->constants, POOL_METHOD, method->key, &value);
	jvm_free(classes->jvm, name);
	jvm_free(classes->jvm, descriptor);
	buf_clear(&value);
	return is_good;
}

/* Under the lock. The line with the last start that is not behind the place. */
static int32_t line_at(const struct class_method *method, int64_t bytecode)
{
	const struct class_line *best = NULL;

	for (uint32_t i = 0; i < method->line_count; i++) {
		const struct class_line *line = &method->lines[i];

		if (line->start <= bytecode && (!best || line->start >= best->start))
			best = line;
	}
	return best ? best->line : -1;
}

static bool find_place(struct classes *classes, jmethodID id, int64_t bytecode,
		       struct class_place *place)
{
	uint32_t index;

	pthread_mutex_lock(&classes->lock);
	index = map_find(&classes->by_id, (uintptr_t)id);
	if (index != MAP_NONE) {
		const struct class_method *method = &classes->methods.items[index];

		place->method = method->key;
		place->is_native = method->is_native;
		place->line = line_at(method, bytecode);
	}
	pthread_mutex_unlock(&classes->lock);
	return index != MAP_NONE;
}

struct class_place classes_place(struct classes *classes, JNIEnv *jni, jmethodID id,
				 int64_t bytecode)
{
	struct class_method method = { .id = (uintptr_t)id };
	struct class_place place = { .line = -1 };
	bool is_kept;

	if (find_place(classes, id, bytecode, &place) || !jvm_frame(jni, REFERENCES))
		return place;
	if (read_method(classes, jni, id, &method)) {
		read_lines(classes, &method, id);
		pthread_mutex_lock(&classes->lock);
		is_kept = keep_method(classes, &method);
		pthread_mutex_unlock(&classes->lock);
		if (!is_kept) {
			constants_unpin(classes->constants, POOL_METHOD, method.key);
			free(method.lines);
		}
		find_place(classes, id, bytecode, &place);
	}
	jvm_frame_end(jni);
	return place;
}

/* The methods of a class go with it; their constants are unpinned without the lock. */
static bool take_method(struct classes *classes, uint64_t type, uint64_t *key)
{
	uint32_t index;

	pthread_mutex_lock(&classes->lock);
	index = map_find(&classes->first, type);
	if (index != MAP_NONE) {
		struct class_method *method = &classes->methods.items[index];

		*key = method->key;
		map_remove(&classes->by_id, method->id);
		if (method->next == MAP_NONE)
			map_remove(&classes->first, type);
		else
			map_put(&classes->first, type, method->next);
		drop_method(classes, index);
	}
	pthread_mutex_unlock(&classes->lock);
	return index != MAP_NONE;
}

void classes_freed(struct classes *classes, jlong tag)
{
	uint64_t key = (uint64_t)tag >> 1, method;

	if ((tag & 1) == TAG_LOADER) {
		constants_unpin(classes->constants, POOL_CLASS_LOADER, key);
		return;
	}
	while (take_method(classes, key, &method))
		constants_unpin(classes->constants, POOL_METHOD, method);
	constants_unpin(classes->constants, POOL_CLASS, key);
}
