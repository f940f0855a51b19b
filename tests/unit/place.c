#include "unit/place.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATHS_MAX 256

char place_folder[] = "/tmp/cjfr-unit-XXXXXX";

static char *paths[PATHS_MAX];
static size_t count;

void place_open(void)
{
	cr_assert_not_null(mkdtemp(place_folder));
}

static int remove_one(const char *path, const struct stat *status, int kind,
		      struct FTW *at)
{
	(void)status;
	(void)kind;
	(void)at;
	return remove(path);
}

void place_close(void)
{
	if (access(place_folder, F_OK) == 0)
		cr_expect_eq(nftw(place_folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
	while (count)
		free(paths[--count]);
}

const char *place_of(const char *name)
{
	cr_assert_lt(count, (size_t)PATHS_MAX);
	cr_assert_geq(asprintf(&paths[count], "%s/%s", place_folder, name), 0);
	return paths[count++];
}

/* The folders in which the path lies; those that are there are as good. */
static void make_around(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

const char *place_put(const char *name, const char *text)
{
	const char *path = place_of(name);
	FILE *stream;

	make_around(paths[count - 1]);
	stream = fopen(path, "w");
	cr_assert_not_null(stream, "%s", path);
	fputs(text, stream);
	cr_assert_eq(fclose(stream), 0);
	return path;
}

const char *place_make(const char *name)
{
	const char *path = place_of(name);

	make_around(paths[count - 1]);
	cr_assert_eq(mkdir(path, 0700), 0, "%s", path);
	return path;
}
