/*
 * fuzz_summary.c - the input is a recording, of which all that can be is counted.
 */
#include <stdlib.h>

#include "fuzz/nowhere.h"
#include "render/ledger.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_all(const struct inventory *inventory)
{
	static const struct grid_format *const formats[] = { &grid_text, &grid_csv,
							     &grid_json };

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct out out = { .fd = nowhere() };

		ledger_write(inventory, formats[i], 80, &out);
		if (!out_close(&out, NULL))
			abort();
	}
}

/* No part may be larger than what it is a part of. */
static void check_sums(const struct inventory *inventory)
{
	uint64_t constants = 0;

	for (size_t i = 0; i < inventory->chunks.count; i++) {
		const struct inventory_chunk *chunk = &inventory->chunks.items[i];

		if (HEADER_SIZE + chunk->event_bytes + chunk->constant_bytes +
			    chunk->metadata_bytes > chunk->bytes)
			abort();
	}
	for (size_t i = 0; i < inventory->pools.count; i++) {
		const uint64_t *counts = inventory->pools.items[i].counts;

		constants += counts[CENSUS_ENTRIES];
		if (counts[CENSUS_UNREFERENCED] + counts[CENSUS_REPEATED] >
			    counts[CENSUS_ENTRIES] ||
		    counts[CENSUS_EQUAL] > counts[CENSUS_ENTRIES])
			abort();
	}
	if (constants > 2 * inventory->bytes)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct inventory inventory = { .wants_chunks = true, .wants_pools = true,
				       .top = 3 };
	struct damage damage = { 0 };
	struct input input = { 0 };
	struct err err = { 0 };

	if (!input_of_bytes(&input, data, size, "input"))
		abort();
	if (inventory_take(&inventory, &input, 1, &damage, &err)) {
		check_sums(&inventory);
		write_all(&inventory);
	} else if (err.kind != ERR_FORMAT) {
		abort();
	}
	inventory_clear(&inventory);
	damage_clear(&damage);
	input_close(&input);
	return 0;
}
