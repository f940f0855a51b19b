/*
 * split.h - a recording, dealt out to files that are smaller.
 *
 *	struct split split = { .max_chunks = 5 };
 *
 *	if (!split_find(&split, &input, &damage, &err)) ...
 *	for (size_t i = 0; i < split.parts.count; i++) {
 *		char *name = split_name(&split, split_base("recording.jfr"), i);
 *
 *		... split_write(&split, i, write, &file, &err) ...
 *	}
 *	split_clear(&split);
 *
 * Chunks are never divided and keep their bytes, whatever these are: what is damaged or
 * not finished stays so. The files, one behind the other, are the recording, without
 * what lay between its chunks and belonged to none. A file is full when another chunk
 * would be one too many, or too large; a chunk that is too large has a file for itself.
 */
#ifndef COPY_SPLIT_H
#define COPY_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "copy/copy.h"
#include "jfr/damage.h"
#include "jfr/input.h"

/* A file to be. */
struct split_part {
	size_t first, count;	/* its chunks */
	uint64_t size;		/* bytes */
};

struct split {
	uint64_t max_size;	/* bytes in a file; 0: any number */
	uint64_t max_chunks;	/* 0: any number */
	VEC(struct chunk_place) chunks;
	VEC(struct split_part) parts;
	uint64_t size;		/* of all chunks */
};

/*
 * Finds all chunks of the input, of which none was taken before, and deals them out. A
 * chunk that is not finished is noted in `damage`, as is what is lost between chunks.
 * False as input_next; also then: split_clear.
 */
bool split_find(struct split *split, struct input *input, struct damage *damage,
		struct err *err);

/*
 * What names of files begin with if the recording has this path: its last part, up to
 * ".jfr". Of standard input and the like, "recording".
 */
struct str split_base(const char *path);

/*
 * The name of a file, "base_07.jfr": numbers have as many digits as the last one, so
 * names sort as chunks do. To be freed; NULL: no memory.
 */
char *split_name(const struct split *split, struct str base, size_t part);

/* Writes the chunks of a file, which are then given back: once for each file. */
bool split_write(struct split *split, size_t part, copy_sink *sink, void *context,
		 struct err *err);

void split_clear(struct split *split);

#endif
