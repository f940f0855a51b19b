/*
 * phase.h - where the agent is in its life (life.h): whether it can be used.
 *
 * Any thread.
 */
#ifndef AGENT_PHASE_H
#define AGENT_PHASE_H

#include <stdbool.h>

struct agent;

enum phase {
	PHASE_OFF,		/* not loaded, or gone again */
	PHASE_COMING,
	PHASE_LOADED,		/* the JVM is not up yet */
	PHASE_IDLE,		/* attached, without an engine */
	PHASE_OPENING,		/* the engine */
	PHASE_LIVE,
	PHASE_CLOSING,		/* recordings end: the agent will leave */
	PHASE_ENDING,		/* the same: the JVM goes down */
	PHASE_LEAVING,		/* nothing is used any more */
	PHASE_STUCK,		/* some thread is in it, and may stay: none can come again */
	PHASE_OVER,		/* the JVM is down, or nothing came of the agent */
};

enum phase phase_now(void);

/* Whoever does it first has the agent for himself. */
bool phase_pass(enum phase from, enum phase to);

/* Async-signal-safe. */
void phase_set(enum phase phase);

/*
 * The agent, if it is loaded, and neither it nor the JVM is gone by now; else NULL. Who
 * uses it is inside (inside.h).
 */
struct agent *phase_agent(void);

/* The one that there is; before it can be found. */
void phase_of(struct agent *agent);

/* True if there is an engine, which may be over. */
bool phase_has_engine(void);

/* True if the JVM goes down, or is down: from when that was said on, in whatever phase. */
bool phase_is_ending(void);
void phase_say_ending(void);

#endif
