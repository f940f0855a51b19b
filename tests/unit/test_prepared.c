#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "agent/prepared.h"
#include "fault.h"

static struct prepared prepared;

static void begin(void)
{
	prepared = (struct prepared){ 0 };
}

static void end(void)
{
	prepared_clear(&prepared);
}

TestSuite(prepared, .init = begin, .fini = end);

/* A class whose methods have the numbers from there on. NULL without memory. */
static struct prepared_class *make(uint64_t type, uint64_t first, int count)
{
	struct prepared_type of = { type, type + 5, (void *)(uintptr_t)(type * 10), 1 };
	struct prepared_draft draft = { 0 };
	char name[20];

	snprintf(name, sizeof(name), "a/C%d", (int)type);
	prepared_begin(&draft, name);
	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "m%d", (int)first + i);
		prepared_add(&draft, first + (uint64_t)i, name, "(I)V", 0x101);
	}
	return prepared_made(&draft, &of);
}

static void put(uint64_t type, uint64_t first, int count)
{
	struct prepared_class *class = make(type, first, count);

	cr_assert(class);
	cr_assert(prepared_put(&prepared, class));
}

static void expect(uint64_t id, uint64_t type)
{
	struct prepared_names names;
	char name[20];

	snprintf(name, sizeof(name), "m%d", (int)id);
	cr_assert(prepared_find(&prepared, id, &names), "%s", name);
	cr_expect_eq(names.type->key, type, "%s", name);
	cr_expect_eq(names.type->loader, type + 5);
	cr_expect_eq((uintptr_t)names.type->reference, type * 10);
	cr_expect_eq(names.type->modifiers, 1);
	cr_expect_str_eq(names.name, name);
	cr_expect_str_eq(names.descriptor, "(I)V");
	snprintf(name, sizeof(name), "a/C%d", (int)type);
	cr_expect_str_eq(names.type_name, name);
	cr_expect_eq(names.modifiers, 0x101);
}

static void expect_none(uint64_t id)
{
	struct prepared_names names;

	cr_expect_not(prepared_find(&prepared, id, &names), "%d", (int)id);
}

Test(prepared, have_names)
{
	put(3, 100, 2);
	put(4, 7, 1);
	expect(100, 3);
	expect(101, 3);
	expect(7, 4);
	expect_none(102);
	cr_expect(prepared_has(&prepared, 3));
	cr_expect_not(prepared_has(&prepared, 5));
}

Test(prepared, may_have_no_methods)
{
	put(3, 100, 0);
	cr_expect(prepared_has(&prepared, 3));
	free(prepared_take(&prepared, 3));
	cr_expect_not(prepared_has(&prepared, 3));
}

Test(prepared, are_put_once)
{
	struct prepared_class *again = make(3, 200, 2);

	put(3, 100, 2);
	cr_expect_not(prepared_put(&prepared, again));
	free(again);
	expect(100, 3);
	expect_none(200);
}

Test(prepared, go_in_any_order)
{
	struct prepared_class *class;

	for (uint64_t type = 1; type <= 100; type++)
		put(type, type * 10, 10);
	for (uint64_t type = 1; type <= 100; type += 2) {
		class = prepared_take(&prepared, type);
		cr_assert(class);
		cr_expect_eq(class->type.key, type);
		free(class);
	}
	cr_expect_null(prepared_take(&prepared, 1));
	for (uint64_t id = 10; id < 1010; id++) {
		if (id / 10 % 2)
			expect_none(id);
		else
			expect(id, id / 10);
	}
	for (uint64_t type = 100; type > 0; type -= 2)
		free(prepared_take(&prepared, type));
	cr_expect_eq(prepared.all.count, 0);
	cr_expect_eq(prepared.by_id.count, 0);
	cr_expect_eq(prepared.by_key.count, 0);
}

/* Then the newer class has it, also when the older one goes, or takes another place. */
Test(prepared, numbers_may_come_again)
{
	put(1, 10, 1);
	put(2, 20, 3);
	put(3, 21, 1);
	expect(21, 3);
	free(prepared_take(&prepared, 1));	/* class 3 takes its place */
	expect(21, 3);
	free(prepared_take(&prepared, 2));
	expect(21, 3);
	expect_none(20);
	expect_none(22);
}

Test(prepared, without_memory_there_is_none)
{
	struct prepared_class *class;
	bool is_good = false;

	put(1, 10, 10);
	for (size_t n = 1; !is_good && n < 100; n++) {
		fault_at(n);
		class = make(2, 100, 20);
		is_good = class && prepared_put(&prepared, class);
		cr_expect_eq(is_good, !fault_happened());
		fault_at(0);
		if (!is_good)
			free(class);
		cr_expect_eq(prepared_has(&prepared, 2), is_good);
		for (uint64_t id = 100; id < 120; id++) {
			if (is_good)
				expect(id, 2);
			else
				expect_none(id);
		}
		expect(10, 1);
	}
	cr_expect(is_good);
}
