#include "agent/invain.h"

#include "agent/oneclass.h"
#include "agent/methodchoice.h"

static void note_method(struct agent *agent, const struct probed_class *of,
			const struct classfile_method *method)
{
	struct methodchoice *choice = methodchoice_now(agent);
	struct probed *probed = agent->instrumenter.probed;
	struct classfile file = { .name = of->name };
	struct filters_asked asked = { .file = &file, .method = method };
	struct outcome outcome = { 0 };
	unsigned added, kinds = filters_in_vain(&choice->filters, &asked,
						&outcome.result);
	uint32_t id = kinds ? probed_add(probed, of, method, kinds, &added) : PROBED_NONE;

	if (id != PROBED_NONE)
		probed_note(probed, id, false, &outcome);
}

static void read_method(struct agent *agent, const struct probed_class *of, jmethodID id)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	struct classfile_method method = { 0 };
	char *name, *descriptor;
	jint modifiers = 0;

	if ((*jvmti)->GetMethodName(jvmti, id, &name, &descriptor, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	(*jvmti)->GetMethodModifiers(jvmti, id, &modifiers);
	method.access = (uint16_t)modifiers;
	method.name = str_of(name);
	method.descriptor = str_of(descriptor);
	note_method(agent, of, &method);
	jvm_free(&agent->jvm, name);
	jvm_free(&agent->jvm, descriptor);
}

void invain_note(struct agent *agent, JNIEnv *jni, jclass type)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	struct oneclass of;
	struct probed_class class_;
	jmethodID *methods = NULL;
	jint count = 0;

	if (!oneclass_read(&of, agent, jni, type))
		return;
	class_ = (struct probed_class){ .loader = of.loader, .name = str_of(of.name),
					.run = methodchoice_now(agent)->instrument.run };
	if (!of.is_seen &&
	    filters_name_in_vain(&methodchoice_now(agent)->filters, class_.name) &&
	    (*jvmti)->GetClassMethods(jvmti, type, &count, &methods) ==
		    JVMTI_ERROR_NONE) {
		for (jint i = 0; i < count; i++)
			read_method(agent, &class_, methods[i]);
		jvm_free(&agent->jvm, methods);
		oneclass_bind(agent, jni, type);
	}
	oneclass_clear(&of, agent);
}
