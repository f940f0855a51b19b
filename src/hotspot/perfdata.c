#include "hotspot/perfdata.h"

#include <string.h>

#define MAGIC "\xca\xfe\xc0\xc0"
#define VERSION 2

enum { BIG_ENDIAN_BYTES, LITTLE_ENDIAN_BYTES };

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE LITTLE_ENDIAN_BYTES
#else
#define NATIVE BIG_ENDIAN_BYTES
#endif

/* As the JVM has them in memory. */
struct prologue {
	char magic[4];
	uint8_t order;
	uint8_t major, minor;
	uint8_t is_accessible;
	uint32_t used;		/* bytes, this included */
	uint32_t overflow;
	uint64_t changed;
	uint32_t first;		/* where the first entry is */
	uint32_t count;		/* entries, of which the last may not be written yet */
};

struct entry {
	uint32_t length;	/* of all of it */
	uint32_t name_at;
	uint32_t vector;	/* 0: a single value; else how many there are */
	char type;
	uint8_t flags, unit, change;
	uint32_t value_at;
};

_Static_assert(sizeof(struct prologue) == 32 && sizeof(struct entry) == 20,
	       "they are as in memory");

bool perfdata_in(struct perfdata *perf, const void *bytes, size_t size)
{
	struct prologue prologue;

	memset(perf, 0, sizeof(*perf));
	if (size < sizeof(prologue) || (uintptr_t)bytes % sizeof(int64_t) != 0)
		return false;
	memcpy(&prologue, bytes, sizeof(prologue));
	if (memcmp(prologue.magic, MAGIC, sizeof(prologue.magic)) != 0 ||
	    prologue.order != NATIVE || prologue.major != VERSION)
		return false;
	perf->bytes = bytes;
	perf->size = size;
	return true;
}

bool perfdata_find(struct perfdata *perf, const struct vmstructs *vmstructs)
{
	const void *start = vmstructs_static(vmstructs, "PerfMemory", "_start");
	const void *end = vmstructs_static(vmstructs, "PerfMemory", "_end");
	const void *ready = vmstructs_static(vmstructs, "PerfMemory", "_initialized");
	const char *from = vmstructs_pointer(start), *to = vmstructs_pointer(end);
	int32_t is_ready = 0;

	memset(perf, 0, sizeof(*perf));
	if (ready)
		memcpy(&is_ready, ready, sizeof(is_ready));
	return is_ready && from && to > from &&
	       perfdata_in(perf, from, (size_t)(to - from));
}

static size_t first_of(const struct perfdata *perf)
{
	struct prologue prologue;

	memcpy(&prologue, perf->bytes, sizeof(prologue));
	return prologue.first;
}

/* A text that ends within so many bytes; NULL: it does not. */
static const char *text_in(const char *bytes, size_t size)
{
	return memchr(bytes, 0, size) ? bytes : NULL;
}

bool perfdata_next(const struct perfdata *perf, struct perfdata_entry *entry)
{
	struct entry found;
	const char *at;
	size_t width, left;

	if (!perf->bytes)
		return false;
	if (!entry->next)
		entry->next = first_of(perf);
	if (entry->next < sizeof(struct prologue) || entry->next > perf->size)
		return false;
	at = perf->bytes + entry->next;
	left = perf->size - entry->next;
	if (left < sizeof(found))
		return false;
	memcpy(&found, at, sizeof(found));
	/* Behind the last one, and where one is being made, there are zeros. */
	if (found.length < sizeof(found) || found.length > left ||
	    found.name_at < sizeof(found) || found.name_at >= found.length ||
	    found.value_at > found.length)
		return false;
	width = found.type == 'J' ? sizeof(int64_t) : 1;
	entry->name = text_in(at + found.name_at, found.length - found.name_at);
	entry->type = found.type;
	entry->value = at + found.value_at;
	entry->size = found.vector ? (size_t)found.vector * width : width;
	entry->next += found.length;
	return entry->name && entry->size <= found.length - found.value_at;
}

/* False if there is none of that name. */
static bool find(const struct perfdata *perf, const char *name,
		 struct perfdata_entry *entry)
{
	memset(entry, 0, sizeof(*entry));
	while (perfdata_next(perf, entry)) {
		if (strcmp(entry->name, name) == 0)
			return true;
	}
	return false;
}

const int64_t *perfdata_counter(const struct perfdata *perf, const char *name)
{
	struct perfdata_entry entry;

	if (!find(perf, name, &entry) || entry.type != 'J' ||
	    (uintptr_t)entry.value % sizeof(int64_t) != 0)
		return NULL;
	return entry.value;
}

struct perfdata_text perfdata_text(const struct perfdata *perf, const char *name)
{
	struct perfdata_entry entry;

	if (!find(perf, name, &entry) || entry.type != 'B')
		return (struct perfdata_text){ NULL, 0 };
	return (struct perfdata_text){ entry.value, entry.size };
}

struct str perfdata_copy(struct perfdata_text text, char *to, size_t size)
{
	const volatile char *from = text.bytes;
	size_t i = 0;

	while (i + 1 < size && i < text.size) {
		char byte = from[i];

		if (!byte)
			break;
		to[i++] = byte;
	}
	to[i] = '\0';
	return (struct str){ to, i };
}
