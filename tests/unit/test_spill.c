#include <criterion/criterion.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jfr/spill.h"

static struct spill_header header(void)
{
	return (struct spill_header){
		.magic = SPILL_MAGIC,
		.version = SPILL_VERSION,
		.slot_size = 8192,
		.block_size = 65536,
		.slots_max = 3,
		.blocks_max = 2,
		.pid = 4711,
	};
}

/* A file of that size that begins with the header. */
static int file(struct spill_header header, off_t size)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, &header, sizeof(header)), sizeof(header));
	cr_assert_eq(ftruncate(fd, size), 0);
	return fd;
}

static void expect_error(int fd, enum err_kind kind, const char *text)
{
	struct spill_header seen;
	struct err err = { 0 };

	cr_expect_not(spill_look(fd, &seen, &err));
	cr_expect_eq(err.kind, kind);
	cr_expect(strstr(err.text, text), "%s", err.text);
	close(fd);
}

Test(spill, shows_what_is_written_meanwhile)
{
	int fd = file(header(), SPILL_HEADER_SIZE + 8192);
	struct err err = { 0 };
	struct spill_header seen, *ours =
		mmap(NULL, SPILL_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	cr_assert(spill_look(fd, &seen, &err), "%s", err.text);
	cr_expect_eq(seen.pid, 4711);
	cr_expect_eq(seen.events, 0);
	spill_add(&ours->events, 2);
	spill_add(&ours->events, 3);
	spill_set(&ours->state, SPILL_STOPPED);
	cr_assert(spill_look(fd, &seen, &err), "%s", err.text);
	cr_expect_eq(seen.events, 5);
	cr_expect_eq(seen.state, SPILL_STOPPED);
	munmap(ours, SPILL_HEADER_SIZE);
	close(fd);
}

Test(spill, may_become_shorter_while_it_is_looked_at)
{
	int fd = file(header(), SPILL_HEADER_SIZE + 8192);
	struct spill_header seen;

	cr_assert(spill_look(fd, &seen, NULL));
	cr_assert_eq(ftruncate(fd, 0), 0);
	expect_error(fd, ERR_FORMAT, "too short for a spill file");
}

Test(spill, is_known_by_its_magic)
{
	struct spill_header other = header();

	other.magic[7] = 'X';
	expect_error(file(other, 1 << 20), ERR_FORMAT, "not a spill file");
}

Test(spill, is_of_one_version)
{
	struct spill_header other = header();

	other.version = SPILL_VERSION + 1;
	expect_error(file(other, 1 << 20), ERR_FORMAT,
		     "a spill file of version 3, and this cjfr reads version 2: "
		     "use the cjfr that recorded it, or a newer one");
	other.version = 1;
	other.block_size = 0;
	expect_error(file(other, 1 << 20), ERR_FORMAT,
		     "a spill file of version 1, and this cjfr reads version 2: "
		     "use the cjfr that recorded it");
}

Test(spill, has_slots_and_blocks_that_hold_something)
{
	static const uint32_t wrong[] = { 0, 24, 20004, SPILL_PART_MAX + 8,
					  UINT32_MAX };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct spill_header other = header();

		other.slot_size = wrong[i];
		expect_error(file(other, 1 << 20), ERR_FORMAT, "slots of");
		other = header();
		other.block_size = wrong[i];
		expect_error(file(other, 1 << 20), ERR_FORMAT, "blocks of");
	}
}

/* With the largest sizes and counts there are still offsets of files. */
Test(spill, has_places)
{
	struct spill_header most = header();

	most.slot_size = most.block_size = SPILL_PART_MAX;
	most.slots_max = most.blocks_max = UINT32_MAX;
	cr_expect(spill_check(&most, NULL));
	cr_expect_leq(spill_block_at(&most, UINT32_MAX), INT64_MAX);
	most = header();
	cr_expect_eq(spill_slot_at(&most, 0), SPILL_HEADER_SIZE);
	cr_expect_eq(spill_slot_at(&most, 2), SPILL_HEADER_SIZE + 16384);
	cr_expect_eq(spill_block_at(&most, 1), SPILL_HEADER_SIZE + 3 * 8192 + 65536);
	most.block_size = most.blocks_max = 0;
	cr_expect(spill_check(&most, NULL), "it may have no blocks");
}

Test(spill, has_a_whole_header)
{
	expect_error(file(header(), SPILL_HEADER_SIZE - 1), ERR_FORMAT, "too short");
	expect_error(file(header(), 0), ERR_FORMAT, "too short");
}

Test(spill, is_a_file)
{
	int ends[2];

	expect_error(-1, ERR_SYSTEM, "spill file");
	cr_assert_eq(pipe(ends), 0);
	expect_error(ends[0], ERR_FORMAT, "too short");
	close(ends[1]);
}
