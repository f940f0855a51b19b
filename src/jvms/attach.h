/*
 * attach.h - HotSpot's attach protocol: JDK 8 to 27, by the socket that it opens for who
 * asks (a file .attach_pidN, and SIGQUIT), in versions 1 and 2.
 *
 * For root, and JVMs of others: all files and the connection are made as the JVM's user
 * (effective ids), below its own root (openat2, RESOLVE_IN_ROOT: links lead nowhere else).
 * A process is only signalled if it is a JVM that waits for that signal. What it answers
 * is bounded in size and time. HACKING, "WHO MAY ATTACH", has what is defended against.
 */
#ifndef JVMS_ATTACH_H
#define JVMS_ATTACH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "jvms/vm.h"

#define ATTACH_ANSWER_MAX ((size_t)1 << 20)	/* bytes */

/*
 * One command with up to three arguments (NULL: not given), each below 1 KB, or longer if the JVM
 * has version 2: "jcmd" "JFR.check"; "load" FILE "true" OPTIONS. The text of the answer
 * is appended, behind its first line, which is *code. ERR_SYSTEM: what went wrong and
 * what to do: attach is disabled, a stale socket, its /tmp is full, ...
 */
bool attach_ask(const struct vm *vm, const char *command, const char *const arguments[3],
		int *code, struct buf *answer, struct err *err);

/*
 * The library (ours, an absolute path) is loaded into the JVM, as a copy below its root if
 * it cannot read ours, which is gone again afterwards. Options are for Agent_OnAttach.
 * ERR_SYSTEM: EnableDynamicAgentLoading is off, another C library, no folder from which
 * it may load, what dlopen said, or what our agent says with its number
 * (control/doorcode.h).
 */
bool attach_load(const struct vm *vm, const char *library, const char *options,
		 struct err *err);

/*
 * A folder below its root in which the JVM may write, mode 0700, its user's, for files that it is
 * to make or read for us: `inside` is its path for the JVM, `fd` is ours, open. Who
 * makes it removes it. ERR_SYSTEM.
 */
struct attach_folder {
	char *inside;
	int fd;
	int parent;		/* and what it is in */
};
bool attach_folder_make(struct attach_folder *folder, const struct vm *vm,
			struct err *err);

/* With all regular files in it. */
void attach_folder_remove(struct attach_folder *folder, const struct vm *vm);

#endif
