#include "jvms/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/number.h"

#define TEXT_MAX ((size_t)64 << 10)
#define STEP ((size_t)16 << 10)

/* --- texts ------------------------------------------------------------------------ */

/* The n-th word of a line, from 0. */
static struct str word_of(struct str line, size_t n)
{
	struct str word = { NULL, 0 };

	for (;;) {
		while (line.size && (*line.bytes == ' ' || *line.bytes == '\t')) {
			line.bytes++;
			line.size--;
		}
		word = (struct str){ line.bytes, 0 };
		while (word.size < line.size && line.bytes[word.size] != ' ' &&
		       line.bytes[word.size] != '\t')
			word.size++;
		if (!n-- || !word.size)
			return word;
		line.bytes += word.size;
		line.size -= word.size;
	}
}

static struct str last_word_of(struct str line, size_t *count)
{
	*count = 0;
	while (word_of(line, *count).size)
		++*count;
	return *count ? word_of(line, *count - 1) : (struct str){ NULL, 0 };
}

static bool take_number(struct str word, int64_t most, int64_t *number)
{
	return number_java(word, number) && *number >= 0 && *number <= most;
}

static bool take_pid(struct str word, pid_t *pid)
{
	int64_t number;

	if (!take_number(word, INT32_MAX, &number))
		return false;
	*pid = (pid_t)number;
	return true;
}

/* The second of four: real, effective, saved, of files. */
static bool take_id(struct str line, unsigned *id)
{
	int64_t number;

	if (!take_number(word_of(line, 1), UINT32_MAX, &number))
		return false;
	*id = (unsigned)number;
	return true;
}

static bool take_name(struct process *process, struct str line)
{
	struct str name = str_front(str_trim(line), sizeof(process->name) - 1);

	memcpy(process->name, name.bytes, name.size);
	process->name[name.size] = '\0';
	return true;
}

static bool take_state(struct process *process, struct str line)
{
	struct str word = word_of(line, 0);

	process->state = word.size ? *word.bytes : '\0';
	return word.size == 1;
}

static bool take_group(struct process *process, struct str line)
{
	return take_pid(word_of(line, 0), &process->group);
}

static bool take_uid(struct process *process, struct str line)
{
	return take_id(line, &process->uid);
}

static bool take_gid(struct process *process, struct str line)
{
	return take_id(line, &process->gid);
}

static bool take_inner(struct process *process, struct str line)
{
	size_t count;

	if (!take_pid(last_word_of(line, &count), &process->inner))
		return false;
	process->is_nested = count > 1;
	return true;
}

/* A set of signals: SIGQUIT is bit 2, counted from 0. */
static bool take_caught(struct process *process, struct str line)
{
	char digits[24], *end;
	struct str word = word_of(line, 0);

	if (!word.size || word.size >= sizeof(digits))
		return false;
	memcpy(digits, word.bytes, word.size);
	digits[word.size] = '\0';
	process->takes_quit = strtoull(digits, &end, 16) >> (SIGQUIT - 1) & 1;
	return !*end;
}

/* All that has memory of its own has that line. */
static bool take_size(struct process *process, struct str line)
{
	(void)line;
	process->is_kernel = false;
	return true;
}

bool process_parse_status(struct process *process, struct str text)
{
	static const struct {
		struct str key;
		bool (*take)(struct process *process, struct str line);
		bool is_needed;
	} rows[] = {
		{ STR("Name:"), take_name, true },
		{ STR("State:"), take_state, true },
		{ STR("Tgid:"), take_group, true },
		{ STR("Uid:"), take_uid, true },
		{ STR("Gid:"), take_gid, true },
		{ STR("NSpid:"), take_inner, false }, /* Linux 4.1 */
		{ STR("SigCgt:"), take_caught, true },
		{ STR("VmSize:"), take_size, false },
	};
	size_t needed = 0, found = 0;
	struct str line;

	process->inner = process->pid;
	process->is_nested = process->takes_quit = false;
	process->is_kernel = true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		needed += rows[i].is_needed;
	while (str_split(&text, '\n', &line)) {
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
			if (!str_starts(line, rows[i].key))
				continue;
			line.bytes += rows[i].key.size;
			line.size -= rows[i].key.size;
			if (!rows[i].take(process, line))
				return false;
			found += rows[i].is_needed;
			break;
		}
	}
	if (process->state == 'Z' || process->state == 'X')
		process->is_kernel = false;
	return found == needed;
}

/* "1 (a name, with any bytes) S ...": the state is field 3, the beginning field 22. */
bool process_parse_stat(struct process *process, struct str text)
{
	const char *behind = text.size ? memrchr(text.bytes, ')', text.size) : NULL;
	struct str rest;

	if (!behind)
		return false;
	rest = str_trim((struct str){ behind + 1,
				      (size_t)(text.bytes + text.size - behind - 1) });
	return take_number(word_of(rest, 22 - 3), INT64_MAX, &process->begun);
}

/* --- files ------------------------------------------------------------------------ */

bool process_read(const struct process *process, const char *name, size_t most,
		  struct buf *to)
{
	int fd = openat(process->folder, name, O_RDONLY | O_CLOEXEC);
	size_t left = most;
	ssize_t size = 1;
	int error;

	if (fd < 0)
		return false;
	while (left && size > 0) {
		size_t step = left < STEP ? left : STEP;
		char *room = buf_room(to, step);

		if (!room) {
			close(fd);
			errno = ENOMEM;
			return false;
		}
		do {
			size = read(fd, room, step);
		} while (size < 0 && errno == EINTR);
		if (size > 0) {
			to->size += (size_t)size;
			left -= (size_t)size;
		}
	}
	error = errno;
	close(fd);
	errno = error;
	return size >= 0;
}

static bool read_part(struct process *process, const char *name,
		      bool (*parse)(struct process *process, struct str text))
{
	struct buf text = { NULL };
	bool is_read = process_read(process, name, TEXT_MAX, &text);
	int error = errno;

	if (is_read && !parse(process, buf_as_str(&text))) {
		is_read = false;
		error = ESRCH; /* it is empty when the process has gone */
	}
	buf_clear(&text);
	errno = error;
	return is_read;
}

bool process_renew(struct process *process)
{
	return read_part(process, "stat", process_parse_stat) &&
	       read_part(process, "status", process_parse_status);
}

bool process_open(struct process *process, pid_t pid)
{
	char path[32];
	int error;

	memset(process, 0, sizeof(*process));
	process->pid = pid;
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	process->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (process->folder < 0)
		return false;
	if (process_renew(process))
		return true;
	error = errno;
	process_close(process);
	errno = error;
	return false;
}

void process_close(struct process *process)
{
	if (process->folder >= 0)
		close(process->folder);
	process->folder = -1;
}

/* A folder in /proc is as good as what pidfd_open gives (Linux 5.1). */
bool process_quit(const struct process *process)
{
	struct process now = *process;

	if (syscall(SYS_pidfd_send_signal, process->folder, SIGQUIT, NULL, 0) == 0)
		return true;
	if (errno != ENOSYS)
		return false;
	return process_renew(&now) && now.begun == process->begun &&
	       kill(process->pid, SIGQUIT) == 0;
}
