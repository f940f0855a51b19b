/*
 * door.h - the socket at which a JVM takes commands: found, or asked for, and one
 * command through it.
 *
 * A JVM has none until somebody asks: a file .attach_pidN in its current directory or
 * its /tmp, and SIGQUIT. Then it listens at /tmp/.java_pidN, for as long as it lives.
 * Commands and answers are one connection each.
 */
#ifndef JVMS_DOOR_H
#define JVMS_DOOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "jvms/visit.h"

#define DOOR_SECONDS 5			/* it opens within that time, or not at all */
#define DOOR_ARGUMENTS 3

/*
 * A connection that is the JVM's, and no other's. -1: ERR_SYSTEM; then nothing
 * of ours is left. What comes through it is bounded by the patience of the visit,
 * which is set anew when it is open.
 */
int door_open(struct visit *visit, int64_t nanos, struct err *err);

/*
 * Sends a command in that version of the protocol, and appends what is answered to the
 * end of the connection. False: ERR_SYSTEM. The limit of the answer is the buffer's.
 */
bool door_ask(const struct visit *visit, int door, int version, const char *command,
	      const char *const arguments[DOOR_ARGUMENTS], struct buf *answer,
	      struct err *err);

/* The part: the bytes of a command. */
void door_request(struct buf *to, int version, const char *command,
		  const char *const arguments[DOOR_ARGUMENTS]);

#endif
