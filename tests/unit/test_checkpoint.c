#include <criterion/criterion.h>
#include <stdlib.h>

#include "jfr/checkpoint.h"
#include "jfr/object.h"
#include "make.h"

#define SYMBOL "jdk.types.Symbol"

static const struct schema_type types[] = {
	TYPE("a.E", "jdk.jfr.Event", FIELDS(START, FIELD("symbol", SYMBOL, POOLED))),
	TYPE("a.Node", NULL,
	     FIELDS(FIELD("next", "a.Node", POOLED), FIELD("names", SYMBOL, POOLED, ARRAY))),
	TYPE("a.Self", NULL, FIELDS(FIELD("x", "a.Self"))),
	TYPE(SYMBOL, NULL, .is_simple = true, FIELDS(FIELD("string", "java.lang.String"))),
	TYPES_END,
};

/* A checkpoint of these bytes, wherever they may lead. */
static void add_checkpoint(struct made *made, int64_t delta, const struct make_value *values)
{
	struct writer *writer = &made->writer;

	writer_end(writer);
	writer->header.checkpoint_at = (int64_t)writer_position(writer);
	writer_event(writer, EVENT_CHECKPOINT);
	make_values(&writer->buf, VALUES(LONG(0), LONG(0), LONG(delta), BYTE(0)));
	make_values(&writer->buf, values);
	writer_end(writer);
}

static void expect_text(struct made *made, uint64_t key, const char *text)
{
	struct str found = make_text(made, SYMBOL, key);

	cr_expect(str_is(found, str_of(text)), "%.*s, not %s", (int)found.size, found.bytes,
		  text);
}

Test(checkpoint, finds_constants_by_any_key)
{
	static const uint64_t keys[] = { 0, 1, UINT64_MAX, (uint64_t)INT64_MIN, 1ull << 40 };
	struct made made = { 0 };

	make_begin(&made, types);
	POOL(&made.writer, SYMBOL);
	for (size_t i = 0; i < 5; i++)
		CONSTANT(&made.writer, keys[i], TEXT("found"));
	cr_assert(make_open(&made), "%s", made.err.text);
	for (size_t i = 0; i < 5; i++)
		expect_text(&made, keys[i], "found");
	expect_text(&made, 2, "-");
	cr_expect_eq(made.damage.faults.count, 0);
	make_clear(&made);
}

Test(checkpoint, has_no_constants_before_they_are_loaded)
{
	struct made made = { 0 };

	make_begin(&made, types);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 1, TEXT("x"));
	cr_assert(make_bytes(&made));
	cr_assert(chunk_open_bytes(&made.chunk, made.bytes, made.size, &made.err));
	expect_text(&made, 1, "-");
	make_clear(&made);
}

Test(checkpoint, collects_constants_of_all_checkpoints)
{
	struct made made = { 0 };
	struct object object;

	make_begin(&made, types);
	POOL(&made.writer, "a.Node");
	CONSTANT(&made.writer, 1, KEY(1), COUNT(2), KEY(5), KEY(6));
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 5, TEXT("first"));
	EVENT(&made.writer, "a.E", LONG(1), KEY(5));
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 6, TEXT("second"));
	POOL(&made.writer, "a.E");	/* an event is as good as any struct */
	CONSTANT(&made.writer, 1, LONG(77), KEY(5));
	cr_assert(make_open(&made));
	expect_text(&made, 5, "first");
	expect_text(&made, 6, "second");
	cr_assert(object_constant(&object, &made.chunk, make_type(&made, "a.Node"), 1,
				  &made.arena));
	cr_expect_eq(object.values[0].number, 1);
	cr_expect_eq(object.values[1].count, 2);
	cr_assert(object_constant(&object, &made.chunk, make_type(&made, "a.E"), 1,
				  &made.arena));
	cr_expect_eq(object.values[0].number, 77);
	make_clear(&made);
}

