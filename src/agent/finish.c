#include "agent/finish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/discard.h"
#include "base/now.h"
#include "base/path.h"
#include "control/outname.h"
#include "jfr/header.h"

#define PIECE ((size_t)8 << 20)		/* copied at a time */

struct finish {
	const struct repository *repository;
	const struct orders *orders;
	int64_t begin_nanos;
	int64_t deadline;		/* ticks */
	int session;			/* its folder, locked; -1: not there any more */
	char *path;			/* where the file will be: no link */
	char *draft;			/* its name until then */
	bool is_named;			/* the draft has it */
	int fd;				/* of the draft; -1: not open */
	mode_t rights;
};

static bool is_late(const struct finish *finish)
{
	return now_ticks() >= finish->deadline;
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
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static bool is_of_session(int folder, const char *name, void *context)
{
	(void)folder;
	(void)context;
	return strcmp(name, "orders") == 0 || strcmp(name, "socket") == 0;
}

/* Another JVM may have its repository in there. */
static void leave_session(const struct finish *finish)
{
	if (!discard_each(finish->session, is_of_session, NULL))
		return;
	discard_files(finish->session);
	rmdir(finish->orders->repository.bytes);
}

/* --- the draft -------------------------------------------------------------------- */

/* A link to the file stays a link. */
static bool find_path(struct finish *finish)
{
	const char *name = finish->orders->destination.bytes;

	finish->path = realpath(name, NULL);
	if (!finish->path)
		finish->path = strdup(name);
	if (!finish->path || asprintf(&finish->draft, "%s.%ld", finish->path,
				      (long)getpid()) < 0) {
		finish->draft = NULL;
		errno = ENOMEM;
		return false;
	}
	return true;
}

/* Without a name, if the file system has that: it is gone if the process is killed. */
static bool open_draft(struct finish *finish)
{
	const char *slash = strrchr(finish->path, '/');
	char *folder = strndup(finish->path, (size_t)(slash - finish->path) + 1);
	struct stat status;

	finish->fd = folder ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
	free(folder);
	if (finish->fd < 0) {
		finish->fd = open(finish->draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
				  0666);
		finish->is_named = finish->fd >= 0;
	}
	if (finish->fd < 0 || fstat(finish->fd, &status) != 0)
		return false;
	finish->rights = status.st_mode & 0777;
	return true;
}

/* A single chunk file on the same file system is the recording already. */
static bool link_chunk(struct finish *finish)
{
	const struct repository *repository = finish->repository;

	if (finish->is_named || repository->files.count != 1)
		return false;
	finish->is_named = link(repository->files.items[0].path, finish->draft) == 0;
	return finish->is_named;
}

/* Where the system does not copy from file to file. */
static ssize_t copy_bytes(int from, int to, size_t size)
{
	char bytes[16 << 10];
	ssize_t got = read(from, bytes, size < sizeof(bytes) ? size : sizeof(bytes));
	ssize_t written, done = 0;

	for (; done < got; done += written) {
		written = write(to, bytes + done, (size_t)(got - done));
		if (written < 0)
			return -1;
	}
	return got;
}

static bool copy(const struct finish *finish, int from, uint64_t left)
{
	bool by_system = true;
	ssize_t size;

	for (; left > 0; left -= (uint64_t)size) {
		size_t most = left < PIECE ? (size_t)left : PIECE;

		if (is_late(finish)) {
			errno = ETIMEDOUT;
			return false;
		}
		size = by_system ? copy_file_range(from, NULL, finish->fd, NULL, most, 0)
				 : copy_bytes(from, finish->fd, most);
		if (size <= 0 && by_system) {
			by_system = false;
			size = 0;
		} else if (size == 0) {
			errno = ENODATA;
			return false;
		} else if (size < 0) {
			return false;
		}
	}
	return true;
}

static bool copy_chunks(const struct finish *finish)
{
	const struct repository *repository = finish->repository;
	bool is_good = true;

	for (size_t i = 0; i < repository->files.count && is_good; i++) {
		const struct chunkfile *file = &repository->files.items[i];
		int from = open(file->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

		is_good = from >= 0 && copy(finish, from, file->size);
		if (from >= 0)
			close(from);
	}
	return is_good;
}

static bool name_draft(struct finish *finish)
{
	char descriptor[sizeof("/proc/self/fd/") + 3 * sizeof(int)];

	if (finish->is_named)
		return true;
	snprintf(descriptor, sizeof(descriptor), "/proc/self/fd/%d", finish->fd);
	finish->is_named = linkat(AT_FDCWD, descriptor, AT_FDCWD, finish->draft,
				  AT_SYMLINK_FOLLOW) == 0;
	return finish->is_named;
}

static bool make_draft(struct finish *finish)
{
	return open_draft(finish) &&
	       (link_chunk(finish) || (copy_chunks(finish) && name_draft(finish)));
}

/* --- its place -------------------------------------------------------------------- */

static bool read_header(struct header *header, const char *path)
{
	unsigned char bytes[HEADER_SIZE];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_read = fd >= 0 && read(fd, bytes, sizeof(bytes)) == sizeof(bytes) &&
		       header_read(header, bytes, sizeof(bytes), NULL);

	if (fd >= 0)
		close(fd);
	return is_read;
}

/* What cjfr wrote when it did not want to wait any longer is the beginning of ours. */
static bool begins_as_ours(const struct finish *finish)
{
	struct header ours, there;

	return read_header(&ours, finish->repository->files.items[0].path) &&
	       read_header(&there, finish->path) &&
	       ours.start_nanos == there.start_nanos &&
	       ours.start_ticks == there.start_ticks;
}

static bool is_newer(const struct stat *status, int64_t nanos)
{
	return status->st_mtim.tv_sec * SECOND + status->st_mtim.tv_nsec >= nanos;
}

static bool is_by_others(const struct finish *finish, const struct stat *status)
{
	return is_newer(status, finish->begin_nanos) && !begins_as_ours(finish);
}

/* What is there under that name is to be replaced, or left alone. */
static bool choose_name(struct finish *finish)
{
	struct stat status;

	if (stat(finish->path, &status) != 0)
		return errno == ENOENT;
	if (!S_ISREG(status.st_mode)) {
		errno = EEXIST;
		return false;
	}
	if (is_by_others(finish, &status)) {
		char *distinct = outname_distinct(finish->path, getpid());

		free(finish->path);
		finish->path = distinct;
		return distinct != NULL;
	}
	finish->rights = status.st_mode & 0777;
	return true;
}

static bool place_draft(struct finish *finish)
{
	if (!choose_name(finish) || chmod(finish->draft, finish->rights) != 0 ||
	    rename(finish->draft, finish->path) != 0)
		return false;
	finish->is_named = false;
	return true;
}

static void clear(struct finish *finish)
{
	if (finish->is_named)
		unlink(finish->draft);
	if (finish->fd >= 0)
		close(finish->fd);
	if (finish->session >= 0)
		close(finish->session);
	free(finish->path);
	free(finish->draft);
}

static bool write_file(struct finish *finish, struct err *err)
{
	const char *name = finish->orders->destination.bytes;

	if (finish->orders->destination.size == 0 || *name != '/')
		return err_set(err, ERR_SYSTEM, "there is nobody to write the recording "
			       "to: it stays here");
	if (find_path(finish) && make_draft(finish) && place_draft(finish))
		return true;
	return err_system(err, "cannot write '%s', the recording stays here", name);
}

bool finish_recording(const struct repository *repository, const struct orders *orders,
		      int64_t begin_nanos, int64_t deadline, struct err *err)
{
	struct finish finish = {
		.repository = repository,
		.orders = orders,
		.begin_nanos = begin_nanos,
		.deadline = deadline,
		.session = -1,
		.fd = -1,
	};
	bool is_good;

	err->kind = ERR_NONE;
	is_good = take_session(&finish) && access(repository->path, F_OK) == 0 &&
		  (repository->files.count == 0 || write_file(&finish, err));
	if (is_good && !orders->preserve && discard_folder(repository->path))
		leave_session(&finish);
	clear(&finish);
	return is_good;
}
