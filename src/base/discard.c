#include "base/discard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool discard_each(int folder, discard_see *see, void *context)
{
	/* A descriptor of its own: where one was read to, others would go on. */
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *names = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	bool goes_on = names != NULL;

	while (goes_on && (entry = readdir(names))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			goes_on = see(folder, entry->d_name, context);
	}
	if (names)
		closedir(names);
	else if (fd >= 0)
		close(fd);
	return goes_on;
}

static bool remove_file(int folder, const char *name, void *context)
{
	(void)context;
	unlinkat(folder, name, 0);
	return true;
}

void discard_files(int folder)
{
	discard_each(folder, remove_file, NULL);
}

bool discard_folder(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (folder >= 0) {
		discard_files(folder);
		close(folder);
	}
	return rmdir(path) == 0 || errno == ENOENT;
}
