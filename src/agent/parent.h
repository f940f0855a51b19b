/*
 * parent.h - what the cjfr that waits for a recording is told.
 *
 * It may be gone, or the application may have closed the socket and opened something
 * else under its number: then nothing is told. Any thread.
 */
#ifndef AGENT_PARENT_H
#define AGENT_PARENT_H

#include "agent/agent.h"

/* A message (control/message.h), with a descriptor if `fd` is not -1. */
void parent_tell(const struct agent *agent, const char *word, const char *rest, int fd);

/* Something that does not end the recording: also logged. */
void parent_warn(const struct agent *agent, const char *text);

/*
 * True if there was one, and is none any more: nobody listens for us. It may be that the
 * application has closed the connection alone.
 */
bool parent_is_gone(const struct agent *agent);

#endif
