#include "jvms/counters.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/entries.h"
#include "base/now.h"

#define FOLDER "hsperfdata_"
#define FILE_MAX ((off_t)4 << 20) /* it is 32 KB, unless it was asked for more */
#define TEXT_SIZE ((size_t)64 << 10)

struct search {
	const struct process *process;
	char name[16];
	int file;
};

/* When it began, since 1970, as far as the clock was not set since. */
static int64_t begin_of(const struct process *process)
{
	long ticks = sysconf(_SC_CLK_TCK);
	int64_t tick = SECOND / (ticks > 0 ? ticks : 100);

	return now_nanos() - now_by(CLOCK_BOOTTIME) + process->begun * tick;
}

static bool is_its(const struct process *process, int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	       status.st_uid == process->uid && status.st_size <= FILE_MAX &&
	       (status.st_mtim.tv_sec + 2) * SECOND >= begin_of(process);
}

static bool is_folder_of(const struct process *process, int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && status.st_uid == process->uid;
}

/* Goes on until it is found. */
static bool look_in(int tmp, const char *name, void *context)
{
	struct search *search = context;
	int folder;

	if (strncmp(name, FOLDER, sizeof(FOLDER) - 1) != 0)
		return true;
	folder = openat(tmp, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0)
		return true;
	if (is_folder_of(search->process, folder))
		search->file = openat(folder, search->name,
				      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	close(folder);
	if (search->file >= 0 && !is_its(search->process, search->file)) {
		close(search->file);
		search->file = -1;
	}
	return search->file < 0;
}

/* Copied, not mapped: who owns it may cut it short at any time. */
static bool copy_of(struct counters *counters, int file)
{
	struct stat status;
	ssize_t size;

	if (fstat(file, &status) != 0 || status.st_size <= 0 ||
	    status.st_size > FILE_MAX)
		return false;
	counters->bytes = malloc((size_t)status.st_size);
	if (!counters->bytes)
		return false;
	size = pread(file, counters->bytes, (size_t)status.st_size, 0);
	return size > 0 && perfdata_in(&counters->perf, counters->bytes, (size_t)size);
}

bool counters_read(struct counters *counters, const struct process *process,
		   const struct rooted *rooted)
{
	struct search search = { .process = process, .file = -1 };
	int tmp = rooted_open(rooted, "/tmp", O_RDONLY | O_DIRECTORY, 0);
	bool is_read;

	memset(counters, 0, sizeof(*counters));
	if (tmp < 0)
		return false;
	snprintf(search.name, sizeof(search.name), "%d", (int)process->inner);
	entries_each(tmp, look_in, &search);
	close(tmp);
	if (search.file < 0)
		return false;
	is_read = copy_of(counters, search.file);
	close(search.file);
	if (!is_read)
		counters_clear(counters);
	return is_read;
}

void counters_clear(struct counters *counters)
{
	free(counters->bytes);
	memset(counters, 0, sizeof(*counters));
}

char *counters_text(const struct counters *counters, const char *name)
{
	struct perfdata_text text = perfdata_text(&counters->perf, name);
	size_t size = text.size < TEXT_SIZE ? text.size : TEXT_SIZE;
	char *copy = text.bytes ? malloc(size + 1) : NULL;

	if (copy)
		perfdata_copy(text, copy, size + 1);
	return copy;
}
