#include "agent/engine.h"

#include <fcntl.h>

#include "agent/allobservers.h"
#include "agent/inside.h"
#include "agent/instrumenter.h"
#include "agent/log.h"
#include "agent/methodtrace.h"
#include "agent/parent.h"
#include "agent/sampler.h"
#include "agent/settle.h"
#include "control/message.h"
#include "control/places.h"

/* For the flusher, and for threads that are inside. */
#define STOP_PATIENCE (5 * SECOND)

/* --- what the recorder tells ------------------------------------------------------ */

void engine_failed(void *context, const char *text)
{
	parent_tell(context, MESSAGE_FAILED, text, -1);
}

static void tell_warning(void *context, const char *text)
{
	parent_tell(context, MESSAGE_WARNING, text, -1);
}

/*
 * The recorder lets go of its repository when it stops. Until the process ends we may
 * still make a file of it (finish.h): nobody shall take it for one that is left behind.
 */
static void hold(struct agent *agent)
{
	agent->held = fcntl(agent->recorder.repository.lock, F_DUPFD_CLOEXEC, 0);
	agent->held_id = fileid_of(agent->held);
}

/* Others may have closed it; the recorder opens its own again. */
static void hold_again(struct agent *agent)
{
	const struct repository *repository = &agent->recorder.repository;

	if (!fileid_is(&agent->held_id, agent->held) &&
	    fileid_is(&repository->lock_id, repository->lock))
		hold(agent);
}

static void forget_one(void *context, int64_t tag)
{
	struct agent *agent = context;

	methodtrace_forget();
	methods_freed(&agent->methods, jvm_jni(&agent->jvm), tag);
	instrumenter_freed(agent, tag);
	classes_freed(&agent->classes, tag);
}

static void forget(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);

	hold_again(agent);
	methods_tick(&agent->methods, now_ticks());
	copies_tidy(&agent->methods.copies, jvm_jni(&agent->jvm));
	instrumenter_round(agent, jvm_jni(&agent->jvm));
	freed_round(&agent->freed, forget_one, agent);
}

static void stopped(struct recorder *recorder)
{
	settle_note(agent_of(recorder));
}

/* Nothing asks any more; what is still being asked finds nothing. */
static void let_go(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);

	sampler_let_go();
	methods_close(&agent->methods, jvm_jni(&agent->jvm));
	freed_clear(&agent->freed);
}

/* --- opening ---------------------------------------------------------------------- */

bool engine_open(struct agent *agent, struct err *err)
{
	struct recorder *recorder = &agent->recorder;

	if (!recorder_open(recorder, &agent->orders, all_observers, agent, err))
		return false;
	/* Numbers that were given mean what they meant. */
	recorder->recordings.last_id = agent->recordings;
	atomic_store(&agent->is_halted, false);
	atomic_store(&agent->class_events, 0);
	flusher_init(&agent->flusher, &agent->jvm, recorder);
	agent->flusher.forget = forget;
	agent->flusher.stopped = stopped;
	agent->flusher.over = let_go;
	recorder->log = log_line;
	recorder->failed = engine_failed;
	recorder->warn = tell_warning;
	hold(agent);
	store_wake_by(&recorder->store, flusher_wake, &agent->flusher);
	registry_init(&agent->registry, &agent->jvm, recorder->constants,
		      &recorder->store);
	starts_init(&agent->starts);
	classes_init(&agent->classes, &agent->jvm, recorder->constants);
	methods_init(&agent->methods, &agent->classes, recorder->records);
	freed_init(&agent->freed);
	return true;
}

/*
 * Only what is used: that of exceptions, which an agent can have from the start or
 * never, would cost javac a sixth of its time, though no event were ever asked for.
 */
