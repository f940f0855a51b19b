/*
 * replay.c - a main for fuzz targets that needs no fuzzer: each file once.
 *
 * Directories are gone through. Options are skipped, so that the same words also
 * start libFuzzer's main. The name of a file is written before it is tried: after
 * a crash, the last name is the culprit.
 */
#include <errno.h>
#include <fts.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *path)
{
	fprintf(stderr, "%s: %s\n", path, strerror(errno));
	exit(1);
}

/* The data is a block of its own, so that a sanitizer sees a byte too many. */
static void replay(const char *path, size_t size)
{
	uint8_t *data = malloc(size ? size : 1);
	FILE *file = fopen(path, "rb");

	if (!data || !file || fread(data, 1, size, file) != size)
		fail(path);
	fclose(file);
	puts(path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
}

static void replay_all(char *path)
{
	char *paths[] = { path, NULL };
	FTS *tree = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;

	if (!tree)
		fail(path);
	while ((entry = fts_read(tree))) {
		errno = entry->fts_errno;
		if (entry->fts_info == FTS_F)
			replay(entry->fts_path, (size_t)entry->fts_statp->st_size);
		else if (errno)
			fail(entry->fts_path);
	}
	fts_close(tree);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] != '-')
			replay_all(argv[i]);
	}
	return 0;
}
