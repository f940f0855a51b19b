/*
 * agent.h - the agent in a JVM: all that it has.
 *
 * There is one in a JVM (life.h), and its memory stays where it is. What makes events
 * gets it as an argument, or finds it from the recorder.
 */
#ifndef AGENT_AGENT_H
#define AGENT_AGENT_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "agent/classes.h"
#include "agent/control.h"
#include "agent/flusher.h"
#include "agent/freed.h"
#include "agent/jvm.h"
#include "agent/lodging.h"
#include "agent/methods.h"
#include "agent/probing.h"
#include "agent/registry.h"
#include "agent/settling.h"
#include "agent/starts.h"
#include "base/fileid.h"
#include "control/orders.h"
#include "engine/recorder.h"
#include "hotspot/gccycles.h"

struct agent {
	struct recorder recorder;
	struct orders orders;
	struct jvm jvm;
	struct registry registry;
	struct starts starts;
	struct classes classes;
	struct methods methods;
	struct freed freed;
	struct instrumenter instrumenter;
	atomic_uint class_events;	/* who needs them (classevents.h) */
	atomic_bool is_halted;		/* no timers any more (sampler_halt) */
	struct flusher flusher;
	struct gcid gcid;
	struct gcmarks gc;
	struct gccycles cycles;
	int connection;			/* to the parent; -1: none waits */
	struct fileid connected;	/* the socket that it was opened for */
	int64_t session_nanos;		/* when that began, since 1970 */
	int held;			/* the repository's lock; -1: none */
	struct fileid held_id;
	bool is_launched;		/* with the JVM, and by who waited then */
	bool is_attached;		/* lives in a folder of its own (lodging.h) */
	char session[PATH_MAX];		/* of who waited, if that is over; "": none */
	int64_t arrived_nanos;		/* since 1970 */
	uint64_t recordings;		/* that were begun */
	struct lodging lodging;
	struct control control;
	struct settling settling;
};

/* The one that a recorder belongs to: for observers. */
static inline struct agent *agent_of(struct recorder *recorder)
{
	return recorder->context;
}

/* True if somebody wants events of the type. */
static inline bool agent_is_set(const struct agent *agent, enum event_id id)
{
	return recorder_is_set(&agent->recorder, id);
}

#endif
