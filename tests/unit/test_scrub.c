#include <criterion/criterion.h>
#include <stdio.h>

#include "copy/scrub.h"
#include "fault.h"
#include "jfr/frame.h"
#include "make.h"

#define SYMBOL "jdk.types.Symbol"
#define GROUP "jdk.types.ThreadGroup"
#define START_AT 1000	/* of the first checkpoint in the output */

static const struct schema_type types[] = {
	TYPE("a.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("one", SYMBOL, POOLED), FIELD("two", GROUP, POOLED))),
	TYPES_END,
};

/*
 * Three checkpoints: symbols 1 2, a group, symbols 3 in a second pool; then nothing that is
 * needed; then symbol 1 once more, which does not count.
 */
static void fill(struct made *made)
{
	struct writer *writer = &made->writer;

	writer_describe(writer, make_jdk_types);
	make_begin(made, types);
	EVENT(writer, "a.E", LONG(1), KEY(1), KEY(5));
	EVENT(writer, "a.E", LONG(2), KEY(3), KEY(0));
	writer->now = 7;
	writer_checkpoint(writer, CHECKPOINT_THREADS);
	POOL(writer, SYMBOL);
	CONSTANT(writer, 1, TEXT("one"));
	CONSTANT(writer, 2, TEXT("two"));
	POOL(writer, GROUP);
	CONSTANT(writer, 5, KEY(6), TEXT("inner"));
	CONSTANT(writer, 6, KEY(0), TEXT("outer"));
	POOL(writer, SYMBOL);
	CONSTANT(writer, 3, TEXT("three"));
	writer_checkpoint(writer, 0);
	POOL(writer, SYMBOL);
	CONSTANT(writer, 4, TEXT("four"));
	writer_checkpoint(writer, CHECKPOINT_FLUSH);
	POOL(writer, SYMBOL);
	CONSTANT(writer, 1, TEXT("another one"));
	cr_assert(make_open(made), "%s", made->err.text);
}

static void mark(struct refs *refs, const struct made *made, size_t events)
{
	cr_assert(refs_open(refs, &made->chunk));
	for (size_t i = 0; i < events; i++) {
		struct event event = make_nth(made, i);

		cr_assert(refs_mark_event(refs, &event));
	}
	cr_assert(refs_spread(refs));
}

/* "7 8: 2[1 3] 3[5 6]": start, kind, pools in their order, and keys in them. */
static void tell(struct buf *told, const struct made *made, const struct scrub *scrub,
		 int64_t *before)
{
	const unsigned char *bytes = (const unsigned char *)scrub->buf.bytes;
	struct cursor cursor = cursor_of(bytes, scrub->buf.size);
	uint64_t pools, count;

	cr_expect_eq(cursor_varint(&cursor), scrub->buf.size);
	cr_expect_eq(cursor.at - bytes, 4);
	cr_expect_eq(cursor_varint(&cursor), EVENT_CHECKPOINT);
	buf_printf(told, "%d", (int)cursor_varint(&cursor));
	cr_expect_eq(cursor_varint(&cursor), 0);
	*before = (int64_t)cursor_varint(&cursor);
	buf_printf(told, " %d:", cursor_byte(&cursor));
	for (pools = cursor_varint(&cursor); pools > 0; pools--) {
		const struct type *type = metadata_type(&made->chunk.metadata,
						(int64_t)cursor_varint(&cursor));
		struct str name = type_simple_name(type);

		buf_printf(told, " %.*s", (int)name.size, name.bytes);
		for (count = cursor_varint(&cursor); count > 0; count--) {
			buf_printf(told, " %d", (int)cursor_varint(&cursor));
			cr_assert(value_skip(&type->program, &cursor));
		}
	}
	cr_expect(!cursor.bad && cursor_left(&cursor) == 0);
	buf_text(told, "\n");
}

static void expect(const struct made *made, size_t events, const char *checkpoints)
{
	struct refs refs;
	struct scrub scrub = { .chunk = &made->chunk, .refs = &refs };
	uint64_t at = START_AT, last = 0;
	struct buf told = { 0 };
	int64_t before;

	mark(&refs, made, events);
	for (int run = 0; run < 2; run++) {
		buf_reset(&told);
		at = START_AT;
		last = 0;
		scrub_begin(&scrub, at);
		while (scrub_next(&scrub)) {
			tell(&told, made, &scrub, &before);
			cr_expect_eq(before, last ? (int64_t)(last - at) : 0);
			cr_expect_eq(scrub.checkpoint_at, at);
			last = at;
			at += scrub.buf.size;
			cr_expect_eq(scrub.position, at);
		}
		cr_expect(!scrub.buf.failed && !scrub.is_too_large);
		cr_expect(str_is((struct str){ told.bytes, told.size },
				 str_of(checkpoints)),
			  "%.*s", (int)told.size, told.bytes);
	}
	buf_clear(&told);
	scrub_clear(&scrub);
	refs_close(&refs);
}

Test(scrub, writes_what_is_needed_with_the_newest_first)
{
	struct made made = { 0 };

	fill(&made);
	expect(&made, 2, "7 1:\n7 0:\n7 8: Symbol 1 3 ThreadGroup 5 6\n");
	expect(&made, 1, "7 1:\n7 0:\n7 8: Symbol 1 ThreadGroup 5 6\n");
	expect(&made, 0, "7 1:\n7 0:\n7 8:\n");
	make_clear(&made);
}

Test(scrub, writes_nothing_where_nothing_is)
{
	struct made made = { 0 };

	make_begin(&made, types);
	writer_describe(&made.writer, make_jdk_types);
	cr_assert(make_open(&made), "%s", made.err.text);
	expect(&made, 0, "");
	make_clear(&made);
}

Test(scrub, fails_without_memory)
{
	struct made made = { 0 };
	struct refs refs;
	bool is_done = false;

	fill(&made);
	mark(&refs, &made, 2);
	for (size_t n = 1; !is_done; n++) {
		struct scrub scrub = { .chunk = &made.chunk, .refs = &refs };
		int count = 0;

		fault_at(n);
		scrub_begin(&scrub, START_AT);
		while (scrub_next(&scrub))
			count++;
		is_done = !fault_happened();
		cr_expect_eq(scrub.buf.failed, !is_done);
		cr_expect_eq(count == 3, is_done);
		scrub_clear(&scrub);
	}
	fault_at(0);
	refs_close(&refs);
	make_clear(&made);
}
