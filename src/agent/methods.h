/*
 * methods.h - methods of classes, and the lines of their instructions.
 *
 * One is read when it is first on a stack that an event has, and kept until its class
 * is freed. Where stacks are looked at later than they were seen, the class may be gone
 * by then: then it is read from what was copied before (copies.h).
 *
 * Each that is kept is noted in the spill file (methodnote.h), for samples that nobody
 * gets to look at in this process.
 *
 * Lines are read again once a minute, as another version of a class may have been put in
 * the place of the one before: until then, stacks have the lines of that.
 *
 * Any thread, but for what is the flusher's. The lock is never held across a call of the
 * JVM.
 */
#ifndef AGENT_METHODS_H
#define AGENT_METHODS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/classes.h"
#include "agent/copies.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/records.h"
#include "engine/stack.h"
#include "jfr/lines.h"

struct method {
	uint64_t id;			/* the JVM's; 0: free */
	uint64_t key;			/* POOL_METHOD */
	uint64_t type;			/* POOL_CLASS */
	const char *waiting;		/* see struct method_place */
	bool is_native;
	unsigned minute;		/* in which the lines were read */
	struct lines lines;
	struct spill_record *note;	/* NULL: there was no room for it */
	uint32_t next;			/* of the class, or free; MAP_NONE: none */
};

struct methods {
	const struct jvm *jvm;
	struct constants *constants;
	struct classes *classes;
	struct records *records;
	pthread_mutex_t lock;
	VEC(struct method) all;
	struct map by_id;		/* index in `all` */
	struct map first;		/* by key of a class: its first method */
	uint32_t free;			/* MAP_NONE: none */
	unsigned minute;		/* that is now */
	uint64_t stand_in;		/* POOL_METHOD; 0: not made yet */
	bool is_closed;
	struct copies copies;
};

/* Of those classes, and noted there: both must stay. */
void methods_init(struct methods *methods, struct classes *classes,
		  struct records *records);

/*
 * `method` NULL, or one that is gone, and of which nothing was copied: a method
 * "<unknown>" stands in for it, as readers of recordings trip over frames without one.
 * `jni` NULL: the calling thread is none of the JVM's, which is asked nothing.
 */
struct method_place methods_place(struct methods *methods, JNIEnv *jni,
				  jmethodID method, int64_t bytecode);

/*
 * The class is ready: the JVM gives its methods their numbers now, without which stacks
 * cannot be walked in a signal handler. If the class may be unloaded, names are copied.
 * May be called again.
 */
void methods_prepare(struct methods *methods, JNIEnv *jni, jclass type);

/* What bore the tag is gone: before classes_freed. The flusher's. */
void methods_freed(struct methods *methods, JNIEnv *jni, jlong tag);

/* All is freed but notes, and no method is kept any more. The flusher's, in a thread of the JVM. */
void methods_close(struct methods *methods, JNIEnv *jni);

/* Nobody uses them any more: all that is left goes. In a thread of the JVM. */
void methods_clear(struct methods *methods, JNIEnv *jni);

/* That time has come, in ticks. The flusher's. */
void methods_tick(struct methods *methods, int64_t now);

#endif
