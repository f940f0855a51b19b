#include "jvms/dialog.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/entries.h"
#include "base/now.h"
#include "control/doorcode.h"
#include "control/places.h"
#include "jvms/asuser.h"
#include "jvms/attach.h"

/* Its queue may be full: so often it is tried again. */
#define PAUSE (20 * MILLISECOND)
#define FOLDERS_MAX 16		/* with a socket in them, of a process, are tried */

static int64_t patience_of(const struct dialog *dialog)
{
	return dialog->patience ? dialog->patience : DIALOG_PATIENCE_SECONDS * SECOND;
}

/* Ticks: as long as that, from now on, but not longer than all may take. */
static int64_t end_of_patience(const struct dialog *dialog)
{
	int64_t end = now_ticks() + patience_of(dialog);

	return end < dialog->end ? end : dialog->end;
}

/* --- the place where it listens -------------------------------------------------- */

/* The one who listens at a path, as the system knows it. */
struct peer {
	long pid;
	unsigned long uid;
};

/* Root asks as the JVM's user: in some containers root itself has no number. */
static int connect_as(const struct vm *vm, const char *path, struct peer *peer,
		      struct err *err)
{
	struct asuser asuser;
	int fd;

	if (!asuser_begin(&asuser, vm->uid, vm->gid, err))
		return -1;
	fd = message_connect_any(path, &peer->pid, &peer->uid, err);
	asuser_end(&asuser);
	return fd;
}

/* What is found among the descriptors of the process. */
struct search {
	struct dialog *dialog;
	int64_t end;		/* ticks: then all of them were waited for long enough */
	unsigned folders;	/* tried so far */
	struct err err;		/* why the last one that might be it is not */
};

/* As long as its queue is full. */
static int connect_patiently(struct search *search, const char *path, struct peer *peer)
{
	const struct timespec pause = { .tv_nsec = PAUSE };
	int fd;

	do {
		fd = connect_as(search->dialog->vm, path, peer, &search->err);
		if (fd >= 0 || errno != EAGAIN)
			break;
		nanosleep(&pause, NULL);
	} while (now_ticks() < search->end);
	return fd;
}

/* True for the one that listens there itself, and for nobody else's sake. */
static bool is_it(const struct vm *vm, const struct peer *peer)
{
	return peer->pid == vm->pid && (peer->uid == vm->uid || peer->uid == 0);
}

/*
 * The folder is opened by way of the descriptor, which leads there whatever its path is,
 * and in whichever namespace.
 */
static bool try_folder(struct search *search, int folder)
{
	struct dialog *dialog = search->dialog;
	struct peer peer = { .pid = 0 };
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d/" PLACES_CONTROL, folder);
	fd = connect_patiently(search, path, &peer);
	if (fd < 0)
		return false;
	if (!is_it(dialog->vm, &peer)) {
		close(fd);
		err_set(&search->err, ERR_SYSTEM, "process %ld listens in its place",
			peer.pid);
		return false;
	}
	dialog->connection = fd;
	return true;
}

