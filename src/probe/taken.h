/*
 * taken.h - methods that filters with ! took out: each counts once.
 *
 * They are known by a hash, as there may be many; beyond TAKEN_MAX none is news. Zeroed it
 * is empty. Any thread; a lock is held for short.
 */
#ifndef PROBE_TAKEN_H
#define PROBE_TAKEN_H

#include <pthread.h>
#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "classfile/classfile.h"

#define TAKEN_MAX (1 << 20)

struct taken {
	pthread_mutex_t lock;
	struct map kinds;		/* by the hash of a method */
};

/* They take those kinds of probes from it. Gives those that were not told before. */
unsigned taken_add(struct taken *taken, uint64_t loader, struct str class_name,
		   const struct classfile_method *method, unsigned kinds);

/* Once nobody adds any more. */
void taken_clear(struct taken *taken);

#endif
