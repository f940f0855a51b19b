#include <criterion/criterion.h>

#include "render/tame.h"

#define TAMES(text, wanted) expect_tame(STR(text), wanted, __LINE__)

/* In pieces of each size; a mark stands between one text and the next. */
static void expect_tame(struct str text, const char *wanted, int line)
{
	for (size_t size = 1; size <= text.size + 1; size++) {
		struct tame tame = { .held_size = 0 };
		struct buf to = { .bytes = NULL };

		for (size_t at = 0; at < text.size; at += size) {
			size_t left = text.size - at;

			tame_add(&tame, &to, (struct str){ text.bytes + at,
							   left < size ? left : size });
		}
		tame_end(&tame, &to);
		cr_expect(str_is((struct str){ to.bytes, to.size }, str_of(wanted)),
			  "line %d, pieces of %zu: %.*s", line, size, (int)to.size,
			  to.bytes);
		buf_clear(&to);
	}
}

Test(tame, leaves_text_as_it_is)
{
	TAMES("", "");
	TAMES("plain\ttext\n", "plain\ttext\n");
	TAMES("na\u00efve \u20ac \U0001f600", "na\u00efve \u20ac \U0001f600");
	TAMES("\u00a0\u2029\u202f\u2065\u206a\ud7ff\ue000",
	      "\u00a0\u2029\u202f\u2065\u206a\ud7ff\ue000");
}

Test(tame, writes_controls_as_what_they_are)
{
	TAMES("\x1b[31mred\r\x7f\b", "\\x1b[31mred\\x0d\\x7f\\x08");
	TAMES("a\0b", "a\\x00b");
	TAMES("\xc2\x80\xc2\x9b\xc2\x9f", "\\u{80}\\u{9b}\\u{9f}");
	TAMES("\u202a\u202e\u2066\u2069", "\\u{202a}\\u{202e}\\u{2066}\\u{2069}");
	TAMES("\xed\xa0\x80\xed\xbf\xbf", "\\u{d800}\\u{dfff}");
}

Test(tame, writes_bytes_that_are_no_text_as_numbers)
{
	TAMES("\x9b\xff", "\\x9b\\xff");
	TAMES("\xc2", "\\xc2");
	TAMES("\xe2\x82", "\\xe2\\x82");
	TAMES("\xe2\x82z\xe2\xe2\x82\xac", "\\xe2\\x82z\\xe2\u20ac");
	TAMES("\xf0\x9f\x98\x1b", "\\xf0\\x9f\\x98\\x1b");
	TAMES("\xc0\x9b\xe0\x80\x9b", "\\xc0\\x9b\\xe0\\x80\\x9b");
}

Test(tame, is_as_new_after_the_end)
{
	struct tame tame = { .held_size = 0 };
	struct buf to = { .bytes = NULL };

	tame_add(&tame, &to, STR("\xc3"));
	cr_expect_eq(to.size, 0);
	tame_end(&tame, &to);
	tame_end(&tame, &to);
	tame_add(&tame, &to, STR("\xa9"));
	cr_expect(str_is((struct str){ to.bytes, to.size }, STR("\\xc3\\xa9")));
	buf_clear(&to);
}

Test(tame, writes_a_text_as_one_line)
{
	struct buf to = { 0 };

	tame_line(&to, STR("a\nb\t\xc2\x9b" "31m \xc3\xa4"));
	cr_expect(str_is(buf_as_str(&to), STR("a\\x0ab\\x09\\u{9b}31m \xc3\xa4")), "%.*s",
		  (int)to.size, to.bytes);
	buf_clear(&to);
}
