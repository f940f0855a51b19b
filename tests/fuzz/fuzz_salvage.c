/*
 * fuzz_salvage.c - the input is a spill file: what salvage makes of it can be read, and
 * has as many events as it says.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jfr/event.h"
#include "jfr/input.h"
#include "salvage/salvage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

static uint64_t count_events(const struct block *chunks)
{
	struct damage damage = { 0 };
	struct input input = { 0 };
	struct chunk chunk;
	struct err err;
	uint64_t count = 0;

	must(input_of_bytes(&input, chunks->bytes, chunks->size, "salvaged"));
	while (input_open_next(&input, &chunk, &damage, &err)) {
		struct event_walk walk = event_walk(&chunk, &damage);
		struct event event;

		while (event_next(&walk, &event))
			count += event.type != NULL;
		chunk_close(&chunk);
	}
	must(err.kind == ERR_NONE && damage.faults.count == 0);
	input_close(&input);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("spill", MFD_CLOEXEC);
	struct salvage salvage;
	struct err err;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	if (salvage_run(&salvage, fd, "/nowhere/at/all", &err)) {
		must((salvage.events > 0) == (salvage.chunks.size > 0));
		must(!salvage.events ||
		     count_events(&salvage.chunks) == salvage.events);
	}
	salvage_clear(&salvage);
	close(fd);
	return 0;
}
