/*
 * feeds.h - what an input consists of: files, those of directories, and what else was
 * left there. For it alone.
 */
#ifndef JFR_FEEDS_H
#define JFR_FEEDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "jfr/damage.h"
#include "jfr/input.h"

/* Told with the reason. */
#define FEEDS_DIRECTORY_LOST "this directory is left out"

/* Adds a file, or the files of a directory in the order of their names, and its rest. */
bool feeds_add(struct input *input, const char *path, struct damage *damage,
	       struct err *err);

/* A run for one of the caller's; and adds it. Without memory: NULL, false. */
struct run *feeds_run(struct input *input);
bool feeds_put(struct input *input, struct feed feed);

/* Bytes that are read of it; 0: it is not known. */
uint64_t feeds_size(const struct feed *feed);

#endif
