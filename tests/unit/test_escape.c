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

static void expect_word(struct str text, const char *wanted)
{
	struct buf to = { 0 };

	escape_shell(&to, text);
	buf_byte(&to, '\0');
	cr_assert_not(to.failed);
	cr_expect_str_eq(to.bytes, wanted);
	buf_clear(&to);
}

Test(escape, quotes_words_of_a_shell_where_it_must)
{
	expect_word(STR("/tmp/a-b_c.d%e+f,g:h=i@j"), "/tmp/a-b_c.d%e+f,g:h=i@j");
	expect_word(STR("gr\xc3\xbcn.jfr"), "gr\xc3\xbcn.jfr");
	expect_word(STR(""), "''");
	expect_word(STR("a b.jfr"), "'a b.jfr'");
	expect_word(STR("$(x)"), "'$(x)'");
	expect_word(STR("it's"), "'it'\\''s'");
}
