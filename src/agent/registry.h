/*
 * registry.h - the threads of the JVM that live, and what events call them.
 *
 * Each has a record from its start to its end; the thread itself finds it without a
 * lock. A thread of Java has a key that comes from its number, which the JVM gives to
 * no other: so those of virtual threads, of which there may be millions, need no
 * record at all.
 *
 * Functions may be called by any thread, but see each. The lock is held for short,
 * never across a call of the JVM or the system.
 */
#ifndef AGENT_REGISTRY_H
#define AGENT_REGISTRY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/jvm.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/constants.h"
#include "engine/emit.h"
#include "engine/store.h"
#include "engine/threadname.h"
#include "host/proc.h"

/* What a thread had of the processors when it was last told: threadload's. */
struct thread_cpu {
	int64_t at;			/* ticks; 0: never told */
	struct proc_times used;
};

struct thread {
	uint64_t key;			/* POOL_THREAD */
	pid_t tid;			/* 0: not known */
	int64_t java_tid;		/* 0: not a thread of Java */
	uint64_t group;			/* POOL_THREAD_GROUP */
	bool is_ours;			/* the recorder's own */
	size_t index;			/* in `all` */
	struct lane *lane;		/* NULL: it has written nothing yet */
	uint32_t said;			/* hash of what the constant says */
	struct thread_cpu cpu;
};

struct thread_counts {
	int64_t live, peak, started;
};

struct registry {
	unsigned number;		/* no other has it */
	const struct jvm *jvm;
	struct constants *constants;
	struct store *store;
	pthread_mutex_t lock;
	VEC(struct thread *) all;
	struct map by_tid, by_key;	/* index in `all` */
	uint64_t others;		/* threads that are not Java's, ever */
	/* What little a thread says at its start and end goes into one lane for all. */
	pthread_mutex_t lane_lock;
	struct lane *lane;
	struct thread_counts counts;	/* of Java's */
};

void registry_init(struct registry *registry, const struct jvm *jvm,
		   struct constants *constants, struct store *store);

/* Nobody is in it any more, and lanes are not used. */
void registry_clear(struct registry *registry);

/*
 * The calling thread, a new one of the JVM; or one that we see for the first time.
 * NULL: it is not one of Java's, or without memory: then it is in no events.
 */
struct thread *registry_enter(struct registry *registry, JNIEnv *jni, jthread thread);

/*
 * The system gave the number of a thread that ended without a word to the calling one,
 * which has that number of Java's. False: it did not.
 */
bool registry_outlived(struct registry *registry, int64_t java_tid,
		       struct thread *gone);

/* Reads the name of the calling thread again, as it ends: it may have got another. */
void registry_reread(struct registry *registry, JNIEnv *jni, jthread thread);

/* The calling thread ends: its lane is given back. */
void registry_leave(struct registry *registry);

/* The calling thread will be the recorder's own. */
void registry_mark_recorder(void);

/* True if the calling thread is. */
bool registry_is_recorder(void);

/* All that live now get a record; what cannot be known of one is left out of it. */
void registry_scan(struct registry *registry, JNIEnv *jni);

/* Reads the names of all again, for those that were changed. */
void registry_rename(struct registry *registry, JNIEnv *jni);

/* The calling thread's record; NULL: it has none. */
struct thread *registry_self(struct registry *registry);

/*
 * Opens an event in the lane that all share, which is locked until registry_commit: in
 * between only fields and keys come. False: it is lost, and nothing is open.
 */
bool registry_emit(struct registry *registry, struct emit *event, enum event_id id,
		   size_t room);
void registry_commit(struct registry *registry, struct emit *event);

/* The lane of the calling thread, whose record it is; NULL without memory. */
struct lane *registry_lane(struct registry *registry, struct thread *thread);

/* True if it has a record. */
bool registry_knows(struct registry *registry, pid_t tid);

/* The key of a thread by the system's number, also of others than Java's; 0: gone. */
uint64_t registry_key_of(struct registry *registry, pid_t tid);

/* A copy of the record of one; false: it has none. */
bool registry_find(struct registry *registry, pid_t tid, struct thread *copy);
bool registry_find_java(struct registry *registry, int64_t java_tid,
			struct thread *copy);

/* The key of any thread of Java: for one that may be virtual. 0 without memory. */
uint64_t registry_key(struct registry *registry, JNIEnv *jni, jthread thread);

/* That of the calling thread: the virtual one, if that is what runs on it. */
uint64_t registry_key_here(struct registry *registry, JNIEnv *jni);

/* How many of Java's have been seen. */
struct thread_counts registry_counts(struct registry *registry);

/* Copies of all records; false without memory. `copies` is the caller's. */
struct thread_copies {
	VEC(struct thread) of;
};
bool registry_copy(struct registry *registry, struct thread_copies *copies);

/* The same of one, which is the calling thread's. */
struct thread registry_copy_one(struct registry *registry, const struct thread *thread);

/* Keeps what was told of its CPU time, if it still lives. */
void registry_keep_cpu(struct registry *registry, const struct thread *copy);

/*
 * The system does not have the thread any more, and it did not say that it ends. False:
 * it has said so meanwhile.
 */
bool registry_gone(struct registry *registry, const struct thread *copy);

#endif
