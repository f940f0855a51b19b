/*
 * osthread.h - the system's number of a thread of the JVM that is not the calling one.
 *
 * JVMTI does not tell it. HotSpot's own structures have it, and its tables say where.
 * Memory is read by way of the kernel, as the thread may end meanwhile: then it is not
 * known.
 */
#ifndef HOTSPOT_OSTHREAD_H
#define HOTSPOT_OSTHREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "hotspot/vmstructs.h"

/* Zeroed, it knows no thread. */
struct osthread {
	bool is_known;
	uint64_t structure;		/* where a thread has what is the system's */
	uint64_t id;			/* where that has the number */
};

/* False: it is not known where. */
bool osthread_find(struct osthread *osthread, const struct vmstructs *vmstructs);

/*
 * Of the thread whose structure is at the address (eetop of Java's Thread). 0: not
 * known. If it has just ended it may be any number: ask the system for the thread.
 */
pid_t osthread_tid(const struct osthread *osthread, uint64_t address);

#endif
