#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/now.h"
#include "fault.h"
#include "sampler/guard.h"
#include "sampler/machine.h"
#include "sampler/pulse.h"

#define HOUR (3600 * SECOND)
#define PATIENCE 60		/* seconds; what is waited for comes at once */
#define DEPTH 4
#define KEY 7
#define SAMPLES 64

static struct store store;
static struct tally tally;
static struct ticks ticks;
static struct pulse pulse;
static struct err err;
static volatile char *nothing;
static volatile char byte;	/* what is touched where nothing shall fail */

/* --- a JVM -------------------------------------------------------------------- */

/* What a walk gives: so many frames, or a failure. */
static struct jvm {
	int32_t count;
	int32_t innermost;		/* bytecode index */
	bool has_fault;
	bool needs_retry;		/* only the caller's frame is understood */
	void *env, *walked;		/* of the thread, and of the last walk */
	int walks, envs;
	uintptr_t vm;			/* whose virtual thread was asked for last */
	uintptr_t pc;			/* of the interrupted thread */
	uintptr_t type_pcs[DEPTH];
	int types;
	uint64_t virtual_key;
	bool is_entering;
	volatile char *reads;		/* whoever looks at a frame */
} jvm;

static void walk_jvm_stack(struct walk_trace *trace, int32_t depth, void *context)
{
	uintptr_t pc = machine_of(context).pc;

	jvm.walked = trace->env;
	if (jvm.walks++ == 0)
		jvm.pc = pc;
	errno = EBADF;
	if (jvm.has_fault)
		*nothing;
	if (jvm.needs_retry && pc == jvm.pc) {
		trace->count = -5;
		return;
	}
	trace->count = jvm.count < depth ? jvm.count : depth;
	for (int i = 0; i < trace->count; i++) {
		trace->frames[i].bytecode = i ? 10 * i : jvm.innermost;
		trace->frames[i].method = (void *)(uintptr_t)(1000 + (unsigned)i);
	}
}

static void *env(void *context)
{
	cr_expect_eq(context, &jvm);
	jvm.envs++;
	return jvm.env;
}

static uint64_t mounted(void *context, uintptr_t vm)
{
	cr_expect_eq(context, &jvm);
	jvm.vm = vm;
	return jvm.virtual_key;
}

static bool entering(void *context, uintptr_t vm)
{
	cr_expect_eq(context, &jvm);
	jvm.vm = vm;
	return jvm.is_entering;
}

static enum rawframe_type type(void *context, uint64_t method, uintptr_t pc)
{
	struct jvm *self = context;

	if (method == 1001)
		*self->reads;
	self->type_pcs[self->types++ % DEPTH] = pc;
	return method == 1000 ? RAWFRAME_COMPILED : RAWFRAME_INTERPRETED;
}

/* --- the sampler --------------------------------------------------------------- */

static void begin_with(enum tick_mode mode, int64_t interval, int depth)
{
	cr_assert(guard_install(&err), "%s", err.text);
	nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert(nothing != MAP_FAILED);
	jvm = (struct jvm){ .count = 2, .innermost = 5, .env = &pulse,
			    .reads = &byte };
	cr_assert(store_open(&store, NULL, 4096, 1 << 20, &err), "%s", err.text);
	ticks_open(&ticks, mode, interval, &tally);
	pulse = (struct pulse){
		.ticks = &ticks,
		.tally = &tally,
		.walk = { .jvm = walk_jvm_stack, .is_guarded = true },
		.depth = depth,
		.java_period = interval,
		.native_period = interval,
		.context = &jvm,
		.env = env,
		.env_at = 32,
		.mounted = mounted,
		.entering = entering,
		.type = type,
	};
	cr_assert(pulse_open(&pulse, &store, &err), "%s", err.text);
	cr_assert(pulse_start(&pulse, &err), "%s", err.text);
	ticks_start(&ticks);
}

