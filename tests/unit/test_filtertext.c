#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/buf.h"
#include "control/filtertext.h"
#include "fault.h"
#include "jfc/methodfilter.h"

static void expect(const char *one, const char *other, const char *wanted)
{
	struct arena arena = { 0 };
	struct methodfilter filter = { .items.count = 0 };
	struct methodfilter_fault fault;
	struct str united;

	cr_assert(filtertext_unite(str_of(one), str_of(other), &arena, &united));
	cr_expect(str_is(united, str_of(wanted)), "'%s', '%s': '%.*s'", one, other,
		  (int)united.size, united.bytes);
	cr_expect(methodfilter_read(&filter, united, METHODFILTER_OURS, &fault));
	methodfilter_clear(&filter);
	arena_clear(&arena);
}

Test(filtertext, has_the_filters_of_both)
{
	expect("a.B", "c.D", "a.B;c.D");
	expect("a.B;\n  c.D ;", " ::m; @x.Y", "a.B;c.D;::m;@x.Y");
	expect("a.B::m(int, long)", "+c.D", "a.B::m(int, long);+c.D");
}

Test(filtertext, has_each_filter_once)
{
	expect("a.B;c.D", "c.D;e.F;a.B", "a.B;c.D;e.F");
	expect("a.B;a.B", "c.D", "a.B;c.D");
	expect("a.B ; c.D", "a.B ; c.D", "a.B ; c.D");
}

/* It would be, also for the one that wants it. */
Test(filtertext, takes_nothing_out_that_one_of_them_wants)
{
	expect("a.*", "b.*;!a.C", "a.*;b.*");
	expect("a.*;!a.C", "b.*", "a.*;b.*");
	expect("a.*;!a.C;!a.D", "!a.C;b.*", "a.*;!a.C;b.*");
}

Test(filtertext, is_one_of_them_if_the_other_selects_nothing)
{
	expect("", "", "");
	expect("a.*; !a.C", "", "a.*; !a.C");
	expect(" ; ;", "a.*;!a.C", "a.*;!a.C");
	expect("!a.*", "a.*;!a.C", "a.*;!a.C");
	expect("a.*;!a.C", "!b.*", "a.*;!a.C");
}

/* As many as an agent takes, in no time. */
Test(filtertext, may_be_long, .timeout = 20)
{
	struct arena arena = { 0 };
	struct buf one = { 0 }, other = { 0 };
	struct str united;

	for (int i = 0; i < 100000; i++) {
		buf_printf(&one, "a%d;", i);
		buf_printf(&other, "b%d;a%d;", i, i);
	}
	cr_assert(filtertext_unite(buf_as_str(&one), buf_as_str(&other), &arena, &united));
	cr_expect_eq(united.size, other.size - 1);
	buf_clear(&one);
	buf_clear(&other);
	arena_clear(&arena);
}

Test(filtertext, survives_without_memory)
{
	bool is_good = false;

	for (size_t n = 1; !is_good; n++) {
		struct arena arena = { 0 };
		struct str united;

		fault_at(n);
		is_good = filtertext_unite(STR("a;b;!c"), STR("!c;d"), &arena, &united);
		cr_expect_eq(is_good, !fault_happened());
		fault_at(0);
		arena_clear(&arena);
	}
}
