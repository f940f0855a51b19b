/*
 * flusher.h - the thread that turns the recorder's wheels.
 *
 * A daemon thread of the JVM ("cjfr recorder", in the system's group), because
 * observers ask the JVM. It makes the rounds when they are due or it is woken, in which
 * recordings begin and end.
 *
 * It must be gone from the JVM before that ends: a thread in native code makes it wait.
 */
#ifndef AGENT_FLUSHER_H
#define AGENT_FLUSHER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/bell.h"
#include "agent/jvm.h"
#include "base/err.h"
#include "engine/recorder.h"

struct flusher {
	const struct jvm *jvm;
	struct recorder *recorder;
	void (*forget)(struct recorder *recorder);
	void (*stopped)(struct recorder *recorder);
	void (*over)(struct recorder *recorder);
	struct bell bell, gone;
	atomic_bool is_ending;
	atomic_int tid;			/* 0: it has not begun, or is gone */
	atomic_int_fast64_t used;	/* CPU time when it ended */
	bool is_running;
	unsigned drained;		/* the recorder's, when the last round began */
};

/*
 * Nothing runs yet. `forget` is called before a round if all has been drained since the
 * last call that had been committed by then: what is known of dead things may go.
 * `stopped` is called after each: recordings may have. `over` is called at its end if
 * the engine is over: the JVM may live on, and needs nothing of what is known.
 */
void flusher_init(struct flusher *flusher, const struct jvm *jvm,
		  struct recorder *recorder);

/* Starts the thread; the caller's is one of the JVM's, in its live phase. */
bool flusher_start(struct flusher *flusher, JNIEnv *jni, struct err *err);

/* Lets it make a round now. Async-signal-safe; `flusher` is a struct flusher. */
void flusher_wake(void *flusher);

/* CPU time of the thread so far, or until it ended: nanoseconds. Any thread. */
int64_t flusher_cpu_time(struct flusher *flusher);

/*
 * Ends the thread, and waits for it, but not longer than that (nanoseconds). False: it is
 * still at work somewhere. The recording goes on: that is the recorder's to stop.
 */
bool flusher_end(struct flusher *flusher, int64_t patience);

#endif
