/*
 * fuzz_events.c - what stands in the place of events; or the input is a whole chunk.
 */
#include <string.h>

#include "fuzz/walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 4 && memcmp(data, "FLR", 4) == 0)
		walk_chunk(data, size);
	else
		walk_shop(data, size, -1);
	return 0;
}
