#include <criterion/criterion.h>

#include "fault.h"
#include "count/inventory.h"
#include "make.h"

static const struct schema_type types[] = {
	TYPE("test.E", "jdk.jfr.Event",
	     FIELDS(START, STACK, FIELD("text", "java.lang.String"))),
	TYPES_END,
};

static const struct schema_type later_types[] = {
	TYPE("jdk.types.VMOperationType", NULL,
	     FIELDS(FIELD("name", "java.lang.String"))),
	TYPES_END,
};

/* Some of its strings are the same in all chunks, some are not. */
static void fill_chunk(struct made *made, int number)
{
	static const char *const own[] = { "a string that is long",
					   "a string that is longer" };

	EVENT(&made->writer, "test.E", LONG(1), KEY(1), NO_TEXT);
	EVENT(&made->writer, "test.E", LONG(1), KEY(2), TEXT_KEY(100));
	POOL(&made->writer, "jdk.types.StackTrace");
	CONSTANT(&made->writer, 1, BOOLEAN(0), COUNT(1), KEY(0), INT(7), INT(0), KEY(0));
	CONSTANT(&made->writer, 2, BOOLEAN(0), COUNT(0));
	writer_end(&made->writer);
	POOL(&made->writer, "java.lang.String");
	CONSTANT(&made->writer, 100, TEXT("a string in both chunks"));
	writer_constant(&made->writer, 101);
	encode_string(&made->writer.buf, str_of(own[number]));
	CONSTANT(&made->writer, 102, TEXT("short"));
	writer_end(&made->writer);
}

static void fill(struct made *made)
{
	struct header header = writer_header;

	writer_describe(&made->writer, make_jdk_types);
	writer_describe(&made->writer, types);
	for (int i = 0; i < 2; i++) {
		header.start_nanos = (i + 1) * INT64_C(1000000000);
		header.duration_nanos = 5;
		writer_open(&made->writer, &header);
		fill_chunk(made, i);
		cr_assert(writer_close(&made->writer, &made->err));
		writer_describe(&made->writer, later_types);
	}
	cr_assert(make_bytes(made), "%s", made->err.text);
}

struct taken {
	struct inventory inventory;
	struct input input;
	struct damage damage;
	struct err err;
};

static bool take(struct taken *taken, const struct made *made, int threads)
{
	*taken = (struct taken){ .inventory = { .wants_chunks = true,
						.wants_pools = true,
						.top = 3 } };
	return (input_of_bytes(&taken->input, made->bytes, made->size, "r.jfr") ||
		err_memory(&taken->err)) &&
	       inventory_take(&taken->inventory, &taken->input, threads, &taken->damage,
			      &taken->err);
}

static void clear(struct taken *taken)
{
	inventory_clear(&taken->inventory);
	damage_clear(&taken->damage);
	input_close(&taken->input);
}

Test(inventory, has_a_row_for_each_chunk)
{
	struct made made = { 0 };
	struct taken taken;

	fill(&made);
	cr_assert(take(&taken, &made, 1), "%s", taken.err.text);
	cr_assert_eq(taken.inventory.chunks.count, 2);
	cr_expect_eq(taken.inventory.bytes, made.size);
	for (size_t i = 0, at = 0; i < 2; i++) {
		const struct inventory_chunk *chunk = &taken.inventory.chunks.items[i];

		cr_expect_str_eq(chunk->file, "r.jfr");
		cr_expect_eq(chunk->number, i);
		cr_expect_eq(chunk->offset, at);
		cr_expect_eq(chunk->events, 2);
		cr_expect_eq(chunk->event_bytes, 2 * 5 + 1);
		cr_expect_eq(HEADER_SIZE + chunk->event_bytes + chunk->constant_bytes +
			     chunk->metadata_bytes, chunk->bytes);
		cr_expect_eq(chunk->header.start_nanos, (int64_t)(i + 1) * 1000000000);
		cr_expect_not(chunk->is_unfinished);
		cr_expect_null(chunk->fault);
		cr_expect_str_eq(chunk->producer->name, i ? "HotSpot" : "unknown");
		at += chunk->bytes;
	}
	clear(&taken);
	make_clear(&made);
}

