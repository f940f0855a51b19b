/*
 * pools.c - checkpoints that are damaged, or of a strange form.
 */
#include "shop.h"
#include "samples/stall.h"

static void empty_pool(struct writer *writer)
{
	sample_small(writer, 0);
	sample_checkpoint(
		writer, VALUES(COUNT(1), LONG(writer_type(writer, SYMBOL)), COUNT(0)));
}

static void unknown_pool_type(struct writer *writer)
{
	sample_small(writer, 0);
	sample_checkpoint(writer,
			  VALUES(COUNT(1), LONG(4242), COUNT(1), KEY(1), TEXT("x")));
}

static void checkpoint(struct writer *writer)
{
	sample_small(writer, 0);
	sample_checkpoint(writer,
			  VALUES(COUNT(1), LONG(writer_type(writer, SYMBOL)),
				 COUNT(1000), KEY(900), TEXT("too few symbols")));
}

/*
 * The newest checkpoint lies within the one before it. No event is out of place: the
 * outer one ends where the inner one does. Both hold nothing: size, type, start,
 * duration, nine bytes of distance, kind, count of pools.
 */
static void checkpoints_overlap(struct writer *writer)
{
	int64_t size = 15, outer, before;

	sample_small(writer, 0);
	writer_end(writer);
	outer = (int64_t)writer_position(writer);
	before = writer->header.checkpoint_at - outer;
	writer->header.checkpoint_at = outer + size;
	writer_event(writer, EVENT_CHECKPOINT);
	make_values(&writer->buf,
		    VALUES(LONG(0), LONG(0), LONG(before), BYTE(0), COUNT(0)));
	make_values(&writer->buf, VALUES(COUNT(size), LONG(EVENT_CHECKPOINT), LONG(0),
					 LONG(0), LONG(-size), BYTE(0), COUNT(0)));
}

#define TYPE_ID(name) LONG(writer_type(writer, name))

/* A stall with a checkpoint in the middle that holds these values. */
static void with(struct writer *writer, const struct make_value *values)
{
	sample_checkpoint(writer, values);
	stall_end(writer);
}

static void count_huge(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer,
	     VALUES(COUNT(1), TYPE_ID(SYMBOL), COUNT(INT32_MAX), KEY(900), TEXT("x")));
}

static void count_negative(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer, VALUES(COUNT(1), TYPE_ID(SYMBOL), LONG(-1), KEY(900), TEXT("x")));
}

static void pools_huge(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer,
	     VALUES(COUNT(INT32_MAX), TYPE_ID(SYMBOL), COUNT(1), KEY(900), TEXT("x")));
}

static void pools_negative(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer, VALUES(LONG(-1), TYPE_ID(SYMBOL), COUNT(1), KEY(900), TEXT("x")));
}

static void no_pools(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer, VALUES(COUNT(0)));
}

static void slack(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer, VALUES(COUNT(1), TYPE_ID(SYMBOL), COUNT(1), KEY(900), TEXT("x"),
			    BYTES("slack")));
}

static void type_negative(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer, VALUES(COUNT(1), LONG(-5), COUNT(1), KEY(900), TEXT("x")));
}

static void of_events(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer, VALUES(COUNT(1), TYPE_ID("shop.Sale"), COUNT(1), KEY(1), LONG(1),
			    LONG(5), KEY(1), KEY(1), TEXT("sold"), DOUBLE(1), INT(1),
			    BOOLEAN(1), LONG(1)));
}

static void of_numbers(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer, VALUES(COUNT(1), TYPE_ID("long"), COUNT(2), KEY(1), LONG(42),
			    KEY(2), LONG(-1)));
}

static void array_huge(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer, VALUES(COUNT(1), TYPE_ID("jdk.types.StackTrace"), COUNT(1),
			    KEY(900), BOOLEAN(0), COUNT(INT32_MAX)));
}

static void array_negative(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer, VALUES(COUNT(1), TYPE_ID("jdk.types.StackTrace"), COUNT(1),
			    KEY(900), BOOLEAN(0), LONG(-1)));
}

