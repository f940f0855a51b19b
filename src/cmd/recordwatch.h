/*
 * recordwatch.h - cjfr record while the command runs: what it tells, and when the
 * recordings are written.
 */
#ifndef CMD_RECORDWATCH_H
#define CMD_RECORDWATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/command.h"
#include "cmd/recordsettings.h"
#include "session/folder.h"
#include "session/session.h"

struct watch {
	const struct invocation *invocation;
	struct session *session;
	const struct folder *folder;
	const char *pattern;	/* of names (outname.h); NULL: to standard output */
	bool is_java;		/* the command is the JVM */
	const char *archiving;	/* its option that keeps it from loading any agent */
	int64_t delay, duration;	/* nanoseconds; 0: none */
	bool in_memory;		/* --memory */
	struct record_looks looks;	/* what is looked at first */
	bool is_quiet;
	bool preserve;		/* repositories shall stay */
	/* How it goes. */
	bool must_keep;		/* one must stay: it is used, or all there is */
	bool has_failed;	/* a recording could not be written */
	bool has_line;		/* a line on the terminal is to be taken away */
};

/* Until the session is over. True if there are repositories that have to stay. */
bool watch_run(struct watch *watch);

#endif
