#include "base/entries.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool entries_each(int folder, entries_see *see, void *context)
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

bool entries_each_of(const char *path, entries_see *see, void *context)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool goes_on = folder >= 0 && entries_each(folder, see, context);

	if (folder >= 0)
		close(folder);
	return goes_on;
}
