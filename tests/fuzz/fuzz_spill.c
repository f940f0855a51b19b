/*
 * fuzz_spill.c - the input is a spill file: what is told of it lies in it, once.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jfr/frame.h"
#include "jfr/header.h"
#include "jfr/spillread.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct told {
	uint64_t lane;		/* of the last events */
	size_t size;		/* of all of them, or of all records */
	unsigned sum;		/* of what is in records: they can be read */
};

static void must(bool is_so)
{
	if (!is_so)
		abort();
}

/* Whole events, kept ones first, then lane by lane. */
static bool take_events(void *context, uint64_t lane, const char *bytes, size_t size)
{
	struct told *told = context;
	struct frame frame;

	must(size > 0 && lane >= told->lane);
	for (size_t at = 0; at < size; at += frame.size) {
		must(!frame_read((const unsigned char *)bytes, size, at, &frame));
		must(frame.type_id != EVENT_METADATA);
		must(frame.type_id != EVENT_CHECKPOINT);
	}
	told->lane = lane;
	told->size += size;
	return true;
}

static bool take_record(void *context, uint32_t type, uint64_t key, const char *bytes,
			size_t size)
{
	struct told *told = context;

	(void)key;
	must(type != SPILL_GONE && type != SPILL_PART);
	for (size_t i = 0; i < size; i++)
		told->sum += (unsigned char)bytes[i];
	told->size += size;
	return true;
}

static void read_all(int fd, bool is_done, size_t size)
{
	struct told events = { 0 }, records = { 0 };
	struct buf metadata = { 0 };
	struct spill spill;
	bool has_events;

	must(spill_open(&spill, fd, NULL));
	spill.is_done = is_done;
	has_events = spill_has_events(&spill);
	must(spill_events(&spill, take_events, &events, NULL));
	must(spill_records(&spill, take_record, &records, NULL));
	must(spill_metadata(&spill, &metadata, NULL));
	must(has_events || events.size == 0);
	must(events.size + records.size + metadata.size <= size);
	buf_clear(&metadata);
	spill_close(&spill);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("spill", MFD_CLOEXEC);
	struct spill_header header;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	if (spill_look(fd, &header, NULL)) {
		read_all(fd, false, size);
		read_all(fd, true, size);
	}
	close(fd);
	return 0;
}
