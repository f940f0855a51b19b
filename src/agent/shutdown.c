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

/* The thread may have told its end, and lives on to end the JVM. */
static uint64_t this_thread(struct agent *agent, JNIEnv *jni)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	jthread thread;
	uint64_t key;

	if ((*jvmti)->GetCurrentThread(jvmti, &thread) != JVMTI_ERROR_NONE || !thread)
		return 0;
	key = threads_key(&agent->threads, jni, thread);
	(*jni)->DeleteLocalRef(jni, thread);
	return key;
}

void shutdown_tell(struct agent *agent, JNIEnv *jni)
{
	uint64_t thread = this_thread(agent, jni);
	struct str reason = reason_of(agent);
	struct emit event;
	uint64_t stack = 0;

	if (!recorder_wants(&agent->recorder, EVENT_SHUTDOWN))
		return;
	if (event_setting_of(&agent->recorder.settings, EVENT_SHUTDOWN)->with_stack)
		stack = stacks_here(&agent->classes, jni, agent->orders.stack_depth);
	if (emit_begin(&event, threads_share(&agent->threads), EVENT_SHUTDOWN,
			EMIT_ROOM(4) + reason.size)) {
		emit_long(&event, now_ticks());
		emit_long(&event, (int64_t)thread);
		emit_long(&event, (int64_t)stack);
		emit_string(&event, reason);
		emit_commit(&event);
	}
	threads_share_end(&agent->threads);
}
