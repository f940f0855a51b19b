/*
 * fuzz_header.c - a header that is read is written as it was; its clock tells some time.
 */
#include <stdlib.h>
#include <string.h>

#include "jfr/clock.h"
#include "jfr/header.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct header header;
	struct buf again = { 0 };
	struct clock clock;
	struct err err;

	if (!header_read(&header, data, size, &err))
		return err.kind == ERR_FORMAT ? 0 : (abort(), 0);
	header_write(&header, &again);
	if (again.size != HEADER_SIZE || memcmp(again.bytes, data, HEADER_SIZE) != 0)
		abort();
	buf_clear(&again);
	clock = clock_of(&header);
	clock_agrees(&clock, &header);
	time_of_nanos(clock_nanos(&clock, header.chunk_size));
	time_of_millis(clock_span(&clock, header.duration_nanos));
	return 0;
}
