/*
 * settle.h - what becomes of recordings that have stopped: files.
 *
 * That of a JVM that was launched is its parent's, if that is there: it gets a folder
 * with it, or, when all ends and there was no other, the repository. All others become
 * what their orders say (finish.h). What cannot be written stays in the engine, and
 * when all ends, in the repository.
 */
#ifndef AGENT_SETTLE_H
#define AGENT_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/settling.h"
#include "base/err.h"

struct agent;

void settle_init(struct settling *settling);
void settle_clear(struct settling *settling);

/*
 * Some may have stopped by themselves: they wait until somebody has time. What could not be
 * written is tried again now and then. The flusher's.
 */
void settle_note(struct agent *agent);

/* All that wait. Not where the JVM is held up by it. */
void settle_waiting(struct agent *agent);

/*
 * One that has stopped is made a file, and dropped; *path is what it is called, the
 * caller's to free, or NULL: there was nothing in it. ERR_SYSTEM, ERR_MEMORY: it is
 * still there.
 */
bool settle_one(struct agent *agent, uint64_t id, char **path, struct err *err);

/*
 * All have stopped, and so has the engine: what can be is made files. `tell` (may be NULL)
 * is told "written" with a path of each, or "unwritten" with why it is not, and where it is.
 */
typedef void settle_tell(void *context, const char *word, const char *text);
void settle_all(struct agent *agent, settle_tell *tell, void *context);

/* True if the engine has no recording any more. */
bool settle_is_done(struct agent *agent);

#endif
