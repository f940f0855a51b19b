#include "jfr/feeds.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/source.h"
#include "jfr/spill.h"

static struct site site_of(const char *path)
{
	return (struct site){ source_name(path), SITE_NO_CHUNK, SITE_NO_BYTE };
}

uint64_t feed_size(const struct feed *feed)
{
	struct stat status;
	int result;

	if (feed->rest)
		return feed->rest->size;
	result = strcmp(feed->path, "-") == 0 ? fstat(0, &status)
					      : stat(feed->path, &status);
	if (result != 0 || !S_ISREG(status.st_mode))
		return 0;
	return feed->cut ? feed->cut : (uint64_t)status.st_size;
}

/* The size of all is known if each file has one. */
static void add_size(struct feeds *feeds, const struct feed *feed)
{
	uint64_t size = feed_size(feed);

	if (feeds->all.count > 0 && feeds->size == 0)
		return;
	feeds->size = size ? feeds->size + size : 0;
}

bool feeds_put(struct feeds *feeds, struct feed feed)
{
	add_size(feeds, &feed);
	feed.run->feeds++;
	return vec_push(&feeds->all, feed);
}

struct run *feeds_run(struct feeds *feeds)
{
	struct run *run = calloc(1, sizeof(*run));

	if (!feeds->known)
		feeds->known = calloc(1, sizeof(*feeds->known));
	if (!run || !feeds->known || !vec_push(&feeds->runs, run)) {
		free(run);
		return NULL;
	}
	run->known = feeds->known;
	return run;
}

/* The rest of a directory; NULL: there is none. */
static const struct input_rest *rest_of(const struct feeds *feeds, const char *directory)
{
	for (size_t i = 0; i < feeds->rest_count; i++) {
		if (strcmp(feeds->rests[i].directory, directory) == 0)
			return &feeds->rests[i];
	}
	return NULL;
}

/* Nobody wonders at these; control/places.h has them all. */
bool feeds_is_beside(const char *path)
{
	static const char *const names[] = { "agent.log", "output", SPILL_NAME ".part" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (str_is(path_last(path), str_of(names[i])))
			return true;
	}
	return false;
}

/*
 * A spill file is no recording, but nobody wonders at it here, not even if it is damaged:
 * who reads it tells. Anything may have that name, also a recording.
 */
static bool is_spill(const char *path, const char *name)
{
	char magic[HEADER_MAGIC_SIZE] = "";
	bool is_one = false;
	int fd;

	if (strcmp(name, SPILL_NAME) != 0)
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		is_one = read(fd, magic, sizeof(magic)) >= 0 &&
			 memcmp(magic, header_magic, sizeof(magic)) != 0;
		close(fd);
	}
	return is_one;
}

/* The file that was being written. */
static bool add_cut(struct feeds *feeds, const char *path, struct run *run,
		    const struct input_rest *rest)
{
	return !rest->cut_size ||
	       feeds_put(feeds, (struct feed){ .path = path, .run = run,
					      .cut = rest->cut_size,
					      .is_foreign_allowed = true });
}

/* A file of a directory, if it is one. */
static bool add_name(struct feeds *feeds, const char *directory, const char *name,
		     struct run *run, struct damage *damage)
{
	const struct input_rest *rest = rest_of(feeds, directory);
	struct stat status;
	char *path;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return false;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
	    is_spill(path, name)) {
		free(path);
		return true;
	}
	if (!vec_push(&feeds->names, path)) {
		free(path);
		return false;
	}
	if (rest && rest->cut && str_is(path_last(rest->cut), str_of(name)))
		return add_cut(feeds, path, run, rest);
	if (status.st_size)
		return feeds_put(feeds, (struct feed){ .path = path, .run = run,
						      .is_foreign_allowed = true });
	if (!feeds_is_beside(path))
		damage_note(damage, "an empty file, passed over", site_of(path));
	return true;
}

/* It begins when the last of the files has, or later. */
static bool add_rest(struct feeds *feeds, const struct input_rest *rest,
		     struct run *run)
{
	struct feed feed = { .path = rest->name, .rest = rest, .run = run };

	return feeds_put(feeds, feed);
}

static int compare_names(const struct dirent **one, const struct dirent **other)
{
	return strcmp((*one)->d_name, (*other)->d_name);
}

/* The files of a directory, in the order of their names. */
static bool add_directory(struct feeds *feeds, const char *path,
			  struct damage *damage, struct err *err)
{
	const struct input_rest *rest = rest_of(feeds, path);
	struct dirent **entries = NULL;
	struct run *run = feeds_run(feeds);
	bool is_good = run != NULL;
	int count = scandir(path, &entries, NULL, compare_names);

	if (count < 0 && !(rest && rest->size))
		return err_system(err, "cannot open '%s'", path);
	if (count < 0)
		damage_add_detail(damage, FEEDS_DIRECTORY_LOST, site_of(path),
				  "cannot open it (%s)", strerror(errno));
	for (int i = 0; i < count; i++) {
		is_good = is_good &&
			  add_name(feeds, path, entries[i]->d_name, run, damage);
		free(entries[i]);
	}
	free(entries);
	if (is_good && rest && rest->size)
		is_good = add_rest(feeds, rest, run);
	return is_good || err_memory(err);
}

bool feeds_add(struct feeds *feeds, const char *path, struct damage *damage,
	       struct err *err)
{
	struct stat status;
	struct run *run;

	if (rest_of(feeds, path) ||
	    (strcmp(path, "-") != 0 && stat(path, &status) == 0 &&
	     S_ISDIR(status.st_mode)))
		return add_directory(feeds, path, damage, err);
	run = feeds_run(feeds);
	return (run && feeds_put(feeds, (struct feed){ .path = path, .run = run })) ||
	       err_memory(err);
}

void feeds_clear(struct feeds *feeds)
{
	for (size_t i = 0; i < feeds->runs.count; i++) {
		run_clear(feeds->runs.items[i]);
		free(feeds->runs.items[i]);
	}
	for (size_t i = 0; i < feeds->names.count; i++)
		free(feeds->names.items[i]);
	if (feeds->known)
		known_clear(feeds->known);
	free(feeds->known);
	vec_clear(&feeds->all);
	vec_clear(&feeds->runs);
	vec_clear(&feeds->names);
}
