#include "agent/sampler.h"

#include "agent/allobservers.h"
#include "agent/classevents.h"
#include "agent/parent.h"
#include "agent/sampled.h"
#include "engine/emit.h"
#include "engine/samples.h"
#include "engine/threadname.h"
#include "hotspot/entering.h"
#include "hotspot/frametypes.h"
#include "hotspot/mounted.h"
#include "sampler/guard.h"
#include "sampler/pulse.h"

/* Of two periods; 0: none. */
static int64_t shorter(int64_t one, int64_t other)
{
	return !one || (other && other < one) ? other : one;
}

/* What is told of: the counters, then CPU time of the recorder and of the process. */
enum {
	NUMBER_RECORDER = TALLY_COUNT,
	NUMBER_PROCESS,
	NUMBER_COUNT,
};

struct numbers {
	uint64_t of[NUMBER_COUNT];
};

_Static_assert(NUMBER_COUNT == SAMPLER_STATISTICS_NUMBERS,
	       "each number has a field of the event, in the same order");

/* There is one, and it stays: a signal may come late. */
static struct sampler {
	atomic_bool is_on;
	bool is_open;			/* it has walkers, in the store of the agent */
	bool has_ticks;			/* once: they stay */
	bool has_begun;			/* there is something to tell */
	bool has_warned;		/* of threads without a timer */
	struct ticks ticks;
	struct tally tally;
	struct pulse pulse;
	struct sampled sampled;
	struct mounted mounted;
	struct entering entering;
	struct frametypes types;
	struct numbers told;
} the_sampler = { .sampled = { .lock = PTHREAD_MUTEX_INITIALIZER } };

static bool is_on(void)
{
	return atomic_load_explicit(&the_sampler.is_on, memory_order_acquire);
}

/* What the handler asks -------------------------------------------------------- */

static void *env_here(void *context)
{
	const struct agent *agent = context;

	return (void *)jvm_jni(&agent->jvm);
}

static uint64_t mounted_key(void *context, uintptr_t vm)
{
	int64_t number = mounted_here(&the_sampler.mounted, vm);

	(void)context;
	return number > 0 ? threadname_java_key(number) : 0;
}

static bool is_entering(void *context, uintptr_t vm)
{
	(void)context;
	return entering_here(&the_sampler.entering, vm);
}

static enum rawframe_type type_of(void *context, uint64_t method, uintptr_t pc)
{
	static const enum rawframe_type types[] = {
		[FRAMETYPE_UNKNOWN] = RAWFRAME_UNKNOWN,
		[FRAMETYPE_INTERPRETED] = RAWFRAME_INTERPRETED,
		[FRAMETYPE_COMPILED] = RAWFRAME_COMPILED,
	};

	(void)context;
	return types[frametypes_of(&the_sampler.types, method, pc)];
}

/* What the JVM tells ----------------------------------------------------------- */

/* What the sampler costs the application beside its signals. */
static void charge(int64_t from)
{
	int64_t used = now_by(CLOCK_THREAD_CPUTIME_ID) - from;

	tally_add(&the_sampler.tally, TALLY_CALLBACK_TIME, (uint64_t)used);
}

void sampler_thread_started(JNIEnv *jni, jthread thread, const struct thread *self)
{
	int64_t from;

	if (!is_on())
		return;
	from = now_by(CLOCK_THREAD_CPUTIME_ID);
	sampled_add(&the_sampler.sampled, jni, thread, self);
	charge(from);
}

void sampler_thread_ended(pid_t tid, uint64_t key)
{
	int64_t from;

	if (!is_on())
		return;
	from = now_by(CLOCK_THREAD_CPUTIME_ID);
	sampled_remove(&the_sampler.sampled, tid, key);
	charge(from);
}

void sampler_class_prepared(struct agent *agent, JNIEnv *jni, jclass type)
{
	int64_t from;

	if (!is_on())
		return;
	from = now_by(CLOCK_THREAD_CPUTIME_ID);
	methods_prepare(&agent->methods, jni, type);
	charge(from);
}

/* How it goes ------------------------------------------------------------------ */

static struct numbers read_numbers(struct agent *agent)
{
	struct numbers numbers;

