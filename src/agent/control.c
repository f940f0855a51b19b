#include "agent/control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/jvmthread.h"
#include "base/path.h"
#include "control/doorcode.h"
#include "control/message.h"
#include "control/places.h"
#include "config.h"

/* So often it is seen to that nobody has closed what is ours. */
#define LOOK_EACH (5 * SECOND)

/* Who closes it again and again does not want us to listen. */
#define LISTEN_MAX 100

/* Those that are handed a folder while we leave have so long to say that they took it. */
#define TAKE_PATIENCE (2 * SECOND)

/* --- descriptors ------------------------------------------------------------------ */

static bool listen_at(struct control *control, struct err *err)
{
	control->listener = message_listen(control->path, err);
	control->listener_id = fileid_of(control->listener);
	control->listened += control->listener >= 0;
	return control->listener >= 0;
}

static void stop_listening(struct control *control)
{
	if (control->listener < 0)
		return;
	fileid_close(&control->listener_id, control->listener);
	control->listener = -1;
	unlink(control->path);
}

/* Has no name, as the socket has, but a number of its own. */
static bool make_wake(struct control *control)
{
	if (pipe2(control->wake, O_CLOEXEC | O_NONBLOCK) != 0) {
		control->wake[0] = control->wake[1] = -1;
		return false;
	}
	control->wake_id = fileid_of(control->wake[0]);
	return true;
}

static void close_wake(struct control *control)
{
	for (int i = 0; i < 2; i++) {
		fileid_close(&control->wake_id, control->wake[i]);
		control->wake[i] = -1;
	}
}

/* Others may have closed what is ours; what they opened in its place is theirs. */
static void look_after(struct control *control)
{
	if (!control->is_shut && control->listened < LISTEN_MAX &&
	    !fileid_is(&control->listener_id, control->listener)) {
		unlink(control->path);
		listen_at(control, NULL);
	}
	if (!fileid_is(&control->wake_id, control->wake[0]) ||
	    !fileid_is(&control->wake_id, control->wake[1])) {
		close_wake(control);
		make_wake(control);
	}
}

bool control_wake(struct control *control)
{
	int error = errno;

	if (!atomic_load(&control->is_running))
		return false;
	if (fileid_is(&control->wake_id, control->wake[1]) &&
	    write(control->wake[1], "", 1) < 0)
		errno = error;		/* full: it wakes anyway */
	errno = error;
	return true;
}

static void drain_wake(struct control *control)
{
	char bytes[64];

	while (fileid_is(&control->wake_id, control->wake[0]) &&
	       read(control->wake[0], bytes, sizeof(bytes)) == sizeof(bytes))
		;
}

/* --- visitors --------------------------------------------------------------------- */

static void see_off(const struct control *control, struct visitor *visitor)
{
	control->calls->untaken(&visitor->handed);
	if (visitor->connection >= 0)
		fileid_close(&visitor->id, visitor->connection);
	*visitor = (struct visitor){ .connection = -1 };
}

/* The one that has been silent for longest makes room; NULL: all have something. */
static struct visitor *find_seat(struct control *control)
{
	struct visitor *seat = NULL;

	for (int i = 0; i < CONTROL_VISITORS; i++) {
		struct visitor *visitor = &control->visitors[i];

		if (visitor->connection < 0)
			return visitor;
		if (!visitor->handed.path && (!seat || visitor->since < seat->since))
			seat = visitor;
	}
	if (seat)
		see_off(control, seat);
	return seat;
}

static void greet(int connection, const struct fileid *id)
{
	struct answers to;
	char text[100];

	answers_open(&to, connection, id);
	snprintf(text, sizeof(text), "%d %s", MESSAGE_PROTOCOL, PACKAGE_VERSION);
	answers_say(&to, MESSAGE_AGENT, text, -1);
}

