#include "agent/life.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/finish.h"
#include "agent/forked.h"
#include "agent/instrumenter.h"
#include "agent/log.h"
#include "agent/methodtrace.h"
#include "agent/parent.h"
#include "agent/sampler.h"
#include "agent/shutdown.h"
#include "agent/allobservers.h"
#include "control/message.h"
#include "host/proc.h"

/*
 * For the flusher to end; without anybody who has the rest, longer, and for the file to be
 * written, too. Who stops a container gives it 10 seconds or more.
 */
#define PATIENCE (2 * SECOND)
#define LONG_PATIENCE (8 * SECOND)

static struct agent the_agent = { .connection = -1, .held = -1 };

struct agent *life_agent(void)
{
	enum agent_phase phase = atomic_load(&the_agent.phase);

	return phase == AGENT_LOADED || phase == AGENT_LIVE ? &the_agent : NULL;
}

/* Loading --------------------------------------------------------------------- */

static bool read_orders(struct orders *orders, const char *path, struct err *err)
{
	struct buf text = { 0 };
	bool is_good;

	orders_init(orders);
	if (!path || !*path)
		return err_set(err, ERR_USAGE, "no orders were given to the agent");
	if (proc_read(&text, path))
		is_good = orders_read(orders, buf_as_str(&text), err);
	else
		is_good = err_set(err, ERR_SYSTEM, "cannot read the orders in '%s'",
				  path);
	buf_clear(&text);
	return is_good;
}

/* Nobody waits if the orders name no socket: recordings can be made without. */
static bool call_parent(const struct orders *orders, int *connection, struct err *err)
{
	if (orders->socket.size == 0)
		return true;
	*connection = message_connect(orders->socket.bytes, err);
	return *connection >= 0;
}

/* The recording has ended too early. */
static void tell_failure(void *context, const char *text)
{
	parent_tell(context, MESSAGE_FAILED, text, -1);
}

static void tell_warning(void *context, const char *text)
{
	parent_tell(context, MESSAGE_WARNING, text, -1);
}

/*
 * The recorder lets go of its repository when it stops. Until the process ends we may
 * still make a file of it (finish.h): nobody shall take it for one that is left behind.
 */
static void hold(struct agent *agent)
{
	agent->held = fcntl(agent->recorder.repository.lock, F_DUPFD_CLOEXEC, 0);
	agent->held_id = fileid_of(agent->held);
}

/* Others may have closed it; the recorder opens its own again. */
static void hold_again(struct agent *agent)
{
	const struct repository *repository = &agent->recorder.repository;

	if (!fileid_is(&agent->held_id, agent->held) &&
	    fileid_is(&repository->lock_id, repository->lock))
		hold(agent);
}

/*
 * Only what is used: that of exceptions, which an agent can have from the start or
 * never, would cost javac a sixth of its time, though no event were ever asked for.
 */
static void want_capabilities(struct agent *agent)
{
	jvmtiCapabilities wanted = {
		.can_tag_objects = 1,
		.can_generate_object_free_events = 1,
		.can_generate_garbage_collection_events = 1,
		.can_get_line_numbers = 1,
		.can_get_source_file_name = 1,
	};

	/* It makes each switch of a virtual thread dearer. */
	if (agent_is_set(agent, EVENT_VIRTUAL_THREAD_START) ||
	    agent_is_set(agent, EVENT_VIRTUAL_THREAD_END))
		compat_want(&wanted, COMPAT_CAPABILITY_VIRTUAL_THREADS);
	wanted.can_generate_native_method_bind_events =
		agent_is_set(agent, EVENT_THREAD_START);
	instrumenter_want(agent, &wanted);
	jvm_want(&agent->jvm, &wanted);
}

/* Events that the agent itself needs; observers enable others. */
static bool hook(struct agent *agent, const struct compat_callbacks *callbacks,
		 struct err *err)
{
	static const jvmtiEvent events[] = {
		JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_THREAD_START,
		JVMTI_EVENT_THREAD_END,
	};
	jvmtiEnv *jvmti = agent->jvm.jvmti;