	for (int i = 0; i < TALLY_COUNT; i++)
		numbers.of[i] = tally_get(&the_sampler.tally, i);
	numbers.of[NUMBER_RECORDER] = (uint64_t)flusher_cpu_time(&agent->flusher);
	numbers.of[NUMBER_PROCESS] = (uint64_t)now_by(CLOCK_PROCESS_CPUTIME_ID);
	return numbers;
}

/* Differences, in the order of eventtypes.c: all that is told adds up. */
static void tell_since(struct agent *agent, int64_t now)
{
	struct numbers numbers = read_numbers(agent);
	bool is_wall = the_sampler.ticks.mode == TICK_WALL;
	struct str mode = is_wall ? STR("wall") : STR("cpu");
	struct emit event;

	if (!registry_emit(&agent->registry, &event, EVENT_SAMPLER_STATISTICS,
			   EMIT_ROOM(NUMBER_COUNT + 3) + mode.size))
		return;
	emit_long(&event, now);
	emit_string(&event, mode);
	emit_long(&event, ticks_interval(&the_sampler.ticks));
	for (int i = 0; i < NUMBER_COUNT; i++)
		emit_long(&event, (int64_t)(numbers.of[i] - the_sampler.told.of[i]));
	registry_commit(&agent->registry, &event);
	the_sampler.told = numbers;
}

void sampler_tell(struct engine_facts *facts)
{
	facts->cpu_handler = tally_get(&the_sampler.tally, TALLY_HANDLER_TIME);
	if (is_on())
		facts->interval = (uint64_t)shorter(
			atomic_load(&the_sampler.pulse.java_period),
			atomic_load(&the_sampler.pulse.native_period));
}

/* By way of a lane: so it is told in one way at the end, too. */
static void tell(struct recorder *recorder, struct batch *batch)
{
	if (the_sampler.has_begun)
		tell_since(agent_of(recorder), batch->now);
}

/* Its life --------------------------------------------------------------------- */

/* 0: no such samples are wanted. */
static int64_t period_of(const struct agent *agent, enum event_id id)
{
	int64_t period = recorder_period(&agent->recorder, id);

	return recorder_is_set(&agent->recorder, id) && period > 0 ? period : 0;
}

static void prepare_one(void *context, JNIEnv *jni, jclass type)
{
	struct agent *agent = context;

	methods_prepare(&agent->methods, jni, type);
}

/*
 * -Xcheck:jni complains of a handler of SIGSEGV that is not the JVM's: there we do
 * without. Other JVMs have that function, too, but it breaks them.
 */
static bool find_walk(const struct hotspot *hotspot, struct walk *walk, struct err *err)
{
	if (!hotspot->structs.fields)
		return err_set(err, ERR_SYSTEM, "this JVM is not HotSpot");
	*walk = (struct walk){ 0 };
	walk->is_guarded = !vmflags_is_on(&hotspot->flags, "CheckJNICalls");
	walk->jvm = (walk_jvm *)vmstructs_exported("AsyncGetCallTrace");
	if (!walk->jvm)
		return err_set(err, ERR_SYSTEM, "this JVM has no AsyncGetCallTrace");
	return !walk->is_guarded || guard_install(err);
}

/*
 * Where in the structure of a thread its JNIEnv lies: the same in all, and the calling
 * one knows both. 0: it does not.
 */
static uintptr_t find_env(const struct agent *agent, JNIEnv *jni)
{
	jthread thread = jvm_thread_here(&agent->jvm);
	uintptr_t vm = thread ? jvm_thread_vm(jni, thread) : 0, env = (uintptr_t)jni;
	uint64_t size = vmstructs_size(&agent->jvm.hotspot.structs, "JavaThread");

	if (thread)
		(*jni)->DeleteLocalRef(jni, thread);
	return vm && env > vm && env - vm < size ? env - vm : 0;
}

