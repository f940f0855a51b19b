/*
 * javahash.h - Java's hash codes, and the order that they give a HashMap.
 *
 * The JDK writes much in that order (jfr-tool.md 0.6).
 */
#ifndef BASE_JAVAHASH_H
#define BASE_JAVAHASH_H

#include <stdbool.h>
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
 * out by bucket. Those of one come in the order in which they went in (put), or the
 * other way round (merge). What computeIfAbsent makes: javamap.h.
 */
uint32_t javahash_bucket(uint32_t hash, size_t entries);

/*
 * Where the JDK's own map from longs (jdk.jfr.internal.LongMap) keeps keys that were put
 * into it in this order: they come out by place. A key that is there more than once has the
 * place of the first. False without memory.
 */
bool javahash_longs(const int64_t *keys, size_t count, size_t *places);

#endif