static bool add(uint64_t key)
{
	return ticks_add(&ticks, gettid(), key);
}

/* Nothing comes but what is made up. */
static void begin(void)
{
	begin_with(TICK_CPU, HOUR, DEPTH);
	cr_assert(add(KEY));
}

static void end(void)
{
	ticks_stop(&ticks);
	pulse_stop(&pulse);
	pulse_close(&pulse);
	store_close(&store);
	for (size_t i = 0; i < TICKS_BLOCKS; i++)
		free(atomic_load(&ticks.blocks[i]));
}

TestSuite(pulse, .init = begin, .fini = end);

/* --- signals that are made up -------------------------------------------------- */

/* It is there when the call returns. */
static void send(int code, uint64_t word, int overrun)
{
	siginfo_t info = { .si_signo = SIGPROF, .si_code = code };

	info.si_overrun = overrun;
	info.si_value.sival_ptr = (void *)(uintptr_t)word;
	cr_assert_eq(syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGPROF, &info),
		     0);
}

static uint64_t word(void)
{
	uint32_t number = map_find(&ticks.by_tid, (uint64_t)gettid());

	return (uint64_t)ticks.cookie << 32 | number;
}

static void tick(void)
{
	send(SI_TIMER, word(), 0);
}

/* --- what came out ------------------------------------------------------------- */

struct taken {
	struct rawsample sample;
	struct rawframe frames[DEPTH];
};

static struct taken taken[SAMPLES];
static size_t taken_count;

static bool take(void *context, uint64_t lane, const char *bytes, size_t size)
{
	const char *end = bytes + size;

	(void)context;
	cr_expect(lane & LANE_RAW);
	while (bytes < end && taken_count < SAMPLES) {
		struct taken *one = &taken[taken_count++];

		cr_assert(rawsample_read(&one->sample, bytes, (size_t)(end - bytes)));
		bytes = one->sample.end;
		cr_assert_leq(one->sample.count, DEPTH);
		for (uint32_t i = 0; i < one->sample.count; i++)
			cr_assert(rawsample_next(&one->sample, &one->frames[i]));
	}
	return true;
}

/* What came since it was last drained. */
static size_t drain(void)
{
	taken_count = 0;
	while (!store_drain(&store, take, NULL))
		continue;
	return taken_count;
}

static uint64_t outcomes(void)
{
	uint64_t sum = 0;

	for (int i = TALLY_FIRST_OUTCOME; i <= TALLY_LAST_OUTCOME; i++)
		sum += tally_get(&tally, (enum tally_what)i);
	return sum;
}

static void expect_counts(enum tally_what outcome, uint64_t count, uint64_t total)
{
	cr_expect_eq(tally_get(&tally, outcome), count, "outcome %d: %d", outcome,
		     (int)tally_get(&tally, outcome));
	cr_expect_eq(tally_get(&tally, TALLY_TICKS), total);
	cr_expect_eq(outcomes(), total);
}

Test(pulse, takes_a_sample)
{
	int64_t before = now_ticks();
	const struct taken *one = taken;

	errno = ENOENT;
	tick();
	cr_expect_eq(errno, ENOENT, "errno is the application's");
	expect_counts(TALLY_JAVA, 1, 1);
	cr_assert_eq(drain(), 1);
	cr_expect_geq(one->sample.ticks, before);
	cr_expect_leq(one->sample.ticks, now_ticks());
	cr_expect_eq(one->sample.thread, KEY);
	cr_expect_eq(one->sample.flags, 0);
	cr_assert_eq(one->sample.count, 2);
	cr_expect_eq(one->frames[0].method, 1000);
	cr_expect_eq(one->frames[0].bytecode, 5);
	cr_expect_eq(one->frames[0].type, RAWFRAME_COMPILED);
	cr_expect_eq(one->frames[1].method, 1001);
	cr_expect_eq(one->frames[1].bytecode, 10);
	cr_expect_eq(one->frames[1].type, RAWFRAME_INTERPRETED);
	cr_expect_eq(jvm.type_pcs[0], jvm.pc);
	cr_expect_eq(jvm.type_pcs[1], 0, "the address is the innermost one's");
	cr_expect_gt(tally_get(&tally, TALLY_HANDLER_TIME), 0);
}