static void let_in(struct control *control)
{
	errno = 0;
	for (int i = 0; i < CONTROL_VISITORS; i++) {
		int connection = message_accept(control->listener, NULL);
		struct fileid id = fileid_of(connection);
		struct visitor *seat;

		if (connection < 0)
			break;
		seat = find_seat(control);
		if (!seat) {
			close(connection);
			continue;
		}
		*seat = (struct visitor){ .connection = connection, .id = id,
					  .since = now_ticks() };
		greet(connection, &id);
	}
	/* Who comes is still there then, and so is what kept him out. */
	if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
		control->deaf_until = now_ticks() + SECOND;
}

static void hear(struct control *control, JNIEnv *jni, struct visitor *visitor)
{
	struct message message;
	struct answers to;
	int got;

	got = message_receive(visitor->connection, &message, NULL);
	if (got == 0)
		return;
	answers_open(&to, visitor->connection, &visitor->id);
	control->served = visitor;
	if (got > 0 && visitor->handed.path)
		control->calls->taken(control->agent, &visitor->handed, &message, &to);
	else if (got > 0)
		control->calls->asked(control->agent, jni, &message, &to,
				      &visitor->handed);
	control->served = NULL;
	if (got > 0 && message.fd >= 0)
		close(message.fd);
	if (got < 0 || to.is_gone || !visitor->handed.path)
		see_off(control, visitor);
}

static void hear_all(struct control *control, JNIEnv *jni, const struct pollfd *polled)
{
	int64_t now = now_ticks();

	for (int i = 0; i < CONTROL_VISITORS && !control->is_leaving; i++) {
		struct visitor *visitor = &control->visitors[i];

		if (visitor->connection < 0 || visitor == control->served)
			continue;
		if (!fileid_is(&visitor->id, visitor->connection) ||
		    (!visitor->handed.path &&
		     now - visitor->since > CONTROL_PATIENCE && !polled[i].revents))
			see_off(control, visitor);
		else if (polled[i].revents && polled[i].fd == visitor->connection)
			hear(control, jni, visitor);
	}
}

/* --- the thread ------------------------------------------------------------------- */

enum { AT_WAKE, AT_LISTENER, AT_VISITORS, POLLED = AT_VISITORS + CONTROL_VISITORS };

static void prepare(const struct control *control, struct pollfd polled[POLLED])
{
	polled[AT_WAKE] = (struct pollfd){ control->wake[0], POLLIN, 0 };
	polled[AT_LISTENER] = (struct pollfd){
		now_ticks() < control->deaf_until ? -1 : control->listener, POLLIN, 0
	};
	for (int i = 0; i < CONTROL_VISITORS; i++)
		polled[AT_VISITORS + i] =
			(struct pollfd){ control->visitors[i].connection, POLLIN, 0 };
}

/* Until something comes, or somebody was silent for too long. */
static int64_t rest_of(const struct control *control)
{
	int64_t now = now_ticks();
	int64_t rest = now < control->deaf_until ? control->deaf_until - now : LOOK_EACH;

	for (int i = 0; i < CONTROL_VISITORS; i++) {
		const struct visitor *visitor = &control->visitors[i];
		int64_t left = visitor->since + CONTROL_PATIENCE - now;

		if (visitor->connection >= 0 && !visitor->handed.path && left < rest)
			rest = left < 0 ? 0 : left;
	}
	return rest;
}

static void listen_once(struct control *control, JNIEnv *jni)
{
	struct pollfd polled[POLLED];

	look_after(control);
	prepare(control, polled);
	if (poll(polled, POLLED, (int)(rest_of(control) / MILLISECOND) + 1) < 0)
		return;
	drain_wake(control);
	if (atomic_load(&control->is_ending))
		return;
	control->calls->awake(control->agent);
	hear_all(control, jni, polled + AT_VISITORS);
	if (polled[AT_LISTENER].revents && !control->is_leaving &&
	    fileid_is(&control->listener_id, control->listener))
		let_in(control);
	if (!control->is_leaving)
		control->calls->idle(control->agent, jni);
}

/* True if somebody still has a folder of ours that was not taken. */
static bool is_waited_for(struct control *control)
{
	bool is_one = false;

	for (int i = 0; i < CONTROL_VISITORS; i++)
		is_one |= control->visitors[i].handed.path != NULL;
	return is_one;
}

