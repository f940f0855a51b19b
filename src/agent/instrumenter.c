#include "agent/instrumenter.h"

#include <stdio.h>

#include "agent/classevents.h"
#include "agent/inside.h"
#include "agent/invain.h"
#include "agent/phase.h"
#include "agent/log.h"
#include "agent/methodchoice.h"
#include "agent/methodtrace.h"
#include "agent/oneclass.h"
#include "agent/orphans.h"
#include "agent/parent.h"
#include "agent/retransformer.h"
#include "agent/runtime.h"
#include "agent/supertypes.h"
#include "agent/unmatched.h"

/* For those in hooks to leave them; somebody may sleep in there. */
#define HOOK_PATIENCE (SECOND / 2)

/*
 * What was on its way through the hook when that ended may have become a class with probes
 * after all of them had been taken out: so many rounds look again.
 */
#define SWEEPS 5

void instrumenter_want(const struct event_settings *settings,
		       jvmtiCapabilities *wanted)
{
	if (!methodchoice_is_wanted(settings))
		return;
	wanted->can_retransform_classes = 1;
	wanted->can_retransform_any_class = 1;
	wanted->can_generate_all_class_hook_events = 1;
	wanted->can_get_constant_pool = 1;
}

/* Start, change and stop ------------------------------------------------------------ */

static const struct runtime_calls calls = {
	.traced = methodtrace_traced,
	.is_ours = registry_is_recorder,
};

/* An agent that was loaded without filters has none of that yet. */
static bool has_capabilities(struct agent *agent, struct err *err)
{
	jvmtiCapabilities wanted = { 0 }, can;

	instrumenter_want(&agent->recorder.settings, &wanted);
	jvm_want(&agent->jvm, &wanted);
	can = jvm_can(&agent->jvm);
	return (can.can_retransform_classes &&
		can.can_generate_all_class_hook_events) ||
	       err_set(err, ERR_SYSTEM,
		       "this JVM lets nobody change classes that it loads");
}

/* What stays from one start to the next: numbers of methods, and their counters. */
static bool set_up(struct agent *agent, JNIEnv *jni, struct err *err)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	struct probed *probed;

	if (!has_capabilities(agent, err) ||
	    !runtime_define(&agent->jvm, jni, &calls, err))
		return false;
	if (instrumenter->probed)
		return true;
	probed = orphans_adopt(agent, jni);
	if (!probed)
		probed = probed_new(runtime_counters());
	if (!probed)
		return err_memory(err);
	pthread_mutex_init(&instrumenter->lock, NULL);
	atomic_store(&instrumenter->probed, probed);
	return true;
}

/* From here on hooks go by it. `is_anew`: nothing that was counted so far counts. */
static bool choose(struct agent *agent, struct methodchoice *choice, bool is_anew,
		   struct err *err)
{
	choice->instrument.probed = agent->instrumenter.probed;
	if (!probed_begin(choice->instrument.probed, is_anew, &choice->instrument.run))
		return err_memory(err);
	methodtrace_forget();
	methodchoice_hold(agent, choice);
	return true;
}

static void set_threshold(const struct agent *agent, JNIEnv *jni)
{
	const struct recorder *recorder = &agent->recorder;

	runtime_set_threshold(jni, recorder_is_set(recorder, EVENT_METHOD_TRACE)
					   ? recorder_threshold(recorder,
								EVENT_METHOD_TRACE)
					   : INT64_MAX);
}

/*
 * They are only heard of from here on: at the JVM's start, the hook would cost it what it
 * has of classes in archives.
 */
static bool hear_of_classes(struct agent *agent, struct err *err)
{
	return (classevents_want(agent, CLASSEVENTS_PROBES, true) &&
		jvm_enable(&agent->jvm, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, true)) ||
	       err_set(err, ERR_SYSTEM, "the JVM does not tell of classes");
}

