#include "agent/gc.h"

#include "agent/collector.h"
#include "agent/log.h"
#include "agent/observers.h"
#include "engine/emit.h"

static const enum event_id types[] = {
	EVENT_GARBAGE_COLLECTION, EVENT_YOUNG_GARBAGE_COLLECTION,
	EVENT_OLD_GARBAGE_COLLECTION, EVENT_GC_PHASE_PAUSE, EVENT_GC_HEAP_SUMMARY,
};

void gc_started(struct agent *agent)
{
	gcmarks_start(&agent->gc);
}

void gc_finished(struct agent *agent)
{
	if (gcmarks_finish(&agent->gc))
		flusher_wake(&agent->flusher);
}

/* Opens an event in the lane that all share; false if that cannot be. */
static bool open(struct agent *agent, enum event_id id, int64_t ticks, struct emit *event)
{
	if (emit_begin(event, threads_share(&agent->threads), id, EMIT_ROOM(12))) {
		emit_long(event, ticks);
		return true;
	}
	threads_share_end(&agent->threads);
	return false;
}

static void finish(struct agent *agent, struct emit *event)
{
	emit_commit(event);
	threads_share_end(&agent->threads);
}

/* Opens an event of the pause, if it is wanted and took long enough. */
static bool begin(struct agent *agent, const struct gcmark *mark, enum event_id id,
		  struct emit *event)
{
	const struct event_setting *setting =
		event_setting_of(&agent->recorder.settings, id);

	if (!recorder_wants(&agent->recorder, id) ||
	    mark->end - mark->start < setting->threshold ||
	    !open(agent, id, mark->start, event))
		return false;
	emit_long(event, mark->end - mark->start);
	return true;
}

static void tell_heap(struct agent *agent, int64_t ticks, const struct gcheap *heap,
		      struct str when)
{
	uint64_t when_key = constants_string(agent->recorder.constants, POOL_GC_WHEN, when);
	struct gcrange range = collector_heap();
	struct emit event;

	if (!recorder_wants(&agent->recorder, EVENT_GC_HEAP_SUMMARY) ||
	    heap->committed == 0 || !open(agent, EVENT_GC_HEAP_SUMMARY, ticks, &event))
		return;
	emit_int(&event, (int32_t)agent->gc_count);
	emit_long(&event, (int64_t)when_key);
	emit_long(&event, (int64_t)range.start);
	emit_long(&event, range.start ? (int64_t)(range.start + heap->committed) : 0);
	emit_long(&event, (int64_t)heap->committed);
	emit_long(&event, (int64_t)(range.start + range.size));
	emit_long(&event, (int64_t)range.size);
	emit_long(&event, (int64_t)heap->used);
	finish(agent, &event);
}

static void tell_collection(struct agent *agent, const struct gcmark *mark, struct str name, uint64_t thread)
{
	struct constants *constants = agent->recorder.constants;
	int64_t pause = mark->end - mark->start;
	struct emit event;

	if (!begin(agent, mark, EVENT_GARBAGE_COLLECTION, &event))
		return;
	emit_long(&event, (int64_t)thread);
	emit_int(&event, (int32_t)agent->gc_count);
	emit_long(&event, name.bytes ? (int64_t)constants_string(
			constants, POOL_GC_NAME, name) : 0);
	emit_long(&event, *mark->cause ? (int64_t)constants_string(
			constants, POOL_GC_CAUSE, str_of(mark->cause)) : 0);
	emit_long(&event, pause);
	emit_long(&event, pause);
	finish(agent, &event);
}

static void tell_pause(struct agent *agent, const struct gcmark *mark,
		       uint64_t thread)
{
	struct emit event;

	if (!begin(agent, mark, EVENT_GC_PHASE_PAUSE, &event))
		return;
	emit_long(&event, (int64_t)thread);
	emit_int(&event, (int32_t)agent->gc_count);
	emit_string(&event, STR("GC Pause"));
	finish(agent, &event);
}

/* What there is to say of one generation alone. */
static void tell_generation(struct agent *agent, const struct gcmark *mark, bool is_old)
{
	struct emit event;

	if (!begin(agent, mark, is_old ? EVENT_OLD_GARBAGE_COLLECTION
					     : EVENT_YOUNG_GARBAGE_COLLECTION, &event))
		return;
	emit_int(&event, (int32_t)agent->gc_count);
	if (!is_old)
		emit_int(&event, mark->tenuring < 0 ? 0 : (int32_t)mark->tenuring);
	finish(agent, &event);
}

static void tell(struct agent *agent, const struct gcmark *mark)
{
	uint64_t thread = threads_key_of(&agent->threads, mark->tid);
	struct gcname name = collector_of(mark->calls);

	tell_heap(agent, mark->start, &mark->before, STR("Before GC"));
	tell_heap(agent, mark->end, &mark->after, STR("After GC"));
	tell_pause(agent, mark, thread);
	tell_collection(agent, mark, name.text, thread);
	if (name.is_young || name.is_old)
		tell_generation(agent, mark, name.is_old);
	agent->gc_count++;
}

void gc_hand_over(struct agent *agent)
{
	struct gcmark mark;
	unsigned lost;

	while (gcmarks_take(&agent->gc, &mark))
		tell(agent, &mark);
	lost = atomic_exchange(&agent->gc.lost, 0);
	if (lost)
		log_say("%u collections came too fast, and are not recorded", lost);
}

static bool is_wanted(const struct agent *agent)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (agent_is_set(agent, types[i]))
			return true;
	}
	return false;
}

static void enable(struct agent *agent, bool is_on)
{
	jvm_enable(&agent->jvm, JVMTI_EVENT_GARBAGE_COLLECTION_START, is_on);
	jvm_enable(&agent->jvm, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, is_on);
}

static bool start(struct recorder *recorder, struct err *err)
{
	struct agent *agent = agent_of(recorder);
	struct vmflags flags = { 0 };
	struct perfdata perf = { 0 };

	(void)err;
	if (!is_wanted(agent))
		return true;
	perfdata_find(&perf, NULL);
	vmflags_find(&flags, NULL);
	gcmarks_find(&agent->gc, &perf, collector_used(&flags));
	enable(agent, true);
	return true;
}

static void stop(struct recorder *recorder)
{
	enable(agent_of(recorder), false);
}

const struct observer gc_observer = {
	.name = "collections",
	.start = start,
	.stop = stop,
};