/* Shown each descriptor; true to go on. */
static bool see(int descriptors, const char *name, void *context)
{
	struct search *search = context;
	struct stat status;
	bool is_found = false;
	int folder;

	if (fstatat(descriptors, name, &status, 0) != 0 || !S_ISDIR(status.st_mode) ||
	    (status.st_uid != search->dialog->vm->uid && status.st_uid != 0))
		return true;
	folder = openat(descriptors, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return true;
	if (fstatat(folder, PLACES_CONTROL, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISSOCK(status.st_mode) && ++search->folders)
		is_found = try_folder(search, folder);
	close(folder);
	return !is_found && search->folders < FOLDERS_MAX;
}

static bool fail_to_look(const struct vm *vm, struct err *err)
{
	if (errno == ENOENT || errno == ESRCH)
		return err_set(err, ERR_SYSTEM, "the process has ended");
	if (errno == EACCES || errno == EPERM)
		return err_set(err, ERR_SYSTEM, "its files cannot be seen; only user %s "
			       "and root may control it", vm->user);
	return err_system(err, "its files cannot be seen");
}

/* False with ERR_NONE: nobody listens there. */
static bool find(struct dialog *dialog, struct err *err)
{
	struct search search = { .dialog = dialog, .end = end_of_patience(dialog) };
	char path[64];
	bool is_seen;

	snprintf(path, sizeof(path), "/proc/%ld/fd", (long)dialog->vm->pid);
	errno = 0;
	is_seen = entries_each_of(path, see, &search);
	if (dialog->connection >= 0)
		return true;
	if (!is_seen)
		return fail_to_look(dialog->vm, err);
	if (search.err.kind == ERR_NONE)
		return err_set(err, ERR_NONE, "there is no agent in it");
	*err = search.err;
	return err_within(err, "the agent in it cannot be reached");
}

/* --- answers --------------------------------------------------------------------- */

static bool fail_end(const struct dialog *dialog, struct err *err)
{
	if (!vm_is_there(dialog->vm))
		return err_set(err, ERR_SYSTEM, "the process has ended");
	if (err->kind != ERR_NONE)
		return err_within(err, "its agent");
	return err_set(err, ERR_SYSTEM, "its agent has left, or hung up");
}

static bool fail_wait(const struct dialog *dialog, struct err *err)
{
	bool is_limit = now_ticks() >= dialog->end;

	return err_set(err, ERR_SYSTEM, "its agent has not %s %lld seconds",
		       is_limit ? "come to an end in" : "answered for",
		       (long long)((is_limit ? dialog->limit : patience_of(dialog)) /
				   SECOND));
}

/* Waits until something is there to be received; ERR_SYSTEM. */
static bool await(const struct dialog *dialog, int64_t end, struct err *err)
{
	struct pollfd entry = { .fd = dialog->connection, .events = POLLIN };
	int64_t left;
	int count;

	do {
		left = end - now_ticks();
		if (left <= 0)
			return fail_wait(dialog, err);
		count = poll(&entry, 1, (int)(left / MILLISECOND) + 1);
	} while (count == 0 || (count < 0 && errno == EINTR));
	return count > 0 || err_system(err, "cannot wait for its agent");
}

static void drop_file(struct message *message)
{
	if (message->fd >= 0)
		close(message->fd);
	message->fd = -1;
}

/* The one packet that is next. */
static bool receive(struct dialog *dialog, struct err *err)
{
	int64_t end = end_of_patience(dialog);
	int got;

	do {
		if (!await(dialog, end, err))
			return false;
		got = message_receive(dialog->connection, &dialog->message, err);
	} while (got == 0);
	if (got < 0)
		return fail_end(dialog, err);
	if (++dialog->answers <= DIALOG_ANSWERS_MAX)
		return true;
	drop_file(&dialog->message);
	return err_set(err, ERR_SYSTEM, "its agent says too much");
}

/* "agent 1 0.9" */
static bool take_greeting(struct dialog *dialog, struct err *err)
{
	const struct message *message = &dialog->message;
	char *end;
	long number;

	if (!receive(dialog, err))
		return false;
	drop_file(&dialog->message);
	number = strtol(message->rest, &end, 10);
	if (strcmp(message->word, MESSAGE_AGENT) != 0 || number < 1 || number > 9999 ||
	    (*end && *end != ' '))
		return err_set(err, ERR_SYSTEM, "who answers there is no agent of cjfr");
	dialog->protocol = (int)number;
	snprintf(dialog->version, sizeof(dialog->version), "%s", *end ? end + 1 : "");
	return true;
}

static bool is_kind(int fd, mode_t kind)
{
	struct stat status;

	return fd >= 0 && fstat(fd, &status) == 0 && (status.st_mode & S_IFMT) == kind;
}

/* Descriptors that do not belong to the word go. */
static bool check_file(struct message *message, struct err *err)
{
	bool is_folder = strcmp(message->word, MESSAGE_FOLDER) == 0;
	bool is_recording = strcmp(message->word, MESSAGE_RECORDING) == 0;

	if (is_folder && is_kind(message->fd, S_IFDIR))
		return true;
	if (!is_recording || !is_kind(message->fd, S_IFREG))
		drop_file(message);
	return !is_folder ||
	       err_set(err, ERR_SYSTEM, "its agent handed over no folder");
}

/* --- all together ---------------------------------------------------------------- */

bool dialog_open(struct dialog *dialog, const struct vm *vm, struct err *err)
{
	*dialog = (struct dialog){ .patience = dialog->patience,
				   .limit = dialog->limit,
				   .end = dialog->limit ? now_ticks() + dialog->limit
							: INT64_MAX,
				   .vm = vm,
				   .connection = -1,
				   .message.fd = -1 };
	*err = (struct err){ .kind = ERR_NONE };
	if (!find(dialog, err))
		return false;
	/* The number may have been given to another process meanwhile. */
	if (take_greeting(dialog, err) &&
	    (!vm->begun || vm_is_there(vm) || fail_end(dialog, err)))
		return true;
	dialog_close(dialog);
	return false;
}

bool dialog_open_or_attach(struct dialog *dialog, const struct vm *vm,
			   const char *library, const char *base, struct err *err)
{
	struct buf options = { 0 };
	bool is_loaded;

	if (dialog_open(dialog, vm, err))
		return true;
	if (err->kind != ERR_NONE)
		return false;
	buf_text(&options, DOOR_OPTIONS_WORD);
	if (base)
		buf_printf(&options, "=%s", base);
	buf_byte(&options, '\0');
	is_loaded = options.failed ? err_memory(err)
				   : attach_load(vm, library, options.bytes, err);
	buf_clear(&options);
	if (!is_loaded)
		return false;
	if (dialog_open(dialog, vm, err))
		return true;
	return err->kind != ERR_NONE ? false
				     : err_set(err, ERR_SYSTEM, "the agent was loaded, but "
					       "is gone again");
}

static bool check_version(const struct dialog *dialog, enum request_verb verb,
			  struct err *err)
{
	if (dialog->protocol == MESSAGE_PROTOCOL || verb == REQUEST_DETACH)
		return true;
	return err_set(err, ERR_SYSTEM, "the agent in it is of another version (%s) than "
		       "this cjfr; use that one, or have it leave: cjfr record detach %ld",
		       dialog->version, (long)dialog->vm->pid);
}

bool dialog_ask(struct dialog *dialog, const struct request *request, int file,
		struct err *err)
{
	struct buf text = { 0 };
	bool is_sent;

	if (!check_version(dialog, request->verb, err))
		return false;
	request_write(request, &text);
	buf_byte(&text, '\0');
	is_sent = text.failed ? err_memory(err)
			      : message_send(dialog->connection,
					     request_word(request->verb), text.bytes,
					     file, err);
	buf_clear(&text);
	dialog->is_over = false;
	dialog->answers = 0;
	return is_sent;
}

bool dialog_next(struct dialog *dialog, void (*tick)(void *context), void *context,
		 struct err *err)
{
	struct message *message = &dialog->message;

	*err = (struct err){ .kind = ERR_NONE };
	if (dialog->is_over)
		return false;
	while (receive(dialog, err) && check_file(message, err)) {
		if (strcmp(message->word, MESSAGE_WORKING) == 0) {
			dialog->answers--;
			if (tick)
				tick(context);
			continue;
		}
		dialog->is_over = strcmp(message->word, MESSAGE_DONE) == 0 ||
				  strcmp(message->word, MESSAGE_FAILED) == 0;
		if (strcmp(message->word, MESSAGE_FAILED) == 0)
			return err_set(err, ERR_USAGE, "%s", message->rest);
		return !dialog->is_over;
	}
	dialog->is_over = true;
	return false;
}

bool dialog_taken(struct dialog *dialog, struct err *err)
{
	return message_send(dialog->connection, MESSAGE_TAKEN, "", -1, err);
}

void dialog_close(struct dialog *dialog)
{
	if (dialog->connection >= 0)
		close(dialog->connection);
	dialog->connection = -1;
}
