#include "base/crew.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MAX 256

/* Items have cache lines (two, as those are fetched) to themselves. */
#define ITEM_ALIGNMENT ((size_t)128)

/*
 * Items are numbered as they are handed out, and item n lives in place n modulo
 * the number of places: those handed out but not yet taken are a window that
 * slides over the places.
 *
 *	taken             handed
 *	  v                 v
 *	  | ready | working | free ...
 *
 * A thread that has worked through an item leaves it in its place. If it is the
 * one whose turn it is, the thread takes it and those ready behind it; if not, the
 * thread goes on with another. So ready items never wait for a sleeping thread,
 * and a thread sleeps only while it may hand out nothing: because another thread
 * is in `next`, or because the window is full.
 */
struct place {
	void *item;
	bool ready;
};

struct shift {
	const struct crew *crew;
	void *context;
	pthread_mutex_t lock; /* over all below; never held in a stage */
	pthread_cond_t wake;  /* an item may be handed out, or it is over */
	struct place *places;
	size_t place_count;
	size_t handed, taken;
	bool handing, taking; /* a thread is in next, in take */
	bool ended;	      /* next had nothing more */
	bool stopped;	      /* take wants no more */
	pthread_t *helpers;
	size_t helper_count, helper_limit, sleeping;
};

static struct place *place_of(struct shift *shift, size_t number)
{
	return shift->places + number % shift->place_count;
}

static bool shift_may_hand(const struct shift *shift)
{
	return !shift->ended && !shift->stopped && !shift->handing &&
	       shift->handed - shift->taken < shift->place_count;
}

static bool shift_may_take(struct shift *shift)
{
	return !shift->stopped && !shift->taking && shift->taken < shift->handed &&
	       place_of(shift, shift->taken)->ready;
}

static void *helper_run(void *shift);

/*
 * Helpers keep out of the way of signals meant for the process. Those that a
 * thread brings upon itself stay: blocked, a fault could not be handled, and
 * writing to a closed pipe would end one thread's way and not the other's.
 */
static void signals_block(sigset_t *before)
{
	static const int own[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPIPE,
	};
	sigset_t blocked;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		sigdelset(&blocked, own[i]);
	pthread_sigmask(SIG_SETMASK, &blocked, before);
}

/*
 * Helpers come one by one, when there is an item to work on and no one asleep who
 * could see to the next: a short input costs no more threads than it has items.
 */