static void hear_no_more(struct agent *agent)
{
	jvm_enable(&agent->jvm, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, false);
	classevents_want(agent, CLASSEVENTS_PROBES, false);
}

/* Takes over the choice. */
static bool begin(struct agent *agent, JNIEnv *jni, struct methodchoice *choice,
		  struct err *err)
{
	struct instrumenter *instrumenter = &agent->instrumenter;

	if (!set_up(agent, jni, err) || !choose(agent, choice, true, err)) {
		methodchoice_free(choice);
		return false;
	}
	methodtrace_begin(agent);
	set_threshold(agent, jni);
	atomic_store(&instrumenter->is_on, true);
	if (hear_of_classes(agent, err)) {
		retransformer_put(agent, jni);
		return true;
	}
	hear_no_more(agent);
	atomic_store(&choice->instrument.is_off, true);
	atomic_store(&instrumenter->is_on, false);
	runtime_set_threshold(jni, INT64_MAX);
	return false;
}

bool instrumenter_start(struct agent *agent, JNIEnv *jni, struct err *err)
{
	struct methodchoice *choice = methodchoice_read(agent, err);

	if (!choice)
		return false;
	if (!filters_is_empty(&choice->filters))
		return begin(agent, jni, choice, err);
	methodchoice_free(choice);
	return true;
}

/* Methods are timed that were not at all: their counts begin with it. */
static bool is_anew(const struct methodchoice *before, const struct methodchoice *now)
{
	return methodchoice_has(now, PROBE_TIMING) &&
	       !methodchoice_has(before, PROBE_TIMING);
}

/* Other methods are meant than before, or others for what. */
static bool choose_others(struct agent *agent, JNIEnv *jni, struct err *err)
{
	struct methodchoice *choice = methodchoice_read(agent, err);

	if (!choice)
		return false;
	if (filters_is_empty(&choice->filters)) {
		methodchoice_free(choice);
		instrumenter_stop(agent, jni);
		return true;
	}
	unmatched_tell(agent, jni);
	if (!choose(agent, choice, is_anew(methodchoice_now(agent), choice), err)) {
		methodchoice_free(choice);
		return false;
	}
	methodtrace_begin(agent);
	retransformer_put(agent, jni);
	return true;
}

bool instrumenter_change(struct agent *agent, JNIEnv *jni, struct err *err)
{
	if (!atomic_load(&agent->instrumenter.is_on))
		return instrumenter_start(agent, jni, err);
	set_threshold(agent, jni);
	return methodchoice_is_same(methodchoice_now(agent), agent) ||
	       choose_others(agent, jni, err);
}

void instrumenter_stop(struct agent *agent, JNIEnv *jni)
{
	struct instrumenter *instrumenter = &agent->instrumenter;

	if (!atomic_load(&instrumenter->is_on) || !jni)
		return;
	unmatched_tell(agent, jni);
	/* The JVM goes down: classes as they are do no harm any more. */
	if (phase_is_ending())
		return;
	atomic_store(&methodchoice_now(agent)->instrument.is_off, true);
	hear_no_more(agent);
	inside_wait(HOOK_PATIENCE);
	runtime_set_threshold(jni, INT64_MAX);
	retransformer_take_out(agent, jni);
	atomic_store(&instrumenter->is_on, false);
	atomic_store(&instrumenter->sweeps, SWEEPS);
}

void instrumenter_clear(struct agent *agent, JNIEnv *jni)
{
	struct instrumenter *instrumenter = &agent->instrumenter;

	if (!instrumenter->probed)
		return;
	runtime_set_threshold(jni, INT64_MAX);
	retransformer_take_out(agent, jni);
	retransformer_drop(agent, jni);
	methodchoice_hold(agent, NULL);
	orphans_leave(agent, jni);
	pthread_mutex_destroy(&instrumenter->lock);
	*instrumenter = (struct instrumenter){ 0 };
}

