#include "agent/finish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/draft.h"
#include "base/fully.h"
#include "base/now.h"
#include "control/outname.h"
#include "control/places.h"
#include "control/written.h"

#define PIECE ((size_t)8 << 20)		/* copied at a time */
#define NAMES_MAX 1000			/* tried, if others have them */

struct finish {
	const struct repository *repository;
	const struct orders *orders;
	int64_t session_nanos;
	int64_t deadline;		/* ticks */
	int session;			/* its folder, locked; -1: not there any more */
	struct written written;
	const char *path;		/* what the file is to be called */
	bool is_replacing;		/* what is there under that name */
	struct draft draft;
	struct err *err;
};

static bool is_late(const struct finish *finish)
{
	return now_ticks() >= finish->deadline;
}

#define STAYS "the recording stays here"

static bool fail(const struct finish *finish, const char *why)
{
	return err_set(finish->err, ERR_SYSTEM, "cannot write '%s', " STAYS ": %s",
		       finish->path, why);
}

/* By errno. */
static bool fail_system(const struct finish *finish)
{
	return err_system(finish->err, "cannot write '%s', " STAYS, finish->path);
}

/* --- the session ------------------------------------------------------------------ */

/*
 * Its cjfr has it locked as long as it works, and so have others of its JVMs while they
 * do the same as we, which does not take long. Where nothing can be locked, nobody does.
 */
static bool take_session(struct finish *finish)
{
	struct timespec pause = { .tv_nsec = 10 * MILLISECOND };

	finish->session = open(finish->orders->repository.bytes,
			       O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (finish->session < 0)
		return false;
	while (flock(finish->session, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return true;
		if (is_late(finish))
			return err_set(finish->err, ERR_SYSTEM, "another process uses "
				       "the folder of the session: " STAYS);
		nanosleep(&pause, NULL);
	}
	return true;
}

/* Another JVM may have its repository in there. */
static void leave_session(const struct finish *finish)
{
	if (places_empty_session(finish->session))
		rmdir(finish->orders->repository.bytes);
}

/* --- its place -------------------------------------------------------------------- */

static bool is_older(const struct finish *finish, const struct stat *status)
{
	return status->st_mtim.tv_sec * SECOND + status->st_mtim.tv_nsec <
	       finish->session_nanos;
}

/* As it was told, or ordered. */
static bool find_place(struct finish *finish)
{
	const char *told = finish->written.path;
	struct stat status;

	finish->path = *told ? told : finish->orders->destination.bytes;
	if (!finish->path || *finish->path != '/')
		return err_set(finish->err, ERR_SYSTEM,
			       "there is nobody to write the recording to: it stays here");
	if (stat(finish->path, &status) != 0)
		return errno == ENOENT || fail_system(finish);
	if (!S_ISREG(status.st_mode))
		return fail(finish, "it is no file");
	finish->is_replacing = written_is(&finish->written, &status) ||
			       is_older(finish, &status);
	return true;
}

static bool place_distinct(struct finish *finish)
{
	for (unsigned tries = 0; tries < NAMES_MAX; tries++) {
		char *name = outname_distinct(finish->draft.path, getpid(), tries);
		bool is_placed = name && draft_place_new(&finish->draft, name);

		if (is_placed)
			written_say(finish->repository->path, name, true);
		free(name);
		if (is_placed || !name || errno != EEXIST)
			return is_placed;
	}
	return false;
}

static bool place(struct finish *finish)
{
	struct draft *draft = &finish->draft;

	if (finish->is_replacing ? draft_place(draft)
				 : draft_place_new(draft, draft->path)) {
		written_say(finish->repository->path, finish->path, true);
		return true;
	}
	return errno == EEXIST && place_distinct(finish);
}

/* --- the file --------------------------------------------------------------------- */

/* Where the system does not copy from file to file. */
static ssize_t copy_bytes(int from, int to, size_t size)
{
	char bytes[16 << 10];
	ssize_t got = read(from, bytes, size < sizeof(bytes) ? size : sizeof(bytes));

	return got > 0 && !fully_write(to, bytes, (size_t)got) ? -1 : got;
}

static bool copy(struct finish *finish, int from, uint64_t left)
{
	bool by_system = true;
	ssize_t size;

	for (; left > 0; left -= (uint64_t)size) {
		size_t most = left < PIECE ? (size_t)left : PIECE;
		int to = finish->draft.fd;

		if (is_late(finish))
			return fail(finish, "there is no time left");
		size = by_system ? copy_file_range(from, NULL, to, NULL, most, 0)
				 : copy_bytes(from, to, most);
		if (size <= 0 && by_system) {
			by_system = false;
			size = 0;
		} else if (size == 0) {
			return fail(finish, "a file of chunks has become shorter");
		} else if (size < 0 && errno == EINTR) {
			size = 0;
		} else if (size < 0) {
			return fail_system(finish);
		}
	}
	return true;
}

static bool copy_chunks(struct finish *finish)
{
	const struct repository *repository = finish->repository;
	bool is_good = true;

	for (size_t i = 0; i < repository->files.count && is_good; i++) {
		const struct chunkfile *file = &repository->files.items[i];
		int from = open(file->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

		is_good = from >= 0 ? copy(finish, from, file->size)
				    : fail_system(finish);
		if (from >= 0)
			close(from);
	}
	return is_good;
}

static bool write_file(struct finish *finish)
{
	bool is_good;

	if (!find_place(finish))
		return false;
	if (!draft_open(&finish->draft, finish->path))
		return fail_system(finish);
	is_good = copy_chunks(finish) && (place(finish) || fail_system(finish));
	draft_drop(&finish->draft);
	return is_good;
}

/* There may be nothing to write. */
static bool finish_it(struct finish *finish)
{
	if (finish->repository->files.count == 0)
		return true;
	written_ask(&finish->written, finish->repository->path);
	return finish->written.is_complete || write_file(finish);
}

bool finish_recording(const struct repository *repository, const struct orders *orders,
		      int64_t session_nanos, int64_t deadline, struct err *err)
{
	struct finish finish = {
		.repository = repository,
		.orders = orders,
		.session_nanos = session_nanos,
		.deadline = deadline,
		.session = -1,
		.err = err,
	};
	bool is_good;

	err->kind = ERR_NONE;
	is_good = take_session(&finish) && access(repository->path, F_OK) == 0 &&
		  finish_it(&finish);
	if (is_good && !orders->preserve && places_discard(repository->path))
		leave_session(&finish);
	if (finish.session >= 0)
		close(finish.session);
	return is_good;
}
