#include "agent/forked.h"

#include <pthread.h>
#include <stdatomic.h>

#include "agent/phase.h"

static _Atomic(struct agent *) watched;

/*
 * In the new process, whose memory is its own but for what was mapped to be shared: there
 * it must not write, so the JVM's callbacks find us gone. Of those that held locks there
 * is none left, so nothing is called but what may be called in a signal handler.
 */
static void leave(void)
{
	struct agent *agent = atomic_load(&watched);
	struct spillfile *file;

	if (!agent)
		return;
	file = store_file(&agent->recorder.store);
	phase_set(PHASE_OVER);
	fileid_close(&agent->connected, agent->connection);
	fileid_close(&agent->held_id, agent->held);
	fileid_close(&agent->lodging.lock_id, agent->lodging.lock);
	control_forget(&agent->control);
	fileid_close(&file->id, file->fd);
	repository_unlock(&agent->recorder.repository);
}

void forked_watch(struct agent *agent)
{
	static atomic_flag is_told = ATOMIC_FLAG_INIT;

	atomic_store(&watched, agent);
	if (!atomic_flag_test_and_set(&is_told))
		pthread_atfork(NULL, NULL, leave);
}

void forked_forget(void)
{
	atomic_store(&watched, NULL);
}