static const struct inventory_pool *pool_of(const struct inventory *inventory,
					    const char *name)
{
	for (size_t i = 0; i < inventory->pools.count; i++) {
		if (str_is(inventory->pools.items[i].name, str_of(name)))
			return &inventory->pools.items[i];
	}
	cr_assert_fail("no pool %s", name);
	return NULL;
}

Test(inventory, adds_up_pools_by_name)
{
	struct made made = { 0 };
	struct taken taken;

	fill(&made);
	cr_assert(take(&taken, &made, 1));
	cr_expect_eq(taken.inventory.pools.count, 2);
	cr_expect_eq(pool_of(&taken.inventory, "java.lang.String")
			     ->counts[CENSUS_ENTRIES], 6);
	cr_expect_eq(pool_of(&taken.inventory, "jdk.types.StackTrace")
			     ->counts[CENSUS_EVENT_REFERENCES], 4);
	cr_expect(str_is(taken.inventory.pools.items[0].name, STR("java.lang.String")));
	clear(&taken);
	make_clear(&made);
}

static void expect_string(const struct large *string, const char *text, uint64_t copies,
			  uint64_t references)
{
	cr_expect(str_is((struct str){ string->text, string->text_size }, str_of(text)));
	cr_expect(str_is(string->pool, STR("java.lang.String")));
	cr_expect_eq(string->copies, copies);
	cr_expect_eq(string->references, references);
}

Test(inventory, has_the_largest_of_all_chunks)
{
	struct made made = { 0 };
	struct taken taken;
	const struct large *strings, *stacks;

	fill(&made);
	cr_assert(take(&taken, &made, 1));
	strings = taken.inventory.strings.items.items;
	cr_assert_eq(taken.inventory.strings.items.count, 3);
	/* Two of the same size: in whatever order, but always the same. */
	if (strings[0].copies == 2) {
		expect_string(&strings[0], "a string in both chunks", 2, 2);
		expect_string(&strings[1], "a string that is longer", 1, 0);
	} else {
		expect_string(&strings[0], "a string that is longer", 1, 0);
		expect_string(&strings[1], "a string in both chunks", 2, 2);
	}
	expect_string(&strings[2], "a string that is long", 1, 0);
	stacks = taken.inventory.stacks.items.items;
	cr_assert_eq(taken.inventory.stacks.items.count, 3);
	for (size_t i = 0; i < 3; i++) {
		cr_expect_eq(stacks[i].chunk, i % 2);
		cr_expect_eq(stacks[i].parts, i < 2);
		cr_expect_eq(stacks[i].references, 1);
		cr_expect_eq(stacks[i].text_size, i < 2 ? 11 : 0);	/* <unknown>:7 */
	}
	clear(&taken);
	make_clear(&made);
}

/* Bytes whose numbers were the same when only the lower half of a product counted. */
Test(inventory, does_not_take_different_strings_for_one)
{
	static const char *const texts[] = { "abcdefghijklmnop", "abcde\u00e6ghi\u00eaklm\u00eeop" };
	struct made made = { 0 };
	struct taken taken;

	make_begin(&made, make_jdk_types);
	POOL(&made.writer, "java.lang.String");
	for (int i = 0; i < 2; i++) {
		writer_constant(&made.writer, 100 + (uint64_t)i);
		encode_string_as(&made.writer.buf, STRING_LATIN1, str_of(texts[i]));
	}
	writer_end(&made.writer);
	cr_assert(make_bytes(&made), "%s", made.err.text);
	cr_assert(take(&taken, &made, 1), "%s", taken.err.text);
	cr_expect_eq(taken.inventory.strings.items.count, 2);
	cr_expect_eq(pool_of(&taken.inventory, "java.lang.String")
			     ->counts[CENSUS_EQUAL], 0);
	clear(&taken);
	make_clear(&made);
}

