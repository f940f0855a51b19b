#include "agent/flusher.h"

#include <stdint.h>
#include <unistd.h>

#include "agent/jvmthread.h"
#include "host/proc.h"

void flusher_init(struct flusher *flusher, const struct jvm *jvm,
		  struct recorder *recorder)
{
	*flusher = (struct flusher){ .jvm = jvm, .recorder = recorder };
}

void flusher_wake(void *context)
{
	struct flusher *flusher = context;

	bell_ring(&flusher->bell);
}

/* Waits until that time, or for the bell; false: it is time to end. */
static bool rest_until(struct flusher *flusher, int64_t ticks)
{
	int64_t left = ticks - now_ticks();

	if (!atomic_load(&flusher->is_ending))
		bell_wait(&flusher->bell, left < MILLISECOND ? MILLISECOND : left);
	return !atomic_load(&flusher->is_ending);
}

static int64_t make_round(struct flusher *flusher)
{
	struct recorder *recorder = flusher->recorder;
	unsigned drained = atomic_load(&recorder->drained);
	int64_t due;

	if (drained != flusher->drained)
		flusher->forget(recorder);
	flusher->drained = drained;
	due = recorder_round(recorder);
	flusher->stopped(recorder);
	return due;
}

static void work(struct flusher *flusher)
{
	int64_t due;

	do
		due = make_round(flusher);
	while (!recorder_is_over(flusher->recorder) && rest_until(flusher, due));
}

/* What the JVM tells us costs it time; nobody wants it any more. */
static void ask_nothing(const struct flusher *flusher)
{
	static const jvmtiEvent events[] = {
		JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
		JVMTI_EVENT_OBJECT_FREE,
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		jvm_enable(flusher->jvm, events[i], false);
}

static void run(void *context, JNIEnv *jni)
{
	struct flusher *flusher = context;
	struct err err;

	atomic_store(&flusher->tid, gettid());
	if (jni) {
		work(flusher);
		if (recorder_is_over(flusher->recorder)) {
			ask_nothing(flusher);
			flusher->over(flusher->recorder);
		}
	} else {
		err_set(&err, ERR_SYSTEM, "the JVM takes no thread of ours");
		recorder_fail(flusher->recorder, &err);
	}
}

static void over(void *context)
{
	struct flusher *flusher = context;

	atomic_store(&flusher->used, now_by(CLOCK_THREAD_CPUTIME_ID));
	atomic_store(&flusher->tid, 0);
	bell_ring(&flusher->gone);
}

bool flusher_start(struct flusher *flusher, JNIEnv *jni, struct err *err)
{
	const struct jvmthread told = {
		.name = "cjfr recorder", .run = run, .over = over, .context = flusher,
	};

	if (!jvmthread_start(flusher->jvm, jni, &told, err))
		return false;
	flusher->is_running = true;
	return true;
}

int64_t flusher_cpu_time(struct flusher *flusher)
{
	pid_t tid = atomic_load(&flusher->tid);
	int64_t used = tid ? proc_thread_total(tid) : -1;

	return used >= 0 ? used : atomic_load(&flusher->used);
}

bool flusher_end(struct flusher *flusher, int64_t patience)
{
	if (!flusher->is_running)
		return true;
	atomic_store(&flusher->is_ending, true);
	bell_ring(&flusher->bell);
	return bell_wait(&flusher->gone, patience);
}
