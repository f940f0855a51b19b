/*
 * classevents.h - that classes are loaded and prepared: told of while somebody needs it.
 */
#ifndef AGENT_CLASSEVENTS_H
#define AGENT_CLASSEVENTS_H

#include <stdbool.h>

#include "agent/agent.h"

enum classevents_user {
	CLASSEVENTS_SAMPLES = 1,	/* a bit each */
	CLASSEVENTS_PROBES = 2,
};

/*
 * It needs them from now on, or no more. False: the JVM does not tell of them. Any thread;
 * but not before the JVM is up, as that would cost it its caches.
 */
bool classevents_want(struct agent *agent, enum classevents_user user, bool is_wanted);

#endif
