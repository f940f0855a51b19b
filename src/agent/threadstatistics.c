#include "agent/agent.h"
#include "agent/allobservers.h"

#define REFERENCES 16

struct sums {
	int64_t live, daemons, started, peak;
};

struct counting {
	const struct jvm *jvm;
	struct sums *sums;
};

static void count_one(void *context, JNIEnv *jni, jthread thread)
{
	const struct counting *counting = context;
	jvmtiEnv *jvmti = counting->jvm->jvmti;
	jvmtiThreadInfo info = { 0 };

	if (!jvm_frame(jni, REFERENCES))
		return;
	(*jvmti)->GetThreadInfo(jvmti, thread, &info);
	jvm_free(counting->jvm, info.name);
	jvm_frame_end(jni);
	counting->sums->live++;
	counting->sums->daemons += info.is_daemon;
}

/* What the agent itself has seen, for JVMs without counters. */
static struct sums count_threads(struct agent *agent)
{
	struct thread_counts seen = registry_counts(&agent->registry);
	struct sums sums = { 0, 0, seen.started, seen.peak };
	struct counting counting = { &agent->jvm, &sums };
	JNIEnv *jni = jvm_jni(&agent->jvm);

	if (!jni || !jvm_for_threads(&agent->jvm, jni, count_one, &counting))
		sums.live = seen.live;
	return sums;
}

static bool read_counters(const struct perfdata *perf, struct sums *sums)
{
	const int64_t *live = perfdata_counter(perf, "java.threads.live");

	if (!live)
		return false;
	*sums = (struct sums){
		perfdata_read(live),
		perfdata_read(perfdata_counter(perf, "java.threads.daemon")),
		perfdata_read(perfdata_counter(perf, "java.threads.started")),
		perfdata_read(perfdata_counter(perf, "java.threads.livePeak")),
	};
	return true;
}

static void tell_threads(struct recorder *recorder, struct batch *batch)
{
	struct agent *agent = agent_of(recorder);
	struct sums sums;

	if (!read_counters(&agent->jvm.hotspot.perf, &sums))
		sums = count_threads(agent);
	batch_begin(batch, EVENT_JAVA_THREAD_STATISTICS);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, sums.live);
	encode_long(&batch->buf, sums.daemons);
	encode_long(&batch->buf, sums.started);
	encode_long(&batch->buf, sums.peak);
	batch_end(batch);
}

const struct observer threadstatistics_observer = {
	.name = "statistics of threads",
	.periodic = (const struct periodic[]){
		{ EVENT_JAVA_THREAD_STATISTICS, tell_threads },
		{ 0 },
	},
};
