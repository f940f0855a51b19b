#include <criterion/criterion.h>
#include <stdlib.h>

#include "jfr/chunk.h"
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

/* Changes eight bytes of the header: 16 is the checkpoint's place, 24 the metadata's. */
static void set_place(struct made *made, size_t at, int64_t place)
{
	struct buf buf = { 0 };

	encode_big(&buf, (uint64_t)place, 8);
	memcpy(made->bytes + at, buf.bytes, 8);
	buf_clear(&buf);
}

#define CHECKPOINT_AT 16
#define METADATA_AT 24

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

Test(chunk, finds_constants_by_any_key)
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

Test(chunk, has_no_constants_before_they_are_loaded)
{
	struct made made = { 0 };

	make_begin(&made, types);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 1, TEXT("x"));
	cr_assert(make_bytes(&made));
	cr_assert(chunk_open(&made.chunk, made.bytes, made.size, &made.err));
	expect_text(&made, 1, "-");
	make_clear(&made);
}

Test(chunk, collects_constants_of_all_checkpoints)
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

Test(chunk, lets_the_oldest_checkpoint_count)
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

Test(chunk, may_have_no_checkpoint_at_all)
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

Test(chunk, steps_over_broken_pools)
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

Test(chunk, follows_the_chain_of_checkpoints_only_backwards)
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

Test(chunk, does_without_a_checkpoint_that_is_not_there)
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
		set_place(&made, CHECKPOINT_AT, cases[i].place);
		cr_assert(make_again(&made));
		cr_expect_eq(make_faults(&made, cases[i].fault), 1, "case %zu", i);
		make_clear(&made);
	}
}

Test(chunk, does_without_a_checkpoint_that_is_cut_short)
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
	expect_text(&made, 7, "-");
	make_clear(&made);
}

Test(chunk, refuses_metadata_that_is_not_there)
{
	static const struct {
		int64_t place;
		const char *message;
	} cases[] = {
		{ 0, "the header points to no metadata event (0)" },
		{ -1, "the header points to no metadata event (-1)" },
		{ INT64_MIN, "the header points to no metadata event (-9223372036854775808)" },
		{ INT64_MAX, "the header points to no metadata event (9223372036854775807)" },
		{ HEADER_SIZE, "no metadata event at byte 68" },
		{ HEADER_SIZE + 1, "no metadata event at byte 69" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made = { 0 };

		make_begin(&made, types);
		EVENT(&made.writer, "a.E", LONG(1), KEY(5));
		cr_assert(make_bytes(&made));
		set_place(&made, METADATA_AT, cases[i].place);
		cr_expect_not(make_again(&made));
		cr_expect_str_eq(made.err.text, cases[i].message);
		cr_expect_eq(made.err.kind, ERR_FORMAT);
		make_clear(&made);
	}
}

Test(chunk, refuses_metadata_that_is_broken)
{
	struct made made = { 0 };

	make_begin(&made, types);
	writer_event(&made.writer, EVENT_METADATA);
	make_values(&made.writer.buf, VALUES(LONG(0), LONG(0), LONG(1), COUNT(1), TEXT("a"),
					     COUNT(0), COUNT(0), COUNT(0)));
	cr_assert(make_bytes(&made));
	set_place(&made, METADATA_AT, HEADER_SIZE);
	cr_expect_not(make_again(&made));
	cr_expect_str_eq(made.err.text, "metadata at byte 68: "
					"the metadata event declares no types");
	make_clear(&made);
}

/* Its size stands in front, in four bytes; the event itself is whole. */
Test(chunk, reads_metadata_whose_size_is_wrong)
{
	static const uint64_t sizes[] = { 0, 20, WRITER_EVENT_MAX };
	struct made made = { 0 };

	make_begin(&made, types);
	writer_metadata(&made.writer);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 7, TEXT("text"));
	cr_assert(make_bytes(&made));
	for (size_t i = 0; i < 3; i++) {
		encode_padded_at((char *)made.bytes + HEADER_SIZE, sizes[i], 4);
		cr_assert(make_again(&made), "%s", made.err.text);
		expect_text(&made, 7, "text");
	}
	make_clear(&made);
}

Test(chunk, can_be_cut_anywhere)
{
	struct made made = { 0 };
	size_t size;

	make_begin(&made, make_jdk_types);
	writer_metadata(&made.writer);
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 1, TEXT("x"));
	POOL(&made.writer, "jdk.types.StackTrace");
	CONSTANT(&made.writer, 1, BOOLEAN(0), COUNT(1), KEY(1), INT(1), INT(1), KEY(1));
	cr_assert(make_bytes(&made));
	for (size = made.size; size > 0; size--) {
		unsigned char *cut = malloc(size);
		struct chunk chunk = { 0 };
		struct damage damage = { 0 };
		struct err err = { 0 };

		memcpy(cut, made.bytes, size);
		if (chunk_open(&chunk, cut, size, &err))
			cr_expect(chunk_load_pools(&chunk, &damage, &err));
		else
			cr_expect_eq(err.kind, ERR_FORMAT);
		chunk_close(&chunk);
		damage_clear(&damage);
		free(cut);
	}
	make_clear(&made);
}

Test(chunk, survives_any_changed_byte)
{
	struct made made = { 0 };

	make_begin(&made, types);
	POOL(&made.writer, "a.Node");
	CONSTANT(&made.writer, 1, KEY(1), COUNT(2), KEY(5), KEY(6));
	POOL(&made.writer, SYMBOL);
	CONSTANT(&made.writer, 5, TEXT("text"));
	cr_assert(make_bytes(&made));
	for (size_t i = 0; i < made.size; i++) {
		unsigned char kept = made.bytes[i];

		for (int bit = 0; bit < 8; bit += 7) {
			made.bytes[i] = (unsigned char)(kept ^ 1 << bit);
			if (!make_again(&made))
				cr_expect_eq(made.err.kind, ERR_FORMAT, "byte %zu", i);
		}
		made.bytes[i] = kept;
	}
	make_clear(&made);
}
