#include "agent/identity.h"

#include "base/javahash.h"
#include "jfr/encode.h"
#include "jfr/rawtext.h"

#define GROUPS_MAX 32		/* a group within so many others */
#define REFERENCES 16

static uint64_t intern_group(struct constants *constants, uint64_t parent,
			     const char *name)
{
	struct buf text = { 0 }, value = { 0 };
	uint64_t key;

	jvm_add_text(&text, name ? name : "");
	encode_long(&value, (int64_t)parent);
	encode_string(&value, buf_as_str(&text));
	value.failed |= text.failed;
	key = constants_intern_buf(constants, POOL_THREAD_GROUP, &value);
	buf_clear(&text);
	buf_clear(&value);
	return key;
}

/* The key of a group, after those that it is in. Leaves references to the frame. */
static uint64_t group_key(const struct jvm *jvm, struct constants *constants,
			  jthreadGroup group)
{
	jvmtiEnv *jvmti = jvm->jvmti;
	char *names[GROUPS_MAX];
	uint64_t key = 0;
	int count = 0;

	while (group && count < GROUPS_MAX) {
		jvmtiThreadGroupInfo info;

		if ((*jvmti)->GetThreadGroupInfo(jvmti, group, &info) !=
		    JVMTI_ERROR_NONE)
			break;
		names[count++] = info.name;
		group = info.parent;
	}
	while (count-- > 0) {
		key = intern_group(constants, key, names[count]);
		jvm_free(jvm, names[count]);
	}
	return key;
}

bool identity_read(struct identity *identity, const struct jvm *jvm,
		   struct constants *constants, JNIEnv *jni, jthread thread)
{
	jvmtiEnv *jvmti = jvm->jvmti;
	jvmtiThreadInfo info = { 0 };

	*identity = (struct identity){ .is_java = true };
	if (!jvm_frame(jni, REFERENCES + GROUPS_MAX))
		return false;
	if ((*jvmti)->GetThreadInfo(jvmti, thread, &info) != JVMTI_ERROR_NONE) {
		jvm_frame_end(jni);
		return false;
	}
	jvm_add_text(&identity->name, info.name ? info.name : "");
	jvm_free(jvm, info.name);
	identity->group = group_key(jvm, constants, info.thread_group);
	identity->java_tid = jvm_thread_number(jni, thread);
	identity->is_virtual = jvm->version >= 21 && compat_is_virtual(jni, thread);
	jvm_frame_end(jni);
	return true;
}

static void encode_identity(struct buf *to, const struct identity *identity)
{
	static const struct str none = { NULL, 0 };
	struct str name = buf_as_str(&identity->name);

	rawtext_encode(to, identity->is_virtual ? none : name);
	encode_long(to, identity->tid);
	encode_string(to, identity->is_java ? name : none);
	encode_long(to, identity->java_tid);
	encode_long(to, (int64_t)identity->group);
	encode_boolean(to, identity->is_virtual);
}

bool identity_put(const struct identity *identity, struct constants *constants,
		  uint64_t key, uint32_t *said)
{
	struct buf value = { 0 };
	uint32_t hash;
	bool is_good;

	encode_identity(&value, identity);
	hash = javahash_text(buf_as_str(&value));
	value.failed |= identity->name.failed;
	is_good = !value.failed;
	if (is_good && (*said == 0 || *said != hash))
		is_good = constants_put_buf(constants, POOL_THREAD, key, &value);
	*said = hash;
	buf_clear(&value);
	return is_good;
}

/* The JVM has one group for all of them. */
struct identity identity_of_virtual(struct constants *constants, int64_t java_tid)
{
	return (struct identity){
		.group = intern_group(constants, intern_group(constants, 0, "system"),
				      "VirtualThreads"),
		.java_tid = java_tid,
		.is_java = true,
		.is_virtual = true,
	};
}

void identity_clear(struct identity *identity)
{
	buf_clear(&identity->name);
}
