#include "agent/ownthread.h"

#include <signal.h>

#define STACK_SIZE (1 << 20)

/* Signals of the process are for others; those of faults are the JVM's to handle. */
int ownthread_start(pthread_t *thread, void *(*run)(void *context), void *context)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP };
	pthread_attr_t attributes;
	sigset_t others, before;
	pthread_t unwaited;
	int error;

	sigfillset(&others);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigdelset(&others, faults[i]);
	error = pthread_attr_init(&attributes);
	if (error)
		return error;
	if (!thread)
		pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	pthread_sigmask(SIG_SETMASK, &others, &before);
	error = pthread_create(thread ? thread : &unwaited, &attributes, run, context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}
