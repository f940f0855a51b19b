#include "agent/retransformer.h"

#include "agent/agent.h"
#include "agent/invain.h"
#include "agent/phase.h"
#include "agent/log.h"
#include "agent/oneclass.h"
#include "agent/methodchoice.h"
#include "agent/supertypes.h"

/*
 * Each batch stops the JVM once, and it takes long with many methods compiled: few large
 * ones are better than many. But the JVM keeps all bytes of one in memory.
 */
#define BATCH 500

/* Several ------------------------------------------------------------------------- */

static __thread bool is_retransforming;

static jvmtiError retransform(struct agent *agent, JNIEnv *jni, jint count,
			      const jclass *types)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jvmtiError error;

	is_retransforming = true;
	error = (*jvmti)->RetransformClasses(jvmti, count, types);
	is_retransforming = false;
	jvm_failed(jni);
	return error;
}

static bool is_off(struct agent *agent)
{
	struct methodchoice *choice = methodchoice_now(agent);

	return !choice || atomic_load(&choice->instrument.is_off);
}

static void take(struct agent *agent, JNIEnv *jni, jclass type)
{
	struct oneclass of;

	if (!oneclass_read(&of, agent, jni, type))
		return;
	if (of.is_known)
		probed_taken(agent->instrumenter.probed, of.loader, str_of(of.name),
			     is_off(agent));
	oneclass_clear(&of, agent);
}

/*
 * It stays as it is from now on, also when others retransform it. If it could not lose its
 * probes, what it did with them holds on.
 */
static void leave(struct agent *agent, JNIEnv *jni, jclass type, jvmtiError error)
{
	struct oneclass of;

	if (is_off(agent) || !oneclass_read(&of, agent, jni, type))
		return;
	if (of.is_known)
		probed_leave(agent->instrumenter.probed, of.loader, str_of(of.name));
	log_say("the JVM does not take %s with probes (error %d of JVMTI)", of.name,
		error);
	oneclass_clear(&of, agent);
}

/*
 * The JVM goes down: then it is enough to count what there is. Or the agent is asked to
 * leave, and would only have to take out what it puts in.
 */
static bool is_ending(struct agent *agent)
{
	return phase_is_ending() ||
	       (atomic_load(&agent->flusher.is_ending) && !is_off(agent));
}

/* One that the JVM does not take makes it take none: then each is tried alone. */
static void retransform_all(struct agent *agent, JNIEnv *jni, jint count,
			    const jclass *types)
{
	jvmtiError error = count ? retransform(agent, jni, count, types)
				 : JVMTI_ERROR_NONE;

	if (error != JVMTI_ERROR_NONE && count == 1)
		leave(agent, jni, types[0], error);
	for (jint i = 0; error != JVMTI_ERROR_NONE && count > 1 && i < count; i++) {
		if (!is_ending(agent))
			retransform_all(agent, jni, 1, types + i);
	}
	for (jint i = 0; i < count; i++) {
		if (error == JVMTI_ERROR_NONE)
			take(agent, jni, types[i]);
		oneclass_bind(agent, jni, types[i]);
	}
}

bool retransformer_is_called_by(struct agent *agent, const char *signature,
				const char *method)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	char *of = NULL, *name = NULL;
	jvmtiFrameInfo frame;
	jclass type;
	jint count;
	bool is;

	if ((*jvmti)->GetStackTrace(jvmti, NULL, 0, 1, &frame, &count) !=
		    JVMTI_ERROR_NONE ||
	    count == 0 ||
	    (*jvmti)->GetMethodDeclaringClass(jvmti, frame.method, &type) !=
		    JVMTI_ERROR_NONE ||
	    (*jvmti)->GetClassSignature(jvmti, type, &of, NULL) != JVMTI_ERROR_NONE)
		return false;
	is = strcmp(of, signature) == 0;
	if (is && method)
		is = (*jvmti)->GetMethodName(jvmti, frame.method, &name, NULL, NULL) ==
			     JVMTI_ERROR_NONE &&
		     strcmp(name, method) == 0;
	jvm_free(&agent->jvm, name);
	jvm_free(&agent->jvm, of);
	return is;
}

/*
 * The JVM links a class that it is told to change, which prepares it. It would wait for
 * itself if it were told again by then, or put what comes of that away.
 */
static bool is_being_changed(struct agent *agent)
{
	return retransformer_is_called_by(agent, "Lsun/instrument/InstrumentationImpl;",
					  NULL);
}

