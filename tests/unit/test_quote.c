#include <criterion/criterion.h>

#include "render/quote.h"

static void expect(struct str text, enum quote_style style, const char *wanted)
{
	struct buf to = { .bytes = NULL };

	quote_add(&to, text, style);
	cr_expect(str_is((struct str){ to.bytes, to.size }, str_of(wanted)),
		  "wanted %s, quoted: %.*s", wanted, (int)to.size, to.bytes);
	buf_clear(&to);
}

Test(quote, escapes_what_json_cannot_hold)
{
	for (enum quote_style style = QUOTE_UTF8; style <= QUOTE_ASCII; style++) {
		expect(STR(""), style, "\"\"");
		expect(STR("plain text"), style, "\"plain text\"");
		expect(STR("\b\n\t\f\r\"\\"), style, "\"\\b\\n\\t\\f\\r\\\"\\\\\"");
		expect(STR("\0\1\x1f\x7f"), style, "\"\\u0000\\u0001\\u001f\x7f\"");
		expect(STR("a\xed\xa0\xbdz\xed\xbf\xbf"), style, "\"a\\ud83dz\\udfff\"");
	}
}

Test(quote, keeps_utf8_or_escapes_it)
{
	static const struct str text = STR("/\u00e9\u20ac\ud7ff\U0001f600");

	expect(text, QUOTE_UTF8, "\"/\u00e9\u20ac\ud7ff\U0001f600\"");
	expect(text, QUOTE_ASCII, "\"\\/\\u00e9\\u20ac\\ud7ff\\ud83d\\ude00\"");
}

/* Whatever room the buffer has: all of the text grows to six times its size. */
Test(quote, can_quote_the_end_of_a_buffer)
{
	for (size_t size = 0; size < 200; size++) {
		struct buf to = { .bytes = NULL }, wanted = { .bytes = NULL };

		buf_text(&to, "before\1");
		buf_fill(&to, '\1', size);
		quote_tail(&to, 7);
		buf_text(&wanted, "before\1\"");
		for (size_t i = 0; i < size; i++)
			buf_text(&wanted, "\\u0001");
		buf_text(&wanted, "\"");
		cr_expect(str_is((struct str){ to.bytes, to.size },
				 (struct str){ wanted.bytes, wanted.size }), "%zu", size);
		buf_clear(&to);
		buf_clear(&wanted);
	}
}
