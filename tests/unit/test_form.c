#include <criterion/criterion.h>

#include "render/form.h"
#include "rows.h"

/* The texts below are what JDK 25 makes of a recording with these values. */

static const struct column columns[] = { TEXT_COLUMN("name", "Name"),
					 TEXT_COLUMN("story", "Story") };
static const rows_row items[] = {
	{ CELL_TEXT("apple"), CELL_TEXT("the quick brown fox jumps over the lazy dog") },
	{ CELL_TEXT("banana"), CELL_TEXT("pack my box") },
};
static const struct rows rows = ROWS(columns, items);
static const struct rows first = ROWS(columns, items, .visible_count = 1);

static const struct layout plain;

Test(form, is_the_first_row)
{
	static const char wanted[] = "\n"
				     "Fruit\n"
				     "-----\n"
				     "\n"
				     "Name: apple\n"
				     "\n"
				     "Story: the quick brown fox jumps over the lazy dog\n";
	struct layout layout = { .title = STR("Fruit") };
	struct buf text;

	WRITES(form_write, &rows, &layout, wanted);
	cr_expect_eq(rows_write(form_write, &rows, &layout, &text), 80);
	buf_clear(&text);
	layout.title = (struct str){ NULL, 0 };
	WRITES(form_write, &rows, &layout, "\n" "\n" "Name: apple\n" "\n"
	       "Story: the quick brown fox jumps over the lazy dog\n");
}

Test(form, breaks_texts_and_indents_what_follows)
{
	WRITES(form_write, &rows, &((struct layout){ .width = 20 }),
	       "\n"
	       "\n"
	       "Name: apple\n"
	       "\n"
	       "Story: the quick br\n"
	       "       own fox jump\n"
	       "       s over the l\n"
	       "       azy dog\n");
}

Test(form, has_an_empty_line_behind_a_text_that_fills_its_last_one)
{
	const rows_row banana[] = { { CELL_TEXT("banana") } };
	static const struct column name[] = { TEXT_COLUMN("name", "Name") };
	const struct rows exact = ROWS(name, banana);

	WRITES(form_write, &exact, &((struct layout){ .width = 13 }),
	       "\n\nName: banana\n\n");
	WRITES(form_write, &exact, &((struct layout){ .width = 14 }),
	       "\n\nName: banana\n");
	WRITES(form_write, &exact, &((struct layout){ .width = 10 }),
	       "\n\nName: ban\n      ana\n\n");
}

Test(form, counts_units_and_not_characters)
{
	const rows_row faces[] = {
		{ CELL_TEXT("a\U0001f600b\U0001f600c\U0001f600d") } };
	static const struct column one[] = { TEXT_COLUMN("s", "S") };
	const struct rows pairs = ROWS(one, faces);

	WRITES(form_write, &pairs,
	       &((struct layout){ .width = 6, .title = STR("\U0001f600") }),
	       "\n"
	       "\U0001f600\n"
	       "--\n"
	       "\n"
	       "S: a?\n"
	       "   ?b\n"
	       "   \U0001f600\n"
	       "   c?\n"
	       "   ?d\n"
	       "\n");
}

/* Labels of columns that are not shown count as well. */
Test(form, may_have_labels_that_are_too_wide)
{
	struct buf text;

	WRITES(form_write, &rows, &((struct layout){ .width = 9 }),
	       "\nColumns are too wide to fit width 9.\n");
	WRITES(form_write, &first, &((struct layout){ .width = 9 }),
	       "\nColumns are too wide to fit width 9.\n");
	WRITES(form_write, &first, &((struct layout){ .width = 10 }),
	       "\n\nName: app\n      le\n");
	WRITES(form_write, &rows, &((struct layout){ .width = -5 }),
	       "\nColumns are too wide to fit width -5.\n");
	cr_expect_eq(rows_write(form_write, &rows, &((struct layout){ .width = 9 }),
				&text), 9);
	buf_clear(&text);
}

Test(form, says_that_there_is_nothing)
{
	const struct rows none = { .columns = columns, .column_count = 2 };
	struct buf text;

	WRITES(form_write, &none, &((struct layout){ .title = STR("Fruit") }),
	       "\nNo events found for 'Fruit'.\n");
	WRITES(form_write, &none, &plain, "");
	cr_expect_eq(rows_write(form_write, &none, &plain, &text), 0);
	buf_clear(&text);
}

Test(form, survives_without_memory)
{
	rows_survive(form_write, &rows,
		     &((struct layout){ .width = 13, .title = STR("Fruit") }));
}
