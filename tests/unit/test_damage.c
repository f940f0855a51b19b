#include <criterion/criterion.h>

#include "jfr/damage.h"

static const char one[] = "one cause", other[] = "another cause";

Test(damage, tells_each_cause_once_with_its_first_place)
{
	struct damage damage = { 0 };

	damage_add(&damage, one, STR("a.B"), 3, 1000);
	damage_add(&damage, other, STR(""), 0, 7);
	damage_add(&damage, one, STR("c.D"), 4, 2000);
	cr_assert_eq(damage.faults.count, 2);
	cr_expect_str_eq(damage.faults.items[0].cause, one);
	cr_expect_str_eq(damage.faults.items[0].type, "a.B");
	cr_expect_eq(damage.faults.items[0].chunk, 3);
	cr_expect_eq(damage.faults.items[0].at, 1000);
	cr_expect_eq(damage.faults.items[0].count, 2);
	cr_expect_str_eq(damage.faults.items[1].type, "");
	damage_clear(&damage);
	cr_expect_eq(damage.faults.count, 0);
}

Test(damage, cuts_long_names)
{
	struct damage damage = { 0 };
	char name[200];

	memset(name, 'x', sizeof(name));
	damage_add(&damage, one, (struct str){ name, sizeof(name) }, 0, 0);
	cr_expect_eq(strlen(damage.faults.items[0].type),
		     sizeof(damage.faults.items[0].type) - 1);
	damage_clear(&damage);
}

Test(damage, is_merged_in_order)
{
	struct damage first = { 0 }, second = { 0 };

	damage_add(&first, one, STR("a"), 0, 1);
	damage_add(&second, other, STR("b"), 1, 2);
	damage_add(&second, one, STR("c"), 1, 3);
	damage_add(&second, one, STR("c"), 1, 4);
	damage_merge(&first, &second);
	cr_expect_eq(second.faults.count, 0);
	cr_assert_eq(first.faults.count, 2);
	cr_expect_eq(first.faults.items[0].count, 3);
	cr_expect_eq(first.faults.items[0].at, 1);
	cr_expect_eq(first.faults.items[1].at, 2);
	damage_clear(&first);
	damage_clear(&second);
}

Test(damage, keeps_why_the_first_of_the_lost_chunks_is_lost)
{
	struct damage damage = { 0 };
	struct err first = { ERR_FORMAT, "chunk 2: why" };
	struct err second = { ERR_FORMAT, "chunk 3: why" };

	cr_expect(damage_is_none(&damage));
	damage_add_chunk(&damage, &first);
	damage_add_chunk(&damage, &second);
	cr_expect_not(damage_is_none(&damage));
	cr_expect_eq(damage.lost_chunks, 2);
	cr_expect_str_eq(damage.lost.text, "chunk 2: why");
	damage_clear(&damage);
}

Test(damage, is_merged_with_its_lost_chunks_and_its_end)
{
	struct damage first = { 0 }, second = { 0 };
	struct err why = { ERR_FORMAT, "chunk 2: why" };
	struct err other_why = { ERR_FORMAT, "chunk 3: why" };

	damage_add_chunk(&second, &why);
	second.stop = (struct err){ ERR_FORMAT, "chunk 4: the end" };
	damage_merge(&first, &second);
	cr_expect(damage_is_none(&second));
	damage_add_chunk(&second, &other_why);
	second.stop = (struct err){ ERR_FORMAT, "chunk 5: the end" };
	damage_merge(&first, &second);
	cr_expect_eq(first.lost_chunks, 2);
	cr_expect_str_eq(first.lost.text, "chunk 2: why");
	cr_expect_str_eq(first.stop.text, "chunk 4: the end");
	damage_clear(&first);
	cr_expect(damage_is_none(&first));
}
