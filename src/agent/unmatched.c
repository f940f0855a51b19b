#include "agent/unmatched.h"

#include <stdio.h>

#include "agent/agent.h"
#include "agent/parent.h"
#include "base/arena.h"
#include "base/vec.h"

#define REFERENCES 16
#define TEXT_MAX 512

/* What there is, under the names that filters have. */
struct known {
	struct agent *agent;
	VEC(struct str) names;		/* of classes, with dots */
	VEC(jclass) types;
	struct arena arena;
};

static void add_text(struct known *known, const char *name)
{
	struct buf text = { 0 };
	struct str copy = { NULL, 0 };

	jvm_add_text(&text, name);
	for (size_t i = 0; i < text.size; i++) {
		if (text.bytes[i] == '/')
			text.bytes[i] = '.';
	}
	if (!text.failed)
		copy = (struct str){ arena_copy(&known->arena, text.bytes, text.size),
				     text.size };
	buf_clear(&text);
	if (copy.bytes)
		vec_push(&known->names, copy);
}

static void add_class(void *context, JNIEnv *jni, jclass type)
{
	struct known *known = context;
	const struct jvm *jvm = &known->agent->jvm;
	char *signature;

	(void)jni;
	if ((*jvm->jvmti)->GetClassSignature(jvm->jvmti, type, &signature, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	if (*signature == 'L' && vec_push(&known->types, type)) {
		add_text(known, classes_name(signature));
		known->types.count = known->names.count;
	}
	jvm_free(jvm, signature);
}

/* Methods of a class take the place of classes. */
static void add_methods(struct known *known, jclass type)
{
	const struct jvm *jvm = &known->agent->jvm;
	jmethodID *methods;
	jint count;

	if ((*jvm->jvmti)->GetClassMethods(jvm->jvmti, type, &count, &methods) !=
	    JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++) {
		char *name;

		if ((*jvm->jvmti)->GetMethodName(jvm->jvmti, methods[i], &name, NULL,
						 NULL) != JVMTI_ERROR_NONE)
			continue;
		add_text(known, name);
		jvm_free(jvm, name);
	}
	jvm_free(jvm, methods);
}

/* -1: there is none. */
static int find(const struct known *known, struct str name)
{
	for (size_t i = 0; i < known->names.count; i++) {
		if (str_is(known->names.items[i], name))
			return (int)i;
	}
	return -1;
}

/* One that is called so in another package, as packages are often left out; or nearly. */
static int nearest(const struct known *known, struct str name)
{
	struct str simple = str_after_last(name, '.');

	for (size_t i = 0; i < known->names.count; i++) {
		if (str_is(str_after_last(known->names.items[i], '.'), simple))
			return (int)i;
	}
	return str_nearest(name, known->names.items, known->names.count);
}

static void say_of_method(const struct methodfilter_item *item, struct known *methods,
			  char *to, size_t size)
{
	int at = find(methods, item->method);
	struct str name = at < 0 ? item->method : methods->names.items[at];

	if (at >= 0) {
		snprintf(to, size, item->parameters.bytes
					   ? ": that method has other parameters"
					   : ": that method can have no probe");
		return;
	}
	at = str_nearest(name, methods->names.items, methods->names.count);
	if (at >= 0)
		snprintf(to, size, "; did you mean %.*s::%.*s?",
			 (int)item->class_name.size, item->class_name.bytes,
			 (int)methods->names.items[at].size,
			 methods->names.items[at].bytes);
	else
		snprintf(to, size, ": that class has no such method");
}

/* What more there is to say of it. */
static void say_more(const struct methodfilter_item *item, struct known *known,
		     char *to, size_t size)
{
	struct known methods = { .agent = known->agent };
	struct str name = item->class_name;
	int at = name.bytes && !memchr(name.bytes, '*', name.size) ? find(known, name)
								   : -1;

	*to = '\0';
	if (!name.bytes || memchr(name.bytes, '*', name.size))
		return;
	if (at < 0) {
		at = nearest(known, name);
		if (at >= 0)
			snprintf(to, size, "; did you mean %.*s?",
				 (int)known->names.items[at].size,
				 known->names.items[at].bytes);
		else
			snprintf(to, size, ": no such class was loaded");
	} else if (filters_is_excluded(name, item->method)) {
		snprintf(to, size, ": it can have no probe");
	} else if (item->method.bytes && !memchr(item->method.bytes, '*',
						 item->method.size)) {
		add_methods(&methods, known->types.items[at]);
		say_of_method(item, &methods, to, size);
	}
	vec_clear(&methods.names);
	arena_clear(&methods.arena);
}

static void tell(void *context, unsigned kind, const struct methodfilter_item *item)
{
	enum event_id event = kind == PROBE_TIMING ? EVENT_METHOD_TIMING
						   : EVENT_METHOD_TRACE;
	struct known *known = context;
	char text[2 * TEXT_MAX], more[TEXT_MAX];

	say_more(item, known, more, sizeof(more));
	snprintf(text, sizeof(text), "%s: the filter %.*s selected no method%s",
		 eventtype_of(event)->name, (int)str_front(item->text, 200).size,
		 item->text.bytes, more);
	parent_warn(known->agent, text);
}

struct any {
	bool is_one;
};

static void see(void *context, unsigned kind, const struct methodfilter_item *item)
{
	(void)kind, (void)item;
	((struct any *)context)->is_one = true;
}

/* Classes are only asked for if there is something to tell. */
void unmatched_tell(struct agent *agent, JNIEnv *jni)
{
	const struct filters *filters = &agent->instrumenter.filters;
	struct known known = { .agent = agent };
	struct any any = { false };
	jclass *types = NULL;
	jint count = 0;

	filters_unmatched(filters, see, &any);
	if (!any.is_one || !jvm_frame(jni, REFERENCES))
		return;
	if ((*agent->jvm.jvmti)->GetLoadedClasses(agent->jvm.jvmti, &count, &types) ==
	    JVMTI_ERROR_NONE) {
		jvm_room(jni, count + REFERENCES);
		for (jint i = 0; i < count; i++)
			add_class(&known, jni, types[i]);
		jvm_free(&agent->jvm, types);
	}
	filters_unmatched(filters, tell, &known);
	jvm_frame_end(jni);
	vec_clear(&known.names);
	vec_clear(&known.types);
	arena_clear(&known.arena);
}
