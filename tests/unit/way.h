/*
 * way.h - the ways in which the same bytes come in: what is read must not differ.
 *
 *	for (enum way way = 0; way < WAY_COUNT; way++) {
 *		struct come come = way_open(way, bytes, size);
 *
 *		... opens come.path, once
 *		way_close(&come);
 *	}
 */
#ifndef UNIT_WAY_H
#define UNIT_WAY_H

#include <stddef.h>
#include <sys/types.h>

enum way {
	WAY_FILE,	/* as it lies there */
	WAY_PIPE,	/* a few bytes at a time */
	WAY_PACKED,	/* a file, with gzip */
	WAY_COUNT,
};

extern const char *const way_names[WAY_COUNT];

struct come {
	char path[64];
	int fd;
	pid_t child;	/* that writes; 0: none */
};

struct come way_open(enum way way, const void *bytes, size_t size);

/* The file is gone; a child that still writes is told that nobody reads. */
void way_close(struct come *come);

/*
 * Packs bytes with filters of libarchive, the first one inside, NULL behind the last.
 * What comes out is for the caller to free.
 */
void *way_pack(const void *bytes, size_t size, const char *const *filters,
	       size_t *packed_size);

/* A file of a zip archive. */
struct way_entry {
	const char *name;	/* NULL: the last was the one before */
	const void *bytes;
	size_t size;
};

void *way_zip(const struct way_entry *entries, size_t *packed_size);

/* A file in /tmp of these bytes; its name goes to `path`, of 64 bytes. */
void way_file(char *path, const void *bytes, size_t size);

#endif
