#include <criterion/criterion.h>
#include <stdio.h>

#include "rows.h"

/* The texts below are what JDK 25 makes of recordings with these rows. */

#define NAME TEXT_COLUMN("name", "Name")
#define WEIGHT NUMBER_COLUMN("weight", "Weight")
#define LOOK TEXT_COLUMN("look", "Look")
#define STORY TEXT_COLUMN("story", "Story")

#define APPLE CELL_TEXT("apple")
#define BANANA CELL_TEXT("banana")
#define TOMATO CELL_TEXT("cherry tomato")
#define FOX CELL_TEXT("the quick brown fox jumps over the lazy dog")
#define BOX CELL_TEXT("pack my box")
#define FACES CELL_TEXT("a\U0001f600b\U0001f600c\U0001f600d")

static const struct column three_columns[] = { NAME, WEIGHT, LOOK };
static const rows_row three_items[] = {
	{ APPLE, CELL_INT(30), CELL_TEXT("red and green") },
	{ BANANA, CELL_INT(50), CELL_TEXT("yellow") },
	{ TOMATO, CELL_INT(120), CELL_TEXT("") },
};
static const struct rows three = ROWS(three_columns, three_items);

static const struct column two_columns[] = { NAME, WEIGHT };
static const struct rows two = ROWS(two_columns, three_items);

static const struct column story_columns[] = { NAME, STORY };
static const rows_row story_items[] = {
	{ APPLE, FOX },
	{ BANANA, BOX },
	{ TOMATO, FACES },
};
static const struct rows stories = ROWS(story_columns, story_items);

static const struct layout plain;

Test(table, is_forty_wide_if_it_has_few_columns)
{
	WRITES(table_write, &two, &((struct layout){ .title = STR("Fruit") }),
	       "\n"
	       "                 Fruit\n"
	       "\n"
	       "Name                             Weight\n"
	       "-------------------------------- ------\n"
	       "apple                                30\n"
	       "banana                               50\n"
	       "cherry tomato                       120\n");
}

Test(table, is_eighty_wide_if_it_has_more)
{
	WRITES(table_write, &three, &plain,
	       "Name                                 Weight Look              "
	       "                  \n"
	       "------------------------------------ ------ ------------------"
	       "------------------\n"
	       "apple                                    30 red and green     "
	       "                  \n"
	       "banana                                   50 yellow            "
	       "                  \n"
	       "cherry tomato                           120                   "
	       "                  \n");
}

Test(table, is_no_wider_than_a_hundred_and_twenty)
{
	static const struct column columns[] = { NAME, WEIGHT, LOOK, STORY, STORY };
	const rows_row items[] = {
		{ APPLE, CELL_INT(30), CELL_TEXT("red and green"), FOX, FOX },
		{ TOMATO, CELL_INT(120), CELL_TEXT(""), FACES, FACES },
	};
	const struct rows wide = ROWS(columns, items);

	WRITES(table_write, &wide, &plain,
	       "Name          Weight Look          Story                              "
	       "        Story                                     \n"
	       "------------- ------ ------------- -----------------------------------"
	       "------- ------------------------------------------\n"
	       "apple             30 red and green the quick brown fox jumps over the "
	       "lazy... the quick brown fox jumps over the lazy...\n"
	       "cherry tomato    120               a\U0001f600b\U0001f600c\U0001f600d"
	       "                                 a\U0001f600b\U0001f600c\U0001f600d"
	       "                                \n");
}

Test(table, may_be_wider_than_asked_for)
{
	static const char wanted[] = ".  .  . \n"
				     "-- -- --\n"
				     ".  30 . \n"
				     ".  50 . \n"
				     ".  .    \n";
	struct layout layout = { .width = 7 };
	struct buf text;

	WRITES(table_write, &three, &layout, wanted);
	cr_expect_eq(rows_write(table_write, &three, &layout, &text), 9);
	buf_clear(&text);
	layout.width = 8;
	WRITES(table_write, &three, &layout, wanted);
}