Test(checkpoint, lets_the_oldest_checkpoint_count)
{
	struct made made = { 0 };

	make_begin(&made, types);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 1, TEXT("oldest"));
	writer_end(&made.writer);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 1, TEXT("middle"));
	CONSTANT(&made.writer, 2, TEXT("first of two"));
	CONSTANT(&made.writer, 2, TEXT("last of two"));
	writer_end(&made.writer);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 1, TEXT("newest"));
	cr_assert(make_open(&made));
	expect_text(&made, 1, "oldest");
	expect_text(&made, 2, "last of two");
	make_clear(&made);
}

Test(checkpoint, may_have_no_checkpoint_at_all)
{
	struct made made = { 0 };

	make_begin(&made, types);
	cr_assert(make_open(&made));
	cr_expect_eq(made.chunk.header.checkpoint_at, 0);
	cr_expect_eq(made.damage.faults.count, 0);
	expect_text(&made, 1, "-");
	make_clear(&made);
}

#define CUT "a constant pool is cut short"
#define UNKNOWN "a checkpoint holds constants of an unknown type"
#define SHORT_CHECKPOINT "a checkpoint is cut short"

Test(checkpoint, steps_over_broken_pools)
{
	enum { NODE = 11, SELF = 12, SYMBOLS = 13 };
	const struct schema_type fixed[] = {
		TYPE("a.Node", NULL, .id = NODE, FIELDS(FIELD("names", SYMBOL, POOLED, ARRAY))),
		TYPE("a.Self", NULL, .id = SELF, FIELDS(FIELD("x", "a.Self"))),
		TYPE(SYMBOL, NULL, .id = SYMBOLS, .is_simple = true,
		     FIELDS(FIELD("string", "java.lang.String"))),
		TYPES_END,
	};
	const struct {
		const struct make_value *values;
		const char *fault;	/* NULL: all is well */
		const char *text;	/* of the constant 7, from this or the one before */
	} cases[] = {
		{ VALUES(COUNT(1), COUNT(SYMBOLS), COUNT(0)), NULL, "before" },
		{ VALUES(COUNT(0)), NULL, "before" },
		{ VALUES(COUNT(-1)), NULL, "before" },
		{ VALUES(COUNT(1), COUNT(SYMBOLS), COUNT(-1)), NULL, "before" },
		{ VALUES(COUNT(1), COUNT(SYMBOLS), COUNT(1), KEY(7), TEXT("x"),
			 BYTES("more")), NULL, "before" },
		{ VALUES(COUNT(2), COUNT(SYMBOLS), COUNT(1), KEY(8), TEXT("x")),
		  SHORT_CHECKPOINT, "before" },
		{ VALUES(COUNT(INT32_MAX), COUNT(SYMBOLS), COUNT(1), KEY(8), TEXT("x")),
		  SHORT_CHECKPOINT, "before" },
		{ VALUES(COUNT(1), COUNT(SYMBOLS), COUNT(2), KEY(8), TEXT("x")), CUT,
		  "before" },
		{ VALUES(COUNT(1), COUNT(SYMBOLS), COUNT(INT32_MAX), KEY(8), TEXT("x")),
		  CUT, "before" },
		{ VALUES(COUNT(1), COUNT(SYMBOLS), COUNT(1), KEY(8), BYTE(9)), CUT,
		  "before" },
		{ VALUES(COUNT(1), COUNT(NODE), COUNT(1), KEY(8), COUNT(INT32_MAX)), CUT,
		  "before" },
		{ VALUES(COUNT(1), COUNT(NODE), COUNT(1), KEY(8), COUNT(-1), KEY(1)), CUT,
		  "before" },
		{ VALUES(COUNT(1), COUNT(4242), COUNT(1), KEY(8), TEXT("x")), UNKNOWN,
		  "before" },
		{ VALUES(COUNT(1), COUNT(SELF), COUNT(1), KEY(8), TEXT("x")), UNKNOWN,
		  "before" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made = { 0 };
		int64_t before;

		make_begin(&made, fixed);
		POOL(&made.writer, SYMBOL);
		CONSTANT(&made.writer, 7, TEXT("before"));
		writer_end(&made.writer);
		before = made.writer.header.checkpoint_at;
		add_checkpoint(&made, before - (int64_t)writer_position(&made.writer),
			       cases[i].values);
		cr_assert(make_open(&made), "case %zu: %s", i, made.err.text);
		cr_expect_eq(made.damage.faults.count, cases[i].fault != NULL, "case %zu", i);
		if (cases[i].fault)
			cr_expect_eq(make_faults(&made, cases[i].fault), 1, "case %zu", i);
		expect_text(&made, 7, cases[i].text);
		make_clear(&made);
	}
}

#define CHAIN "the chain of checkpoints is broken"
#define OVERLAP "a checkpoint reaches into the one after it"
#define NOT_THERE "no checkpoint event where one should be"

Test(checkpoint, follows_the_chain_of_checkpoints_only_backwards)
{
	const struct {
		int64_t delta;
		const char *fault;
	} cases[] = {
		{ 1, CHAIN },		{ 100, CHAIN },
		{ INT64_MAX, CHAIN },	{ INT64_MIN, CHAIN },
		{ -1000000, CHAIN },	{ -1, OVERLAP },
		{ -INT64_MAX, CHAIN },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made = { 0 };

		make_begin(&made, types);
		EVENT(&made.writer, "a.E", LONG(1), KEY(5));
		add_checkpoint(&made, cases[i].delta, VALUES(COUNT(0)));
		EVENT(&made.writer, "a.E", LONG(1), KEY(5));
		cr_assert(make_open(&made));
		cr_expect_eq(make_faults(&made, cases[i].fault), 1, "case %zu: %s", i,
			     made.damage.faults.count ? made.damage.faults.items[0].cause :
							"no fault");
		make_clear(&made);
	}
}

Test(checkpoint, does_without_a_checkpoint_that_is_not_there)
{
	static const struct {
		int64_t place;
		const char *fault;
	} cases[] = {
		{ -5, "the header points to no checkpoint" },
		{ 67, "the header points to no checkpoint" },
		{ INT64_MAX, "the header points to no checkpoint" },
		{ INT64_MIN, "the header points to no checkpoint" },
		{ HEADER_SIZE, NOT_THERE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made = { 0 };

		make_begin(&made, types);
		EVENT(&made.writer, "a.E", LONG(1), KEY(5));
		cr_assert(make_bytes(&made));
		make_number(made.bytes, CHECKPOINT_AT, cases[i].place);
		cr_assert(make_again(&made));
		cr_expect_eq(make_faults(&made, cases[i].fault), 1, "case %zu", i);
		make_clear(&made);
	}
}

/* The chain of four checkpoints, each with the constant 1 and one of its own, 2 to 5. */
static void make_chain(struct made *made, size_t places[4])
{
	static const char *const texts[] = { "oldest", "second", "third", "newest" };

	make_begin(made, types);
	for (size_t i = 0; i < 4; i++) {
		EVENT(&made->writer, "a.E", LONG((int64_t)i), KEY(1));
		POOL(&made->writer, SYMBOL);
		for (uint64_t key = 1; key <= i + 2; key += i + 1) {
			writer_constant(&made->writer, key);
			encode_string(&made->writer.buf, str_of(texts[i]));
		}
		writer_end(&made->writer);
		places[i] = (size_t)made->writer.header.checkpoint_at;
	}
	EVENT(&made->writer, "a.E", LONG(9), KEY(1));
	cr_assert(make_bytes(made));
}

/* All of the chain, each checkpoint read but once, except those left out. */
static void expect_chain(struct made *made, unsigned int missing, const char *first)
{
	static const char *const texts[] = { "oldest", "second", "third", "newest" };
	const struct pool *pool;
	size_t count = 0;

	for (size_t i = 0; i < 4; i++) {
		bool is_there = !(missing & 1u << i);

		expect_text(made, i + 2, is_there ? texts[i] : "-");
		count += is_there ? 2 : 0;
	}
	expect_text(made, 1, first);
	pool = chunk_pool(&made->chunk, make_type(made, SYMBOL));
	cr_expect_eq(pool->constants.count, count, "%zu constants", pool->constants.count);
}

Test(checkpoint, chain_is_followed_to_its_end)
{
	struct made made = { 0 };
	size_t places[4];

	make_chain(&made, places);
	cr_assert(make_again(&made));
	expect_chain(&made, 0, "oldest");
	cr_expect_eq(made.damage.faults.count, 0);
	/* The JDK goes no further either. */
	make_number(made.bytes, CHECKPOINT_AT, (int64_t)places[1]);
	cr_assert(make_again(&made));
	expect_chain(&made, 1 << 2 | 1 << 3, "oldest");
	cr_expect_eq(made.damage.faults.count, 0);
	make_clear(&made);
}

Test(checkpoint, is_searched_for_if_the_header_leads_to_none)
{
	static const int64_t wrong[] = { 0, -1, 67, HEADER_SIZE, INT64_MAX };
	struct made made = { 0 };
	size_t places[4];

	make_chain(&made, places);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		make_number(made.bytes, CHECKPOINT_AT, wrong[i]);
		cr_assert(make_again(&made));
		expect_chain(&made, 0, "oldest");
		cr_expect_eq(made.damage.faults.count, i != 0, "case %zu", i);
		cr_expect_eq(made.damage.faults.count && made.damage.faults.items[0].count > 1,
			     false);
	}
	make_clear(&made);
}

/* Where the chain breaks; what it has led to is not read again. */
Test(checkpoint, is_searched_for_behind_a_break_in_the_chain)
{
	for (size_t broken = 1; broken < 4; broken++) {
		struct made made = { 0 };
		size_t places[4];

		/* Size, in four bytes, type, start and duration stand in front of delta. */
		make_chain(&made, places);
		made.bytes[places[broken] + 7 + 8] = 0;	/* its sign is lost */
		cr_assert(make_again(&made));
		expect_chain(&made, 0, "oldest");
		cr_assert_eq(made.damage.faults.count, 1);
		cr_expect_str_eq(made.damage.faults.items[0].cause, CHAIN);
		cr_expect_eq(made.damage.faults.items[0].first.at, places[broken]);
		cr_expect_eq(made.damage.faults.items[0].count, 1);
		make_clear(&made);
	}
}

Test(checkpoint, that_is_no_more_does_not_spoil_the_others)
{
	for (size_t broken = 0; broken < 4; broken++) {
		struct made made = { 0 };
		size_t places[4];

		make_chain(&made, places);
		made.bytes[places[broken] + 4] = 77;	/* its type */
		cr_assert(make_again(&made));
		expect_chain(&made, 1u << broken, broken ? "oldest" : "second");
		cr_expect_eq(make_faults(&made, NOT_THERE), 1);
		make_clear(&made);
	}
}

Test(checkpoint, of_an_unfinished_chunk_is_searched_for)
{
	struct made made = { 0 };
	size_t places[4];

	make_chain(&made, places);
	made.bytes[STATE_AT] = 2;
	make_number(made.bytes, CHECKPOINT_AT, (int64_t)places[1]);
	make_number(made.bytes, CHUNK_SIZE_AT, (int64_t)places[2]);
	made.chunk.block = (struct block){ .bytes = made.bytes, .size = made.size };
	cr_assert(chunk_open(&made.chunk, &made.damage, &made.err), "%s", made.err.text);
	cr_assert(checkpoint_load(&made.chunk, &made.damage, &made.err));
	expect_chain(&made, 0, "oldest");
	cr_expect_eq(made.damage.faults.count, 0);
	make_clear(&made);
}

Test(checkpoint, does_without_a_checkpoint_that_is_cut_short)
{
	struct made made = { 0 };

	make_begin(&made, types);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 7, TEXT("before"));
	writer_end(&made.writer);
	made.writer.header.checkpoint_at = (int64_t)writer_position(&made.writer);
	writer_event(&made.writer, EVENT_CHECKPOINT);
	encode_long(&made.writer.buf, 0);
	cr_assert(make_open(&made));
	cr_expect_eq(make_faults(&made, SHORT_CHECKPOINT), 1);
	expect_text(&made, 7, "before");
	make_clear(&made);
}
