#include <criterion/criterion.h>

#include "copy/strict.h"
#include "make.h"

static const struct schema_type types[] = {
	TYPE("a.Key", NULL, .id = 50, FIELDS(FIELD("x", "int"))),
	TYPE("a.Broken", NULL, .id = 51, FIELDS(FIELD("self", "a.Broken"))),
	TYPE("a.E", "jdk.jfr.Event", .id = 52, FIELDS(START)),
	TYPES_END,
};

/* A checkpoint of these values, this far behind the one before it. */
static void add(struct made *made, int64_t delta, const struct make_value *values)
{
	struct writer *writer = &made->writer;

	writer_end(writer);
	writer->header.checkpoint_at = (int64_t)writer_position(writer);
	writer_event(writer, EVENT_CHECKPOINT);
	make_values(&writer->buf, VALUES(LONG(5), LONG(0), LONG(delta), BYTE(0)));
	make_values(&writer->buf, values);
	writer_end(writer);
}

static bool is_strict(struct made *made, bool is_first)
{
	struct arena arena = { 0 };
	struct accept accept;
	bool is_good;

	cr_assert(make_open(made), "%s", made->err.text);
	cr_assert(accept_open(&accept, &made->chunk.metadata, &arena));
	is_good = strict_checkpoints(&made->chunk, &accept, is_first);
	arena_clear(&arena);
	make_clear(made);
	return is_good;
}

/* One checkpoint. */
#define IS_STRICT(...)                                                          \
	({                                                                      \
		struct made made_ = { 0 };                                      \
		make_begin(&made_, types);                                      \
		add(&made_, 0, VALUES(__VA_ARGS__));                            \
		is_strict(&made_, false);                                       \
	})

Test(strict, wants_pools_with_constants_to_the_end)
{
	cr_expect(IS_STRICT(COUNT(1), LONG(50), COUNT(2), KEY(1), INT(1), KEY(2), INT(2)));
	cr_expect(IS_STRICT(COUNT(0)));
	cr_expect_not(IS_STRICT(COUNT(1), LONG(50), COUNT(0)));
	cr_expect_not(IS_STRICT(COUNT(1), LONG(50), COUNT(-1)));
	cr_expect_not(IS_STRICT(COUNT(1), LONG(50), COUNT(1), KEY(1), INT(1), INT(9)));
	cr_expect_not(IS_STRICT(COUNT(1), LONG(50), COUNT(2), KEY(1), INT(1)));
	cr_expect_not(IS_STRICT(COUNT(2), LONG(50), COUNT(1), KEY(1), INT(1)));
}

Test(strict, wants_types_that_the_jdk_knows)
{
	cr_expect_not(IS_STRICT(COUNT(1), LONG(99), COUNT(1), KEY(1)));
	cr_expect_not(IS_STRICT(COUNT(1), LONG(51), COUNT(1), KEY(1)));
	cr_expect_not(IS_STRICT(COUNT(1), LONG(52), COUNT(1), KEY(1), LONG(1)));
}

Test(strict, wants_a_chain_that_leads_back)
{
	static const int64_t deltas[] = { 0, 1, -1, -4000, INT64_MIN };
	struct made made = { 0 };
	int64_t first;

	for (size_t i = 0; i < sizeof(deltas) / sizeof(deltas[0]); i++) {
		make_begin(&made, types);
		add(&made, 0, VALUES(COUNT(1), LONG(50), COUNT(1), KEY(1), INT(1)));
		add(&made, deltas[i], VALUES(COUNT(0)));
		cr_expect_eq(is_strict(&made, false), i == 0);
	}
	make_begin(&made, types);
	add(&made, 0, VALUES(COUNT(1), LONG(50), COUNT(1), KEY(1), INT(1)));
	first = made.writer.header.checkpoint_at;
	EVENT(&made.writer, "a.E", LONG(1));
	writer_end(&made.writer);
	add(&made, first - (int64_t)writer_position(&made.writer), VALUES(COUNT(0)));
	cr_expect(is_strict(&made, false));
}

Test(strict, wants_a_checkpoint_where_the_header_says)
{
	static const int64_t places[] = { 67, 69, INT64_MAX, -5 };
	struct made made = { 0 };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		make_begin(&made, types);
		add(&made, 0, VALUES(COUNT(0)));
		made.writer.header.checkpoint_at = places[i];
		cr_expect_not(is_strict(&made, true));
	}
}

Test(strict, lets_the_first_chunk_do_without)
{
	struct made made = { 0 };

	make_begin(&made, types);
	cr_expect(is_strict(&made, true));
	make_begin(&made, types);
	cr_expect_not(is_strict(&made, false));
	make_begin(&made, types);
	add(&made, 0, VALUES(COUNT(1), LONG(50), COUNT(1), KEY(1), INT(1)));
	made.writer.header.checkpoint_at = 0;	/* nobody finds what is there */
	cr_expect_not(is_strict(&made, true));
}
