/*
 * dialog.h - a talk with the agent in a JVM: connects, asks, and takes its answers.
 *
 *	struct dialog dialog = { .patience = 0 };
 *
 *	if (dialog_open(&dialog, &vm, &err)) {
 *		if (dialog_ask(&dialog, &request, orders, &err))
 *			while (dialog_next(&dialog, tick, context, &err)) ...
 *		dialog_close(&dialog);
 *	}
 *
 * The agent is found by its folder, which it holds open (/proc/PID/fd); who listens there
 * must be that process (SO_PEERCRED). It is not trusted: what it sends is bounded,
 * descriptors of the wrong kind are closed, and one that says nothing for as long as
 * we have patience, or is gone, is an error that tells so.
 */
#ifndef JVMS_DIALOG_H
#define JVMS_DIALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "control/message.h"
#include "control/request.h"
#include "jvms/vm.h"

#define DIALOG_PATIENCE_SECONDS 30	/* an agent at work says so each second */
#define DIALOG_ANSWERS_MAX 10000	/* to one question */

struct dialog {
	/* Nanoseconds, set before; 0: as above, and no limit. */
	int64_t patience;		/* with an agent that says nothing */
	int64_t limit;			/* for all of it, whatever it says */
	const struct vm *vm;
	int connection;
	int protocol;			/* that the agent speaks */
	char version[64];		/* the agent's */
	int64_t end;			/* ticks, by that limit */
	size_t answers;			/* so many came */
	bool is_over;			/* "done" or "failed" came */
	struct message message;		/* the last one */
};

/*
 * False: ERR_NONE if there is no agent in the JVM; ERR_SYSTEM: there is one, but it does not
 * answer; or its files cannot be seen.
 */
bool dialog_open(struct dialog *dialog, const struct vm *vm, struct err *err);

/*
 * As that; if there is none, it is loaded first, and makes its folder in `base`, an absolute
 * path; NULL: where it likes.
 */
bool dialog_open_or_attach(struct dialog *dialog, const struct vm *vm,
			   const char *library, const char *base, struct err *err);

/*
 * file: a descriptor that goes with it, the caller's; -1: none. ERR_SYSTEM, also if the
 * agent is of another version, which is only asked to leave: which it is, and what to
 * do, is told.
 */
bool dialog_ask(struct dialog *dialog, const struct request *request, int file,
		struct err *err);

/*
 * The next answer, in dialog->message, whose descriptor is the caller's to close: of
 * "folder" there always is one, of a folder, and of "recording" one of a file, or none.
 * False after "done" (ERR_NONE; it is in the message), "failed" (ERR_USAGE: its text), or
 * ERR_SYSTEM. Words "working" are not given to the caller, but to `tick` (NULL: nobody).
 */
bool dialog_next(struct dialog *dialog, void (*tick)(void *context), void *context,
		 struct err *err);

/* "taken": what was handed over is with us now, and the agent may remove it. */
bool dialog_taken(struct dialog *dialog, struct err *err);

/* May be called again. */
void dialog_close(struct dialog *dialog);

#endif