Test(pulse, tells_native_methods)
{
	jvm.innermost = -3;
	tick();
	expect_counts(TALLY_NATIVE, 1, 1);
	cr_assert_eq(drain(), 1);
	cr_expect_eq(taken->sample.flags, RAWSAMPLE_NATIVE);
	cr_expect_eq(taken->frames[0].type, RAWFRAME_NATIVE);
	cr_expect_eq(taken->frames[1].type, RAWFRAME_INTERPRETED);
}

Test(pulse, cuts_deep_stacks)
{
	jvm.count = DEPTH;
	tick();
	jvm.count = DEPTH + 1;
	tick();
	jvm.count = 1000;
	tick();
	cr_assert_eq(drain(), 3);
	cr_expect_eq(taken[0].sample.flags, 0);
	for (int i = 1; i < 3; i++) {
		cr_expect_eq(taken[i].sample.flags, RAWSAMPLE_TRUNCATED);
		cr_expect_eq(taken[i].sample.count, DEPTH);
	}
}

/* Of fewer frames, and of as many again; memory for more may not be there. */
Test(pulse, cuts_stacks_as_it_is_set)
{
	static const int depths[] = { 2, DEPTH };

	jvm.count = 1000;
	for (size_t i = 0; i < 2; i++) {
		pulse_stop(&pulse);
		cr_assert(pulse_set_depth(&pulse, depths[i], &err), "%s", err.text);
		cr_assert(pulse_start(&pulse, &err), "%s", err.text);
		tick();
		cr_assert_eq(drain(), 1);
		cr_expect_eq((int)taken->sample.count, depths[i]);
	}
	pulse_stop(&pulse);
	fault_at(4);
	cr_expect_not(pulse_set_depth(&pulse, 2, &err));
	fault_at(0);
	cr_expect_eq(err.kind, ERR_MEMORY);
	cr_assert(pulse_start(&pulse, &err), "%s", err.text);
	tick();
	cr_assert_eq(drain(), 1);
	cr_expect_eq(taken->sample.count, 2);
}

Test(pulse, counts_failures_by_their_number)
{
	for (jvm.count = 0; jvm.count >= -10; jvm.count--) {
		tick();
		expect_counts((enum tally_what)(TALLY_NO_JAVA_FRAME - jvm.count), 1,
			      (uint64_t)(1 - jvm.count));
	}
	cr_expect_eq(tally_get(&tally, TALLY_SAFEPOINT), 1);
	jvm.count = -11;
	tick();
	jvm.count = INT32_MIN;
	tick();
	expect_counts(TALLY_OTHER_FAILURE, 2, 13);
	cr_expect_eq(drain(), 0);
}

Test(pulse, survives_faults)
{
	jvm.has_fault = true;
	for (int i = 0; i < 100; i++)
		tick();
	expect_counts(TALLY_FAULT, 100, 100);
	jvm.has_fault = false;
	tick();
	expect_counts(TALLY_JAVA, 1, 101);
	cr_expect_eq(drain(), 1);
}

#if defined(__x86_64__)

Test(pulse, asks_again)
{
	jvm.needs_retry = true;
	tick();
	expect_counts(TALLY_JAVA, 1, 1);
	cr_expect_eq(tally_get(&tally, TALLY_RETRIED), 1);
	cr_assert_eq(drain(), 1);
	cr_expect_eq(jvm.type_pcs[0], 0, "the address is not that frame's");
}

#endif