Test(inventory, counts_only_what_is_wanted)
{
	struct made made = { 0 };
	struct taken taken = { 0 };

	fill(&made);
	cr_assert(input_of_bytes(&taken.input, made.bytes, made.size, "r.jfr"));
	cr_assert(inventory_take(&taken.inventory, &taken.input, 1, &taken.damage,
				 &taken.err));
	cr_expect_eq(taken.inventory.chunks.count, 0);
	cr_expect_eq(taken.inventory.pools.count, 0);
	cr_expect_eq(taken.inventory.tally.chunks, 2);
	cr_expect_gt(taken.inventory.tally.rows.count, 0);
	clear(&taken);
	make_clear(&made);
}

static void compare(const struct largest *one, const struct largest *other)
{
	cr_assert_eq(one->items.count, other->items.count);
	for (size_t i = 0; i < one->items.count; i++) {
		const struct large *a = &one->items.items[i];
		const struct large *b = &other->items.items[i];

		cr_expect(str_is((struct str){ a->text, a->text_size },
				 (struct str){ b->text, b->text_size }));
		cr_expect_eq(a->bytes, b->bytes);
		cr_expect_eq(a->references, b->references);
	}
}

Test(inventory, is_the_same_on_any_number_of_threads)
{
	struct made made = { 0 };
	struct taken one;

	fill(&made);
	cr_assert(take(&one, &made, 1));
	for (int threads = 2; threads <= 4; threads++) {
		struct taken many;

		cr_assert(take(&many, &made, threads));
		compare(&one.inventory.strings, &many.inventory.strings);
		compare(&one.inventory.stacks, &many.inventory.stacks);
		cr_assert_eq(one.inventory.pools.count, many.inventory.pools.count);
		for (size_t i = 0; i < one.inventory.pools.count; i++)
			cr_expect_arr_eq(one.inventory.pools.items[i].counts,
					 many.inventory.pools.items[i].counts,
					 sizeof(uint64_t[CENSUS_COUNTS]));
		clear(&many);
	}
	clear(&one);
	make_clear(&made);
}

Test(inventory, tells_which_chunk_is_damaged)
{
	struct made made = { 0 };
	struct taken taken;

	fill(&made);
	made.size--;
	cr_assert(take(&taken, &made, 2), "%s", taken.err.text);
	cr_assert_eq(taken.inventory.chunks.count, 2);
	cr_expect_null(taken.inventory.chunks.items[0].fault);
	cr_assert(taken.inventory.chunks.items[1].fault);
	cr_expect_str_eq(taken.inventory.chunks.items[1].fault, "a chunk is cut short");
	cr_expect_not(damage_is_none(&taken.damage));
	clear(&taken);
	make_clear(&made);
}

Test(inventory, fails_if_no_chunk_can_be_opened)
{
	struct made made = { 0 };
	struct taken taken;

	fill(&made);
	made.size = HEADER_SIZE;
	cr_expect_not(take(&taken, &made, 2));
	cr_expect_eq(taken.err.kind, ERR_FORMAT);
	clear(&taken);
	make_clear(&made);
}

/* Nothing leaks or crashes, whichever request for memory is refused. */
Test(inventory, survives_a_lack_of_memory)
{
	struct made made = { 0 };
	bool is_good;
	size_t n = 0;

	fill(&made);
	do {
		struct taken taken;

		fault_at(++n);
		is_good = take(&taken, &made, 1);
		cr_assert(is_good || fault_happened(), "request %zu", n);
		cr_assert(is_good || taken.err.kind == ERR_MEMORY, "request %zu: %s", n,
			  taken.err.text);
		clear(&taken);
	} while (fault_happened());
	fault_at(0);
	cr_expect(is_good);
	make_clear(&made);
}
