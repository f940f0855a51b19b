/*
 * javahash.h - Java's hash codes, which decide the order of rows (jfr-tool.md 0.6).
 */
#ifndef QUERY_JAVAHASH_H
#define QUERY_JAVAHASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "query/datum.h"

/* Of a String. */
uint32_t javahash_text(struct str text);

/* Of a Long. */
static inline uint32_t javahash_long(int64_t number)
{
	return (uint32_t)((uint64_t)number ^ (uint64_t)number >> 32);
}

/* A value as part of what rows are grouped by; of null 0. */
uint32_t javahash_datum(const struct datum *datum);

/*
 * Where a HashMap of that many entries, which has grown to it, keeps one: entries
 * come out by bucket, those of one in the order in which they went in.
 */
uint32_t javahash_bucket(uint32_t hash, size_t entries);

#endif
