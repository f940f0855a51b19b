#include "probe/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fully.h"

/* No name of a class has a dot in it, or an empty part. */
static bool is_good(struct str name)
{
	bool is_begin = true;

	for (size_t i = 0; i < name.size; i++) {
		char byte = name.bytes[i];

		if (byte == '.' || byte == '\0' || (is_begin && byte == '/'))
			return false;
		is_begin = byte == '/';
	}
	return !is_begin;
}

/* Behind the given length there are folders of ours. */
static bool make_folders(struct buf *path, size_t from)
{
	for (size_t i = from; i < path->size; i++) {
		bool is_made;

		if (path->bytes[i] != '/')
			continue;
		path->bytes[i] = '\0';
		is_made = mkdir(path->bytes, 0777) == 0 || errno == EEXIST;
		path->bytes[i] = '/';
		if (!is_made)
			return false;
	}
	return true;
}

/* True if just these bytes are there. */
static bool is_there(const char *path, struct str bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char part[4096];
	size_t at = 0;
	ssize_t got = 0;

	if (fd < 0)
		return false;
	while ((got = read(fd, part, sizeof(part))) > 0) {
		if ((size_t)got > bytes.size - at ||
		    memcmp(part, bytes.bytes + at, (size_t)got) != 0)
			break;
		at += (size_t)got;
	}
	close(fd);
	return got == 0 && at == bytes.size;
}

/* 0: written, or there; else errno, and nothing of it is left. */
static int write_new(const char *path, struct str bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	int reason = 0;

	if (fd < 0)
		return errno == EEXIST && is_there(path, bytes) ? 0 : errno;
	if (!fully_write(fd, bytes.bytes, bytes.size))
		reason = errno;
	if (close(fd) != 0 && !reason)
		reason = errno;
	if (reason)
		unlink(path);
	return reason;
}

static int write_version(struct buf *path, struct str bytes)
{
	size_t size = path->size;
	int reason = EEXIST;

	for (int version = 1; version <= DUMP_VERSIONS && reason == EEXIST; version++) {
		path->size = size;
		if (version > 1)
			buf_printf(path, ".%d", version);
		buf_text_nul(path, ".class");
		if (path->failed)
			return ENOMEM;
		reason = write_new(path->bytes, bytes);
	}
	return reason == EEXIST ? 0 : reason;
}

bool dump_class(const char *folder, struct str name, struct str bytes, struct err *err)
{
	struct buf path = { 0 };
	size_t from;
	int reason = 0;

	if (!is_good(name))
		return true;
	buf_text(&path, folder);
	buf_byte(&path, '/');
	from = path.size;
	buf_str(&path, name);
	if (path.failed) {
		buf_clear(&path);
		return err_memory(err);
	}
	reason = make_folders(&path, from) ? write_version(&path, bytes) : errno;
	buf_clear(&path);
	errno = reason;
	return !reason || err_system(err, "cannot write a class into '%s'", folder);
}
