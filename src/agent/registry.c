#include "agent/registry.h"

#include <stdlib.h>
#include <unistd.h>

#include "agent/identity.h"
#include "host/proc.h"

/* The thread that runs this. Built for static TLS: to find it calls nothing. */
static __thread struct thread *self_found;
static __thread unsigned self_of;	/* the registry in which it was found */
static __thread bool is_recorder;

static unsigned registries;		/* that there were so far */

void registry_init(struct registry *registry, const struct jvm *jvm,
		   struct constants *constants, struct store *store)
{
	*registry =
		(struct registry){ .jvm = jvm, .constants = constants, .store = store,
				   .number = ++registries };
	pthread_mutex_init(&registry->lock, NULL);
	pthread_mutex_init(&registry->lane_lock, NULL);
}

void registry_clear(struct registry *registry)
{
	for (size_t i = 0; i < registry->all.count; i++)
		free(registry->all.items[i]);
	vec_clear(&registry->all);
	map_clear(&registry->by_tid);
	map_clear(&registry->by_key);
	pthread_mutex_destroy(&registry->lock);
	pthread_mutex_destroy(&registry->lane_lock);
}

static void set_self(const struct registry *registry, struct thread *thread)
{
	self_found = thread;
	self_of = registry->number;
}

void registry_mark_recorder(void)
{
	is_recorder = true;
}

bool registry_is_recorder(void)
{
	return is_recorder;
}

static uint64_t key_of_other(struct registry *registry)
{
	uint64_t number;

	pthread_mutex_lock(&registry->lock);
	number = ++registry->others;
	pthread_mutex_unlock(&registry->lock);
	return number << 1;
}

/* Records --------------------------------------------------------------------- */

/* Under the lock. */
static struct thread *find_tid(struct registry *registry, pid_t tid)
{
	uint32_t index = map_find(&registry->by_tid, (uint64_t)tid);

	return index == MAP_NONE ? NULL : registry->all.items[index];
}

static struct thread *find_key(struct registry *registry, uint64_t key)
{
	uint32_t index = map_find(&registry->by_key, key);

	return index == MAP_NONE ? NULL : registry->all.items[index];
}

static void count_record(struct registry *registry, const struct thread *thread,
			 int more)
{
	struct thread_counts *counts = &registry->counts;

	if (!thread->java_tid)
		return;
	counts->live += more;
	counts->started += more > 0;
	if (counts->live > counts->peak)
		counts->peak = counts->live;
}

static bool add_record(struct registry *registry, struct thread *thread)
{
	thread->index = registry->all.count;
	if (map_put(&registry->by_tid, (uint64_t)thread->tid,
		    (uint32_t)thread->index) &&
	    map_put(&registry->by_key, thread->key, (uint32_t)thread->index) &&
	    vec_push(&registry->all, thread)) {
		count_record(registry, thread, 1);
		return true;
	}
	map_remove(&registry->by_tid, (uint64_t)thread->tid);
	map_remove(&registry->by_key, thread->key);
	return false;
}

/* The last record takes its place. */
static void remove_record(struct registry *registry, struct thread *thread)
{
	struct thread *last = registry->all.items[registry->all.count - 1];

	map_remove(&registry->by_tid, (uint64_t)thread->tid);
	map_remove(&registry->by_key, thread->key);
	registry->all.count--;
	count_record(registry, thread, -1);
	if (last == thread)
		return;
	last->index = thread->index;
	registry->all.items[last->index] = last;
	map_put(&registry->by_tid, (uint64_t)last->tid, (uint32_t)last->index);
	map_put(&registry->by_key, last->key, (uint32_t)last->index);
}

/*
 * A record that was not there a moment ago: a thread that starts, and who looks at all of
 * them, may find each other. NULL without memory, or if another thread has that number:
 * then it is in no events.
 */
static struct thread *new_record(struct registry *registry,
				 const struct identity *identity)
{
	struct thread *thread = calloc(1, sizeof(*thread));
	struct thread *known = NULL;
	bool is_in, is_other = false;

	if (!thread)
		return NULL;
	thread->tid = identity->tid;
	thread->java_tid = identity->java_tid;
	thread->group = identity->group;
	thread->is_ours = is_recorder && identity->tid == gettid();
	thread->key = identity->java_tid ? threadname_java_key(identity->java_tid)
					 : key_of_other(registry);
	is_in = identity_put(identity, registry->constants, thread->key, &thread->said);
	if (is_in) {
		pthread_mutex_lock(&registry->lock);
		known = find_key(registry, thread->key);
		is_in = !known && add_record(registry, thread);
		is_other = known && known->tid != thread->tid;
		pthread_mutex_unlock(&registry->lock);
	}
	if (is_in)
		return thread;
	if (!known)
		constants_unpin(registry->constants, POOL_THREAD, thread->key);
	free(thread);
	return is_other ? NULL : known;
}

