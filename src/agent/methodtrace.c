#include "agent/methodtrace.h"

#include <stdatomic.h>

#include "agent/inside.h"
#include "agent/phase.h"
#include "agent/methodkeys.h"
#include "agent/ownstack.h"
#include "agent/runtime.h"
#include "agent/stacks.h"
#include "engine/emit.h"
#include "engine/keycache.h"

enum remembered { OF_METHOD, OF_STACK, OF_THREAD };

/* What the calling thread does here may run methods that are traced, too. */
static __thread bool is_busy;

static struct keycache cache;

/* Numbers of methods may mean others than before: see methodtrace_forget. */
static atomic_uint generation;

/* An event, from when its call has ended to when it is written. */
struct traced {
	struct agent *agent;
	JNIEnv *jni;
	struct thread *self;		/* NULL: the thread has no record (any more) */
	unsigned epoch;			/* in which the keys are used */
	uint64_t method, stack, thread;
};

void methodtrace_begin(struct agent *agent)
{
	if (agent_is_set(agent, EVENT_METHOD_TRACE))
		ownstack_init(&agent->jvm);
}

void methodtrace_forget(void)
{
	atomic_fetch_add(&generation, 1);
}

/* What keys are remembered by: those of a generation before are not found again. */
static struct keycache_name name_of(const struct traced *traced, enum remembered what)
{
	struct keycache_name name = keycache_name(traced->epoch, what);

	keycache_add(&name, atomic_load(&generation));
	return name;
}

/* --- keys ------------------------------------------------------------------------ */

static uint64_t method_key(const struct traced *traced, uint32_t id)
{
	struct keycache_name name = name_of(traced, OF_METHOD);
	struct probed_copy method;
	uint64_t key;

	keycache_add(&name, id);
	key = keycache_find(&cache, &name);
	if (key || !probed_find(traced->agent->instrumenter.probed, id, &method))
		return key;
	key = methodkeys_key(traced->agent, &method);
	keycache_put(&cache, &name, key);
	return key;
}

static uint64_t frames_key(const struct traced *traced, const jvmtiFrameInfo *frames,
			   int count, bool is_truncated)
{
	struct keycache_name name = name_of(traced, OF_STACK);
	uint64_t key;

	keycache_add(&name, is_truncated);
	for (int i = 0; i < count; i++) {
		keycache_add(&name, (uintptr_t)frames[i].method);
		keycache_add(&name, (uint64_t)frames[i].location);
	}
	key = keycache_find(&cache, &name);
	if (key)
		return key;
	key = stacks_intern(&traced->agent->methods, traced->jni, frames, count,
			    is_truncated);
	keycache_put(&cache, &name, key);
	return key;
}

/* The stack begins at who called the method. 0: nobody did, it is a thread's first. */
static uint64_t stack_key(const struct traced *traced, bool is_virtual)
{
	struct agent *agent = traced->agent;
	jvmtiFrameInfo frames[OWNSTACK_FRAMES + 1];
	int most = (int)recorder_stack_depth(&agent->recorder), count;

	if (!recorder_with_stack(&agent->recorder, EVENT_METHOD_TRACE))
		return 0;
	/* So deep ones are not remembered. */
	if (most > OWNSTACK_FRAMES)
		return stacks_here(&agent->methods, traced->jni, RUNTIME_FRAMES, most);
	count = ownstack_read(&agent->jvm, traced->jni, RUNTIME_FRAMES, most, is_virtual,
			      frames);
	if (count == 0)
		return 0;
	return frames_key(traced, frames, count > most ? most : count, count > most);
}

static uint64_t virtual_key(const struct traced *traced, int64_t java_tid)
{
	struct agent *agent = traced->agent;
	struct keycache_name name = name_of(traced, OF_THREAD);
	uint64_t key;

	keycache_add(&name, (uint64_t)java_tid);
	key = keycache_find(&cache, &name);
	if (key)
		return key;
	key = registry_key_here(&agent->registry, traced->jni);
	if (!key)
		key = threadname_of_number(agent->recorder.constants,
					   threadname_java_key(java_tid));
	keycache_put(&cache, &name, key);
	return key;
}

/* The record's own key is kept by the thread, as long as that lives. */
static uint64_t thread_key(const struct traced *traced, int64_t java_tid)
{
	if (java_tid)
		return virtual_key(traced, java_tid);
	return traced->self ? traced->self->key
			    : registry_key_here(&traced->agent->registry, traced->jni);
}

/* A chunk ended since the keys were asked for. */
static uint64_t again(const struct traced *traced, enum pool_id type, uint64_t key)
{
	struct constants *constants = traced->agent->recorder.constants;

	return key && constants_touch(constants, type, key) ? key : 0;
}

static void use_again(struct traced *traced)
{
	struct store *store = &traced->agent->recorder.store;

	if (atomic_load_explicit(&store->epoch, memory_order_acquire) == traced->epoch)
		return;
	traced->method = again(traced, POOL_METHOD, traced->method);
	traced->stack = again(traced, POOL_STACK_TRACE, traced->stack);
	traced->thread = again(traced, POOL_THREAD, traced->thread);
}

/* --- the event --------------------------------------------------------------------- */

static bool begin(const struct traced *traced, struct emit *event)
{
	struct registry *registry = &traced->agent->registry;

	if (!traced->self)
		return registry_emit(registry, event, EVENT_METHOD_TRACE, EMIT_ROOM(5));
	return emit_begin(event, registry_lane(registry, traced->self),
			  EVENT_METHOD_TRACE, EMIT_ROOM(5));
}

static void emit(struct traced *traced, int64_t start, int64_t end)
{
	struct emit event;

	if (!begin(traced, &event))
		return;
	use_again(traced);
	emit_long(&event, start);
	emit_long(&event, end - start);
	emit_long(&event, (int64_t)traced->thread);
	emit_long(&event, (int64_t)traced->stack);
	emit_long(&event, (int64_t)traced->method);
	if (traced->self)
		emit_commit(&event);
	else
		registry_commit(&traced->agent->registry, &event);
}

static void tell(struct traced *traced, int64_t start, int64_t end, uint32_t id,
		 int64_t java_tid)
{
	struct agent *agent = traced->agent;

	traced->self = registry_self(&agent->registry);
	if (traced->self && traced->self->is_ours)
		return;
	traced->epoch = atomic_load_explicit(&agent->recorder.store.epoch,
					     memory_order_acquire);
	traced->method = method_key(traced, id);
	traced->stack = stack_key(traced, java_tid != 0);
	traced->thread = thread_key(traced, java_tid);
	emit(traced, start, end);
}

static bool is_wanted(struct agent *agent)
{
	return agent && recorder_wants(&agent->recorder, EVENT_METHOD_TRACE) &&
	       agent->instrumenter.probed;
}

void methodtrace_traced(JNIEnv *jni, int64_t start, int64_t end, uint32_t id,
			int64_t java_tid)
{
	struct traced traced = { .jni = jni };

	if (is_busy)
		return;
	is_busy = true;
	inside_enter();
	traced.agent = phase_agent();
	if (is_wanted(traced.agent))
		tell(&traced, start, end, id, java_tid);
	inside_leave();
	is_busy = false;
}
