/*
 * fuzz_checkpoints.c - what stands in the place of checkpoints.
 *
 * The first two bytes say where in the rest the last checkpoint is; or the input is
 * a whole chunk.
 */
#include <string.h>

#include "fuzz/walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 4 && memcmp(data, "FLR", 4) == 0)
		walk_chunk(data, size);
	else if (size > 2)
		walk_shop(data + 2, size - 2, data[0] << 8 | data[1]);
	return 0;
}