static struct thread *find_record(struct registry *registry, pid_t tid)
{
	struct thread *thread;

	pthread_mutex_lock(&registry->lock);
	thread = find_tid(registry, tid);
	pthread_mutex_unlock(&registry->lock);
	return thread;
}

struct thread *registry_self(struct registry *registry)
{
	if (!self_found || self_of != registry->number)
		set_self(registry, find_record(registry, gettid()));
	return self_found;
}

/* Takes out a record; false: it is not there any more. */
static bool take_out(struct registry *registry, uint64_t key)
{
	struct thread *thread;

	pthread_mutex_lock(&registry->lock);
	thread = find_key(registry, key);
	if (thread)
		remove_record(registry, thread);
	pthread_mutex_unlock(&registry->lock);
	if (!thread)
		return false;
	constants_unpin(registry->constants, POOL_THREAD, key);
	if (thread->lane)
		lane_release(thread->lane);
	free(thread);
	return true;
}

bool registry_outlived(struct registry *registry, int64_t java_tid, struct thread *gone)
{
	struct thread *self = registry_self(registry);

	if (!self || self->key == threadname_java_key(java_tid))
		return false;
	*gone = registry_copy_one(registry, self);
	take_out(registry, self->key);
	set_self(registry, NULL);
	return true;
}

struct thread *registry_enter(struct registry *registry, JNIEnv *jni, jthread thread)
{
	struct identity identity;
	struct thread gone;

	if (!identity_read(&identity, registry->jvm, registry->constants, jni, thread))
		return NULL;
	identity.tid = gettid();
	registry_outlived(registry, identity.java_tid, &gone);
	if (!registry_self(registry))
		set_self(registry, new_record(registry, &identity));
	identity_clear(&identity);
	return self_found;
}

/* The group is gone by the time that a thread ends. */
static void rename_record(struct registry *registry, JNIEnv *jni, jthread thread,
			  const struct thread *known, uint32_t *said)
{
	struct identity identity;

	if (!identity_read(&identity, registry->jvm, registry->constants, jni, thread))
		return;
	identity.tid = known->tid;
	identity.java_tid = known->java_tid;
	identity.group = known->group;
	identity_put(&identity, registry->constants, known->key, said);
	identity_clear(&identity);
}

void registry_reread(struct registry *registry, JNIEnv *jni, jthread thread)
{
	struct thread *self = registry_self(registry);
	struct thread copy;

	if (!self)
		return;
	copy = registry_copy_one(registry, self);
	rename_record(registry, jni, thread, &copy, &copy.said);
	pthread_mutex_lock(&registry->lock);
	self->said = copy.said;
	pthread_mutex_unlock(&registry->lock);
}

void registry_leave(struct registry *registry)
{
	struct thread *self = registry_self(registry);

	if (self)
		take_out(registry, self->key);
	set_self(registry, NULL);
}

/*
 * A lane takes a whole buffer: where thousands of threads wait in a pool, they would
 * take them all.
 */
bool registry_emit(struct registry *registry, struct emit *event, enum event_id id,
		   size_t room)
{
	pthread_mutex_lock(&registry->lane_lock);
	if (!registry->lane)
		registry->lane = store_lane(registry->store);
	if (emit_begin(event, registry->lane, id, room))
		return true;
	pthread_mutex_unlock(&registry->lane_lock);
	return false;
}

void registry_commit(struct registry *registry, struct emit *event)
{
	emit_commit(event);
	pthread_mutex_unlock(&registry->lane_lock);
}

struct lane *registry_lane(struct registry *registry, struct thread *thread)
{
	if (!thread->lane)
		thread->lane = store_lane(registry->store);
	return thread->lane;
}

/* All of them ----------------------------------------------------------------- */

/* Those that end have no number in the system by then, or one that is gone. */
static void scan_one(void *context, JNIEnv *jni, jthread thread)
{
	struct registry *registry = context;
	int64_t java_tid = jvm_thread_number(jni, thread);
	struct identity identity;
	struct thread *known;

	pthread_mutex_lock(&registry->lock);
	known = find_key(registry, threadname_java_key(java_tid));
	pthread_mutex_unlock(&registry->lock);
	if (!java_tid || known ||
	    !identity_read(&identity, registry->jvm, registry->constants, jni, thread))
		return;
	identity.tid = jvm_thread_tid(registry->jvm, jni, thread);
	if (identity.tid)
		new_record(registry, &identity);
	identity_clear(&identity);
}