	if ((*jvmti)->SetEventCallbacks(jvmti, (const jvmtiEventCallbacks *)callbacks,
					sizeof(*callbacks)) != JVMTI_ERROR_NONE)
		return err_set(err, ERR_SYSTEM, "the JVM does not take our callbacks");
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		if (!jvm_enable(&agent->jvm, events[i], true))
			return err_set(err, ERR_SYSTEM,
				       "the JVM does not tell of its life");
	}
	/*
	 * Without these less is known: names of what is gone stay, nobody starts
	 * threads.
	 */
	if (agent->jvm.can.can_generate_object_free_events)
		jvm_enable(&agent->jvm, JVMTI_EVENT_OBJECT_FREE, true);
	if (agent->jvm.can.can_generate_native_method_bind_events)
		jvm_enable(&agent->jvm, JVMTI_EVENT_NATIVE_METHOD_BIND, true);
	return true;
}

static void forget_one(void *context, int64_t tag)
{
	struct agent *agent = context;

	methodtrace_forget();
	methods_freed(&agent->methods, jvm_jni(&agent->jvm), tag);
	instrumenter_freed(agent, tag);
	classes_freed(&agent->classes, tag);
}

static void forget(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);

	hold_again(agent);
	methods_tick(&agent->methods, now_ticks());
	instrumenter_round(agent, jvm_jni(&agent->jvm));
	freed_round(&agent->freed, forget_one, agent);
}

/*
 * What a recording that failed could not write goes with us, if it is in memory. In a
 * file others find it (salvage.h): then its repository is to stay.
 */
static bool is_for_others(const struct agent *agent)
{
	const struct recorder *recorder = &agent->recorder;

	return spill_get(&store_header(&recorder->store)->state) == SPILL_FAILED &&
	       recorder->spill_path && store_fd(&recorder->store) >= 0;
}

/*
 * Who waits writes the file; without anybody we do, as far as the recording came.
 * Nothing happens if it is written already.
 */
static void finish(struct agent *agent, int64_t deadline)
{
	struct recorder *recorder = &agent->recorder;
	uint64_t state = spill_get(&store_header(&recorder->store)->state);
	struct err err;

	if (state != SPILL_STOPPED && state != SPILL_FAILED)
		return;
	if (!parent_is_gone(agent) && state == SPILL_STOPPED)
		parent_tell(agent, MESSAGE_STOPPED, "", -1);
	/* It may have left in the moment in which it was told. */
	if (!parent_is_gone(agent))
		return;
	if (!is_for_others(agent) &&
	    !finish_recording(&recorder->repository, &agent->orders,
			      agent->session_nanos, deadline, &err) &&
	    err.kind != ERR_NONE)
		log_line(err.text);
}

/* Nothing asks any more; what is still being asked finds nothing. */
static void let_go(struct recorder *recorder)
{
	struct agent *agent = agent_of(recorder);

	sampler_let_go();
	methods_close(&agent->methods, jvm_jni(&agent->jvm));
	freed_clear(&agent->freed);
	finish(agent, now_ticks() + LONG_PATIENCE);
}

static bool load(struct agent *agent, JavaVM *vm, struct err *err)
{
	struct recorder *recorder = &agent->recorder;

	if (!jvm_open(&agent->jvm, vm, err) ||
	    !recorder_open(recorder, &agent->orders, all_observers, agent, err))
		return false;
	flusher_init(&agent->flusher, &agent->jvm, recorder, forget, let_go);
	if (!log_open(recorder->repository.path))
		return err_memory(err);
	recorder->log = log_line;
	recorder->failed = tell_failure;
	recorder->warn = tell_warning;
	hold(agent);
	forked_watch(agent);
	store_wake_by(&recorder->store, flusher_wake, &agent->flusher);
	registry_init(&agent->registry, &agent->jvm, recorder->constants,
		      &recorder->store);
	starts_init(&agent->starts);
	classes_init(&agent->classes, &agent->jvm, recorder->constants);
	methods_init(&agent->methods, &agent->classes, recorder->records);
	freed_init(&agent->freed);
	want_capabilities(agent);
	return true;
}

/* Who waits gives the recording the same name as we. */
static void greet(struct agent *agent, int64_t begin_nanos)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)begin_nanos);
	parent_tell(agent, MESSAGE_BEGAN, text, -1);
	parent_tell(agent, MESSAGE_HELLO, agent->recorder.repository.path,
		    store_fd(&agent->recorder.store));
}

/* Its cjfr has just written the orders; what is newer is by somebody else. */
static int64_t begin_of_session(const char *orders)
{
	struct stat status;

	if (stat(orders, &status) != 0)
		return now_nanos();
	return status.st_mtim.tv_sec * SECOND + status.st_mtim.tv_nsec;
}