/* A text of no known encoding: what stands behind it cannot be found. */
static void text(struct writer *writer)
{
	stall_open(writer, 0);
	with(writer, VALUES(COUNT(2), TYPE_ID(SYMBOL), COUNT(3), KEY(900), TEXT("good"),
			    KEY(901), BYTE(9), BYTES("abc"), KEY(902), TEXT("lost"),
			    TYPE_ID(STRING), COUNT(1), KEY(1), TEXT("lost as well")));
}

/* --- the chain from the newest checkpoint back to the oldest --- */

#define DELTA_WIDTH 9

/*
 * The newest checkpoint, with a new thread, says that the one before it is there. Gives
 * the place of the distance in the buffer.
 */
static size_t newest(struct writer *writer, int64_t before)
{
	int64_t at;
	size_t delta_at;

	writer_end(writer);
	at = (int64_t)writer_position(writer);
	writer->header.checkpoint_at = at;
	writer_event(writer, EVENT_CHECKPOINT);
	make_values(&writer->buf, VALUES(LONG(0), LONG(0)));
	delta_at = writer->buf.size;
	encode_padded(&writer->buf, (uint64_t)(before - at), DELTA_WIDTH);
	make_values(&writer->buf, VALUES(BYTE(0), COUNT(1), TYPE_ID("java.lang.Thread"),
					 COUNT(1), KEY(50), TEXT("new"), LONG(5),
					 TEXT("new"), LONG(5), KEY(0), BOOLEAN(false)));
	writer_end(writer);
	shop_sale(writer, writer->header.start_ticks, 5, 50, MAIN_STACK,
		  "by the new one");
	return delta_at;
}

static void chain_to_header(struct writer *writer)
{
	stall(writer, 0);
	newest(writer, 0);
}

static void chain_to_metadata(struct writer *writer)
{
	stall(writer, 0);
	newest(writer, HEADER_SIZE);
}

static void chain_to_event(struct writer *writer)
{
	stall(writer, 0);
	newest(writer, (int64_t)stall_place(&writer->buf, 0, STALL_SALES));
}

static void chain_to_middle(struct writer *writer)
{
	stall(writer, 0);
	newest(writer, writer->header.checkpoint_at + 5);
}

static void chain_huge(struct writer *writer)
{
	stall(writer, 0);
	newest(writer, INT64_MIN + 1000000);
}

/* Forward to a later checkpoint, which is whole. */
static void chain_forward(struct writer *writer)
{
	size_t delta_at;
	int64_t at, later;

	stall(writer, 0);
	delta_at = newest(writer, 0);
	at = writer->header.checkpoint_at;
	stall_constants(writer);
	later = writer->header.checkpoint_at;
	writer->header.checkpoint_at = at;
	encode_padded_at(writer->buf.bytes + delta_at, (uint64_t)(later - at),
			 DELTA_WIDTH);
}

/* It says that it is the first one, which it is not; and the zero takes nine bytes. */
static void chain_self(struct writer *writer)
{
	stall(writer, 0);
	writer_end(writer);
	newest(writer, (int64_t)writer_position(writer));
}

/* Two checkpoints, each of which says that the other one came before it. */
static void chain_cycle(struct writer *writer)
{
	size_t delta_at;
	int64_t at, later;

	stall(writer, 0);
	delta_at = newest(writer, 0);
	at = writer->header.checkpoint_at;
	newest(writer, at);
	later = writer->header.checkpoint_at;
	encode_padded_at(writer->buf.bytes + delta_at, (uint64_t)(later - at),
			 DELTA_WIDTH);
}

/* In a second chunk, back to the constants of the first. */
static void chain_before_chunk(struct writer *writer)
{
	int64_t first;

	stall(writer, 0);
	first = (int64_t)stall_place(&writer->buf, 0, STALL_CONSTANTS);
	sample_finish(writer);
	first -= (int64_t)writer->buf.size;
	stall(writer, 10);
	newest(writer, first);
}

/* --- what is changed in the bytes of a stall --- */

