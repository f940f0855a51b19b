#include "javacount.h"

#define ENTRY ((uint64_t)32)

static uint64_t load(uint64_t address)
{
	return __atomic_load_n((const uint64_t *)(uintptr_t)address, __ATOMIC_RELAXED);
}

struct counter *javacount_find(const struct counters *counters, uint64_t thread,
			       uint32_t id, int probes)
{
	uint64_t root = __atomic_load_n(counters_root(counters), __ATOMIC_ACQUIRE);
	uint64_t entry = (root & ~UINT64_C(63)) +
			 (thread * COUNTERS_GOLDEN >> (64 - (root & 63))) * ENTRY;

	for (int i = 0; i < probes; i++, entry += ENTRY) {
		uint64_t at = load(entry + 8) + (uint64_t)id * sizeof(struct counter);

		if (load(entry) == thread)
			return at < load(entry + 16) ? (struct counter *)(uintptr_t)at
						     : NULL;
	}
	return NULL;
}

bool javacount(struct counters *counters, uint64_t thread, uint32_t id,
	       int64_t duration)
{
	struct counter *counter = javacount_find(counters, thread, id, COUNTERS_PROBES);
	bool is_shared = thread <= COUNTERS_SHARED;

	if (!counter) {
		counter = is_shared ? counters_shared_row(counters, (unsigned)thread - 1, id)
				    : counters_row(counters, thread, id, false);
		if (!counter)
			return false;
		counter += id;
	}
	if (is_shared)
		counter_count_shared(counter, duration);
	else
		counter_count(counter, duration);
	return true;
}