static void start_up(struct agent *agent, JavaVM *vm, const char *options,
		     const struct compat_callbacks *callbacks)
{
	int64_t begin = now_nanos();
	struct err err;

	if (!read_orders(&agent->orders, options, &err) ||
	    !orders_name_recording(&agent->orders, begin, &err) ||
	    !call_parent(&agent->orders, &agent->connection, &err))
		return;
	agent->connected = fileid_of(agent->connection);
	agent->session_nanos = begin_of_session(options);
	if (!load(agent, vm, &err) || !hook(agent, callbacks, &err)) {
		tell_failure(agent, err.text);
		log_line(err.text);
		return;
	}
	atomic_store(&agent->phase, AGENT_LOADED);
	greet(agent, begin);
}

/* Somebody may wait for a recording that will not be. */
static void refuse(const char *options)
{
	struct orders orders;
	int connection = -1;
	struct err err;

	if (read_orders(&orders, options, &err) &&
	    call_parent(&orders, &connection, &err) && connection >= 0)
		message_send(connection, MESSAGE_FAILED,
			     "this JVM is being recorded already", -1, &err);
	if (connection >= 0)
		close(connection);
	orders_clear(&orders);
}

/* A JVM may be told of us twice, in its options and in JAVA_TOOL_OPTIONS. */
void life_load(JavaVM *vm, const char *options,
	       const struct compat_callbacks *callbacks)
{
	static atomic_flag is_taken = ATOMIC_FLAG_INIT;
	static char taken_by[PATH_MAX];

	if (!atomic_flag_test_and_set(&is_taken)) {
		snprintf(taken_by, sizeof(taken_by), "%s", options ? options : "");
		start_up(&the_agent, vm, options, callbacks);
	} else if (options && strcmp(options, taken_by) != 0) {
		refuse(options);
	}
}

/* The JVM is up --------------------------------------------------------------- */

/* The calling thread has been there before us. */
static void enter(struct agent *agent, JNIEnv *jni)
{
	jthread thread = jvm_thread_here(&agent->jvm);

	if (!thread)
		return;
	registry_enter(&agent->registry, jni, thread);
	(*jni)->DeleteLocalRef(jni, thread);
}

static bool begin_recording(struct agent *agent, struct err *err)
{
	struct orders orders;
	uint64_t id;

	if (orders_copy(&orders, &agent->orders, err))
		return recorder_begin(&agent->recorder, &orders, &id, NULL, err);
	orders_clear(&orders);
	return false;
}

static bool begin(struct agent *agent, JNIEnv *jni, struct err *err)
{
	/* What we wait for (entry.c) was bound among the first. */
	jvm_enable(&agent->jvm, JVMTI_EVENT_NATIVE_METHOD_BIND, false);
	hotspot_find(&agent->jvm.hotspot, NULL);
	enter(agent, jni);
	registry_scan(&agent->registry, jni);
	/* Before the application runs: what it does first is wanted, too. */
	if (!begin_recording(agent, err))
		return false;
	return flusher_start(&agent->flusher, jni, err);
}

void life_begin(JNIEnv *jni)
{
	struct agent *agent = life_agent();
	struct err err;

	if (!agent || atomic_exchange(&agent->phase, AGENT_LIVE) != AGENT_LOADED)
		return;
	if (begin(agent, jni, &err))
		return;
	/* What the JVM tells is heard until nothing needs it any more. */
	recorder_fail(&agent->recorder, &err);
	atomic_store(&agent->phase, AGENT_OVER);
}

/* The JVM goes down ----------------------------------------------------------- */

/*
 * Who waits for the recording has what is still in the spill file; without anybody it
 * would be lost.
 */
static int64_t patience(const struct agent *agent)
{
	return agent->orders.socket.size && !parent_is_gone(agent) ? PATIENCE
								    : LONG_PATIENCE;
}

void life_end(JNIEnv *jni)
{
	struct agent *agent = life_agent();
	int64_t deadline = now_ticks() + LONG_PATIENCE;

	if (!agent)
		return;
	/* Threads that end from here on are told of to nobody: none may have a timer. */
	sampler_halt(agent);
	shutdown_tell(agent, jni);
	/* Stuck on its disk: then all ends with its last flush, and we write nothing. */
	if (flusher_end(&agent->flusher, patience(agent))) {
		recorder_stop(&agent->recorder);
		finish(agent, deadline);
	}
	if (parent_is_gone(agent) && is_for_others(agent))
		log_say("the recording ended early, and what there is stays: cjfr "
			"assemble '%s' <file>", agent->recorder.repository.path);
	atomic_store(&agent->phase, AGENT_OVER);
}
