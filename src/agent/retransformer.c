#include "agent/retransformer.h"

#include "agent/agent.h"
#include "agent/log.h"
#include "agent/supertypes.h"

/*
 * Each batch stops the JVM once, and it takes long with many methods compiled: few large
 * ones are better than many. But the JVM keeps all bytes of one in memory.
 */
#define BATCH 500

/* One class ----------------------------------------------------------------------- */

bool retransformer_read(struct retransformer_class *of, struct agent *agent,
			JNIEnv *jni, jclass type)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jobject loader = NULL;

	*of = (struct retransformer_class){ 0 };
	if ((*jvmti)->GetClassSignature(jvmti, type, &of->signature, NULL) !=
	    JVMTI_ERROR_NONE) {
		of->signature = NULL;
		return false;
	}
	if (*of->signature == 'L')
		of->name = classes_name(of->signature);
	if (of->name && !classes_hidden(of->name) &&
	    (*jvmti)->GetClassLoader(jvmti, type, &loader) == JVMTI_ERROR_NONE) {
		of->loader = classes_key_so_far(&agent->classes, loader);
		of->is_known = (!loader || of->loader) &&
			       probed_has(agent->instrumenter.probed, of->loader,
					  str_of(of->name));
		(*jni)->DeleteLocalRef(jni, loader);
		return true;
	}
	retransformer_clear(of, agent);
	return false;
}

void retransformer_clear(struct retransformer_class *of, struct agent *agent)
{
	jvm_free(&agent->jvm, of->signature);
	of->signature = NULL;
}

static bool is_linked(struct agent *agent, jclass type)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jint status = 0;

	return (*jvmti)->GetClassStatus(jvmti, type, &status) == JVMTI_ERROR_NONE &&
	       status & JVMTI_CLASS_STATUS_PREPARED;
}

void retransformer_bind(struct agent *agent, JNIEnv *jni, jclass type)
{
	struct retransformer_class of;
	uint64_t key;

	if (!retransformer_read(&of, agent, jni, type))
		return;
	if (of.is_known && is_linked(agent, type)) {
		key = classes_key(&agent->classes, jni, type);
		if (key)
			probed_bind(agent->instrumenter.probed, of.loader,
				    str_of(of.name), key);
	}
	retransformer_clear(&of, agent);
}

/* Several ------------------------------------------------------------------------- */

static jvmtiError retransform(struct agent *agent, JNIEnv *jni, jint count,
			      const jclass *types)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jvmtiError error = (*jvmti)->RetransformClasses(jvmti, count, types);

	jvm_failed(jni);
	return error;
}

/* It stays as it is from now on, also when others retransform it. */
static void leave(struct agent *agent, JNIEnv *jni, jclass type, jvmtiError error)
{
	struct retransformer_class of;

	if (!retransformer_read(&of, agent, jni, type))
		return;
	if (of.is_known)
		probed_leave(agent->instrumenter.probed, of.loader, str_of(of.name));
	if (!atomic_load(&agent->instrumenter.instrument.is_off))
		log_say("the JVM does not take %s with probes (error %d of JVMTI)",
			of.name, error);
	retransformer_clear(&of, agent);
}

/* One that the JVM does not take makes it take none: then each is tried alone. */
static void retransform_all(struct agent *agent, JNIEnv *jni, jint count,
			    const jclass *types)
{
	jvmtiError error = count ? retransform(agent, jni, count, types)
				 : JVMTI_ERROR_NONE;

	if (error != JVMTI_ERROR_NONE && count == 1)
		leave(agent, jni, types[0], error);
	for (jint i = 0; error != JVMTI_ERROR_NONE && count > 1 && i < count; i++)
		retransform_all(agent, jni, 1, types + i);
	for (jint i = 0; i < count; i++)
		retransformer_bind(agent, jni, types[i]);
}

/*
 * The JVM links a class that it is told to change, which prepares it. It would wait for
 * itself if it were told again by then, or put what comes of that away.
 */
