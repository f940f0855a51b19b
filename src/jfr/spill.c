#include "jfr/spill.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(struct spill_header) <= SPILL_HEADER_SIZE, "the header fits");
_Static_assert(sizeof(struct spill_slot) % 8 == 0, "slots have no gaps");
_Static_assert(sizeof(struct spill_block) % 8 == 0, "nor have blocks");
_Static_assert(sizeof(struct spill_record) % 8 == 0, "records neither");
_Static_assert(sizeof(struct spill_batch) % 8 == 0, "nor batches");

static bool refuse_version(uint32_t version, struct err *err)
{
	return err_set(err, ERR_FORMAT,
		       "a spill file of version %u, and this cjfr reads version %u: "
		       "use the cjfr that recorded it%s",
		       (unsigned)version, SPILL_VERSION,
		       version > SPILL_VERSION ? ", or a newer one" : "");
}

static bool check_size(uint32_t size, size_t head, const char *what, struct err *err)
{
	if (size > head && size <= SPILL_PART_MAX && size % 8 == 0)
		return true;
	return err_set(err, ERR_FORMAT, "a spill file with %s of %u bytes", what,
		       (unsigned)size);
}

bool spill_check(const struct spill_header *header, struct err *err)
{
	if (memcmp(header->magic, SPILL_MAGIC, sizeof(header->magic)) != 0)
		return err_set(err, ERR_FORMAT, "not a spill file");
	if (header->version != SPILL_VERSION)
		return refuse_version(header->version, err);
	return check_size(header->slot_size, sizeof(struct spill_slot), "slots", err) &&
	       (header->blocks_max == 0 ||
		check_size(header->block_size, sizeof(struct spill_block), "blocks",
			   err));
}

bool spill_look(int fd, struct spill_header *header, struct err *err)
{
	struct stat status;
	ssize_t size;

	if (fstat(fd, &status) != 0)
		return err_system(err, "spill file");
	size = status.st_size < SPILL_HEADER_SIZE
		       ? 0 : pread(fd, header, sizeof(*header), 0);
	if (size < 0)
		return err_system(err, "spill file");
	if ((size_t)size < sizeof(*header))
		return err_set(err, ERR_FORMAT, "too short for a spill file");
	return spill_check(header, err);
}

bool spill_is_at(const char *path)
{
	char magic[sizeof(SPILL_MAGIC)] = "";
	struct stat status;
	bool is_one;
	int fd;

	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	is_one = pread(fd, magic, sizeof(magic) - 1, 0) == sizeof(magic) - 1 &&
		 strcmp(magic, SPILL_MAGIC) == 0;
	close(fd);
	return is_one;
}
