#include <criterion/criterion.h>
#include <string.h>

#include "base/str.h"

static const struct str none = { NULL, 0 };

Test(str, starts_and_ends)
{
	cr_assert(str_starts(STR("jdk.GC"), STR("jdk.")));
	cr_assert(str_starts(STR("jdk."), STR("jdk.")));
	cr_assert_not(str_starts(STR("jdk"), STR("jdk.")));
	cr_assert(str_ends(STR("a.jfr"), STR(".jfr")));
	cr_assert_not(str_ends(STR("jfr"), STR(".jfr")));
	cr_assert_not(str_ends(STR("a.jfc"), STR(".jfr")));
}

Test(str, may_be_no_string_at_all)
{
	struct str rest = none, piece;

	cr_assert(str_is(none, STR("")));
	cr_assert(str_starts(none, none));
	cr_assert(str_ends(none, STR("")));
	cr_assert(str_ends(STR("x"), none));
	cr_assert_not(str_starts(none, STR("x")));
	cr_assert_not(str_ends(none, STR("x")));
	cr_assert_eq(str_after_last(none, '.').size, 0);
	cr_assert_eq(str_trim(none).size, 0);
	cr_assert_not(str_split(&rest, ',', &piece));
	cr_assert(str_glob(none, none));
	cr_assert(str_glob(STR("*"), none));
	cr_assert_not(str_glob(none, STR("x")));
	cr_assert_eq(str_compare(none, none), 0);
	cr_assert_lt(str_compare(none, STR("x")), 0);
	cr_assert_eq(str_nearest(none, &rest, 1), -1);
}

Test(str, has_a_part_after_the_last_mark)
{
	cr_assert(str_is(str_after_last(STR("a.b.c"), '.'), STR("c")));
	cr_assert(str_is(str_after_last(STR("abc"), '.'), STR("abc")));
	cr_assert(str_is(str_after_last(STR("abc."), '.'), STR("")));
	cr_assert(str_is(str_after_last(STR(".a"), '.'), STR("a")));
	cr_assert(str_is(str_front(STR("abc"), 3), STR("abc")));
	cr_assert(str_is(str_front(STR("abc"), 2), STR("ab")));
	cr_assert(str_is(str_front(STR("abc"), 0), STR("")));
	cr_assert(str_is(str_front(STR("a\xe2\x82\xac"), 3), STR("a")));
	cr_assert(str_is(str_front(STR("a\xe2\x82\xac" "b"), 4), STR("a\xe2\x82\xac")));
	cr_assert(str_is(str_front(STR("\x80\x80"), 1), STR("")));
}

Test(str, is_trimmed_as_java_does)
{
	cr_assert(str_is(str_trim(STR(" \t\r\n\f\1 a b \0")), STR("a b")));
	cr_assert(str_is(str_trim(STR("   ")), STR("")));
	cr_assert(str_is(str_trim(STR("\xc2\xa0x")), STR("\xc2\xa0x")));
}

Test(str, is_split_at_each_mark)
{
	struct str rest = STR("a,,b"), piece;

	cr_assert(str_split(&rest, ',', &piece));
	cr_assert(str_is(piece, STR("a")));
	cr_assert(str_split(&rest, ',', &piece));
	cr_assert(str_is(piece, STR("")));
	cr_assert(str_split(&rest, ',', &piece));
	cr_assert(str_is(piece, STR("b")));
	cr_assert_not(str_split(&rest, ',', &piece));
}

Test(str, has_no_piece_behind_a_final_mark)
{
	struct str rest = STR(",a\n,"), piece;

	cr_assert(str_split(&rest, ',', &piece));
	cr_assert(str_is(piece, STR("")));
	cr_assert(str_split(&rest, ',', &piece));
	cr_assert(str_is(piece, STR("a\n")));
	cr_assert_not(str_split(&rest, ',', &piece));
}

