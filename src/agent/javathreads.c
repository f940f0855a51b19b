#include "agent/javathreads.h"

#include "agent/allobservers.h"
#include "agent/sampler.h"
#include "agent/stacks.h"
#include "agent/threadload.h"
#include "engine/emit.h"
#include "hotspot/vmstructs.h"

#define STARTER_FRAMES 2	/* Thread.start0, Thread.start */
#define SWEEP_EACH (5 * SECOND)

const void *javathreads_starter(void)
{
	return vmstructs_exported("JVM_StartThread");
}

int64_t javathreads_starting(struct agent *agent, JNIEnv *jni, jthread thread)
{
	struct start start = { 0 };

	if (!recorder_wants(&agent->recorder, EVENT_THREAD_START))
		return 0;
	start.java_tid = jvm_thread_number(jni, thread);
	if (start.java_tid == 0)
		return 0;
	start.parent = registry_key_here(&agent->registry, jni);
	if (recorder_with_stack(&agent->recorder, EVENT_THREAD_START))
		start.stack = stacks_here(&agent->methods, jni, STARTER_FRAMES,
					  recorder_stack_depth(&agent->recorder));
	return starts_put(&agent->starts, &start) ? start.java_tid : 0;
}

/* A key that was kept, if it is still there. */
static int64_t kept(struct agent *agent, enum pool_id type, uint64_t key)
{
	if (key == 0 || !constants_touch(agent->recorder.constants, type, key))
		return 0;
	return (int64_t)key;
}

static void tell_end(struct agent *agent, const struct thread *self)
{
	struct emit event;

	if (!registry_emit(&agent->registry, &event, EVENT_THREAD_END, EMIT_ROOM(3)))
		return;
	emit_long(&event, now_ticks());
	emit_long(&event, (int64_t)self->key);
	emit_long(&event, (int64_t)self->key);
	registry_commit(&agent->registry, &event);
}

/* It did not say that it ends: so it did some time before now. */
static void lose(struct agent *agent, const struct thread *gone)
{
	sampler_thread_ended(gone->tid, gone->key);
	if (gone->java_tid && recorder_wants(&agent->recorder, EVENT_THREAD_END))
		tell_end(agent, gone);
}

void javathreads_started(struct agent *agent, JNIEnv *jni, jthread thread)
{
	int64_t number = jvm_thread_number(jni, thread), now;
	struct start start = starts_take(&agent->starts, number);
	struct thread *self, gone;
	struct emit event;

	if (registry_outlived(&agent->registry, number, &gone))
		lose(agent, &gone);
	self = registry_enter(&agent->registry, jni, thread);
	if (!self || self->is_ours)
		return;
	sampler_thread_started(jni, thread, self);
	now = now_ticks();
	threadload_first(agent, self, now);
	if (!recorder_wants(&agent->recorder, EVENT_THREAD_START))
		return;
	if (!registry_emit(&agent->registry, &event, EVENT_THREAD_START, EMIT_ROOM(5)))
		return;
	emit_long(&event, now);
	emit_long(&event, (int64_t)self->key);
	emit_long(&event, kept(agent, POOL_STACK_TRACE, start.stack));
	emit_long(&event, (int64_t)self->key);
	emit_long(&event, kept(agent, POOL_THREAD, start.parent));
	registry_commit(&agent->registry, &event);
}

void javathreads_ended(struct agent *agent, JNIEnv *jni, jthread thread)
{
	struct thread *self = registry_self(&agent->registry);
	struct thread gone;

	if (!self)
		return;
	gone = *self;
	registry_reread(&agent->registry, jni, thread);
	if (!self->is_ours && recorder_wants(&agent->recorder, EVENT_THREAD_CPU_LOAD))
		threadload_last(agent, self);
	if (!self->is_ours && recorder_wants(&agent->recorder, EVENT_THREAD_END))
		tell_end(agent, self);
	registry_leave(&agent->registry);
	sampler_thread_ended(gone.tid, gone.key);
}

