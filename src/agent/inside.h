/*
 * inside.h - how many threads are inside of the agent just now: in callbacks of the JVM, or
 * called by probes. What they use is freed when they are out.
 *
 *	inside_enter();
 *	agent = phase_agent();		NULL: it leaves, or is not there
 *	...
 *	inside_leave();
 *
 * Any thread, also of the collector: nothing is locked or allocated. A thread may enter
 * again while it is inside. Not for signal handlers.
 */
#ifndef AGENT_INSIDE_H
#define AGENT_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

void inside_enter(void);
void inside_leave(void);

/*
 * Whoever enters from here on must find that the agent leaves: that was said before. Waits
 * for those who did not; false: some are inside after so many nanoseconds.
 */
bool inside_wait(int64_t patience);

#endif