/* Half of what is asked of the JVM faults: the sample is taken all the same. */
Test(pulse, keeps_a_sample_whose_frames_cannot_be_looked_at)
{
	jvm.reads = nothing;
	jvm.virtual_key = 9;
	jvm.count = 3;
	tick();
	tick();
	expect_counts(TALLY_JAVA, 2, 2);
	cr_assert_eq(drain(), 2);
	cr_expect_eq(taken->sample.thread, 9);
	cr_expect_eq(taken->sample.count, 3);
	cr_expect_eq(taken->frames[0].type, RAWFRAME_COMPILED);
	cr_expect_eq(taken->frames[1].type, RAWFRAME_UNKNOWN);
	cr_expect_eq(taken->frames[2].type, RAWFRAME_UNKNOWN);
}

Test(pulse, asks_nothing_that_is_not_there)
{
	pulse.type = NULL;
	pulse.mounted = NULL;
	tick();
	cr_assert_eq(drain(), 1);
	cr_expect_eq(taken->frames[0].type, RAWFRAME_UNKNOWN);
	cr_expect_eq(taken->sample.thread, KEY);
}

Test(pulse, looks_at_no_frames_without_the_guard)
{
	pulse.walk.is_guarded = false;
	jvm.virtual_key = 9;
	tick();
	cr_assert_eq(drain(), 1);
	cr_expect_eq(jvm.types, 0);
	cr_expect_eq(taken->sample.thread, 9, "it is in the thread's own structure");
}

/* --- which ticks give none ----------------------------------------------------- */

/* How many of nine ticks are wanted, of one walker. */
static size_t wanted_of_nine(int64_t java, int64_t native, int32_t innermost)
{
	unsigned count = pulse.walker_count;
	uint64_t unwanted = tally_get(&tally, TALLY_UNWANTED);
	size_t wanted;

	pulse.walker_count = 1;
	pulse.java_period = java;
	pulse.native_period = native;
	jvm.innermost = innermost;
	for (int i = 0; i < 9; i++)
		tick();
	pulse.walker_count = count;
	wanted = drain();
	cr_expect_eq(tally_get(&tally, TALLY_UNWANTED) - unwanted + wanted, 9);
	return wanted;
}

Test(pulse, takes_samples_as_often_as_they_are_wanted)
{
	cr_expect_eq(wanted_of_nine(3 * HOUR, 0, 5), 3);
	cr_expect_eq(wanted_of_nine(0, 3 * HOUR, 5), 0);
	cr_expect_eq(wanted_of_nine(0, 3 * HOUR, -3), 3);
	cr_expect_eq(wanted_of_nine(3 * HOUR, 0, -3), 0);
	cr_expect_eq(wanted_of_nine(HOUR, HOUR, 5), 9);
	cr_expect_eq(wanted_of_nine(HOUR / 2, HOUR, 5), 9);
	cr_expect_eq(wanted_of_nine(3 * HOUR / 2, HOUR, 5), 6);
}

Test(pulse, counts_other_threads)
{
	cr_assert(add(0));
	tick();
	expect_counts(TALLY_OTHER_THREAD, 1, 1);
	cr_assert(add(KEY));
	jvm.env = NULL;
	tick();
	expect_counts(TALLY_OTHER_THREAD, 2, 2);
	cr_expect_eq(jvm.walks, 0);
	pulse.env = NULL;
	tick();
	expect_counts(TALLY_OTHER_THREAD, 3, 3);
}

/* A ticker says nothing of what its thread is to the JVM: it may be another by now. */
Test(pulse, asks_each_time_who_the_thread_is)
{
	tick();
	cr_expect_eq(jvm.walked, &pulse);
	cr_expect_eq(jvm.vm, (uintptr_t)&pulse - 32);
	jvm.env = &jvm;
	tick();
	cr_expect_eq(jvm.walked, &jvm);
	cr_expect_eq(jvm.vm, (uintptr_t)&jvm - 32);
	jvm.env = NULL;
	tick();
	expect_counts(TALLY_OTHER_THREAD, 1, 3);
	cr_expect_eq(jvm.walks, 2);
	cr_expect_eq(jvm.envs, 3);
}

