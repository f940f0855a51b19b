#include "query/javahash.h"

#include <math.h>

#include "base/utf.h"

uint32_t javahash_text(struct str text)
{
	uint32_t hash = 0;

	while (text.size) {
		uint32_t point = utf_next(&text);

		if (point >= 0x10000) {
			point -= 0x10000;
			hash = 31 * hash + (0xd800 | point >> 10);
			point = 0xdc00 | (point & 0x3ff);
		}
		hash = 31 * hash + point;
	}
	return hash;
}

static uint32_t hash_double(double real)
{
	uint64_t bits = UINT64_C(0x7ff8000000000000);

	if (!isnan(real))
		memcpy(&bits, &real, sizeof(bits));
	return javahash_long((int64_t)bits);
}

static uint32_t hash_float(float real)
{
	uint32_t bits = 0x7fc00000;

	if (!isnan(real))
		memcpy(&bits, &real, sizeof(bits));
	return bits;
}

static uint32_t hash_list(const struct datum_list *list)
{
	uint32_t hash = 1;

	for (size_t i = 0; i < list->count; i++)
		hash = 31 * hash + javahash_datum(&list->items[i]);
	return hash;
}

uint32_t javahash_datum(const struct datum *datum)
{
	switch (datum->kind) {
	case DATUM_NULL:
		return 0;
	case DATUM_BOOLEAN:
		return datum->number ? 1231 : 1237;
	case DATUM_LONG:
		return javahash_long(datum->number);
	case DATUM_FLOAT:
		return hash_float((float)datum->real);
	case DATUM_DOUBLE:
		return hash_double(datum->real);
	case DATUM_TIME:
	case DATUM_SPAN:
		return javahash_long(datum->number) + 51u * (uint32_t)datum->nanos;
	case DATUM_THING:
		return datum->thing->hash;
	case DATUM_LIST:
		return hash_list(datum->list);
	default:
		return (uint32_t)datum->number;
	}
}

uint32_t javahash_bucket(uint32_t hash, size_t entries)
{
	size_t capacity = 16;

	while (entries > capacity - capacity / 4)
		capacity *= 2;
	return (hash ^ hash >> 16) & (uint32_t)(capacity - 1);
}
