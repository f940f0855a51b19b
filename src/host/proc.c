#include "host/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"
#include "base/number.h"

#define PIECE 4096
#define TASK_PATH 64

/* Reads what fits the room; 0 at the end, less when it cannot be read. */
static ssize_t read_piece(int fd, char *to, size_t room)
{
	ssize_t size;

	do
		size = read(fd, to, room);
	while (size < 0 && errno == EINTR);
	return size;
}

static bool read_all(struct buf *to, int fd)
{
	size_t start = to->size;
	ssize_t size = 1;

	while (size > 0 && to->size - start < PROC_FILE_MAX) {
		char *at = buf_room(to, PIECE);

		size = at ? read_piece(fd, at, PIECE) : -1;
		if (size > 0)
			to->size += (size_t)size;
	}
	return size >= 0;
}

bool proc_read_into(char *to, size_t *size, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read_piece(fd, to, *size);
	close(fd);
	*size = got > 0 ? (size_t)got : 0;
	return got > 0;
}

bool proc_read(struct buf *to, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is_good;

	if (fd < 0)
		return false;
	is_good = read_all(to, fd);
	close(fd);
	return is_good;
}

/* What stands before the next blank, taken off the front; blanks before it, too. */
static struct str take_word(struct str *text)
{
	struct str word = { NULL, 0 };

	while (str_split(text, ' ', &word) && !word.size) {
	}
	return word;
}

/* A word of digits; false if it is none. */
static bool take_number(struct str *text, uint64_t *number)
{
	struct str word = take_word(text);
	int64_t found;

	if (!word.size || *word.bytes < '0' || *word.bytes > '9' ||
	    !number_java(word, &found))
		return false;
	*number = (uint64_t)found;
	return true;
}

/* A file of a thread of this process; "" is its folder. */
static void task_path(char path[TASK_PATH], pid_t tid, const char *file)
{
	snprintf(path, TASK_PATH, "/proc/self/task/%ld/%s", (long)tid, file);
}

/* CPU time -------------------------------------------------------------------- */

static int64_t nanos_of_timeval(const struct timeval *time)
{
	return time->tv_sec * SECOND + time->tv_usec * INT64_C(1000);
}

static bool times_of(struct proc_times *times, int whose)
{
	struct rusage usage;

	if (getrusage(whose, &usage) != 0)
		return false;
	times->user = nanos_of_timeval(&usage.ru_utime);
	times->system = nanos_of_timeval(&usage.ru_stime);
	return true;
}

bool proc_process_times(struct proc_times *times)
{
	return times_of(times, RUSAGE_SELF);
}

bool proc_own_times(struct proc_times *times)
{
	return times_of(times, RUSAGE_THREAD);
}

int64_t proc_thread_total(pid_t tid)
{
	struct timespec time;

	if (clock_gettime(clock_of_thread(tid), &time) != 0)
		return -1;
	return time.tv_sec * SECOND + time.tv_nsec;
}

int64_t proc_tick(void)
{
	long ticks = sysconf(_SC_CLK_TCK);

	return ticks > 0 ? SECOND / ticks : SECOND / 100;
}

/* "1 (name) S 2 3 ...": the name ends with the last parenthesis, whatever is in it. */
bool proc_stat_parse(struct str text, struct proc_stat *stat)
{
	enum { BEFORE_TIMES = 11 };	/* the state is the 3rd word, user the 14th */
	const char *open = text.size ? memchr(text.bytes, '(', text.size) : NULL;
	const char *close = text.size ? memrchr(text.bytes, ')', text.size) : NULL;
	struct str rest;

	if (!open || !close || close < open)
		return false;
	stat->name = (struct str){ open + 1, (size_t)(close - open) - 1 };
	rest = (struct str){ close + 1, text.size - (size_t)(close + 1 - text.bytes) };
	for (int i = 0; i < BEFORE_TIMES; i++)
		take_word(&rest);
	return take_number(&rest, &stat->user) && take_number(&rest, &stat->system);
}

