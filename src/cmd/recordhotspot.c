/*
 * recordhotspot.c - the JVM's own recorder, as record_engine_hotspot.
 *
 * Files go through a folder that belongs to the JVM's user, where anything may lie: what
 * it wrote is only read if it is a file of that user, and copied before it is looked at.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fully.h"
#include "base/now.h"
#include "base/unnamed.h"
#include "cmd/recordengine.h"
#include "cmd/recordjfc.h"
#include "cmd/recordtarget.h"
#include "cmd/usage.h"
#include "control/outname.h"
#include "copy/calibrate.h"
#include "jfr/header.h"
#include "jvms/attach.h"
#include "jvms/hotspot.h"

#define SETTINGS "settings.jfc"
#define RECORDING "recording.jfr"

/* The path of a file in the folder, as the JVM sees it; NULL without memory. */
static char *inside(const struct attach_folder *folder, const char *name,
		    struct err *err)
{
	struct buf path = { 0 };

	buf_printf(&path, "%s/%s", folder->inside, name);
	buf_byte(&path, '\0');
	if (!path.failed)
		return path.bytes;
	buf_clear(&path);
	err_memory(err);
	return NULL;
}

/* --- settings --------------------------------------------------------------------- */

/* The folder is for the JVM's user alone, so the file may be for all. */
static bool put_settings(const struct attach_folder *folder, const struct buf *text,
			 struct err *err)
{
	int fd = openat(folder->fd, SETTINGS,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool is_good;

	if (fd < 0)
		return err_system(err, "cannot hand over the settings");
	is_good = (fully_write(fd, text->bytes, text->size) && fchmod(fd, 0644) == 0) ||
		  err_system(err, "cannot hand over the settings");
	close(fd);
	return is_good;
}

/* "1.8.0_452" is 8; 0: not known. */
static int version_of(const struct vm *vm)
{
	const char *text = vm->version;

	if (strncmp(text, "1.", 2) == 0)
		text += 2;
	return (int)strtol(text, NULL, 10);
}

/* --- start ------------------------------------------------------------------------ */

/* What only our engine can do, and somebody asked for. */
static void note_missing(const struct record_task *task, const struct vm *vm)
{
	const struct record_options *options = task->options;
	const struct {
		const char *name;
		bool is_given;
	} rows[] = {
		{ "mode", options->mode != NULL },
		{ "threads", options->threads != NULL },
		{ "stack-depth", options->stack_depth >= 0 },
		{ "memory-size", options->memory_size != NULL },
		{ "buffer-size", options->buffer_size != NULL },
		{ "flush-interval", options->flush_interval != NULL },
		{ "max-chunk-size", options->max_chunk_size != NULL },
		{ "spill", options->spill != NULL },
		{ "repository", options->repository != NULL },
		{ "dump-classes", options->dump_classes != NULL },
		{ "no-redact", options->no_redact },
		{ "preserve-repository", options->preserve },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].is_given && !task->has_others && !task->is_quiet)
			complain(task->invocation, "process %ld: note: --%s is not for "
				 "HotSpot's recorder", (long)vm->pid, rows[i].name);
	}
}

static void tell_warnings(const struct record_task *task, const struct vm *vm,
			  const struct buf *said)
{
	struct str rest = buf_as_str(said), line;

	while (!task->is_quiet && str_split(&rest, '\n', &line))
		complain(task->invocation, "process %ld: note: HotSpot's recorder says: "
			 "%.*s", (long)vm->pid, (int)line.size, line.bytes);
}

static void tell_recording(struct buf *told, uint64_t id, struct str name)
{
	buf_printf(told, "recording %" PRIu64, id);
	if (name.size)
		buf_printf(told, " (%.*s)", (int)name.size, name.bytes);
}

