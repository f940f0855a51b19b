/*
 * fuzz_perfdata.c - counters of a JVM: all that is found lies in the bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "hotspot/perfdata.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

static void check(const struct perfdata *perf, const struct perfdata_entry *entry)
{
	const char *value = entry->value, *end = perf->bytes + perf->size;
	const int64_t *counter = perfdata_counter(perf, entry->name);
	struct perfdata_text text = perfdata_text(perf, entry->name);
	char copy[64];

	must(value >= perf->bytes && entry->size <= (size_t)(end - value));
	must(entry->name + strlen(entry->name) < end);
	if (counter)
		must((const char *)(counter + 1) <= end &&
		     perfdata_read(counter) == *counter);
	if (text.bytes)
		must(text.size <= (size_t)(end - text.bytes));
	must(strlen(perfdata_copy(text, copy, sizeof(copy)).bytes) < sizeof(copy));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perfdata_entry entry = { 0 };
	struct perfdata perf;
	char *bytes = malloc(size ? size : 1);
	size_t count = 0;

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	if (perfdata_in(&perf, bytes, size)) {
		while (count++ < 200 && perfdata_next(&perf, &entry))
			check(&perf, &entry);
	}
	free(bytes);
	return 0;
}
