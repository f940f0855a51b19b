#include <criterion/criterion.h>

#include "jfc/identifier.h"

Test(identifier, is_a_name_of_java)
{
	static const struct {
		struct str text;
		bool is;
	} cases[] = {
		{ STR("a"), true },	      { STR("Z9"), true },
		{ STR("$"), true },	      { STR("__"), true },
		{ STR("_"), false },	      { STR(""), false },
		{ STR("9a"), false },	      { STR("a-b"), false },
		{ STR("a b"), false },	      { STR("a.b"), false },
		{ STR("int"), false },	      { STR("ints"), true },
		{ STR("abstract"), false },   { STR("while"), false },
		{ STR("null"), false },	      { STR("record"), true },
		{ STR("synchronized"), false }, { STR("Int"), true },
		{ STR("\xc3\xa9t\xc3\xa9"), true },	/* letters */
		{ STR("\xe2\x82\xac"), true },		/* a currency */
		{ STR("\xe2\x80\xbf"), true },		/* a connector */
		{ STR("\xf0\xa0\x80\x80"), true },	/* beyond 16 bits */
		{ STR("\xd9\xa3"), false },		/* a digit is not in front */
		{ STR("x\xd9\xa3"), true },
		{ STR("\x01"), false },			/* nor what is ignored */
		{ STR("x\x01\0y"), true },
		{ STR("x\xc2\xa0"), false },		/* a blank */
		{ STR("x\xf0\x9f\x98\x80"), false },	/* a face */
		{ STR("x\xed\xa0\x80"), false },	/* half a pair */
		{ STR("x\xff"), false },		/* no UTF-8 */
		{ STR("x\xf4\x8f\xbf\xbf"), false },	/* the last code point */
		{ STR("x\xf3\xa0\x87\xaf"), true },	/* the last of them */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(identifier_is(cases[i].text), cases[i].is, "%s",
			     cases[i].text.bytes);
}

Test(identifier, has_parts_up_to_the_end_of_unicode)
{
	size_t count = 0;

	for (uint32_t point = 0; point <= 0x10ffff; point++)
		count += identifier_is_part(point);
	cr_expect_eq(count, 144811, "%zu", count);
}
