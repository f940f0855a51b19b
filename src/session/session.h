/*
 * session.h - a command that runs, and the JVMs in it that are recorded.
 *
 *	session_open(&session, launcher.arguments, launcher.environment, ...)
 *	while (session_next(&session, &news)) ... tell, write ...
 *	session_close(&session)
 *
 * One thread, one loop: session_next waits for signals, messages of agents, and for
 * time to pass, and tells what has happened, one thing at a time.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "session/child.h"
#include "session/guest.h"

struct session {
	struct child child;
	int listener;
	VEC(struct guest *) guests;	/* all there were */
	bool is_end_told;		/* the caller knows of the command's end */
	int64_t end;			/* when that was seen; 0: not yet */
	bool is_interrupted, is_interruption_told;
	struct err trouble;		/* why a connection was not taken; the last */
	unsigned long others;		/* descriptors in use, but for those of guests */
	bool is_troubled;		/* none was, when it was tried last */
	int64_t start, tick;		/* nanoseconds of CLOCK_MONOTONIC */
};

enum session_kind {
	SESSION_TICK,		/* a second has passed */
	SESSION_GUEST,		/* what: one of GUEST_... */
	SESSION_TROUBLE,	/* trouble: another than before */
	SESSION_COMMAND_ENDED,
	SESSION_INTERRUPTED,	/* nobody shall wait any longer for JVMs that run */
};

struct session_news {
	enum session_kind kind;
	struct guest *guest;
	unsigned what;
};

/*
 * Starts the command, while the listener (message.h) is there for its agents; takes it
 * over in any case. From then on this process, unlike the command, may have as many
 * descriptors as the system allows. False as child_start.
 */
bool session_open(struct session *session, char *const *arguments,
		  char *const *environment, bool to_error, int listener,
		  struct err *err);

/*
 * What has happened next. False when the command has ended and no recording is under
 * way any more, or when the session was interrupted, and all is told.
 */
bool session_next(struct session *session, struct session_news *news);

/* How many JVMs are recorded at the moment. */
size_t session_recording(const struct session *session);

/* All recordings together, as they were when session_next looked. */
struct session_sums {
	uint64_t events, bytes, lost;
	int64_t nanos;		/* since the command was started */
};

struct session_sums session_sum(const struct session *session);

/*
 * Nobody is taken any more, and who has lost the connection sees that we are gone:
 * nothing is awaited from here on. May be repeated.
 */
void session_refuse(struct session *session);

/* How the command ended, as waitpid has it: for child_exit_status, child_follow. */
int session_close(struct session *session);

#endif
