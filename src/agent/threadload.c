#include "agent/threadload.h"

#include <sys/resource.h>
#include <unistd.h>

#include "agent/observers.h"
#include "engine/emit.h"
#include "host/proc.h"

#define LEAST INT64_C(1000000)	/* nanoseconds of CPU time that are worth an event */

struct load {
	float user, system;
};

static float share(int64_t used, int64_t passed)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	double part = (double)used / (double)passed / (double)(processors < 1 ? 1 : processors);

	/* What is known to the tick may be a little too much, or too little. */
	return part < 0 ? 0 : part > 1 ? 1 : (float)part;
}

/* Since it was last told of; false if that is too little, or never was. */
static bool measure(struct thread *thread, int64_t now, struct load *load)
{
	int64_t before = thread->cpu_user + thread->cpu_system;
	int64_t passed = thread->cpu_at ? now - thread->cpu_at : 0;
	struct proc_times times, last = { thread->cpu_user, thread->cpu_system };

	if (passed > 0 && proc_thread_total(thread->tid) - before < LEAST)
		return false;
	if (!proc_thread_times(thread->tid, &times))
		return false;
	thread->cpu_user = times.user;
	thread->cpu_system = times.system;
	thread->cpu_at = now;
	if (passed <= 0)
		return false;
	load->user = share(times.user - last.user, passed);
	load->system = share(times.system - last.system, passed);
	return true;
}

static int64_t nanoseconds(struct timeval time)
{
	return (time.tv_sec * INT64_C(1000000) + time.tv_usec) * 1000;
}

void threadload_first(struct agent *agent, const struct thread *self, int64_t now)
{
	struct thread copy = { .key = self->key, .tid = self->tid, .cpu_at = now };
	struct rusage used;

	if (getrusage(RUSAGE_THREAD, &used) != 0)
		return;
	copy.cpu_user = nanoseconds(used.ru_utime);
	copy.cpu_system = nanoseconds(used.ru_stime);
	threads_keep_cpu(&agent->threads, &copy);
}

void threadload_last(struct agent *agent, const struct thread *self)
{
	struct thread copy = threads_copy_one(&agent->threads, self);
	int64_t now = now_ticks();
	struct emit event;
	struct load load;

	if (!measure(&copy, now, &load))
		return;
	if (emit_begin(&event, threads_share(&agent->threads), EVENT_THREAD_CPU_LOAD,
			EMIT_ROOM(4))) {
		emit_long(&event, now);
		emit_long(&event, (int64_t)self->key);
		emit_float(&event, load.user);
		emit_float(&event, load.system);
		emit_commit(&event);
	}
	threads_share_end(&agent->threads);
}

static void tell_one(struct agent *agent, struct batch *batch, struct thread *thread)
{
	struct load load;
	bool is_worth = measure(thread, batch->now, &load);

	if (thread->cpu_at == batch->now)
		threads_keep_cpu(&agent->threads, thread);
	if (!is_worth)
		return;
	batch_begin(batch, EVENT_THREAD_CPU_LOAD);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, (int64_t)thread->key);
	encode_float(&batch->buf, load.user);
	encode_float(&batch->buf, load.system);
	batch_end(batch);
}

/* Looks at all threads, and so notices those that are gone or have another name. */
static void tell(struct recorder *recorder, struct batch *batch)
{
	struct agent *agent = agent_of(recorder);
	JNIEnv *jni = jvm_jni(&agent->jvm);
	struct thread_copies copies = { 0 };

	if (jni)
		threads_rename(&agent->threads, jni);
	threads_copy(&agent->threads, &copies);
	for (size_t i = 0; i < copies.of.count; i++) {
		struct thread *thread = &copies.of.items[i];

		if (proc_thread_total(thread->tid) < 0)
			threads_gone(&agent->threads, thread);
		else if (thread->java_tid)
			tell_one(agent, batch, thread);
	}
	vec_clear(&copies.of);
}

static const struct periodic periodic[] = {
	{ EVENT_THREAD_CPU_LOAD, tell },
	{ 0, NULL },
};

const struct observer thread_load_observer = {
	.name = "load of threads",
	.periodic = periodic,
};
