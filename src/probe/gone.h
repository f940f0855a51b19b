/*
 * gone.h - methods of classes that are gone, added up by their names.
 *
 * There are at most `max` of them; what is beyond, or found no memory, is counted. Starts
 * zeroed, but for `max`. Not for threads to share.
 */
#ifndef PROBE_GONE_H
#define PROBE_GONE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "probe/probedcopy.h"

/* Of all classes of that name that are gone. */
struct gone_method {
	struct probed_copy of;
	uint32_t next;			/* of the same hash */
};

struct gone {
	size_t max;
	VEC(struct gone_method) methods;
	struct map by_name;		/* hash of the names: the first */
	uint64_t lost;
	struct arena texts;
};

/* It is gone, with its sum. Texts are copied. */
void gone_add(struct gone *gone, const struct probed_copy *of);

void gone_clear(struct gone *gone);

#endif
