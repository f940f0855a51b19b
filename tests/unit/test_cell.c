#include <criterion/criterion.h>

#include "render/cell.h"

static void expect(struct str text, const char *wanted)
{
	struct buf to = { 0 };

	buf_byte(&to, ',');
	cell_csv(&to, text);
	buf_byte(&to, '\0');
	cr_expect_str_eq(to.bytes + 1, wanted);
	buf_clear(&to);
}

Test(cell, is_in_quotes_where_it_has_to_be)
{
	expect(STR("tea"), "tea");
	expect(STR("two words"), "two words");
	expect(STR("one,two"), "\"one,two\"");
	expect(STR("say \"tea\""), "\"say \"\"tea\"\"\"");
	expect(STR("one\ntwo"), "\"one\ntwo\"");
	expect(STR("one\rtwo"), "\"one\rtwo\"");
	expect(STR("\""), "\"\"\"\"");
}

Test(cell, keeps_blanks_at_its_ends)
{
	expect(STR(" tea"), "\" tea\"");
	expect(STR("tea\t"), "\"tea\t\"");
}

Test(cell, tells_an_empty_text_from_none)
{
	expect(STR(""), "\"\"");
	expect((struct str){ NULL, 0 }, "");
}

Test(cell, is_real_utf_8)
{
	expect(STR("\u00e4\xed\xa0\x80"), "\u00e4?");
}
