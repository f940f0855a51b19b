#include "agent/flusher.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include "agent/registry.h"
#include "host/proc.h"

#define STACK_SIZE (1 << 20)
#define NAME "cjfr recorder"

void flusher_init(struct flusher *flusher, const struct jvm *jvm,
		  struct recorder *recorder, void (*forget)(struct recorder *recorder),
		  void (*over)(struct recorder *recorder))
{
	*flusher = (struct flusher){
		.jvm = jvm,
		.recorder = recorder,
		.forget = forget,
		.over = over,
	};
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

	if (drained != flusher->drained)
		flusher->forget(recorder);
	flusher->drained = drained;
	return recorder_round(recorder);
}

/* When the recording is over, all is. */
static void work(struct flusher *flusher)
{
	int64_t due;

	do {
		due = make_round(flusher);
		if (recorder_stopped_next(flusher->recorder))
			recorder_stop(flusher->recorder);
	} while (!recorder_is_over(flusher->recorder) && rest_until(flusher, due));
}

static bool attach(struct flusher *flusher)
{
	JavaVM *vm = flusher->jvm->vm;
	char name[] = NAME;
	JavaVMAttachArgs arguments = { JNI_VERSION_1_6, name, flusher->group };
	JNIEnv *jni;

	return (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&jni, &arguments) ==
	       JNI_OK;
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

static void *run(void *context)
{
	struct flusher *flusher = context;
	JavaVM *vm = flusher->jvm->vm;
	struct err err;

	registry_mark_recorder();
	atomic_store(&flusher->tid, gettid());
	if (attach(flusher)) {
		work(flusher);
		if (recorder_is_over(flusher->recorder)) {
			ask_nothing(flusher);
			flusher->over(flusher->recorder);
		}
		(*vm)->DetachCurrentThread(vm);
	} else {
		err_set(&err, ERR_SYSTEM, "the JVM takes no thread of ours");
		recorder_fail(flusher->recorder, &err);
	}
	atomic_store(&flusher->used, now_by(CLOCK_THREAD_CPUTIME_ID));
	atomic_store(&flusher->tid, 0);
	bell_ring(&flusher->gone);
	return NULL;
}

/* Signals of the process are for others; those of faults are the JVM's to handle. */
static int make_thread(struct flusher *flusher)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP };
	pthread_attr_t attributes;
	sigset_t others, before;
	pthread_t thread;
	int error;

	sigfillset(&others);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigdelset(&others, faults[i]);
	error = pthread_attr_init(&attributes);
	if (error)
		return error;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	pthread_sigmask(SIG_SETMASK, &others, &before);
	error = pthread_create(&thread, &attributes, run, flusher);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

/* The group at the top, so that the application's own has no thread of ours. */
static jobject system_group(const struct jvm *jvm, JNIEnv *jni)
{
	jthreadGroup *groups;
	jobject group = NULL;
	jint count;

	if ((*jvm->jvmti)->GetTopThreadGroups(jvm->jvmti, &count, &groups) !=
	    JVMTI_ERROR_NONE)
		return NULL;
	if (count > 0)
		group = (*jni)->NewGlobalRef(jni, groups[0]);
	for (jint i = 0; i < count; i++)
		(*jni)->DeleteLocalRef(jni, groups[i]);
	jvm_free(jvm, groups);
	return group;
}

bool flusher_start(struct flusher *flusher, JNIEnv *jni, struct err *err)
{
	flusher->group = system_group(flusher->jvm, jni);
	errno = make_thread(flusher);
	if (errno)
		return err_system(err, "cannot start a thread");
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
