#include "host/cgroup.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "host/proc.h"

#define FOLDER "/sys/fs/cgroup"
#define UNLIMITED (UINT64_C(1) << 62)

/* A deeper group is not looked for. */
#define PATH_MAX_BYTES 1024

/* The two versions: version 1 has a hierarchy for each kind of resource. */
static const struct version {
	const char *folder, *limit, *used;
} versions[] = {
	{ "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes" },
	{ "", "memory.max", "memory.current" },
};

static bool has_memory(struct str controllers)
{
	struct str one;

	while (str_item(&controllers, &one)) {
		if (str_is(one, STR("memory")))
			return true;
	}
	return false;
}

/* Which group the process is in: "4:memory:/path" or "0::/path"; the first counts. */
static const struct version *find_group(struct str text, struct str *path)
{
	const struct version *found = NULL;
	struct str line, number, controllers;

	while (str_split(&text, '\n', &line)) {
		if (!str_split(&line, ':', &number) ||
		    !str_split(&line, ':', &controllers) || !line.size)
			continue;
		if (has_memory(controllers)) {
			*path = line;
			return &versions[0];
		}
		if (str_is(number, STR("0")) && !controllers.size) {
			*path = line;
			found = &versions[1];
		}
	}
	return found;
}

/* False: there is no such file, or no number in it ("max"). */
static bool read_number(uint64_t *number, const char *folder, const char *name)
{
	char path[PATH_MAX_BYTES + 64], text[64];
	size_t size = sizeof(text);
	int64_t found;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (!proc_read_into(text, &size, path) ||
	    !number_java(str_trim((struct str){ text, size }), &found) || found < 0)
		return false;
	*number = (uint64_t)found;
	return true;
}

/* Takes the least limit of a folder's and those above it, to `root` bytes of it. */
static void find_least(struct cgroup_memory *memory, const struct version *version,
		       char *folder, size_t root)
{
	uint64_t limit, used;

	for (;;) {
		char *slash = strrchr(folder + root, '/');

		if (read_number(&limit, folder, version->limit) &&
		    limit < memory->limit && read_number(&used, folder, version->used))
			*memory = (struct cgroup_memory){ limit, used };
		if (!slash)
			return;
		*slash = '\0';
	}
}

bool cgroup_memory_in(struct cgroup_memory *memory, struct str text, const char *folder)
{
	char path[PATH_MAX_BYTES];
	struct str group;
	const struct version *version = find_group(text, &group);
	int root, size;

	*memory = (struct cgroup_memory){ UNLIMITED, 0 };
	if (!version)
		return false;
	root = snprintf(path, sizeof(path), "%s%s", folder, version->folder);
	if (root < 0 || (size_t)root >= sizeof(path))
		return false;
	/* In a container the path may be one of outside, where its own is the root. */
	size = snprintf(path + root, sizeof(path) - (size_t)root, "%.*s",
			(int)group.size, group.bytes);
	if (size < 0 || (size_t)size >= sizeof(path) - (size_t)root ||
	    access(path, F_OK) != 0)
		path[root] = '\0';
	find_least(memory, version, path, (size_t)root);
	return memory->limit < UNLIMITED;
}

bool cgroup_memory(struct cgroup_memory *memory)
{
	char text[8192];
	size_t size = sizeof(text);

	return proc_read_into(text, &size, "/proc/self/cgroup") &&
	       cgroup_memory_in(memory, (struct str){ text, size }, FOLDER);
}
