#include "agent/classevents.h"

static bool enable(const struct jvm *jvm, bool is_on)
{
	bool has_load = jvm_enable(jvm, JVMTI_EVENT_CLASS_LOAD, is_on);

	return jvm_enable(jvm, JVMTI_EVENT_CLASS_PREPARE, is_on) && has_load;
}

/* Who comes to need them meanwhile has them on. */
bool classevents_want(struct agent *agent, enum classevents_user user, bool is_wanted)
{
	if (is_wanted) {
		atomic_fetch_or(&agent->class_events, user);
		return enable(&agent->jvm, true);
	}
	if ((atomic_fetch_and(&agent->class_events, ~(unsigned)user) & ~(unsigned)user))
		return true;
	enable(&agent->jvm, false);
	return !atomic_load(&agent->class_events) || enable(&agent->jvm, true);
}