Test(table, shows_dots_where_there_is_no_room)
{
	WRITES(table_write, &three, &((struct layout){ .width = 6 }),
	       ". . .\n"
	       "- - -\n"
	       ". . .\n"
	       ". . .\n"
	       ". .  \n");
	WRITES(table_write, &three, &((struct layout){ .width = 10 }),
	       "... ... ...\n"
	       "--- --- ---\n"
	       "...  30 ...\n"
	       "...  50 ...\n"
	       "... 120    \n");
}

Test(table, may_have_too_many_columns)
{
	static const char wanted[] = "\nToo many columns to fit width.\n";
	struct buf text;

	WRITES(table_write, &three, &((struct layout){ .width = 5 }), wanted);
	WRITES(table_write, &two, &((struct layout){ .width = -1 }), wanted);
	cr_expect_eq(rows_write(table_write, &three, &((struct layout){ .width = 5 }),
				&text), 0);
	buf_clear(&text);
}

/* Of a plan with so many columns, all the same. */
static size_t write_many(size_t count, struct out *out)
{
	static struct column columns[61];
	const struct cells *row = NULL;
	struct plan plan = { .columns = columns, .column_count = count,
			     .visible_count = count };
	struct result result = { .plan = &plan, .rows = { &row, 1, 1 },
				 .limit = QUERY_NO_LIMIT };

	for (size_t i = 0; i < count; i++)
		columns[i] = (struct column)TEXT_COLUMN("a", "A", .cell_height = 1,
							.missing = STR("?"));
	return table_write(&result, &plain, out);
}

Test(table, has_room_for_sixty_columns)
{
	struct out out = { .fd = -1 };

	cr_expect_eq(write_many(60, &out), 120);
	cr_expect(str_starts((struct str){ out.buf.bytes, out.buf.size }, STR("A A A ")));
	buf_reset(&out.buf);
	cr_expect_eq(write_many(61, &out), 0);
	cr_expect(str_is((struct str){ out.buf.bytes, out.buf.size },
			 STR("\nToo many columns to fit width.\n")));
	buf_clear(&out.buf);
}

Test(table, says_that_there_is_nothing)
{
	const struct rows none = { .columns = two_columns, .column_count = 2 };
	struct layout layout = { .title = STR("\U0001f600 fruit") };
	struct buf text;

	WRITES(table_write, &none, &layout, "\nNo events found for '\U0001f600 fruit'.\n");
	WRITES(table_write, &none, &plain, "");
	cr_expect_eq(rows_write(table_write, &none, &layout, &text), 0);
	buf_clear(&text);
}

Test(table, has_columns_as_wide_as_their_texts)
{
	static const struct column columns[] = { NUMBER_COLUMN("a", "A"),
						 NUMBER_COLUMN("b", "B") };
	const rows_row items[] = { { CELL_INT(1), CELL_INT(1) },
				   { CELL_INT(1), CELL_INT(12) } };
	const struct rows narrow = ROWS(columns, items);

	WRITES(table_write, &narrow, &((struct layout){ .width = 5 }),
	       "A  B\n"
	       "- --\n"
	       "1  1\n"
	       "1 12\n");
}

Test(table, has_the_width_of_rows_that_the_limit_leaves_out)
{
	static const struct column columns[] = { NUMBER_COLUMN("a", "A"),
						 NUMBER_COLUMN("b", "B") };
	const rows_row items[] = { { CELL_INT(1), CELL_INT(1) },
				   { CELL_INT(1), CELL_INT(120) } };
	const struct rows limited = ROWS(columns, items, .limit = 1);

	WRITES(table_write, &limited, &((struct layout){ .width = 6 }),
	       "A   B\n"
	       "- ---\n"
	       "1   1\n");
}