Test(pulse, does_without_the_structure_of_the_thread)
{
	pulse.env_at = 0;
	jvm.vm = 1;
	tick();
	expect_counts(TALLY_JAVA, 1, 1);
	cr_expect_eq(jvm.vm, 0);
}

Test(pulse, drops_what_no_walker_is_free_for)
{
	for (unsigned i = 0; i < pulse.walker_count; i++)
		atomic_store(&pulse.walkers[i].is_busy, true);
	tick();
	expect_counts(TALLY_DROPPED, 1, 1);
	atomic_store(&pulse.walkers[pulse.walker_count - 1].is_busy, false);
	tick();
	expect_counts(TALLY_JAVA, 1, 2);
	cr_expect_eq(drain(), 1);
}

Test(pulse, drops_what_no_buffer_is_free_for)
{
	struct lane *lanes[300];
	uint64_t events, bytes;
	size_t count = 0;

	for (; count < 300; count++) {
		lanes[count] = store_lane(&store);
		if (!lane_reserve(lanes[count], 1))
			break;
	}
	cr_assert_lt(count, 300);
	tick();
	expect_counts(TALLY_DROPPED, 1, 1);
	store_lost(&store, &events, &bytes);
	cr_expect_eq(events, 2);
}

Test(pulse, counts_merged_ticks)
{
	send(SI_TIMER, word(), 3);
	send(SI_TIMER, word(), 0);
	cr_expect_eq(tally_get(&tally, TALLY_MERGED), 3);
	expect_counts(TALLY_JAVA, 2, 2);
}

/* What came of a thread that did little but wait: so many say so. */
static size_t count_waiting(void)
{
	const struct timespec pause = { .tv_nsec = 50 * MILLISECOND };
	size_t waiting = 0;

	nanosleep(&pause, NULL);
	drain();
	for (size_t i = 0; i < taken_count; i++) {
		unsigned flags = taken[i].sample.flags;

		cr_expect_eq(!!(flags & RAWSAMPLE_ENTERING),
			     jvm.is_entering && flags & RAWSAMPLE_BLOCKED);
		waiting += rawsample_is_native(flags);
	}
	return waiting;
}

static void begin_to_wait(int64_t native_period)
{
	end();
	begin_with(TICK_WALL, 10 * MILLISECOND, DEPTH);
	pulse.mounted = NULL;
	pulse.native_period = native_period;
	cr_assert(add(KEY));
}

/* They execute nothing, whatever they wait in. */
Test(pulse, tells_threads_that_wait)
{
	int64_t end_of_patience = now_ticks() + PATIENCE * SECOND;
	size_t waiting = 0;

	begin_to_wait(10 * MILLISECOND);
#if defined(__x86_64__) || defined(__aarch64__)
	for (int is_entering = 0; is_entering < 2; is_entering++) {
		size_t before = waiting;

		pulse_stop(&pulse);
		waiting += count_waiting();
		jvm.is_entering = is_entering;
		cr_assert(pulse_start(&pulse, &err), "%s", err.text);
		while (waiting == before && now_ticks() < end_of_patience)
			waiting += count_waiting();
	}
	cr_expect_gt(waiting, 0);
#endif
	ticks_stop(&ticks);
	waiting += count_waiting();
	cr_expect_eq(tally_get(&tally, TALLY_NATIVE), waiting);
	cr_expect_eq(outcomes(), tally_get(&tally, TALLY_TICKS));
}

