/*
 * process.h - another process, as /proc has it.
 *
 * Its folder in /proc stays open: whatever number a later process gets, that folder is
 * this one's, and empty when it is gone. What is read there may be another user's, and
 * is bounded.
 */
#ifndef JVMS_PROCESS_H
#define JVMS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/str.h"

#define PROCESS_NAME_SIZE 64

/* Ids are those of our user namespace, numbers those of our PID namespace. */
struct process {
	int folder;
	pid_t pid;
	pid_t group;			/* whose thread it is; pid: it is a process */
	pid_t inner;			/* as it sees itself */
	bool is_nested;			/* in a PID namespace below ours */
	uid_t uid;			/* effective */
	gid_t gid;
	char state;			/* 'Z': has ended, 'T': is stopped */
	bool is_kernel;			/* a thread of the kernel */
	bool takes_quit;		/* SIGQUIT has a handler */
	int64_t begun;			/* ticks since the system began */
	char name[PROCESS_NAME_SIZE];	/* what the system calls it */
};

/* False, with errno: ENOENT, ESRCH: there is none. process_close only after true. */
bool process_open(struct process *process, pid_t pid);
void process_close(struct process *process);

/* Looks at it again: what may change. False: it is gone. */
bool process_renew(struct process *process);

/* Appends the first bytes of one of its files. False with errno. */
bool process_read(const struct process *process, const char *name, size_t most,
		  struct buf *to);

/* SIGQUIT, if it is still there. False with errno. */
bool process_quit(const struct process *process);

/* The parts: texts of its files. False if they are not what they should be. */
bool process_parse_status(struct process *process, struct str text);
bool process_parse_stat(struct process *process, struct str text);

#endif
