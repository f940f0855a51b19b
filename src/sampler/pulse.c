#include "sampler/pulse.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"
#include "engine/emit.h"
#include "sampler/before.h"
#include "sampler/guard.h"
#include "sampler/machine.h"

#define WALKERS_PER_PROCESSOR 4
#define WALKERS_MIN 16
#define WALKERS_MAX 256

/* What the JVM gives as the place in a native method. */
#define NATIVE_BYTECODE (-3)

/* How long handlers that run are waited for: so many pauses. They may be preempted. */
#define STOP_PAUSES 2000

/* The one there is, for the handler, and the handler that was there before ours. */
static _Atomic(struct pulse *) present;
static struct before before;
static atomic_bool is_installed;

/* --- walkers ------------------------------------------------------------------ */

static unsigned count_walkers(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	long count = processors * WALKERS_PER_PROCESSOR;

	return (unsigned)(count < WALKERS_MIN   ? WALKERS_MIN
			  : count > WALKERS_MAX ? WALKERS_MAX
						: count);
}

/* Each processor begins at its own, so that few are used where few are needed. */
static struct walker *take_walker(struct pulse *pulse)
{
	int processor = sched_getcpu();
	unsigned first = processor > 0 ? (unsigned)processor : 0;

	for (unsigned i = 0; i < pulse->walker_count; i++) {
		struct walker *walker =
			&pulse->walkers[(first + i) % pulse->walker_count];
		bool is_busy = false;

		if (atomic_compare_exchange_strong_explicit(&walker->is_busy, &is_busy,
							    true, memory_order_acquire,
							    memory_order_relaxed))
			return walker;
	}
	return NULL;
}

static void give_back(struct walker *walker)
{
	atomic_store_explicit(&walker->is_busy, false, memory_order_release);
}

/* False: it has the room that it had. */
static bool make_room(struct walker *walker, int depth)
{
	struct walk_frame *frames = calloc((size_t)depth + 1, sizeof(*frames));
	struct rawframe *raw = calloc((size_t)depth, sizeof(*raw));

	if (!frames || !raw) {
		free(frames);
		free(raw);
		return false;
	}
	free(walker->frames);
	free(walker->raw);
	walker->frames = frames;
	walker->raw = raw;
	return true;
}

static bool open_walker(struct walker *walker, int depth, struct store *store)
{
	walker->lane = store_raw_lane(store);
	return make_room(walker, depth) && walker->lane;
}

/* --- one sample --------------------------------------------------------------- */

/* The walk is done: of what it gave, a sample is made. */
struct take {
	struct pulse *pulse;
	struct walker *walker;
	const struct ticker *ticker;
	void *context;
	void *env;
	uintptr_t vm;
	bool is_retried;
	struct rawsample sample;
};

/* `count` is 0 or less. */
static enum tally_what failure(int32_t count)
{
	const int32_t last = TALLY_NO_JAVA_FRAME - TALLY_OTHER_FAILURE;

	return count > last ? (enum tally_what)(TALLY_NO_JAVA_FRAME - count)
			    : TALLY_OTHER_FAILURE;
}

/* Together they give a sample for each period, as ticks fall on them by chance. */
static bool is_wanted(const struct take *take, bool is_native)
{
	const struct pulse *pulse = take->pulse;
	int64_t period = atomic_load_explicit(is_native ? &pulse->native_period
							: &pulse->java_period,
					      memory_order_relaxed);
	int64_t *owed = &take->walker->owed[is_native];

	if (period <= 0)
		return false;
	*owed += atomic_load_explicit(&take->ticker->interval, memory_order_relaxed);
	if (*owed < period)
		return false;
	*owed %= period;
	return true;
}

/* What is known without looking into the JVM. */
static void copy_frames(struct take *take, int32_t count)
{
	const struct pulse *pulse = take->pulse;
	struct rawsample *sample = &take->sample;

	if (count > pulse->depth) {
		sample->flags |= RAWSAMPLE_TRUNCATED;
		count = pulse->depth;
	}
	sample->count = (uint32_t)count;
	for (uint32_t i = 0; i < sample->count; i++) {
		const struct walk_frame *frame = &take->walker->frames[i];
		bool is_native = frame->bytecode == NATIVE_BYTECODE;

		take->walker->raw[i] = (struct rawframe){
			.method = (uintptr_t)frame->method,
			.bytecode = frame->bytecode,
			.type = is_native ? RAWFRAME_NATIVE : RAWFRAME_UNKNOWN,
		};
	}
}

