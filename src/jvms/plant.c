#include "jvms/plant.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/entries.h"
#include "base/fully.h"
#include "jvms/flags.h"

#define STEP ((size_t)64 << 10)
#define LIBRARY_MAX ((off_t)64 << 20)

/* --- places ----------------------------------------------------------------------- */

enum { PLACE_TMPDIR, PLACE_TMP, PLACE_SHM, PLACE_VARTMP, PLACE_CWD, PLACES };

static const char *const places[PLACES] = {
	[PLACE_TMP] = "/tmp",
	[PLACE_SHM] = "/dev/shm",
	[PLACE_VARTMP] = "/var/tmp",
};

/* A folder, for paths alone, and what it is called. -1: there is no such place. */
static int open_place(const struct visit *visit, size_t place, char **name)
{
	int fd;

	*name = place == PLACE_TMPDIR ? flags_variable(&visit->process, "TMPDIR")
	      : place == PLACE_CWD    ? strdup("its current directory")
				      : strdup(places[place]);
	if (!*name || (place == PLACE_TMPDIR && **name != '/'))
		return -1;
	if (place == PLACE_CWD)
		return visit->cwd < 0 ? -1 : fcntl(visit->cwd, F_DUPFD_CLOEXEC, 0);
	fd = rooted_open(&visit->rooted, *name, O_PATH | O_DIRECTORY, 0);
	return fd;
}

static void note(struct plant_search *search, const char *name, const char *why)
{
	buf_printf(&search->tried, "%s%s: %s", search->tried.size ? "; " : "", name,
		   why);
}

/* --- who may change it ------------------------------------------------------------ */

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_trusted(const struct visit *visit, const struct stat *folder)
{
	if (folder->st_uid != 0 && folder->st_uid != visit->process.uid &&
	    folder->st_uid != visit->host)
		return false;
	return !(folder->st_mode & (S_IWGRP | S_IWOTH)) || folder->st_mode & S_ISVTX;
}

/* The folder, and all that it is in, up to the JVM's root. */
static bool is_safe(const struct visit *visit, int place)
{
	int at = fcntl(place, F_DUPFD_CLOEXEC, 0);
	struct stat root, status, above;
	bool is_safe = at >= 0 && fstat(visit->rooted.fd, &root) == 0 &&
		       fstat(at, &status) == 0 && is_trusted(visit, &status);

	while (is_safe && !is_same(&status, &root)) {
		int up = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);

		close(at);
		at = up;
		if (at < 0 || fstat(at, &above) != 0 || is_same(&status, &above))
			break;
		status = above;
		is_safe = is_trusted(visit, &status);
	}
	is_safe = is_safe && is_same(&status, &root);
	if (at >= 0)
		close(at);
	return is_safe;
}

/* --- the folder ------------------------------------------------------------------- */

static bool make_name(struct plant *plant, const struct visit *visit)
{
	uint64_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return false;
	snprintf(plant->name, sizeof(plant->name), "%s%d-%016llx", PLANT_FOLDER,
		 (int)visit->process.inner, (unsigned long long)number);
	return true;
}

static bool make_folder(struct plant *plant, const struct visit *visit)
{
	struct stat status;

	if (!make_name(plant, visit) || mkdirat(plant->parent, plant->name, 0700) != 0)
		return false;
	plant->folder = openat(plant->parent, plant->name,
			       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	/* Without the rights that a mask of ours takes away. */
	if (plant->folder >= 0 && fstat(plant->folder, &status) == 0 &&
	    status.st_uid == geteuid() && fchmod(plant->folder, 0700) == 0)
		plant->inside = rooted_path(&visit->rooted, plant->folder);
	if (plant->inside)
		return true;
	if (!errno)
		errno = ENOENT;
	return false;
}

/* NULL: it will do. */
static const char *fault_of(const struct visit *visit, int place, bool is_for_library)
{
	struct statvfs system;

	if (!is_safe(visit, place))
		return "other users may change it";
	if (fstatvfs(place, &system) != 0)
		return NULL;
	if (system.f_flag & ST_RDONLY)
		return "is read-only";
	if (is_for_library && system.f_flag & ST_NOEXEC)
		return "is mounted noexec";
	return NULL;
}

static bool make_at(struct plant *plant, struct plant_search *search,
		    const struct visit *visit, bool is_for_library)
{
	char *name = NULL, reason[128];
	const char *fault;

	plant->parent = open_place(visit, search->place, &name);
	fault = plant->parent < 0 ? NULL
				  : fault_of(visit, plant->parent, is_for_library);
	errno = plant->parent < 0 ? errno : 0;
	if (plant->parent >= 0 && !fault && make_folder(plant, visit)) {
		free(name);
		return true;
	}
	snprintf(reason, sizeof(reason), "%m");
	if (name && (*name == '/' || search->place == PLACE_CWD))
		note(search, name, fault ? fault : reason);
	free(name);
	plant_remove(plant);
	return false;
}

bool plant_make(struct plant *plant, struct plant_search *search,
		const struct visit *visit, bool is_for_library, struct err *err)
{
	memset(plant, 0, sizeof(*plant));
	plant->parent = plant->folder = -1;
	while (search->place < PLACES) {
		bool is_made = make_at(plant, search, visit, is_for_library);

		search->place++;
		if (is_made)
			return true;
	}
	buf_byte(&search->tried, '\0');
	return err_set(err, ERR_SYSTEM, "process %d has no folder %s (%s)",
		       (int)visit->process.pid,
		       is_for_library ? "from which it can load the agent"
				      : "that cjfr may share with it",
		       search->tried.failed ? "out of memory" : search->tried.bytes);
}

void plant_reject(struct plant *plant, struct plant_search *search, const char *why)
{
	note(search, plant->inside ? plant->inside : plant->name, why);
	plant_remove(plant);
}

/* --- what is in it ---------------------------------------------------------------- */

static bool copy_bytes(int from, int to)
{
	char *bytes = malloc(STEP);
	off_t at = 0;
	ssize_t size = 0;
	bool is_copied = bytes != NULL;

	while (is_copied && (size = pread(from, bytes, STEP, at)) > 0) {
		at += size;
		errno = EFBIG;
		is_copied = at <= LIBRARY_MAX && fully_write(to, bytes, (size_t)size);
	}
	free(bytes);
	return is_copied && size == 0;
}

bool plant_copy(struct plant *plant, struct plant_search *search, int library,
		const char *name)
{
	int file = openat(plant->folder, name,
			  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool is_copied = file >= 0 && copy_bytes(library, file);
	char reason[128];

	snprintf(reason, sizeof(reason), "%m");
	if (file >= 0 && close(file) != 0)
		is_copied = false;
	if (!is_copied)
		plant_reject(plant, search, reason);
	return is_copied;
}

static bool remove_file(int folder, const char *name, void *context)
{
	struct stat status;

	(void)context;
	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    !S_ISDIR(status.st_mode))
		unlinkat(folder, name, 0);
	return true;
}

void plant_remove(struct plant *plant)
{
	if (plant->folder >= 0) {
		entries_each(plant->folder, remove_file, NULL);
		close(plant->folder);
	}
	if (plant->parent >= 0) {
		if (*plant->name)
			unlinkat(plant->parent, plant->name, AT_REMOVEDIR);
		close(plant->parent);
	}
	free(plant->inside);
	memset(plant, 0, sizeof(*plant));
	plant->parent = plant->folder = -1;
}
