/*
 * recordagent.c - our own engine, as record_engine_cjfr: what is asked of the agent in a
 * JVM, and what it answers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/now.h"
#include "base/path.h"
#include "cmd/recordengine.h"
#include "cmd/recordtarget.h"
#include "cmd/usage.h"
#include "jvms/dialog.h"
#include "session/launcher.h"

#define QUICKLY (2 * SECOND)	/* record list does not wait longer for one */
#define CHECK_LIMIT (20 * SECOND)
#define STATE_MAX ((size_t)64 << 20)	/* bytes that an agent may tell of itself */

/* One question, and where its answers go; NULL: such an answer is not wanted. */
struct talk {
	const struct record_task *task;
	const struct vm *vm;
	struct dialog *dialog;
	struct record_data *data;
	struct buf *told;
	struct buf *written;		/* paths, a line each */
	struct err *unwritten;		/* why there is no file, and where the data is */
	struct record_state *state;
	int64_t limit;			/* nanoseconds it may take; 0: none */
};

void record_state_clear(struct record_state *state)
{
	vec_clear(&state->of);
	arena_clear(&state->arena);
}

/* --- answers --------------------------------------------------------------------- */

static void tell_note(const struct talk *talk, const char *text)
{
	struct buf where = { 0 };

	if (!talk->task || talk->task->is_quiet)
		return;
	record_target_text(&where, talk->vm);
	complain(talk->task->invocation, "%.*s: note: %s", (int)where.size,
		 where.bytes ? where.bytes : "", text);
	buf_clear(&where);
}

/* "1 checkout" becomes "recording 1 (checkout)"; what is told already stays. */
static void tell_recording(struct buf *told, const char *text)
{
	char *end;
	unsigned long long id = strtoull(text, &end, 10);

	if (!told || told->size || end == text)
		return;
	if (id == 0)
		buf_text(told, "all recordings");
	else
		buf_printf(told, "recording %llu", id);
	/* One that has no name is called by its number. */
	if (id && *end == ' ' && end[1] &&
	    (strncmp(end + 1, text, (size_t)(end - text)) != 0 || end[1 + (end - text)]))
		buf_printf(told, " (%s)", end + 1);
}

static bool take_folder(const struct talk *talk, struct message *message,
			struct err *err)
{
	if (!talk->data || talk->data->fd >= 0) {
		close(message->fd);
		return err_set(err, ERR_SYSTEM, "its agent handed over what was not "
			       "asked for");
	}
	talk->data->fd = message->fd;
	snprintf(talk->data->path, sizeof(talk->data->path), "/proc/self/fd/%d",
		 message->fd);
	tell_recording(talk->told, message->rest);
	return true;
}

/* A copy of what the file says, which is closed; size 0 without a file. */
static bool take_file(int fd, struct arena *arena, struct str *text, struct err *err)
{
	struct buf bytes = { 0 };
	bool is_good;

	*text = STR("");
	if (fd < 0)
		return true;
	is_good = request_file(fd, &bytes, err);
	close(fd);
	if (is_good) {
		text->bytes = arena_copy(arena, bytes.bytes ? bytes.bytes : "", bytes.size);
		text->size = bytes.size;
		is_good = text->bytes || err_memory(err);
	}
	buf_clear(&bytes);
	return is_good;
}

static bool take_recording(struct record_state *state, struct message *message,
			   struct err *err)
{
	struct record_told told = { .settings = { "", 0 } };

	if (!state->with_settings && message->fd >= 0) {
		close(message->fd);
		message->fd = -1;
	}
	if (!take_file(message->fd, &state->arena, &told.settings, err))
		return false;
	state->size += told.settings.size + sizeof(*message);
	if (state->size > STATE_MAX)
		return err_set(err, ERR_SYSTEM, "its agent says too much");
	return recording_facts_read(&told.facts, str_of(message->rest), &state->arena,
				    err) &&
	       (vec_push(&state->of, told) || err_memory(err));
}

static bool take_state(struct record_state *state, struct message *message,
		       struct err *err)
{
	if (strcmp(message->word, MESSAGE_RECORDING) == 0)
		return take_recording(state, message, err);
	state->has_engine = true;
	return engine_facts_read(&state->engine, str_of(message->rest), &state->arena, err);
}