Test(table, widens_numbers_only_if_there_is_nothing_else)
{
	static const struct column columns[] = { WEIGHT, NUMBER_COLUMN("key", "Key"),
						 NUMBER_COLUMN("c", "C") };
	const rows_row items[] = {
		{ CELL_INT(30), CELL_INT(1), CELL_INT(30) },
		{ CELL_INT(120), CELL_INT(3), CELL_INT(120) },
	};
	const struct rows numbers = ROWS(columns, items);

	WRITES(table_write, &numbers, &((struct layout){ .width = 32 }),
	       "      Weight       Key         C\n"
	       "------------ --------- ---------\n"
	       "          30         1        30\n"
	       "         120         3       120\n");
}

Test(table, centers_its_title)
{
	static const char rest[] = "\n"
				   "\n"
				   "Name             Weight\n"
				   "---------------- ------\n"
				   "apple                30\n";
	const struct rows limited = ROWS(two_columns, three_items, .limit = 1);
	static const char *const titles[][2] = {
		{ "Weights of fruit", "    Weights of fruit" },
		{ "Weights of fruit, and more of that",
		  "Weights of fruit, and more of that" },
		{ "F\U0001f600", "          F\U0001f600" },
	};

	for (size_t i = 0; i < 3; i++) {
		struct layout layout = { .title = str_of(titles[i][0]), .width = 24 };
		char wanted[200];

		snprintf(wanted, sizeof(wanted), "\n%s%s", titles[i][1], rest);
		WRITES(table_write, &limited, &layout, wanted);
	}
}

Test(table, says_that_events_are_experimental)
{
	const rows_row items[] = { { CELL_TEXT("x") } };
	static const struct column columns[] = { TEXT_COLUMN("a", "A") };
	const struct rows odd = ROWS(columns, items, .is_experimental = true);
	const struct rows none = { .columns = columns, .column_count = 1,
				   .is_experimental = true };
	struct layout layout = { .title = STR("Odd"), .width = 24 };

	WRITES(table_write, &odd, &layout,
	       "\n"
	       "   Odd (Experimental)\n"
	       "\n"
	       "A                      \n"
	       "-----------------------\n"
	       "x                      \n");
	WRITES(table_write, &none, &layout, "\nNo events found for 'Odd'.\n");
}

Test(table, tells_symbolic_names)
{
	static const struct column columns[] = { TEXT_COLUMN("bare", "N"),
						 NUMBER_COLUMN("w", "W") };
	const rows_row items[] = {
		{ CELL_TEXT(""), CELL_INT(30) },
		{ CELL_TEXT("yy"), CELL_INT(2) },
	};
	const struct rows named = ROWS(columns, items);

	WRITES(table_write, &named,
	       &((struct layout){ .width = 12, .is_verbose = true }),
	       "N         W\n"
	       "(bare)  (w)\n"
	       "------- ---\n"
	       "         30\n"
	       "yy        2\n");
}

Test(table, cuts_at_the_end_or_at_the_beginning)
{
	static const struct column columns[] = {
		TEXT_COLUMN("name", "Name", .truncation = TRUNCATE_BEGINNING),
		TEXT_COLUMN("story", "Story", .truncation = TRUNCATE_BEGINNING),
	};
	const struct rows turned = ROWS(columns, story_items);
	static const char at_the_end[] = "Name        Story      \n"
					 "----------- -----------\n"
					 "apple       the quic...\n"
					 "banana      pack my box\n"
					 "cherry t... a\U0001f600b\U0001f600c\U0001f600d \n";
	static const char at_the_beginning[] =
		"Name        Story      \n"
		"----------- -----------\n"
		"apple       ...lazy dog\n"
		"banana      pack my box\n"
		"...y tomato a\U0001f600b\U0001f600c\U0001f600d \n";
	struct layout layout = { .width = 24 };

	WRITES(table_write, &stories, &layout, at_the_end);
	WRITES(table_write, &turned, &layout, at_the_beginning);
	layout.truncation = TRUNCATE_END;
	WRITES(table_write, &turned, &layout, at_the_end);
	layout.truncation = TRUNCATE_BEGINNING;
	WRITES(table_write, &stories, &layout, at_the_beginning);
}

