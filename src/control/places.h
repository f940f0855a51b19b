/*
 * places.h - what lies where: what cjfr and its agents put between them.
 *
 *	BASE/cjfr-XXXXXX/orders		the folder of a session: for the agents to read
 *	                 socket		on which its cjfr listens
 *	                 control	on which an agent listens, that was attached: its own
 *	                 agent.log	of that one
 *	                 2026_...	a repository (engine/repository.h)
 *	                     2026_....jfr	chunks
 *	                     spill	jfr/spill.h; spill.part: becomes one
 *	                     agent.log
 *	                     control	on which the agent of a launched JVM listens
 *	                     output	what was made of it: written.h
 *
 * All else is somebody else's, and is not touched.
 */
#ifndef CONTROL_PLACES_H
#define CONTROL_PLACES_H

#include <stdbool.h>

#include "base/str.h"
#include "jfr/spill.h"

#define PLACES_SESSION "cjfr-XXXXXX"	/* for mkdtemp */
#define PLACES_ORDERS "orders"
#define PLACES_SOCKET "socket"
#define PLACES_CONTROL "control"
#define PLACES_CHUNK_END ".jfr"
#define PLACES_SPILL SPILL_NAME
#define PLACES_LOG "agent.log"
#define PLACES_OUTPUT "output"

/* As mkdtemp made it. */
bool places_is_session(struct str name);

/* Of the folder of a session itself, not of its repositories. */
bool places_is_of_session(const char *name);

/* True if a name in the folder is one of a repository, and is what it should be. */
bool places_is_of_repository(int folder, const char *name);

/* True if there is a file of chunks in the folder with anything in it. */
bool places_has_chunks(int folder);

/* Removes a repository, but what is not of it. False if some is left. */
bool places_discard(const char *path);

/* The same of one that is open; the folder stays. */
void places_empty(int folder);

/*
 * Removes what is in the folder of a session, which stays, if there is nothing else in it,
 * as a repository. False: there is, or it could not.
 */
bool places_empty_session(int folder);

#endif
