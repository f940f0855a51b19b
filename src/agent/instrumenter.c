#include "agent/instrumenter.h"

#include <stdio.h>

#include "agent/invain.h"
#include "agent/log.h"
#include "agent/methodtrace.h"
#include "agent/oneclass.h"
#include "agent/parent.h"
#include "agent/retransformer.h"
#include "agent/runtime.h"
#include "agent/supertypes.h"
#include "agent/unmatched.h"

/* Events that have filters, and the probes for them. */
static const struct {
	unsigned kind;
	enum event_id event;
} kinds[] = {
	{ PROBE_TIMING, EVENT_METHOD_TIMING },
	{ PROBE_TRACE, EVENT_METHOD_TRACE },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static struct str filter_of(const struct event_settings *settings, enum event_id event)
{
	const struct event_setting *setting = event_setting_of(settings, event);

	return setting->is_enabled ? setting->filter : (struct str){ NULL, 0 };
}

void instrumenter_want(const struct event_settings *settings,
		       jvmtiCapabilities *wanted)
{
	for (size_t i = 0; i < KINDS; i++) {
		if (filter_of(settings, kinds[i].event).size == 0)
			continue;
		wanted->can_retransform_classes = 1;
		wanted->can_retransform_any_class = 1;
		wanted->can_generate_all_class_hook_events = 1;
		wanted->can_get_constant_pool = 1;
	}
}

/* Start and stop ------------------------------------------------------------------ */

static const struct runtime_calls calls = {
	.traced = methodtrace_traced,
	.is_ours = registry_is_recorder,
};

static bool read_filters(struct agent *agent, struct err *err)
{
	for (size_t i = 0; i < KINDS; i++) {
		if (!filters_add(&agent->instrumenter.filters, kinds[i].kind,
				 filter_of(&agent->recorder.settings,
					   kinds[i].event), err))
			return err_within(err, "%s", eventtype_of(kinds[i].event)->name);
	}
	return true;
}

static bool set_up(struct agent *agent, JNIEnv *jni, struct err *err)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	const struct event_setting *trace =
		event_setting_of(&agent->recorder.settings, EVENT_METHOD_TRACE);
	struct probed *probed;

	if (!agent->jvm.can.can_retransform_classes ||
	    !agent->jvm.can.can_generate_all_class_hook_events)
		return err_set(err, ERR_SYSTEM,
			       "this JVM lets nobody change classes that it loads");
	instrumenter->counters = counters_new();
	probed = instrumenter->counters ? probed_new(instrumenter->counters) : NULL;
	if (!probed)
		return err_memory(err);
	if (!runtime_define(&agent->jvm, jni, instrumenter->counters, &calls, err))
		return false;
	runtime_set_threshold(jni, trace->is_enabled ? trace->threshold : INT64_MAX);
	instrumenter->instrument = (struct instrument){
		.filters = &instrumenter->filters,
		.probed = probed,
		.dump = agent->orders.dump_classes.size ? agent->orders.dump_classes.bytes
							: NULL,
	};
	instrumenter->probed = probed;
	return true;
}

/*
 * They are only heard of from here on: at the JVM's start, the hook would cost it what it
 * has of classes in archives.
 */
static bool hear_of_classes(const struct jvm *jvm, struct err *err)
{
	return (jvm_enable(jvm, JVMTI_EVENT_CLASS_LOAD, true) &&
		jvm_enable(jvm, JVMTI_EVENT_CLASS_PREPARE, true) &&
		jvm_enable(jvm, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, true)) ||
	       err_set(err, ERR_SYSTEM, "the JVM does not tell of classes");
}