static bool is_being_changed(struct agent *agent)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jvmtiFrameInfo frame;
	char *signature = NULL;
	jclass type;
	jint count;
	bool is;

	if ((*jvmti)->GetStackTrace(jvmti, NULL, 0, 1, &frame, &count) !=
		    JVMTI_ERROR_NONE ||
	    count == 0 ||
	    (*jvmti)->GetMethodDeclaringClass(jvmti, frame.method, &type) !=
		    JVMTI_ERROR_NONE ||
	    (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) !=
		    JVMTI_ERROR_NONE)
		return false;
	is = strcmp(signature, "Lsun/instrument/InstrumentationImpl;") == 0;
	jvm_free(&agent->jvm, signature);
	return is;
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

		if (!atomic_load(&instrumenter->instrument.is_off))
			retransform_all(agent, jni, 1, &type);
		(*jni)->DeleteGlobalRef(jni, type);
	}
	vec_clear(&types);
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
	for (at = 0; at < count; at += BATCH)
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
		may_have = filters_may_have(&agent->instrumenter.filters, of);
		jvm_free(&agent->jvm, constants);
	}
	return may_have;
}

static bool is_to_have(struct agent *agent, JNIEnv *jni, jclass type)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	struct supertypes above = { .jvm = &agent->jvm, .jni = jni, .type = type };
	struct filters_class known = { .is_below = supertypes_is_below,
				       .context = &above };
	struct retransformer_class of;
	jboolean can_be = JNI_FALSE;
	bool is;

	if (!retransformer_read(&of, agent, jni, type))
		return false;
	known.name = str_of(of.name);
	is = !of.is_known && filters_may_have(&agent->instrumenter.filters, &known) &&
	     (*jvmti)->IsModifiableClass(jvmti, type, &can_be) == JVMTI_ERROR_NONE &&
	     can_be && may_have_texts(agent, type, &known);
	supertypes_clear(&above);
	retransformer_clear(&of, agent);
	return is;
}

static void wait_for(struct agent *agent, jclass type)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	jlong tag = classes_tag(&agent->classes, type, POOL_CLASS);

	if (!tag)
		return;
	pthread_mutex_lock(&instrumenter->lock);
	map_put(&instrumenter->waiting, (uint64_t)tag >> 1, 0);
	pthread_mutex_unlock(&instrumenter->lock);
}

static bool is_to_have_now(struct agent *agent, JNIEnv *jni, jclass type)
{
	if (!is_to_have(agent, jni, type))
		return false;
	if (is_linked(agent, type))
		return true;
	wait_for(agent, type);
	/* It may have been linked meanwhile, and looked for before it was there. */
	return is_linked(agent, type) && retransformer_has_waited(agent, jni, type);
}

bool retransformer_has_waited(struct agent *agent, JNIEnv *jni, jclass type)
{
	struct instrumenter *instrumenter = &agent->instrumenter;
	uint64_t key = classes_key_so_far(&agent->classes, type);
	bool has;

	pthread_mutex_lock(&instrumenter->lock);
	has = key && map_find(&instrumenter->waiting, key) != MAP_NONE;
	if (has)
		map_remove(&instrumenter->waiting, key);
	pthread_mutex_unlock(&instrumenter->lock);
	/* Or it was on its way when the hook came to be. */
	return has || (atomic_load(&instrumenter->is_scanning) &&
		       is_to_have(agent, jni, type));
}

void retransformer_put(struct agent *agent, JNIEnv *jni)
{
	for_loaded(agent, jni, is_to_have_now);
}

static bool has_probes(struct agent *agent, JNIEnv *jni, jclass type)
{
	struct retransformer_class of;
	bool has;

	if (!retransformer_read(&of, agent, jni, type))
		return false;
	has = of.is_known;
	retransformer_clear(&of, agent);
	return has;
}

void retransformer_take_out(struct agent *agent, JNIEnv *jni)
{
	for_loaded(agent, jni, has_probes);
}
