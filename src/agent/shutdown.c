#include "agent/shutdown.h"

#include "agent/stacks.h"
#include "engine/emit.h"

/* The JVM's words. The thread that waits for all others to end has left Java. */
static struct str reason_of(struct agent *agent)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jint frames = 0;

	(*jvmti)->GetFrameCount(jvmti, NULL, &frames);
	return frames > 0 ? STR("Shutdown requested from Java")
			  : STR("No remaining non-daemon Java threads");
}

void shutdown_tell(struct agent *agent, JNIEnv *jni)
{
	/* It may have told its end, and lives on to end the JVM. */
	uint64_t thread = registry_key_here(&agent->registry, jni);
	struct str reason = reason_of(agent);
	struct emit event;
	uint64_t stack = 0;

	if (!recorder_wants(&agent->recorder, EVENT_SHUTDOWN))
		return;
	if (recorder_with_stack(&agent->recorder, EVENT_SHUTDOWN))
		stack = stacks_here(&agent->methods, jni, 0,
				    recorder_stack_depth(&agent->recorder));
	if (!registry_emit(&agent->registry, &event, EVENT_SHUTDOWN,
			   EMIT_ROOM(4) + reason.size))
		return;
	emit_long(&event, now_ticks());
	emit_long(&event, (int64_t)thread);
	emit_long(&event, (int64_t)stack);
	emit_string(&event, reason);
	registry_commit(&agent->registry, &event);
}