bool instrumenter_start(struct agent *agent, JNIEnv *jni, struct err *err)
{
	struct instrumenter *instrumenter = &agent->instrumenter;

	if (!read_filters(agent, err))
		return false;
	if (filters_is_empty(&instrumenter->filters))
		return true;
	if (!set_up(agent, jni, err))
		return false;
	pthread_mutex_init(&instrumenter->lock, NULL);
	atomic_store(&instrumenter->is_on, true);
	if (!hear_of_classes(&agent->jvm, err)) {
		atomic_store(&instrumenter->is_on, false);
		return false;
	}
	retransformer_put(agent, jni);
	return true;
}

void instrumenter_stop(struct agent *agent, JNIEnv *jni)
{
	struct instrumenter *instrumenter = &agent->instrumenter;

	if (!instrumenter->probed || !jni)
		return;
	unmatched_tell(agent, jni);
	/* The JVM goes down: classes as they are do no harm any more. */
	if (atomic_load(&agent->flusher.is_ending))
		return;
	atomic_store(&instrumenter->instrument.is_off, true);
	jvm_enable(&agent->jvm, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, false);
	retransformer_take_out(agent, jni);
	runtime_set_threshold(jni, INT64_MAX);
}

/* Callbacks ----------------------------------------------------------------------- */

/* A class that cannot be read is its own affair: the JVM will say what it has to. */
static void tell_once(struct agent *agent, const struct err *err)
{
	char text[sizeof(err->text) + 32];

	if (atomic_exchange(&agent->instrumenter.has_failed, true))
		return;
	snprintf(text, sizeof(text), "%s (the first of maybe several)", err->text);
	if (err->kind == ERR_FORMAT)
		log_line(text);
	else
		parent_warn(agent, text);
}

static void hand_over(struct agent *agent, const struct buf *made,
		      const struct instrumenter_bytes *of)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	unsigned char *bytes;

	if (made->size == 0 || made->failed || made->size > INT32_MAX ||
	    (*jvmti)->Allocate(jvmti, (jlong)made->size, &bytes) != JVMTI_ERROR_NONE)
		return;
	memcpy(bytes, made->bytes, made->size);
	*of->new_bytes = bytes;
	*of->new_size = (jint)made->size;
}

static uint64_t key_of(struct agent *agent, jobject loader)
{
	return (uint64_t)classes_tag(&agent->classes, loader, POOL_CLASS_LOADER) >> 1;
}

/* The loader of one that is there already is the one under which it is known. */
static bool is_bound(struct agent *agent, jclass redefined, uint64_t *loader)
{
	return redefined && probed_loader(agent->instrumenter.probed,
					  classes_key_so_far(&agent->classes, redefined),
					  loader);
}

static bool see(struct agent *agent, const struct instrument_class *asked,
		struct buf *made, struct err *err)
{
	struct probed_class class_ = { asked->loader, asked->known.name, false };

	buf_reset(made);
	if (class_.name.bytes && !asked->is_redefined)
		probed_see(agent->instrumenter.probed, &class_);
	return instrument_class(&agent->instrumenter.instrument, asked, made, err);
}

/*
 * Two threads that are the first in a loader may each give it a key at once. One of these
 * is soon replaced by the other: what was made under it is made again. If that comes later
 * still, the class is not known when it is prepared, and gets its probes then.
 */
static bool instrument(struct agent *agent, const struct instrumenter_bytes *of,
		       struct instrument_class *asked, struct buf *made, struct err *err)
{
	jobject loader = of->loader;
	bool is_good;

	if (is_bound(agent, of->redefined, &asked->loader))
		return see(agent, asked, made, err);
	do {
		asked->loader = loader ? key_of(agent, loader) : 0;
		if (loader && !asked->loader)
			return err_memory(err);
		is_good = see(agent, asked, made, err);
	} while (loader && is_good &&
		 classes_key_so_far(&agent->classes, loader) != asked->loader);
	return is_good;
}

/*
 * True if it is being made by Unsafe, nameless (until JDK 14; 8 tells of it): that is the
 * JVM's idea of a class without a loader, as hidden ones are. They have no probes.
 */
