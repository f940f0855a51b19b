/*
 * ownthread.h - threads of ours, which the JVM does not know unless they enter it.
 *
 * They take no signals of the process, which are for others.
 */
#ifndef AGENT_OWNTHREAD_H
#define AGENT_OWNTHREAD_H

#include <pthread.h>

/*
 * Starts one. Gives what pthread_create does; `thread` NULL: nobody waits for its end.
 */
int ownthread_start(pthread_t *thread, void *(*run)(void *context), void *context);

#endif
