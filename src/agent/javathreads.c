#include "agent/javathreads.h"

#include "agent/sources.h"
#include "agent/stacks.h"
#include "agent/threadload.h"
#include "engine/event.h"
#include "host/vmstructs.h"

#define STARTER_FRAMES 2	/* Thread.start0, Thread.start */

const void *javathreads_starter(void)
{
	return vmstructs_exported("JVM_StartThread");
}

int64_t javathreads_starting(struct agent *agent, JNIEnv *jni, jthread thread)
{
	struct start start = { 0 };

	if (!recorder_wants(&agent->recorder, EVENT_THREAD_START))
		return 0;
	start.java_tid = threads_number(jni, thread);
	if (start.java_tid == 0)
		return 0;
	start.parent = threads_key_here(&agent->threads, jni);
	if (event_setting_of(&agent->recorder.settings, EVENT_THREAD_START)->with_stack)
		start.stack = stacks_here(&agent->classes, jni, STARTER_FRAMES,
					  agent->orders.stack_depth);
	return starts_put(&agent->starts, &start) ? start.java_tid : 0;
}

/* A key that was kept, if it is still there. */
static int64_t kept(struct agent *agent, enum pool_id type, uint64_t key)
{
	if (key == 0 || !constants_touch(agent->recorder.constants, type, key))
		return 0;
	return (int64_t)key;
}

void javathreads_started(struct agent *agent, JNIEnv *jni, jthread thread)
{
	struct start start = starts_take(&agent->starts, threads_number(jni, thread));
	struct thread *self = threads_enter(&agent->threads, jni, thread);
	struct event event;
	int64_t now;

	if (!self || self->is_ours)
		return;
	now = recorder_ticks();
	threadload_first(agent, self, now);
	if (!recorder_wants(&agent->recorder, EVENT_THREAD_START))
		return;
	if (event_begin(&event, threads_share(&agent->threads), EVENT_THREAD_START,
			EVENT_ROOM(5))) {
		event_long(&event, now);
		event_long(&event, (int64_t)self->key);
		event_long(&event, kept(agent, POOL_STACK_TRACE, start.stack));
		event_long(&event, (int64_t)self->key);
		event_long(&event, kept(agent, POOL_THREAD, start.parent));
		event_commit(&event);
	}
	threads_share_end(&agent->threads);
}

static void tell_end(struct agent *agent, const struct thread *self)
{
	struct event event;

	if (event_begin(&event, threads_share(&agent->threads), EVENT_THREAD_END,
			EVENT_ROOM(3))) {
		event_long(&event, recorder_ticks());
		event_long(&event, (int64_t)self->key);
		event_long(&event, (int64_t)self->key);
		event_commit(&event);
	}
	threads_share_end(&agent->threads);
}

void javathreads_ended(struct agent *agent, JNIEnv *jni, jthread thread)
{
	struct thread *self = threads_self(&agent->threads);

	if (!self)
		return;
	threads_reread(&agent->threads, jni, thread);
	if (!self->is_ours && recorder_wants(&agent->recorder, EVENT_THREAD_CPU_LOAD))
		threadload_last(agent, self);
	if (!self->is_ours && recorder_wants(&agent->recorder, EVENT_THREAD_END))
		tell_end(agent, self);
	threads_leave(&agent->threads);
}

/* The lane is that of the carrier, on which this runs. */
void javathreads_virtual(struct agent *agent, JNIEnv *jni, jthread thread,
			 enum event_id id)
{
	const struct event_setting *setting =
		event_setting_of(&agent->recorder.settings, id);
	struct thread *carrier = threads_self(&agent->threads);
	uint64_t key, stack = 0;
	struct event event;

	if (!carrier || !recorder_wants(&agent->recorder, id))
		return;
	key = threads_key(&agent->threads, jni, thread);
	if (setting->with_stack)
		stack = stacks_here(&agent->classes, jni, 0, agent->orders.stack_depth);
	if (!event_begin(&event, threads_lane(&agent->threads, carrier), id, EVENT_ROOM(4)))
		return;
	event_long(&event, recorder_ticks());
	event_long(&event, (int64_t)key);
	if (id == EVENT_VIRTUAL_THREAD_START)
		event_long(&event, (int64_t)stack);
	event_long(&event, threads_number(jni, thread));
	event_commit(&event);
}

static bool start(struct recorder *recorder, struct err *err)
{
	struct agent *agent = agent_of(recorder);

	(void)err;
	if (!compat_has(&agent->jvm.can, COMPAT_CAPABILITY_VIRTUAL_THREADS))
		return true;
	if (agent_is_set(agent, EVENT_VIRTUAL_THREAD_START))
		jvm_enable(&agent->jvm, COMPAT_VIRTUAL_THREAD_START, true);
	if (agent_is_set(agent, EVENT_VIRTUAL_THREAD_END))
		jvm_enable(&agent->jvm, COMPAT_VIRTUAL_THREAD_END, true);
	return true;
}

static void stop(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);

	if (!compat_has(&agent->jvm.can, COMPAT_CAPABILITY_VIRTUAL_THREADS))
		return;
	jvm_enable(&agent->jvm, COMPAT_VIRTUAL_THREAD_START, false);
	jvm_enable(&agent->jvm, COMPAT_VIRTUAL_THREAD_END, false);
}

const struct source threads_source = { "threads", NULL, start, stop };
