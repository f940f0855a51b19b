/*
 * fuzz_merge.c - the input is two recordings; what they become must be without fault.
 *
 * The second begins at the last header in the input. Nothing in the result is damaged,
 * no constant has a key that meant something else in the chunk before under the same
 * number of its type, and all events are there that repair finds in each of both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "copy/merge.h"
#include "copy/sense.h"
#include "fuzz/written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file that has no name but this. */
static void open_part(const uint8_t *data, size_t size, int *fd, char path[32])
{
	*fd = memfd_create("part", MFD_CLOEXEC);
	if (*fd < 0 || write(*fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, 32, "/proc/self/fd/%d", *fd);
}

/* False if there is no chunk in any of them. */
static bool merge_files(const char *const *paths, size_t count, struct merge *merge,
			struct buf *to)
{
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct err err = { 0 };
	bool is_good;

	*merge = (struct merge){ .copy = { .sink = written_add, .context = to } };
	is_good = input_open(&input, paths, count, &damage, &err) &&
		  merge_input(merge, &input, &damage, &err);
	if (!is_good && err.kind != ERR_FORMAT && err.kind != ERR_SYSTEM)
		abort();
	if (is_good && merge->copy.bytes != to->size)
		abort();
	merge_clear(merge);
	damage_clear(&damage);
	input_close(&input);
	return is_good;
}

/* Events of one file, those that are lost included. */
static uint64_t events_of(const char *path)
{
	struct copy copy = { .sink = written_add };
	struct damage damage = { 0 };
	struct input input = { 0 };
	struct buf buf = { 0 };
	struct err err = { 0 };

	copy.context = &buf;
	if (input_open(&input, &path, 1, &damage, &err))
		copy_input(&copy, &input, &damage, &err);
	copy_clear(&copy);
	buf_clear(&buf);
	damage_clear(&damage);
	input_close(&input);
	return copy.events + copy.lost_events;
}

/* Stand-ins (standin.h) have the same keys in all chunks, and may lack what others have. */
static bool has_standins(const struct chunk *chunk)
{
	const uint64_t last = UINT64_C(1) << 56, first = last - 1024;

	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		const struct pool *pool = chunk->pools[i];

		for (size_t k = 0; pool && k < pool->constants.count; k++) {
			uint64_t key = pool->constants.items[k].key;

			if (key >= first && key < last)
				return true;
		}
	}
	return false;
}

static void check_keys(void *context, const struct chunk *chunk)
{
	struct map *last = context;
	struct sense sense;

	if (has_standins(chunk)) {
		map_clear(last);
		return;
	}
	if (!sense_open(&sense, chunk))
		abort();
	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		if (sense_differs(&sense, last, &chunk->metadata.types[i]))
			abort();
	}
	if (!sense_keep(&sense, last))
		abort();
	sense_close(&sense);
}

/* Where the last header begins; 0: there is none, or but the first. */
static size_t find_second(const uint8_t *data, size_t size)
{
	size_t at = size > HEADER_MAGIC_SIZE ? size - HEADER_MAGIC_SIZE : 0;

	while (at > 0 && memcmp(data + at, header_magic, HEADER_MAGIC_SIZE) != 0)
		at--;
	return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t first = find_second(data, size);
	char names[2][32];
	const char *paths[2] = { names[0], names[1] };
	struct buf merged = { 0 };
	struct map last = { 0 };
	struct merge merge;
	int fds[2];

	open_part(data, first, &fds[0], names[0]);
	open_part(data + first, size - first, &fds[1], names[1]);
	if (merge_files(paths, 2, &merge, &merged)) {
		const struct copy *copy = &merge.copy;
		uint64_t events = events_of(paths[0]) + events_of(paths[1]);

		written_check(copy, &merged, check_keys, &last);
		map_clear(&last);
		if (copy->twofold_chunks == 0 &&
		    copy->events + copy->lost_events != events)
			abort();
	}
	buf_clear(&merged);
	close(fds[0]);
	close(fds[1]);
	return 0;
}
