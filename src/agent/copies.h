/*
 * copies.h - what is kept of classes that may be unloaded: their methods.
 *
 * Samples are looked at later than they were taken, and their classes may be gone by
 * then: so names and lines are copied when a class is prepared (prepared.h), and the JVM
 * is asked of a method only while its class is there. A class goes with its loader: so
 * the loader alone is watched, by a JVMTI tag and a weak reference. Collectors go over
 * all of these while threads stand still; one for each class would show there. Only a
 * class that may go before its loader (loaders.h) is watched itself.
 *
 * Any thread, but for what is the flusher's. The lock is never held across a call of the
 * JVM.
 */
#ifndef AGENT_COPIES_H
#define AGENT_COPIES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/classes.h"
#include "agent/loaders.h"
#include "agent/prepared.h"
#include "base/buf.h"

struct copies {
	const struct jvm *jvm;
	struct classes *classes;
	struct loaders loaders;
	pthread_mutex_t lock;
	struct prepared prepared;
	unsigned users;			/* who hold a reference just now */
	bool is_closed;
	enum { COPIES_USED, COPIES_TO_REST, COPIES_RESTING } rest;
};

void copies_init(struct copies *copies, struct classes *classes);

/* The class is ready: what may go is copied, once. In a frame. */
void copies_prepare(struct copies *copies, JNIEnv *jni, jclass type,
		    const jmethodID *ids, jint count);

/* Zeroed, it says nothing. */
struct copy {
	struct prepared_type type;
	bool is_there;			/* the class, which stays to the end of the frame */
	struct buf type_name, name, descriptor;	/* each with a NUL */
	struct buf lines;		/* lines_encode */
	uint16_t modifiers;
};

/* False: nothing was copied. */
bool copies_find(struct copies *copies, JNIEnv *jni, jmethodID id, struct copy *copy);
void copy_clear(struct copy *copy);

/* True if it was copied, and its class is gone. Else that stays to the frame's end. */
bool copies_is_gone(struct copies *copies, JNIEnv *jni, jmethodID id);

/* The key that its class has now. */
void copies_set_key(struct copies *copies, jmethodID id, uint64_t key);

/*
 * What bore the tag is gone: so are its copies. Tells the key of each class that had
 * one, without the lock. The flusher's.
 */
void copies_freed(struct copies *copies, JNIEnv *jni, jlong tag,
		  void (*gone)(void *context, uint64_t key), void *context);

/*
 * Nobody takes samples any more: copies may go. They do when that is asked for a second
 * time, as those that were taken are looked at by then, unless somebody takes samples
 * again. Whoever begins to prepares classes anew.
 */
void copies_rest(struct copies *copies, bool is_resting);
void copies_tidy(struct copies *copies, JNIEnv *jni);

/* All go, and none comes any more. The flusher's. */
void copies_close(struct copies *copies, JNIEnv *jni);

/* Nobody uses them any more: nothing is left. */
void copies_clear(struct copies *copies, JNIEnv *jni);

#endif
