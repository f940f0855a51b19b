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
#include "base/entries.h"
#include "base/fully.h"
#include "base/now.h"
#include "base/path.h"
#include "control/outname.h"
#include "control/places.h"
#include "control/written.h"

#define PIECE ((size_t)8 << 20)		/* copied at a time */
#define NAMES_MAX 1000			/* tried, if others have them */

struct finish {
	const struct repository *repository;	/* of the chunks */
	const char *told_in;		/* where it says what was written */
	const char *destination;	/* if that does not */
	const struct orders *orders;
	int64_t session_nanos;
	bool made_up;
	const struct finish_folder *of;	/* NULL: of a whole repository */
	const _Atomic(int64_t) *deadline;	/* ticks */
	int session;			/* its folder, locked; -1: not there any more */
	struct written written;
	const char *path;		/* what the file is to be called */
	char *placed;			/* and is called, if that was another's */
	bool is_replacing;		/* what is there under that name */
	struct draft draft;
	struct err *err;
};

static bool is_late(const struct finish *finish)
{
	return now_ticks() >= atomic_load(finish->deadline);
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

static bool is_kept(const struct finish *finish, const struct stat *status)
{
	const struct finish_folder *of = finish->of;

	return finish->made_up || (of && of->is_kept && of->is_kept(status, of->context));
}

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

	finish->path = *told ? told : finish->destination;
	if (!finish->path || *finish->path != '/')
		return err_set(finish->err, ERR_SYSTEM,
			       "there is nobody to write the recording to: it stays here");
	if (stat(finish->path, &status) != 0)
		return errno == ENOENT || fail_system(finish);
	if (!S_ISREG(status.st_mode))
		return fail(finish, "it is no file");
	finish->is_replacing = written_is(&finish->written, &status) ||
			       (is_older(finish, &status) && !is_kept(finish, &status));
	return true;
}

static void say_written(const struct finish *finish, const char *path)
{
	if (finish->told_in)
		written_say(finish->told_in, path, true);
}

static bool place_distinct(struct finish *finish)
{
	for (unsigned tries = 0; tries < NAMES_MAX; tries++) {
		char *name = outname_distinct(finish->draft.path, getpid(), tries);
		bool is_placed = name && draft_place_new(&finish->draft, name);

		if (is_placed)
			say_written(finish, name);
		if (is_placed)
			finish->placed = name;
		else
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
		say_written(finish, finish->path);
		return true;
	}
	return errno == EEXIST && place_distinct(finish);
}

/* --- the file --------------------------------------------------------------------- */

static bool copy(struct finish *finish, int from, uint64_t left)
{
	bool by_system = true;
	ssize_t size;

	for (; left > 0; left -= (uint64_t)size) {
		size_t most = left < PIECE ? (size_t)left : PIECE;
		int to = finish->draft.fd;

		if (is_late(finish))
			return fail(finish, "there is no time left");
		/* Not all systems copy from file to file. */
		size = by_system ? copy_file_range(from, NULL, to, NULL, most, 0)
				 : fully_pass(from, to, most);
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
	if (finish->told_in)
		written_ask(&finish->written, finish->told_in);
	return finish->written.is_complete || write_file(finish);
}

bool finish_recording(const struct repository *repository, const struct orders *orders,
		      int64_t session_nanos, int64_t deadline, struct err *err)
{
	const _Atomic(int64_t) until = deadline;
	struct finish finish = {
		.repository = repository,
		.told_in = repository->path,
		.destination = orders->destination.bytes,
		.orders = orders,
		.session_nanos = session_nanos,
		.made_up = orders->made_up,
		.deadline = &until,
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
	free(finish.placed);
	return is_good;
}

/* --- of a folder ------------------------------------------------------------------ */

static bool add_chunk(int folder, const char *name, void *context)
{
	struct repository *repository = context;
	struct chunkfile file = { 0 };
	struct stat status;

	if (!str_ends(str_of(name), STR(PLACES_CHUNK_END)) ||
	    fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !S_ISREG(status.st_mode))
		return true;
	file.path = path_within(repository->path, name);
	file.size = (uint64_t)status.st_size;
	if (file.path && vec_push(&repository->files, file))
		return true;
	free(file.path);
	return false;
}

static int compare_names(const void *one, const void *other)
{
	return strcmp(((const struct chunkfile *)one)->path,
		      ((const struct chunkfile *)other)->path);
}

static bool list_chunks(struct repository *repository, struct err *err)
{
	errno = 0;
	if (!entries_each_of(repository->path, add_chunk, repository))
		return err_system(err, "cannot read the folder '%s'", repository->path);
	if (repository->files.count > 1)
		qsort(repository->files.items, repository->files.count,
		      sizeof(*repository->files.items), compare_names);
	return true;
}

/* What it is called, or was by somebody before. */
static bool tell_path(struct finish *finish, char **path)
{
	const char *last = finish->path ? finish->path : finish->written.path;

	*path = finish->placed ? finish->placed : strdup(last);
	finish->placed = NULL;
	return *path || err_memory(finish->err);
}

bool finish_folder(const struct finish_folder *of, char **path, struct err *err)
{
	struct repository repository = { .path = (char *)(uintptr_t)of->folder,
					 .lock = -1 };
	struct finish finish = {
		.repository = &repository,
		.told_in = of->told_in,
		.destination = of->destination,
		.session_nanos = of->begin_nanos,
		.made_up = of->made_up,
		.of = of,
		.deadline = of->deadline,
		.err = err,
	};
	bool is_good;

	*path = NULL;
	is_good = list_chunks(&repository, err) && finish_it(&finish) &&
		  (repository.files.count == 0 || tell_path(&finish, path));
	for (size_t i = 0; i < repository.files.count; i++)
		free(repository.files.items[i].path);
	vec_clear(&repository.files);
	free(finish.placed);
	return is_good;
}

void finish_session(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return;
	if ((flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
	    places_empty_session(fd))
		rmdir(folder);
	close(fd);
}
