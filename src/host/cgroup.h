/*
 * cgroup.h - the memory that a container may have.
 */
#ifndef HOST_CGROUP_H
#define HOST_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Bytes. */
struct cgroup_memory {
	uint64_t limit, used;
};

/* That of this process; false: it has no limit of its own. */
bool cgroup_memory(struct cgroup_memory *memory);

/*
 * The same from the text of /proc/self/cgroup, and the folder where the groups are
 * mounted (/sys/fs/cgroup): of a group and those it is in the one with the least limit.
 * Both versions; of a limit that is none to speak of (2^62 bytes) false, too.
 */
bool cgroup_memory_in(struct cgroup_memory *memory, struct str text,
		      const char *folder);

#endif
