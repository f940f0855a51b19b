#include <criterion/criterion.h>
#include <stdio.h>

#include "fault.h"
#include "probe/owners.h"

static struct owners owners;

static void end(void)
{
	owners_clear(&owners);
}

/* Two of them with the same number of a hash are in one place: take out any first. */
Test(owners, are_many, .fini = end)
{
	enum { MANY = 3000 };
	char name[16];

	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "a/C%u", i / 10);
		cr_assert_eq(owners_add(&owners, i % 10, str_of(name), true), i);
		cr_assert_eq(owners_add(&owners, i % 10, str_of(name), true), i);
		owners_bind(&owners, i, 10000 + i);
		cr_assert_eq(map_find(&owners.by_key, 10000 + i), i);
	}
	cr_expect_eq(owners.waiting.count, 0);
	for (uint32_t i = 0; i < MANY; i += 3) {
		owners_remove(&owners, i);
		cr_assert_eq(map_find(&owners.by_key, 10000 + i), MAP_NONE);
	}
	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "a/C%u", i / 10);
		cr_expect_eq(owners_find(&owners, i % 10, str_of(name)),
			     i % 3 ? i : MAP_NONE);
	}
	cr_expect_lt(owners_add(&owners, 1, STR("a/B"), false), MANY);
}

Test(owners, are_found_by_their_loader, .fini = end)
{
	static const char *const names[] = { "a/A", "a/B", "a/C", "a/D" };
	uint32_t at, count = 0;

	for (size_t i = 0; i < 4; i++) {
		owners_add(&owners, 7, str_of(names[i]), true);
		owners_add(&owners, 8, str_of(names[i]), false);
	}
	cr_expect_eq(owners.waiting.count, 4);
	owners_remove(&owners, owners_find(&owners, 7, STR("a/B")));
	while ((at = map_find(&owners.by_loader, 7)) != MAP_NONE) {
		cr_assert_eq(owners.all.items[at]->loader, 7);
		owners_remove(&owners, at);
		count++;
	}
	cr_expect_eq(count, 3);
	cr_expect_eq(owners.waiting.count, 0);
	cr_expect_neq(owners_find(&owners, 8, STR("a/B")), MAP_NONE);
}

Test(owners, have_methods, .fini = end)
{
	struct classfile_method of = { .name = STR("m"), .descriptor = STR("()V") };
	uint32_t at = owners_add(&owners, 7, STR("a/B"), false);
	struct owner *owner;

	cr_assert_neq(at, MAP_NONE);
	owner = owners.all.items[at];
	cr_assert_not_null(owners_add_method(owner, &of));
	cr_expect_eq(owners_find_method(owner, of.name, of.descriptor),
		     &owner->methods.items[0]);
	cr_expect_null(owners_find_method(owner, of.name, STR("()I")));
	cr_expect_null(owners_find_method(owner, STR("n"), of.descriptor));
}

Test(owners, are_as_before_without_memory, .fini = end)
{
	uint32_t at;
	size_t n = 0;

	do {
		fault_at(++n);
		at = owners_add(&owners, 7, STR("a/B"), true);
		cr_assert(at != MAP_NONE || !owners.waiting.count);
		cr_assert(at != MAP_NONE || map_find(&owners.by_loader, 7) == MAP_NONE);
	} while (at == MAP_NONE);
	fault_at(0);
	cr_expect_gt(n, 3);
	cr_expect_eq(at, 0);
	cr_expect_eq(owners.waiting.count, 1);
}
