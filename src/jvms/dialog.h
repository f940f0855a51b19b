/*
 * dialog.h - a talk with the agent in a JVM: connects, asks, and takes its answers.
 *
 *	if (dialog_open(&dialog, &vm, &err)) {
 *		dialog_ask(&dialog, &request, orders, &err);
 *		while (dialog_next(&dialog, &answer, &err)) ...
 *		dialog_close(&dialog);
 *	}
 *
 * The agent is found by its folder, which it holds open and locked (/proc/PID/fd); who
 * listens there must be that process (SO_PEERCRED). It is not trusted: what it
 * sends is bounded, descriptors of the wrong kind are closed, and one that says nothing
 * for DIALOG_PATIENCE, or is gone, is an error that tells so.
 */
#ifndef JVMS_DIALOG_H
#define JVMS_DIALOG_H

#include <stdbool.h>

#include "base/err.h"
#include "control/message.h"
#include "control/request.h"
#include "jvms/vm.h"

#define DIALOG_PATIENCE_SECONDS 30	/* an agent at work says so each second */

struct dialog {
	const struct vm *vm;
	int connection;
	bool is_over;			/* "done" or "failed" came */
	struct message message;		/* the last one */
};

/*
 * False: ERR_NONE if there is no agent in the JVM; ERR_SYSTEM: there is one, but it does not
 * answer, or is of another version (which, and what to do, is told).
 */
bool dialog_open(struct dialog *dialog, const struct vm *vm, struct err *err);

/* As that; if there is none, it is loaded first. */
bool dialog_open_or_attach(struct dialog *dialog, const struct vm *vm,
			   const char *library, struct err *err);

/* file: a descriptor that goes with it; -1: none. */
bool dialog_ask(struct dialog *dialog, const struct request *request, int file,
		struct err *err);

/*
 * The next answer, in dialog->message, whose descriptor is the caller's to close. False
 * after "done" (ERR_NONE), "failed" (ERR_USAGE: its text), or ERR_SYSTEM. Words
 * "working" are not given to the caller, but to `tick`, once a second (NULL: nobody).
 */
bool dialog_next(struct dialog *dialog, void (*tick)(void *context), void *context,
		 struct err *err);

/* "taken": what was handed over is with us now, and the agent may remove it. */
bool dialog_taken(struct dialog *dialog, struct err *err);

void dialog_close(struct dialog *dialog);

#endif