Test(pulse, leaves_out_threads_that_wait_where_those_are_not_wanted)
{
	int64_t end_of_patience = now_ticks() + PATIENCE * SECOND;

	begin_to_wait(0);
#if defined(__x86_64__) || defined(__aarch64__)
	while (!tally_get(&tally, TALLY_UNWANTED) && now_ticks() < end_of_patience)
		cr_expect_eq(count_waiting(), 0);
	cr_expect_gt(tally_get(&tally, TALLY_UNWANTED), 0);
#endif
	cr_expect_eq(tally_get(&tally, TALLY_NATIVE), 0);
}

/* --- whose signals ------------------------------------------------------------- */

static volatile int heard, heard_code, heard_number;

static void hear(int signal, siginfo_t *info, void *context)
{
	cr_expect_eq(signal, SIGPROF);
	cr_expect_not_null(context);
	heard++;
	heard_code = info->si_code;
	heard_number = info->si_value.sival_int;
}

static void hear_plainly(int signal)
{
	heard += signal == SIGPROF;
}

TestSuite(pulse_behind, .fini = end);

/* As it would have been if the application had been the first. */
static void begin_behind(void (*plain)(int), void (*full)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_flags = full ? SA_SIGINFO : 0 };

	if (full)
		action.sa_sigaction = full;
	else
		action.sa_handler = plain;
	sigaction(SIGPROF, &action, NULL);
	begin();
}

Test(pulse_behind, passes_on_what_is_not_ours)
{
	begin_behind(NULL, hear);
	send(SI_TIMER, 42, 0);
	cr_expect_eq(heard, 1);
	cr_expect_eq(heard_code, SI_TIMER);
	cr_expect_eq(heard_number, 42);
	raise(SIGPROF);
	cr_expect_eq(heard, 2);
	send(SI_QUEUE, word(), 0);
	cr_expect_eq(heard, 3);
	tick();
	cr_expect_eq(heard, 3);
	expect_counts(TALLY_JAVA, 1, 1);
}

/* The application's timer is a real one; it ends. */
Test(pulse_behind, leaves_timers_of_others_alone)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGPROF,
				  .sigev_value.sival_int = 77 };
	struct itimerspec times = { .it_value.tv_nsec = MILLISECOND };
	int64_t end_of_patience = now_ticks() + PATIENCE * SECOND;
	timer_t timer;

	begin_behind(NULL, hear);
	cr_assert_eq(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	cr_assert_eq(timer_settime(timer, 0, &times, NULL), 0);
	while (!heard && now_ticks() < end_of_patience)
		continue;
	cr_expect_eq(heard_number, 77);
	expect_counts(TALLY_JAVA, 0, 0);
}

Test(pulse_behind, passes_on_to_plain_handlers)
{
	begin_behind(hear_plainly, NULL);
	raise(SIGPROF);
	send(SI_TIMER, 42, 0);
	cr_expect_eq(heard, 2);
}

Test(pulse_behind, passes_on_once_to_who_was_there_for_one_signal)
{
	struct sigaction action = { .sa_sigaction = hear,
				    .sa_flags = SA_SIGINFO | SA_RESETHAND };

	sigaction(SIGPROF, &action, NULL);
	begin();
	raise(SIGPROF);
	raise(SIGPROF);
	cr_expect_eq(heard, 1);
	tick();
	expect_counts(TALLY_JAVA, 1, 1);
}

Test(pulse_behind, ignores_what_is_nobodys)
{
	begin_behind(SIG_IGN, NULL);
	raise(SIGPROF);
	end();
	begin();
	raise(SIGPROF);
	expect_counts(TALLY_JAVA, 0, 0);
}

Test(pulse, lives_where_it_would_be_killed)
{
	raise(SIGPROF);
	send(SI_TIMER, 42, 0);
	expect_counts(TALLY_JAVA, 0, 0);
}

