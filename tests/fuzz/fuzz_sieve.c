/*
 * fuzz_sieve.c - a chunk, of which events are left out.
 *
 * What is left is a chunk, of which nothing more is left out; and of which all is left, if
 * all is wanted.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fully.h"
#include "jfr/sieve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good)
{
	if (!good)
		abort();
}

static int make_file(const void *bytes, size_t size)
{
	int fd = memfd_create("chunk", MFD_CLOEXEC);

	must(fd >= 0 && fully_write(fd, bytes, size));
	return fd;
}

static bool sift(const struct sieve *sieve, int from, int to, uint64_t *size)
{
	struct err err = { 0 };
	bool is_good = sieve_chunk(sieve, from, to, size, &err);

	must(is_good || (err.kind == ERR_FORMAT && *err.text));
	return is_good;
}

/* The same bytes. */
static void compare(int one, int other, uint64_t size)
{
	char *texts[] = { malloc(size), malloc(size) };

	must(texts[0] && texts[1]);
	must(pread(one, texts[0], size, 0) == (ssize_t)size);
	must(pread(other, texts[1], size, 0) == (ssize_t)size);
	must(memcmp(texts[0], texts[1], size) == 0);
	free(texts[0]);
	free(texts[1]);
}

static void check_again(const struct sieve *sieve, int left, uint64_t size)
{
	int again = make_file("", 0);
	uint64_t again_size;

	must(sift(sieve, left, again, &again_size) && again_size == size);
	compare(left, again, size);
	close(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int from = make_file(data, size), left = make_file("", 0);
	struct sieve sieve = { .least = { 0 } }, all = sieve;
	uint64_t left_size;

	/* Each event type in one of three ways. */
	for (size_t i = 0; i < EVENT_COUNT; i++)
		sieve.least[i] = i % 3 == 0 ? SIEVE_NONE : i % 3 == 1 ? 100 : 0;
	if (sift(&sieve, from, left, &left_size)) {
		must(left_size <= size);
		check_again(&sieve, left, left_size);
		check_again(&all, left, left_size);
	}
	close(from);
	close(left);
	return 0;
}
