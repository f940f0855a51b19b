#include "session/leftover.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/entries.h"
#include "base/path.h"
#include "base/str.h"
#include "control/places.h"
#include "jfr/spillread.h"

/* A folder that is looked at. */
struct place {
	struct leftovers *leftovers;
	const char *path;
	bool shall_go;
	bool has_repository;	/* one that is there, and stays */
};

/* --- names ------------------------------------------------------------------------- */

/* "2026_11_30_11_00_00_123", or with "_1" behind it: when it began, and the process. */
static bool read_repository_name(struct leftover *leftover, const char *name)
{
	static const char form[] = "dddd_dd_dd_dd_dd_dd_";
	char *end;

	for (size_t i = 0; form[i]; i++) {
		if (form[i] == 'd' ? !isdigit((unsigned char)name[i]) : name[i] != '_')
			return false;
	}
	if (!isdigit((unsigned char)name[sizeof(form) - 1]))
		return false;
	leftover->pid = strtol(name + sizeof(form) - 1, &end, 10);
	snprintf(leftover->began, sizeof(leftover->began),
		 "%.4s-%.2s-%.2sT%.2s:%.2s:%.2s", name, name + 5, name + 8, name + 11,
		 name + 14, name + 17);
	return *end == '\0' || (*end == '_' && isdigit((unsigned char)end[1]));
}

/* --- folders ----------------------------------------------------------------------- */

/* Locked, if it is one, ours, and nobody has it; -1: not. */
static int take_folder(struct leftovers *leftovers, int within, const char *name,
		       struct stat *status)
{
	int fd = openat(within, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && fstat(fd, status) == 0 &&
	    (geteuid() == 0 || status->st_uid == geteuid())) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return fd;
		leftovers->in_use += errno == EWOULDBLOCK;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

/* A spill file is larger than the space that it takes. */
static bool add_size(int folder, const char *name, void *context)
{
	uint64_t *size = context;
	struct stat status;

	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(status.st_mode)) {
		off_t space = status.st_blocks * 512;

		*size += (uint64_t)(space < status.st_size ? space : status.st_size);
	}
	return true;
}

static bool has_events(int folder)
{
	int fd = openat(folder, PLACES_SPILL, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	bool has = fd >= 0 && spill_may_have_events(fd);

	if (fd >= 0)
		close(fd);
	return has;
}

static bool is_there(int folder, const char *name)
{
	return faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct leftover *)a)->path,
		      ((const struct leftover *)b)->path);
}

static void add(const struct place *place, struct leftover *leftover, const char *name)
{
	struct leftovers *leftovers = place->leftovers;

	leftover->path = path_within(place->path, name);
	if (leftover->path && vec_push(&leftovers->all, *leftover))
		return;
	free(leftover->path);
	leftovers->failed = true;
}

/* --- repositories -------------------------------------------------------------------- */

static bool is_of_repository(int folder, const char *name, void *context)
{
	(void)context;
	return places_is_of_repository(folder, name);
}

/* All, or nothing of it. True if it is gone. */
static bool remove_repository(int within, const char *name, int folder)
{
	places_empty(folder);
	return unlinkat(within, name, AT_REMOVEDIR) == 0;
}

static void look_at_repository(struct place *place, int within, const char *name,
			       struct leftover *leftover, bool is_known)
{
	struct stat status;
	int folder = take_folder(place->leftovers, within, name, &status);

	if (folder < 0) {
		place->has_repository = true;
		return;
	}
	if (is_known || is_there(folder, PLACES_SPILL) || is_there(folder, PLACES_LOG)) {
		entries_each(folder, add_size, &leftover->size);
		leftover->has_recording = places_has_chunks(folder) ||
					  has_events(folder);
		leftover->has_others = !entries_each(folder, is_of_repository, NULL);
		leftover->is_removed = place->shall_go && !leftover->has_others &&
				       remove_repository(within, name, folder);
		add(place, leftover, name);
	}
	place->has_repository |= !leftover->is_removed;
	close(folder);
}

/* --- sessions ------------------------------------------------------------------------ */

static bool look_in_session(int session, const char *name, void *context)
{
	struct place *place = context;
	struct leftover leftover = { .pid = 0 };

	if (read_repository_name(&leftover, name))
		look_at_repository(place, session, name, &leftover, true);
	return true;
}

static bool is_ours(int session, const char *name, void *context)
{
	struct leftover leftover;

	(void)session;
	(void)context;
	return places_is_of_session(name) || read_repository_name(&leftover, name);
}

/* Orders are written once; the folder changes when a repository goes. */
static void tell_time(struct leftover *leftover, int session, const struct stat *folder)
{
	struct stat orders;
	struct tm parts;
	time_t time = fstatat(session, PLACES_ORDERS, &orders, AT_SYMLINK_NOFOLLOW) == 0
			      ? orders.st_mtime : folder->st_mtime;

	if (!localtime_r(&time, &parts) ||
	    !strftime(leftover->began, sizeof(leftover->began), "%Y-%m-%dT%H:%M:%S",
		      &parts))
		snprintf(leftover->began, sizeof(leftover->began), "-");
}

/* One without repositories is told of by itself; else it goes with the last of them. */
static void look_into(struct place *inside, int base, const char *name, int session,
		      const struct place *place, const struct stat *status)
{
	struct leftover leftover = { .pid = 0 };
	size_t before = place->leftovers->all.count;

	tell_time(&leftover, session, status);
	entries_each(session, add_size, &leftover.size);
	entries_each(session, look_in_session, inside);
	if (inside->has_repository)
		return;
	leftover.is_removed = inside->shall_go && places_empty_session(session) &&
			      unlinkat(base, name, AT_REMOVEDIR) == 0;
	if (place->leftovers->all.count == before)
		add(place, &leftover, name);
}

static void look_at_session(struct place *place, int base, const char *name)
{
	struct place inside = *place;
	struct stat status;
	int session = take_folder(place->leftovers, base, name, &status);
	char *path;

	if (session < 0)
		return;
	path = path_within(place->path, name);
	inside.path = path;
	inside.has_repository = false;
	place->leftovers->failed |= !path;
	if (path && (status.st_mode & 077) == 0 && entries_each(session, is_ours, NULL))
		look_into(&inside, base, name, session, place, &status);
	free(path);
	close(session);
}

/* --- all together -------------------------------------------------------------------- */

static bool look(int base, const char *name, void *context)
{
	struct place *place = context;
	struct leftover leftover = { .pid = 0 };

	if (places_is_session(str_of(name)))
		look_at_session(place, base, name);
	else if (read_repository_name(&leftover, name))
		look_at_repository(place, base, name, &leftover, false);
	return true;
}

bool leftovers_find(struct leftovers *leftovers, const char *base, bool shall_go,
		    struct err *err)
{
	struct place place = { .leftovers = leftovers, .path = base,
			       .shall_go = shall_go };
	int fd = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || !entries_each(fd, look, &place)) {
		err_system(err, "cannot read the folder '%s'", base);
		if (fd >= 0)
			close(fd);
		return false;
	}
	close(fd);
	if (leftovers->all.count)
		qsort(leftovers->all.items, leftovers->all.count,
		      sizeof(*leftovers->all.items), by_path);
	return !leftovers->failed || err_memory(err);
}

void leftovers_clear(struct leftovers *leftovers)
{
	for (size_t i = 0; i < leftovers->all.count; i++)
		free(leftovers->all.items[i].path);
	vec_clear(&leftovers->all);
}