/* Once for an agent: it is tied to the store, and to what the JVM has where. */
static bool open_pulse(struct agent *agent, JNIEnv *jni, struct err *err)
{
	const struct hotspot *hotspot = &agent->jvm.hotspot;
	struct pulse *pulse = &the_sampler.pulse;

	if (pulse_is_busy(pulse))
		return err_set(err, ERR_SYSTEM, "a sample is still being taken for an "
			       "agent that was here before");
	/* Not all of it at once: a late signal may just count itself in. */
	pulse->ticks = &the_sampler.ticks;
	pulse->tally = &the_sampler.tally;
	pulse->depth = (int)recorder_stack_depth(&agent->recorder);
	pulse->context = agent;
	pulse->env = env_here;
	pulse->env_at = find_env(agent, jni);
	pulse->mounted = NULL;
	pulse->entering = is_entering;
	pulse->type = type_of;
	if (!find_walk(hotspot, &pulse->walk, err))
		return false;
	if (mounted_find(&the_sampler.mounted, &hotspot->structs, NULL))
		pulse->mounted = mounted_key;
	entering_find(&the_sampler.entering, &hotspot->structs);
	frametypes_find(&the_sampler.types, &hotspot->structs, agent->jvm.version);
	anchor_find(&pulse->walk.anchor, &hotspot->structs,
		    the_sampler.types.cache.from, the_sampler.types.cache.end);
	the_sampler.types.are_pointers &= pulse->walk.is_guarded;
	return pulse_open(pulse, &agent->recorder.store, err);
}

/* The period of the timers: the shorter one. 0: nothing is wanted. */
static int64_t set_periods(const struct agent *agent)
{
	int64_t java = period_of(agent, EVENT_EXECUTION_SAMPLE);
	int64_t native = period_of(agent, EVENT_NATIVE_METHOD_SAMPLE);

	atomic_store(&the_sampler.pulse.java_period, java);
	atomic_store(&the_sampler.pulse.native_period, native);
	return shorter(java, native);
}

static bool open_all(struct agent *agent, JNIEnv *jni, struct err *err)
{
	enum tick_mode mode = agent->orders.samples_wall ? TICK_WALL : TICK_CPU;
	int depth = (int)recorder_stack_depth(&agent->recorder);
	int64_t interval;

	if (!the_sampler.is_open && !open_pulse(agent, jni, err))
		return false;
	the_sampler.is_open = true;
	/* A recording that was here before may have wanted another. */
	if (the_sampler.pulse.depth != depth &&
	    !pulse_set_depth(&the_sampler.pulse, depth, err))
		return false;
	interval = set_periods(agent);
	if (the_sampler.has_ticks)
		ticks_again(&the_sampler.ticks, mode, interval);
	else
		ticks_open(&the_sampler.ticks, mode, interval, &the_sampler.tally);
	the_sampler.has_ticks = true;
	sampled_open(&the_sampler.sampled, agent, &the_sampler.ticks);
	return true;
}

static bool begin(struct agent *agent, JNIEnv *jni, struct err *err)
{
	int64_t from = now_by(CLOCK_THREAD_CPUTIME_ID);

	the_sampler.told = read_numbers(agent);
	the_sampler.has_warned = false;
	copies_rest(&agent->methods.copies, false);
	atomic_store(&the_sampler.is_on, true);
	/* Without these the JVM walks no stacks. */
	if (!classevents_want(agent, CLASSEVENTS_SAMPLES, true))
		return err_set(err, ERR_SYSTEM, "the JVM does not tell of classes");
	jvm_for_classes(&agent->jvm, jni, prepare_one, agent);
	charge(from);
	if (!pulse_start(&the_sampler.pulse, err))
		return false;
	ticks_start(&the_sampler.ticks);
	sampled_begin(&the_sampler.sampled, jni);
	the_sampler.has_begun = true;
	return true;
}

/* Also what has begun in part only. */
static void end_all(struct agent *agent)
{
	ticks_stop(&the_sampler.ticks);
	pulse_stop(&the_sampler.pulse);
	classevents_want(agent, CLASSEVENTS_SAMPLES, false);
}

static void end(struct agent *agent)
{
	if (atomic_exchange(&the_sampler.is_on, false))
		end_all(agent);
}

void sampler_halt(struct agent *agent)
{
	atomic_store(&agent->is_halted, true);
	end(agent);
}

