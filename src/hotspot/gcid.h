/*
 * gcid.h - the JVM's own number of the collection that a thread is at work for.
 *
 * Its log shows it as GC(7), its recordings as gcId. Threads of the JVM have it in their
 * structure, behind the last field that HotSpot's tables name; that it is there, and
 * nothing else, the size of the structure tells. 8 has none. No lock, no allocation.
 */
#ifndef HOTSPOT_GCID_H
#define HOTSPOT_GCID_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "hotspot/vmstructs.h"

/* Zeroed, it knows no thread. */
struct gcid {
	bool is_known;
	pthread_key_t key;		/* with which a thread finds its structure */
	uint64_t offset;		/* of the number in that */
};

/*
 * `thread` is the address of the structure of the calling thread (eetop of Java's
 * Thread). False: it is not known where numbers are.
 */
bool gcid_find(struct gcid *gcid, const struct vmstructs *vmstructs, uint64_t thread);

/* Of the calling thread, which is one of the JVM's own. -1: none, or not known. */
int64_t gcid_here(const struct gcid *gcid);

#endif