/* The lane is that of the carrier, on which this runs. */
void javathreads_virtual(struct agent *agent, JNIEnv *jni, jthread thread,
			 enum event_id id)
{
	struct thread *carrier = registry_self(&agent->registry);
	uint64_t key, stack = 0;
	struct emit event;

	if (!carrier || !recorder_wants(&agent->recorder, id))
		return;
	key = registry_key(&agent->registry, jni, thread);
	if (recorder_with_stack(&agent->recorder, id))
		stack = stacks_here(&agent->methods, jni, 0,
				    recorder_stack_depth(&agent->recorder));
	if (!emit_begin(&event, registry_lane(&agent->registry, carrier), id,
			EMIT_ROOM(4)))
		return;
	emit_long(&event, now_ticks());
	emit_long(&event, (int64_t)key);
	if (id == EVENT_VIRTUAL_THREAD_START)
		emit_long(&event, (int64_t)stack);
	emit_long(&event, jvm_thread_number(jni, thread));
	emit_commit(&event);
}

/* Threads end without a word if their native code does not detach them. */
static void sweep(struct agent *agent)
{
	struct thread_copies copies = { 0 };

	registry_copy(&agent->registry, &copies);
	for (size_t i = 0; i < copies.of.count; i++) {
		const struct thread *thread = &copies.of.items[i];

		if (proc_thread_total(thread->tid) < 0 &&
		    registry_gone(&agent->registry, thread))
			lose(agent, thread);
	}
	vec_clear(&copies.of);
}

/* When that was done last. Under the recorder's lock. */
static int64_t swept;

static void collect(struct recorder *recorder)
{
	int64_t now = now_ticks();

	if (now - swept < SWEEP_EACH)
		return;
	swept = now;
	sweep(agent_of(recorder));
}

/* Virtual threads; the others are told of in any case, as the agent itself needs it. */
static const struct {
	enum event_id id;
	jvmtiEvent event;
} virtuals[] = {
	{ EVENT_VIRTUAL_THREAD_START, COMPAT_VIRTUAL_THREAD_START },
	{ EVENT_VIRTUAL_THREAD_END, COMPAT_VIRTUAL_THREAD_END },
};

#define VIRTUALS (sizeof(virtuals) / sizeof(virtuals[0]))

static bool wants_virtual(const struct agent *agent)
{
	for (size_t i = 0; i < VIRTUALS; i++) {
		if (agent_is_set(agent, virtuals[i].id))
			return true;
	}
	return false;
}

/*
 * The capability makes each switch of a virtual thread dearer, so it is taken when it is
 * needed, also late. A JVM that has none of them has nothing to tell.
 */
static bool can_tell_virtual(const struct agent *agent)
{
	const jvmtiCapabilities can = jvm_can(&agent->jvm);

	return compat_has(&can, COMPAT_CAPABILITY_VIRTUAL_THREADS);
}

static void want_virtual(const struct agent *agent)
{
	jvmtiCapabilities wanted = { 0 };

	if (can_tell_virtual(agent) || !wants_virtual(agent))
		return;
	compat_want(&wanted, COMPAT_CAPABILITY_VIRTUAL_THREADS);
	jvm_want(&agent->jvm, &wanted);
}

static bool start(struct recorder *recorder, struct err *err)
{
	struct agent *agent = agent_of(recorder);
	bool is_good = true;

	want_virtual(agent);
	if (!can_tell_virtual(agent))
		return true;
	for (size_t i = 0; i < VIRTUALS; i++) {
		bool is_wanted = agent_is_set(agent, virtuals[i].id);

		is_good &= jvm_enable(&agent->jvm, virtuals[i].event, is_wanted) ||
			   !is_wanted;
	}
	return is_good ||
	       err_set(err, ERR_SYSTEM, "the JVM does not tell of virtual ones");
}

static void stop(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);

	sweep(agent);
	if (!can_tell_virtual(agent))
		return;
	for (size_t i = 0; i < VIRTUALS; i++)
		jvm_enable(&agent->jvm, virtuals[i].event, false);
}

const struct observer javathreads_observer = {
	.name = "threads",
	.start = start,
	.change = start,
	.collect = collect,
	.stop = stop,
};
