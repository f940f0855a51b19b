/*
 * forked.h - what a process that the application forks off has of us: nothing.
 *
 * It would hold the connection to who waits, and the locks of folders, for as long as it
 * lives, though the JVM is gone. Who forks and then runs a program loses them anyway.
 */
#ifndef AGENT_FORKED_H
#define AGENT_FORKED_H

#include "agent/agent.h"

/*
 * From here on; what is not open is zeroed, or has no id. It is no fault if that cannot
 * be: who waits also looks at the process.
 */
void forked_watch(struct agent *agent);

/* The agent is gone. */
void forked_forget(void);

#endif
