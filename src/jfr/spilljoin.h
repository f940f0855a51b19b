/*
 * spilljoin.h - values that are in a spill file in parts (spill.h: SPILL_PART).
 *
 *	join_add(&join, key, value, size, at)		each part
 *	join_sort(&join)
 *	while ((parts = join_next(&join))) ...		each value that is whole
 *	join_clear(&join)
 *
 * Nothing of it is trusted. What lies in the parts is not looked at: memory goes with
 * their count.
 */
#ifndef JFR_SPILLJOIN_H
#define JFR_SPILLJOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "jfr/spill.h"

struct join_part {
	uint64_t number;		/* of the value */
	struct spill_part_of of;
	uint64_t at;			/* where its bytes are */
	uint32_t size;
};

/* A zeroed struct has none. */
struct join {
	VEC(struct join_part) parts;
	size_t next;			/* of these: the first of the next value */
	uint64_t damaged;		/* parts and values that cannot be */
	bool failed;			/* out of memory */
};

/* A record of the type SPILL_PART, whose value lies there in the file. */
void join_add(struct join *join, uint64_t key, const char *value, size_t size,
	      uint64_t at);

/* All were added. */
void join_sort(struct join *join);

/*
 * The parts of the next value, in their order: of.count, of of.size bytes together,
 * which are not above SPILL_PART_MAX. NULL: there is none. Of a value that was being put
 * or removed some are missing; it is passed over.
 */
const struct join_part *join_next(struct join *join);

void join_clear(struct join *join);

#endif
