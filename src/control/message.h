/*
 * message.h - what an agent and the cjfr that waits for it tell each other.
 *
 * A Unix socket (SOCK_SEQPACKET) in a folder of the user's. A message is one packet:
 * a word, a blank, and the rest of its text; it may carry a file descriptor. Closing
 * tells that a process is gone. Both sides check that the other is of the same user,
 * or root (SO_PEERCRED).
 *
 *	began NANOS		from the agent: the time, since 1970, in the name
 *	hello REPOSITORY	from the agent, with the spill file's descriptor
 *	failed TEXT		from the agent, when it cannot record
 *	warning TEXT		from the agent: something is not recorded any more
 *	idle			from the agent: filters of methods selected none at all
 *	stopped			from the agent: its recording is complete
 *	stopped REPOSITORY	the same; but it is in that folder, by itself, as others go on
 *
 * The agent itself listens, too: at "control" in its own folder. Who connects there asks
 * one thing (request.h), and gets
 *
 *	agent PROTOCOL VERSION	at once, before it asks
 *	note TEXT		something that it should know
 *	working			still at it; once a second
 *	engine LINES		facts.h
 *	recording LINES		with the orders of its settings, as a file
 *	folder ID NAME		with a folder, as a descriptor: chunk files, complete, in the
 *				order of their names. They are removed when it says so:
 *	taken			from who asked
 *	written PATH		the agent made that file
 *	unwritten TEXT		it could not; TEXT says where the recording is
 *	done TEXT		the last
 *	failed TEXT		instead
 */
#ifndef CONTROL_MESSAGE_H
#define CONTROL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

#define MESSAGE_MAX 8192

/* The words that there are. */
#define MESSAGE_BEGAN "began"
#define MESSAGE_HELLO "hello"
#define MESSAGE_FAILED "failed"
#define MESSAGE_WARNING "warning"
#define MESSAGE_IDLE "idle"
#define MESSAGE_STOPPED "stopped"
#define MESSAGE_AGENT "agent"
#define MESSAGE_NOTE "note"
#define MESSAGE_WORKING "working"
#define MESSAGE_ENGINE "engine"
#define MESSAGE_RECORDING "recording"
#define MESSAGE_FOLDER "folder"
#define MESSAGE_TAKEN "taken"
#define MESSAGE_WRITTEN "written"
#define MESSAGE_UNWRITTEN "unwritten"
#define MESSAGE_DONE "done"

/* Of requests and answers. One side of another number only detaches. */
#define MESSAGE_PROTOCOL 1

struct message {
	char text[MESSAGE_MAX];	/* ends with 0 */
	const char *word;	/* points into text */
	const char *rest;
	int fd;			/* the receiver's to close; -1: none came, or no room */
	long pid;		/* of the sender, as the kernel tells it */
};

/* A socket that listens at the path; -1 with err. Close it, unlink the path. */
int message_listen(const char *path, struct err *err);

/* A connection to the one who listens; -1 with err. Never waits. */
int message_connect(const char *path, struct err *err);

/* The same, whosever it is: *pid and *uid tell that. Errno is set if it fails. */
int message_connect_any(const char *path, long *pid, unsigned long *uid,
			struct err *err);

/* The next connection; -1 with err, or without (kind ERR_NONE) when there is none now. */
int message_accept(int listener, struct err *err);

/* Sends; fd may be -1. */
bool message_send(int connection, const char *word, const char *rest, int fd,
		  struct err *err);

/* 1: received; 0: none now; -1: the other side is gone, or err says what is wrong. */
int message_receive(int connection, struct message *message, struct err *err);

#endif