/* What is left of a pair of surrogates is `?`. */
Test(table, cuts_between_units_and_not_characters)
{
	static const struct column columns[] = { TEXT_COLUMN("s", "S") };
	const rows_row items[] = { { FACES } };
	const struct rows faces = ROWS(columns, items);
	static const struct {
		int width;
		const char *at_the_end, *at_the_beginning;
	} cuts[] = {
		{ 2, "S\n-\n.\n", "S\n-\n.\n" },
		{ 3, "S \n--\n. \n", "S \n--\n. \n" },
		{ 4, "S  \n---\n...\n", "S  \n---\n...\n" },
		{ 5, "S   \n----\na...\n", "S   \n----\n...d\n" },
		{ 6, "S    \n-----\na?...\n", "S    \n-----\n...?d\n" },
		{ 7, "S     \n------\na\U0001f600...\n", "S     \n------\n...\U0001f600d\n" },
	};

	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		struct layout layout = { .width = cuts[i].width };

		layout.truncation = TRUNCATE_END;
		WRITES(table_write, &faces, &layout, cuts[i].at_the_end);
		layout.truncation = TRUNCATE_BEGINNING;
		WRITES(table_write, &faces, &layout, cuts[i].at_the_beginning);
	}
	WRITES(table_write, &faces, &((struct layout){ .width = 3, .cell_height = 9 }),
	       "S \n--\na?\n?b\n\U0001f600\nc?\n?d\n");
}

Test(table, goes_on_in_further_lines_of_a_cell)
{
	static const struct column columns[] = { WEIGHT, STORY };
	const rows_row items[] = {
		{ CELL_INT(30), FOX },
		{ CELL_INT(50), BOX },
		{ CELL_INT(120), FACES },
	};
	const struct rows right = ROWS(columns, items);

	WRITES(table_write, &right,
	       &((struct layout){ .width = 21, .cell_height = 3 }),
	       "Weight Story        \n"
	       "------ -------------\n"
	       "    30 the quick bro\n"
	       "       wn fox jumps \n"
	       "       over the l...\n"
	       "    50 pack my box  \n"
	       "   120 a\U0001f600b\U0001f600c\U0001f600d   \n");
}

Test(table, has_cells_as_high_as_their_columns_say)
{
	static const struct column columns[] = {
		TEXT_COLUMN("story", "Story", .cell_height = 2), WEIGHT };
	const rows_row items[] = {
		{ FOX, CELL_INT(30) },
		{ BOX, CELL_INT(50) },
	};
	const struct rows left = ROWS(columns, items);

	WRITES(table_write, &left, &((struct layout){ .width = 21 }),
	       "Story         Weight\n"
	       "------------- ------\n"
	       "the quick bro     30\n"
	       "wn fox jum...       \n"
	       "pack my box       50\n");
	WRITES(table_write, &left, &((struct layout){ .width = 21, .cell_height = 1 }),
	       "Story         Weight\n"
	       "------------- ------\n"
	       "the quick ...     30\n"
	       "pack my box       50\n");
}

/* A title in several lines is not aligned to the right. */
Test(table, aligns_what_fits_in_a_line)
{
	static const struct column columns[] = { NUMBER_COLUMN("w", "W"),
						 NUMBER_COLUMN("k", "A long title") };
	const rows_row items[] = { { CELL_INT(30), CELL_INT(1) },
					  { CELL_INT(120), CELL_INT(3) } };
	const struct rows numbers = ROWS(columns, items);

	WRITES(table_write, &numbers,
	       &((struct layout){ .width = 7, .cell_height = 2 }),
	       "  W A l\n"
	       "    ...\n"
	       "--- ---\n"
	       " 30   1\n"
	       "120   3\n");
}

/* Lists. */

#define GROUP NUMBER_COLUMN("g", "G")

static const struct datum_list fruit = { 2, { BANANA, APPLE } };
static const struct datum_list others = { 1, { TOMATO } };
static const struct datum_list weights = { 2, { CELL_INT(50), CELL_INT(30) } };
static const struct datum_list nothing = { 0, { } };
static const struct datum_list three_of_them = { 3, { TOMATO, BANANA, APPLE } };
static const struct datum_list texts = {
	3, { CELL_TEXT("\U0001f600abc"), CELL_TEXT("zz"), CELL_TEXT("\uffff") }
};

