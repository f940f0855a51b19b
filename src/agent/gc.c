#include "agent/gc.h"

#include "agent/log.h"
#include "agent/allobservers.h"
#include "base/now.h"
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

/* Opens an event of that time, if it is wanted and took long enough. */
static bool begin(struct agent *agent, struct emit *event, enum event_id id, int64_t start,
		  int64_t end)
{
	const struct recorder *recorder = &agent->recorder;

	if (!recorder_wants(recorder, id) ||
	    end - start < recorder_threshold(recorder, id) ||
	    !registry_emit(&agent->registry, event, id, ROOM))
		return false;
	emit_long(event, start);
	emit_long(event, end - start);
	return true;
}

/* 0: not known. */
static int64_t key_of(struct agent *agent, enum pool_id pool, struct str text)
{
	return text.size
		     ? (int64_t)constants_string(agent->recorder.constants, pool, text)
		     : 0;
}

static void tell_heap(struct agent *agent, unsigned number, int64_t ticks,
		      const struct gcheap *heap, struct str when)
{
	struct gcrange range = agent->jvm.hotspot.heap;
	struct emit event;

	if (!recorder_wants(&agent->recorder, EVENT_GC_HEAP_SUMMARY) ||
	    heap->committed == 0 ||
	    !registry_emit(&agent->registry, &event, EVENT_GC_HEAP_SUMMARY, ROOM))
		return;
	emit_long(&event, ticks);
	emit_int(&event, (int32_t)number);
	emit_long(&event, key_of(agent, POOL_GC_WHEN, when));
	emit_long(&event, (int64_t)range.start);
	emit_long(&event, range.start ? (int64_t)(range.start + heap->committed) : 0);
	emit_long(&event, (int64_t)heap->committed);
	emit_long(&event, (int64_t)(range.start + range.size));
	emit_long(&event, (int64_t)range.size);
	emit_long(&event, (int64_t)heap->used);
	registry_commit(&agent->registry, &event);
}

static void tell_whole(struct agent *agent, const struct gccollection *collection)
{
	uint64_t thread = collection->tid
				  ? registry_key_of(&agent->registry, collection->tid)
				  : 0;
	struct emit event;

	if (!begin(agent, &event, EVENT_GARBAGE_COLLECTION, collection->start,
		   collection->end))
		return;
	emit_long(&event, (int64_t)thread);
	emit_int(&event, (int32_t)collection->number);
	emit_long(&event, key_of(agent, POOL_GC_NAME, collection->name.text));
	emit_long(&event, key_of(agent, POOL_GC_CAUSE, str_of(collection->cause)));
	emit_long(&event, collection->sum);
	emit_long(&event, collection->longest);
	registry_commit(&agent->registry, &event);
}

/* What there is to say of one generation alone. */
static void tell_generation(struct agent *agent, const struct gccollection *collection)
{
	bool is_old = collection->name.is_old;
	enum event_id id = is_old ? EVENT_OLD_GARBAGE_COLLECTION
				  : EVENT_YOUNG_GARBAGE_COLLECTION;
	struct emit event;

	if (!begin(agent, &event, id, collection->start, collection->end))
		return;
	emit_int(&event, (int32_t)collection->number);
	if (!is_old)
		emit_int(&event,
			 collection->tenuring < 0 ? 0 : (int32_t)collection->tenuring);
	registry_commit(&agent->registry, &event);
}

static void tell_pause(struct agent *agent, unsigned number, const struct gcpause *pause)
{
	uint64_t thread = registry_key_of(&agent->registry, pause->tid);
	struct emit event;

	if (!begin(agent, &event, EVENT_GC_PHASE_PAUSE, pause->start, pause->end))
		return;
	emit_long(&event, (int64_t)thread);
	emit_int(&event, (int32_t)number);
	emit_string(&event, pause->name ? str_of(pause->name) : (struct str){ NULL, 0 });
	registry_commit(&agent->registry, &event);
}

static void tell_collection(struct agent *agent, const struct gccollection *collection)
{
	const struct gcname *name = &collection->name;

	for (unsigned i = 0; i < collection->count && i < GCCYCLES_PAUSES; i++)
		tell_pause(agent, collection->number, &collection->pauses[i]);
	if (!collection->is_whole)
		return;
	tell_heap(agent, collection->number, collection->start, &collection->before,
		  STR("Before GC"));
	tell_heap(agent, collection->number, collection->end, &collection->after,
		  STR("After GC"));
	tell_whole(agent, collection);
	if ((name->is_young || name->is_old) && !(name->cycle && name->cycle->is_all))
		tell_generation(agent, collection);
}

static void tell_over(struct agent *agent)
{
	struct gccollection collection;

	while (gccycles_next(&agent->cycles, &collection))
		tell_collection(agent, &collection);
}

static void tell_mark(struct agent *agent, const struct gcmark *mark)
{
	struct gcmark parts[2];
	int count = gcmark_parts(mark, parts);

	for (int i = 0; i < count; i++) {
		gccycles_add(&agent->cycles, &parts[i]);
		tell_over(agent);
	}
}

static void collect(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);
	struct gcmark mark;
	unsigned lost;

	while (gcmarks_take(&agent->gc, &mark))
		tell_mark(agent, &mark);
	lost = atomic_exchange(&agent->gc.lost, 0);
	if (lost) {
		gccycles_skip(&agent->cycles, lost);
		log_say("%u collections came too fast, and are not recorded", lost);
	}
	if (gcmarks_are_idle(&agent->gc))
		gccycles_rest(&agent->cycles, now_ticks() - SECOND);
	tell_over(agent);
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

/* Where this thread has its structure, those of the JVM have theirs. */
static void find(struct agent *agent)
{
	JNIEnv *jni = jvm_jni(&agent->jvm);
	jthread thread = jni ? jvm_thread_here(&agent->jvm) : NULL;
	int64_t address = 0;

	if (thread && jvm_long_field(jni, thread, "eetop", &address))
		gcid_find(&agent->gcid, &agent->jvm.hotspot.structs, (uint64_t)address);
	if (thread)
		(*jni)->DeleteLocalRef(jni, thread);
	gcmarks_find(&agent->gc, &agent->jvm.hotspot, &agent->gcid);
	gccycles_begin(&agent->cycles, agent->jvm.hotspot.collector,
		       gcmarks_past(&agent->gc));
}

/* Under the recorder's lock: the JVM tells of pauses. */
static bool is_told;

static bool start(struct recorder *recorder, struct err *err)
{
	struct agent *agent = agent_of(recorder);

	if (!is_wanted(agent))
		return true;
	gcmarks_forget(&agent->gc);
	find(agent);
	is_told = enable(agent, true);
	return is_told || err_set(err, ERR_SYSTEM, "the JVM does not tell of them");
}

static void stop(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);

	if (!is_told)
		return;
	is_told = false;
	enable(agent, false);
	collect(recorder);
	if (!gcmarks_are_busy(&agent->gc))
		gccycles_rest(&agent->cycles, INT64_MAX);
	gccycles_end(&agent->cycles);
	tell_over(agent);
}

/* Which of them are wanted is asked for each. */
static bool change(struct recorder *recorder, struct err *err)
{
	bool wants = is_wanted(agent_of(recorder));

	if (wants && !is_told)
		return start(recorder, err);
	if (!wants)
		stop(recorder);
	return true;
}

const struct observer gc_observer = {
	.name = "collections",
	.start = start,
	.change = change,
	.collect = collect,
	.stop = stop,
};