/* The orders' destination is a pattern; HotSpot's own differ from version to version. */
static bool start_with(const struct record_task *task, const struct vm *vm,
		       const char *settings, struct buf *told, struct err *err)
{
	const struct orders *orders = task->orders;
	struct hotspot_start start = {
		.name = orders->name, .settings = settings,
		.delay = orders->delay, .duration = orders->duration,
		.max_age = orders->max_age, .max_size = orders->max_size,
		.to_disk = orders->to_disk,
	};
	char *output = NULL;
	struct buf said = { 0 };
	uint64_t id;
	bool is_good;

	if (orders->destination.size) {
		output = outname_expand(orders->destination.bytes, vm->inner,
					now_nanos());
		if (!output)
			return err_memory(err);
	}
	start.output = output;
	is_good = hotspot_start(vm, &start, &id, &said, err);
	tell_warnings(task, vm, &said);
	if (is_good)
		tell_recording(told, id, orders->name);
	buf_clear(&said);
	free(output);
	return is_good;
}

static bool start(const struct record_task *task, const struct vm *vm, struct buf *told,
		  struct err *err)
{
	struct attach_folder folder;
	struct buf text = { 0 };
	char *settings = NULL;
	bool is_good = record_jfc(task, version_of(vm), &text, err);

	note_missing(task, vm);
	if (is_good && attach_folder_make(&folder, vm, err)) {
		settings = inside(&folder, SETTINGS, err);
		is_good = settings && put_settings(&folder, &text, err) &&
			  start_with(task, vm, settings, told, err);
		attach_folder_remove(&folder, vm);
	} else {
		is_good = false;
	}
	free(settings);
	buf_clear(&text);
	return is_good;
}

/* --- which recording --------------------------------------------------------------- */

static bool is_meant(const struct recording_facts *facts, const char *name)
{
	char id[24];

	snprintf(id, sizeof(id), "%" PRIu64, facts->id);
	return str_is(facts->name, str_of(name)) || strcmp(id, name) == 0;
}

static bool fail_many(const struct jfranswer_recordings *all, struct err *err)
{
	struct buf list = { 0 };

	for (size_t i = 0; i < all->of.count; i++) {
		buf_text(&list, i ? ", " : "");
		tell_recording(&list, all->of.items[i].id, all->of.items[i].name);
	}
	err_set(err, ERR_USAGE, "which one is meant is told by --name: %.*s",
		(int)list.size, list.bytes ? list.bytes : "");
	buf_clear(&list);
	return false;
}

/*
 * Of several without a name *chosen is NULL, if that may be: all of them. False with
 * ERR_NONE: there are none.
 */
static bool choose(const struct jfranswer_recordings *all, const char *name,
		   bool may_be_all, const struct recording_facts **chosen,
		   struct err *err)
{
	*chosen = NULL;
	if (all->of.count == 0)
		return false;
	for (size_t i = 0; i < all->of.count; i++) {
		if (name ? is_meant(&all->of.items[i], name) : all->of.count == 1) {
			*chosen = &all->of.items[i];
			return true;
		}
	}
	if (name)
		return err_set(err, ERR_USAGE, "HotSpot's recorder has no recording '%s'",
			       name);
	return may_be_all || fail_many(all, err);
}

/* --- its data ---------------------------------------------------------------------- */

/* What is kept until the data is taken. */
struct held {
	struct attach_folder folder;
	const struct vm *vm;
	bool is_only;		/* of a recording that is stopped: there is no other */
};

static bool is_of_jvm(int fd, const struct vm *vm, off_t *size, struct err *err)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return err_system(err, "cannot look at what the JVM wrote");
	*size = status.st_size;
	return (S_ISREG(status.st_mode) && status.st_nlink == 1 &&
		(status.st_uid == vm->uid || status.st_uid == geteuid())) ||
	       err_set(err, ERR_SYSTEM, "what the JVM wrote is no file of its own");
}

/* As much as there was when it was looked at. */
static bool copy_bytes(int from, int to, off_t size, struct err *err)
{
	while (size > 0) {
		ssize_t sent = sendfile(to, from, NULL, (size_t)size);

		if (sent == 0)
			return true;
		if (sent < 0 && errno != EINTR)
			return err_system(err, "cannot copy the recording to %s",
					  unnamed_place());
		size -= sent > 0 ? sent : 0;
	}
	return true;
}