/* The last becomes the error, those before it are told now. */
static void take_unwritten(const struct talk *talk, const char *text)
{
	if (talk->unwritten->kind != ERR_NONE)
		tell_note(talk, talk->unwritten->text);
	err_set(talk->unwritten, ERR_SYSTEM, "%s", text);
}

/* Words that are not known are those of a newer agent. */
static bool take(const struct talk *talk, struct err *err)
{
	struct message *message = &talk->dialog->message;
	const char *word = message->word;

	if (strcmp(word, MESSAGE_FOLDER) == 0)
		return take_folder(talk, message, err);
	if (talk->state && (strcmp(word, MESSAGE_RECORDING) == 0 ||
			    strcmp(word, MESSAGE_ENGINE) == 0))
		return take_state(talk->state, message, err);
	if (message->fd >= 0)
		close(message->fd);
	if (strcmp(word, MESSAGE_NOTE) == 0)
		tell_note(talk, message->rest);
	else if (strcmp(word, MESSAGE_UNWRITTEN) == 0 && talk->unwritten)
		take_unwritten(talk, message->rest);
	else if (strcmp(word, MESSAGE_WRITTEN) == 0 && talk->written)
		buf_printf(talk->written, "%s\n", message->rest);
	return true;
}

/* Until all is said, or data is there that has to be taken first. */
static bool hear(const struct talk *talk, struct err *err)
{
	while (dialog_next(talk->dialog, NULL, NULL, err)) {
		if (!take(talk, err))
			return false;
		if (talk->data && talk->data->fd >= 0)
			return true;
	}
	if (err->kind == ERR_NONE)
		tell_recording(talk->told, talk->dialog->message.rest);
	return err->kind == ERR_NONE;
}

/* --- questions ------------------------------------------------------------------- */

/* The dialog is open. */
static bool ask(const struct talk *talk, struct request *request, int file,
		struct err *err)
{
	const struct record_task *task = talk->task;
	bool is_good = true;

	if (task && task->name) {
		struct str name = str_of(task->name);

		request->name.bytes = arena_copy(&request->arena, name.bytes, name.size);
		request->name.size = name.size;
		is_good = request->name.bytes || err_memory(err);
	}
	return is_good && dialog_ask(talk->dialog, request, file, err) &&
	       hear(talk, err);
}

/* A question with a file, or without one, to an agent that is there. */
static bool ask_open(const struct talk *talk, struct request *request,
		     const struct orders *orders, struct err *err)
{
	struct buf text = { 0 };
	int file = -1;
	bool is_good = true;

	if (orders) {
		orders_write(orders, &text);
		is_good = !text.failed || err_memory(err);
		if (is_good) {
			file = request_make_file(buf_as_str(&text), err);
			is_good = file >= 0;
		}
		buf_clear(&text);
	}
	is_good = is_good && ask(talk, request, file, err);
	if (file >= 0)
		close(file);
	return is_good;
}

/* Opens, asks, and closes again. */
static bool ask_once(struct talk *talk, enum request_verb verb,
		     const struct orders *orders, struct err *err)
{
	struct dialog dialog = { .limit = talk->limit };
	struct request request;
	bool is_good;

	if (!dialog_open(&dialog, talk->vm, err))
		return false;
	talk->dialog = &dialog;
	request_init(&request, verb);
	is_good = ask_open(talk, &request, orders, err);
	request_clear(&request);
	dialog_close(&dialog);
	return is_good;
}

/* As the JVM sees it; NULL: not given, or ERR_MEMORY. */
static char *base_of(const struct record_task *task)
{
	const char *folder = task->options ? task->options->repository : NULL;

	return folder ? path_absolute(folder) : NULL;
}

static bool start(const struct record_task *task, const struct vm *vm, struct buf *told,
		  struct err *err)
{
	struct dialog dialog = { .patience = 0 };
	struct talk talk = { .task = task, .vm = vm, .dialog = &dialog, .told = told };
	char *library = launcher_find_agent(err);
	char *base = base_of(task);
	struct request request;
	bool is_good;

	if (!library || !dialog_open_or_attach(&dialog, vm, library, base, err)) {
		free(library);
		free(base);
		return false;
	}
	request_init(&request, REQUEST_START);
	is_good = ask_open(&talk, &request, task->orders, err);
	request_clear(&request);
	dialog_close(&dialog);
	free(library);
	free(base);
	return is_good;
}

static bool set(const struct record_task *task, const struct vm *vm, struct buf *told,
		struct err *err)
{
	struct talk talk = { .task = task, .vm = vm, .told = told };