bool engine_want(struct agent *agent, const struct orders *orders, struct err *err)
{
	jvmtiCapabilities wanted = {
		.can_tag_objects = 1,
		.can_generate_object_free_events = 1,
		.can_generate_garbage_collection_events = 1,
		.can_get_line_numbers = 1,
		.can_get_source_file_name = 1,
	};
	struct event_settings settings;

	if (!event_settings_read(&settings, orders, err))
		return false;
	/* It makes each switch of a virtual thread dearer. */
	if (event_setting_of(&settings, EVENT_VIRTUAL_THREAD_START)->is_enabled ||
	    event_setting_of(&settings, EVENT_VIRTUAL_THREAD_END)->is_enabled)
		compat_want(&wanted, COMPAT_CAPABILITY_VIRTUAL_THREADS);
	/* What we wait for is bound while the JVM comes up. */
	wanted.can_generate_native_method_bind_events =
		!agent->is_attached &&
		event_setting_of(&settings, EVENT_THREAD_START)->is_enabled;
	instrumenter_want(&settings, &wanted);
	jvm_want(&agent->jvm, &wanted);
	return true;
}

bool engine_hear(struct agent *agent, struct err *err)
{
	const jvmtiCapabilities can = jvm_can(&agent->jvm);

	/*
	 * Without these less is known: names of what is gone stay, nobody starts
	 * threads.
	 */
	if (can.can_generate_object_free_events)
		jvm_enable(&agent->jvm, JVMTI_EVENT_OBJECT_FREE, true);
	if (can.can_generate_native_method_bind_events)
		jvm_enable(&agent->jvm, JVMTI_EVENT_NATIVE_METHOD_BIND, true);
	return (jvm_enable(&agent->jvm, JVMTI_EVENT_THREAD_START, true) &&
		jvm_enable(&agent->jvm, JVMTI_EVENT_THREAD_END, true)) ||
	       err_set(err, ERR_SYSTEM, "the JVM does not tell of its threads");
}

void engine_meet(struct agent *agent, JNIEnv *jni)
{
	jthread thread = jvm_thread_here(&agent->jvm);

	hotspot_find(&agent->jvm.hotspot, NULL);
	/* The calling thread has been there before us. */
	if (thread) {
		registry_enter(&agent->registry, jni, thread);
		(*jni)->DeleteLocalRef(jni, thread);
	}
	registry_scan(&agent->registry, jni);
}

bool engine_begin(struct agent *agent, struct orders *orders, uint64_t *id,
		  struct buf *notes, struct err *err)
{
	if (!recorder_begin(&agent->recorder, orders, id, notes, err))
		return false;
	agent->recordings = *id;
	flusher_wake(&agent->flusher);
	return true;
}

/* --- closing ---------------------------------------------------------------------- */

bool engine_is_for_others(const struct agent *agent)
{
	const struct recorder *recorder = &agent->recorder;

	return spill_get(&store_header(&recorder->store)->state) == SPILL_FAILED &&
	       recorder->spill_path && store_fd(&recorder->store) >= 0;
}

bool engine_stop(struct agent *agent)
{
	if (!flusher_end(&agent->flusher, STOP_PATIENCE))
		return false;
	sampler_halt(agent);
	return recorder_stop(&agent->recorder, now_ticks() + STOP_PATIENCE);
}

void engine_hear_nothing(struct agent *agent)
{
	for (int event = COMPAT_EVENT_FIRST; event < COMPAT_EVENT_END; event++)
		jvm_enable(&agent->jvm, (jvmtiEvent)event, false);
}

bool engine_close(struct agent *agent, JNIEnv *jni)
{
	struct recorder *recorder = &agent->recorder;
	bool is_empty = settle_is_done(agent) && !engine_is_for_others(agent);

	if (!inside_wait(STOP_PATIENCE) || !sampler_let_go())
		return false;
	instrumenter_clear(agent, jni);
	methods_clear(&agent->methods, jni);
	freed_clear(&agent->freed);
	starts_clear(&agent->starts);
	registry_clear(&agent->registry);
	if (is_empty)
		places_discard(recorder->repository.path);
	recorder_close(recorder);
	fileid_close(&agent->held_id, agent->held);
	agent->held = -1;
	agent->held_id = (struct fileid){ 0 };
	orders_clear(&agent->orders);
	jvm_close(&agent->jvm);
	return true;
}
