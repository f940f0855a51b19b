#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/memo.h"

static bool holds(const struct memo *memo, size_t cell, struct str text)
{
	struct str found = memo_find(memo, 0, cell);

	return found.bytes && str_is(found, text);
}

Test(memo, is_empty_at_first)
{
	struct memo_store *store = memo_store_new(1 << 20);
	struct memo *memo = memo_new(store, 1, 10);

	for (size_t i = 0; i < 12; i++)
		cr_assert_null(memo_find(memo, 0, i).bytes);
	memo_store_free(store);
}

Test(memo, keeps_copies)
{
	struct memo_store *store = memo_store_new(1 << 20);
	struct memo *memo = memo_new(store, 1, 10);
	char text[] = "text";

	memo_put(memo, 0, 3, str_of(text));
	text[0] = 'n';
	memo_put(memo, 0, 4, str_of(text));
	cr_assert(holds(memo, 3, STR("text")));
	cr_assert(holds(memo, 4, STR("next")));
	cr_assert_null(memo_find(memo, 0, 2).bytes);
	memo_store_free(store);
}

Test(memo, keeps_what_was_put_first)
{
	struct memo_store *store = memo_store_new(1 << 20);
	struct memo *memo = memo_new(store, 1, 1);
	const char *bytes;

	memo_put(memo, 0, 0, STR("first"));
	bytes = memo_find(memo, 0, 0).bytes;
	memo_put(memo, 0, 0, STR("second"));
	cr_assert_eq(memo_find(memo, 0, 0).bytes, bytes);
	cr_assert(holds(memo, 0, STR("first")));
	memo_store_free(store);
}

Test(memo, tells_an_empty_text_from_none)
{
	struct memo_store *store = memo_store_new(1 << 20);
	struct memo *memo = memo_new(store, 1, 2);

	memo_put(memo, 0, 0, STR(""));
	memo_put(memo, 0, 1, (struct str){ NULL, 0 });
	cr_assert(holds(memo, 0, STR("")));
	cr_assert_null(memo_find(memo, 0, 1).bytes);
	memo_store_free(store);
}

Test(memo, may_be_missing)
{
	cr_assert_null(memo_find(NULL, 0, 0).bytes);
	memo_put(NULL, 0, 0, STR("text"));
	memo_store_free(NULL);
}

Test(memo, has_no_cells_outside)
{
	struct memo_store *store = memo_store_new(1 << 20);
	struct memo *none = memo_new(store, 1, 0);

	cr_assert_not_null(none);
	memo_put(none, 0, 0, STR("text"));
	memo_put(none, 0, SIZE_MAX, STR("text"));
	cr_assert_null(memo_find(none, 0, 0).bytes);
	cr_assert_null(memo_find(none, 0, SIZE_MAX).bytes);
	cr_assert_null(memo_new(store, 1, SIZE_MAX));
	cr_assert_null(memo_new(store, 1, SIZE_MAX / 8));
	memo_store_free(store);
}

Test(memo, keeps_texts_of_all_sizes)
{
	struct memo_store *store = memo_store_new(64 << 20);
	struct memo *memo = memo_new(store, 1, 400);
	char *text = malloc(400 * 400);

	for (size_t i = 0; i < 400; i++) {
		memset(text, (int)('a' + i % 26), i * i);
		memo_put(memo, 0, i, (struct str){ text, i * i });
	}
	for (size_t i = 0; i < 400; i++) {
		memset(text, (int)('a' + i % 26), i * i);
		cr_assert(holds(memo, i, (struct str){ text, i * i }));
	}
	free(text);
	memo_store_free(store);
}

/* How many texts of 100 bytes a store keeps, in a memo of 1000 cells. */
static size_t kept_by(struct memo *memo)
{
	char text[100] = "";
	size_t kept = 0;

	for (size_t i = 0; i < 1000; i++)
		memo_put(memo, 0, i, (struct str){ text, sizeof(text) });
	for (size_t i = 0; i < 1000; i++)
		kept += memo_find(memo, 0, i).bytes != NULL;
	return kept;
}

Test(memo, keeps_nothing_past_the_limit)
{
	struct memo_store *store = memo_store_new(30000);
	struct memo *memo = memo_new(store, 1, 1000);
	size_t kept = kept_by(memo);

	cr_assert_leq(kept * 100 + 1000 * sizeof(void *), 30000);
	cr_assert_geq(kept, 200);
	cr_assert_eq(kept_by(memo_new(store, 1, 1000)), 0);
	memo_store_free(store);
}

Test(memo, has_room_for_cells_only_within_the_limit)
{
	struct memo_store *store = memo_store_new(1000);
	struct memo *memo;

	memo = memo_new(store, 1, 125);
	memo_put(memo, 0, 0, STR("too many cells"));
	cr_assert_null(memo_find(memo, 0, 0).bytes);
	memo = memo_new(store, 1, 100);
	cr_assert_not_null(memo);
	memo_put(memo, 0, 0, STR("fits"));
	cr_assert(holds(memo, 0, STR("fits")));
	memo_store_free(store);
}

Test(memo, keeps_nothing_in_a_store_for_nothing)
{
	struct memo_store *store = memo_store_new(0);

	cr_assert_null(memo_new(store, 1, 0));
	memo_store_free(store);
}

Test(memo, shares_its_store_with_others)
{
	struct memo_store *store = memo_store_new(SIZE_MAX);
	struct memo *memos[50];

	for (size_t i = 0; i < 50; i++) {
		memos[i] = memo_new(store, 1, 50);
		for (size_t j = 0; j < 50; j++)
			memo_put(memos[i], 0, j, (struct str){ "abcdefgh", (i + j) % 9 });
	}
	for (size_t i = 0; i < 50; i++)
		for (size_t j = 0; j < 50; j++)
			cr_assert(holds(memos[i], j,
					(struct str){ "abcdefgh", (i + j) % 9 }));
	memo_store_free(store);
}

Test(memo, keeps_rows_apart)
{
	struct memo_store *store = memo_store_new(1 << 20);
	struct memo *memo = memo_new(store, 3, 4);

	memo_put(memo, 0, 1, STR("one"));
	memo_put(memo, 2, 1, STR("two"));
	memo_put(memo, 3, 1, STR("no such row"));
	cr_assert(str_is(memo_find(memo, 0, 1), STR("one")));
	cr_assert_null(memo_find(memo, 1, 1).bytes);
	cr_assert(str_is(memo_find(memo, 2, 1), STR("two")));
	cr_assert_null(memo_find(memo, 3, 1).bytes);
	memo_store_free(store);
}