static bool is_anonymous(struct agent *agent, const struct instrumenter_bytes *of)
{
	return !of->name && !of->redefined &&
	       retransformer_is_called_by(agent, "Lsun/misc/Unsafe;",
					  "defineAnonymousClass");
}

void instrumenter_class_bytes(struct agent *agent, JNIEnv *jni,
			      const struct instrumenter_bytes *of)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	struct supertypes above = { .jvm = &agent->jvm, .jni = jni,
				    .type = of->redefined };
	struct instrument_class asked = {
		.known = { .name = str_of(of->name), .context = &above,
			   .is_below = of->redefined ? supertypes_is_below : NULL },
		.is_redefined = of->redefined != NULL,
		.bytes = of->bytes,
		.size = (size_t)of->size,
	};
	struct buf made = { 0 };
	struct err err;

	if (!atomic_load(&instrumenter->is_on))
		return;
	instrument_look(&instrumenter->instrument, of->bytes, (size_t)of->size);
	if (!of->redefined && filters_wait(&instrumenter->filters))
		return;
	if ((!of->name || filters_may_have(&instrumenter->filters, &asked.known)) &&
	    !is_anonymous(agent, of)) {
		if (!instrument(agent, of, &asked, &made, &err))
			tell_once(agent, &err);
		hand_over(agent, &made, of);
		if (of->redefined)
			retransformer_changed(agent, jni, of->redefined);
	}
	buf_clear(&made);
	supertypes_clear(&above);
}

/* True if it was to wait until what is above it is known, and is meant now. */
static bool is_late(const struct filters *filters, struct supertypes *above,
		    const struct oneclass *of)
{
	struct filters_class known = { .name = str_of(of->name),
				       .is_below = supertypes_is_below,
				       .context = above };

	if (filters_wait(filters))
		return filters_may_have(filters, &known);
	return filters_has_subtypes(filters) && filters_mean_above(filters, &known);
}

/* The JVM has taken it: from here on it is known until it is gone. */
void instrumenter_class_loaded(struct agent *agent, JNIEnv *jni, jclass type)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	struct oneclass of;

	if (!atomic_load(&instrumenter->is_on) || !oneclass_read(&of, agent, jni, type))
		return;
	if (of.is_known)
		probed_loaded(instrumenter->probed, of.loader, str_of(of.name));
	oneclass_clear(&of, agent);
}

void instrumenter_class_prepared(struct agent *agent, JNIEnv *jni, jclass type)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	struct supertypes above = { .jvm = &agent->jvm, .jni = jni, .type = type };
	struct oneclass of;

	if (!atomic_load(&instrumenter->is_on) ||
	    atomic_load(&instrumenter->instrument.is_off) ||
	    !oneclass_read(&of, agent, jni, type))
		return;
	if (is_late(&instrumenter->filters, &above, &of) ||
	    retransformer_is_to_have(agent, jni, type))
		retransformer_one(agent, jni, type);
	else if (of.is_known)
		oneclass_bind(agent, jni, type);
	else
		invain_note(agent, jni, type);
	supertypes_clear(&above);
	oneclass_clear(&of, agent);
}

void instrumenter_thread_ended(struct agent *agent, JNIEnv *jni, jthread thread)
{
	uint64_t address;

	if (!atomic_load(&agent->instrumenter.is_on))
		return;
	address = jvm_thread_vm(jni, thread);
	if (address)
		counters_leave(agent->instrumenter.counters, address);
}

void instrumenter_round(struct agent *agent, JNIEnv *jni)
{
	retransformer_round(agent, jni);
	if (agent->instrumenter.probed)
		probed_round(agent->instrumenter.probed);
}

void instrumenter_freed(struct agent *agent, jlong tag)
{
	struct probed *probed = agent->instrumenter.probed;
	uint64_t class_key = classes_of_tag(tag);

	if (!probed)
		return;
	if (class_key)
		probed_class_gone(probed, class_key);
	else
		probed_loader_gone(probed, (uint64_t)tag >> 1);
}
