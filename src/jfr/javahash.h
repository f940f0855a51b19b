/*
 * javahash.h - Java's hash codes, and the order that they give a HashMap.
 *
 * The JDK writes much in that order (jfr-tool.md 0.6).
 */
#ifndef JFR_JAVAHASH_H
#define JFR_JAVAHASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Of a String. */
uint32_t javahash_text(struct str text);

/* Of a Double and of a Float. */
uint32_t javahash_double(double real);
uint32_t javahash_float(float real);

/* Of a Long. */
static inline uint32_t javahash_long(int64_t number)
{
	return (uint32_t)((uint64_t)number ^ (uint64_t)number >> 32);
}

/*
 * Where a HashMap of that many entries, which has grown to it, keeps one: entries come
 * out by bucket. Those of one come in the order in which they went in (put, merge), or
 * the other way round (computeIfAbsent).
 */
uint32_t javahash_bucket(uint32_t hash, size_t entries);

#endif
