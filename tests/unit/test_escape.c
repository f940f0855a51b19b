#include <criterion/criterion.h>

#include "base/escape.h"

static void expect(struct str text, const char *wanted)
{
	struct buf to = { 0 };

	escape_xml(&to, text);
	cr_expect_eq(to.size, strlen(wanted));
	cr_expect(to.size == 0 || memcmp(to.bytes, wanted, to.size) == 0, "%.*s",
		  (int)to.size, to.bytes);
	buf_clear(&to);
}

Test(escape, leaves_plain_text_alone)
{
	expect(STR(""), "");
	expect(STR("jdk.GCPhasePause #[]{}\t\n"), "jdk.GCPhasePause #[]{}\t\n");
}

Test(escape, writes_the_five_entities)
{
	expect(STR("<a b=\"c\" d='e'>&</a>"),
	       "&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;&lt;/a&gt;");
}

Test(escape, writes_references_of_utf16_units)
{
	expect(STR("\x7f\xc2\x80\xc3\xa9"), "\x7f&#128;&#233;");
	expect(STR("\xf0\x9f\x98\x80"), "&#55357;&#56832;");
	expect(STR("\xed\xa0\xbd!"), "&#55357;!");
}

Test(escape, fails_with_its_buffer)
{
	struct buf to = { .limit = 8 };

	escape_xml(&to, STR("\"\"\""));
	cr_expect(to.failed);
	buf_clear(&to);
}