/* Who is about to say that a folder was taken can still do so. */
static void hear_last(struct control *control)
{
	int64_t deadline = now_ticks() + TAKE_PATIENCE, left;
	struct pollfd polled[POLLED];

	while (is_waited_for(control) && (left = deadline - now_ticks()) > 0) {
		for (int i = 0; i < CONTROL_VISITORS; i++) {
			struct visitor *visitor = &control->visitors[i];

			if (!visitor->handed.path && visitor != control->served)
				see_off(control, visitor);
		}
		prepare(control, polled);
		if (poll(polled + AT_VISITORS, CONTROL_VISITORS,
			 (int)(left / MILLISECOND) + 1) > 0)
			hear_all(control, NULL, polled + AT_VISITORS);
	}
}

/* They go on reading what they have been handed: it stays, as the JVM goes. */
static void keep_handed(struct control *control)
{
	for (int i = 0; i < CONTROL_VISITORS; i++) {
		free(control->visitors[i].handed.path);
		control->visitors[i].handed.path = NULL;
	}
}

void control_shut(struct control *control)
{
	control->is_shut = true;
	stop_listening(control);
	hear_last(control);
}

static void run(void *context, JNIEnv *jni)
{
	struct control *control = context;

	while (jni && !atomic_load(&control->is_ending) && !control->is_leaving)
		listen_once(control, jni);
	control_shut(control);
	if (!control->is_leaving)
		keep_handed(control);
	for (int i = 0; i < CONTROL_VISITORS; i++)
		see_off(control, &control->visitors[i]);
}

static void over(void *context)
{
	struct control *control = context;
	const struct control_calls *calls = control->calls;
	struct agent *agent = control->agent;
	bool is_leaving = control->is_leaving;

	close_wake(control);
	free(control->path);
	control->path = NULL;
	atomic_store(&control->is_running, false);
	bell_ring(&control->gone);
	if (is_leaving)
		calls->left(agent);
}

/* --- life ------------------------------------------------------------------------- */

static int open_all(struct control *control, const char *folder)
{
	control->path = path_within(folder, PLACES_CONTROL);
	errno = ENOMEM;
	if (!control->path || !listen_at(control, NULL))
		return doorcode(DOOR_SOCKET, errno);
	if (!make_wake(control))
		return doorcode(DOOR_THREAD, errno);
	return 0;
}

int control_start(struct control *control, JNIEnv *jni, const struct control_told *told)
{
	const struct jvmthread thread = {
		.name = "cjfr control", .run = run, .over = over, .context = control,
	};
	int code;

	*control = (struct control){ .agent = told->agent, .calls = told->calls,
				     .listener = -1, .wake = { -1, -1 } };
	for (int i = 0; i < CONTROL_VISITORS; i++)
		control->visitors[i].connection = -1;
	code = open_all(control, told->folder);
	atomic_store(&control->is_running, true);
	if (code == 0 && jvmthread_start(told->jvm, jni, &thread, NULL))
		return 0;
	if (code == 0)
		code = doorcode(DOOR_THREAD, errno);
	atomic_store(&control->is_running, false);
	stop_listening(control);
	close_wake(control);
	free(control->path);
	control->path = NULL;
	return code;
}

void control_move(struct control *control, const char *folder)
{
	char *path = path_within(folder, PLACES_CONTROL);

	if (!path)
		return;
	stop_listening(control);
	free(control->path);
	control->path = path;
	listen_at(control, NULL);
}

bool control_end(struct control *control, int64_t patience)
{
	if (!atomic_load(&control->is_running))
		return true;
	atomic_store(&control->is_ending, true);
	control_wake(control);
	return bell_wait(&control->gone, patience) ||
	       !atomic_load(&control->is_running);
}

void control_forget(struct control *control)
{
	fileid_close(&control->listener_id, control->listener);
	for (int i = 0; i < 2; i++)
		fileid_close(&control->wake_id, control->wake[i]);
	for (int i = 0; i < CONTROL_VISITORS; i++)
		fileid_close(&control->visitors[i].id,
			     control->visitors[i].connection);
}