static void helper_start(struct shift *shift)
{
	pthread_t *helper = shift->helpers + shift->helper_count;
	sigset_t before;

	if (shift->sleeping || shift->helper_count == shift->helper_limit ||
	    !shift_may_hand(shift))
		return;
	signals_block(&before);
	if (pthread_create(helper, NULL, helper_run, shift) == 0)
		shift->helper_count++;
	else
		shift->helper_limit = shift->helper_count;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Wakes one thread if there is something to hand out. */
static void shift_wake(struct shift *shift)
{
	if (shift_may_hand(shift))
		pthread_cond_signal(&shift->wake);
}

/* The next item, handed out and worked through. Enters and leaves locked. */
static void shift_work(struct shift *shift)
{
	const struct crew *crew = shift->crew;
	struct place *place = place_of(shift, shift->handed);
	bool got;

	shift->handing = true;
	pthread_mutex_unlock(&shift->lock);
	got = crew->next(shift->context, place->item);
	pthread_mutex_lock(&shift->lock);
	shift->handing = false;
	if (!got) {
		shift->ended = true;
		pthread_cond_broadcast(&shift->wake);
		return;
	}
	place->ready = false;
	shift->handed++;
	helper_start(shift);
	shift_wake(shift);
	if (shift->stopped)
		return;

	pthread_mutex_unlock(&shift->lock);
	crew->work(shift->context, place->item);
	pthread_mutex_lock(&shift->lock);
	place->ready = true;
}

/* Takes the item whose turn it is. Enters and leaves locked. */
static void shift_take(struct shift *shift)
{
	struct place *place = place_of(shift, shift->taken);
	bool more;

	shift->taking = true;
	pthread_mutex_unlock(&shift->lock);
	more = shift->crew->take(shift->context, place->item);
	pthread_mutex_lock(&shift->lock);
	shift->taking = false;
	shift->taken++;
	if (more) {
		shift_wake(shift);
	} else {
		shift->stopped = true;
		pthread_cond_broadcast(&shift->wake);
	}
}

/* Until there is nothing more to hand out; what others work on they will take. */
static void shift_run(struct shift *shift)
{
	pthread_mutex_lock(&shift->lock);
	for (;;) {
		if (shift_may_take(shift)) {
			shift_take(shift);
		} else if (shift_may_hand(shift)) {
			shift_work(shift);
		} else if (shift->ended || shift->stopped) {
			break;
		} else {
			shift->sleeping++;
			pthread_cond_wait(&shift->wake, &shift->lock);
			shift->sleeping--;
		}
	}
	pthread_mutex_unlock(&shift->lock);
}

static void *helper_run(void *shift)
{
	shift_run(shift);
	return NULL;
}

/* Threads are started only while work goes on, so when we are through, none is. */
static void helpers_join(struct shift *shift)
{
	size_t count;

	pthread_mutex_lock(&shift->lock);
	count = shift->helper_count;
	pthread_mutex_unlock(&shift->lock);
	for (size_t i = 0; i < count; i++)
		pthread_join(shift->helpers[i], NULL);
}

static bool places_alloc(struct shift *shift)
{
	size_t size = shift->crew->item_size / ITEM_ALIGNMENT + 1;

	shift->places = calloc(shift->place_count, sizeof(*shift->places));
	if (!shift->places)
		return false;
	size *= ITEM_ALIGNMENT;
	for (size_t i = 0; i < shift->place_count; i++) {
		void *item = aligned_alloc(ITEM_ALIGNMENT, size);

		if (!item)
			return false;
		shift->places[i].item = memset(item, 0, size);
	}
	return true;
}

static void places_free(struct shift *shift)
{
	for (size_t i = 0; shift->places && i < shift->place_count; i++) {
		void *item = shift->places[i].item;

		if (item && shift->crew->release)
			shift->crew->release(item);
		free(item);
	}
	free(shift->places);
}

static bool run_alone(const struct crew *crew, void *context, void *item)
{
	while (crew->next(context, item)) {
		crew->work(context, item);
		if (!crew->take(context, item))
			return false;
	}
	return true;
}

bool crew_run(const struct crew *crew, void *context, int threads)
{
	struct shift shift = {
		.crew = crew,
		.context = context,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.wake = PTHREAD_COND_INITIALIZER,
	};
	bool done = false;

	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	shift.place_count = threads > 1 ? (size_t)threads * 2 + 2 : 1;
	if (places_alloc(&shift)) {
		if (threads > 1)
			shift.helpers = calloc((size_t)threads, sizeof(pthread_t));
		if (shift.helpers) {
			shift.helper_limit = (size_t)threads - 1;
			shift_run(&shift);
			helpers_join(&shift);
			done = !shift.stopped;
		} else {
			done = run_alone(crew, context, shift.places[0].item);
		}
	}
	free(shift.helpers);
	places_free(&shift);
	return done;
}

/* $CJFR_JOBS if it is a positive number and nothing else, else 0. */
static int jobs_wanted(void)
{
	const char *text = getenv("CJFR_JOBS");
	int jobs = 0;

	if (!text || !*text)
		return 0;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return 0;
		jobs = jobs * 10 + (*text - '0');
		if (jobs > THREADS_MAX)
			jobs = THREADS_MAX;
	}
	return jobs;
}

static int processors_count(void)
{
	cpu_set_t set;
	long online;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return CPU_COUNT(&set);

	/* Machines with more than 1024 processors do not fit into the set. */
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > THREADS_MAX ? THREADS_MAX : (int)online;
}

int crew_size(int wanted)
{
	int size = wanted > 0 ? wanted : jobs_wanted();

	if (size <= 0)
		size = processors_count();
	if (size > THREADS_MAX)
		return THREADS_MAX;
	return size < 1 ? 1 : size;
}
