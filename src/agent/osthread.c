#include "agent/osthread.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "agent/jvm.h"
#include "host/vmstructs.h"

static bool peek(uint64_t address, void *to, size_t size)
{
	struct iovec there = { (void *)(uintptr_t)address, size };
	struct iovec here = { to, size };

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* The thread structure's pointer to what belongs to the system: its class moved up once. */
static bool find_fields(struct vmstructs_field *osthread, struct vmstructs_field *id)
{
	struct vmstructs vmstructs;

	return vmstructs_find(&vmstructs, NULL) &&
	       vmstructs_field(&vmstructs, "OSThread", "_thread_id", id) &&
	       (vmstructs_field(&vmstructs, "JavaThread", "_osthread", osthread) ||
		vmstructs_field(&vmstructs, "Thread", "_osthread", osthread));
}

static bool is_mine(pid_t tid)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/task/%ld", (long)tid);
	return access(path, F_OK) == 0;
}

pid_t osthread_of(JNIEnv *jni, jobject thread)
{
	struct vmstructs_field osthread, id;
	uint64_t structure;
	int64_t address;
	pid_t tid;

	if (!find_fields(&osthread, &id) ||
	    !jvm_long_field(jni, thread, "eetop", &address) || address == 0 ||
	    !peek((uint64_t)address + osthread.offset, &structure, sizeof(structure)) ||
	    !peek(structure + id.offset, &tid, sizeof(tid)) || tid <= 0 || !is_mine(tid))
		return 0;
	return tid;
}
