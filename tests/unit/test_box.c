#include <criterion/criterion.h>

#include "render/box.h"

/* Its lines, each with a bar behind it, and one that is not there. */
static void expect(const struct box *box, const char *wanted)
{
	struct buf to = { 0 };

	for (size_t i = 0; i <= box_lines(box); i++) {
		box_write(box, i, &to);
		buf_byte(&to, '|');
	}
	buf_byte(&to, '\0');
	cr_expect_str_eq(to.bytes, wanted);
	buf_clear(&to);
}

Test(box, holds_a_text)
{
	struct box box = { .width = 4, .height = 2 };

	expect(&box, "    |");
	box_set(&box, STR("abc"));
	expect(&box, " abc|    |");
	box_set(&box, STR("abcd"));
	expect(&box, "abcd|    |");
	box_set(&box, STR("abcde"));
	expect(&box, "abcd|e   |    |");
	box_set(&box, STR("abcdefgh"));
	expect(&box, "abcd|efgh|    |");
	box_set(&box, STR("abcdefghi"));
	expect(&box, "abcd|e...|    |");
	box.cuts_beginning = true;
	box_set(&box, STR("abcdefghi"));
	expect(&box, "...e|fghi|    |");
	box_set(&box, STR(""));
	expect(&box, "    |    |");
	box_clear(&box);
}

Test(box, holds_texts_below_each_other)
{
	struct box box = { .width = 4, .height = 2, .is_left = true };

	box_set(&box, STR("what was there"));
	box_empty(&box);
	box_add(&box, STR("z"));
	box_add(&box, STR("yyyy"));
	box_add(&box, STR("abcde"));
	expect(&box, "z   |yyyy|a...|    |");
	box_sort(&box);
	expect(&box, "a...|yyyy|z   |    |");
	box_clear(&box);
}

Test(box, has_room_for_its_lines)
{
	cr_expect_eq(box_room(&(struct box){ .width = 7, .height = 3 }), 21);
}
