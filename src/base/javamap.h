/*
 * javamap.h - the order that a HashMap of Java has its keys in.
 *
 * It is that of its buckets, which double when it is asked for a key while it is full,
 * and, as long as there are few, where many keys share one. In a bucket the newest key
 * comes first; that of a large map becomes a tree when many share it, and then its order
 * follows from how the tree grew.
 */
#ifndef BASE_JAVAMAP_H
#define BASE_JAVAMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The order of `count` keys with these hash codes, after computeIfAbsent put one after
 * the other into a new map: order[i] is the number of the key that comes as the i-th.
 * is_asked: it was asked once more after the last one, for a key that it has. Of keys of
 * a tree with the same hash code, for which Java throws dice, the order is one of those
 * that may be. False without memory.
 */
bool javamap_order(const uint32_t *hashes, size_t count, bool is_asked,
		   uint32_t *order);

#endif
