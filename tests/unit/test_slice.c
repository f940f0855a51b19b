#include <criterion/criterion.h>

#include "render/slice.h"

/* In pieces of so many units, each with a bar behind it. */
static void expect(const char *text, size_t units, const char *wanted)
{
	struct slice rest = slice_of(str_of(text));
	struct buf to = { 0 };

	while (!slice_is_over(&rest)) {
		size_t taken = slice_take(&rest, units, &to);

		cr_expect(taken == units || slice_is_over(&rest));
		buf_byte(&to, '|');
	}
	buf_byte(&to, '\0');
	cr_expect_str_eq(to.bytes, wanted);
	buf_clear(&to);
}

Test(slice, takes_units)
{
	expect("", 1, "");
	expect("abc", 1, "a|b|c|");
	expect("abc", 2, "ab|c|");
	expect("abc", 3, "abc|");
	expect("\u00e4\u4e2d\uffff", 2, "\u00e4\u4e2d|\uffff|");
}

Test(slice, cuts_pairs_in_two)
{
	expect("\U0001f600", 1, "\xed\xa0\xbd|\xed\xb8\x80|");
	expect("\U0001f600", 2, "\U0001f600|");
	expect("a\U0001f600b", 2, "a\xed\xa0\xbd|\xed\xb8\x80" "b|");
	expect("a\U0001f600\U00010000b", 2,
	       "a\xed\xa0\xbd|\xed\xb8\x80\xed\xa0\x80|\xed\xb0\x80" "b|");
}

Test(slice, passes_over_what_is_not_asked_for)
{
	struct slice rest = slice_of(STR("a\U0001f600b"));
	struct buf to = { 0 };

	cr_expect_eq(slice_take(&rest, 0, NULL), 0);
	cr_expect_eq(slice_take(&rest, 2, NULL), 2);
	cr_expect_eq(slice_take(&rest, 9, &to), 2);
	cr_expect(str_is((struct str){ to.bytes, to.size }, STR("\xed\xb8\x80" "b")));
	cr_expect_eq(slice_take(&rest, 9, &to), 0);
	buf_clear(&to);
}
