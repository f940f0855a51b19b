#include <criterion/criterion.h>
#include <stdio.h>

#include "fault.h"
#include "probe/gone.h"

static void lose(struct gone *gone, const char *class_name, const char *name,
		 const char *descriptor, uint64_t count)
{
	struct probed_copy of = {
		.class_key = 7,
		.class_name = str_of(class_name),
		.name = str_of(name),
		.descriptor = str_of(descriptor),
		.kinds = 1u << (count % 2),
		.newest = { .size_before = (uint32_t)count },
		.sum = { .count = count },
	};

	gone_add(gone, &of);
}

Test(gone, is_added_up_by_all_names)
{
	struct gone gone = { .max = 10 };
	const struct probed_copy *of;
	char name[] = "m";

	lose(&gone, "a/B", name, "()V", 3);
	name[0] = 'x';
	lose(&gone, "a/B", "m", "()V", 4);
	lose(&gone, "a/B", "m", "()I", 1);
	lose(&gone, "a/C", "m", "()V", 1);
	lose(&gone, "a/B", "n", "()V", 1);
	cr_assert_eq(gone.methods.count, 4);
	of = &gone.methods.items[0].of;
	cr_expect(str_is(of->name, STR("m")), "texts are copies");
	cr_expect_eq(of->sum.count, 7);
	cr_expect_eq(of->kinds, 3);
	cr_expect_eq(of->newest.size_before, 4, "the last one is the newest");
	cr_expect(of->is_gone && !of->class_key);
	cr_expect_eq(gone.lost, 0);
	gone_clear(&gone);
}

Test(gone, counts_what_is_too_much)
{
	struct gone gone = { .max = 100 };
	char name[16];

	for (int i = 0; i < 103; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		lose(&gone, "a/B", name, "()V", 1);
	}
	lose(&gone, "a/B", "m0", "()V", 1);
	cr_expect_eq(gone.methods.count, 100);
	cr_expect_eq(gone.methods.items[0].of.sum.count, 2, "what is there has room");
	cr_expect_eq(gone.lost, 3);
	gone_clear(&gone);
}

Test(gone, is_counted_without_memory)
{
	struct gone gone = { .max = 10 };
	size_t n = 0;

	do {
		fault_at(++n);
		lose(&gone, "a/B", "m", "()V", 1);
		cr_assert_lt(n, 100);
	} while (fault_happened());
	fault_at(0);
	cr_expect_gt(n, 2);
	cr_expect_eq(gone.lost, n - 1);
	cr_expect_eq(gone.methods.count, 1);
	cr_expect_eq(gone.methods.items[0].of.sum.count, 1);
	gone_clear(&gone);
}
