#include "agent/life.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/engine.h"
#include "agent/finish.h"
#include "agent/forked.h"
#include "agent/log.h"
#include "agent/parent.h"
#include "agent/phase.h"
#include "agent/sampler.h"
#include "agent/shutdown.h"
#include "control/doorcode.h"
#include "control/message.h"
#include "control/places.h"
#include "host/proc.h"

/*
 * For the flusher to end; without anybody who has the rest, longer, and for the file to be
 * written, too. Who stops a container gives it 10 seconds or more.
 */
#define PATIENCE (2 * SECOND)
#define LONG_PATIENCE (8 * SECOND)

/* For the control thread to end, if it is at work. */
#define CONTROL_END_PATIENCE SECOND

/* For an agent of before to be gone. */
#define LEAVE_PATIENCE (10 * SECOND)

/* The same each time. */
static const struct life_doors *the_doors;

static struct agent the_agent = { .connection = -1, .held = -1 };

/* Zeroed, but for what says that nothing is open. */
static struct agent *fresh_agent(void)
{
	the_agent = (struct agent){
		.connection = -1,
		.held = -1,
		.lodging = { .lock = -1 },
		.control = { .listener = -1, .wake = { -1, -1 } },
		.arrived_nanos = now_nanos(),
	};
	settle_init(&the_agent.settling);
	phase_of(&the_agent);
	return &the_agent;
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

static bool load(struct agent *agent, JavaVM *vm, struct err *err)
{
	agent->is_launched = true;
	if (!jvm_open(&agent->jvm, vm, err) || !engine_open(agent, err))
		return false;
	lodging_at(&agent->lodging, agent->recorder.repository.path);
	if (!log_open(agent->lodging.path))
		return err_memory(err);
	forked_watch(agent);
	return engine_want(agent, &agent->orders, err) &&
	       jvm_hear(&agent->jvm, the_doors->callbacks, err) && engine_hear(agent, err);
}

/* False: nothing came of it, and nothing ever will. */
static bool start_up(struct agent *agent, JavaVM *vm, const char *options)
{
	int64_t begin = now_nanos();
	struct err err;

	if (!read_orders(&agent->orders, options, &err) ||
	    !orders_name_recording(&agent->orders, begin, &err) ||
	    !call_parent(&agent->orders, &agent->connection, &err))
		return false;
	agent->connected = fileid_of(agent->connection);
	agent->session_nanos = begin_of_session(options);
	if (!load(agent, vm, &err)) {
		engine_failed(agent, err.text);
		log_line(err.text);
		return false;
	}
	phase_set(PHASE_LOADED);
	greet(agent, begin);
	return true;
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
void life_load(JavaVM *vm, const char *options, const struct life_doors *doors)
{
	static char taken_by[PATH_MAX];

	the_doors = doors;
	if (phase_pass(PHASE_OFF, PHASE_COMING)) {
		snprintf(taken_by, sizeof(taken_by), "%s", options ? options : "");
		if (!start_up(fresh_agent(), vm, options))
			phase_set(PHASE_OVER);
	} else if (options && strcmp(options, taken_by) != 0) {
		refuse(options);
	}
}

/* The JVM is up --------------------------------------------------------------- */

/* The orders once more: those of the recording itself. */
static bool begin_first(struct agent *agent, struct err *err)
{
	struct orders orders;
	uint64_t id;

	if (orders_copy(&orders, &agent->orders, err))
		return engine_begin(agent, &orders, &id, NULL, err);
	orders_clear(&orders);
	return false;
}

static int listen_here(struct agent *agent, JNIEnv *jni)
{
	const struct control_told told = {
		.agent = agent,
		.jvm = &agent->jvm,
		.folder = agent->lodging.path,
		.calls = the_doors->calls,
	};

	return control_start(&agent->control, jni, &told);
}

static bool begin(struct agent *agent, JNIEnv *jni, struct err *err)
{
	/* What we wait for (entry.c) was bound among the first. */
	jvm_enable(&agent->jvm, JVMTI_EVENT_NATIVE_METHOD_BIND, false);
	engine_meet(agent, jni);
	/* Before the application runs: what it does first is wanted, too. */
	if (!begin_first(agent, err) || !flusher_start(&agent->flusher, jni, err))
		return false;
	if (listen_here(agent, jni) != 0)
		log_line("nobody listens: this JVM can be asked nothing");
	return true;
}

void life_begin(JNIEnv *jni)
{
	struct agent *agent = phase_agent();
	struct err err;

	if (!agent || !phase_pass(PHASE_LOADED, PHASE_LIVE))
		return;
	if (begin(agent, jni, &err))
		return;
	/* What the JVM tells is heard until nothing needs it any more. */
	recorder_fail(&agent->recorder, &err);
	phase_set(PHASE_OVER);
}

/* Attaching ------------------------------------------------------------------- */

static bool is_up(const struct jvm *jvm)
{
	jvmtiPhase phase;

	return (*jvm->jvmti)->GetPhase(jvm->jvmti, &phase) == JVMTI_ERROR_NONE &&
	       phase == JVMTI_PHASE_LIVE;
}

static int settle_in(struct agent *agent, JNIEnv *jni, const char *base)
{
	int code;

	errno = 0;
	if (!lodging_make(&agent->lodging, base, NULL))
		return doorcode(DOOR_FOLDER, errno);
	log_open(agent->lodging.path);
	forked_watch(agent);
	code = listen_here(agent, jni);
	if (code == 0)
		return 0;
	forked_forget();
	log_close();
	lodging_leave(&agent->lodging);
	return code;
}

/* The JVM has an environment of ours, which tells us nothing but its end. */
static int arrive(struct agent *agent, JavaVM *vm, const char *base)
{
	struct err err;
	JNIEnv *jni;
	int code;

	agent->is_attached = true;
	if (!jvm_open(&agent->jvm, vm, &err))
		return doorcode(DOOR_JVM, 0);
	jni = jvm_jni(&agent->jvm);
	if (!is_up(&agent->jvm))
		code = doorcode(DOOR_ENDING, 0);
	else if (!jni || !jvm_hear(&agent->jvm, the_doors->callbacks, &err))
		code = doorcode(DOOR_JVM, 0);
	else
		code = settle_in(agent, jni, base);
	if (code != 0)
		jvm_close(&agent->jvm);
	return code;
}

/* One of before may be about to be gone. */
static enum phase phase_soon(void)
{
	const struct timespec pause = { .tv_nsec = MILLISECOND };
	int64_t deadline = now_ticks() + LEAVE_PATIENCE;
	enum phase phase;

	while (((phase = phase_now()) == PHASE_LEAVING || phase == PHASE_CLOSING ||
		phase == PHASE_COMING) &&
	       now_ticks() < deadline)
		nanosleep(&pause, NULL);
	return phase;
}

static int come_in(JavaVM *vm, const char *base)
{
	enum phase phase = phase_soon();
	int code;

	if (phase == PHASE_IDLE || phase == PHASE_OPENING || phase == PHASE_LIVE)
		return atomic_load(&the_agent.control.is_running)
			       ? 0 : doorcode(DOOR_SOCKET, ENOTCONN);
	if (phase == PHASE_LEAVING || phase == PHASE_CLOSING)
		return doorcode(DOOR_LEAVING, 0);
	if (phase == PHASE_STUCK)
		return doorcode(DOOR_STUCK, 0);
	if (!phase_pass(PHASE_OFF, PHASE_COMING))
		return doorcode(phase == PHASE_OVER ? DOOR_JVM : DOOR_ENDING, 0);
	code = arrive(fresh_agent(), vm, base);
	/* Its thread may have been asked to start already, or to leave. */
	phase_pass(PHASE_COMING, code == 0 ? PHASE_IDLE : PHASE_OFF);
	return code;
}

bool life_attach(JavaVM *vm, const char *options, const struct life_doors *doors,
		 int *code)
{
	struct str rest = str_of(options), word = STR(DOOR_OPTIONS_WORD);
	const char *base = NULL;

	if (!str_starts(rest, word))
		return false;
	if (rest.size > word.size) {
		base = options + word.size + 1;
		if (options[word.size] != '=' || *base != '/') {
			*code = doorcode(DOOR_OPTIONS, 0);
			return true;
		}
	}
	the_doors = doors;
	*code = come_in(vm, base);
	return true;
}

/* Recordings ------------------------------------------------------------------ */

/* Of the first recording the engine gets what all will share. */
static bool copy_orders(struct agent *agent, const struct orders *orders, struct err *err)
{
	bool is_good = orders_copy(&agent->orders, orders, err);

	if (is_good && agent->orders.repository.size == 0)
		is_good = orders_text(&agent->orders, &agent->orders.repository,
				      str_of(agent->lodging.path)) || err_memory(err);
	agent->orders.spill_file = true;
	if (!is_good)
		orders_clear(&agent->orders);
	return is_good;
}

static bool open_engine(struct agent *agent, JNIEnv *jni, const struct orders *orders,
			struct err *err)
{
	if (!copy_orders(agent, orders, err))
		return false;
	if (!engine_open(agent, err)) {
		orders_clear(&agent->orders);
		return false;
	}
	/* From here on callbacks find it. */
	phase_pass(PHASE_OPENING, PHASE_LIVE);
	if (!engine_want(agent, orders, err) || !engine_hear(agent, err))
		return false;
	engine_meet(agent, jni);
	return flusher_start(&agent->flusher, jni, err);
}

/* True if there is nothing left of it. */
static bool close_engine(struct agent *agent, JNIEnv *jni, settle_tell *tell,
			 void *context)
{
	bool is_stopped = engine_stop(agent);

	if (is_stopped)
		settle_all(agent, tell, context);
	else if (tell)
		tell(context, MESSAGE_NOTE, "the recorder is stuck, and its data stays "
					    "in its repository");
	engine_hear_nothing(agent);
	phase_set(PHASE_LEAVING);
	if (is_stopped && engine_close(agent, jni))
		return true;
	phase_set(PHASE_STUCK);
	return false;
}

static bool stuck(struct err *err)
{
	return err_set(err, ERR_SYSTEM, "a thread never came out of the recorder: this "
		       "JVM can be recorded when it was restarted");
}

/* The engine is over, or nothing came of it: as if it had never been opened. */
static bool open_again(struct agent *agent, JNIEnv *jni, struct err *err)
{
	JavaVM *vm = agent->jvm.vm;

	if (!close_engine(agent, jni, NULL, NULL))
		return stuck(err);
	if (jvm_open(&agent->jvm, vm, err) &&
	    jvm_hear(&agent->jvm, the_doors->callbacks, err)) {
		phase_set(PHASE_IDLE);
		return true;
	}
	phase_set(PHASE_STUCK);
	return false;
}

static bool is_over(struct agent *agent)
{
	return agent->is_attached && recorder_is_over(&agent->recorder);
}

static bool start(struct agent *agent, JNIEnv *jni, struct orders *orders, uint64_t *id,
		  struct buf *notes, struct err *err)
{
	struct err other;
	bool is_first, is_open = true;

	if (is_over(agent) && phase_pass(PHASE_LIVE, PHASE_CLOSING) && !open_again(agent, jni, err))
		return false;
	is_first = phase_pass(PHASE_IDLE, PHASE_OPENING);
	if (is_first) {
		is_open = open_engine(agent, jni, orders, err);
		/* If it is not even open, there is nothing to close. */
		if (!is_open && phase_pass(PHASE_OPENING, PHASE_IDLE))
			return false;
	}
	if (!phase_has_engine())
		return phase_now() == PHASE_STUCK
			       ? stuck(err)
			       : err_set(err, ERR_SYSTEM, "the JVM goes down");
	if (is_open && engine_begin(agent, orders, id, notes, err))
		return true;
	if (is_first && phase_pass(PHASE_LIVE, PHASE_CLOSING))
		open_again(agent, jni, &other);
	return false;
}

bool life_start(struct agent *agent, JNIEnv *jni, struct orders *orders, uint64_t *id,
		struct buf *notes, struct err *err)
{
	bool is_good = start(agent, jni, orders, id, notes, err);

	orders_clear(orders);
	return is_good;
}

/* Resting --------------------------------------------------------------------- */

static void leave_parent(struct agent *agent)
{
	fileid_close(&agent->connected, agent->connection);
	agent->connection = -1;
	agent->connected = (struct fileid){ 0 };
	fileid_close(&agent->held_id, agent->held);
	agent->held = -1;
}

/* The session of who waited has folders of its own; false: there is none for us. */
static bool move_in(struct agent *agent)
{
	struct str session = agent->orders.repository;
	struct lodging own;
	char base[PATH_MAX];
	char *slash;

	snprintf(base, sizeof(base), "%s", session.bytes);
	slash = strrchr(base, '/');
	if (slash)
		slash[slash == base] = '\0';
	if (!lodging_make(&own, slash ? base : NULL, NULL) &&
	    !lodging_make(&own, NULL, NULL))
		return false;
	agent->lodging = own;
	control_move(&agent->control, own.path);
	log_close();
	log_open(own.path);
	return true;
}

/*
 * The recording that it was launched with is over, and who waited has it: from now on it
 * is as if it had been attached.
 */
static bool settle_down(struct agent *agent)
{
	if (!move_in(agent))
		return false;
	snprintf(agent->session, sizeof(agent->session), "%s",
		 agent->orders.repository.bytes);
	leave_parent(agent);
	agent->is_attached = true;
	return true;
}

/* What there was of the session of who waited, if that is gone, too. */
static void leave_session(struct agent *agent)
{
	if (*agent->session)
		finish_session(agent->session);
}

void life_rest(struct agent *agent, JNIEnv *jni)
{
	struct err err;

	if (phase_now() != PHASE_LIVE || agent->recordings == 0 ||
	    recorder_is_over(&agent->recorder) || !settle_is_done(agent) ||
	    (!agent->is_attached && !settle_down(agent)))
		return;
	if (phase_pass(PHASE_LIVE, PHASE_CLOSING) && !open_again(agent, jni, &err))
		log_line(err.text);
	leave_session(agent);
}

/* Leaving --------------------------------------------------------------------- */

bool life_leave(struct agent *agent, JNIEnv *jni, settle_tell *tell, void *context,
		struct err *err)
{
	bool is_gone = true;

	if (phase_pass(PHASE_LIVE, PHASE_CLOSING))
		is_gone = close_engine(agent, jni, tell, context);
	else if (phase_pass(PHASE_IDLE, PHASE_LEAVING))
		jvm_close(&agent->jvm);
	else if (phase_now() != PHASE_STUCK)
		return err_set(err, ERR_SYSTEM, "the JVM goes down");
	if (!is_gone)
		tell(context, MESSAGE_NOTE, "a thread is still in the agent: some memory "
					    "is left to it");
	leave_parent(agent);
	forked_forget();
	log_close();
	lodging_leave(&agent->lodging);
	leave_session(agent);
	return true;
}

/* Where a thread is stuck, it may still use what there is. */
void life_left(struct agent *agent)
{
	if (phase_now() == PHASE_STUCK)
		return;
	settle_clear(&agent->settling);
	phase_pass(PHASE_LEAVING, PHASE_OFF);
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

/*
 * Who waits writes the file; without anybody we do, as far as the recording came.
 * Nothing happens if it is written already.
 */
static void finish_first(struct agent *agent, int64_t deadline)
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
	if (!engine_is_for_others(agent) &&
	    !finish_recording(&recorder->repository, &agent->orders,
			      agent->session_nanos, deadline, &err) &&
	    err.kind != ERR_NONE)
		log_line(err.text);
}

/* Only the recording with which it was launched, which is still its parent's. */
static bool is_alone(struct agent *agent)
{
	return !agent->is_attached && agent->recordings <= 1 && !settle_is_done(agent);
}

static void finish_all(struct agent *agent, int64_t deadline)
{
	struct recorder *recorder = &agent->recorder;

	if (is_alone(agent)) {
		finish_first(agent, deadline);
		return;
	}
	atomic_store(&agent->settling.deadline, deadline);
	settle_all(agent, NULL, NULL);
	if (!settle_is_done(agent) || engine_is_for_others(agent))
		return;
	if (!agent->is_attached && parent_is_gone(agent))
		finish_recording(&recorder->repository, &agent->orders,
				 agent->session_nanos, deadline, &(struct err){ 0 });
	/* There is nothing in it, whatever shall stay. */
	places_discard(recorder->repository.path);
}

static void end_engine(struct agent *agent, JNIEnv *jni)
{
	int64_t deadline = now_ticks() + LONG_PATIENCE;

	/* Threads that end from here on are told of to nobody: none may have a timer. */
	sampler_halt(agent);
	shutdown_tell(agent, jni);
	control_end(&agent->control, CONTROL_END_PATIENCE);
	/* Stuck on its disk: then all ends with its last flush, and we write nothing. */
	if (flusher_end(&agent->flusher, patience(agent)) &&
	    recorder_stop(&agent->recorder, deadline))
		finish_all(agent, deadline);
	if ((agent->is_attached || parent_is_gone(agent)) && engine_is_for_others(agent))
		log_say("the recording ended early, and what there is stays: cjfr "
			"assemble '%s' <file>", agent->recorder.repository.path);
}

void life_end(JNIEnv *jni)
{
	struct agent *agent = &the_agent;
	bool is_idle;

	phase_say_ending();
	/* Files that are being written on its thread can be written here again. */
	atomic_store(&agent->settling.deadline, 0);
	if (phase_now() == PHASE_LEAVING || phase_now() == PHASE_CLOSING ||
	    phase_now() == PHASE_OPENING) {
		if (phase_now() != PHASE_OPENING)
			atomic_store(&agent->settling.deadline,
				     now_ticks() + LONG_PATIENCE);
		control_end(&agent->control, LONG_PATIENCE);
	}
	is_idle = phase_pass(PHASE_IDLE, PHASE_ENDING) ||
		  phase_pass(PHASE_STUCK, PHASE_ENDING);
	if (!is_idle && !phase_pass(PHASE_LIVE, PHASE_ENDING))
		return;
	if (is_idle)
		control_end(&agent->control, CONTROL_END_PATIENCE);
	else
		end_engine(agent, jni);
	if (agent->is_attached)
		lodging_leave(&agent->lodging);
	leave_session(agent);
	phase_set(PHASE_OVER);
}
