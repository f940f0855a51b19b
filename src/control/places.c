#include "control/places.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/entries.h"

bool places_is_session(struct str name)
{
	struct str form = STR(PLACES_SESSION);

	if (name.size != form.size)
		return false;
	for (size_t i = 0; i < form.size; i++) {
		if (form.bytes[i] == 'X' ? !str_is_alphanumeric(name.bytes[i])
					 : name.bytes[i] != form.bytes[i])
			return false;
	}
	return true;
}

static bool is_one_of(struct str name, const struct str *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (str_is(name, names[i]))
			return true;
	}
	return false;
}

bool places_is_of_session(const char *name)
{
	static const struct str names[] = {
		STR(PLACES_ORDERS), STR(PLACES_SOCKET), STR(PLACES_CONTROL),
		STR(PLACES_LOG),
	};

	return is_one_of(str_of(name), names, sizeof(names) / sizeof(*names));
}

static bool is_chunk(struct str name)
{
	return str_ends(name, STR(PLACES_CHUNK_END));
}

bool places_is_of_repository(int folder, const char *name)
{
	static const struct str files[] = {
		STR(PLACES_SPILL), STR(PLACES_SPILL ".part"), STR(PLACES_LOG),
	};
	static const struct str links[] = {
		STR(PLACES_OUTPUT), STR(PLACES_OUTPUT ".part"),
	};
	struct str text = str_of(name);
	struct stat status;

	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	if (S_ISLNK(status.st_mode))
		return is_one_of(text, links, sizeof(links) / sizeof(*links));
	if (S_ISSOCK(status.st_mode))
		return str_is(text, STR(PLACES_CONTROL));
	return S_ISREG(status.st_mode) &&
	       (is_chunk(text) || is_one_of(text, files, sizeof(files) / sizeof(*files)));
}

/* Goes on until there is one. */
static bool find_chunk(int folder, const char *name, void *context)
{
	bool *has_one = context;
	struct stat status;

	*has_one = is_chunk(str_of(name)) &&
		   fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		   S_ISREG(status.st_mode) && status.st_size > 0;
	return !*has_one;
}

bool places_has_chunks(int folder)
{
	bool has_one = false;

	entries_each(folder, find_chunk, &has_one);
	return has_one;
}

static bool remove_ours(int folder, const char *name, void *context)
{
	(void)context;
	if (places_is_of_repository(folder, name))
		unlinkat(folder, name, 0);
	return true;
}

void places_empty(int folder)
{
	entries_each(folder, remove_ours, NULL);
}

static bool is_of_session(int folder, const char *name, void *context)
{
	(void)folder;
	(void)context;
	return places_is_of_session(name);
}

static bool remove_name(int folder, const char *name, void *context)
{
	(void)context;
	return unlinkat(folder, name, 0) == 0;
}

bool places_empty_session(int folder)
{
	return entries_each(folder, is_of_session, NULL) &&
	       entries_each(folder, remove_name, NULL);
}

bool places_discard(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (folder >= 0) {
		places_empty(folder);
		close(folder);
	}
	return rmdir(path) == 0 || errno == ENOENT;
}
