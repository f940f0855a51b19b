#include <link.h>
#include <stdint.h>
#include <unistd.h>

#include "jfr/rawtext.h"
#include "host/hostobservers.h"

/* Where the pages of a library begin and end; false if it has none. */
static bool find_range(const struct dl_phdr_info *library, uint64_t *start,
		       uint64_t *end)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	*start = UINT64_MAX;
	*end = 0;
	for (int i = 0; i < library->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &library->dlpi_phdr[i];
		uint64_t from = library->dlpi_addr + part->p_vaddr;

		if (part->p_type != PT_LOAD)
			continue;
		if (from < *start)
			*start = from;
		if (from + part->p_memsz > *end)
			*end = from + part->p_memsz;
	}
	*start &= ~(page - 1);
	*end = (*end + page - 1) & ~(page - 1);
	return *start < *end;
}

/* The program itself has no name here, and is not told: it is no library. */
static int tell_library(struct dl_phdr_info *library, size_t size, void *data)
{
	struct batch *batch = data;
	uint64_t start, end;

	(void)size;
	if (!library->dlpi_name || !*library->dlpi_name ||
	    !find_range(library, &start, &end))
		return 0;
	batch_begin(batch, EVENT_NATIVE_LIBRARY);
	encode_long(&batch->buf, batch->now);
	rawtext_encode(&batch->buf, str_of(library->dlpi_name));
	encode_long(&batch->buf, (int64_t)start);
	encode_long(&batch->buf, (int64_t)end);
	batch_end(batch);
	return 0;
}

static void tell_libraries(struct recorder *recorder, struct batch *batch)
{
	(void)recorder;
	dl_iterate_phdr(tell_library, batch);
}

const struct observer libraries_observer = {
	.name = "libraries",
	.periodic = (const struct periodic[]){
		{ EVENT_NATIVE_LIBRARY, tell_libraries },
		{ 0 },
	},
};
