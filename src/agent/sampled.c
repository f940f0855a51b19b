#include "agent/sampled.h"

#include "control/threadfilter.h"
#include "host/proc.h"

#define LIST_EACH SECOND		/* at most; more rarely where there are ... */
#define LIST_EACH_THREAD MILLISECOND	/* ... so many threads */
#define JUDGE_EACH SECOND

/* The key of threads that are not Java's. */
#define NOBODYS 0

static struct str filter_of(struct sampled *sampled)
{
	struct str filter;

	pthread_mutex_lock(&sampled->lock);
	filter = sampled->filter;
	pthread_mutex_unlock(&sampled->lock);
	return filter;
}

static bool has_filter(struct sampled *sampled)
{
	return filter_of(sampled).size > 0;
}

static bool is_wanted(struct sampled *sampled, JNIEnv *jni, jthread thread)
{
	struct str filter = filter_of(sampled);
	struct buf name = { 0 };
	bool is_one;

	if (filter.size == 0)
		return true;
	is_one = jvm_add_thread_name(&name, &sampled->agent->jvm, jni, thread) &&
		 threadfilter_matches(filter, buf_as_str(&name));
	buf_clear(&name);
	return is_one;
}

/* Threads of Java's --------------------------------------------------------------- */

/*
 * Who ends gives up its record, then its timer: so none is left to one that is gone. If
 * the tid is another's by now, whose timer this one has taken, it gets it again; where
 * names count, when they are looked at next.
 */
static void add(struct sampled *sampled, const struct thread *thread)
{
	struct registry *registry = &sampled->agent->registry;
	struct thread one = *thread, now;
	bool is_other = true;

	if (!one.is_ours && one.java_tid)
		atomic_store(&sampled->has_one, true);
	while (is_other && !one.is_ours && one.java_tid) {
		ticks_add(sampled->ticks, one.tid, one.key);
		if (!registry_find(registry, one.tid, &now))
			now.key = 0;
		if (now.key == one.key)
			return;
		ticks_remove(sampled->ticks, one.tid, one.key);
		is_other = now.key && !has_filter(sampled);
		one = now;
	}
}

void sampled_add(struct sampled *sampled, JNIEnv *jni, jthread thread,
		 const struct thread *self)
{
	if (is_wanted(sampled, jni, thread))
		add(sampled, self);
}

void sampled_remove(struct sampled *sampled, pid_t tid, uint64_t key)
{
	ticks_remove(sampled->ticks, tid, key);
}

static void judge_one(void *context, JNIEnv *jni, jthread thread)
{
	struct sampled *sampled = context;
	int64_t number = jvm_thread_number(jni, thread);
	struct thread copy;

	if (!registry_find_java(&sampled->agent->registry, number, &copy))
		return;
	if (is_wanted(sampled, jni, thread))
		add(sampled, &copy);
	else
		ticks_remove(sampled->ticks, copy.tid, copy.key);
}

static void judge(struct sampled *sampled, JNIEnv *jni)
{
	sampled->judged = now_ticks();
	jvm_for_threads(&sampled->agent->jvm, jni, judge_one, sampled);
}

/* Others -------------------------------------------------------------------------- */

static bool is_other(const struct sampled *sampled, pid_t tid)
{
	struct agent *agent = sampled->agent;
	struct thread record;

	if (tid == atomic_load(&agent->flusher.tid))
		return false;
	return !registry_find(&agent->registry, tid, &record) ||
	       (!record.java_tid && !record.is_ours);
}

static void forget_gone(struct sampled *sampled)
{
	size_t left = 0;

	for (size_t i = 0; i < sampled->others.count; i++) {
		pid_t tid = sampled->others.items[i];

		if (proc_is_thread(tid)) {
			sampled->others.items[left++] = tid;
			continue;
		}
		map_remove(&sampled->known, (uint64_t)tid);
		ticks_remove(sampled->ticks, tid, NOBODYS);
	}
	sampled->others.count = left;
}

static void meet(struct sampled *sampled, pid_t tid)
{
	if (map_put(&sampled->known, (uint64_t)tid, 0) &&
	    vec_push(&sampled->others, tid))
		ticks_add(sampled->ticks, tid, NOBODYS);
}

static void meet_new(struct sampled *sampled)
{
	struct proc_list list;
	pid_t tid;

	if (!proc_list_open(&list, "/proc/self/task"))
		return;
	while (proc_list_next(&list, &tid)) {
		if (map_find(&sampled->known, (uint64_t)tid) == MAP_NONE &&
		    !ticks_has(sampled->ticks, tid) && is_other(sampled, tid))
			meet(sampled, tid);
	}
	proc_list_close(&list);
}

static size_t untimed(const struct sampled *sampled)
{
	return (size_t)proc_thread_count() - ticks_count(sampled->ticks);
}

/* Threads that start and end as they should change nothing of this number. */
static void look_for_others(struct sampled *sampled)
{
	int64_t now = now_ticks(), threads = (int64_t)ticks_count(sampled->ticks);

	if (sampled->ticks->mode != TICK_CPU ||
	    now < sampled->listed + LIST_EACH + threads * LIST_EACH_THREAD ||
	    untimed(sampled) == sampled->untimed)
		return;
	forget_gone(sampled);
	meet_new(sampled);
	sampled->listed = now;
	sampled->untimed = untimed(sampled);
}

/* All ----------------------------------------------------------------------------- */

static void add_all(struct sampled *sampled)
{
	struct thread_copies copies = { 0 };

	registry_copy(&sampled->agent->registry, &copies);
	for (size_t i = 0; i < copies.of.count; i++)
		add(sampled, &copies.of.items[i]);
	vec_clear(&copies.of);
}

void sampled_open(struct sampled *sampled, struct agent *agent, struct ticks *ticks)
{
	vec_clear(&sampled->others);
	map_clear(&sampled->known);
	sampled->agent = agent;
	sampled->ticks = ticks;
	pthread_mutex_lock(&sampled->lock);
	sampled->filter = agent->orders.threads;
	pthread_mutex_unlock(&sampled->lock);
	sampled->listed = sampled->judged = 0;
	sampled->untimed = 0;
	atomic_store(&sampled->has_one, false);
}

void sampled_begin(struct sampled *sampled, JNIEnv *jni)
{
	if (has_filter(sampled))
		judge(sampled, jni);
	else
		add_all(sampled);
	ticks_tune(sampled->ticks);
}

bool sampled_had_one(struct sampled *sampled)
{
	return atomic_load(&sampled->has_one);
}

void sampled_look(struct sampled *sampled, JNIEnv *jni)
{
	if (has_filter(sampled) && jni && now_ticks() >= sampled->judged + JUDGE_EACH)
		judge(sampled, jni);
	look_for_others(sampled);
	ticks_tune(sampled->ticks);
}