static void rename_one(void *context, JNIEnv *jni, jthread thread)
{
	struct registry *registry = context;
	uint64_t key = threadname_java_key(jvm_thread_number(jni, thread));
	struct thread copy = { 0 }, *known;
	uint32_t said;

	pthread_mutex_lock(&registry->lock);
	known = find_key(registry, key);
	if (known)
		copy = *known;
	pthread_mutex_unlock(&registry->lock);
	if (!known)
		return;
	said = copy.said;
	rename_record(registry, jni, thread, &copy, &said);
	pthread_mutex_lock(&registry->lock);
	known = find_key(registry, key);
	if (known)
		known->said = said;
	pthread_mutex_unlock(&registry->lock);
	if (!known)
		constants_unpin(registry->constants, POOL_THREAD, key);
}

void registry_scan(struct registry *registry, JNIEnv *jni)
{
	jvm_for_threads(registry->jvm, jni, scan_one, registry);
}

void registry_rename(struct registry *registry, JNIEnv *jni)
{
	jvm_for_threads(registry->jvm, jni, rename_one, registry);
}

/* Threads that are not Java's --------------------------------------------------- */

bool registry_knows(struct registry *registry, pid_t tid)
{
	return find_record(registry, tid) != NULL;
}

uint64_t registry_key_of(struct registry *registry, pid_t tid)
{
	struct thread *thread = find_record(registry, tid);
	struct identity identity = { .tid = tid };

	if (!thread && proc_thread_name(&identity.name, tid))
		thread = new_record(registry, &identity);
	identity_clear(&identity);
	return thread ? thread->key : 0;
}

bool registry_find(struct registry *registry, pid_t tid, struct thread *copy)
{
	struct thread *thread;

	pthread_mutex_lock(&registry->lock);
	thread = find_tid(registry, tid);
	if (thread)
		*copy = *thread;
	pthread_mutex_unlock(&registry->lock);
	return thread != NULL;
}

bool registry_find_java(struct registry *registry, int64_t java_tid,
			struct thread *copy)
{
	struct thread *thread;

	pthread_mutex_lock(&registry->lock);
	thread = find_key(registry, threadname_java_key(java_tid));
	if (thread)
		*copy = *thread;
	pthread_mutex_unlock(&registry->lock);
	return thread != NULL;
}

/* Puts the constant under the key, where one that is virtual is not pinned. */
static uint64_t put_identity(struct registry *registry, const struct identity *identity,
			     uint64_t key)
{
	uint32_t said = 0;
	bool is_good = identity_put(identity, registry->constants, key, &said);

	if (identity->is_virtual)
		constants_unpin(registry->constants, POOL_THREAD, key);
	return is_good ? key : 0;
}

/* It may be virtual: then nothing pins the name but the events that have it. */
uint64_t registry_key(struct registry *registry, JNIEnv *jni, jthread thread)
{
	int64_t java_tid = jvm_thread_number(jni, thread);
	uint64_t key = threadname_java_key(java_tid);
	struct identity identity;

	if (!java_tid)
		return 0;
	if (constants_touch(registry->constants, POOL_THREAD, key))
		return key;
	if (!identity_read(&identity, registry->jvm, registry->constants, jni, thread))
		return 0;
	key = put_identity(registry, &identity, key);
	identity_clear(&identity);
	return key;
}

uint64_t registry_key_here(struct registry *registry, JNIEnv *jni)
{
	jthread thread = jvm_thread_here(registry->jvm);
	uint64_t key;

	if (!thread)
		return 0;
	key = registry_key(registry, jni, thread);
	(*jni)->DeleteLocalRef(jni, thread);
	return key;
}

struct thread_counts registry_counts(struct registry *registry)
{
	struct thread_counts counts;

	pthread_mutex_lock(&registry->lock);
	counts = registry->counts;
	pthread_mutex_unlock(&registry->lock);
	return counts;
}

bool registry_copy(struct registry *registry, struct thread_copies *copies)
{
	bool is_good = true;

	pthread_mutex_lock(&registry->lock);
	for (size_t i = 0; i < registry->all.count && is_good; i++)
		is_good = vec_push(&copies->of, *registry->all.items[i]);
	pthread_mutex_unlock(&registry->lock);
	return is_good;
}

struct thread registry_copy_one(struct registry *registry, const struct thread *thread)
{
	struct thread copy;

	pthread_mutex_lock(&registry->lock);
	copy = *thread;
	pthread_mutex_unlock(&registry->lock);
	return copy;
}

void registry_keep_cpu(struct registry *registry, const struct thread *copy)
{
	struct thread *thread;

	pthread_mutex_lock(&registry->lock);
	thread = find_tid(registry, copy->tid);
	if (thread && thread->key == copy->key && thread->cpu.at < copy->cpu.at)
		thread->cpu = copy->cpu;
	pthread_mutex_unlock(&registry->lock);
}

bool registry_gone(struct registry *registry, const struct thread *copy)
{
	return take_out(registry, copy->key);
}
