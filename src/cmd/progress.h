/*
 * progress.h - a line on standard error that says how far long work has come.
 *
 * Only on a terminal, only after a second, and gone when the work is done.
 */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "jfr/input.h"

struct progress {
	const struct input *input;
	int64_t start, shown;	/* nanoseconds of the monotonic clock */
	bool is_visible;	/* there is a line to take away */
};

/*
 * Has the input tell how far it is. Not if standard error is no terminal; nor, if
 * `is_printing`, where standard output is one: the line would stand among the text.
 */
void progress_begin(struct progress *progress, struct input *input, bool is_printing);

/* Takes the line away. Before anything is said on standard error; may be repeated. */
void progress_end(struct progress *progress);

/* "1.2 MB" */
#define PROGRESS_SIZE_MAX 24
void progress_size(char to[PROGRESS_SIZE_MAX], uint64_t bytes);

/* "12,345 events, 1.2 MB" */
void progress_sums(struct buf *to, uint64_t events, uint64_t bytes);

/* "  45%  1.2 GB of 2.7 GB, 350 MB/s, 5 s left", without what is not known. */
int progress_text(char *to, size_t size, uint64_t done, uint64_t all, double seconds);

#endif