/* A fault leaves what is not known yet as it is. */
static void look_into_jvm(void *context)
{
	struct take *take = context;
	const struct pulse *pulse = take->pulse;
	uintptr_t pc = take->is_retried ? 0 : machine_of(take->context).pc;
	uint64_t key = 0;

	if (pulse->mounted)
		key = pulse->mounted(pulse->context, take->vm);
	if (key)
		take->sample.thread = key;
	if (!pulse->walk.is_guarded)
		return;
	for (uint32_t i = 0; i < take->sample.count && pulse->type; i++) {
		struct rawframe *frame = &take->walker->raw[i];

		if (frame->type == RAWFRAME_UNKNOWN)
			frame->type = pulse->type(pulse->context, frame->method,
						  i == 0 ? pc : 0);
	}
}

/* Whether the thread waits; what runs on a processor does not. */
static void look_at_wait(void *context)
{
	struct take *take = context;
	const struct pulse *pulse = take->pulse;

	if (pulse->ticks->mode != TICK_WALL || !machine_is_blocked(take->context))
		return;
	take->sample.flags |= RAWSAMPLE_BLOCKED;
	if (pulse->entering && pulse->entering(pulse->context, take->vm))
		take->sample.flags |= RAWSAMPLE_ENTERING;
}

static bool write_sample(const struct take *take)
{
	const struct rawsample *sample = &take->sample;
	struct emit event;

	if (!emit_begin(&event, take->walker->lane, EVENT_RAW_SAMPLE,
			rawsample_room(sample->count)))
		return false;
	event.at = rawsample_put(event.at, sample, take->walker->raw);
	return emit_commit(&event);
}

static enum tally_what sample_thread(struct take *take)
{
	struct pulse *pulse = take->pulse;
	struct walker *walker = take->walker;
	struct walk_trace trace = { .env = take->env, .frames = walker->frames };
	enum walk_end end = walk_stack(&pulse->walk, &trace, pulse->depth + 1, take->vm,
				       take->context);
	bool is_native;

	if (end == WALK_FAULT)
		return TALLY_FAULT;
	if (end == WALK_FAILED)
		return failure(trace.count);
	if (walker->frames[0].bytecode == NATIVE_BYTECODE)
		take->sample.flags |= RAWSAMPLE_NATIVE;
	if (pulse->walk.is_guarded)
		guard_call(look_at_wait, take);
	is_native = rawsample_is_native(take->sample.flags);
	if (!is_wanted(take, is_native))
		return TALLY_UNWANTED;
	take->is_retried = end == WALK_RETRIED;
	copy_frames(take, trace.count);
	guard_call(look_into_jvm, take);
	if (!write_sample(take))
		return TALLY_DROPPED;
	if (take->is_retried)
		tally_add(pulse->tally, TALLY_RETRIED, 1);
	return is_native ? TALLY_NATIVE : TALLY_JAVA;
}

/* --- the handler -------------------------------------------------------------- */

static void find_beneath(void *context)
{
	void **place = context;

	*place = machine_beneath(*place);
}

/*
 * A ticker may be older than what its thread is to the JVM now: who it is there is
 * asked each time, so that nobody else's structure is touched.
 */
static enum tally_what answer(struct pulse *pulse, struct ticker *ticker, void *context)
{
	struct take take = {
		.pulse = pulse,
		.ticker = ticker,
		.context = context,
		.env = ticker->key && pulse->env ? pulse->env(pulse->context) : NULL,
		.sample = { .ticks = now_ticks(), .thread = ticker->key },
	};
	enum tally_what outcome;

	if (!take.env)
		return TALLY_OTHER_THREAD;
	take.walker = take_walker(pulse);
	if (!take.walker)
		return TALLY_DROPPED;
	take.vm = pulse->env_at ? (uintptr_t)take.env - pulse->env_at : 0;
	guard_let_in(context);
	if (pulse->walk.is_guarded)
		guard_call(find_beneath, &take.context);
	outcome = sample_thread(&take);
	give_back(take.walker);
	return outcome;
}

