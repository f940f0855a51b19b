#include <criterion/criterion.h>

#include "render/wrap.h"

/* The texts below are what JDK 25 makes of these queries. */

static void expect(const char *query, size_t width, const char *wanted)
{
	struct buf to = { 0 };

	wrap_add(&to, str_of(query), width);
	buf_byte(&to, '\0');
	cr_expect_str_eq(to.bytes, wanted, "width %zu: %s", width, to.bytes);
	buf_clear(&to);
}

static const char query[] = "COLUMN 'Name', 'A long title' SELECT LAST(a), w FROM "
			    "t.Row WHERE a = 'x y' ORDER BY w";

Test(wrap, breaks_between_words)
{
	expect(query, 80,
	       "COLUMN 'Name', 'A long title' SELECT LAST(a), w FROM t.Row "
	       "WHERE a = 'x y' ORDER\n"
	       "BY w\n");
	expect(query, 40,
	       "COLUMN 'Name', 'A long title' SELECT\n"
	       "LAST(a), w FROM t.Row WHERE a = 'x y'\n"
	       "ORDER BY w\n");
	expect(query, 20,
	       "COLUMN 'Name',\n"
	       "'A long title'\n"
	       "SELECT LAST(a), w\n"
	       "FROM t.Row WHERE a =\n"
	       "'x y' ORDER BY w\n");
}

Test(wrap, breaks_words_that_are_longer_than_a_line)
{
	expect(query, 13,
	       "COLUMN 'Name'\n"
	       ", 'A long tit\n"
	       "le'\n"
	       "SELECT\n"
	       "LAST(a), w\n"
	       "FROM t.Row\n"
	       "WHERE a =\n"
	       "'x y' ORDER\n"
	       "BY w\n");
	expect(query, 7,
	       "COLUMN\n"
	       "'Name',\n"
	       " 'A lon\n"
	       "g title\n"
	       "'\n"
	       "SELECT \n"
	       "LAST(a)\n"
	       ", w\n"
	       "FROM\n"
	       "t.Row\n"
	       "WHERE a\n"
	       "= 'x y'\n"
	       "ORDER\n"
	       "BY w\n");
	expect("a, 'b c'", 1, "a\n,\n \n'\nb\n \nc\n'\n");
}

Test(wrap, counts_units_and_not_characters)
{
	expect("COLUMN 'a\U0001f600b\U0001f600c' SELECT x", 4,
	       "COLU\n"
	       "MN '\n"
	       "a\U0001f600b\n"
	       "\U0001f600c'\n"
	       " SEL\n"
	       "ECT\n"
	       "x\n");
	expect("'\U0001f600'", 2, "'?\n?'\n");
}

Test(wrap, knows_words_by_blanks_and_separators)
{
	expect("a\tb \n c=d,e", 80, "a b c = d, e\n");
	expect("x;y ; z", 80, "x;y; z\n");
	expect("", 80, "\n");
}

Test(wrap, leaves_quoted_text_whole)
{
	expect("a = 'b  c=d,e'", 80, "a = 'b  c=d,e'\n");
	/* The JDK writes no such queries; it would lose the quotes, or fail. */
	expect("\"it's  b\" 'c'd", 80, "\"it's  b\" 'c'd\n");
	expect("a 'never  ends", 80, "a 'never  ends\n");
}
