#include "agent/requests.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/facts.h"
#include "agent/life.h"
#include "agent/phase.h"
#include "agent/settle.h"
#include "control/message.h"
#include "control/places.h"
#include "control/request.h"

/* One request, while it is done. */
struct work {
	struct agent *agent;
	JNIEnv *jni;
	const struct message *message;
	const struct request *request;
	struct answers *to;
	struct handed *handed;
	struct err err;
};

/* True: it was done, or a folder is handed over; false with err. */
typedef bool request_do(struct work *work);

/* --- what several need ------------------------------------------------------------ */

/* "ID NAME" of a recording. */
static bool describe(struct work *work, uint64_t id, char *text, size_t size)
{
	struct recorder_list list;
	struct str name;

	if (!recorder_tell_one(&work->agent->recorder, id, &list, &work->err))
		return false;
	name = list.of.items[0].facts.name;
	snprintf(text, size, "%" PRIu64 " %.*s", id, (int)name.size,
		 name.bytes ? name.bytes : "");
	recorder_list_clear(&list);
	return true;
}

static bool done(struct work *work, const char *text)
{
	answers_say(work->to, MESSAGE_DONE, text, -1);
	return true;
}

static bool find(struct work *work, uint64_t *id)
{
	return recorder_named(&work->agent->recorder, work->request->name, id,
			      &work->err);
}

/* The orders that came with it, over the defaults; orders_clear in any case. */
static bool read_orders(struct work *work, struct orders *orders)
{
	struct buf text = { 0 };
	bool is_good;

	orders_init(orders);
	if (work->message->fd < 0)
		return err_set(&work->err, ERR_USAGE, "no orders came with '%s'",
			       work->message->word);
	is_good = request_file(work->message->fd, &text, &work->err) &&
		  orders_read(orders, buf_as_str(&text), &work->err);
	buf_clear(&text);
	orders->socket.size = 0;	/* nobody listens there for us */
	return is_good;
}

/* A folder goes to who asked. It stays ours until it was taken. */
static bool hand_over(struct work *work, char *folder, const char *text)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

	answers_rest(work->to);
	if (fd < 0)
		err_system(&work->err, "cannot open the folder '%s'", folder);
	else if (!answers_say(work->to, MESSAGE_FOLDER, text, fd))
		err_set(&work->err, ERR_SYSTEM, "nobody takes the folder");
	if (fd >= 0)
		close(fd);
	if (work->err.kind != ERR_NONE) {
		places_discard(folder);
		free(folder);
		return false;
	}
	work->handed->path = folder;
	snprintf(work->handed->text, sizeof(work->handed->text), "%s", text);
	return true;
}

/* --- start, set ------------------------------------------------------------------- */

/* As the JVM sees it, whose own folder is nobody's business. */
static bool check_destination(struct work *work, const struct orders *orders)
{
	struct str destination = orders->destination;

	return destination.size == 0 || *destination.bytes == '/' ||
	       err_set(&work->err, ERR_USAGE, "'%s' is no absolute path",
		       destination.bytes);
}

static bool start(struct work *work)
{
	struct orders orders;
	struct buf notes = { 0 };
	char text[300];
	uint64_t id;
	bool is_good;

	is_good = read_orders(work, &orders) && check_destination(work, &orders) &&
		  orders_name_recording(&orders, now_nanos(), &work->err);
	if (!is_good)
		orders_clear(&orders);
	else
		is_good = life_start(work->agent, work->jni, &orders, &id, &notes,
				     &work->err);
	if (is_good) {
		answers_say_notes(work->to, &notes);
		is_good = describe(work, id, text, sizeof(text)) && done(work, text);
	}
	buf_clear(&notes);
	return is_good;
}

static bool set(struct work *work)
{
	struct orders orders;
	char text[300];
	uint64_t id;
	bool is_good = read_orders(work, &orders) && find(work, &id) &&
		       recorder_change(&work->agent->recorder, id, &orders, &work->err);

	orders_clear(&orders);
	if (!is_good)
		return false;
	flusher_wake(&work->agent->flusher);
	return describe(work, id, text, sizeof(text)) && done(work, text);
}

/* --- dump, stop ------------------------------------------------------------------- */

/* Without a name, of all that there is. */
static bool dump(struct work *work)
{
	struct recorder *recorder = &work->agent->recorder;
	char *folder = NULL, text[300] = "0 ";
	uint64_t id = 0;

	if (work->request->name.size && !find(work, &id))
		return false;
	if ((id && !describe(work, id, text, sizeof(text))) ||
	    !recorder_hand_over(recorder, id, work->request->last, &folder, &work->err))
		return false;
	return folder ? hand_over(work, folder, text) : done(work, text);
}

static bool stop_for_client(struct work *work, uint64_t id, const char *text)
{
	struct recorder *recorder = &work->agent->recorder;
	char *folder = NULL;

	if (!recorder_hand_over(recorder, id, work->request->last, &folder, &work->err))
		return false;
	if (!folder) {
		recorder_drop(recorder, id);
		return done(work, text);
	}
	if (!hand_over(work, folder, text))
		return false;
	work->handed->recording = id;
	return true;
}

static bool stop_for_output(struct work *work, uint64_t id, const char *text)
{
	char *path = NULL;
	bool is_good = settle_one(work->agent, id, &path, &work->err);

	if (is_good && path)
		answers_say(work->to, MESSAGE_WRITTEN, path, -1);
	else if (!is_good)
		err_within(&work->err, "it has stopped, and can be had by: cjfr record "
			   "stop --output");
	free(path);
	return is_good && done(work, text);
}

