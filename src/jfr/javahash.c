#include "jfr/javahash.h"

#include <math.h>

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
			point -= 0x10000;
			hash = 31 * hash + (0xd800 | point >> 10);
			point = 0xdc00 | (point & 0x3ff);
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

uint32_t javahash_bucket(uint32_t hash, size_t entries)
{
	size_t capacity = 16;

	while (entries > capacity - capacity / 4)
		capacity *= 2;
	return (hash ^ hash >> 16) & (uint32_t)(capacity - 1);
}
