#include <criterion/criterion.h>
#include <stdio.h>

#include "copy/removed.h"
#include "fault.h"

static bool add(struct removed *removed, int64_t id, const char *name, uint64_t gone,
		uint64_t total)
{
	struct type type = { .id = id, .name = str_of(name) };
	struct removed_count count = { .total = total, .removed = gone };

	return removed_add(removed, &type, &count);
}

static void expect(struct removed *removed, const char *rows)
{
	char told[200] = "";
	size_t size = 0;

	cr_assert(removed_order(removed));
	for (size_t i = 0; i < removed->rows.count; i++) {
		const struct removed_row *row = &removed->rows.items[i];

		size += (size_t)snprintf(told + size, sizeof(told) - size,
					 "%.*s %d/%d, ", (int)row->name.size,
					 row->name.bytes, (int)row->count.removed,
					 (int)row->count.total);
	}
	cr_expect_str_eq(told, rows);
	removed_clear(removed);
}

Test(removed, adds_up_what_is_gone_by_name)
{
	struct removed removed = { 0 };

	cr_assert(add(&removed, 100, "b.B", 1, 2) && add(&removed, 101, "a.A", 3, 3) &&
		  add(&removed, 102, "c.C", 0, 5) && add(&removed, 100, "b.B", 2, 7) &&
		  add(&removed, 103, "d.D", 0, 0));
	expect(&removed, "a.A 3/3, b.B 3/9, ");
}

Test(removed, goes_by_number)
{
	struct removed removed = { 0 };

	cr_assert(add(&removed, 100, "b.B", 1, 1) && add(&removed, 100, "a.A", 1, 2));
	expect(&removed, "b.B 2/3, ");
}

/* Of the same name: as they come out of the JDK's map. */
Test(removed, has_an_order_for_equal_names)
{
	struct removed removed = { 0 };

	for (int id = 1; id <= 4; id++)
		cr_assert(add(&removed, id, "a.A", (uint64_t)id, 9));
	expect(&removed, "a.A 2/9, a.A 4/9, a.A 1/9, a.A 3/9, ");
}

Test(removed, may_be_nothing)
{
	struct removed removed = { 0 };

	expect(&removed, "");
}

Test(removed, fails_without_memory)
{
	for (size_t n = 1; ; n++) {
		struct removed removed = { 0 };
		bool is_good = true;

		fault_at(n);
		for (int id = 0; id < 30 && is_good; id++)
			is_good = add(&removed, id, "a.A", 1, 1);
		is_good = is_good && removed_order(&removed);
		cr_expect_neq(is_good, fault_happened());
		removed_clear(&removed);
		if (!fault_happened())
			break;
	}
	fault_at(0);
}
