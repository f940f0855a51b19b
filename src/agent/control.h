/*
 * control.h - the thread on which an agent listens, and does what it is asked (control/
 * request.h): one after the other.
 *
 * A daemon thread of the JVM ("cjfr control"), as retransforming needs one; it must be gone
 * before the JVM ends, and never holds that up. It listens at "control" in a folder. Only
 * the same user and root are heard. Many may be connected at once: who says something
 * is heard, who says nothing for CONTROL_PATIENCE is not any more, and if there are
 * too many, the one that has been silent for longest goes.
 *
 * What a request does is told by who starts it (control_calls), as is what else there
 * is to do on this thread, because it may take long.
 */
#ifndef AGENT_CONTROL_H
#define AGENT_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/answers.h"
#include "agent/bell.h"
#include "agent/jvm.h"
#include "base/fileid.h"
#include "base/now.h"

#define CONTROL_PATIENCE (10 * SECOND)
#define CONTROL_VISITORS 16

/* A folder that was handed over, and what it is of. Zeroed: none. */
struct handed {
	char *path;
	uint64_t recording;		/* that is over when it was taken; 0: it is not */
	char text[300];			/* what is said then */
};

struct agent;

struct message;

/* All on the control thread. */
struct control_calls {
	/*
	 * Does what the packet says, and answers up to "done" or "failed". If a folder is
	 * handed over, `handed` is it, and the rest is said when it was taken.
	 */
	void (*asked)(struct agent *agent, JNIEnv *jni, const struct message *message,
		      struct answers *to, struct handed *handed);
	/* Who has the folder says something: it is gone then, and "done" is said. */
	void (*taken)(struct agent *agent, struct handed *handed,
		      const struct message *message, struct answers *to);
	/* Who had it has gone without a word. Also of one that is zeroed. */
	void (*untaken)(struct handed *handed);
	/* Each time that it was woken. */
	void (*awake)(struct agent *agent);
	/* The same, when all that was asked is done. */
	void (*idle)(struct agent *agent, JNIEnv *jni);
	/* It was told to leave, and is gone from the JVM. */
	void (*left)(struct agent *agent);
};

struct control_told {
	struct agent *agent;
	const struct jvm *jvm;
	const char *folder;
	const struct control_calls *calls;
};

struct visitor {
	int connection;			/* -1: nobody */
	struct fileid id;
	int64_t since;			/* ticks when it came */
	struct handed handed;
};

/* Of the agent; it stays where it is. */
struct control {
	struct agent *agent;
	const struct control_calls *calls;
	char *path;			/* of the socket */
	int listener;			/* -1: it does not listen */
	struct fileid listener_id;
	unsigned listened;		/* so often it has begun to */
	int wake[2];			/* a pipe */
	struct fileid wake_id;
	struct visitor visitors[CONTROL_VISITORS];
	struct visitor *served;		/* just now; NULL: nobody is */
	struct bell gone;
	atomic_bool is_running, is_ending;
	/* The thread's own. */
	bool is_leaving;		/* it was asked to */
	bool is_shut;			/* it listens no more */
	int64_t deaf_until;		/* ticks: there is no descriptor for who comes */
};

/*
 * Starts to listen in that folder; the socket is there when it returns. Gives 0 or what
 * doorcode.h has.
 */
int control_start(struct control *control, JNIEnv *jni, const struct control_told *told);

/* It shall look what there is to do. Any thread. False: it does not run. */
bool control_wake(struct control *control);

/*
 * It hears nobody any more, and the socket is gone. On its own thread it only gets
 * ready to end; another waits for that, at most so many nanoseconds. False: it is still at
 * work.
 */
void control_shut(struct control *control);
bool control_end(struct control *control, int64_t patience);

/* From now on it listens in that folder. On its own thread. */
void control_move(struct control *control, const char *folder);

/* In a process that was forked off: its descriptors are closed. */
void control_forget(struct control *control);

#endif
