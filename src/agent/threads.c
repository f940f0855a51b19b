#include "agent/threads.h"

#include <stdlib.h>
#include <unistd.h>

#include "agent/identity.h"
#include "host/proc.h"

/* The thread that runs this. Built for static TLS: to find it calls nothing. */
static __thread struct thread *self;
static __thread bool is_recorder;

void threads_init(struct threads *threads, const struct jvm *jvm,
		  struct constants *constants, struct store *store)
{
	*threads =
		(struct threads){ .jvm = jvm, .constants = constants, .store = store };
	pthread_mutex_init(&threads->lock, NULL);
	pthread_mutex_init(&threads->lane_lock, NULL);
}

void threads_mark_recorder(void)
{
	is_recorder = true;
}

/* Numbers of Java's threads are never used again, those of the system are. */
static uint64_t key_of_java(int64_t java_tid)
{
	return (uint64_t)java_tid << 1 | 1;
}

static uint64_t key_of_other(struct threads *threads)
{
	uint64_t number;

	pthread_mutex_lock(&threads->lock);
	number = ++threads->others;
	pthread_mutex_unlock(&threads->lock);
	return number << 1;
}

/* Records --------------------------------------------------------------------- */

/* Under the lock. */
static struct thread *find_tid(struct threads *threads, pid_t tid)
{
	uint32_t index = map_find(&threads->by_tid, (uint64_t)tid);

	return index == MAP_NONE ? NULL : threads->all.items[index];
}

static struct thread *find_key(struct threads *threads, uint64_t key)
{
	uint32_t index = map_find(&threads->by_key, key);

	return index == MAP_NONE ? NULL : threads->all.items[index];
}

static void count_record(struct threads *threads, const struct thread *thread, int more)
{
	struct thread_counts *counts = &threads->counts;

	if (!thread->java_tid)
		return;
	counts->live += more;
	counts->started += more > 0;
	if (counts->live > counts->peak)
		counts->peak = counts->live;
}

static bool add_record(struct threads *threads, struct thread *thread)
{
	thread->index = threads->all.count;
	if (map_put(&threads->by_tid, (uint64_t)thread->tid, (uint32_t)thread->index) &&
	    map_put(&threads->by_key, thread->key, (uint32_t)thread->index) &&
	    vec_push(&threads->all, thread)) {
		count_record(threads, thread, 1);
		return true;
	}
	map_remove(&threads->by_tid, (uint64_t)thread->tid);
	map_remove(&threads->by_key, thread->key);
	return false;
}

/* The last record takes its place. */
static void remove_record(struct threads *threads, struct thread *thread)
{
	struct thread *last = threads->all.items[threads->all.count - 1];

	map_remove(&threads->by_tid, (uint64_t)thread->tid);
	map_remove(&threads->by_key, thread->key);
	threads->all.count--;
	count_record(threads, thread, -1);
	if (last == thread)
		return;
	last->index = thread->index;
	threads->all.items[last->index] = last;
	map_put(&threads->by_tid, (uint64_t)last->tid, (uint32_t)last->index);
	map_put(&threads->by_key, last->key, (uint32_t)last->index);
}

/* A record that is not there yet: NULL without memory, then it is in no events. */
static struct thread *new_record(struct threads *threads,
				 const struct identity *identity)
{
	struct thread *thread = calloc(1, sizeof(*thread));
	bool is_in;

	if (!thread)
		return NULL;
	thread->tid = identity->tid;
	thread->java_tid = identity->java_tid;
	thread->group = identity->group;
	thread->is_ours = is_recorder;
	thread->key = identity->java_tid ? key_of_java(identity->java_tid)
					 : key_of_other(threads);
	is_in = identity_put(identity, threads->constants, thread->key, &thread->said);
	if (is_in) {
		pthread_mutex_lock(&threads->lock);
		is_in = add_record(threads, thread);
		pthread_mutex_unlock(&threads->lock);
	}
	if (is_in)
		return thread;
	constants_unpin(threads->constants, POOL_THREAD, thread->key);
	free(thread);
	return NULL;
}