bool proc_thread_times(pid_t tid, struct proc_times *times)
{
	char path[TASK_PATH], text[1024];
	size_t size = sizeof(text);
	struct proc_stat stat;
	int64_t total;

	task_path(path, tid, "stat");
	total = proc_thread_total(tid);
	if (total < 0 || !proc_read_into(text, &size, path) ||
	    !proc_stat_parse((struct str){ text, size }, &stat))
		return false;
	times->user = (int64_t)stat.user * proc_tick();
	if (times->user > total)
		times->user = total;
	times->system = total - times->user;
	return true;
}

bool proc_machine_parse(struct str text, struct proc_machine *machine)
{
	enum { USER, NICE, SYSTEM, IDLE, WAIT, INTERRUPT, SOFT, STOLEN, COUNT };
	uint64_t ticks[COUNT] = { 0 };
	size_t count = 0;
	struct str line;

	if (!str_split(&text, '\n', &line) || !str_is(take_word(&line), STR("cpu")))
		return false;
	while (count < COUNT && take_number(&line, &ticks[count]))
		count++;
	machine->busy = ticks[USER] + ticks[NICE] + ticks[SYSTEM] + ticks[INTERRUPT] +
			ticks[SOFT];
	machine->total = machine->busy + ticks[IDLE] + ticks[WAIT] + ticks[STOLEN];
	return count > IDLE;
}

bool proc_machine(struct proc_machine *machine)
{
	char text[1024];
	size_t size = sizeof(text);

	return proc_read_into(text, &size, "/proc/stat") &&
	       proc_machine_parse((struct str){ text, size }, machine);
}

/* Memory ---------------------------------------------------------------------- */

bool proc_memory_parse(struct str text, struct proc_memory *memory)
{
	bool has_total = false, has_available = false;
	struct str line;

	while (str_split(&text, '\n', &line)) {
		struct str name = take_word(&line);

		if (str_is(name, STR("MemTotal:")))
			has_total = take_number(&line, &memory->total);
		if (str_is(name, STR("MemAvailable:")))
			has_available = take_number(&line, &memory->available);
	}
	memory->total *= 1024;
	memory->available *= 1024;
	return has_total && has_available;
}

bool proc_memory(struct proc_memory *memory)
{
	char text[4096];
	size_t size = sizeof(text);

	return proc_read_into(text, &size, "/proc/meminfo") &&
	       proc_memory_parse((struct str){ text, size }, memory);
}

/* Processes and threads ------------------------------------------------------- */

bool proc_is_thread(pid_t tid)
{
	char path[TASK_PATH];

	task_path(path, tid, "");
	return access(path, F_OK) == 0;
}

/* Each is a folder, whose ".." is a link to this one; two links are its own. */
long proc_thread_count(void)
{
	struct stat stat_of;

	if (stat("/proc/self/task", &stat_of) != 0 || stat_of.st_nlink <= 2)
		return -1;
	return (long)stat_of.st_nlink - 2;
}

bool proc_thread_name(struct buf *to, pid_t tid)
{
	char path[TASK_PATH];

	task_path(path, tid, "comm");
	if (!proc_read(to, path))
		return false;
	if (to->size && to->bytes[to->size - 1] == '\n')
		to->size--;
	return true;
}

bool proc_list_open(struct proc_list *list, const char *path)
{
	list->folder = opendir(path);
	return list->folder != NULL;
}

bool proc_list_next(struct proc_list *list, pid_t *id)
{
	const struct dirent *entry;
	uint64_t number;

	while ((entry = readdir(list->folder))) {
		struct str name = str_of(entry->d_name);

		if (!take_number(&name, &number) || number > INT32_MAX)
			continue;
		*id = (pid_t)number;
		return true;
	}
	return false;
}

void proc_list_close(struct proc_list *list)
{
	if (list->folder)
		closedir(list->folder);
	list->folder = NULL;
}
