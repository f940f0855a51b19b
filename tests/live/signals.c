/* The native part of Signals.java. */
#include <jni.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum { INTERVAL, TIMER, OTHER, KINDS };

static atomic_long counts[KINDS];

static void handle(int number, siginfo_t *info, void *context)
{
	int kind = OTHER;

	(void)number;
	(void)context;
	if (info->si_code == SI_KERNEL)
		kind = INTERVAL;
	else if (info->si_code == SI_TIMER && info->si_value.sival_ptr == counts)
		kind = TIMER;
	atomic_fetch_add(&counts[kind], 1);
}

JNIEXPORT void JNICALL Java_Signals_install(JNIEnv *jni, jclass type)
{
	struct itimerval each = { { 0, 10000 }, { 0, 10000 } };
	struct itimerspec often = { { 0, 10000000 }, { 0, 10000000 } };
	struct sigaction action;
	struct sigevent event;
	timer_t timer;

	(void)jni;
	(void)type;
	memset(&action, 0, sizeof action);
	action.sa_sigaction = handle;
	action.sa_flags = SA_SIGINFO | SA_RESTART;
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &each, NULL);
	memset(&event, 0, sizeof event);
	event.sigev_notify = SIGEV_SIGNAL;
	event.sigev_signo = SIGPROF;
	event.sigev_value.sival_ptr = counts;
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
		timer_settime(timer, 0, &often, NULL);
}

JNIEXPORT jlong JNICALL Java_Signals_count(JNIEnv *jni, jclass type, jint which)
{
	(void)jni;
	(void)type;
	return atomic_load(&counts[which]);
}