/* A file of ours, in which nobody else writes; -1 with err. */
static int copy_out(const struct held *held, struct err *err)
{
	int from = openat(held->folder.fd, RECORDING,
			  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int to = -1;
	off_t size = 0;

	if (from < 0) {
		err_system(err, "cannot read what the JVM wrote");
		return -1;
	}
	if (is_of_jvm(from, held->vm, &size, err)) {
		to = unnamed_open();
		if (to < 0)
			err_system(err, "cannot copy the recording to %s",
				   unnamed_place());
	}
	if (to >= 0 && !copy_bytes(from, to, size, err)) {
		close(to);
		to = -1;
	}
	close(from);
	return to;
}

/* True with -1 in data->fd: there was nothing in it. */
static bool give_data(struct held *held, bool is_merged, struct record_data *data,
		      struct err *err)
{
	data->fd = copy_out(held, err);
	if (data->fd < 0)
		return false;
	if (is_merged && !calibrate_file(data->fd, err)) {
		close(data->fd);
		data->fd = -1;
		return false;
	}
	snprintf(data->path, sizeof(data->path), "/proc/self/fd/%d", data->fd);
	data->own = held;
	return true;
}

/* The folder goes, or it is told where it is. */
static void let_go(struct held *held, bool is_good, struct err *err)
{
	if (!is_good && held->is_only)
		err_within(err, "the recording is in %s/" RECORDING "%s",
			   held->folder.inside,
			   held->vm->is_elsewhere ? ", as the JVM sees it" : "");
	else
		attach_folder_remove(&held->folder, held->vm);
	free(held);
}

static struct held *make_held(const struct vm *vm, struct err *err)
{
	struct held *held = calloc(1, sizeof(*held));

	if (!held) {
		err_memory(err);
		return NULL;
	}
	held->vm = vm;
	if (attach_folder_make(&held->folder, vm, err))
		return held;
	free(held);
	return NULL;
}

static bool taken(struct record_data *data, bool is_good, struct err *err)
{
	struct held *held = data->own;
	bool stays = !is_good && held->is_only;

	close(data->fd);
	if (stays)
		err_set(err, ERR_SYSTEM, "it has stopped, and is not lost");
	let_go(held, is_good, err);
	*data = (struct record_data){ .fd = -1 };
	return !stays;
}

/*
 * The newest header then tells the time of now, and the clock can be calibrated. Where that
 * cannot be, the clock is as HotSpot says.
 */
static void rotate(const struct held *held)
{
	struct buf nothing = { 0 };
	struct err err = { ERR_NONE, "" };
	char *path = inside(&held->folder, SETTINGS, &err);

	buf_text(&nothing, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			   "<configuration version=\"2.0\"></configuration>\n");
	if (path && !nothing.failed && put_settings(&held->folder, &nothing, &err))
		hotspot_rotate(held->vm, path, &err);
	free(path);
	buf_clear(&nothing);
}

/* --- dump and stop ------------------------------------------------------------------ */

/* Finds the recording, whose name goes to `told`; *id 0: all of them. */
static bool find(const struct record_task *task, const struct vm *vm, bool may_be_all,
		 uint64_t *id, struct buf *told, struct err *err)
{
	struct jfranswer_recordings all = { .of = { NULL } };
	const struct recording_facts *chosen;
	bool is_good = hotspot_check(vm, &all, err) &&
		       choose(&all, task->name, may_be_all, &chosen, err);

	if (is_good) {
		*id = chosen ? chosen->id : 0;
		buf_text(told, told->size ? " and " : "");
		if (chosen)
			tell_recording(told, chosen->id, chosen->name);
		else
			buf_text(told, "all recordings");
	}
	jfranswer_clear(&all);
	return is_good;
}

static bool dump(const struct record_task *task, const struct vm *vm,
		 struct record_data *data, struct buf *told, struct err *err)
{
	struct held *held;
	char *path = NULL;
	uint64_t id;
	bool is_good;

	*data = (struct record_data){ .fd = -1 };
	if (!find(task, vm, true, &id, told, err))
		return false;
	held = make_held(vm, err);
	if (!held)
		return false;
	if (task->has_others)
		rotate(held);
	path = inside(&held->folder, RECORDING, err);
	is_good = path && hotspot_dump(vm, id, path, task->last, err) &&
		  give_data(held, task->has_others, data, err);
	free(path);
	if (!is_good)
		let_go(held, false, err);
	return is_good;
}

/*
 * Without a file that was named when it started HotSpot throws away what it recorded,
 * and before JDK 25 does not tell which of the two it did. So there is a dump before.
 */
static bool stop_to_output(const struct vm *vm, uint64_t id, struct held *held,
			   const char *path, char **written, struct err *err)
{
	held->is_only = hotspot_dump(vm, id, path, 0, err);
	return held->is_only && hotspot_stop(vm, id, NULL, written, err);
}

/* The newest of it was dumped before; what is behind that is stopped for nobody. */
static bool stop_last(const struct record_task *task, const struct vm *vm, uint64_t id,
		      struct held *held, const char *path, struct err *err)
{
	char *other = inside(&held->folder, "rest.jfr", err), *written = NULL;
	bool is_good = other && hotspot_dump(vm, id, path, task->last, err) &&
		       hotspot_stop(vm, id, other, &written, err);

	held->is_only = is_good;
	free(other);
	free(written);
	return is_good;
}

static bool stop_to_client(const struct record_task *task, const struct vm *vm,
			   uint64_t id, struct held *held, const char *path,
			   struct err *err)
{
	char *written = NULL;

	if (task->has_others)
		rotate(held);
	if (task->last)
		return stop_last(task, vm, id, held, path, err);
	held->is_only = hotspot_stop(vm, id, path, &written, err);
	free(written);
	return held->is_only;
}

static bool stop_found(const struct record_task *task, const struct vm *vm, uint64_t id,
		       struct held *held, struct record_data *data, char **written,
		       struct err *err)
{
	char *path = inside(&held->folder, RECORDING, err);
	bool is_good = path != NULL;

	if (is_good && task->to == REQUEST_TO_OUTPUT)
		is_good = stop_to_output(vm, id, held, path, written, err);
	else if (is_good)
		is_good = stop_to_client(task, vm, id, held, path, err);
	free(path);
	if (is_good && task->to != REQUEST_TO_NOBODY && !*written)
		is_good = give_data(held, task->has_others, data, err);
	return is_good;
}

static bool stop(const struct record_task *task, const struct vm *vm,
		 struct record_data *data, struct buf *told, char **written,
		 struct err *err)
{
	struct held *held;
	uint64_t id;
	bool is_good;

	*data = (struct record_data){ .fd = -1 };
	*written = NULL;
	if (!find(task, vm, false, &id, told, err))
		return false;
	held = make_held(vm, err);
	if (!held)
		return false;
	is_good = stop_found(task, vm, id, held, data, written, err);
	if (data->fd < 0)
		let_go(held, is_good, err);
	return is_good;
}

/* --- check ----------------------------------------------------------------------- */

static bool take_facts(const struct record_task *task,
		       const struct jfranswer_recordings *all,
		       struct record_state *state, struct err *err)
{
	bool is_any = false;

	for (size_t i = 0; i < all->of.count; i++) {
		struct record_told one = { .facts = all->of.items[i],
					   .settings = { "", 0 } };
		struct str *name = &one.facts.name;

		if (task->name && !is_meant(&one.facts, task->name))
			continue;
		is_any = true;
		name->bytes = arena_copy(&state->arena, name->bytes, name->size);
		if (!name->bytes || !vec_push(&state->of, one))
			return err_memory(err);
	}
	return is_any || !task->name ||
	       err_set(err, ERR_USAGE, "HotSpot's recorder has no recording '%s'",
		       task->name);
}

static bool check(const struct record_task *task, const struct vm *vm,
		  struct record_state *state, struct err *err)
{
	struct jfranswer_recordings all = { .of = { NULL } };
	bool is_good = hotspot_check(vm, &all, err) && all.of.count > 0 &&
		       take_facts(task, &all, state, err);

	jfranswer_clear(&all);
	return is_good;
}

const struct record_engine record_engine_hotspot = {
	.name = "hotspot",
	.start = start,
	.dump = dump,
	.stop = stop,
	.taken = taken,
	.check = check,
};
