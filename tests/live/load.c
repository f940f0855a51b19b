/*
 * load.c - four threads that write events and count them: what the agent for tests has
 * beside that of users (libcjfragentload.so, which is never installed).
 *
 *	CJFR_LOAD	the file of the counts, made here: struct count, one for each thread
 *	CJFR_LOAD_RATE	events of a thread, a second (2000); 0: as many as it can
 *	CJFR_LOAD_SEED	for what comes by chance: how many events come in a row
 *	CJFR_LOAD_CRASH	after so many milliseconds the first thread makes a fault
 *	CJFR_LOAD_DIE	at that step the process is killed: each change of a file by the
 *			agent has one before it, one behind it, and some one half way
 *	CJFR_LOAD_FINISH  the same, but of those by which it makes the file itself, as
 *			its cjfr is gone
 *
 * Without CJFR_LOAD the agent is the one of users. The threads are the system's alone,
 * as the JVM knows none of them. A thread commits an event, and then counts it, so that
 * a recording has as many of its events as were counted, or one more, whatever happened
 * to the process. They are jdk.VirtualThreadStart: javaThreadId is 1 for the first one
 * of a thread, and one more for each of those that follow. In the thread "load-T", each
 * has one frame, of the method "at" of the class "load.CT_N", where N is the number of
 * the event with which the class came: each CLASS_EVENTS there is a new one.
 */
#include <fcntl.h>
#include <jni.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/finish.h"
#include "base/now.h"
#include "engine/emit.h"
#include "engine/recorder.h"
#include "engine/stack.h"
#include "engine/threadname.h"
#include "unit/named.h"

#define THREADS 4
#define FIRST_NUMBER 1000000	/* of these threads: none of Java's has it */
#define CLASS_EVENTS 50
#define IN_A_ROW 40
#define OBSERVERS_MAX 64

/* In memory that is there when the process is gone. */
struct count {
	_Alignas(64) uint64_t committed;
	uint64_t lost;			/* there was no room: these have no number */
};

static struct load {
	struct recorder *recorder;
	struct count *counts;
	int64_t rate, crash_at;		/* ticks; 0: never */
	uint64_t seed;
	int64_t die_at;			/* which step, 0: never */
	int64_t steps;			/* made so far */
} load;

struct writing {
	int index;
	uint64_t chance;
	struct lane *lane;
	struct count *count;
	uint64_t thread, class;		/* keys */
	struct buf buf;
};

static int64_t setting(const char *name, int64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoll(text, NULL, 10) : otherwise;
}

static uint64_t chance(uint64_t *state, uint64_t limit)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % limit;
}

/* --- names ---------------------------------------------------------------------- */

static void put_thread(struct writing *self)
{
	char name[40];

	snprintf(name, sizeof(name), "load-%d", self->index);
	self->thread = threadname_java_key(FIRST_NUMBER + self->index);
	named_thread(load.recorder->constants, &self->buf, self->thread, name, gettid(),
		     FIRST_NUMBER + self->index);
}

/* The one before is gone, but not what was recorded of it. */
static void next_class(struct writing *self, uint64_t number)
{
	struct constants *constants = load.recorder->constants;
	char name[60];

	if (self->class)
		constants_unpin(constants, POOL_CLASS, self->class);
	snprintf(name, sizeof(name), "load/C%d_%llu", self->index,
		 (unsigned long long)number);
	self->class = named_class(constants, &self->buf, name);
}

static uint64_t stack(struct writing *self, uint64_t number)
{
	struct constants *constants = load.recorder->constants;
	struct method_place place = {
		.method = named_method(constants, &self->buf, self->class, "at"),
		.line = (int32_t)(number % 10) + 1,
		.is_native = true,
	};

	stack_begin(&self->buf, false, 1);
	stack_frame(&self->buf, constants, &place, 0, 0);
	return stack_end(&self->buf, constants);
}

/* --- writing -------------------------------------------------------------------- */

