/*
 * counters.h - performance counters, as a JVM has them in its memory.
 */
#ifndef TESTS_COUNTERS_H
#define TESTS_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#define COUNTERS_FIRST 32	/* where the first entry is */

struct counters_entry {
	uint32_t length, name_at, vector;
	char type;
	uint8_t flags, unit, change;
	uint32_t value_at;
};

/* Behind the entries there are zeros. */
struct counters {
	_Alignas(8) char bytes[1024];
	size_t size;		/* as far as there are entries */
};

void counters_begin(struct counters *counters);

/* Adds an entry, and gives where its value is, of `size` bytes. */
char *counters_add(struct counters *counters, const char *name, char type,
		   uint32_t vector, size_t size);

/* "a.count" is 5, "a.text" is "some" of 10 bytes at most, "b.count" is -1. */
void counters_fill(struct counters *counters);

/* Sets a counter. */
void counters_set(char *value, int64_t number);

#endif