static struct thread *find_record(struct threads *threads, pid_t tid)
{
	struct thread *thread;

	pthread_mutex_lock(&threads->lock);
	thread = find_tid(threads, tid);
	pthread_mutex_unlock(&threads->lock);
	return thread;
}

struct thread *threads_self(struct threads *threads)
{
	if (!self)
		self = find_record(threads, gettid());
	return self;
}

/* Takes out a record, if it is still there. */
static void take_out(struct threads *threads, uint64_t key)
{
	struct thread *thread;

	pthread_mutex_lock(&threads->lock);
	thread = find_key(threads, key);
	if (thread)
		remove_record(threads, thread);
	pthread_mutex_unlock(&threads->lock);
	if (!thread)
		return;
	constants_unpin(threads->constants, POOL_THREAD, key);
	if (thread->lane)
		lane_release(thread->lane);
	free(thread);
}

struct thread *threads_enter(struct threads *threads, JNIEnv *jni, jthread thread)
{
	struct identity identity;

	if (!identity_read(&identity, threads->jvm, threads->constants, jni, thread))
		return NULL;
	identity.tid = gettid();
	if (threads_self(threads) && self->key != key_of_java(identity.java_tid)) {
		/* The system gave the number of a thread that is gone to this one. */
		take_out(threads, self->key);
		self = NULL;
	}
	if (!self)
		self = new_record(threads, &identity);
	identity_clear(&identity);
	return self;
}

/* The group is gone by the time that a thread ends. */
static void rename_record(struct threads *threads, JNIEnv *jni, jthread thread,
			  const struct thread *known, uint32_t *said)
{
	struct identity identity;

	if (!identity_read(&identity, threads->jvm, threads->constants, jni, thread))
		return;
	identity.tid = known->tid;
	identity.java_tid = known->java_tid;
	identity.group = known->group;
	identity_put(&identity, threads->constants, known->key, said);
	identity_clear(&identity);
}

void threads_reread(struct threads *threads, JNIEnv *jni, jthread thread)
{
	struct thread copy;

	if (!threads_self(threads))
		return;
	copy = threads_copy_one(threads, self);
	rename_record(threads, jni, thread, &copy, &copy.said);
	pthread_mutex_lock(&threads->lock);
	self->said = copy.said;
	pthread_mutex_unlock(&threads->lock);
}

void threads_leave(struct threads *threads)
{
	if (threads_self(threads))
		take_out(threads, self->key);
	self = NULL;
}

/*
 * A lane takes a whole buffer: where thousands of threads wait in a pool, they would
 * take them all.
 */
bool threads_emit(struct threads *threads, struct emit *event, enum event_id id,
		  size_t room)
{
	pthread_mutex_lock(&threads->lane_lock);
	if (!threads->lane)
		threads->lane = store_lane(threads->store);
	if (emit_begin(event, threads->lane, id, room))
		return true;
	pthread_mutex_unlock(&threads->lane_lock);
	return false;
}

void threads_commit(struct threads *threads, struct emit *event)
{
	emit_commit(event);
	pthread_mutex_unlock(&threads->lane_lock);
}

struct lane *threads_lane(struct threads *threads, struct thread *thread)
{
	if (!thread->lane)
		thread->lane = store_lane(threads->store);
	return thread->lane;
}

/* All of them ----------------------------------------------------------------- */

/* Those that end have no number in the system by then, or one that is gone. */
static void scan_one(void *context, JNIEnv *jni, jthread thread)
{
	struct threads *threads = context;
	int64_t java_tid = jvm_thread_number(jni, thread);
	struct identity identity;
	struct thread *known;

	pthread_mutex_lock(&threads->lock);
	known = find_key(threads, key_of_java(java_tid));
	pthread_mutex_unlock(&threads->lock);
	if (!java_tid || known ||
	    !identity_read(&identity, threads->jvm, threads->constants, jni, thread))
		return;
	identity.tid = jvm_thread_tid(threads->jvm, jni, thread);
	if (identity.tid)
		new_record(threads, &identity);
	identity_clear(&identity);
}