static void put_off(struct agent *agent, JNIEnv *jni, jclass type)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	jobject kept = (*jni)->NewGlobalRef(jni, type);
	bool is_put;

	if (jvm_failed(jni) || !kept)
		return;
	pthread_mutex_lock(&instrumenter->lock);
	is_put = vec_push(&instrumenter->put_off, kept);
	pthread_mutex_unlock(&instrumenter->lock);
	if (!is_put)
		(*jni)->DeleteGlobalRef(jni, kept);
}

void retransformer_one(struct agent *agent, JNIEnv *jni, jclass type)
{
	if (is_being_changed(agent))
		put_off(agent, jni, type);
	else
		retransform_all(agent, jni, 1, &type);
}

void retransformer_round(struct agent *agent, JNIEnv *jni)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	__typeof__(instrumenter->put_off) types;

	if (!instrumenter->probed || !jni)
		return;
	pthread_mutex_lock(&instrumenter->lock);
	types = instrumenter->put_off;
	instrumenter->put_off.items = NULL;
	instrumenter->put_off.count = instrumenter->put_off.capacity = 0;
	pthread_mutex_unlock(&instrumenter->lock);
	for (size_t i = 0; i < types.count; i++) {
		jclass type = types.items[i];

		if (!is_off(agent))
			retransform_all(agent, jni, 1, &type);
		(*jni)->DeleteGlobalRef(jni, type);
	}
	vec_clear(&types);
}

void retransformer_drop(struct agent *agent, JNIEnv *jni)
{
	struct instrumenter *instrumenter = &agent->instrumenter;

	for (size_t i = 0; i < instrumenter->put_off.count; i++)
		(*jni)->DeleteGlobalRef(jni, instrumenter->put_off.items[i]);
	for (size_t i = 0; i < instrumenter->open.count; i++)
		(*jni)->DeleteWeakGlobalRef(jni, instrumenter->open.items[i]);
	vec_clear(&instrumenter->put_off);
	vec_clear(&instrumenter->open);
}

/* Those of the loaded classes that are meant, as global references. */
typedef bool is_meant(struct agent *agent, JNIEnv *jni, jclass type);
struct chosen {
	struct agent *agent;
	is_meant *is;
	VEC(jclass) types;
};

static void choose(void *context, JNIEnv *jni, jclass type)
{
	struct chosen *chosen = context;
	jclass kept;

	if (!chosen->is(chosen->agent, jni, type))
		return;
	kept = (*jni)->NewGlobalRef(jni, type);
	if (!jvm_failed(jni) && kept && !vec_push(&chosen->types, kept))
		(*jni)->DeleteGlobalRef(jni, kept);
}

static void for_loaded(struct agent *agent, JNIEnv *jni, is_meant *is)
{
	struct chosen chosen = { .agent = agent, .is = is };
	size_t count, at;

	jvm_for_classes(&agent->jvm, jni, choose, &chosen);
	count = chosen.types.count;
	for (at = 0; at < count && !is_ending(agent); at += BATCH)
		retransform_all(agent, jni,
				(jint)(count - at < BATCH ? count - at : BATCH),
				chosen.types.items + at);
	for (at = 0; at < count; at++)
		(*jni)->DeleteGlobalRef(jni, chosen.types.items[at]);
	vec_clear(&chosen.types);
}

/* Its constants: what a filter looks for in all classes must be there. */
static bool may_have_texts(struct agent *agent, jclass type, struct filters_class *of)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	unsigned char *constants = NULL;
	jint count, size = 0;
	bool may_have = true;

	if ((*jvmti)->GetConstantPool(jvmti, type, &count, &size, &constants) ==
	    JVMTI_ERROR_NONE) {
		of->texts = constants;
		of->size = (size_t)size;
		may_have = filters_may_have(&methodchoice_now(agent)->filters, of);
		jvm_free(&agent->jvm, constants);
	}
	return may_have;
}

/* Filters may mean it, and the hook has not seen it since they hold. */
static bool is_meant_now(struct agent *agent, JNIEnv *jni, jclass type)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	struct supertypes above = { .jvm = &agent->jvm, .jni = jni, .type = type };
	struct filters_class known = { .is_below = supertypes_is_below,
				       .context = &above };
	struct oneclass of;
	jboolean can_be = JNI_FALSE;
	bool is;

	if (!oneclass_read(&of, agent, jni, type))
		return false;
	known.name = str_of(of.name);
	is = !of.is_seen && filters_may_have(&methodchoice_now(agent)->filters, &known) &&
	     (*jvmti)->IsModifiableClass(jvmti, type, &can_be) == JVMTI_ERROR_NONE &&
	     can_be && may_have_texts(agent, type, &known);
	supertypes_clear(&above);
	oneclass_clear(&of, agent);
	return is;
}

