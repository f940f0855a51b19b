#include "agent/gc.h"

#include "agent/log.h"
#include "agent/allobservers.h"
#include "engine/emit.h"

#define ROOM EMIT_ROOM(9)	/* the most fields that one of them has */

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

/* Opens an event of the pause, if it is wanted and took long enough. */
static bool begin(struct agent *agent, const struct gcmark *mark, enum event_id id,
		  struct emit *event)
{
	const struct event_setting *setting =
		event_setting_of(&agent->recorder.settings, id);

	if (!recorder_wants(&agent->recorder, id) ||
	    mark->end - mark->start < setting->threshold ||
	    !registry_emit(&agent->registry, event, id, ROOM))
		return false;
	emit_long(event, mark->start);
	emit_long(event, mark->end - mark->start);
	return true;
}

/* 0: not known. */
static int64_t key_of(struct agent *agent, enum pool_id pool, struct str text)
{
	return text.size
		     ? (int64_t)constants_string(agent->recorder.constants, pool, text)
		     : 0;
}

static void tell_heap(struct agent *agent, const struct gcmark *mark, int64_t ticks,
		      const struct gcheap *heap, struct str when)
{
	struct gcrange range = agent->jvm.hotspot.heap;
	struct emit event;

	if (!recorder_wants(&agent->recorder, EVENT_GC_HEAP_SUMMARY) ||
	    heap->committed == 0 ||
	    !registry_emit(&agent->registry, &event, EVENT_GC_HEAP_SUMMARY, ROOM))
		return;
	emit_long(&event, ticks);
	emit_int(&event, (int32_t)mark->number);
	emit_long(&event, key_of(agent, POOL_GC_WHEN, when));
	emit_long(&event, (int64_t)range.start);
	emit_long(&event, range.start ? (int64_t)(range.start + heap->committed) : 0);
	emit_long(&event, (int64_t)heap->committed);
	emit_long(&event, (int64_t)(range.start + range.size));
	emit_long(&event, (int64_t)range.size);
	emit_long(&event, (int64_t)heap->used);
	registry_commit(&agent->registry, &event);
}

static void tell_collection(struct agent *agent, const struct gcmark *mark,
			    struct str name, uint64_t thread)
{
	int64_t pause = mark->end - mark->start;
	struct emit event;

	if (!begin(agent, mark, EVENT_GARBAGE_COLLECTION, &event))
		return;
	emit_long(&event, (int64_t)thread);
	emit_int(&event, (int32_t)mark->number);
	emit_long(&event, key_of(agent, POOL_GC_NAME, name));
	emit_long(&event, key_of(agent, POOL_GC_CAUSE, str_of(mark->cause)));
	emit_long(&event, pause);
	emit_long(&event, pause);
	registry_commit(&agent->registry, &event);
}

static void tell_pause(struct agent *agent, const struct gcmark *mark, uint64_t thread)
{
	struct emit event;

	if (!begin(agent, mark, EVENT_GC_PHASE_PAUSE, &event))
		return;
	emit_long(&event, (int64_t)thread);
	emit_int(&event, (int32_t)mark->number);
	emit_string(&event, STR("GC Pause"));
	registry_commit(&agent->registry, &event);
}

/* What there is to say of one generation alone. */
static void tell_generation(struct agent *agent, const struct gcmark *mark, bool is_old)
{
	enum event_id id = is_old ? EVENT_OLD_GARBAGE_COLLECTION
				  : EVENT_YOUNG_GARBAGE_COLLECTION;
	struct emit event;

	if (!begin(agent, mark, id, &event))
		return;
	emit_int(&event, (int32_t)mark->number);
	if (!is_old)
		emit_int(&event, mark->tenuring < 0 ? 0 : (int32_t)mark->tenuring);
	registry_commit(&agent->registry, &event);
}

static void tell_mark(struct agent *agent, const struct gcmark *mark)
{
	uint64_t thread = registry_key_of(&agent->registry, mark->tid);
	struct gcname name = collector_name(agent->jvm.hotspot.collector, mark->calls);

	tell_heap(agent, mark, mark->start, &mark->before, STR("Before GC"));
	tell_heap(agent, mark, mark->end, &mark->after, STR("After GC"));
	tell_pause(agent, mark, thread);
	tell_collection(agent, mark, name.text, thread);
	if (name.is_young || name.is_old)
		tell_generation(agent, mark, name.is_old);
}

static void collect(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);
	struct gcmark mark;
	unsigned lost;

	while (gcmarks_take(&agent->gc, &mark))
		tell_mark(agent, &mark);
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

static bool enable(struct agent *agent, bool is_on)
{
	return jvm_enable(&agent->jvm, JVMTI_EVENT_GARBAGE_COLLECTION_START, is_on) &&
	       jvm_enable(&agent->jvm, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, is_on);
}

static bool start(struct recorder *recorder, struct err *err)
{
	struct agent *agent = agent_of(recorder);

	if (!is_wanted(agent))
		return true;
	gcmarks_find(&agent->gc, &agent->jvm.hotspot);
	return enable(agent, true) ||
	       err_set(err, ERR_SYSTEM, "the JVM does not tell of them");
}

static void stop(struct recorder *recorder)
{
	enable(agent_of(recorder), false);
}

const struct observer gc_observer = {
	.name = "collections",
	.start = start,
	.collect = collect,
	.stop = stop,
};
