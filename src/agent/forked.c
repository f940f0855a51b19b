#include "agent/forked.h"

#include <pthread.h>

static struct agent *watched;

/*
 * In the new process, whose memory is its own but for what was mapped to be shared: there
 * it must not write, so the JVM's callbacks find us gone. Of those that held locks there
 * is none left, so nothing is called but what may be called in a signal handler.
 */
static void leave(void)
{
	struct agent *agent = watched;
	struct spillfile *file = store_file(&agent->recorder.store);

	atomic_store(&agent->phase, AGENT_OVER);
	fileid_close(&agent->connected, agent->connection);
	fileid_close(&agent->held_id, agent->held);
	fileid_close(&file->id, file->fd);
	repository_unlock(&agent->recorder.repository);
}

void forked_watch(struct agent *agent)
{
	watched = agent;
	pthread_atfork(NULL, NULL, leave);
}
