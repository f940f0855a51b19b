#include "agent/flusher.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "agent/log.h"
#include "agent/registry.h"

#define PATIENCE 2000			/* milliseconds, for the thread to end */
#define WAIT_MAX (60 * 1000)		/* milliseconds */
#define STACK_SIZE (1 << 20)
#define NAME "cjfr recorder"

bool flusher_init(struct flusher *flusher, const struct jvm *jvm,
		  struct recorder *recorder, struct err *err)
{
	*flusher = (struct flusher){ .jvm = jvm, .recorder = recorder };
	flusher->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	flusher->gone = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (flusher->bell < 0 || flusher->gone < 0)
		return err_system(err, "cannot make a descriptor to wait for");
	return true;
}

static void ring(int bell)
{
	static const uint64_t one = 1;

	if (write(bell, &one, sizeof(one)) < 0)
		return;		/* it rings already */
}

/* True if it rang. */
static bool wait_for(int bell, int milliseconds)
{
	struct pollfd wanted = { .fd = bell, .events = POLLIN };
	uint64_t count;

	return poll(&wanted, 1, milliseconds) > 0 &&
	       read(bell, &count, sizeof(count)) == sizeof(count);
}

void flusher_wake(void *context)
{
	struct flusher *flusher = context;
	int error = errno;

	ring(flusher->bell);
	errno = error;
}

/* Waits until that time, or for the bell; false: it is time to end. */
static bool rest_until(struct flusher *flusher, int64_t ticks)
{
	int64_t left = ticks - now_ticks();

	left = left <= 0 ? 1 : left / MILLISECOND + 1;
	if (!atomic_load(&flusher->is_ending))
		wait_for(flusher->bell, left < WAIT_MAX ? (int)left : WAIT_MAX);
	return !atomic_load(&flusher->is_ending);
}

static bool begin(struct flusher *flusher)
{
	const struct orders *orders = flusher->recorder->orders;
	int64_t start = now_ticks() + orders->delay;
	struct err err;

	if (orders->delay == 0)
		return true;		/* it has been started already */
	while (now_ticks() < start) {
		if (!rest_until(flusher, start))
			return false;
	}
	if (recorder_start(flusher->recorder, &err))
		return true;
	log_line(err.text);
	return false;
}

static void work(struct flusher *flusher)
{
	int64_t duration = flusher->recorder->orders->duration;
	int64_t end = INT64_MAX, due;

	if (!begin(flusher))
		return;
	if (duration)
		end = now_ticks() + duration;
	do {
		due = recorder_round(flusher->recorder);
		if (due < end)
			continue;
		due = end;
		if (now_ticks() >= end) {
			recorder_stop(flusher->recorder);
			return;
		}
	} while (rest_until(flusher, due));
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

static void *run(void *context)
{
	struct flusher *flusher = context;
	JavaVM *vm = flusher->jvm->vm;

	registry_mark_recorder();
	if (attach(flusher)) {
		work(flusher);
		(*vm)->DetachCurrentThread(vm);
	} else {
		log_line("the JVM takes no thread of ours: nothing more is recorded");
	}
	ring(flusher->gone);
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

bool flusher_end(struct flusher *flusher)
{
	if (!flusher->is_running)
		return true;
	atomic_store(&flusher->is_ending, true);
	ring(flusher->bell);
	return wait_for(flusher->gone, PATIENCE);
}
