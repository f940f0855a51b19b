/*
 * proc.h - what Linux tells of processes, threads and the machine.
 *
 * Those that end in _parse take the text of a file, all others read it. What cannot be
 * read (a process that is gone, a /proc that is not mounted) is false. No descriptor
 * stays open, but in a struct proc_list. Any thread; not for signal handlers, but
 * proc_thread_total.
 */
#ifndef HOST_PROC_H
#define HOST_PROC_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/str.h"

/* Appends the whole file, PROC_FILE_MAX at most: the rest is left out. */
#define PROC_FILE_MAX ((size_t)4 << 20)
bool proc_read(struct buf *to, const char *path);

/* Its first bytes, without allocating. False also if it is empty. */
bool proc_read_into(char *to, size_t *size, const char *path);

/* CPU time -------------------------------------------------------------------- */

struct proc_times {
	int64_t user, system;		/* nanoseconds */
};

/* Of this process, with its threads that have ended. */
bool proc_process_times(struct proc_times *times);

/*
 * Of a thread of this process. The sum is exact; how it divides is known to the tick
 * (10 ms), so user may be ahead of the truth, but neither goes back by more than that.
 */
bool proc_thread_times(pid_t tid, struct proc_times *times);

/* Of the calling thread: one system call. */
bool proc_own_times(struct proc_times *times);

/* The sum alone: one system call. -1: there is no such thread. */
int64_t proc_thread_total(pid_t tid);

/* The line of /proc/PID/stat. */
struct proc_stat {
	struct str name;		/* may hold any bytes but 0, also newlines */
	uint64_t user, system;		/* ticks */
};
bool proc_stat_parse(struct str text, struct proc_stat *stat);

/* A tick in nanoseconds. */
int64_t proc_tick(void);

/* All processors together, ticks since the machine started: /proc/stat. */
struct proc_machine {
	uint64_t busy;			/* user, nice, system, interrupts */
	uint64_t total;			/* these, idle, waiting, stolen */
};
bool proc_machine(struct proc_machine *machine);
bool proc_machine_parse(struct str text, struct proc_machine *machine);

/* Memory, in bytes: /proc/meminfo. */
struct proc_memory {
	uint64_t total;
	uint64_t available;		/* what can be had without swapping */
};
bool proc_memory(struct proc_memory *memory);
bool proc_memory_parse(struct str text, struct proc_memory *memory);

/* Processes and threads ------------------------------------------------------- */

/* True if it is a thread of this process. */
bool proc_is_thread(pid_t tid);

/* How many threads this process has: one system call. -1: not known. */
long proc_thread_count(void);

/* Appends the system's name of a thread of this process; false: it has none. */
bool proc_thread_name(struct buf *to, pid_t tid);

/* The numbers in a folder: "/proc" has processes, "/proc/self/task" threads. */
struct proc_list {
	DIR *folder;
};

/* False: there is no such folder, or no memory. */
bool proc_list_open(struct proc_list *list, const char *path);
bool proc_list_next(struct proc_list *list, pid_t *id);
void proc_list_close(struct proc_list *list);

#endif