static void write_event(struct writing *self)
{
	uint64_t number = self->count->committed + 1;
	struct emit event;

	if (number % CLASS_EVENTS == 1)
		next_class(self, number);
	if (!emit_begin(&event, self->lane, EVENT_VIRTUAL_THREAD_START, EMIT_ROOM(4))) {
		self->count->lost += recorder_wants(load.recorder,
						    EVENT_VIRTUAL_THREAD_START);
		return;
	}
	emit_long(&event, now_ticks());
	emit_long(&event, (int64_t)self->thread);
	emit_long(&event, (int64_t)stack(self, number));
	emit_long(&event, (int64_t)number);
	if (emit_commit(&event))
		__atomic_store_n(&self->count->committed, number, __ATOMIC_RELEASE);
}

static void pause_for(int64_t nanos)
{
	struct timespec time = { nanos / SECOND, nanos % SECOND };

	if (nanos > 0)
		nanosleep(&time, NULL);
}

static void fault(void)
{
	volatile int *volatile nowhere = NULL;

	*nowhere = 1;
}

/* Some in a row, and a rest after them, so that the rate is as it should be. */
static void write_some(struct writing *self)
{
	uint64_t row = 1 + chance(&self->chance, IN_A_ROW);

	for (uint64_t i = 0; i < row; i++)
		write_event(self);
	if (load.crash_at && self->index == 0 && now_ticks() >= load.crash_at)
		fault();
	if (load.rate)
		pause_for((int64_t)row * SECOND / load.rate);
}

static void *run(void *context)
{
	struct writing self = { .index = (int)(intptr_t)context };

	self.chance = (load.seed + 1) * 0x9e3779b97f4a7c15 ^ (uint64_t)self.index << 20;
	self.count = &load.counts[self.index];
	while (!recorder_wants(load.recorder, EVENT_VIRTUAL_THREAD_START)) {
		if (recorder_is_over(load.recorder))
			return NULL;
		pause_for(MILLISECOND / 10);
	}
	put_thread(&self);
	self.lane = store_lane(&load.recorder->store);
	while (self.lane && recorder_wants(load.recorder, EVENT_VIRTUAL_THREAD_START))
		write_some(&self);
	buf_clear(&self.buf);
	return NULL;
}

/* Nobody waits for them: they find out for themselves when it is over. */
static bool start(struct recorder *recorder, struct err *err)
{
	pthread_attr_t attributes;
	pthread_t thread;

	load.recorder = recorder;
	if (pthread_attr_init(&attributes) != 0)
		return err_memory(err);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	for (intptr_t i = 0; i < THREADS; i++) {
		if (pthread_create(&thread, &attributes, run, (void *)i) != 0)
			return err_memory(err);
	}
	pthread_attr_destroy(&attributes);
	return true;
}

static const struct observer load_observer = { .name = "load", .start = start };

/* --- how it gets into the agent (-Wl,--wrap) ------------------------------------ */

bool __real_recorder_open(struct recorder *recorder, struct orders *orders,
			  const struct observer *const *observers, void *context,
			  struct err *err);
bool __wrap_recorder_open(struct recorder *recorder, struct orders *orders,
			  const struct observer *const *observers, void *context,
			  struct err *err);

static bool prepare(const char *path)
{
	size_t size = THREADS * sizeof(struct count);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int64_t crash = setting("CJFR_LOAD_CRASH", 0);

	if (fd < 0 || ftruncate(fd, (off_t)size) < 0)
		return false;
	load.counts = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	load.rate = setting("CJFR_LOAD_RATE", 2000);
	load.seed = (uint64_t)setting("CJFR_LOAD_SEED", 1);
	load.die_at = setting("CJFR_LOAD_DIE", 0);
	load.crash_at = crash ? now_ticks() + crash * MILLISECOND : 0;
	return load.counts != MAP_FAILED;
}

bool __wrap_recorder_open(struct recorder *recorder, struct orders *orders,
			  const struct observer *const *observers, void *context,
			  struct err *err)
{
	static const struct observer *all[OBSERVERS_MAX];
	const char *path = getenv("CJFR_LOAD");
	size_t count = 0;

	if (!path)
		return __real_recorder_open(recorder, orders, observers, context, err);
	if (!prepare(path))
		return err_system(err, "cannot map '%s'", path);
	while (observers[count] && count < OBSERVERS_MAX - 2) {
		all[count] = observers[count];
		count++;
	}
	all[count] = &load_observer;
	return __real_recorder_open(recorder, orders, all, context, err);
}

