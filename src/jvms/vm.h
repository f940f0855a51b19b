/*
 * vm.h - the JVMs of this host, as the system tells of them: none is asked anything.
 *
 * A JVM is a process that has libjvm.so in its memory. What it runs is in its file of
 * counters (/tmp/hsperfdata_USER/PID, seen through /proc/PID/root), and without that, on
 * its command line. All of that is another's: it is bounded, and never trusted.
 */
#ifndef JVMS_VM_H
#define JVMS_VM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/vec.h"

/* Texts are its own, never NULL, and may have any bytes but 0. */
struct vm {
	pid_t pid;		/* as we see it */
	pid_t inner;		/* as it sees itself: the last of NSpid */
	uid_t uid;		/* effective, in our user namespace */
	gid_t gid;
	bool is_elsewhere;	/* another mount namespace or root: its paths are not ours */
	int64_t begun;		/* when the process did, in ticks of the system: with pid, who
				   it is */
	char *user;		/* the name of uid, or its number */
	char *version;		/* "17.0.15", "1.8.0_452"; "": not known */
	char *main;		/* its main class, or jar as it was given; "": not known */
	char *arguments;	/* of the program, "": none */
};

/* Zeroed: none. */
struct vms {
	VEC(struct vm) all;	/* by pid */
	size_t hidden;		/* processes that might be JVMs, and are not shown to us */
};

/*
 * One process. False: ERR_USAGE with a text for the user: there is no such process, it is
 * no JVM (what it is, is told), it is another user's and we may not see, or it is the
 * number that a process has inside a container (then what it is here).
 */
bool vm_look(struct vm *vm, pid_t pid, struct err *err);
void vm_clear(struct vm *vm);

/* All that we may see. ERR_SYSTEM, ERR_MEMORY. vms_clear in any case. */
bool vms_find(struct vms *vms, struct err *err);
void vms_clear(struct vms *vms);

/*
 * True if a word names it, as jcmd has it: its pid, or a part of its main class or jar
 * (not of its arguments).
 */
bool vm_is_named(const struct vm *vm, const char *word);

/* True if the process is still the one that was looked at. */
bool vm_is_there(const struct vm *vm);

#endif
