/*
 * threadname.h - what a thread is called, as a constant: POOL_THREAD, with its groups.
 *
 * Any thread; no lock but that of constants.
 */
#ifndef ENGINE_THREADNAME_H
#define ENGINE_THREADNAME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/str.h"
#include "engine/constants.h"

struct threadname {
	struct str name;		/* need not be UTF-8 */
	uint64_t group;			/* POOL_THREAD_GROUP */
	int64_t java_tid;		/* 0: not one of Java's, or not known */
	pid_t tid;			/* 0: not known */
	bool is_java, is_virtual;
};

/* The value of a POOL_THREAD. */
void threadname_encode(struct buf *to, const struct threadname *threadname);

/* The key of a group within another one (0: none); 0 without memory. */
uint64_t threadname_group(struct constants *constants, uint64_t parent,
			  struct str name);

/* Numbers of Java's threads are never used again, those of the system are. */
static inline uint64_t threadname_java_key(int64_t java_tid)
{
	return (uint64_t)java_tid << 1 | 1;
}

/*
 * The same key, of a thread of Java's that may have ended, or be a virtual one that
 * nobody named: then all that is said of it is its number. 0 without memory.
 */
uint64_t threadname_of_number(struct constants *constants, uint64_t key);

#endif
