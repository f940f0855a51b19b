#include "agent/unmatched.h"

#include <stdio.h>

#include "agent/agent.h"
#include "agent/parent.h"
#include "agent/methodchoice.h"
#include "base/arena.h"
#include "base/vec.h"
#include "control/message.h"
#include "probe/hint.h"

#define REFERENCES 16
#define TEXT_MAX 200		/* of a filter that is told */
#define TOLD_MAX 10		/* filters; how many more there are is told at once */
#define IS_ANNOTATION 0x2000	/* JVMS 4.1 */

/* What there is, under the names that filters have. */
struct known {
	struct agent *agent;
	VEC(struct str) classes;
	VEC(jclass) types;		/* the same */
	VEC(struct str) annotations;
	size_t told;			/* filters */
	struct arena arena;
};

/* Bytes NULL without memory. */
static struct str keep(struct known *known, struct buf *text)
{
	struct str copy = { NULL, text->size };

	for (size_t i = 0; i < text->size; i++) {
		if (text->bytes[i] == '/')
			text->bytes[i] = '.';
	}
	if (!text->failed)
		copy.bytes = arena_copy(&known->arena, text->size ? text->bytes : "",
					text->size);
	buf_clear(text);
	return copy;
}

static struct str keep_text(struct known *known, const char *text)
{
	struct buf copy = { 0 };

	jvm_add_text(&copy, text);
	return keep(known, &copy);
}

static bool is_annotation(const struct jvm *jvm, jclass type)
{
	jint modifiers = 0;

	return (*jvm->jvmti)->GetClassModifiers(jvm->jvmti, type, &modifiers) ==
		       JVMTI_ERROR_NONE &&
	       modifiers & IS_ANNOTATION;
}

static void add_class(struct known *known, jclass type)
{
	const struct jvm *jvm = &known->agent->jvm;
	char *signature, *name;
	struct str copy;

	if ((*jvm->jvmti)->GetClassSignature(jvm->jvmti, type, &signature, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	if (*signature == 'L') {
		name = classes_name(signature);
		copy = classes_hidden(name) ? (struct str){ NULL, 0 }
					    : keep_text(known, name);
		if (copy.bytes && vec_push(&known->types, type) &&
		    !vec_push(&known->classes, copy))
			known->types.count--;
		if (copy.bytes && is_annotation(jvm, type))
			vec_push(&known->annotations, copy);
	}
	jvm_free(jvm, signature);
}

static void add_method(struct known *known, jmethodID method, struct hint_methods *to)
{
	const struct jvm *jvm = &known->agent->jvm;
	struct hint_method of;
	struct buf parameters = { 0 };
	char *name, *descriptor;
	jint modifiers = 0;

	if ((*jvm->jvmti)->GetMethodName(jvm->jvmti, method, &name, &descriptor, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	(*jvm->jvmti)->GetMethodModifiers(jvm->jvmti, method, &modifiers);
	filters_parameters(str_of(descriptor), &parameters);
	of = (struct hint_method){ keep_text(known, name), keep(known, &parameters),
				   (uint16_t)modifiers };
	if (of.name.bytes && of.parameters.bytes)
		vec_push(&to->of, of);
	jvm_free(jvm, name);
	jvm_free(jvm, descriptor);
}

static void add_methods(void *context, size_t class_, struct hint_methods *to)
{
	struct known *known = context;
	const struct jvm *jvm = &known->agent->jvm;
	jmethodID *methods;
	jint count;

	if ((*jvm->jvmti)->GetClassMethods(jvm->jvmti, known->types.items[class_], &count,
					   &methods) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++)
		add_method(known, methods[i], to);
	jvm_free(jvm, methods);
}

static void add_annotations(struct known *known)
{
	struct annotations *seen = &methodchoice_now(known->agent)->instrument.annotations;

	pthread_mutex_lock(&seen->lock);
	for (size_t i = 0; i < seen->names.count; i++)
		vec_push(&known->annotations, seen->names.items[i]);
	pthread_mutex_unlock(&seen->lock);
}

static void tell(void *context, const struct filters_unmatched *unmatched)
{
	const struct methodfilter_item *item = unmatched->item;
	struct known *known = context;
	struct hint_known of = {
		known->classes.items, known->classes.count,
		known->annotations.items, known->annotations.count,
		add_methods, known, unmatched->filter,
	};
	struct buf text = { 0 };

	if (known->told++ >= TOLD_MAX)
		return;
	buf_printf(&text, "%s: the filter %.*s %s no method",
		   eventtype_of(unmatched->kind == PROBE_TIMING ? EVENT_METHOD_TIMING
								: EVENT_METHOD_TRACE)
			   ->name,
		   (int)str_front(item->text, TEXT_MAX).size, item->text.bytes,
		   item->is_excluded ? "took out" : "selected");
	if (unmatched->is_lost)
		buf_text(&text, ": those with ! take out all that it means");
	else
		hint_add(&text, item, &of);
	buf_byte(&text, '\0');
	if (!text.failed)
		parent_warn(known->agent, text.bytes);
	buf_clear(&text);
}

static void tell_more(const struct known *known)
{
	char text[100];

	if (known->told <= TOLD_MAX)
		return;
	snprintf(text, sizeof(text), "%zu more filters selected no method, or took out "
		 "none: cjfr view method-filters", known->told - TOLD_MAX);
	parent_warn(known->agent, text);
}

static void see(void *context, const struct filters_unmatched *unmatched)
{
	(void)unmatched;
	*(bool *)context = true;
}

/* Classes are only asked for if there is something to tell. */
void unmatched_tell(struct agent *agent, JNIEnv *jni)
{
	const struct filters *filters = &methodchoice_now(agent)->filters;
	struct known known = { .agent = agent };
	bool is_any = false;
	jclass *types = NULL;
	jint count = 0;

	if (!filters_have_selected(filters))
		parent_tell(agent, MESSAGE_IDLE, "", -1);
	filters_unmatched(filters, see, &is_any);
	if (!is_any || !jvm_frame(jni, REFERENCES))
		return;
	if ((*agent->jvm.jvmti)->GetLoadedClasses(agent->jvm.jvmti, &count, &types) ==
	    JVMTI_ERROR_NONE) {
		jvm_room(jni, count + REFERENCES);
		for (jint i = 0; i < count; i++)
			add_class(&known, types[i]);
		jvm_free(&agent->jvm, types);
	}
	add_annotations(&known);
	filters_unmatched(filters, tell, &known);
	tell_more(&known);
	jvm_frame_end(jni);
	vec_clear(&known.classes);
	vec_clear(&known.types);
	vec_clear(&known.annotations);
	arena_clear(&known.arena);
}
