/*
 * sieve.h - a chunk of ours without the events that a recording did not ask for.
 *
 * Chunks are written for all recordings of a JVM at once. What one of them wanted is a
 * length of time for each event type: shorter events are left out. All else stays as it
 * is: constants, metadata, the order. Only for finished chunks that our engine wrote; the
 * result is a finished chunk.
 */
#ifndef JFR_SIEVE_H
#define JFR_SIEVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "jfr/eventtypes.h"

#define SIEVE_NONE INT64_MAX		/* no event of the type is wanted */

/* By id - EVENT_FIRST: ticks (= nanoseconds); 0 or below: all are wanted. */
struct sieve {
	int64_t least[EVENT_COUNT];
};

/*
 * Copies the chunk that the file `from` holds (one, from its first byte on) to `to`, at its
 * position: a file that can be written anywhere. *size: bytes written. ERR_FORMAT: it is no
 * such chunk, with the offset; ERR_SYSTEM, ERR_MEMORY; then `to` has a part of it. Memory
 * is bounded, whatever the chunk's size. Knows no names: events by the numbers of
 * eventtypes.h, of which those that have no duration are wanted or not.
 */
bool sieve_chunk(const struct sieve *sieve, int from, int to, uint64_t *size,
		 struct err *err);

#endif
