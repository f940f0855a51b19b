#include "agent/agent.h"
#include "agent/observers.h"
#include "host/perfdata.h"

#define REFERENCES 16

struct sums {
	int64_t live, daemons, started, peak;
};

static bool is_daemon(const struct jvm *jvm, JNIEnv *jni, jthread thread)
{
	jvmtiThreadInfo info = { 0 };

	if (!jvm_frame(jni, REFERENCES))
		return false;
	(*jvm->jvmti)->GetThreadInfo(jvm->jvmti, thread, &info);
	jvm_free(jvm, info.name);
	jvm_frame_end(jni);
	return info.is_daemon;
}

/* What the agent itself has seen, for JVMs without counters. */
static void count_threads(struct agent *agent, struct sums *sums)
{
	jvmtiEnv *jvmti = agent->jvm.jvmti;
	JNIEnv *jni = jvm_jni(&agent->jvm);
	jthread *all;
	jint count;

	*sums = (struct sums){ agent->threads.live, 0, agent->threads.started,
			       agent->threads.peak };
	if (!jni || !jvm_frame(jni, REFERENCES))
		return;
	if ((*jvmti)->GetAllThreads(jvmti, &count, &all) == JVMTI_ERROR_NONE) {
		jvm_room(jni, count + REFERENCES);
		sums->live = count;
		for (jint i = 0; i < count; i++)
			sums->daemons += is_daemon(&agent->jvm, jni, all[i]);
		jvm_free(&agent->jvm, all);
	}
	jvm_frame_end(jni);
}

static void tell_threads(struct recorder *recorder, struct batch *batch)
{
	struct perfdata perf = { 0 };
	const int64_t *live;
	struct sums sums;

	perfdata_find(&perf, NULL);
	live = perfdata_counter(&perf, "java.threads.live");
	if (live)
		sums = (struct sums){
			perfdata_read(live),
			perfdata_read(perfdata_counter(&perf, "java.threads.daemon")),
			perfdata_read(perfdata_counter(&perf, "java.threads.started")),
			perfdata_read(perfdata_counter(&perf, "java.threads.livePeak")),
		};
	else
		count_threads(agent_of(recorder), &sums);
	batch_begin(batch, EVENT_JAVA_THREAD_STATISTICS);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, sums.live);
	encode_long(&batch->buf, sums.daemons);
	encode_long(&batch->buf, sums.started);
	encode_long(&batch->buf, sums.peak);
	batch_end(batch);
}

static const struct periodic threads[] = {
	{ EVENT_JAVA_THREAD_STATISTICS, tell_threads },
	{ 0, NULL },
};

const struct observer thread_statistics_observer = {
	.name = "statistics of threads",
	.periodic = threads,
};

static int64_t sum_of(const struct perfdata *perf, const char *one, const char *other)
{
	return perfdata_read(perfdata_counter(perf, one)) +
	       perfdata_read(perfdata_counter(perf, other));
}

/* Without counters nothing is known of classes that are gone, and nothing is said. */
static void tell_classes(struct recorder *recorder, struct batch *batch)
{
	struct perfdata perf;

	(void)recorder;
	if (!perfdata_find(&perf, NULL) || !perfdata_counter(&perf, "java.cls.loadedClasses"))
		return;
	batch_begin(batch, EVENT_CLASS_LOADING_STATISTICS);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, sum_of(&perf, "java.cls.loadedClasses",
					"java.cls.sharedLoadedClasses"));
	encode_long(&batch->buf, sum_of(&perf, "java.cls.unloadedClasses",
					"java.cls.sharedUnloadedClasses"));
	batch_end(batch);
}

static const struct periodic classes[] = {
	{ EVENT_CLASS_LOADING_STATISTICS, tell_classes },
	{ 0, NULL },
};

const struct observer class_loading_observer = {
	.name = "statistics of classes",
	.periodic = classes,
};
