#include "agent/modules.h"

#include <string.h>

#include "agent/symbols.h"
#include "jfr/encode.h"

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
		jvm_add_field(to, jni, version, "version");
	else
		jvm_add_field(to, jni, descriptor, "rawVersionString");
}

static jobject module_of(const struct jvm *jvm, JNIEnv *jni, jclass type)
{
	jobject module = jvm->version >= 9 ? compat_module(jni, type) : NULL;

	return jvm->version >= 9 && jvm_failed(jni) ? NULL : module;
}

bool modules_name(const struct jvm *jvm, JNIEnv *jni, jclass type,
		  struct module_name *name)
{
	jobject module = module_of(jvm, jni, type);

	*name = (struct module_name){ 0 };
	if (!module || !jvm_add_field(&name->name, jni, module, "name"))
		return false;
	add_version(&name->version, jni, module);
	return true;
}

/* Where it came from is not seen. 0: the class is in none with a name. */
static uint64_t module_key(const struct jvm *jvm, struct constants *constants,
			   JNIEnv *jni, jclass type, uint64_t loader)
{
	struct module_name name;
	struct buf value = { 0 };
	uint64_t key;

	if (!modules_name(jvm, jni, type, &name))
		return 0;
	encode_long(&value, (int64_t)symbols_buf(constants, &name.name));
	encode_long(&value, name.version.size
				    ? (int64_t)symbols_buf(constants, &name.version)
				    : 0);
	encode_long(&value, 0);
	encode_long(&value, (int64_t)loader);
	key = constants_intern_buf(constants, POOL_MODULE, &value);
	buf_clear(&value);
	buf_clear(&name.name);
	buf_clear(&name.version);
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
	method = (*jni)->GetMethodID(jni, (*jni)->GetObjectClass(jni, module),
				     "isExported", "(Ljava/lang/String;)Z");
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

uint64_t modules_package(const struct jvm *jvm, struct constants *constants,
			 JNIEnv *jni, jclass type, char *name, uint64_t loader)
{
	char *slash = strrchr(name, '/');
	struct buf value = { 0 };
	uint64_t key;

	if (*name == '[' || !slash)
		return 0;
	*slash = 0;
	encode_long(&value, (int64_t)symbols_text(constants, name));
	encode_long(&value, (int64_t)module_key(jvm, constants, jni, type, loader));
	encode_boolean(&value, is_exported(jvm, jni, type, name));
	key = constants_intern_buf(constants, POOL_PACKAGE, &value);
	buf_clear(&value);
	*slash = '/';
	return key;
}
