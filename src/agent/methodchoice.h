/*
 * methodchoice.h - the filters that hold, and those that did.
 *
 * The settings say which methods are meant (methodchoice_read); that holds until the settings
 * are others, or nothing is recorded any more. Hooks come on any thread at any time, so
 * what held before is freed when nobody is inside (inside.h) who may look at it.
 */
#ifndef AGENT_METHODCHOICE_H
#define AGENT_METHODCHOICE_H

#include <stdbool.h>

#include "agent/agent.h"
#include "base/arena.h"
#include "probe/instrument.h"

#define METHODCHOICE_KINDS 2

struct methodchoice {
	struct filters filters;
	struct instrument instrument;
	struct str texts[METHODCHOICE_KINDS];	/* of the settings, as they were */
	struct arena arena;
	_Atomic bool has_failed;	/* a class could not be rewritten: that is told */
	struct methodchoice *next;		/* of those before */
};

/* True if the settings have filters of methods. */
bool methodchoice_is_wanted(const struct event_settings *settings);

/*
 * What the settings want. The caller's: methodchoice_hold, or methodchoice_free. NULL: ERR_USAGE,
 * ERR_MEMORY.
 */
struct methodchoice *methodchoice_read(const struct agent *agent, struct err *err);
void methodchoice_free(struct methodchoice *choice);

/* True if the settings want the same methods for the same as that does. */
bool methodchoice_is_same(const struct methodchoice *choice, const struct agent *agent);

/* True if it has filters for that kind of probe. */
bool methodchoice_has(const struct methodchoice *choice, unsigned kind);

/* It holds from now on, and is the agent's; NULL: none does. Under the recorder's lock. */
void methodchoice_hold(struct agent *agent, struct methodchoice *choice);

/* Frees those before, if nobody can look at them. */
void methodchoice_tidy(struct agent *agent);

/* The one that holds, or held last; NULL: there was none. */
static inline struct methodchoice *methodchoice_now(struct agent *agent)
{
	return atomic_load(&agent->instrumenter.now);
}

#endif
