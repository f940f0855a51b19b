#include <criterion/criterion.h>
#include <errno.h>
#include <sys/resource.h>

#include "engine/slots.h"

static struct slots slots;

static void open_for(size_t memory)
{
	struct slots_plan plan = { .buffer = 4096, .memory = memory, .blocks = 3 };

	cr_assert(slots_open(&slots, &plan, NULL));
}

/* Eight of them. */
static void open_slots(void)
{
	open_for(0);
}

static void close_slots(void)
{
	slots_close(&slots);
	slots_close(&slots);
}

TestSuite(slots, .init = open_slots, .fini = close_slots);

Test(slots, lie_one_behind_the_other)
{
	const char *start = (char *)slots.file.header + SPILL_HEADER_SIZE;

	for (uint32_t place = 1; place <= 8; place++)
		cr_expect_eq((char *)slots_at(&slots, place),
			     start + (place - 1) * slots.size);
	cr_expect_eq((char *)slots_at(&slots, 9), (char *)slots.file.header +
						     8 * 4096 + SPILL_HEADER_SIZE);
	cr_expect_eq((char *)slots_at(&slots, 9), slots.file.blocks);
	cr_expect_eq(slots.room, 4096 - sizeof(struct spill_slot) - SLOT_SLACK);
}

/* The first ones are taken first: the last may never be touched. */
Test(slots, are_given_out_until_there_are_none)
{
	for (uint32_t place = 1; place <= 8; place++) {
		cr_expect_eq(slots_are_low(&slots), place == 8);
		cr_expect_eq(slots_pop_free(&slots), slots_at(&slots, place));
	}
	cr_expect_null(slots_pop_free(&slots));
	cr_expect(slots_are_low(&slots));
	slots_push_free(&slots, slots_at(&slots, 5));
	slots_push_free(&slots, slots_at(&slots, 3));
	cr_expect_not(slots_are_low(&slots));
	cr_expect_eq(slots_pop_free(&slots), slots_at(&slots, 3));
	cr_expect_eq(slots_pop_free(&slots), slots_at(&slots, 5));
	cr_expect_null(slots_pop_free(&slots));
}

/* Who was held up in the middle of taking the first one must see that. */
Test(slots, are_in_a_list_that_never_is_the_same_again)
{
	uint64_t before = slots.free;
	struct spill_slot *first = slots_pop_free(&slots);
	struct spill_slot *second = slots_pop_free(&slots);

	slots_push_free(&slots, first);
	cr_expect_eq((uint32_t)slots.free, (uint32_t)before);
	cr_expect_neq(slots.free, before);
	slots_push_free(&slots, second);
}

Test(slots, are_told_in_the_order_in_which_they_became_full)
{
	uint32_t last, place;

	cr_expect_eq(slots_take_full(&slots, &last), 0);
	slots_push_full(&slots, slots_at(&slots, 4));
	slots_push_full(&slots, slots_at(&slots, 2));
	slots_push_full(&slots, slots_at(&slots, 7));
	cr_expect_eq(slots.full_count, 3);
	place = slots_take_full(&slots, &last);
	cr_expect_eq(place, 4);
	cr_expect_eq(last, 7);
	cr_expect_eq(slot_next(slots_at(&slots, 4)), 2);
	cr_expect_eq(slot_next(slots_at(&slots, 2)), 7);
	cr_expect_eq(slot_next(slots_at(&slots, 7)), 0);
	cr_expect_eq(slots.full_count, 0);
	cr_expect_eq(slots_take_full(&slots, &last), 0);
}

Test(slots, become_more_up_to_the_limit)
{
	cr_expect_eq(slots_count(&slots), 8);
	cr_expect_not(slots.can_grow);
	cr_expect_not(slots_grow(&slots));
	slots_close(&slots);
	open_for(3 << 20);
	cr_expect_eq(slots_count(&slots), 256);
	cr_expect(slots.can_grow);
	cr_expect(slots_grow(&slots));
	cr_expect(slots_grow(&slots));
	cr_expect_eq(slots_count(&slots), 767);
	cr_expect_eq(slots.file.header->slots, 767);
	cr_expect_eq(slots.free_count, 767);
	cr_expect_not(slots.can_grow);
	cr_expect_not(slots_grow(&slots));
}

/* A sixteenth of the limit at a time, once that is more than a megabyte. */
Test(slots, become_more_in_steps_by_the_limit)
{
	slots_close(&slots);
	open_for(64 << 20);
	cr_expect_eq(slots_count(&slots), slots.limit / 16);
	cr_expect(slots_grow(&slots));
	cr_expect_eq(slots_count(&slots), slots.limit / 16 * 2);
}

static void take_free(unsigned count)
{
	while (count--)
		cr_assert_not_null(slots_pop_free(&slots));
}

/* While there can be more, that takes time: so it is told earlier. */
Test(slots, are_low_earlier_while_there_can_be_more)
{
	take_free(6);
	cr_expect_not(slots_are_low(&slots));
	take_free(1);
	cr_expect(slots_are_low(&slots));
	slots_close(&slots);
	open_for(3 << 20);
	take_free(128);
	cr_expect_not(slots_are_low(&slots));
	take_free(1);
	cr_expect(slots_are_low(&slots));
}

static void limit_files(size_t size)
{
	struct rlimit limit = { size, RLIM_INFINITY };

	slots_close(&slots);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Half of it is for blocks. */
Test(slots, are_fewer_where_files_may_not_be_large)
{
	limit_files(2 << 20);
	open_for(3 << 20);
	cr_expect_geq(slots.file.fd, 0);
	cr_expect_eq(slots.file.header->slots_max, 255);
	cr_expect_eq(slots.file.header->blocks_max, 3);
	while (slots_grow(&slots))
		;
	cr_expect_eq(slots_count(&slots), 255);
	limit_files(2 << 20);
	open_for(1 << 20);
	cr_expect_eq(slots.file.header->slots_max, 255, "as many as wished for");
	limit_files(120000);
	open_for(3 << 20);
	cr_expect_geq(slots.file.fd, 0);
	cr_expect_eq(slots.file.header->slots_max, 13);
	cr_expect_eq(slots.file.header->blocks_max, 0);
	limit_files(9 * 4096);
	open_for(3 << 20);
	cr_expect_geq(slots.file.fd, 0);
	cr_expect_eq(slots_count(&slots), 8, "the fewest");
	limit_files(9 * 4096 - 1);
	open_for(3 << 20);
	cr_expect_eq(slots.file.fd, -1);
	cr_expect_eq(slots.file.error, EFBIG);
	cr_expect_eq(slots.file.header->slots_max, 767, "memory is as large as wished for");
}

Test(slots, have_all_of_a_file_without_blocks)
{
	struct slots_plan plan = { .buffer = 4096, .memory = 3 << 20 };

	limit_files(2 << 20);
	cr_assert(slots_open(&slots, &plan, NULL));
	cr_expect_geq(slots.file.fd, 0);
	cr_expect_eq(slots.file.header->slots_max, 511);
}
