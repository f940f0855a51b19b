#include "agent/classes.h"

#include <string.h>

#include "agent/modules.h"
#include "agent/symbols.h"
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
	*classes = (struct classes){ .jvm = jvm, .constants = constants };
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
 * The object bears a key from now on. Two threads may give it one at once: that of the
 * tag which is there at the end is the one.
 */
static uint64_t reserve(struct classes *classes, jobject object, enum pool_id pool)
{
	jvmtiEnv *jvmti = classes->jvm->jvmti;
	int what = pool == POOL_CLASS ? TAG_CLASS : TAG_LOADER;
	uint64_t key = tagged(classes, object);

	if (key)
		return key;
	key = constants_key(classes->constants, pool);
	(*jvmti)->SetTag(jvmti, object, tag_of(key, what));
	return tagged(classes, object);
}

static bool is_put(struct classes *classes, enum pool_id pool, uint64_t key)
{
	return key && constants_touch(classes->constants, pool, key);
}

static uint64_t put(struct classes *classes, enum pool_id pool, uint64_t key,
		    const struct buf *value)
{
	return constants_put_buf(classes->constants, pool, key, value) ? key : 0;
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
	encode_long(&value, (int64_t)symbols_text(classes->constants, "bootstrap"));
	key = constants_key(classes->constants, POOL_CLASS_LOADER);
	if (!constants_put_buf(classes->constants, POOL_CLASS_LOADER, key, &value))
		key = 0;
	buf_clear(&value);
	__atomic_store_n(&classes->boot_loader, key, __ATOMIC_RELEASE);
	return key;
}

static uint64_t loader_key(struct classes *classes, JNIEnv *jni, jobject loader,
			   int depth)
{
	struct buf value = { 0 }, name = { 0 };
	uint64_t key;
	jclass type;

	if (!loader)
		return boot_loader(classes);
	key = reserve(classes, loader, POOL_CLASS_LOADER);
	if (is_put(classes, POOL_CLASS_LOADER, key))
		return key;
	if (!key || depth > DEPTH_MAX)
		return 0;
	type = (*jni)->GetObjectClass(jni, loader);
	encode_long(&value, (int64_t)class_key(classes, jni, type, depth + 1));
	encode_long(&value, jvm_add_field(&name, jni, loader, "name")
				    ? (int64_t)symbols_buf(classes->constants, &name)
				    : 0);
	key = put(classes, POOL_CLASS_LOADER, key, &value);
	buf_clear(&value);
	buf_clear(&name);
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

/* Behind the slash there is nothing but digits. */
char *classes_hidden(char *name)
{
	char *point = *name == '[' ? NULL : strrchr(name, '.');
	char *slash = *name == '[' ? NULL : strrchr(name, '/');

	if (point)
		return point;
	return slash && slash[1] && !slash[1 + strspn(slash + 1, "0123456789")] ? slash
										: NULL;
}

/* JVMTI has a point before the address in the name of a hidden class, JFR a plus. */
static bool mark_hidden(char *name)
{
	char *at = classes_hidden(name);

	if (at && *at == '.')
		*at = '+';
	return at != NULL;
}

/* As Class.getModifiers has them: 0x0020 is there for JVMs of old alone. */
static int32_t seen_modifiers(jint modifiers)
{
	return modifiers & 0x7fff & ~0x0020;
}

static void encode_class(struct buf *to, struct classes *classes, JNIEnv *jni,
			 jclass type, char *name, int depth)
{
	jvmtiEnv *jvmti = classes->jvm->jvmti;
	bool hidden = mark_hidden(name);
	jobject loader = NULL;
	jint modifiers = 0;
	uint64_t loaded_by;

	(*jvmti)->GetClassLoader(jvmti, type, &loader);
	(*jvmti)->GetClassModifiers(jvmti, type, &modifiers);
	loaded_by = loader_key(classes, jni, loader, depth);
	encode_long(to, (int64_t)loaded_by);
	encode_long(to, (int64_t)symbols_text(classes->constants, name));
	encode_long(to, (int64_t)modules_package(classes->jvm, classes->constants, jni,
						 type, name, loaded_by));
	encode_int(to, seen_modifiers(modifiers));
	encode_boolean(to, hidden);
}

static uint64_t class_key(struct classes *classes, JNIEnv *jni, jclass type, int depth)
{
	jvmtiEnv *jvmti = classes->jvm->jvmti;
	struct buf value = { 0 };
	char *signature = NULL;
	uint64_t key = reserve(classes, type, POOL_CLASS), done = 0;

	if (is_put(classes, POOL_CLASS, key))
		return key;
	if (!key || depth > DEPTH_MAX || !jvm_frame(jni, REFERENCES))
		return 0;
	if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) ==
	    JVMTI_ERROR_NONE) {
		encode_class(&value, classes, jni, type, classes_name(signature),
			     depth);
		done = put(classes, POOL_CLASS, key, &value);
	}
	jvm_free(classes->jvm, signature);
	buf_clear(&value);
	jvm_frame_end(jni);
	return done;
}

uint64_t classes_key(struct classes *classes, JNIEnv *jni, jclass type)
{
	return type ? class_key(classes, jni, type, 0) : 0;
}

jlong classes_tag(struct classes *classes, jobject object, enum pool_id pool)
{
	uint64_t key = reserve(classes, object, pool);

	return key ? tag_of(key, pool == POOL_CLASS ? TAG_CLASS : TAG_LOADER) : 0;
}

uint64_t classes_key_so_far(struct classes *classes, jobject object)
{
	return tagged(classes, object);
}

static void encode_gone(struct buf *to, struct classes *classes, uint64_t loader,
			char *name, jint modifiers)
{
	bool hidden = mark_hidden(name);

	encode_long(to, is_put(classes, POOL_CLASS_LOADER, loader) ? (int64_t)loader : 0);
	encode_long(to, (int64_t)symbols_text(classes->constants, name));
	encode_long(to, 0);
	encode_int(to, seen_modifiers(modifiers));
	encode_boolean(to, hidden);
}

uint64_t classes_key_of_gone(struct classes *classes, uint64_t key, uint64_t loader,
			     const char *name, jint modifiers)
{
	struct buf text = { 0 }, value = { 0 };

	if (is_put(classes, POOL_CLASS, key))
		return key;
	if (!key)
		key = constants_key(classes->constants, POOL_CLASS);
	buf_text_nul(&text, name);
	if (!text.failed)
		encode_gone(&value, classes, loader, text.bytes, modifiers);
	value.failed |= text.failed;
	key = put(classes, POOL_CLASS, key, &value);
	buf_clear(&text);
	buf_clear(&value);
	return key;
}

uint64_t classes_of_tag(jlong tag)
{
	return (tag & 1) == TAG_CLASS ? (uint64_t)tag >> 1 : 0;
}

void classes_freed(struct classes *classes, jlong tag)
{
	enum pool_id pool = classes_of_tag(tag) ? POOL_CLASS : POOL_CLASS_LOADER;

	constants_unpin(classes->constants, pool, (uint64_t)tag >> 1);
}