static void good(struct writer *writer)
{
	stall(writer, 0);
}

/* The header says that the newest checkpoint is there. */
static void newest_at(struct buf *bytes, size_t at)
{
	sample_put(bytes, AT(checkpoint_at), 8, at);
}

static void at_middle(struct buf *bytes)
{
	newest_at(bytes, stall_place(bytes, 0, STALL_HEADER) + 1);
}

static void at_metadata(struct buf *bytes)
{
	newest_at(bytes, stall_place(bytes, 0, STALL_METADATA));
}

static void at_event(struct buf *bytes)
{
	newest_at(bytes, stall_place(bytes, 0, STALL_MORE));
}

static void at_end(struct buf *bytes)
{
	newest_at(bytes, bytes->size);
}

static void at_oldest(struct buf *bytes)
{
	newest_at(bytes, stall_place(bytes, 0, STALL_CONSTANTS));
}

/* The constants' size; four bytes are there for it. */
static void constants_size(struct buf *bytes, uint64_t size)
{
	encode_padded_at(bytes->bytes + stall_place(bytes, 0, STALL_CONSTANTS), size,
			 4);
}

static void size_0(struct buf *bytes)
{
	constants_size(bytes, 0);
}

static void size_small(struct buf *bytes)
{
	constants_size(bytes, 60);
}

static void size_huge(struct buf *bytes)
{
	constants_size(bytes, 1 << 20);
}

const struct sample pool_samples[] = {
	{ "odd-empty-pool", .make = empty_pool },
	{ "odd-unknown-pool-type", .make = unknown_pool_type },
	{ "odd-checkpoint-empty", .make = no_pools },
	{ "odd-pool-of-events", .make = of_events },
	{ "odd-pool-of-numbers", .make = of_numbers },
	{ "bad-checkpoint", .make = checkpoint },
	{ "bad-checkpoints-overlap", .make = checkpoints_overlap },
	{ "bad-checkpoint-size-0", .make = good, .change = size_0 },
	{ "bad-checkpoint-size-small", .make = good, .change = size_small },
	{ "bad-checkpoint-size-huge", .make = good, .change = size_huge },
	{ "bad-pools-huge", .make = pools_huge },
	{ "bad-pools-negative", .make = pools_negative },
	{ "bad-pool-count-huge", .make = count_huge },
	{ "bad-pool-count-negative", .make = count_negative },
	{ "bad-pool-array-huge", .make = array_huge },
	{ "bad-pool-array-negative", .make = array_negative },
	{ "bad-pool-slack", .make = slack },
	{ "bad-pool-text", .make = text },
	{ "bad-pool-type-negative", .make = type_negative },
	{ "bad-chain-to-header", .make = chain_to_header },
	{ "bad-chain-to-metadata", .make = chain_to_metadata },
	{ "bad-chain-to-event", .make = chain_to_event },
	{ "bad-chain-to-middle", .make = chain_to_middle },
	{ "bad-chain-before-chunk", .make = chain_before_chunk },
	{ "bad-chain-forward", .make = chain_forward },
	{ "bad-chain-huge", .make = chain_huge },
	{ "bad-chain-self", .make = chain_self },
	{ "bad-chain-cycle", .make = chain_cycle },
	{ "bad-checkpoint-at-0", .make = good, PUT(checkpoint_at, 0) },
	{ "bad-checkpoint-at-negative", .make = good, PUT(checkpoint_at, -5) },
	{ "bad-checkpoint-at-huge", .make = good, PUT(checkpoint_at, INT64_MAX) },
	{ "bad-checkpoint-at-header", .make = good, PUT(checkpoint_at, 8) },
	{ "bad-checkpoint-at-middle", .make = good, .change = at_middle },
	{ "bad-checkpoint-at-metadata", .make = good, .change = at_metadata },
	{ "bad-checkpoint-at-event", .make = good, .change = at_event },
	{ "bad-checkpoint-at-oldest", .make = good, .change = at_oldest },
	{ "bad-checkpoint-at-end", .make = good, .change = at_end },
	{ .name = NULL },
};