Test(str, matches_patterns)
{
	cr_assert(str_glob(STR("*"), STR("")));
	cr_assert(str_glob(STR(""), STR("")));
	cr_assert_not(str_glob(STR("?"), STR("")));
	cr_assert_not(str_glob(STR(""), STR("a")));
	cr_assert(str_glob(STR("jdk.*"), STR("jdk.GC")));
	cr_assert(str_glob(STR("*GC*"), STR("jdk.GCHeap")));
	cr_assert(str_glob(STR("**"), STR("x")));
	cr_assert(str_glob(STR("a*b*c"), STR("aXbXbXc")));
	cr_assert_not(str_glob(STR("a*b*c"), STR("aXbXbX")));
	cr_assert(str_glob(STR("*ab"), STR("aab")));
	cr_assert(str_glob(STR("?b?"), STR("abc")));
	cr_assert_not(str_glob(STR("?b?"), STR("abcd")));
	cr_assert(str_glob(STR("[a].x"), STR("[a].x")));
	cr_assert_not(str_glob(STR("[a]"), STR("a")));
	cr_assert_not(str_glob(STR("gc"), STR("GC")));
	cr_assert(str_glob(STR("a\\*"), STR("a\\b")));
}

Test(str, matches_code_points_not_bytes)
{
	cr_assert(str_glob(STR("?"), STR("\xc3\xa9")));
	cr_assert(str_glob(STR("a?b"), STR("a\xe2\x82\xac"
					   "b")));
	cr_assert_not(str_glob(STR("?"), STR("\xf0\x9f\x98\x80")));
	cr_assert(str_glob(STR("??"), STR("\xf0\x9f\x98\x80")));
	cr_assert(str_glob(STR("*?"), STR("\xf0\x9f\x98\x80")));
	cr_assert(str_glob(STR("?*x"), STR("\xf0\x9f\x98\x80x")));
	cr_assert(str_glob(STR("?"), STR("\xed\xa0\x80")));
	cr_assert_not(str_glob(STR("??"), STR("\xc3\xa9")));
	cr_assert_not(str_glob(STR("*??"), STR("\xc3\xa9")));
	cr_assert(str_glob(STR("*?\xc3\xa9"), STR("x\xc3\xa9\xc3\xa9")));
}

