#include "jvms/door.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/now.h"
#include "jvms/flags.h"

#define PAUSE_MIN MILLISECOND
#define PAUSE_MAX (50 * MILLISECOND)
#define STEP ((size_t)16 << 10)

/* --- the socket that is there ----------------------------------------------------- */

enum trial {
	TRIAL_OPEN,
	TRIAL_NONE,		/* nobody listens there (yet) */
	TRIAL_BUSY,		/* somebody does, and has too many to talk to */
	TRIAL_FAILED,		/* with an error */
};

static pid_t pid_of(const struct visit *visit)
{
	return visit->process.pid;
}

static void name_of(char name[32], const struct visit *visit, const char *start)
{
	snprintf(name, 32, "%s%d", start, (int)visit->process.inner);
}

/* What listens there must be the process itself: others may have put it there. */
static bool is_its(const struct visit *visit, int door, const char *name,
		   struct err *err)
{
	struct ucred peer = { .pid = 0 };
	socklen_t size = sizeof(peer);

	if (getsockopt(door, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
		return err_system(err, "it cannot be told who listens at /tmp/%s", name);
	if (peer.pid != pid_of(visit))
		return err_set(err, ERR_SYSTEM, "process %d listens at /tmp/%s, in place "
			       "of process %d: nothing was sent there; remove that file",
			       (int)peer.pid, name, (int)pid_of(visit));
	return true;
}

/* Through its descriptor: no path is too long then, and no link is followed. */
static enum trial connect_to(const struct visit *visit, int file, int *door)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int error;

	(void)visit;
	*door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*door < 0)
		return TRIAL_FAILED;
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", file);
	if (connect(*door, (struct sockaddr *)&address, sizeof(address)) == 0)
		return TRIAL_OPEN;
	error = errno;
	close(*door);
	*door = -1;
	errno = error;
	return error == ECONNREFUSED ? TRIAL_NONE
	       : error == EAGAIN     ? TRIAL_BUSY
				     : TRIAL_FAILED;
}

