#include "agent/copies.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/now.h"

/* How long those who hold references are waited for: so many milliseconds. */
#define CLOSE_PAUSES 50

void copies_init(struct copies *copies, struct classes *classes)
{
	*copies = (struct copies){ .jvm = classes->jvm, .classes = classes };
	loaders_init(&copies->loaders, copies->jvm);
	pthread_mutex_init(&copies->lock, NULL);
}

/* Owners ------------------------------------------------------------------------ */

static bool is_owner(struct copies *copies, jlong tag)
{
	bool is_one;

	pthread_mutex_lock(&copies->lock);
	is_one = copies->is_closed || prepared_is_owner(&copies->prepared, (uint64_t)tag);
	pthread_mutex_unlock(&copies->lock);
	return is_one;
}

/* From now on it is known whether it is there. */
static bool watch(struct copies *copies, JNIEnv *jni, jobject owner, jlong tag)
{
	jweak reference;
	bool is_kept;

	if (!tag || is_owner(copies, tag))
		return tag != 0;
	reference = (*jni)->NewWeakGlobalRef(jni, owner);
	if (jvm_failed(jni) || !reference)
		return false;
	pthread_mutex_lock(&copies->lock);
	is_kept = !copies->is_closed &&
		  prepared_own(&copies->prepared, (uint64_t)tag, reference);
	pthread_mutex_unlock(&copies->lock);
	if (!is_kept)
		(*jni)->DeleteWeakGlobalRef(jni, reference);
	return is_kept || is_owner(copies, tag);
}

/* Copying ----------------------------------------------------------------------- */

static void draft_method(struct copies *copies, struct prepared_draft *draft,
			 jmethodID id)
{
	jvmtiEnv *jvmti = copies->jvm->jvmti;
	char *name = NULL, *descriptor = NULL;
	struct lines lines = { 0 };
	jint modifiers = 0;

	if ((*jvmti)->GetMethodName(jvmti, id, &name, &descriptor, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	(*jvmti)->GetMethodModifiers(jvmti, id, &modifiers);
	jvm_add_lines(&lines, copies->jvm, id);
	prepared_add(draft, (uintptr_t)id, name, descriptor, (uint16_t)modifiers, &lines);
	lines_clear(&lines);
	jvm_free(copies->jvm, name);
	jvm_free(copies->jvm, descriptor);
}

/* NULL without memory. */
static struct prepared_class *draft_class(struct copies *copies, jclass type,
					  const struct prepared_type *of,
					  const jmethodID *ids, jint count)
{
	jvmtiEnv *jvmti = copies->jvm->jvmti;
	struct prepared_draft draft = { 0 };
	char *signature = NULL;

	if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) !=
	    JVMTI_ERROR_NONE)
		return NULL;
	prepared_begin(&draft, classes_name(signature));
	jvm_free(copies->jvm, signature);
	for (jint i = 0; i < count; i++)
		draft_method(copies, &draft, ids[i]);
	return prepared_made(&draft, of);
}

static bool has_copy(struct copies *copies, jmethodID id)
{
	bool is_there;

	pthread_mutex_lock(&copies->lock);
	is_there = copies->is_closed || prepared_has(&copies->prepared, (uintptr_t)id);
	pthread_mutex_unlock(&copies->lock);
	return is_there;
}

/* The owner may be the class itself. */
static void copy_class(struct copies *copies, JNIEnv *jni, jclass type, jobject loader,
		       jobject owner, const jmethodID *ids, jint count)
{
	jvmtiEnv *jvmti = copies->jvm->jvmti;
	enum pool_id pool = owner == loader ? POOL_CLASS_LOADER : POOL_CLASS;
	jlong tag = classes_tag(copies->classes, owner, pool);
	struct prepared_type of = {
		.owner = (uint64_t)tag,
		.key = classes_key_so_far(copies->classes, type),
		.loader = loader ? classes_key_so_far(copies->classes, loader) : 0,
	};
	struct prepared_class *made;
	bool is_kept = false;

	if (!watch(copies, jni, owner, tag))
		return;
	(*jvmti)->GetClassModifiers(jvmti, type, &of.modifiers);
	made = draft_class(copies, type, &of, ids, count);
	if (!made)
		return;
	pthread_mutex_lock(&copies->lock);
	is_kept = !copies->is_closed && prepared_put(&copies->prepared, made);
	pthread_mutex_unlock(&copies->lock);
	if (!is_kept)
		free(made);
}

void copies_prepare(struct copies *copies, JNIEnv *jni, jclass type,
		    const jmethodID *ids, jint count)
{
	jvmtiEnv *jvmti = copies->jvm->jvmti;
	enum loaders_fate fate = loaders_fate(&copies->loaders, jni, type);
	jobject loader = NULL;

	if (fate == LOADERS_STAYS || has_copy(copies, ids[0]) ||
	    (*jvmti)->GetClassLoader(jvmti, type, &loader) != JVMTI_ERROR_NONE)
		return;
	copy_class(copies, jni, type, loader, fate == LOADERS_ALONE ? type : loader, ids,
		   count);
}

/* Finding ----------------------------------------------------------------------- */