static bool has_probes(struct agent *agent, JNIEnv *jni, jclass type, bool is_stale)
{
	struct oneclass of;
	bool has;

	if (!oneclass_read(&of, agent, jni, type))
		return false;
	has = of.is_known && probed_has_probes(agent->instrumenter.probed, of.loader,
					       str_of(of.name), is_stale);
	oneclass_clear(&of, agent);
	return has;
}

bool retransformer_is_to_have(struct agent *agent, JNIEnv *jni, jclass type)
{
	return is_meant_now(agent, jni, type) || has_probes(agent, jni, type, true);
}

static bool is_to_have_now(struct agent *agent, JNIEnv *jni, jclass type)
{
	if (!oneclass_is_linked(agent, type))
		return false;
	invain_note(agent, jni, type);
	return retransformer_is_to_have(agent, jni, type);
}

void retransformer_put(struct agent *agent, JNIEnv *jni)
{
	for_loaded(agent, jni, is_to_have_now);
}

static bool has_any(struct agent *agent, JNIEnv *jni, jclass type)
{
	return has_probes(agent, jni, type, false);
}

void retransformer_take_out(struct agent *agent, JNIEnv *jni)
{
	size_t methods;

	if (probed_count(agent->instrumenter.probed, &methods))
		for_loaded(agent, jni, has_any);
}

/* What others change -------------------------------------------------------------- */

void retransformer_changed(struct agent *agent, JNIEnv *jni, jclass type)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	struct oneclass of;
	jobject kept = NULL;
	bool is_put;

	if (is_retransforming || !oneclass_read(&of, agent, jni, type))
		return;
	if (of.is_known &&
	    probed_is_open(instrumenter->probed, of.loader, str_of(of.name)))
		kept = (*jni)->NewWeakGlobalRef(jni, type);
	oneclass_clear(&of, agent);
	if (jvm_failed(jni) || !kept)
		return;
	pthread_mutex_lock(&instrumenter->lock);
	is_put = vec_push(&instrumenter->open, kept);
	pthread_mutex_unlock(&instrumenter->lock);
	if (!is_put)
		(*jni)->DeleteWeakGlobalRef(jni, kept);
}

static void check_method(struct agent *agent, const struct oneclass *of,
			 jmethodID method)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jlocation first, last;
	char *name, *descriptor;

	if ((*jvmti)->GetMethodLocation(jvmti, method, &first, &last) !=
	    JVMTI_ERROR_NONE)
		last = -1;
	if ((*jvmti)->GetMethodName(jvmti, method, &name, &descriptor, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	probed_check(agent->instrumenter.probed, of->loader, str_of(of->name),
		     str_of(name), str_of(descriptor), (uint32_t)(last + 1));
	jvm_free(&agent->jvm, name);
	jvm_free(&agent->jvm, descriptor);
}

/* True: it is to be looked at again. */
static bool look_at(struct agent *agent, JNIEnv *jni, jclass type)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	struct oneclass of;
	jmethodID *methods = NULL;
	jint count = 0;
	bool is_open;

	oneclass_bind(agent, jni, type);
	if (!oneclass_read(&of, agent, jni, type))
		return false;
	if ((*jvmti)->GetClassMethods(jvmti, type, &count, &methods) ==
	    JVMTI_ERROR_NONE) {
		for (jint i = 0; i < count; i++)
			check_method(agent, &of, methods[i]);
		jvm_free(&agent->jvm, methods);
	}
	is_open = probed_checked(agent->instrumenter.probed, of.loader, str_of(of.name));
	oneclass_clear(&of, agent);
	return is_open;
}

static void look_at_reference(struct agent *agent, JNIEnv *jni, jobject reference)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	jclass type = (*jni)->NewLocalRef(jni, reference);
	bool is_kept = type && look_at(agent, jni, type);

	(*jni)->DeleteLocalRef(jni, type);
	if (is_kept) {
		pthread_mutex_lock(&instrumenter->lock);
		is_kept = vec_push(&instrumenter->open, reference);
		pthread_mutex_unlock(&instrumenter->lock);
	}
	if (!is_kept)
		(*jni)->DeleteWeakGlobalRef(jni, reference);
}

void retransformer_look(struct agent *agent, JNIEnv *jni)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	VEC(void *) types = { 0 };

	if (!instrumenter->probed || !jni)
		return;
	pthread_mutex_lock(&instrumenter->lock);
	types.items = instrumenter->open.items;
	types.count = instrumenter->open.count;
	types.capacity = instrumenter->open.capacity;
	instrumenter->open.items = NULL;
	instrumenter->open.count = instrumenter->open.capacity = 0;
	pthread_mutex_unlock(&instrumenter->lock);
	for (size_t i = 0; i < types.count; i++)
		look_at_reference(agent, jni, types.items[i]);
	vec_clear(&types);
}
