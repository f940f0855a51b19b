/*
 * child.h - the command that is recorded, as a child of this process.
 *
 * It stays in our process group, so that terminals and shells treat both as one job:
 * what a terminal sends (Ctrl-C, Ctrl-Z), both get. What somebody sends to this process
 * alone is passed on. From child_start to child_close no signal ends this process but
 * those that nobody can catch, or that come of its own faults.
 */
#ifndef SESSION_CHILD_H
#define SESSION_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"

struct child {
	pid_t pid;
	int signals;		/* readable when child_signals has something to do */
	sigset_t before;	/* the mask of signals as it was */
	bool has_ended;
	int status;		/* as waitpid has it, when it has ended */
	bool is_missing;	/* child_start: there is no such command */
};

/*
 * Starts it; `to_error`: its standard output goes where standard error goes.
 * ERR_SYSTEM: it cannot be run, and there is nothing to close.
 */
bool child_start(struct child *child, char *const *arguments, char *const *environment,
		 bool to_error, struct err *err);

/*
 * Does what the signals that came ask for: passes them on, sees that the child has
 * ended. True if, the child having ended, there is one that asks this process to end.
 */
bool child_signals(struct child *child);

/*
 * Something begins that may take long, as nobody may read what is written. Until
 * child_return a signal that asks to end is passed on while the command runs, and ends
 * this process afterwards, after these last words (borrowed) on standard error.
 */
void child_leave(const struct child *child, struct str last_words);

void child_return(void);

void child_close(struct child *child);

/* Waits until it has ended, so many nanoseconds at most. */
void child_await(struct child *child, int64_t most);

/* "was killed (signal 9)": how such a status ends the sentence of a JVM that was cut off. */
#define CHILD_TEXT_MAX 48
const char *child_text(int status, char to[CHILD_TEXT_MAX]);

/* The exit status that tells of such a status, as shells do: 128 and the signal. */
int child_exit_status(int status);

/* If it is that of a child that a signal ended, ends this process likewise. */
void child_follow(int status);

#endif
