#include <criterion/criterion.h>
#include <limits.h>

#include "engine/kept.h"
#include "fault.h"

static bool add(struct kept *kept, size_t size, unsigned epoch, int64_t now)
{
	static const char events[100];

	return kept_add(kept, (struct str){ events, size }, 2, epoch, now - 10, now);
}

Test(kept, gives_up_the_oldest_when_there_is_too_much)
{
	struct kept kept = { 0 };

	cr_expect_eq(kept_epoch(&kept), UINT_MAX);
	cr_expect(add(&kept, 0, 1, 5), "nothing is nothing to keep");
	cr_expect_eq(kept.batches.count, 0);
	for (unsigned i = 1; i <= 4; i++)
		cr_expect(add(&kept, 100, i, i * 10));
	cr_expect_eq(kept.size, 400);
	cr_expect_eq(kept.events, 8);
	kept_trim(&kept, 400, INT64_MIN);
	cr_expect_eq(kept_epoch(&kept), 1);
	kept_trim(&kept, 399, INT64_MIN);
	cr_expect_eq(kept_epoch(&kept), 2);
	cr_expect_eq(kept.size, 300);
	cr_expect_eq(kept.events, 6);
	cr_expect_eq(kept.batches.items[0].from, 10);
	kept_trim(&kept, 0, INT64_MIN);
	cr_expect_eq(kept_epoch(&kept), 4, "the newest stays");
	kept_clear(&kept);
}

Test(kept, gives_up_what_is_too_old)
{
	struct kept kept = { 0 };

	for (unsigned i = 1; i <= 3; i++)
		cr_expect(add(&kept, 100, i, i * 10));
	kept_trim(&kept, 1000, 10);
	cr_expect_eq(kept_epoch(&kept), 1);
	kept_trim(&kept, 1000, 11);
	cr_expect_eq(kept_epoch(&kept), 2);
	kept_trim(&kept, 1000, 100);
	cr_expect_eq(kept_epoch(&kept), 3);
	kept_clear(&kept);
}

Test(kept, stays_as_it_is_without_memory)
{
	struct kept kept = { 0 };

	cr_expect(kept_add(&kept, STR("10 bytes.."), 1, 1, 0, 1));
	fault_at(1);
	cr_expect_not(kept_add(&kept, STR("10 bytes.."), 1, 2, 1, 2));
	fault_at(0);
	cr_expect_eq(kept.batches.count, 1);
	cr_expect_eq(kept.size, 10);
	kept_clear(&kept);
}
