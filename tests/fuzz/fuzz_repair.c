/*
 * fuzz_repair.c - the input is a recording; what is made of it must be without fault.
 *
 * Nothing in the repaired recording is damaged, it has the events that were kept, and
 * repairing it again changes nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "copy/copy.h"
#include "fuzz/written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool repair(const void *data, size_t size, struct copy *copy, struct buf *repaired)
{
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct err err = { 0 };
	bool is_good;

	*copy = (struct copy){ .sink = written_add, .context = repaired };
	if (!input_of_bytes(&input, data, size, "input"))
		abort();
	is_good = copy_input(copy, &input, &damage, &err);
	if (!is_good && err.kind != ERR_FORMAT)
		abort();
	copy_clear(copy);
	damage_clear(&damage);
	input_close(&input);
	return is_good && copy->bytes == repaired->size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf repaired = { 0 }, again = { 0 };
	struct copy copy;

	if (size > 0 && repair(data, size, &copy, &repaired)) {
		written_check(&copy, &repaired, NULL, NULL);
		if (!repair(repaired.bytes, repaired.size, &copy, &again) ||
		    again.size != repaired.size ||
		    memcmp(again.bytes, repaired.bytes, again.size) != 0 ||
		    copy.lost_chunks || copy.lost_events)
			abort();
	}
	buf_clear(&repaired);
	buf_clear(&again);
	return 0;
}