/* Under the lock. Until it is let go, the reference is good. */
static jweak borrow(struct copies *copies, jmethodID id, struct prepared_names *names)
{
	if (copies->is_closed ||
	    !prepared_find(&copies->prepared, (uintptr_t)id, names))
		return NULL;
	copies->users++;
	return names->reference;
}

/* True if what it refers to is there: then that stays to the end of the frame. */
static bool let_go(struct copies *copies, JNIEnv *jni, jweak reference)
{
	bool is_there = (*jni)->NewLocalRef(jni, reference) != NULL;

	pthread_mutex_lock(&copies->lock);
	copies->users--;
	pthread_mutex_unlock(&copies->lock);
	return is_there;
}

bool copies_find(struct copies *copies, JNIEnv *jni, jmethodID id, struct copy *copy)
{
	struct prepared_names names;
	jweak reference;

	pthread_mutex_lock(&copies->lock);
	reference = borrow(copies, id, &names);
	if (reference) {
		copy->type = *names.type;
		copy->modifiers = names.modifiers;
		buf_text_nul(&copy->type_name, names.type_name);
		buf_text_nul(&copy->name, names.name);
		buf_text_nul(&copy->descriptor, names.descriptor);
		buf_str(&copy->lines, names.lines);
	}
	pthread_mutex_unlock(&copies->lock);
	if (reference)
		copy->is_there = let_go(copies, jni, reference);
	return reference != NULL;
}

void copy_clear(struct copy *copy)
{
	buf_clear(&copy->type_name);
	buf_clear(&copy->name);
	buf_clear(&copy->descriptor);
	buf_clear(&copy->lines);
}

bool copies_is_gone(struct copies *copies, JNIEnv *jni, jmethodID id)
{
	struct prepared_names names;
	jweak reference;

	pthread_mutex_lock(&copies->lock);
	reference = borrow(copies, id, &names);
	pthread_mutex_unlock(&copies->lock);
	return reference && !let_go(copies, jni, reference);
}

void copies_set_key(struct copies *copies, jmethodID id, uint64_t key)
{
	pthread_mutex_lock(&copies->lock);
	prepared_set_key(&copies->prepared, (uintptr_t)id, key);
	pthread_mutex_unlock(&copies->lock);
}

/* The end of them ----------------------------------------------------------------- */

void copies_freed(struct copies *copies, JNIEnv *jni, jlong tag,
		  void (*gone)(void *context, uint64_t key), void *context)
{
	struct prepared_class *class;
	jweak reference = NULL;

	do {
		pthread_mutex_lock(&copies->lock);
		class = prepared_take(&copies->prepared, (uint64_t)tag);
		if (!class)
			reference = prepared_disown(&copies->prepared, (uint64_t)tag);
		pthread_mutex_unlock(&copies->lock);
		if (class && class->type.key)
			gone(context, class->type.key);
		free(class);
	} while (class);
	if (reference && jni)
		(*jni)->DeleteWeakGlobalRef(jni, reference);
}

/* Nobody gets a reference any more. False: somebody has had one for long. */
static bool shut(struct copies *copies)
{
	const struct timespec pause = { .tv_nsec = MILLISECOND };
	bool is_free = false;

	for (int i = 0; i < CLOSE_PAUSES && !is_free; i++) {
		pthread_mutex_lock(&copies->lock);
		copies->is_closed = true;
		is_free = copies->users == 0;
		pthread_mutex_unlock(&copies->lock);
		if (!is_free)
			nanosleep(&pause, NULL);
	}
	return is_free;
}

void copies_rest(struct copies *copies, bool is_resting)
{
	pthread_mutex_lock(&copies->lock);
	copies->rest = is_resting ? COPIES_TO_REST : COPIES_USED;
	pthread_mutex_unlock(&copies->lock);
}

/* Takes out all, if that can be now. */
static struct prepared take_all(struct copies *copies, bool is_closing)
{
	struct prepared gone = { 0 };

	pthread_mutex_lock(&copies->lock);
	if (is_closing || (copies->rest == COPIES_RESTING && copies->users == 0)) {
		gone = copies->prepared;
		copies->prepared = (struct prepared){ 0 };
	}
	if (copies->rest == COPIES_TO_REST)
		copies->rest = COPIES_RESTING;
	pthread_mutex_unlock(&copies->lock);
	return gone;
}

/* Their owners keep their tags, which are keys: others know them by these. */
static void leave_all(JNIEnv *jni, struct prepared *gone)
{
	for (size_t i = 0; i < gone->owners.count; i++)
		(*jni)->DeleteWeakGlobalRef(jni, gone->owners.items[i].reference);
	prepared_clear(gone);
}

void copies_tidy(struct copies *copies, JNIEnv *jni)
{
	struct prepared gone = take_all(copies, false);

	leave_all(jni, &gone);
}

void copies_close(struct copies *copies, JNIEnv *jni)
{
	struct prepared gone;

	if (!shut(copies))
		return;
	gone = take_all(copies, true);
	leave_all(jni, &gone);
}

void copies_clear(struct copies *copies, JNIEnv *jni)
{
	copies_close(copies, jni);
	loaders_clear(&copies->loaders, jni);
	pthread_mutex_destroy(&copies->lock);
}