static void rename_one(void *context, JNIEnv *jni, jthread thread)
{
	struct threads *threads = context;
	uint64_t key = key_of_java(jvm_thread_number(jni, thread));
	struct thread copy = { 0 }, *known;
	uint32_t said;

	pthread_mutex_lock(&threads->lock);
	known = find_key(threads, key);
	if (known)
		copy = *known;
	pthread_mutex_unlock(&threads->lock);
	if (!known)
		return;
	said = copy.said;
	rename_record(threads, jni, thread, &copy, &said);
	pthread_mutex_lock(&threads->lock);
	known = find_key(threads, key);
	if (known)
		known->said = said;
	pthread_mutex_unlock(&threads->lock);
	if (!known)
		constants_unpin(threads->constants, POOL_THREAD, key);
}

void threads_scan(struct threads *threads, JNIEnv *jni)
{
	jvm_for_threads(threads->jvm, jni, scan_one, threads);
}

void threads_rename(struct threads *threads, JNIEnv *jni)
{
	jvm_for_threads(threads->jvm, jni, rename_one, threads);
}

/* Threads that are not Java's --------------------------------------------------- */

uint64_t threads_key_of(struct threads *threads, pid_t tid)
{
	struct thread *thread = find_record(threads, tid);
	struct identity identity = { .tid = tid };

	if (!thread && proc_thread_name(&identity.name, tid))
		thread = new_record(threads, &identity);
	identity_clear(&identity);
	return thread ? thread->key : 0;
}

/* It may be virtual: then nothing pins the name but the events that have it. */
uint64_t threads_key(struct threads *threads, JNIEnv *jni, jthread thread)
{
	int64_t java_tid = jvm_thread_number(jni, thread);
	uint64_t key = key_of_java(java_tid);
	struct identity identity;
	uint32_t said = 0;
	bool is_good;

	if (!java_tid)
		return 0;
	if (constants_touch(threads->constants, POOL_THREAD, key))
		return key;
	if (!identity_read(&identity, threads->jvm, threads->constants, jni, thread))
		return 0;
	is_good = identity_put(&identity, threads->constants, key, &said);
	if (identity.is_virtual)
		constants_unpin(threads->constants, POOL_THREAD, key);
	identity_clear(&identity);
	return is_good ? key : 0;
}

uint64_t threads_key_here(struct threads *threads, JNIEnv *jni)
{
	jthread thread = jvm_thread_here(threads->jvm);
	uint64_t key;

	if (!thread)
		return 0;
	key = threads_key(threads, jni, thread);
	(*jni)->DeleteLocalRef(jni, thread);
	return key;
}

struct thread_counts threads_counts(struct threads *threads)
{
	struct thread_counts counts;

	pthread_mutex_lock(&threads->lock);
	counts = threads->counts;
	pthread_mutex_unlock(&threads->lock);
	return counts;
}

bool threads_copy(struct threads *threads, struct thread_copies *copies)
{
	bool is_good = true;

	pthread_mutex_lock(&threads->lock);
	for (size_t i = 0; i < threads->all.count && is_good; i++)
		is_good = vec_push(&copies->of, *threads->all.items[i]);
	pthread_mutex_unlock(&threads->lock);
	return is_good;
}

struct thread threads_copy_one(struct threads *threads, const struct thread *thread)
{
	struct thread copy;

	pthread_mutex_lock(&threads->lock);
	copy = *thread;
	pthread_mutex_unlock(&threads->lock);
	return copy;
}

void threads_keep_cpu(struct threads *threads, const struct thread *copy)
{
	struct thread *thread;

	pthread_mutex_lock(&threads->lock);
	thread = find_tid(threads, copy->tid);
	if (thread && thread->key == copy->key && thread->cpu.at < copy->cpu.at)
		thread->cpu = copy->cpu;
	pthread_mutex_unlock(&threads->lock);
}

void threads_gone(struct threads *threads, const struct thread *copy)
{
	take_out(threads, copy->key);
}