static const struct column list_columns[] = { GROUP, TEXT_COLUMN("names", "Names") };
static const rows_row list_items[] = {
	{ CELL_INT(1), CELL_LIST(&fruit) },
	{ CELL_INT(2), CELL_LIST(&others) },
};
static const struct rows lists = ROWS(list_columns, list_items);

Test(table, shows_a_list_as_a_line)
{
	WRITES(table_write, &lists, &((struct layout){ .width = 14 }),
	       "G Names      \n"
	       "- -----------\n"
	       "1 banana, ...\n"
	       "2 cherry t...\n");
}

Test(table, shows_items_in_lines_of_their_own)
{
	static const char wanted[] = "G Names      \n"
				     "- -----------\n"
				     "1 apple      \n"
				     "  banana     \n"
				     "2 cherry t...\n";
	struct layout layout = { .width = 14, .cell_height = 2 };

	WRITES(table_write, &lists, &layout, wanted);
	layout.cell_height = 3;
	WRITES(table_write, &lists, &layout, wanted);
}

Test(table, sorts_lines_only_if_all_are_there)
{
	const rows_row items[] = { { CELL_INT(1), CELL_LIST(&three_of_them) } };
	const struct rows long_list = ROWS(list_columns, items);

	WRITES(table_write, &long_list,
	       &((struct layout){ .width = 16, .cell_height = 2 }),
	       "G Names        \n"
	       "- -------------\n"
	       "1 cherry tomato\n"
	       "  banana       \n");
	WRITES(table_write, &long_list,
	       &((struct layout){ .width = 16, .cell_height = 3 }),
	       "G Names        \n"
	       "- -------------\n"
	       "1 apple        \n"
	       "  banana       \n"
	       "  cherry tomato\n");
}

/* Half a pair sorts as the unit it is, and not as the `?` that it becomes. */
Test(table, sorts_lines_by_their_units)
{
	static const struct column columns[] = {
		TEXT_COLUMN("t", "T", .truncation = TRUNCATE_END) };
	const rows_row items[] = { { CELL_LIST(&texts) } };
	const struct rows rows = ROWS(columns, items);

	WRITES(table_write, &rows, &((struct layout){ .width = 5, .cell_height = 3 }),
	       "T   \n"
	       "----\n"
	       "zz  \n"
	       "?...\n"
	       "\uffff   \n");
}

Test(table, leaves_lines_of_numbers_in_their_order)
{
	static const struct column columns[] = {
		GROUP, NUMBER_COLUMN("weights", "Weights") };
	const rows_row items[] = { { CELL_INT(1), CELL_LIST(&weights) } };
	const struct rows numbers = ROWS(columns, items);

	WRITES(table_write, &numbers,
	       &((struct layout){ .width = 12, .cell_height = 2 }),
	       " G  Weights\n"
	       "-- --------\n"
	       " 1       50\n"
	       "         30\n");
}

/* Then an item that is cut takes two lines. */
Test(table, may_have_lists_in_cells_of_one_unit)
{
	WRITES(table_write, &lists, &((struct layout){ .width = 4, .cell_height = 4 }),
	       "G N\n"
	       "  .\n"
	       "  .\n"
	       "  .\n"
	       "- -\n"
	       "1 .\n"
	       "  .\n"
	       "  .\n"
	       "  .\n"
	       "2 .\n"
	       "  .\n");
	WRITES(table_write, &lists, &((struct layout){ .width = 5, .cell_height = 2 }),
	       "G N.\n"
	       "  ..\n"
	       "- --\n"
	       "1 . \n"
	       "  . \n"
	       "2 . \n");
}

Test(table, shows_a_list_of_nothing_as_nothing)
{
	static const struct column columns[] = { GROUP, TEXT_COLUMN("t", "T") };
	const rows_row items[] = { { CELL_INT(1), CELL_LIST(&nothing) },
					  { CELL_LIST(&nothing), CELL_LIST(&nothing) } };
	const struct rows rows = ROWS(columns, items);

	WRITES(table_write, &rows, &((struct layout){ .width = 6, .cell_height = 2 }),
	       "G T  \n"
	       "- ---\n"
	       "1    \n");
}