bool sampler_let_go(void)
{
	if (is_on() || pulse_is_busy(&the_sampler.pulse))
		return false;
	if (the_sampler.is_open)
		pulse_close(&the_sampler.pulse);
	the_sampler.is_open = false;
	return true;
}

static bool is_wanted(const struct agent *agent)
{
	return period_of(agent, EVENT_EXECUTION_SAMPLE) ||
	       period_of(agent, EVENT_NATIVE_METHOD_SAMPLE);
}

static bool start(struct recorder *recorder, struct err *err)
{
	struct agent *agent = agent_of(recorder);
	JNIEnv *jni = jvm_jni(&agent->jvm);
	bool has_begun;

	if (!is_wanted(agent))
		return true;
	if (!jni)
		return err_set(err, ERR_SYSTEM, "the JVM does not know this thread");
	if (!open_all(agent, jni, err))
		return false;
	has_begun = begin(agent, jni, err);
	/* The JVM may have gone down meanwhile: who halted could not end all of it. */
	if (!has_begun || atomic_load(&agent->is_halted)) {
		atomic_store(&the_sampler.is_on, false);
		end_all(agent);
	}
	return has_begun;
}

/* Once: it is what the user can change, and the same for all of them. */
static void warn_of_untimed(const struct agent *agent)
{
	if (the_sampler.has_warned || !tally_get(&the_sampler.tally, TALLY_UNTIMED))
		return;
	the_sampler.has_warned = true;
	parent_warn(agent, "the system has no timers left for some threads, which are "
			   "not sampled: raise the user's limit of pending signals "
			   "(ulimit -i, RLIMIT_SIGPENDING)");
}

static void collect(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);

	if (!is_on())
		return;
	if (pulse_is_installed()) {
		sampled_look(&the_sampler.sampled, jvm_jni(&agent->jvm));
		warn_of_untimed(agent);
		return;
	}
	end(agent);
	parent_warn(agent, "something else in this JVM has taken the signal SIGPROF: "
			   "there are no samples from here on");
}

/* There are threads in any JVM: so it is their names. */
static void warn_of_names(const struct agent *agent)
{
	if (!sampled_had_one(&the_sampler.sampled))
		parent_warn(agent, "no thread has a name that --threads asks for: "
				   "nothing was sampled");
}

static void stop(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);

	end(agent);
	if (the_sampler.has_begun)
		warn_of_names(agent);
	if (the_sampler.has_begun && agent_is_set(agent, EVENT_SAMPLER_STATISTICS))
		tell_since(agent, now_ticks());
	the_sampler.has_begun = false;
	copies_rest(&agent->methods.copies, true);
}

static bool change(struct recorder *recorder, struct err *err)
{
	struct agent *agent = agent_of(recorder);

	if (!is_wanted(agent)) {
		stop(recorder);
		return true;
	}
	if (!is_on())
		return start(recorder, err);
	ticks_change(&the_sampler.ticks, set_periods(agent));
	return true;
}

/* Who asks the JVM what is in samples. */
struct asking {
	struct agent *agent;
	JNIEnv *jni;
};

static struct method_place name_method(void *context, uint64_t id, int32_t bytecode)
{
	struct asking *asking = context;

	return methods_place(&asking->agent->methods, asking->jni,
			     (jmethodID)(uintptr_t)id, bytecode);
}

static uint64_t name_thread(void *context, uint64_t number)
{
	struct asking *asking = context;

	return threadname_of_number(asking->agent->recorder.constants, number);
}

/* On a thread that is none of the JVM's, methods not met before have no names. */
static void translate(struct recorder *recorder, struct batch *batch, const char *bytes,
		      size_t size)
{
	struct agent *agent = agent_of(recorder);
	struct asking asking = { agent, jvm_jni(&agent->jvm) };
	const struct namer namer = { &asking, name_method, name_thread };

	samples_translate(recorder->constants, &namer, batch, bytes, size);
}

const struct observer sampler_observer = {
	.name = "samples",
	.periodic = (const struct periodic[]){
		{ EVENT_SAMPLER_STATISTICS, tell },
		{ 0 },
	},
	.start = start,
	.change = change,
	.collect = collect,
	.collect_each = SECOND,
	.stop = stop,
	.translate = translate,
};