Test(str, matches_in_bounded_time, .timeout = 10)
{
	char text[20001], pattern[201];

	memset(text, 'a', 20000);
	text[20000] = '\0';
	for (size_t i = 0; i < 200; i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[199] = 'b';
	pattern[200] = '\0';
	cr_assert_not(str_glob(str_of(pattern), str_of(text)));
	pattern[199] = 'a';
	cr_assert(str_glob(str_of(pattern), str_of(text)));
}

/*
 * In Java's order: U+D7FF, lone D800 (before what is no low half), the pairs of
 * D800, lone D801, lone DFFF, U+E000, U+FFFF.
 */
Test(str, sorts_like_utf16)
{
	const struct str sorted[] = {
		STR(""),
		STR("A"),
		STR("AA"),
		STR("a"),
		STR("\x7f"),
		STR("\xc2\x80"),
		STR("\xdf\xbf"),
		STR("\xe0\xa0\x80"),
		STR("\xed\x9f\xbf"),
		STR("\xed\xa0\x80"),
		STR("\xed\xa0\x80"
		    "a"),
		STR("\xf0\x90\x80\x80"),
		STR("\xf0\x90\x80\x80"
		    "a"),
		STR("\xf0\x90\x80\x81"),
		STR("\xf0\x90\x8f\xbf"),
		STR("\xed\xa0\x80\xee\x80\x80"),
		STR("\xf0\x90\x90\x80"),
		STR("\xf4\x8f\xbf\xbf"),
		STR("\xed\xb0\x80"),
		STR("\xed\xbf\xbf"),
		STR("\xee\x80\x80"),
		STR("\xef\xbf\xbf"),
	};
	const int count = sizeof(sorted) / sizeof(sorted[0]);

	for (int i = 0; i < count; i++)
		for (int j = 0; j < count; j++) {
			int sign = str_compare(sorted[i], sorted[j]);

			cr_assert_eq((sign > 0) - (sign < 0), (i > j) - (i < j),
				     "%d and %d", i, j);
		}
}

static int nearest(const char *word)
{
	static const struct str words[] = {
		STR("print"),
		STR("summary"),
		STR("metadata"),
		STR("view"),
		STR("configure"),
		STR("record"),
		STR("recording-status"),
		STR("GCHeapInfo"),
	};

	return str_nearest(str_of(word), words, sizeof(words) / sizeof(words[0]));
}

Test(str, is_nearest_to_what_was_meant)
{
	cr_assert_eq(nearest("pirnt"), 0);
	cr_assert_eq(nearest("prnt"), 0);
	cr_assert_eq(nearest("Print"), 0);
	cr_assert_eq(nearest("sumary"), 1);
	cr_assert_eq(nearest("metadaat"), 2);
	cr_assert_eq(nearest("veiw"), 3);
	cr_assert_eq(nearest("views"), 3);
	cr_assert_eq(nearest("confgiure"), 4);
	cr_assert_eq(nearest("gcheapinof"), 7);
}

Test(str, is_near_when_only_its_end_is_missing)
{
	cr_assert_eq(nearest("meta"), 2);
	cr_assert_eq(nearest("conf"), 4);
	cr_assert_eq(nearest("rec"), 5);
	cr_assert_eq(nearest("recording"), 6);
	cr_assert_eq(nearest("su"), 1);
}

Test(str, is_near_nothing_when_far_from_all)
{
	char word[300];

	cr_assert_eq(nearest(""), -1);
	cr_assert_eq(nearest("p"), -1);
	cr_assert_eq(nearest("help"), -1);
	cr_assert_eq(nearest("assemble"), -1);
	cr_assert_eq(nearest("metatadaaaa"), -1);
	memset(word, 'x', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	cr_assert_eq(nearest(word), -1);
	cr_assert_eq(str_nearest(STR("print"), NULL, 0), -1);
}

static void print(char *to, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void print(char *to, size_t size, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	str_print(to, size, format, arguments);
	va_end(arguments);
}

static void print_line(char *to, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void print_line(char *to, size_t size, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	str_print_line(to, size, format, arguments);
	va_end(arguments);
}

Test(str, prints_a_message_as_one_line)
{
	char text[16];

	print_line(text, sizeof(text), "\33[1m%s\t\177", "\u00e4\n");
	cr_expect_str_eq(text, "?[1m\u00e4???");
	print_line(text, sizeof(text), "%s", "\xc2\x9b" "31m \xc2\xa0");
	cr_expect_str_eq(text, "??31m \xc2\xa0", "also those beyond ASCII");
	print_line(text, 6, "a\nbcdef");
	cr_expect_str_eq(text, "a?...");
}

/* With letters of two bytes, of which none is halved. */
Test(str, prints_what_fits)
{
	static const char *const wanted[] = {
		"", "", "", "...", "...", "\u00e4...", "\u00e4...",
		"\u00e4\u00f6\u00fc7",
	};
	char text[16];

	for (size_t size = 1; size <= 8; size++) {
		memset(text, 'x', sizeof(text));
		print(text, size, "%s%d", "\u00e4\u00f6\u00fc", 7);
		cr_expect_str_eq(text, wanted[size - 1], "%zu: %s", size, text);
		cr_expect_eq(text[size], 'x');
	}
}

Test(str, takes_the_items_of_a_list)
{
	struct str list = STR(" a b,, c ,\t,d"), item;
	char found[16] = "";

	while (str_item(&list, &item)) {
		strncat(found, item.bytes, item.size);
		strcat(found, "|");
	}
	cr_expect_str_eq(found, "a b|c|d|");
	list = STR(" , ");
	cr_expect_not(str_item(&list, &item));
	list = (struct str){ NULL, 0 };
	cr_expect_not(str_item(&list, &item));
}
