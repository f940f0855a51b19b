#include "agent/oneclass.h"

bool oneclass_read(struct oneclass *of, struct agent *agent, JNIEnv *jni, jclass type)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jobject loader = NULL;

	*of = (struct oneclass){ 0 };
	if ((*jvmti)->GetClassSignature(jvmti, type, &of->signature, NULL) !=
	    JVMTI_ERROR_NONE) {
		of->signature = NULL;
		return false;
	}
	if (*of->signature == 'L')
		of->name = classes_name(of->signature);
	if (of->name && !classes_hidden(of->name) &&
	    (*jvmti)->GetClassLoader(jvmti, type, &loader) == JVMTI_ERROR_NONE) {
		of->is_known = probed_loader(agent->instrumenter.probed,
					     classes_key_so_far(&agent->classes, type),
					     &of->loader);
		if (!of->is_known) {
			of->loader = classes_key_so_far(&agent->classes, loader);
			of->is_known = (!loader || of->loader) &&
				       probed_has(agent->instrumenter.probed,
						  of->loader, str_of(of->name));
		}
		of->is_seen = of->is_known &&
			      probed_is_seen(agent->instrumenter.probed, of->loader,
					     str_of(of->name));
		(*jni)->DeleteLocalRef(jni, loader);
		return true;
	}
	oneclass_clear(of, agent);
	return false;
}

void oneclass_clear(struct oneclass *of, struct agent *agent)
{
	jvm_free(&agent->jvm, of->signature);
	of->signature = NULL;
}

bool oneclass_is_linked(struct agent *agent, jclass type)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jint status = 0;

	return (*jvmti)->GetClassStatus(jvmti, type, &status) == JVMTI_ERROR_NONE &&
	       status & JVMTI_CLASS_STATUS_PREPARED;
}

void oneclass_bind(struct agent *agent, JNIEnv *jni, jclass type)
{
	struct probed *probed = agent->instrumenter.probed;
	struct oneclass of;
	uint64_t key;

	if (!oneclass_read(&of, agent, jni, type))
		return;
	if (of.is_known && oneclass_is_linked(agent, type) &&
	    probed_ready(probed, of.loader, str_of(of.name))) {
		key = classes_key(&agent->classes, jni, type);
		if (key)
			probed_bind(probed, of.loader, str_of(of.name), key);
	}
	oneclass_clear(&of, agent);
}
