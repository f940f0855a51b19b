#include "counters.h"

#include <string.h>

struct prologue {
	unsigned char magic[4];
	uint8_t order, major, minor, is_accessible;
	uint32_t used, overflow;
	uint64_t changed;
	uint32_t first, count;
};

void counters_begin(struct counters *counters)
{
	struct prologue prologue = {
		.magic = { 0xca, 0xfe, 0xc0, 0xc0 },
		.order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
		.major = 2,
		.first = COUNTERS_FIRST,
	};

	memset(counters, 0, sizeof(*counters));
	memcpy(counters->bytes, &prologue, sizeof(prologue));
	counters->size = COUNTERS_FIRST;
}

static size_t aligned(size_t size)
{
	return (size + 7) / 8 * 8;
}

char *counters_add(struct counters *counters, const char *name, char type,
		   uint32_t vector, size_t size)
{
	size_t name_size = strlen(name) + 1;
	size_t value_at = aligned(sizeof(struct counters_entry) + name_size);
	struct counters_entry entry = {
		.length = (uint32_t)aligned(value_at + size),
		.name_at = sizeof(entry),
		.vector = vector,
		.type = type,
		.value_at = (uint32_t)value_at,
	};
	char *at = counters->bytes + counters->size;

	memcpy(at, &entry, sizeof(entry));
	memcpy(at + sizeof(entry), name, name_size);
	counters->size += entry.length;
	return at + value_at;
}

void counters_set(char *value, int64_t number)
{
	memcpy(value, &number, sizeof(number));
}

void counters_fill(struct counters *counters)
{
	counters_begin(counters);
	counters_set(counters_add(counters, "a.count", 'J', 0, 8), 5);
	memcpy(counters_add(counters, "a.text", 'B', 10, 10), "some", 4);
	counters_set(counters_add(counters, "b.count", 'J', 0, 8), -1);
}