	return ask_once(&talk, REQUEST_SET, task->orders, err);
}

static bool check(const struct record_task *task, const struct vm *vm,
		  struct record_state *state, struct err *err)
{
	struct talk talk = { .task = task, .vm = vm, .state = state,
			     .limit = CHECK_LIMIT };

	return ask_once(&talk, REQUEST_CHECK, NULL, err);
}

bool record_agent_detach(const struct record_task *task, const struct vm *vm,
			 struct buf *told, struct err *err)
{
	struct err unwritten = { ERR_NONE, "" };
	struct talk talk = { .task = task, .vm = vm, .written = told,
			     .unwritten = &unwritten };

	if (!ask_once(&talk, REQUEST_DETACH, NULL, err))
		return false;
	if (unwritten.kind == ERR_NONE)
		return true;
	*err = unwritten;
	return false;
}

bool record_agent_count(const struct vm *vm, int *count, struct err *err)
{
	struct dialog dialog = { .limit = QUICKLY };
	struct record_state state = { .has_engine = false };
	struct talk talk = { .vm = vm, .dialog = &dialog, .state = &state };
	struct request request;
	bool is_good;

	*count = -1;
	if (!dialog_open(&dialog, vm, err))
		return err->kind == ERR_NONE;
	request_init(&request, REQUEST_CHECK);
	is_good = ask(&talk, &request, -1, err);
	request_clear(&request);
	dialog_close(&dialog);
	*count = 0;
	for (size_t i = 0; i < state.of.count; i++)
		*count += state.of.items[i].facts.state <= FACTS_RUNNING;
	record_state_clear(&state);
	return is_good;
}

/* --- data ------------------------------------------------------------------------ */

/* The talk goes on when the data is read. */
static bool fetch(struct talk *talk, struct request *request, struct err *err)
{
	struct record_data *data = talk->data;
	struct dialog *dialog = calloc(1, sizeof(*dialog));

	*data = (struct record_data){ .fd = -1 };
	if (!dialog)
		return err_memory(err);
	talk->dialog = dialog;
	request->last = talk->task->last;
	if (!dialog_open(dialog, talk->vm, err)) {
		free(dialog);
		return false;
	}
	if (ask(talk, request, -1, err) && data->fd >= 0) {
		data->own = dialog;
		return true;
	}
	dialog_close(dialog);
	free(dialog);
	return err->kind == ERR_NONE;
}

static bool dump(const struct record_task *task, const struct vm *vm,
		 struct record_data *data, struct buf *told, struct err *err)
{
	struct talk talk = { .task = task, .vm = vm, .data = data, .told = told };
	struct request request;
	bool is_good;

	request_init(&request, REQUEST_DUMP);
	is_good = fetch(&talk, &request, err);
	request_clear(&request);
	return is_good;
}

/* The first of the lines; NULL: there is none. */
static bool take_line(const struct buf *lines, char **line, struct err *err)
{
	struct str rest = buf_as_str(lines), first;

	*line = NULL;
	if (lines->failed || !str_split(&rest, '\n', &first))
		return !lines->failed || err_memory(err);
	*line = strndup(first.bytes, first.size);
	return *line || err_memory(err);
}

static bool stop(const struct record_task *task, const struct vm *vm,
		 struct record_data *data, struct buf *told, char **written,
		 struct err *err)
{
	struct buf lines = { 0 };
	struct talk talk = { .task = task, .vm = vm, .data = data, .told = told,
			     .written = &lines };
	struct request request;
	bool is_good;

	request_init(&request, REQUEST_STOP);
	request.to = task->to;
	is_good = fetch(&talk, &request, err) && take_line(&lines, written, err);
	request_clear(&request);
	buf_clear(&lines);
	return is_good;
}

static bool taken(struct record_data *data, bool is_good, struct err *err)
{
	struct dialog *dialog = data->own;
	struct talk talk = { .vm = dialog->vm, .dialog = dialog };

	close(data->fd);
	if (is_good)
		is_good = dialog_taken(dialog, err) && hear(&talk, err);
	dialog_close(dialog);
	free(dialog);
	*data = (struct record_data){ .fd = -1 };
	return is_good;
}

const struct record_engine record_engine_cjfr = {
	.name = "cjfr",
	.start = start,
	.dump = dump,
	.stop = stop,
	.taken = taken,
	.check = check,
	.set = set,
};
