#include "agent/settle.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "agent/agent.h"
#include "agent/finish.h"
#include "agent/log.h"
#include "agent/parent.h"
#include "control/message.h"
#include "control/places.h"

#define PARENTS 1			/* the recording that a parent waits for */
#define FILES_MAX 64			/* of ours, that are known */
#define AGAIN_EACH (60 * SECOND)	/* what could not be written is tried again */

void settle_init(struct settling *settling)
{
	*settling = (struct settling){ .deadline = INT64_MAX };
}

void settle_clear(struct settling *settling)
{
	vec_clear(&settling->files);
}

/* --- one recording ---------------------------------------------------------------- */

/* What is known of a recording that has stopped. */
struct stopped {
	uint64_t id;
	enum facts_state state;
	int64_t begun;
	struct orders orders;
};

/* False: there is none with that number; or ERR_MEMORY, ERR_FORMAT. */
static bool look(struct agent *agent, uint64_t id, struct stopped *stopped,
		 struct err *err)
{
	const struct recorder_told *told;
	struct recorder_list list;
	bool is_good;

	orders_init(&stopped->orders);
	if (!recorder_tell_one(&agent->recorder, id, &list, err))
		return false;
	told = &list.of.items[0];
	stopped->id = id;
	stopped->state = told->facts.state;
	stopped->begun = told->facts.begun;
	is_good = orders_read(&stopped->orders, told->orders, err);
	recorder_list_clear(&list);
	return is_good;
}

/* It is a parent's: one that is there, or was, or nobody's, who looks into the folder. */
static bool is_of_launch(const struct agent *agent, uint64_t id)
{
	return !agent->is_attached && id == PARENTS;
}

static bool has_parent(const struct agent *agent)
{
	return agent->connected.inode != 0;
}

/* It may have left in the moment in which it was told. */
static bool give_to_parent(const struct agent *agent, const char *folder)
{
	if (parent_is_gone(agent))
		return false;
	parent_tell(agent, MESSAGE_STOPPED, folder, -1);
	return !parent_is_gone(agent);
}

struct keep {
	const struct settling *settling;
	uint64_t id;			/* of the recording that is to be written now */
};

/* Another recording's, that went on when this one had begun. */
static bool is_kept(const struct stat *status, const void *context)
{
	const struct keep *keep = context;
	bool is_one = false;

	for (size_t i = 0; i < keep->settling->files.count; i++) {
		const struct settled *file = &keep->settling->files.items[i];

		is_one |= file->device == status->st_dev &&
			  file->inode == status->st_ino && file->newest >= keep->id;
	}
	return is_one;
}

/* Without memory its age alone tells. */
static void note_file(struct agent *agent, const char *path)
{
	struct settling *settling = &agent->settling;
	struct settled file;
	struct stat status;

	if (!path || stat(path, &status) != 0)
		return;
	file = (struct settled){ status.st_dev, status.st_ino, agent->recordings };
	if (settling->files.count < FILES_MAX)
		vec_push(&settling->files, file);
	else
		settling->files.items[settling->next++ % FILES_MAX] = file;
}

static bool write_file(struct agent *agent, const struct stopped *stopped,
		       const char *folder, char **path, struct err *err)
{
	const struct keep keep = { &agent->settling, stopped->id };
	bool is_launch = is_of_launch(agent, stopped->id);
	const struct finish_folder of = {
		.folder = folder,
		.told_in = is_launch ? agent->recorder.repository.path : NULL,
		.destination = stopped->orders.destination.bytes,
		.begin_nanos = is_launch ? agent->session_nanos : stopped->begun,
		.made_up = stopped->orders.made_up,
		.is_kept = is_kept,
		.context = &keep,
		.deadline = &agent->settling.deadline,
	};
	bool is_written = finish_folder(&of, path, err);

	note_file(agent, *path);
	return is_written;
}

/* A folder with its data becomes a file, or the parent's. */
static bool place(struct agent *agent, const struct stopped *stopped, const char *folder,
		  char **path, struct err *err)
{
	bool is_written;

	if (is_of_launch(agent, stopped->id) && give_to_parent(agent, folder))
		return true;
	is_written = write_file(agent, stopped, folder, path, err);
	if (!is_written || !stopped->orders.preserve)
		places_discard(folder);
	return is_written;
}

static bool settle(struct agent *agent, const struct stopped *stopped, char **path,
		   struct err *err)
{
	struct str destination = stopped->orders.destination;
	char *folder = NULL;
	bool is_good;

	if (is_of_launch(agent, stopped->id)) {
		/* Who waits, or comes later, takes it from the repository. */
		if (!has_parent(agent) || stopped->state == FACTS_FAILED)
			return true;
	} else if (destination.size == 0 || *destination.bytes != '/') {
		return err_set(err, ERR_USAGE, "there is nobody to write the recording "
			       "to: it stays in '%s'",
			       agent->recorder.repository.path);
	}
	if (!recorder_hand_over(&agent->recorder, stopped->id, 0, &folder, err))
		return false;
	is_good = !folder || place(agent, stopped, folder, path, err);
	free(folder);
	if (is_good)
		recorder_drop(&agent->recorder, stopped->id);
	return is_good;
}

bool settle_one(struct agent *agent, uint64_t id, char **path, struct err *err)
{
	struct stopped stopped;
	bool is_good;

	*path = NULL;
	is_good = look(agent, id, &stopped, err) && settle(agent, &stopped, path, err);
	orders_clear(&stopped.orders);
	return is_good;
}

/* --- several ---------------------------------------------------------------------- */

void settle_note(struct agent *agent)
{
	if (recorder_stopped_next(&agent->recorder) && !control_wake(&agent->control))
		settle_waiting(agent);
}

/* What cannot be written may be able to later: a disk is full, memory runs out. */
static int64_t again_after(const struct err *err)
{
	return err->kind == ERR_SYSTEM || err->kind == ERR_MEMORY
		       ? now_ticks() + AGAIN_EACH
		       : INT64_MAX;
}

void settle_waiting(struct agent *agent)
{
	uint64_t id;

	while ((id = recorder_stopped_next(&agent->recorder)) != 0) {
		struct err err = { ERR_NONE, "" };
		char *path;

		if (!settle_one(agent, id, &path, &err))
			log_line(err.text);
		free(path);
		recorder_heard(&agent->recorder, id, again_after(&err));
	}
}

/* The agent leaves, and what it could not write is in the repository. */
static void say_where(struct agent *agent, struct err *err)
{
	struct err why = *err;

	err_set(err, why.kind, "%s; to have it: cjfr assemble '%s' <file>", why.text,
		agent->recorder.repository.path);
}

void settle_all(struct agent *agent, settle_tell *tell, void *context)
{
	struct recorder_list list = { 0 };
	struct err err;

	if (!recorder_tell(&agent->recorder, &list))
		log_line("there is no memory to write recordings");
	for (size_t i = 0; i < list.of.count; i++) {
		char *path;

		if (!settle_one(agent, list.of.items[i].facts.id, &path, &err)) {
			say_where(agent, &err);
			log_line(err.text);
			if (tell)
				tell(context, MESSAGE_UNWRITTEN, err.text);
		} else if (path && tell) {
			tell(context, MESSAGE_WRITTEN, path);
		}
		free(path);
	}
	recorder_list_clear(&list);
}

bool settle_is_done(struct agent *agent)
{
	return recorder_count(&agent->recorder) == 0;
}