static void tick(struct pulse *pulse, struct ticker *ticker, const siginfo_t *info,
		 void *context)
{
	struct tally *tally = pulse->tally;
	int64_t began = now_by(CLOCK_THREAD_CPUTIME_ID);
	enum tally_what outcome = answer(pulse, ticker, context);

	tally_add(tally, TALLY_TICKS, 1);
	tally_add(tally, outcome, 1);
	if (info->si_overrun > 0)
		tally_add(tally, TALLY_MERGED, (uint64_t)info->si_overrun);
	tally_add(tally, TALLY_HANDLER_TIME,
		  (uint64_t)(now_by(CLOCK_THREAD_CPUTIME_ID) - began));
}

/* False: it is for somebody else. */
static bool is_answered(struct pulse *pulse, const siginfo_t *info, void *context)
{
	bool is_ours;
	struct ticker *ticker = ticks_find(pulse->ticks, info, &is_ours);

	if (!ticker)
		return is_ours;
	atomic_fetch_add(&pulse->busy, 1);
	if (atomic_load(&pulse->is_on))
		tick(pulse, ticker, info, context);
	atomic_fetch_sub(&pulse->busy, 1);
	ticks_let_go(ticker);
	return true;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
	struct pulse *pulse = atomic_load(&present);
	int error = errno;
	bool is_ours = pulse && is_answered(pulse, info, context);

	errno = error;
	if (!is_ours)
		before_call(&before, signal, info, context);
}

/* --- life --------------------------------------------------------------------- */

bool pulse_open(struct pulse *pulse, struct store *store, struct err *err)
{
	unsigned count = count_walkers();
	size_t size = count * sizeof(*pulse->walkers);

	pulse->walkers = aligned_alloc(CACHE_LINE, size);
	if (!pulse->walkers)
		return err_memory(err);
	memset(pulse->walkers, 0, size);
	pulse->walker_count = count;
	for (unsigned i = 0; i < count; i++) {
		if (!open_walker(&pulse->walkers[i], pulse->depth, store)) {
			pulse_close(pulse);
			return err_memory(err);
		}
	}
	return true;
}

bool pulse_set_depth(struct pulse *pulse, int depth, struct err *err)
{
	if (pulse_is_busy(pulse))
		return err_set(err, ERR_SYSTEM, "a sample is still being taken");
	/* Whichever of them has which room: so many frames all have. */
	if (depth < pulse->depth)
		pulse->depth = depth;
	for (unsigned i = 0; i < pulse->walker_count; i++) {
		if (!make_room(&pulse->walkers[i], depth))
			return err_memory(err);
	}
	pulse->depth = depth;
	return true;
}

bool pulse_is_installed(void)
{
	struct sigaction now;

	return sigaction(SIGPROF, NULL, &now) == 0 && now.sa_sigaction == on_signal;
}

/* Calls of the system that a tick interrupts go on. */
static bool install(struct err *err)
{
	struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};

	/*
	 * By this one HotSpot's own recorder stops threads to look at them: it shall
	 * not look at our handler.
	 */
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR2);
	if (sigaction(SIGPROF, NULL, &before.action) != 0 ||
	    sigaction(SIGPROF, &action, NULL) != 0)
		return err_system(err, "cannot handle SIGPROF");
	atomic_store(&is_installed, true);
	return true;
}

bool pulse_start(struct pulse *pulse, struct err *err)
{
	if (atomic_load(&is_installed) && !pulse_is_installed())
		return err_set(err, ERR_SYSTEM,
			       "another handler of SIGPROF has replaced the sampler's");
	atomic_store(&present, pulse);
	if (!atomic_load(&is_installed) && !install(err))
		return false;
	atomic_store(&pulse->is_on, true);
	return true;
}

void pulse_stop(struct pulse *pulse)
{
	const struct timespec pause = { .tv_nsec = MILLISECOND };

	atomic_store(&pulse->is_on, false);
	for (int i = 0; i < STOP_PAUSES && atomic_load(&pulse->busy); i++)
		nanosleep(&pause, NULL);
}

bool pulse_is_busy(struct pulse *pulse)
{
	return atomic_load(&pulse->busy) != 0;
}

void pulse_close(struct pulse *pulse)
{
	if (pulse_is_busy(pulse))
		return;
	for (unsigned i = 0; i < pulse->walker_count; i++) {
		free(pulse->walkers[i].frames);
		free(pulse->walkers[i].raw);
	}
	free(pulse->walkers);
	pulse->walkers = NULL;
	pulse->walker_count = 0;
}