void instrumenter_tell(struct agent *agent, struct engine_facts *facts)
{
	struct probed *probed = agent->instrumenter.probed;
	size_t methods;

	if (!probed)
		return;
	facts->probed_classes = probed_count(probed, &methods);
	facts->probed_methods = methods;
}

/* Callbacks ----------------------------------------------------------------------- */

/* A class that cannot be read is its own affair: the JVM will say what it has to. */
static void tell_once(struct agent *agent, const struct err *err)
{
	char text[sizeof(err->text) + 32];

	if (atomic_exchange(&methodchoice_now(agent)->has_failed, true))
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
	struct instrument *instrument = &methodchoice_now(agent)->instrument;
	struct probed_class class_ = { .loader = asked->loader,
				       .name = asked->known.name,
				       .run = instrument->run };

	buf_reset(made);
	if (class_.name.bytes && !asked->is_redefined)
		probed_see(instrument->probed, &class_);
	return instrument_class(instrument, asked, made, err);
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

static void look_at(struct agent *agent, JNIEnv *jni, const struct instrumenter_bytes *of)
{
	struct methodchoice *choice = methodchoice_now(agent);
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

	instrument_look(&choice->instrument, of->bytes, (size_t)of->size);
	if (!of->redefined && filters_wait(&choice->filters))
		return;
	if ((!of->name || filters_may_have(&choice->filters, &asked.known)) &&
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

void instrumenter_class_bytes(struct agent *agent, JNIEnv *jni,
			      const struct instrumenter_bytes *of)
{
	if (atomic_load(&agent->instrumenter.is_on))
		look_at(agent, jni, of);
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
static void keep(struct agent *agent, JNIEnv *jni, jclass type)
{
	struct oneclass of;

	if (!oneclass_read(&of, agent, jni, type))
		return;
	if (of.is_known)
		probed_loaded(agent->instrumenter.probed, of.loader, str_of(of.name));
	oneclass_clear(&of, agent);
}

void instrumenter_class_loaded(struct agent *agent, JNIEnv *jni, jclass type)
{
	if (atomic_load(&agent->instrumenter.is_on))
		keep(agent, jni, type);
}

static void prepare(struct agent *agent, JNIEnv *jni, jclass type)
{
	struct methodchoice *choice = methodchoice_now(agent);
	struct supertypes above = { .jvm = &agent->jvm, .jni = jni, .type = type };
	struct oneclass of;

	if (atomic_load(&choice->instrument.is_off) ||
	    !oneclass_read(&of, agent, jni, type))
		return;
	if (is_late(&choice->filters, &above, &of) ||
	    retransformer_is_to_have(agent, jni, type))
		retransformer_one(agent, jni, type);
	else if (of.is_known)
		oneclass_bind(agent, jni, type);
	else
		invain_note(agent, jni, type);
	supertypes_clear(&above);
	oneclass_clear(&of, agent);
}

void instrumenter_class_prepared(struct agent *agent, JNIEnv *jni, jclass type)
{
	if (atomic_load(&agent->instrumenter.is_on))
		prepare(agent, jni, type);
}

/* Also while nothing is timed: another thread may come to be where it was. */
void instrumenter_thread_ended(struct agent *agent, JNIEnv *jni, jthread thread)
{
	uint64_t address;

	if (!agent->instrumenter.probed)
		return;
	address = jvm_thread_vm(jni, thread);
	if (address)
		counters_leave(runtime_counters(), address);
}

void instrumenter_round(struct agent *agent, JNIEnv *jni)
{
	struct instrumenter *instrumenter = &agent->instrumenter;

	if (!instrumenter->probed || !jni)
		return;
	retransformer_round(agent, jni);
	probed_round(instrumenter->probed);
	methodchoice_tidy(agent);
	if (atomic_load(&instrumenter->is_on) || atomic_load(&instrumenter->sweeps) <= 0)
		return;
	atomic_fetch_sub(&instrumenter->sweeps, 1);
	retransformer_take_out(agent, jni);
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
