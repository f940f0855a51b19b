#include "hotspot/osthread.h"

#include <sys/uio.h>
#include <unistd.h>

/* The pointer to what belongs to the system was in a class above, up to JDK 16. */
bool osthread_find(struct osthread *osthread, const struct vmstructs *vmstructs)
{
	struct vmstructs_field structure, id;

	*osthread = (struct osthread){ false, 0, 0 };
	if (!vmstructs_field(vmstructs, "OSThread", "_thread_id", &id) ||
	    (!vmstructs_field(vmstructs, "JavaThread", "_osthread", &structure) &&
	     !vmstructs_field(vmstructs, "Thread", "_osthread", &structure)))
		return false;
	*osthread = (struct osthread){ true, structure.offset, id.offset };
	return true;
}

static bool peek(uint64_t address, void *to, size_t size)
{
	struct iovec there = { (void *)(uintptr_t)address, size };
	struct iovec here = { to, size };

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}

pid_t osthread_tid(const struct osthread *osthread, uint64_t address)
{
	uint64_t structure;
	pid_t tid;

	if (!osthread->is_known || address == 0 ||
	    !peek(address + osthread->structure, &structure, sizeof(structure)) ||
	    !peek(structure + osthread->id, &tid, sizeof(tid)))
		return 0;
	return tid > 0 ? tid : 0;
}
