#include "agent/identity.h"

#include "base/javahash.h"
#include "engine/threadname.h"

#define GROUPS_MAX 32		/* a group within so many others */
#define REFERENCES 16

static uint64_t intern_group(struct constants *constants, uint64_t parent,
			     const char *name)
{
	struct buf text = { 0 };
	uint64_t key = 0;

	jvm_add_text(&text, name ? name : "");
	if (!text.failed)
		key = threadname_group(constants, parent, buf_as_str(&text));
	buf_clear(&text);
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
	const struct threadname threadname = {
		.name = buf_as_str(&identity->name),
		.group = identity->group,
		.java_tid = identity->java_tid,
		.tid = identity->tid,
		.is_java = identity->is_java,
		.is_virtual = identity->is_virtual,
	};

	threadname_encode(to, &threadname);
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

void identity_clear(struct identity *identity)
{
	buf_clear(&identity->name);
}
