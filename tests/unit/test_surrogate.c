#include <criterion/criterion.h>

#include "base/surrogate.h"
#include "base/utf.h"

Test(surrogate, is_half_of_a_pair)
{
	cr_expect_eq(surrogate_high(0x1f600), 0xd83d);
	cr_expect_eq(surrogate_low(0x1f600), 0xde00);
	cr_expect_eq(surrogate_high(0x10000), 0xd800);
	cr_expect_eq(surrogate_low(0x10000), 0xdc00);
	cr_expect_eq(surrogate_high(0x10ffff), 0xdbff);
	cr_expect_eq(surrogate_low(0x10ffff), 0xdfff);
}

Test(surrogate, halves_make_the_point_again)
{
	for (uint32_t point = 0x10000; point <= 0x10ffff; point++)
		cr_assert_eq(surrogate_join(surrogate_high(point), surrogate_low(point)),
			     point);
}

Test(surrogate, halves_are_the_units_of_text)
{
	struct buf buf = { 0 };
	struct str text;
	uint16_t high = 0;

	utf_add_unit(&buf, surrogate_high(0x1f600), &high);
	utf_add_unit(&buf, surrogate_low(0x1f600), &high);
	text = (struct str){ buf.bytes, buf.size };
	cr_expect(str_is(text, STR("\xf0\x9f\x98\x80")));
	buf_clear(&buf);
}