/* --- an end in the midst of writing ---------------------------------------------- */

/* Steps: before each change of a file, behind it, and half way where there is one. */
static bool dies_here(void)
{
	return load.die_at &&
	       __atomic_add_fetch(&load.steps, 1, __ATOMIC_RELAXED) == load.die_at;
}

static void die(void)
{
	kill(getpid(), SIGKILL);
	pause_for(SECOND);
}

/* Around one: those that are whole in any case have no half. */
#define STEPS(call)                                                                    \
	({                                                                             \
		if (dies_here())                                                       \
			die();                                                         \
		__auto_type result_ = (call);                                          \
		if (dies_here())                                                       \
			die();                                                         \
		result_;                                                               \
	})

ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at);
int __real_unlink(const char *path);
int __wrap_unlink(const char *path);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size);
int __real_posix_fallocate(int fd, off_t at, off_t size);
int __wrap_posix_fallocate(int fd, off_t at, off_t size);

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	if (dies_here()) {
		__real_pwrite(fd, bytes, size / 2, at);
		die();
	}
	return STEPS(__real_pwrite(fd, bytes, size, at));
}

int __wrap_unlink(const char *path)
{
	return STEPS(__real_unlink(path));
}

int __wrap_rename(const char *from, const char *to)
{
	return STEPS(__real_rename(from, to));
}

int __wrap_ftruncate(int fd, off_t size)
{
	return STEPS(__real_ftruncate(fd, size));
}

int __wrap_posix_fallocate(int fd, off_t at, off_t size)
{
	return STEPS(__real_posix_fallocate(fd, at, size));
}

/* --- the same, while it makes the file ------------------------------------------- */

/* Each is a function of the system that agent/finish comes to in the end. */
#define WRAP(name, parameters, ...)                                                    \
	int __real_##name parameters;                                                  \
	int __wrap_##name parameters;                                                  \
	int __wrap_##name parameters                                                   \
	{                                                                              \
		return STEPS(__real_##name(__VA_ARGS__));                              \
	}

WRAP(fsync, (int fd), fd)
WRAP(linkat, (int from, const char *name, int to, const char *as, int flags), from, name,
     to, as, flags)
WRAP(symlink, (const char *text, const char *name), text, name)
WRAP(unlinkat, (int folder, const char *name, int flags), folder, name, flags)
WRAP(rmdir, (const char *path), path)

ssize_t __real_copy_file_range(int from, off64_t *at, int to, off64_t *as, size_t size,
			       unsigned flags);
ssize_t __wrap_copy_file_range(int from, off64_t *at, int to, off64_t *as, size_t size,
			       unsigned flags);

ssize_t __wrap_copy_file_range(int from, off64_t *at, int to, off64_t *as, size_t size,
			       unsigned flags)
{
	if (dies_here()) {
		__real_copy_file_range(from, at, to, as, size / 2, flags);
		die();
	}
	return STEPS(__real_copy_file_range(from, at, to, as, size, flags));
}

bool __real_finish_recording(const struct repository *repository,
			     const struct orders *orders, int64_t session_nanos,
			     int64_t deadline, struct err *err);
bool __wrap_finish_recording(const struct repository *repository,
			     const struct orders *orders, int64_t session_nanos,
			     int64_t deadline, struct err *err);

bool __wrap_finish_recording(const struct repository *repository,
			     const struct orders *orders, int64_t session_nanos,
			     int64_t deadline, struct err *err)
{
	int64_t at = setting("CJFR_LOAD_FINISH", 0);

	if (at) {
		load.steps = 0;
		load.die_at = at;
	}
	return __real_finish_recording(repository, orders, session_nanos, deadline, err);
}

/* --- a fault in native code, on a thread of Java: Ends.java ---------------------- */

JNIEXPORT void JNICALL Java_Ends_fault(JNIEnv *jni, jclass type);
JNIEXPORT void JNICALL Java_Ends_fault(JNIEnv *jni, jclass type)
{
	(void)jni;
	(void)type;
	fault();
}