/* Nobody listens at it any more: a JVM of before had that number. */
static void remove_stale(int tmp, const char *name, const struct stat *status)
{
	struct stat now;

	if (fstatat(tmp, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	    now.st_ino == status->st_ino && now.st_dev == status->st_dev)
		unlinkat(tmp, name, 0);
}

static bool is_good_socket(const struct visit *visit, const struct stat *status,
			   const char *name, struct err *err)
{
	char *owner;

	if (!S_ISSOCK(status->st_mode))
		return err_set(err, ERR_SYSTEM, "/tmp/%s is in the way: process %d would "
			       "listen there, and it is no socket; remove it", name,
			       (int)pid_of(visit));
	if (status->st_uid == visit->process.uid || status->st_uid == 0)
		return true;
	owner = asuser_name(status->st_uid);
	err_set(err, ERR_SYSTEM, "/tmp/%s is in the way: process %d would listen there, "
		"and it is user %s's; remove it", name, (int)pid_of(visit),
		owner ? owner : "?");
	free(owner);
	return false;
}

static enum trial try_file(const struct visit *visit, int tmp, int file,
			   const char *name, int *door, struct err *err)
{
	enum trial trial;
	struct stat status;

	if (fstat(file, &status) != 0) {
		err_system(err, "/tmp/%s", name);
		return TRIAL_FAILED;
	}
	if (!is_good_socket(visit, &status, name, err))
		return TRIAL_FAILED;
	trial = connect_to(visit, file, door);
	if (trial == TRIAL_FAILED)
		err_system(err, "process %d cannot be reached at /tmp/%s",
			   (int)pid_of(visit), name);
	if (trial == TRIAL_NONE)
		remove_stale(tmp, name, &status);
	if (trial == TRIAL_OPEN && !is_its(visit, *door, name, err)) {
		close(*door);
		*door = -1;
		return TRIAL_FAILED;
	}
	return trial;
}

static enum trial try_door(const struct visit *visit, int tmp, int *door,
			   struct err *err)
{
	enum trial trial;
	char name[32];
	int file;

	name_of(name, visit, ".java_pid");
	file = openat(tmp, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (file < 0 && errno == ENOENT)
		return TRIAL_NONE;
	if (file < 0) {
		err_system(err, "/tmp/%s of process %d", name, (int)pid_of(visit));
		return TRIAL_FAILED;
	}
	trial = try_file(visit, tmp, file, name, door, err);
	close(file);
	return trial;
}

/* --- asking for it ---------------------------------------------------------------- */

static bool is_disabled(const struct visit *visit)
{
	struct counters counters;
	bool is_disabled;

	counters_read(&counters, &visit->process, &visit->rooted);
	is_disabled = flags_has(&visit->process, &counters, "DisableAttachMechanism");
	counters_clear(&counters);
	return is_disabled;
}

/* The signal ends a process that does not wait for it, or makes it print. */
static bool may_knock(struct visit *visit, struct err *err)
{
	int pid = (int)pid_of(visit);

	if (is_disabled(visit))
		return err_set(err, ERR_SYSTEM, "process %d lets nobody attach "
			       "(-XX:+DisableAttachMechanism); record it from its start: "
			       "cjfr record -- java ...", pid);
	if (!visit->process.takes_quit)
		return err_set(err, ERR_SYSTEM, "process %d does not wait to be asked: it "
			       "is still starting; try again in a moment", pid);
	return true;
}

/* The file that says what the signal is meant to say. */
struct knock {
	char name[32];
	int folder;		/* where it is */
};

/* True also if it is there already, and as good: left by who was killed. */
static bool put_file(struct knock *knock, const struct visit *visit, int folder)
{
	int fd = openat(folder, knock->name,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct stat status;

	knock->folder = folder;
	if (fd >= 0) {
		close(fd);
		return true;
	}
	if (errno != EEXIST)
		return false;
	if (fstatat(folder, knock->name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(status.st_mode) && status.st_uid == visit->process.uid)
		return true;
	errno = EEXIST;
	return false;
}

static bool put(struct knock *knock, const struct visit *visit, int tmp,
		struct err *err)
{
	int error;

	name_of(knock->name, visit, ".attach_pid");
	if (put_file(knock, visit, tmp))
		return true;
	error = errno;
	/* There is something else of that name: somebody does not want us to ask. */
	if (error == EEXIST && visit->cwd >= 0 &&
	    put_file(knock, visit, visit->cwd))
		return true;
	errno = error;
	if (error == ENOSPC || error == EDQUOT)
		return err_system(err, "/tmp of process %d is full; make room there, and "
				       "try again", (int)pid_of(visit));
	return err_system(err, "no file can be made in /tmp of process %d, which must "
			       "listen there", (int)pid_of(visit));
}

/* It had its time. What may keep it from listening? */
static bool tell_silent(const struct visit *visit, int tmp, struct err *err)
{
	int pid = (int)pid_of(visit);

	if (faccessat(tmp, ".", W_OK, AT_EACCESS) != 0)
		return err_system(err, "process %d cannot listen in its /tmp", pid);
	return err_set(err, ERR_SYSTEM, "process %d does not answer: it did not listen "
		       "within %d seconds of being asked; it may be too busy, or at a "
		       "standstill; try again", pid, DOOR_SECONDS);
}

static int wait_open(struct visit *visit, int tmp, struct err *err)
{
	int64_t pause = PAUSE_MIN;
	int door = -1;

	for (;;) {
		enum waited waited = patience_wait(&visit->patience, -1, 0, pause);
		enum trial trial = try_door(visit, tmp, &door, err);

		if (trial == TRIAL_OPEN)
			return door;
		if (trial == TRIAL_FAILED)
			return -1;
		if (waited == WAITED_STOPPED) {
			visit_tell_stopped(visit, err);
			return -1;
		}
		if (!process_renew(&visit->process) || visit->process.state == 'Z') {
			err_set(err, ERR_SYSTEM, "process %d has ended",
				(int)pid_of(visit));
			return -1;
		}
		if (waited == WAITED_OVER) {
			tell_silent(visit, tmp, err);
			return -1;
		}
		pause = pause * 2 < PAUSE_MAX ? pause * 2 : PAUSE_MAX;
	}
}

static bool can_answer(struct visit *visit, struct err *err)
{
	int pid = (int)pid_of(visit);

	if (!process_renew(&visit->process))
		return err_set(err, ERR_SYSTEM, "process %d has ended", pid);
	if (visit->process.state == 'T' || visit->process.state == 't')
		return err_set(err, ERR_SYSTEM, "process %d is stopped, and cannot "
			       "answer; let it go on: kill -CONT %d", pid, pid);
	return true;
}

static int knock_at(struct visit *visit, int tmp, struct err *err)
{
	struct knock knock;
	int door = -1;

	if (!may_knock(visit, err) || !put(&knock, visit, tmp, err))
		return -1;
	if (process_quit(&visit->process))
		door = wait_open(visit, tmp, err);
	else
		err_system(err, "process %d cannot be asked to listen",
			   (int)pid_of(visit));
	unlinkat(knock.folder, knock.name, 0);
	return door;
}

int door_open(struct visit *visit, int64_t nanos, struct err *err)
{
	enum trial trial;
	int door = -1, tmp;

	if (!can_answer(visit, err))
		return -1;
	tmp = rooted_open(&visit->rooted, "/tmp", O_PATH | O_DIRECTORY, 0);
	if (tmp < 0) {
		err_system(err, "process %d cannot listen in its /tmp",
			   (int)pid_of(visit));
		return -1;
	}
	patience_renew(&visit->patience, DOOR_SECONDS * SECOND);
	trial = try_door(visit, tmp, &door, err);
	if (trial == TRIAL_NONE)
		door = knock_at(visit, tmp, err);
	else if (trial == TRIAL_BUSY)
		door = wait_open(visit, tmp, err);
	close(tmp);
	patience_renew(&visit->patience, nanos);
	return door;
}

/* --- one command ------------------------------------------------------------------ */

static void add_words(struct buf *to, const char *command,
		      const char *const arguments[DOOR_ARGUMENTS])
{
	buf_text_nul(to, command);
	for (size_t i = 0; i < DOOR_ARGUMENTS; i++)
		buf_text_nul(to, arguments[i] ? arguments[i] : "");
}

/* Version 2 says how many bytes follow. */
void door_request(struct buf *to, int version, const char *command,
		  const char *const arguments[DOOR_ARGUMENTS])
{
	struct buf words = { NULL };

	add_words(&words, command, arguments);
	buf_integer(to, version);
	buf_byte(to, '\0');
	if (version > 1) {
		buf_unsigned(to, words.size);
		buf_byte(to, '\0');
	}
	buf_str(to, buf_as_str(&words));
	to->failed |= words.failed;
	buf_clear(&words);
}

static bool wait_for(const struct visit *visit, int door, short events, struct err *err)
{
	switch (patience_wait(&visit->patience, door, events, -1)) {
	case WAITED_READY:
		return true;
	case WAITED_STOPPED:
		return visit_tell_stopped(visit, err);
	default:
		return err_set(err, ERR_SYSTEM, "process %d does not answer: it listens, "
			       "but is not done in time", (int)pid_of(visit));
	}
}

static bool send_all(const struct visit *visit, int door, struct str bytes,
		     struct err *err)
{
	while (bytes.size) {
		ssize_t size = send(door, bytes.bytes, bytes.size, MSG_NOSIGNAL);

		if (size > 0) {
			bytes.bytes += size;
			bytes.size -= (size_t)size;
		} else if (errno == EAGAIN) {
			if (!wait_for(visit, door, POLLOUT, err))
				return false;
		} else if (errno == EPIPE) {
			return true;	/* what it has to say may be there already */
		} else if (errno != EINTR) {
			return err_system(err, "process %d cannot be asked",
					  (int)pid_of(visit));
		}
	}
	return true;
}

static bool receive_all(const struct visit *visit, int door, struct buf *answer,
			struct err *err)
{
	for (;;) {
		char *room = buf_room(answer, STEP);
		ssize_t size;

		if (!room)
			return err_set(err, ERR_SYSTEM, "process %d does not come to an "
				       "end with its answer", (int)pid_of(visit));
		if (!wait_for(visit, door, POLLIN, err))
			return false;
		size = recv(door, room, STEP, 0);
		if (size == 0 || (size < 0 && errno == ECONNRESET))
			return true;
		if (size > 0)
			answer->size += (size_t)size;
		else if (errno != EAGAIN && errno != EINTR)
			return err_system(err, "process %d cannot be heard",
					  (int)pid_of(visit));
	}
}

bool door_ask(const struct visit *visit, int door, int version, const char *command,
	      const char *const arguments[DOOR_ARGUMENTS], struct buf *answer,
	      struct err *err)
{
	struct buf request = { NULL };
	bool is_asked;

	door_request(&request, version, command, arguments);
	is_asked = request.failed ? err_memory(err)
				  : send_all(visit, door, buf_as_str(&request), err) &&
					    receive_all(visit, door, answer, err);
	buf_clear(&request);
	return is_asked;
}
