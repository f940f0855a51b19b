#include "agent/threadload.h"

#include <unistd.h>

#include "agent/allobservers.h"
#include "engine/emit.h"
#include "host/proc.h"

#define LEAST INT64_C(1000000)	/* nanoseconds of CPU time that are worth an event */

/* Of all processors, 0 to 1. */
struct share {
	float user, system;
};

static float share_of(int64_t used, int64_t passed)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	double part = (double)used / (double)passed;

	part /= (double)(processors < 1 ? 1 : processors);
	/* What is known to the tick may be a little too much, or too little. */
	return part < 0 ? 0 : part > 1 ? 1 : (float)part;
}

/* Ticks of the start: what was seen before it was in another recording. */
static atomic_int_fast64_t since;

/* Since it was last told of; false if that is too little, or never was. */
static bool measure(struct thread *thread, int64_t now, struct share *share)
{
	struct thread_cpu last = thread->cpu;
	int64_t passed = last.at >= atomic_load(&since) && last.at ? now - last.at : 0;
	struct proc_times used;

	if (passed > 0 && proc_thread_total(thread->tid) - last.used.user -
					  last.used.system < LEAST)
		return false;
	if (!proc_thread_times(thread->tid, &used))
		return false;
	thread->cpu = (struct thread_cpu){ now, used };
	if (passed <= 0)
		return false;
	share->user = share_of(used.user - last.used.user, passed);
	share->system = share_of(used.system - last.used.system, passed);
	return true;
}

void threadload_first(struct agent *agent, const struct thread *self, int64_t now)
{
	struct thread copy = { .key = self->key, .tid = self->tid, .cpu.at = now };

	if (proc_own_times(&copy.cpu.used))
		registry_keep_cpu(&agent->registry, &copy);
}

void threadload_last(struct agent *agent, const struct thread *self)
{
	struct thread copy = registry_copy_one(&agent->registry, self);
	int64_t now = now_ticks();
	struct emit event;
	struct share share;

	if (!measure(&copy, now, &share))
		return;
	if (!registry_emit(&agent->registry, &event, EVENT_THREAD_CPU_LOAD,
			   EMIT_ROOM(4)))
		return;
	emit_long(&event, now);
	emit_long(&event, (int64_t)self->key);
	emit_float(&event, share.user);
	emit_float(&event, share.system);
	registry_commit(&agent->registry, &event);
}

static void tell_one(struct agent *agent, struct batch *batch, struct thread *thread)
{
	struct share share;
	bool is_worth = measure(thread, batch->now, &share);

	if (thread->cpu.at == batch->now)
		registry_keep_cpu(&agent->registry, thread);
	if (!is_worth)
		return;
	batch_begin(batch, EVENT_THREAD_CPU_LOAD);
	encode_long(&batch->buf, batch->now);
	encode_long(&batch->buf, (int64_t)thread->key);
	encode_float(&batch->buf, share.user);
	encode_float(&batch->buf, share.system);
	batch_end(batch);
}

/*
 * Threads of Java's kind that the JVM has for itself and shows to nobody. The system has
 * 15 bytes of their names, JDKs from 21 on the first 7 and the last 6.
 */
static bool is_hidden_java(pid_t tid)
{
	static const char *const names[] = {
		"C1 Comp", "C2 Comp", "JVMCI C", "Service Thread", "Monitor",
		"Sweeper thread",
	};
	struct buf name = { 0 };
	bool is_one = false;

	if (proc_thread_name(&name, tid)) {
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			is_one |= str_starts(buf_as_str(&name), str_of(names[i]));
	}
	buf_clear(&name);
	return is_one;
}

/* They get records as they are met. */
static void meet_hidden(struct agent *agent)
{
	struct proc_list list;
	pid_t tid;

	if (!proc_list_open(&list, "/proc/self/task"))
		return;
	while (proc_list_next(&list, &tid)) {
		if (!registry_knows(&agent->registry, tid) && is_hidden_java(tid))
			registry_key_of(&agent->registry, tid);
	}
	proc_list_close(&list);
}

/* Looks at all threads, and so notices those that have another name. */
static void tell_load(struct recorder *recorder, struct batch *batch)
{
	struct agent *agent = agent_of(recorder);
	JNIEnv *jni = jvm_jni(&agent->jvm);
	struct thread_copies copies = { 0 };

	if (jni)
		registry_rename(&agent->registry, jni);
	meet_hidden(agent);
	registry_copy(&agent->registry, &copies);
	for (size_t i = 0; i < copies.of.count; i++) {
		struct thread *thread = &copies.of.items[i];

		if (thread->java_tid || is_hidden_java(thread->tid))
			tell_one(agent, batch, thread);
	}
	vec_clear(&copies.of);
}

/* A thread that began before is met with the first round, as those that were there. */
static bool start(struct recorder *recorder, struct err *err)
{
	(void)recorder, (void)err;
	atomic_store(&since, now_ticks());
	return true;
}

const struct observer threadload_observer = {
	.name = "load of threads",
	.periodic = (const struct periodic[]){
		{ EVENT_THREAD_CPU_LOAD, tell_load },
		{ 0 },
	},
	.start = start,
};
