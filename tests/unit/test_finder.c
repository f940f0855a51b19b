#include <criterion/criterion.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/finder.h"
#include "fault.h"

/* Finds words, separated by blanks; the places are told as "0-3 5-9". */
static void expect(const char *words, const char *text, const char *places)
{
	struct finder finder = { 0 };
	struct finder_spans spans = { 0 };
	struct str rest = str_of(words), word;
	struct buf told = { 0 };

	while (str_split(&rest, ' ', &word))
		cr_assert(finder_add(&finder, word));
	cr_assert(finder_build(&finder));
	cr_assert(finder_find(&finder, str_of(text), &spans));
	for (size_t i = 0; i < spans.spans.count; i++)
		buf_printf(&told, "%s%zu-%zu", i ? " " : "", spans.spans.items[i].start,
			   spans.spans.items[i].end);
	cr_expect(str_is((struct str){ told.bytes, told.size }, str_of(places)),
		  "'%s' in '%s': %.*s", words, text, (int)told.size, told.bytes);
	cr_expect_eq(finder_has(&finder, str_of(text)), *places != '\0');
	buf_clear(&told);
	vec_clear(&spans.spans);
	finder_clear(&finder);
}

Test(finder, finds_texts_wherever_they_are)
{
	expect("tea", "tea", "0-3");
	expect("tea", "a cup of tea, teapot", "9-12 14-17");
	expect("tea coffee", "coffee or tea", "0-6 10-13");
	expect("tea", "te a t ea", "");
	expect("tea", "", "");
	expect("aab", "aaaab", "2-5");
	expect("abcd bc", "abce", "1-3");
	expect("she he hers", "ushers", "1-6");
	expect("a", "aaa", "0-1 1-2 2-3");
	expect("\xff\x01", "\xff\xff\x01", "1-3");
}

/* Together they are one place, the longest of all. */
Test(finder, joins_what_overlaps)
{
	expect("abc cde", "xabcdex", "1-6");
	expect("abc bcde cd", "abcde", "0-5");
	expect("b abcdef", "abcdef", "0-6");
	expect("b d abcdef", "bdabcdef", "0-1 1-2 2-8");
	expect("b d abcdefg", "abcdef", "1-2 3-4");
	expect("aa", "aaaa", "0-4");
}

Test(finder, finds_nothing_where_nothing_is_sought)
{
	expect("", "abc", "");
}

Test(finder, has_a_limit)
{
	struct finder finder = { .limit = 5 };

	cr_expect(finder_add(&finder, STR("abc")));
	cr_expect(finder_add(&finder, STR("abd")));
	cr_expect(finder_add(&finder, STR("ab")));
	cr_expect_not(finder_add(&finder, STR("xyz")));
	finder_clear(&finder);
	cr_expect_eq(finder.limit, 5);
	cr_expect(finder_add(&finder, STR("xyz")));
	finder_clear(&finder);
}

/* Nearly the same in thousands of places: the time does not grow with the words. */
Test(finder, takes_the_time_of_the_text, .timeout = 20)
{
	static char text[1 << 20], word[1 << 16];
	struct finder finder = { 0 };
	struct finder_spans spans = { 0 };

	memset(text, 'a', sizeof(text));
	memset(word, 'a', sizeof(word));
	word[sizeof(word) - 1] = 'b';
	cr_assert(finder_add(&finder, (struct str){ word, sizeof(word) }));
	cr_assert(finder_add(&finder, STR("aa")));
	cr_assert(finder_build(&finder));
	cr_assert(finder_find(&finder, (struct str){ text, sizeof(text) }, &spans));
	cr_assert_eq(spans.spans.count, 1);
	cr_expect_eq(spans.spans.items[0].end, sizeof(text));
	vec_clear(&spans.spans);
	finder_clear(&finder);
}

Test(finder, fails_without_memory)
{
	struct finder_spans spans = { 0 };

	for (size_t n = 1; ; n++) {
		struct finder finder = { 0 };
		bool is_good;

		fault_at(n);
		is_good = finder_add(&finder, STR("hello")) &&
			  finder_add(&finder, STR("yellow")) && finder_build(&finder) &&
			  finder_find(&finder, STR("othello"), &spans);
		cr_expect_neq(is_good, fault_happened());
		finder_clear(&finder);
		vec_clear(&spans.spans);
		if (!fault_happened())
			break;
	}
	fault_at(0);
}
