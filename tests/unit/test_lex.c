#include <criterion/criterion.h>

#include "base/buf.h"
#include "query/lex.h"

/* A text, and the words it holds, each in braces; or why it holds no more. */
static const struct {
	const char *text, *words;
} texts[] = {
	{ "a b", "{a}{b}" },
	{ "  a\tb\n\v\f\r\x1c\x1f"
	  "c  ",
	  "{a}{b}{c}" },
	{ "a,b", "{a}{,}{b}" },
	{ "a , (b)", "{a}{,}{(}{b}{)}" },
	{ "'a b'", "{a b}" },
	{ "\"a'b\"", "{a'b}" },
	{ "x'a b'y\"c,d\"z w", "{xa byc,dz}{w}" },
	{ "'a'(", "{a}{(}" },
	/* Character.isWhitespace: yes, no. */
	{ "a\xe2\x80\x83"
	  "b\xe3\x80\x80"
	  "c\xe1\x9a\x80"
	  "d\xe2\x80\xa9"
	  "e",
	  "{a}{b}{c}{d}{e}" },
	{ "a\xc2\xa0"
	  "b\xe2\x80\x87"
	  "c\xe2\x80\xaf"
	  "d",
	  "{a\xc2\xa0"
	  "b\xe2\x80\x87"
	  "c\xe2\x80\xaf"
	  "d}" },
	/* Nothing between quotes is a word if a blank follows, but no more than that. */
	{ "'' a", "{}{a}" },
	{ "'',a", "{,}{a}" },
	{ "a ''", "{a} there is nothing between the quotes: ''" },
	{ "a 'b c", "{a} a quote is not closed: 'b c" },
	{ "a\"", " a quote is not closed: a\"" },
	{ "", "" },
	{ " \n ", "" },
};

static void tell_words(struct buf *to, const char *text)
{
	struct lex lex = { .text = str_of(text), .separators = "=,;()" };
	struct arena arena = { 0 };
	struct err err = { 0 };
	struct word word;

	while (!lex_is_end(&lex)) {
		size_t at = lex.at;

		if (!lex_take(&lex, &word, &arena, &err)) {
			cr_expect_eq(err.kind, ERR_USAGE);
			cr_expect_eq(lex.at, at);
			buf_printf(to, " %s", err.text);
			break;
		}
		cr_expect_eq(word.at, at);
		cr_expect_eq(word.raw.bytes, text + at);
		cr_expect_eq(word.raw.size, lex.at - at);
		buf_printf(to, "{%.*s}", (int)word.text.size, word.text.bytes);
	}
	arena_clear(&arena);
}

Test(lex, takes_words)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct buf told = { 0 };

		tell_words(&told, texts[i].text);
		buf_byte(&told, '\0');
		cr_expect_str_eq(told.bytes, texts[i].words);
		buf_clear(&told);
	}
}

Test(lex, takes_no_word_at_the_end)
{
	struct lex lex = { .text = STR("  "), .separators = "" };
	struct err err = { 0 };
	struct word word;

	cr_expect(!lex_take(&lex, &word, NULL, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_str_eq(err.text, "found the end");
}

Test(lex, accepts_beginnings_in_any_case)
{
	struct lex lex = { .text = STR(" asSETS"), .separators = "" };

	cr_expect(!lex_accept(&lex, "ASK"));
	cr_expect_eq(lex.at, 1);
	cr_expect(lex_accept(&lex, "AS"));
	cr_expect_eq(lex.at, 3);
	cr_expect(!lex_accept(&lex, "SETSX"));
	cr_expect(lex_accept(&lex, "sets"));
	cr_expect(lex_is_end(&lex));
	cr_expect(!lex_accept(&lex, "A"));
}

Test(lex, knows_words_in_any_case)
{
	cr_expect(lex_is_word(STR("fRoM"), "FROM"));
	cr_expect(!lex_is_word(STR("FROMAGE"), "FROM"));
	cr_expect(!lex_is_word(STR("FRO"), "FROM"));
	cr_expect(!lex_is_word(STR("FRO["), "FRO{"));
}

Test(lex, shows_the_next_byte)
{
	struct lex lex = { .text = STR("  =x"), .separators = "=" };

	cr_expect_eq(lex_peek(&lex), '=');
	cr_expect_eq(lex.at, 2);
	lex.at = 4;
	cr_expect_eq(lex_peek(&lex), '\0');
}

Test(lex, skips_lines)
{
	struct lex lex = { .text = STR("a\nb"), .separators = "" };

	lex_skip_line(&lex);
	cr_expect_eq(lex.at, 2);
	lex_skip_line(&lex);
	cr_expect_eq(lex.at, 3);
}

Test(lex, counts_lines)
{
	struct str text = STR("a\n\nb\n");

	cr_expect_eq(lex_line(text, 0), 1);
	cr_expect_eq(lex_line(text, 1), 1);
	cr_expect_eq(lex_line(text, 2), 2);
	cr_expect_eq(lex_line(text, 3), 3);
	cr_expect_eq(lex_line(text, 5), 4);
	cr_expect_eq(lex_line(text, 99), 4);
}

Test(lex, reads_integers_as_java_does)
{
	static const struct {
		const char *text;
		int number;
	} good[] = {
		{ "0", 0 },
		{ "+7", 7 },
		{ "-7", -7 },
		{ "007", 7 },
		{ "2147483647", 2147483647 },
		{ "-2147483648", -2147483647 - 1 },
	};
	static const char *const bad[] = {
		"",    "+",  "-",  "2147483648", "-2147483649", "99999999999999999999",
		"1.0", " 1", "1 ", "0x1",	 "--1",
	};
	int number = 5;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		cr_expect(lex_integer(str_of(good[i].text), &number), "%s",
			  good[i].text);
		cr_expect_eq(number, good[i].number);
	}
	number = 5;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect(!lex_integer(str_of(bad[i]), &number), "%s", bad[i]);
	cr_expect_eq(number, 5);
}
