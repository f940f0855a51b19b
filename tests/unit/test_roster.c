#include <criterion/criterion.h>

#include "fault.h"
#include "render/roster.h"

/* The texts below are what JDK 25 makes of such lists. */

static void expect(const char *names, size_t columns, const char *wanted)
{
	struct str rest = str_of(names), texts[16], text;
	struct buf to = { 0 };
	size_t count = 0;

	while (str_split(&rest, ' ', &text))
		texts[count++] = text;
	roster_add(&to, texts, count, columns);
	buf_byte(&to, '\0');
	cr_expect_str_eq(to.bytes, wanted);
	buf_clear(&to);
}

Test(roster, is_filled_column_by_column)
{
	expect("pear fig apple kiwi", 2,
	       " apple kiwi\n"
	       " fig   pear");
	expect("pear fig apple kiwi cherry plum", 3,
	       " apple  fig  pear\n"
	       " cherry kiwi plum");
	expect("pear", 3, " pear");
	expect("b a", 1, " a\n b");
}

Test(roster, ends_with_the_first_gap)
{
	expect("a b c d e", 2, " a d\n b e\n c");
	expect("a b c d", 3, " a c\n b d");
	/* Of three columns the second ends early, and the third is not there. */
	expect("a b c d e f g", 3, " a d g\n b e");
}

Test(roster, may_be_empty)
{
	expect("", 2, "");
}

Test(roster, sorts_and_counts_units)
{
	expect("\uff5e \U0001f600 z a", 2,
	       " a \U0001f600\n"
	       " z \uff5e ");
}

Test(roster, survives_without_memory)
{
	struct str texts[] = { STR("b"), STR("a") };
	struct buf to = { 0 };

	fault_at(1);
	roster_add(&to, texts, 2, 2);
	fault_at(0);
	cr_expect(to.failed);
	buf_clear(&to);
}
