#include "agent/orphans.h"

#include "agent/oneclass.h"
#include "agent/runtime.h"
#include "base/vec.h"

#define REFERENCES 16

/* One class: a weak reference to it, and its number in the table. */
struct orphan {
	jweak type;
	uint64_t token;
};

/* Of the process: there is one agent at a time. */
static struct {
	struct probed *probed;
	VEC(struct orphan) all;
} left;

static void leave_one(void *context, JNIEnv *jni, jclass type)
{
	struct agent *agent = context;
	struct orphan orphan = { 0 };
	struct oneclass of;

	if (!oneclass_read(&of, agent, jni, type))
		return;
	if (of.is_known)
		orphan.type = (*jni)->NewWeakGlobalRef(jni, type);
	if (!jvm_failed(jni) && orphan.type)
		orphan.token = probed_orphan(agent->instrumenter.probed, of.loader,
					     str_of(of.name));
	if (orphan.type && (!orphan.token || !vec_push(&left.all, orphan)))
		(*jni)->DeleteWeakGlobalRef(jni, orphan.type);
	oneclass_clear(&of, agent);
}

/* Without a reference, as for want of memory, nothing is known to be gone, ever. */
void orphans_leave(struct agent *agent, JNIEnv *jni)
{
	struct probed *probed = agent->instrumenter.probed;

	if (jvm_for_classes(&agent->jvm, jni, leave_one, agent))
		probed_orphan_rest(probed);
	left.probed = probed;
	atomic_store(&agent->instrumenter.probed, NULL);
}

static uint64_t loader_of(struct agent *agent, JNIEnv *jni, jclass type, bool *is_good)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jobject loader = NULL;
	uint64_t key = 0;

	*is_good = (*jvmti)->GetClassLoader(jvmti, type, &loader) == JVMTI_ERROR_NONE;
	if (loader) {
		key = (uint64_t)classes_tag(&agent->classes, loader, POOL_CLASS_LOADER) >>
		      1;
		*is_good &= key != 0;
		(*jni)->DeleteLocalRef(jni, loader);
	}
	return key;
}

static void adopt_one(struct agent *agent, JNIEnv *jni, const struct orphan *orphan)
{
	jclass type = (*jni)->NewLocalRef(jni, orphan->type);
	uint64_t loader, key;
	bool is_good;

	if (type) {
		loader = loader_of(agent, jni, type, &is_good);
		key = oneclass_is_linked(agent, type)
			      ? classes_key(&agent->classes, jni, type)
			      : 0;
		if (is_good)
			probed_adopt(left.probed, orphan->token, loader, key);
		(*jni)->DeleteLocalRef(jni, type);
	} else {
		probed_lose(left.probed, orphan->token);
	}
	(*jni)->DeleteWeakGlobalRef(jni, orphan->type);
}

/* Threads that ended meanwhile did so without a word. */
static void find_alive(void *context, JNIEnv *jni, jthread thread)
{
	uintptr_t address = jvm_thread_vm(jni, thread);

	if (address)
		map_put(context, address, 0);
}

static void leave_rows(struct agent *agent, JNIEnv *jni)
{
	struct map alive = { 0 };

	if (jvm_for_threads(&agent->jvm, jni, find_alive, &alive))
		counters_leave_others(runtime_counters(), &alive);
	map_clear(&alive);
}

struct probed *orphans_adopt(struct agent *agent, JNIEnv *jni)
{
	struct probed *probed = left.probed;

	if (!probed)
		return NULL;
	leave_rows(agent, jni);
	for (size_t i = 0; i < left.all.count; i++) {
		if (!jvm_frame(jni, REFERENCES))
			break;
		adopt_one(agent, jni, &left.all.items[i]);
		jvm_frame_end(jni);
	}
	vec_clear(&left.all);
	left.probed = NULL;
	return probed;
}
