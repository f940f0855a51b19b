#include "cmd/viewfiles.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "cmd/usage.h"

/* Larger files are no view files. */
#define SIZE_MAX_OF_FILE ((size_t)1 << 20)

#define SUFFIX STR(".view")

static bool read_all(FILE *file, struct buf *text)
{
	char block[4096];
	size_t size;

	while ((size = fread(block, 1, sizeof(block), file)) > 0 &&
	       text->size <= SIZE_MAX_OF_FILE)
		buf_add(text, block, size);
	return !ferror(file) && !text->failed;
}

/* The name of the file must last as long as the views. */
static bool add_file(struct views *views, const char *path, struct err *err)
{
	FILE *file = fopen(path, "re");
	struct buf text = { 0 };
	struct str all;
	bool is_good;

	if (!file)
		return err_system(err, "could not open the views in '%s'", path);
	is_good = read_all(file, &text) ||
		  err_system(err, "could not read the views in '%s'", path);
	fclose(file);
	all = (struct str){ text.bytes ? text.bytes : "", text.size };
	is_good = is_good && views_add(views, all, path, err);
	buf_clear(&text);
	return is_good;
}

/* The user's folder of views, in the arena; NULL if there can be none. */
static const char *user_folder(struct arena *arena)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	const char *base = config && *config ? config : home;
	const char *rest = base == config ? "cjfr/views" : ".config/cjfr/views";
	size_t size;
	char *path;

	if (!base || !*base)
		return NULL;
	size = strlen(base) + strlen(rest) + 2;
	path = arena_alloc(arena, size);
	if (path)
		snprintf(path, size, "%s/%s", base, rest);
	return path;
}

static int is_view_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && str_ends(str_of(entry->d_name), SUFFIX);
}

/* A file of the user's folder; one that is no good must not take all other views away. */
static void add_own_file(const struct invocation *invocation, struct views *views,
			 const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	char *path = arena_alloc(&views->arena, size);
	struct err err = { .kind = ERR_NONE };
	struct stat stat_of;

	if (path) {
		snprintf(path, size, "%s/%s", folder, name);
		if (stat(path, &stat_of) == 0 && !S_ISREG(stat_of.st_mode))
			return;
		if (add_file(views, path, &err))
			return;
	} else {
		err_memory(&err);
	}
	complain(invocation, "note: %s", err.text);
}

static void add_folder(const struct invocation *invocation, struct views *views,
		       const char *folder)
{
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, is_view_file, alphasort);

	if (count < 0 && errno != ENOENT && errno != ENOTDIR)
		complain(invocation, "note: could not read the views in '%s' (%s)", folder,
			 strerror(errno));
	for (int i = 0; i < count; i++) {
		add_own_file(invocation, views, folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

enum status viewfiles_load(const struct invocation *invocation,
			   const struct option_list *files, struct views *views)
{
	const char *folder = user_folder(&views->arena);
	struct err err = { .kind = ERR_NONE };
	bool is_good = views_add_own(views, &err);

	if (is_good && folder && !invocation->is_jfr)
		add_folder(invocation, views, folder);
	for (size_t i = 0; is_good && i < files->count; i++)
		is_good = add_file(views, files->items[i], &err);
	if (!is_good)
		complain(invocation, "%s", err.text);
	return is_good ? STATUS_DONE : STATUS_FAILED;
}
