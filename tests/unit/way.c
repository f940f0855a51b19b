#include "way.h"

#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE 997

const char *const way_names[WAY_COUNT] = { "file", "pipe", "packed" };

static void write_all(int fd, const unsigned char *bytes, size_t size, size_t piece)
{
	while (size) {
		ssize_t put = write(fd, bytes, size < piece ? size : piece);

		if (put < 0)
			return;
		bytes += put;
		size -= (size_t)put;
	}
}

void way_file(char *path, const void *bytes, size_t size)
{
	int fd;

	snprintf(path, sizeof(((struct come *)0)->path), "/tmp/cjfr-test-XXXXXX");
	fd = mkstemp(path);
	cr_assert(fd >= 0);
	write_all(fd, bytes, size, size);
	close(fd);
}

/* The reading end of a pipe that a child fills. */
static struct come pipe_open(const void *bytes, size_t size)
{
	struct come come = { .fd = -1 };
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	come.child = fork();
	if (come.child == 0) {
		close(ends[0]);
		write_all(ends[1], bytes, size, PIECE);
		_exit(0);
	}
	close(ends[1]);
	come.fd = ends[0];
	snprintf(come.path, sizeof(come.path), "/dev/fd/%d", come.fd);
	return come;
}

struct come way_open(enum way way, const void *bytes, size_t size)
{
	static const char *const gzip[] = { "gzip", NULL };
	struct come come = { .fd = -1 };
	void *packed;

	if (way == WAY_PIPE)
		return pipe_open(bytes, size);
	if (way == WAY_FILE) {
		way_file(come.path, bytes, size);
		return come;
	}
	packed = way_pack(bytes, size, gzip, &size);
	way_file(come.path, packed, size);
	free(packed);
	return come;
}

void way_close(struct come *come)
{
	if (come->child) {
		close(come->fd);
		kill(come->child, SIGKILL);
		waitpid(come->child, NULL, 0);
	} else {
		unlink(come->path);
	}
	*come = (struct come){ .fd = -1 };
}

/* Room for what is packed: it may grow a little. */
static void *room_for(size_t size, size_t *room)
{
	*room = size * 2 + 65536;
	return malloc(*room);
}

static void write_entry(struct archive *archive, const struct way_entry *file)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_set_pathname(entry, file->name);
	archive_entry_set_size(entry, (la_int64_t)file->size);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	cr_assert_eq(archive_write_header(archive, entry), ARCHIVE_OK, "%s",
		     archive_error_string(archive));
	if (file->size)
		cr_assert_eq(archive_write_data(archive, file->bytes, file->size),
			     (la_ssize_t)file->size);
	archive_entry_free(entry);
}

static void *finish(struct archive *archive, void *packed)
{
	cr_assert_eq(archive_write_close(archive), ARCHIVE_OK, "%s",
		     archive_error_string(archive));
	archive_write_free(archive);
	return packed;
}

static void *pack_once(const void *bytes, size_t size, const char *filter, size_t *used)
{
	const struct way_entry whole = { "data", bytes, size };
	struct archive *archive = archive_write_new();
	size_t room;
	void *packed = room_for(size, &room);

	cr_assert_eq(archive_write_set_format_raw(archive), ARCHIVE_OK);
	cr_assert_eq(archive_write_add_filter_by_name(archive, filter), ARCHIVE_OK,
		     "%s: %s", filter, archive_error_string(archive));
	archive_write_set_bytes_in_last_block(archive, 1);
	*used = 0;
	cr_assert_eq(archive_write_open_memory(archive, packed, room, used), ARCHIVE_OK);
	write_entry(archive, &whole);
	return finish(archive, packed);
}

void *way_pack(const void *bytes, size_t size, const char *const *filters,
	       size_t *packed_size)
{
	void *packed = malloc(size + 1);

	memcpy(packed, bytes, size);
	*packed_size = size;
	for (; *filters; filters++) {
		void *once = pack_once(packed, *packed_size, *filters, packed_size);

		free(packed);
		packed = once;
	}
	return packed;
}

void *way_zip(const struct way_entry *entries, size_t *packed_size)
{
	struct archive *archive = archive_write_new();
	size_t size = 0, room;
	void *packed;

	for (size_t i = 0; entries[i].name; i++)
		size += entries[i].size + 1000;
	packed = room_for(size, &room);
	cr_assert_eq(archive_write_set_format_zip(archive), ARCHIVE_OK);
	archive_write_set_bytes_in_last_block(archive, 1);
	*packed_size = 0;
	cr_assert_eq(archive_write_open_memory(archive, packed, room, packed_size),
		     ARCHIVE_OK);
	for (; entries->name; entries++)
		write_entry(archive, entries);
	return finish(archive, packed);
}
