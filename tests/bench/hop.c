/*
 * hop - the least that a reader of a recording has to do.
 *
 *	hop FILE [THREADS]
 *
 * Reads the size of each event and goes on to the next one, nothing else. A thread
 * takes a chunk at a time; their number is CJFR_JOBS or that of the processors, as
 * in the program. Prints how many events there are. Trusts the file, but stays in it.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jfr/cursor.h"

#define HEADER_SIZE 68
#define CHUNKS 65536
#define THREADS 256

struct chunk {
	const unsigned char *bytes;
	size_t size;
};

static struct chunk chunks[CHUNKS];
static size_t chunk_count;
static atomic_size_t next_chunk;
static atomic_size_t event_count;

static void find_chunks(const unsigned char *bytes, size_t size)
{
	while (size >= HEADER_SIZE && chunk_count < CHUNKS) {
		struct cursor cursor = cursor_of(bytes + 8, 8);
		uint64_t length = cursor_big(&cursor, 8);

		if (length < HEADER_SIZE || length > size)
			errx(1, "chunk %zu is damaged", chunk_count + 1);
		chunks[chunk_count++] = (struct chunk){ bytes, length };
		bytes += length;
		size -= length;
	}
}

static size_t hop(const struct chunk *chunk)
{
	size_t at = HEADER_SIZE, count = 0;

	while (at < chunk->size) {
		struct cursor cursor = cursor_of(chunk->bytes + at, chunk->size - at);
		uint64_t size = cursor_varint(&cursor);

		if (size == 0 || size > chunk->size - at)
			errx(1, "an event is damaged");
		at += size;
		count++;
	}
	return count;
}

static void *work(void *unused)
{
	size_t count = 0;

	for (;;) {
		size_t index = atomic_fetch_add(&next_chunk, 1);

		if (index >= chunk_count)
			break;
		count += hop(&chunks[index]);
	}
	atomic_fetch_add(&event_count, count);
	return unused;
}

static void work_on(int threads)
{
	pthread_t ids[THREADS];

	for (int i = 1; i < threads; i++) {
		if (pthread_create(&ids[i], NULL, work, NULL))
			errx(1, "no further thread");
	}
	work(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(ids[i], NULL);
}

int main(int argc, char **argv)
{
	const char *jobs = argc > 2 ? argv[2] : getenv("CJFR_JOBS");
	int threads = jobs ? atoi(jobs) : (int)sysconf(_SC_NPROCESSORS_ONLN);
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	struct stat status;
	void *bytes;

	if (fd < 0 || fstat(fd, &status) < 0 || threads < 1 || threads > THREADS)
		errx(2, "usage: hop FILE [THREADS]");
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		err(1, "%s", argv[1]);
	find_chunks(bytes, (size_t)status.st_size);
	work_on(threads);
	printf("%zu\n", (size_t)event_count);
	return 0;
}
