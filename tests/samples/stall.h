/*
 * stall.h - a market stall: the small chunks that most damaged recordings begin as.
 *
 * They are laid out as HotSpot does it. Twelve sales, each of the next word in the
 * alphabet, tell what was lost. The events, by number:
 *
 *		0		1-6	7		8-13	14		15
 *	stall	metadata	sales	constants	sales	header
 *	closed	threads		sales	constants	sales	metadata	header
 *
 * "header" is a checkpoint with a copy of the header; such stand at the end of each
 * flush, and look like the beginning of a chunk.
 */
#ifndef SAMPLES_STALL_H
#define SAMPLES_STALL_H

#include "testdata.h"

enum stall_event {
	STALL_METADATA, STALL_SALES, STALL_CONSTANTS = 7, STALL_MORE, STALL_HEADER = 14,
	CLOSED_THREADS = 0, CLOSED_METADATA = 14, CLOSED_HEADER,
};

/* A chunk that begins at this second. */
void stall(struct writer *writer, int64_t seconds);
void stall_closed(struct writer *writer, int64_t seconds);

/* The same in pieces: between the two is room for one thing more. */
void stall_open(struct writer *writer, int64_t seconds);
void stall_end(struct writer *writer);

/* In smaller pieces; `begin` writes no event. Sales go from 0 to 11. */
void stall_begin(struct writer *writer, int64_t seconds);
void stall_sales(struct writer *writer, int from, int to);
void stall_threads(struct writer *writer);
void stall_constants(struct writer *writer);	/* and threads */
void stall_header(struct writer *writer);

/* Where in the bytes the event of this number begins, of the chunk at chunk_at. */
size_t stall_place(const struct buf *bytes, size_t chunk_at, int number);

/* Where the chunk behind this one begins, by its size. */
size_t stall_next(const struct buf *bytes, size_t chunk_at);

#endif