static bool stop(struct work *work)
{
	struct recorder *recorder = &work->agent->recorder;
	char text[300];
	uint64_t id;

	if (!find(work, &id) || !describe(work, id, text, sizeof(text)) ||
	    !recorder_end(recorder, id, &work->err))
		return false;
	if (work->request->to == REQUEST_TO_CLIENT)
		return stop_for_client(work, id, text);
	if (work->request->to == REQUEST_TO_OUTPUT)
		return stop_for_output(work, id, text);
	recorder_drop(recorder, id);
	return done(work, text);
}

/* --- check ------------------------------------------------------------------------ */

static bool tell_recording(struct work *work, const struct recorder_told *told)
{
	struct buf lines = { 0 };
	int fd = request_make_file(told->orders, NULL);

	recording_facts_write(&told->facts, &lines);
	buf_byte(&lines, '\0');
	if (!lines.failed)
		answers_say(work->to, MESSAGE_RECORDING, lines.bytes, fd);
	if (fd >= 0)
		close(fd);
	buf_clear(&lines);
	return !lines.failed || err_memory(&work->err);
}

static bool tell_engine(struct work *work)
{
	struct engine_facts facts;
	struct buf lines = { 0 };

	facts_of_engine(work->agent, &facts);
	engine_facts_write(&facts, &lines);
	buf_byte(&lines, '\0');
	if (!lines.failed)
		answers_say(work->to, MESSAGE_ENGINE, lines.bytes, -1);
	buf_clear(&lines);
	return !lines.failed || err_memory(&work->err);
}

static bool check(struct work *work)
{
	struct recorder_list list = { 0 };
	bool has_engine = phase_has_engine(), is_good;
	uint64_t id = 0;

	if (work->request->name.size && (!has_engine || !find(work, &id)))
		return work->err.kind != ERR_NONE ? false
			: err_set(&work->err, ERR_USAGE, "there is no recording");
	is_good = tell_engine(work);
	if (has_engine && is_good)
		is_good = recorder_tell(&work->agent->recorder, &list) ||
			  err_memory(&work->err);
	for (size_t i = 0; i < list.of.count && is_good; i++) {
		if (id == 0 || list.of.items[i].facts.id == id)
			is_good = tell_recording(work, &list.of.items[i]);
	}
	recorder_list_clear(&list);
	return is_good && done(work, "");
}

/* --- detach ----------------------------------------------------------------------- */

static void tell_settled(void *context, const char *word, const char *text)
{
	struct work *work = context;

	answers_say(work->to, word, text, -1);
}

/* What this is told by is the thread's, which ends after it. */
static bool detach(struct work *work)
{
	struct control *control = &work->agent->control;

	control_shut(control);
	if (!life_leave(work->agent, work->jni, tell_settled, work, &work->err))
		return false;
	control->is_leaving = true;
	answers_rest(work->to);
	return done(work, "");
}

/* --- all of them ------------------------------------------------------------------ */

static const struct {
	request_do *run;
	bool is_of_recording;		/* there must be one */
} verbs[REQUEST_VERBS] = {
	[REQUEST_START] = { start, false },
	[REQUEST_DUMP] = { dump, true },
	[REQUEST_STOP] = { stop, true },
	[REQUEST_CHECK] = { check, false },
	[REQUEST_SET] = { set, true },
	[REQUEST_DETACH] = { detach, false },
};

static bool do_it(struct work *work, struct request *request)
{
	enum request_verb verb;

	if (!request_read(request, work->message->word, work->message->rest, &work->err))
		return false;
	verb = request->verb;
	work->request = request;
	if (verbs[verb].is_of_recording && !phase_has_engine())
		return err_set(&work->err, ERR_USAGE, "there is no recording");
	answers_work(work->to);
	return verbs[verb].run(work);
}

static void asked(struct agent *agent, JNIEnv *jni, const struct message *message,
		  struct answers *to, struct handed *handed)
{
	struct work work = {
		.agent = agent,
		.jni = jni,
		.message = message,
		.to = to,
		.handed = handed,
		.err = { ERR_NONE, "" },
	};
	struct request request;
	bool is_done;

	request_init(&request, REQUEST_CHECK);
	is_done = do_it(&work, &request);
	answers_rest(to);
	if (!is_done)
		answers_say_failed(to, &work.err);
	request_clear(&request);
}

static void forget(struct handed *handed)
{
	places_discard(handed->path);
	free(handed->path);
	*handed = (struct handed){ 0 };
}

static void taken(struct agent *agent, struct handed *handed,
		  const struct message *message, struct answers *to)
{
	char text[sizeof(handed->text)];
	struct err err;

	if (strcmp(message->word, MESSAGE_TAKEN) != 0) {
		err_set(&err, ERR_USAGE, "'%s' is not what is waited for",
			message->word);
		answers_say_failed(to, &err);
		forget(handed);
		return;
	}
	memcpy(text, handed->text, sizeof(text));
	if (handed->recording && phase_has_engine())
		recorder_drop(&agent->recorder, handed->recording);
	forget(handed);
	answers_say(to, MESSAGE_DONE, text, -1);
}

static void untaken(struct handed *handed)
{
	if (handed->path)
		forget(handed);
}

static void awake(struct agent *agent)
{
	lodging_hold_again(&agent->lodging);
	settle_waiting(agent);
}

const struct control_calls requests_calls = {
	.asked = asked,
	.taken = taken,
	.untaken = untaken,
	.awake = awake,
	.idle = life_rest,
	.left = life_left,
};
