#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/blocks.h"
#include "engine/spillfile.h"
#include "refuse.h"

#define SLOTS 8

static const struct spillfile_shape shape = {
	.slot_size = 4096,
	.slots = SLOTS,
	.slots_first = 2,
	.blocks = 10,
};

static off_t space_of(int fd)
{
	struct stat status;

	cr_assert_eq(fstat(fd, &status), 0);
	return (off_t)status.st_blocks * 512;
}

Test(spillfile, has_a_header_slots_and_blocks)
{
	struct spillfile file;
	struct spill_header *header;

	cr_assert(spillfile_open(&file, &shape, NULL));
	header = file.header;
	cr_expect_eq(memcmp(header->magic, SPILL_MAGIC, 8), 0);
	cr_expect_eq(header->version, SPILL_VERSION);
	cr_expect_eq(header->slot_size, 4096);
	cr_expect_eq(header->slots_max, SLOTS);
	cr_expect_eq(header->block_size, BLOCK_SIZE);
	cr_expect_eq(header->blocks_max, 10);
	cr_expect_eq(header->pid, (uint64_t)getpid());
	cr_expect_eq(header->slots, 0);
	cr_expect_eq(header->blocks, 0);
	cr_expect_eq((char *)spillfile_slot(&file, 0),
		     (char *)header + SPILL_HEADER_SIZE);
	cr_expect_eq((char *)spillfile_slot(&file, SLOTS), file.blocks);
	cr_expect_eq((char *)spillfile_block(&file, 10), (char *)header + file.mapped);
	cr_expect(fcntl(file.fd, F_GET_SEALS) & F_SEAL_SHRINK);
	spillfile_close(&file);
	spillfile_close(&file);
}

Test(spillfile, has_space_only_where_it_was_asked_for)
{
	struct spillfile file;

	cr_assert(spillfile_open(&file, &shape, NULL));
	cr_expect_eq(space_of(file.fd), SPILL_HEADER_SIZE + 2 * 4096);
	cr_expect(spillfile_allocate(&file, spillfile_block(&file, 2), 2 * BLOCK_SIZE));
	cr_expect_eq(space_of(file.fd), SPILL_HEADER_SIZE + 2 * 4096 + 2 * BLOCK_SIZE);
	cr_expect_eq(file.error, 0);
	cr_expect_not(spillfile_allocate(&file, spillfile_block(&file, 9),
					 2 * BLOCK_SIZE), "beyond its end");
	cr_expect_neq(file.error, 0);
	spillfile_drop_blocks(&file);
	cr_expect_eq(space_of(file.fd), SPILL_HEADER_SIZE + 2 * 4096);
	spillfile_close(&file);
}

/* Where the kernel is older than 5.14, it gets nothing. */
Test(spillfile, gets_space_when_others_closed_it)
{
	struct spillfile file;
	char *block;
	int ours;
	bool has_space;

	cr_assert(spillfile_open(&file, &shape, NULL));
	ours = dup(file.fd);
	cr_assert_eq(dup2(STDERR_FILENO, file.fd), file.fd);
	block = (char *)spillfile_block(&file, 1);
	has_space = spillfile_allocate(&file, block, BLOCK_SIZE);
	if (has_space) {
		cr_expect_eq(space_of(ours),
			     SPILL_HEADER_SIZE + 2 * 4096 + (off_t)BLOCK_SIZE);
		memset(block, 'x', BLOCK_SIZE);
	}
	cr_expect_eq(file.error, has_space ? 0 : EBADF);
	file.header->events = 1;
	spillfile_close(&file);
	cr_expect_geq(fcntl(STDERR_FILENO, F_GETFD), 0, "nobody else's is closed");
	close(ours);
}

Test(spillfile, gets_no_space_that_there_is_not_when_others_closed_it)
{
	struct spillfile file;

	cr_assert(spillfile_open(&file, &shape, NULL));
	close(file.fd);
	cr_expect_not(spillfile_allocate(&file, spillfile_block(&file, 9),
					 1000 * BLOCK_SIZE), "beyond its end");
	cr_expect_eq(file.error, EBADF);
	spillfile_close(&file);
}

/* First blocks are given up, then the file. */
Test(spillfile, is_no_larger_than_files_may_be)
{
	size_t slots = SPILL_HEADER_SIZE + SLOTS * 4096;
	struct rlimit limit = { .rlim_cur = slots + 3 * BLOCK_SIZE + 5,
				.rlim_max = RLIM_INFINITY };
	struct spillfile file;

	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	cr_assert(spillfile_open(&file, &shape, NULL));
	cr_expect_geq(file.fd, 0);
	cr_expect_eq(file.header->blocks_max, 3);
	cr_expect_eq(file.error, EFBIG, "why there will be no more");
	spillfile_close(&file);
	limit.rlim_cur = slots - 1;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	cr_assert(spillfile_open(&file, &shape, NULL));
	cr_expect_eq(file.fd, -1);
	cr_expect_eq(file.error, EFBIG);
	cr_expect_eq(file.header->blocks_max, 0);
	cr_expect(spillfile_allocate(&file, spillfile_slot(&file, 0), 4096));
	spillfile_slot(&file, SLOTS - 1)->committed = 1;
	spillfile_close(&file);
}

Test(spillfile, is_a_new_one)
{
	char path[] = "/tmp/test_spillfile.XXXXXX";
	struct spillfile_shape named = shape;
	struct spillfile file;
	struct err err = { ERR_NONE, "" };
	int fd = mkstemp(path);

	close(fd);
	named.path = path;
	cr_expect_not(spillfile_open(&file, &named, &err));
	cr_expect_eq(err.kind, ERR_SYSTEM);
	unlink(path);
	cr_expect(spillfile_open(&file, &named, &err));
	spillfile_close(&file);
	cr_expect_eq(access(path, F_OK), 0);
	unlink(path);
}

#define BTRFS 0x9123683e
#define ZFS 0x2fc12fc1

/* True if there is one on a file system of that type. */
static bool is_made_on(long type, bool are_flags_refused, bool has_name)
{
	char path[] = "/tmp/test_spillfile.XXXXXX";
	struct spillfile_shape named = shape;
	struct spillfile file;
	bool is_made;

	close(mkstemp(path));
	unlink(path);
	if (has_name)
		named.path = path;
	refuse_flags(type, are_flags_refused);
	cr_assert(spillfile_open(&file, &named, NULL));
	refuse_flags(0, false);
	is_made = file.fd >= 0;
	cr_expect_eq(file.error, is_made ? 0 : EOPNOTSUPP);
	cr_expect_eq(access(path, F_OK) == 0, is_made && has_name);
	file.header->events = 1;
	spillfile_close(&file);
	unlink(path);
	return is_made;
}

/* Else a full disk is SIGBUS there. */
Test(spillfile, is_not_one_that_is_copied_on_write)
{
	cr_expect(is_made_on(0, false, true));
	cr_expect(is_made_on(BTRFS, false, true), "it can be told not to");
	cr_expect_not(is_made_on(BTRFS, true, true));
	cr_expect_not(is_made_on(ZFS, true, true));
	cr_expect(is_made_on(ZFS, true, false), "a memfd is in no file system");
}
