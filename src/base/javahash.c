#include "base/javahash.h"

#include <stdlib.h>

#include <math.h>
#include <stdbool.h>

#include "base/surrogate.h"
#include "base/utf.h"

uint32_t javahash_text(struct str text)
{
	uint32_t hash = 0;

	while (text.size) {
		uint32_t point = (unsigned char)*text.bytes;

		if (point < 0x80) {
			text.bytes++;
			text.size--;
		} else {
			point = utf_next(&text);
		}
		if (point >= 0x10000) {
			hash = 31 * hash + surrogate_high(point);
			point = surrogate_low(point);
		}
		hash = 31 * hash + point;
	}
	return hash;
}

uint32_t javahash_double(double real)
{
	uint64_t bits = UINT64_C(0x7ff8000000000000);

	if (!isnan(real))
		memcpy(&bits, &real, sizeof(bits));
	return javahash_long((int64_t)bits);
}

uint32_t javahash_float(float real)
{
	uint32_t bits = 0x7fc00000;

	if (!isnan(real))
		memcpy(&bits, &real, sizeof(bits));
	return bits;
}

#define BUCKETS_MIN 16

static bool is_full(size_t entries, size_t buckets)
{
	return entries > buckets - buckets / 4;
}

static uint32_t bucket_of(uint32_t hash, size_t buckets)
{
	return (hash ^ hash >> 16) & (uint32_t)(buckets - 1);
}

uint32_t javahash_bucket(uint32_t hash, size_t entries)
{
	size_t buckets = BUCKETS_MIN;

	while (is_full(entries, buckets))
		buckets *= 2;
	return bucket_of(hash, buckets);
}

/* The map of longs: open addressing, at most 3/4 full, four times as large after that. */
#define LONGS_FIRST 32
#define LONGS_FACTOR UINT64_C(0x9e3779b97f4a7c15)

struct longs {
	const int64_t *keys;
	size_t *slots;		/* the number of a key and one; 0: free */
	size_t count;		/* a power of two */
};

/* True if the key was not there yet. */
static bool put_long(struct longs *longs, size_t number)
{
	int shift = 64 - __builtin_ctzll(longs->count);
	size_t at = (size_t)((uint64_t)longs->keys[number] * LONGS_FACTOR >> shift);

	while (longs->slots[at]) {
		if (longs->keys[longs->slots[at] - 1] == longs->keys[number])
			return false;
		at = (at + 1) % longs->count;
	}
	longs->slots[at] = number + 1;
	return true;
}

static bool grow_longs(struct longs *longs, size_t count)
{
	struct longs more = { longs->keys, calloc(count, sizeof(*more.slots)), count };

	for (size_t i = 0; more.slots && i < longs->count; i++) {
		if (longs->slots[i])
			put_long(&more, longs->slots[i] - 1);
	}
	free(longs->slots);
	*longs = more;
	return more.slots != NULL;
}

bool javahash_longs(const int64_t *keys, size_t count, size_t *places)
{
	struct longs longs = { .keys = keys };
	bool is_good = grow_longs(&longs, LONGS_FIRST);
	size_t put = 0;

	for (size_t i = 0; is_good && i < count; i++) {
		put += put_long(&longs, i);
		if (put > longs.count / 4 * 3)
			is_good = grow_longs(&longs, longs.count * 4);
	}
	for (size_t i = 0; i < count; i++)
		places[i] = 0;
	for (size_t i = 0; is_good && i < longs.count; i++) {
		if (longs.slots[i])
			places[longs.slots[i] - 1] = i;
	}
	free(longs.slots);
	return is_good;
}
