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

/*
 * A class whose methods have the numbers from there on, and which is one of three that
 * have the same owner. NULL without memory.
 */
static struct prepared_class *make(uint64_t type, uint64_t first, int count)
{
	struct prepared_type of = { type / 3, type, type + 5, 1 };
	struct prepared_draft draft = { 0 };
	struct line line = { 3, 0 };
	const struct lines lines = { { &line, 1, 1 } };
	char name[20];

	snprintf(name, sizeof(name), "a/C%d", (int)type);
	prepared_begin(&draft, name);
	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "m%d", (int)first + i);
		line.number = (int32_t)first + i;
		prepared_add(&draft, first + (uint64_t)i, name, "(I)V", 0x101, &lines);
	}
	return prepared_made(&draft, &of);
}

static void own(uint64_t tag)
{
	cr_assert(prepared_own(&prepared, tag, (void *)(uintptr_t)(tag * 10 + 1)));
}

static void put(uint64_t type, uint64_t first, int count)
{
	struct prepared_class *class = make(type, first, count);

	cr_assert(class);
	if (!prepared_is_owner(&prepared, type / 3))
		own(type / 3);
	cr_assert(prepared_put(&prepared, class));
}

static void expect(uint64_t id, uint64_t type)
{
	struct prepared_names names;
	struct lines lines = { 0 };
	char name[20];

	snprintf(name, sizeof(name), "m%d", (int)id);
	cr_assert(prepared_find(&prepared, id, &names), "%s", name);
	cr_expect_eq(names.type->key, type, "%s", name);
	cr_expect_eq(names.type->loader, type + 5);
	cr_expect_eq((uintptr_t)names.reference, type / 3 * 10 + 1);
	cr_expect_eq(names.type->modifiers, 1);
	cr_expect_str_eq(names.name, name);
	cr_expect_str_eq(names.descriptor, "(I)V");
	snprintf(name, sizeof(name), "a/C%d", (int)type);
	cr_expect_str_eq(names.type_name, name);
	cr_expect_eq(names.modifiers, 0x101);
	cr_expect(lines_decode(&lines, names.lines));
	cr_expect_eq(lines.all.count, 1);
	cr_expect_eq(lines_at(&lines, 3), (int32_t)id);
	lines_clear(&lines);
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
	put(9, 300, 1);
	expect(100, 3);
	expect(101, 3);
	expect(7, 4);
	expect(300, 9);
	expect_none(102);
	cr_expect(prepared_has(&prepared, 101));
	cr_expect_not(prepared_has(&prepared, 102));
}

Test(prepared, may_have_no_methods)
{
	put(3, 100, 0);
	free(prepared_take(&prepared, 1));
	cr_expect_eq(prepared.all.count, 0);
}

Test(prepared, are_put_once)
{
	struct prepared_class *again = make(4, 100, 3);

	put(3, 100, 2);
	cr_expect_not(prepared_put(&prepared, again));
	free(again);
	expect(100, 3);
	expect_none(102);
}

Test(prepared, have_an_owner)
{
	struct prepared_class *class = make(3, 100, 2);

	cr_expect_not(prepared_put(&prepared, class), "who is not there");
	expect_none(100);
	own(1);
	cr_expect(prepared_is_owner(&prepared, 1));
	cr_expect_not(prepared_is_owner(&prepared, 3));
	cr_expect_not(prepared_own(&prepared, 1, NULL), "it is there");
	cr_expect(prepared_put(&prepared, class));
	cr_expect_null(prepared_disown(&prepared, 1), "it has a class");
	free(prepared_take(&prepared, 1));
	cr_expect_eq((uintptr_t)prepared_disown(&prepared, 1), 11);
	cr_expect_null(prepared_disown(&prepared, 1));
	cr_expect_not(prepared_is_owner(&prepared, 1));
}

Test(prepared, get_a_key)
{
	put(3, 100, 2);
	prepared_set_key(&prepared, 101, 4711);
	prepared_set_key(&prepared, 102, 4712);
	cr_expect_eq(prepared.all.items[0]->type.key, 4711);
}

static void go(uint64_t tag)
{
	struct prepared_class *class;
	int count = 0;

	for (; (class = prepared_take(&prepared, tag)) != NULL; count++) {
		cr_expect_eq(class->type.owner, tag);
		free(class);
	}
	cr_expect_eq(count, tag && tag < 33 ? 3 : 2, "%d", (int)tag);
	cr_expect_eq((uintptr_t)prepared_disown(&prepared, tag), tag * 10 + 1);
}

Test(prepared, go_with_their_owner)
{
	for (uint64_t type = 1; type <= 100; type++)
		put(type, type * 10, 10);
	for (uint64_t tag = 0; tag <= 33; tag += 2)
		go(tag);
	cr_expect_null(prepared_take(&prepared, 0));
	for (uint64_t id = 10; id < 1010; id++) {
		if (id / 30 % 2)
			expect(id, id / 10);
		else
			expect_none(id);
	}
	for (uint64_t tag = 1; tag <= 33; tag += 2)
		go(tag);
	cr_expect_eq(prepared.all.count, 0);
	cr_expect_eq(prepared.owners.count, 0);
	cr_expect_eq(prepared.by_id.count, 0);
	cr_expect_eq(prepared.by_tag.count, 0);
}

/* Then the newer class has it, also when the older one goes, or takes another place. */
Test(prepared, numbers_may_come_again)
{
	put(0, 10, 1);
	put(3, 20, 3);
	put(6, 21, 1);
	expect(21, 6);
	free(prepared_take(&prepared, 0));	/* class 6 takes its place */
	expect(21, 6);
	free(prepared_take(&prepared, 1));
	expect(21, 6);
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
		class = make(3, 100, 20);
		is_good = class && (prepared_is_owner(&prepared, 1) ||
				    prepared_own(&prepared, 1, (void *)11)) &&
			  prepared_put(&prepared, class);
		cr_expect_eq(is_good, !fault_happened());
		fault_at(0);
		if (!is_good)
			free(class);
		for (uint64_t id = 100; id < 120; id++) {
			if (is_good)
				expect(id, 3);
			else
				expect_none(id);
		}
		expect(10, 1);
	}
	cr_expect(is_good);
}
