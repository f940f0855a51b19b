#include "copy/calibrate.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/now.h"
#include "base/vec.h"
#include "jfr/clock.h"

/* Headers nearer to each other tell no rate. */
#define SPAN_LEAST SECOND

/* A recorder is never so wrong: then somebody has set the time. */
#define WRONG_MOST 0.001

/* More chunks are not looked at. */
#define CHUNKS_MAX (1u << 20)

static bool is_in_nanos(const struct header *header)
{
	return header->ticks_per_second == SECOND;
}

static bool are_of_one_run(const struct header *headers, size_t count)
{
	if (headers[0].ticks_per_second <= 0)
		return false;
	for (size_t i = 1; i < count; i++) {
		const struct header *a = &headers[i - 1], *b = &headers[i];

		if (b->ticks_per_second != a->ticks_per_second ||
		    b->start_ticks <= a->start_ticks || b->start_nanos < a->start_nanos)
			return false;
	}
	return true;
}

/* Times cut off to milliseconds; by chance that is so once in a million. */
static bool is_cut(const struct header *headers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (headers[i].start_nanos % MILLISECOND != 0)
			return false;
	}
	return true;
}

/* How many ticks there are in a second, by the first and the last; 0: not known. */
static int64_t rate_of(const struct header *first, const struct header *last)
{
	double nanos = (double)(last->start_nanos - first->start_nanos);
	double ticks = (double)(last->start_ticks - first->start_ticks);
	double told = (double)first->ticks_per_second, rate;

	if (nanos < (double)SPAN_LEAST)
		return 0;
	rate = ticks / nanos * (double)SECOND;
	return fabs(rate - told) <= told * WRONG_MOST ? (int64_t)(rate + 0.5) : 0;
}

/*
 * Each header says that the true time is in the millisecond from there on; what all of
 * them allow, seen from the first, is a part of one. Its middle is the best guess.
 */
static int64_t true_start(const struct header *headers, size_t count, int64_t rate)
{
	struct clock clock = { headers[0].start_ticks, headers[0].start_nanos,
			       (double)rate / (double)SECOND };
	int64_t least = 0, most = MILLISECOND;

	for (size_t i = 1; i < count; i++) {
		int64_t off = headers[i].start_nanos -
			      clock_nanos(&clock, headers[i].start_ticks);

		if (off > least)
			least = off;
		if (off + MILLISECOND < most)
			most = off + MILLISECOND;
	}
	/* They do not agree, as the time was set a little: then the first counts. */
	if (least > most)
		least = 0, most = MILLISECOND;
	return headers[0].start_nanos + (least + most) / 2;
}

bool calibrate_headers(struct header *headers, size_t count)
{
	bool is_rough = count && is_cut(headers, count);
	int64_t rate, start, moved;

	if (!count || !are_of_one_run(headers, count))
		return false;
	rate = is_in_nanos(headers) ? SECOND
				    : rate_of(&headers[0], &headers[count - 1]);
	if (!rate || (rate == headers[0].ticks_per_second && !is_rough))
		return false;
	start = is_rough ? true_start(headers, count, rate) : headers[0].start_nanos;
	moved = start - headers[0].start_nanos;
	for (size_t i = 0; i < count; i++) {
		headers[i].ticks_per_second = rate;
		headers[i].start_nanos += moved;
	}
	return true;
}

/* --- files ------------------------------------------------------------------------ */

struct file {
	int fd;
	VEC(struct header) headers;
};

/* False at the end, and at what is no whole chunk. */
static bool read_header(struct file *file, int64_t at, struct header *header)
{
	unsigned char bytes[HEADER_SIZE];
	ssize_t size = pread(file->fd, bytes, sizeof(bytes), at);

	return size == (ssize_t)sizeof(bytes) &&
	       header_read(header, bytes, sizeof(bytes), NULL) &&
	       header->chunk_size >= HEADER_SIZE &&
	       header->chunk_size <= INT64_MAX - at && !header_is_unfinished(header);
}

static bool read_headers(struct file *file, struct err *err)
{
	struct header header;
	int64_t at = 0;

	while (file->headers.count < CHUNKS_MAX && read_header(file, at, &header)) {
		if (!vec_push(&file->headers, header))
			return err_memory(err);
		at += header.chunk_size;
	}
	return true;
}

static bool write_headers(struct file *file, struct err *err)
{
	struct buf bytes = { 0 };
	int64_t at = 0;
	bool is_good = true;

	for (size_t i = 0; is_good && i < file->headers.count; i++) {
		const struct header *header = &file->headers.items[i];

		buf_reset(&bytes);
		header_write(header, &bytes);
		if (bytes.failed)
			is_good = err_memory(err);
		else if (pwrite(file->fd, bytes.bytes, bytes.size, at) !=
			 (ssize_t)bytes.size)
			is_good = err_system(err, "cannot correct the clock");
		at += header->chunk_size;
	}
	buf_clear(&bytes);
	return is_good;
}

bool calibrate_file(int fd, struct err *err)
{
	struct file file = { .fd = fd };
	bool is_good = read_headers(&file, err);

	if (is_good && calibrate_headers(file.headers.items, file.headers.count))
		is_good = write_headers(&file, err);
	vec_clear(&file.headers);
	return is_good;
}
