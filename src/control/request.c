#include "control/request.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fully.h"
#include "control/members.h"

static const char *const words[] = {
	[REQUEST_START] = "start",
	[REQUEST_DUMP] = "dump",
	[REQUEST_STOP] = "stop",
	[REQUEST_CHECK] = "check",
	[REQUEST_SET] = "set",
	[REQUEST_DETACH] = "detach",
};

static const char *const to_words[] = {
	[REQUEST_TO_OUTPUT] = "output",
	[REQUEST_TO_CLIENT] = "client",
	[REQUEST_TO_NOBODY] = "nobody",
	NULL,
};

#define ROW(key_, kind_, member_, ...)                                         \
	MEMBER_ROW(struct request, key_, MEMBER_##kind_, member_, __VA_ARGS__)

static const struct member rows[] = {
	ROW("name", TEXT, name),
	ROW("last", NUMBER, last),
	ROW("to", WORD, to, .words = to_words),
};

static const struct member_table table = MEMBER_TABLE(rows);

/* Which verbs have a use for which of the rows. */
#define OF(verb) (1u << REQUEST_##verb)

static const unsigned users[sizeof(rows) / sizeof(rows[0])] = {
	OF(DUMP) | OF(STOP) | OF(CHECK) | OF(SET),
	OF(DUMP) | OF(STOP),
	OF(STOP),
};

static bool is_used(const struct request *request, const struct member *row)
{
	return users[row - rows] >> request->verb & 1;
}

void request_init(struct request *request, enum request_verb verb)
{
	*request = (struct request){ .verb = verb };
}

void request_clear(struct request *request)
{
	arena_clear(&request->arena);
	request_init(request, request->verb);
}

const char *request_word(enum request_verb verb)
{
	return words[verb];
}

void request_write(const struct request *request, struct buf *to)
{
	for (size_t i = 0; i < table.count; i++) {
		if (is_used(request, &rows[i]))
			member_write(request, &rows[i], to);
	}
}

static bool read_verb(struct request *request, const char *word, struct err *err)
{
	for (unsigned i = 0; i < REQUEST_VERBS; i++) {
		if (strcmp(word, words[i]) == 0) {
			request->verb = i;
			return true;
		}
	}
	return err_set(err, ERR_USAGE, "an agent does not know '%s'", word);
}

static bool read_line(struct request *request, struct str line, struct err *err)
{
	const struct member *row;
	struct str key, value;

	if (!member_split(line, &key, &value, err))
		return false;
	row = member_find(&table, key);
	return row && is_used(request, row)
		       ? member_read(request, row, value, &request->arena, err)
		       : member_unknown(key, err);
}

bool request_read(struct request *request, const char *word, const char *rest,
		  struct err *err)
{
	struct str text = str_of(rest), line;

	if (!read_verb(request, word, err))
		return false;
	while (str_split(&text, '\n', &line)) {
		if (read_line(request, line, err))
			continue;
		if (err && err->kind == ERR_FORMAT)
			err->kind = ERR_USAGE;
		return err_within(err, "%s", word);
	}
	return true;
}

/*
 * Others wait in their own ways, regular ones too: those of the network, of other processes.
 * What may be sealed, if not this one, is in memory.
 */
static bool is_in_memory(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	       fcntl(fd, F_GET_SEALS) >= 0;
}

/* It may grow while it is read. */
static bool read_all(int fd, struct buf *text, struct err *err)
{
	char bytes[16 << 10];
	size_t at = 0;

	while (at <= REQUEST_FILE_MAX) {
		ssize_t got = pread(fd, bytes, sizeof(bytes), (off_t)at);

		if (got == 0)
			return !text->failed || err_memory(err);
		if (got < 0 && errno != EINTR)
			return err_system(err, "the file with it cannot be read");
		if (got > 0) {
			buf_add(text, bytes, (size_t)got);
			at += (size_t)got;
		}
	}
	return err_set(err, ERR_USAGE, "the file with it has more than %zu bytes",
		       REQUEST_FILE_MAX);
}

bool request_file(int fd, struct buf *text, struct err *err)
{
	if (fd < 0)
		return err_set(err, ERR_USAGE, "there is no file with it");
	if (!is_in_memory(fd))
		return err_set(err, ERR_USAGE, "the file with it is not one in memory");
	return read_all(fd, text, err);
}

int request_make_file(struct str text, struct err *err)
{
	int fd = memfd_create("request", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd >= 0 && fully_write(fd, text.bytes, text.size))
		return fd;
	err_system(err, "cannot make a file in memory");
	if (fd >= 0)
		close(fd);
	return -1;
}
