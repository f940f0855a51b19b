#include "jfr/spill.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

_Static_assert(sizeof(struct spill_header) <= SPILL_HEADER_SIZE, "the header fits");
_Static_assert(sizeof(struct spill_slot) % 8 == 0, "slots have no gaps");

static bool check(const struct spill_header *header, struct err *err)
{
	if (memcmp(header->magic, SPILL_MAGIC, sizeof(header->magic)) != 0)
		return err_set(err, ERR_FORMAT, "not a spill file");
	if (header->version != SPILL_VERSION)
		return err_set(err, ERR_FORMAT,
			       "a spill file of version %u; this program knows %u",
			       (unsigned)header->version, SPILL_VERSION);
	if (header->slot_size <= sizeof(struct spill_slot))
		return err_set(err, ERR_FORMAT, "a spill file with slots of %u bytes",
			       (unsigned)header->slot_size);
	return true;
}

const struct spill_header *spill_look(int fd, struct err *err)
{
	const struct spill_header *header;
	struct stat status;

	if (fstat(fd, &status) != 0) {
		err_system(err, "spill file");
		return NULL;
	}
	if (status.st_size < SPILL_HEADER_SIZE) {
		err_set(err, ERR_FORMAT, "too short for a spill file");
		return NULL;
	}
	header = mmap(NULL, SPILL_HEADER_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	if (header == MAP_FAILED) {
		err_system(err, "spill file");
		return NULL;
	}
	if (!check(header, err)) {
		munmap((void *)header, SPILL_HEADER_SIZE);
		return NULL;
	}
	return header;
}