Test(pulse_behind, ignores_what_comes_late)
{
	uint64_t late;

	begin_behind(NULL, hear);
	late = word();
	ticks_remove(&ticks, gettid(), KEY);
	send(SI_TIMER, late, 0);
	ticks_stop(&ticks);
	send(SI_TIMER, late, 0);
	pulse_stop(&pulse);
	send(SI_TIMER, late, 0);
	expect_counts(TALLY_JAVA, 0, 0);
	cr_expect_eq(heard, 0);
	cr_expect_eq(drain(), 0);
}

Test(pulse, answers_no_more_when_it_is_stopped)
{
	tick();
	pulse_stop(&pulse);
	tick();
	expect_counts(TALLY_JAVA, 1, 1);
	cr_assert(pulse_start(&pulse, &err));
	tick();
	expect_counts(TALLY_JAVA, 2, 2);
}

Test(pulse, knows_whether_its_handler_is_there)
{
	struct sigaction action = { .sa_sigaction = hear, .sa_flags = SA_SIGINFO };

	cr_expect(pulse_is_installed());
	sigaction(SIGPROF, &action, NULL);
	cr_expect_not(pulse_is_installed());
	pulse_stop(&pulse);
	cr_expect_not(pulse_start(&pulse, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
}

/* --- what can go wrong ---------------------------------------------------------- */

Test(pulse, fails_without_memory)
{
	pulse_stop(&pulse);
	pulse_close(&pulse);
	for (size_t n = 1;; n++) {
		bool is_open;

		fault_at(n);
		is_open = pulse_open(&pulse, &store, &err);
		if (!fault_happened()) {
			fault_at(0);
			cr_expect(is_open);
			break;
		}
		fault_at(0);
		cr_assert_not(is_open);
		cr_expect_eq(err.kind, ERR_MEMORY);
		err = (struct err){ 0 };
	}
}

/* --- real timers on real threads ------------------------------------------------ */

#define BURNERS 4

static void *burn(void *unused)
{
	int64_t end_of_patience = now_by(CLOCK_THREAD_CPUTIME_ID) + PATIENCE * SECOND;
	volatile unsigned number = 1;

	if (!add((uint64_t)gettid()))
		return NULL;
	while (tally_get(&tally, TALLY_TICKS) < 40 &&
	       now_by(CLOCK_THREAD_CPUTIME_ID) < end_of_patience) {
		for (int i = 0; i < 10000; i++)
			number = number * 3 + 1;
	}
	ticks_remove(&ticks, gettid(), (uint64_t)gettid());
	return unused;
}

/* Where the walks of several threads meet: nothing is written but on the stack. */
static void walk_anywhere(struct walk_trace *trace, int32_t depth, void *context)
{
	(void)depth;
	(void)context;
	trace->count = 1;
	trace->frames[0] = (struct walk_frame){ 1, (void *)(uintptr_t)gettid() };
}

static enum rawframe_type no_type(void *context, uint64_t method, uintptr_t pc)
{
	(void)context;
	(void)method;
	(void)pc;
	return RAWFRAME_UNKNOWN;
}

Test(pulse, samples_threads_that_compute)
{
	pthread_t threads[BURNERS];
	size_t count;

	end();
	begin_with(TICK_CPU, MILLISECOND, DEPTH);
	pulse.walk.jvm = walk_anywhere;
	pulse.type = no_type;
	pulse.mounted = NULL;
	for (int i = 0; i < BURNERS; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, burn, NULL), 0);
	for (int i = 0; i < BURNERS; i++)
		pthread_join(threads[i], NULL);
	pulse_stop(&pulse);
	count = drain();
	cr_expect_geq(tally_get(&tally, TALLY_TICKS), 40);
	cr_expect_eq(outcomes(), tally_get(&tally, TALLY_TICKS));
	cr_expect_eq(count < SAMPLES ? count : tally_get(&tally, TALLY_JAVA),
		     tally_get(&tally, TALLY_JAVA));
	for (size_t i = 0; i < count; i++)
		cr_expect_eq(taken[i].sample.thread, taken[i].frames[0].method,
			     "it is walked by the thread that it is of");
}
