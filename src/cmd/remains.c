#include "cmd/remains.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/entries.h"
#include "base/path.h"
#include "base/str.h"
#include "control/places.h"
#include "salvage/leftfile.h"

/* Keeps the text, which may be NULL, until the end; false without memory. */
static bool keep(struct remains *remains, char *text)
{
	if (text && vec_push(&remains->texts, text))
		return true;
	free(text);
	return false;
}

static const char *last_text(const struct remains *remains)
{
	return remains->texts.items[remains->texts.count - 1];
}

/* --- a spill file --------------------------------------------------------------- */

static struct site site_of(const char *name)
{
	return (struct site){ name, SITE_NO_CHUNK, SITE_NO_BYTE };
}

static void tell(struct damage *damage, const char *name, const struct salvage *salvage)
{
	if (salvage->is_short)
		damage_add_detail(damage, "what the JVM left behind is cut off",
				  site_of(name), "the file is shorter than it was");
	if (salvage->damaged)
		damage_add_detail(damage, "what the JVM left behind is damaged",
				  site_of(name), "%llu part%s left out",
				  (unsigned long long)salvage->damaged,
				  salvage->damaged == 1 ? " is" : "s are");
	if (salvage->missing)
		damage_add_detail(damage, "not all that the JVM left behind has names",
				  site_of(name), "%llu reference%s nothing",
				  (unsigned long long)salvage->missing,
				  salvage->missing == 1 ? " leads to" : "s lead to");
	if (salvage->events)
		damage_note(damage, "the JVM did not end its recording, which goes up to "
			    "that moment", site_of(name));
}

static bool add_rest(struct remains *remains, const char *repository, const char *name,
		     const struct salvage *salvage)
{
	struct input_rest rest = {
		.directory = repository,
		.cut = salvage->cut,
		.cut_size = salvage->cut_size,
		.name = name,
		.bytes = salvage->chunks.bytes,
		.size = salvage->chunks.size,
	};

	remains->events += salvage->events;
	return vec_push(&remains->rests, rest);
}

bool remains_take(struct remains *remains, const char *repository, int spill,
		  struct damage *damage, struct err *err)
{
	struct salvage salvage;
	struct err why = { ERR_NONE, "" };
	const char *name;
	bool is_good;

	if (!keep(remains, path_within(repository, PLACES_SPILL)))
		return err_memory(err);
	name = last_text(remains);
	is_good = salvage_run(&salvage, spill, repository, &why);
	if (is_good)
		tell(damage, name, &salvage);
	if (!is_good) {
		salvage_clear(&salvage);
		damage_add_detail(damage, "this file is left out", site_of(name), "%s",
				  why.text);
		return true;
	}
	if (vec_push(&remains->salvages, salvage))
		return add_rest(remains, repository, name, &salvage) ||
		       err_memory(err);
	salvage_clear(&salvage);
	return err_memory(err);
}

/* --- the folder of a session ---------------------------------------------------- */

/* There is something in it that a JVM recorded. */
static bool is_repository(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_one = folder >= 0 && (places_has_chunks(folder) ||
				      faccessat(folder, PLACES_SPILL, F_OK, 0) == 0);

	if (folder >= 0)
		close(folder);
	return is_one;
}

/* The repositories in a folder. */
struct found {
	const char *path;
	char *first;		/* by name */
	size_t count;
	bool failed;		/* no memory */
};

static bool take_repository(int folder, const char *name, void *context)
{
	struct found *found = context;
	char *path = path_within(found->path, name);

	(void)folder;
	found->failed |= !path;
	if (path && is_repository(path)) {
		found->count++;
		if (!found->first || strcmp(path, found->first) < 0) {
			free(found->first);
			found->first = path;
			return true;
		}
	}
	free(path);
	return path != NULL;
}

/* Goes down to the repository that is meant. */
static bool descend(struct remains *remains, const char **path, struct err *err)
{
	struct found found = { .path = *path };

	if (!places_is_session(path_last(*path)) || is_repository(*path))
		return true;
	entries_each_of(*path, take_repository, &found);
	if ((found.first && !keep(remains, found.first)) || found.failed)
		return err_memory(err);
	if (found.count > 1)
		return err_set(err, ERR_FORMAT, "'%s' holds the repositories of %zu "
			       "JVMs: say which one, as '%s'", *path, found.count,
			       last_text(remains));
	if (found.count == 1)
		*path = last_text(remains);
	return true;
}

static bool is_folder(const char *path)
{
	struct stat status;

	return strcmp(path, "-") != 0 && stat(path, &status) == 0 &&
	       S_ISDIR(status.st_mode);
}

/* One that is given twice is read twice, but salvaged once. */
static bool is_known(const struct remains *remains, const char *path)
{
	for (size_t i = 0; i < remains->rests.count; i++) {
		if (strcmp(remains->rests.items[i].directory, path) == 0)
			return true;
	}
	return false;
}

static bool find(struct remains *remains, const char **path, struct damage *damage,
		 struct err *err)
{
	struct err why;
	bool is_good = true;
	int spill;

	if (!is_folder(*path))
		return true;
	if (!descend(remains, path, err))
		return false;
	if (is_known(remains, *path))
		return true;
	spill = leftfile_find(*path, &why);
	if (spill >= 0) {
		is_good = remains_take(remains, *path, spill, damage, err);
		close(spill);
	} else if (why.kind != ERR_NONE) {
		damage_add_detail(damage, "what a JVM left behind is left out",
				  site_of(*path), "%s", why.text);
	} else if (leftfile_is_in_use(*path)) {
		damage_note(damage, "a process uses it, its spill file is not read",
			    site_of(*path));
	}
	return is_good;
}

bool remains_find(struct remains *remains, const char *const *paths, size_t count,
		  struct damage *damage, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		const char *path = paths[i];

		if (!find(remains, &path, damage, err))
			return false;
		if (!vec_push(&remains->paths, path))
			return err_memory(err);
	}
	return true;
}

void remains_clear(struct remains *remains)
{
	for (size_t i = 0; i < remains->salvages.count; i++)
		salvage_clear(&remains->salvages.items[i]);
	for (size_t i = 0; i < remains->texts.count; i++)
		free(remains->texts.items[i]);
	vec_clear(&remains->salvages);
	vec_clear(&remains->texts);
	vec_clear(&remains->paths);
	vec_clear(&remains->rests);
}
