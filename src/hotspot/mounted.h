/*
 * mounted.h - which virtual thread runs on a thread of the JVM.
 *
 * The JVM keeps Java's number of it in the thread's own structure: in what its recorder
 * has of each thread (JDK 21), or as the owner of monitors (from 24 on); its tables say
 * where. No lock, no allocation; the calling thread may be in a signal handler.
 */
#ifndef HOTSPOT_MOUNTED_H
#define HOTSPOT_MOUNTED_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/vmstructs.h"

/* Zeroed, it knows of none. */
struct mounted {
	bool is_known;
	uint64_t number_at;		/* 8 bytes, in the structure of a thread */
	uint64_t flag_at;		/* a byte: one is mounted; 0: there is none */
};

/* False: this JVM has no virtual threads, or it is not known where. */
bool mounted_find(struct mounted *mounted, const struct vmstructs *vmstructs,
		  vmstructs_symbol *symbol);

/*
 * The number of the thread of Java that runs on the thread whose structure is at `vm`
 * (eetop), which is the calling one: a virtual one's, its own, or 0 if it is not known.
 */
int64_t mounted_here(const struct mounted *mounted, uintptr_t vm);

#endif