/* Things with two texts. */

#define METHOD(name_)                                                          \
	(&(const struct thing){ .kind = THING_METHOD,                          \
				.text = STR_IN("shop.Till." name_ "(Coin, Coin)"), \
				.compact = STR_IN("Till." name_ "(...)") })
#define FRAME(name_)                                                           \
	(&(const struct thing){ .kind = THING_FRAME, .method = METHOD(name_) })

static const struct thing *const frames[] = { FRAME("pay"), FRAME("count"),
					      FRAME("add") };

#define STACK(count_)                                                          \
	CELL_THING(.kind = THING_STACK, .frames = frames, .frame_count = (count_))

static const struct column stack_columns[] = { TEXT_COLUMN("stackTrace", "Stack") };
static const rows_row stack_items[] = { { STACK(3) }, { STACK(1) } };
static const struct rows stacks = ROWS(stack_columns, stack_items);

Test(table, shows_the_compact_text_where_the_other_has_no_room)
{
	WRITES(table_write, &stacks, &((struct layout){ .width = 26 }),
	       "Stack                    \n"
	       "-------------------------\n"
	       "shop.Till.pay(Coin, Coin)\n"
	       "shop.Till.pay(Coin, Coin)\n");
	WRITES(table_write, &stacks, &((struct layout){ .width = 25 }),
	       "Stack                   \n"
	       "------------------------\n"
	       "Till.pay(...)           \n"
	       "Till.pay(...)           \n");
	WRITES(table_write, &stacks, &((struct layout){ .width = 13 }),
	       "Stack       \n"
	       "------------\n"
	       "Till.pay(...\n"
	       "Till.pay(...\n");
}

Test(table, shows_frames_in_lines_of_their_own)
{
	WRITES(table_write, &stacks,
	       &((struct layout){ .width = 26, .cell_height = 3 }),
	       "Stack                    \n"
	       "-------------------------\n"
	       "Till.count(...)          \n"
	       "shop.Till.add(Coin, Coin)\n"
	       "shop.Till.pay(Coin, Coin)\n"
	       "shop.Till.pay(Coin, Coin)\n");
	WRITES(table_write, &stacks,
	       &((struct layout){ .width = 28, .cell_height = 2 }),
	       "Stack                      \n"
	       "---------------------------\n"
	       "shop.Till.pay(Coin, Coin)  \n"
	       "shop.Till.count(Coin, Coin)\n"
	       "shop.Till.pay(Coin, Coin)  \n");
}

/* The JDK's cell of too little room holds the number itself as a percentage. */
Test(table, has_shares_of_a_sum)
{
	static const struct column columns[] = {
		NUMBER_COLUMN("key", "N"),
		NUMBER_COLUMN("w", "W", .is_normalized = true, .is_percentage = true) };
	const rows_row items[] = { { CELL_INT(1), CELL_INT(30) },
					  { CELL_INT(2), CELL_INT(50) },
					  { CELL_INT(3), CELL_INT(120) } };
	const struct rows shares = ROWS(columns, items);

	WRITES(table_write, &shares, &((struct layout){ .width = 9 }),
	       "N      W\n"
	       "- ------\n"
	       "1 15.00%\n"
	       "2 25.00%\n"
	       "3 60.00%\n");
	WRITES(table_write, &shares, &((struct layout){ .width = 8 }),
	       "N     W\n"
	       "- -----\n"
	       "1 30...\n"
	       "2 50...\n"
	       "3 12...\n");
}

Test(table, survives_without_memory)
{
	rows_survive(table_write, &stacks,
		     &((struct layout){ .width = 9, .cell_height = 5,
					.title = STR("Stacks"), .is_verbose = true }));
	rows_survive(table_write, &stories, &((struct layout){ .width = 24 }));
}
