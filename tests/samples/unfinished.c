/*
 * unfinished.c - chunks that nobody closed: the JVM still runs, or was killed.
 */
#include "shop.h"
#include "samples/stall.h"

/* --- chunks that were flushed, and what came after --- */

/* A chunk as it is while the JVM runs: something behind what the header tells of. */
static void unfinished(struct writer *writer)
{
	sample_small(writer, 0);
	sample_flush(writer);
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
	sample_kill(writer);
}

/* Six sales were flushed, six were not. */
static void with_tail(struct writer *writer, int64_t seconds)
{
	stall_open(writer, seconds);
	stall_header(writer);
	sample_flush(writer);
	stall_sales(writer, 6, 12);
	sample_kill(writer);
}

static void tail(struct writer *writer)
{
	with_tail(writer, 0);
}

static void tail_zeros(struct writer *writer)
{
	with_tail(writer, 0);
	buf_fill(&writer->buf, 0, 1000);
}

static const struct schema_type late_types[] = {
	TYPE("shop.Refund", EVENT_TYPE,
	     FIELDS(START, THREAD, FIELD("item", STRING), FIELD("reason", STRING))),
	TYPES_END,
};

static void refund(struct writer *writer)
{
	EVENT(writer, "shop.Refund", LONG(writer->header.start_ticks + 5 * SHOP_SECOND),
	      KEY(CLERK_THREAD), TEXT("figs"), TEXT("stale"));
}

/* The tail has a type, a thread and a stack trace of its own. */
static void tail_constants(struct writer *writer)
{
	stall_open(writer, 0);
	stall_header(writer);
	sample_flush(writer);
	writer_describe(writer, late_types);
	refund(writer);
	shop_sale(writer, SHOP_TICK, 5, 50, 50, "by a new thread");
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, 50, TEXT("new"), LONG(5), TEXT("new"), LONG(5),
		 KEY(MAIN_GROUP), BOOLEAN(false));
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, 50, BOOLEAN(false), COUNT(1), KEY(RUN_METHOD), INT(77), INT(0),
		 KEY(0));
	writer_metadata(writer);
	stall_sales(writer, 6, 12);
	sample_kill(writer);
}

/* In the middle of a file: a good chunk comes behind the tail. */
static void tail_then_good(struct writer *writer)
{
	with_tail(writer, 0);
	stall(writer, 10);
}

/* As assemble makes of a repository: a good chunk, and one with a tail. */
static void assembled(struct writer *writer)
{
	stall(writer, 0);
	sample_finish(writer);
	with_tail(writer, 10);
}

/*
 * The header while it is being written: the state says so, the newest checkpoint is the
 * new one, size and metadata are still the old ones.
 */
static void torn(struct writer *writer)
{
	struct header header;

	with_tail(writer, 0);
	header = writer->header;
	stall_header(writer);
	sample_put(&writer->buf, AT(checkpoint_at), 8,
		   (uint64_t)writer->header.checkpoint_at);
	sample_put(&writer->buf, AT(chunk_size), 8, (uint64_t)header.chunk_size);
}

/* --- chunks that were never flushed: the header has a size of 68, and no places --- */

static void begun(struct writer *writer)
{
	stall_begin(writer, 0);
	sample_kill(writer);
}

static void unflushed(struct writer *writer)
{
	stall_closed(writer, 0);
	sample_kill(writer);
}

static void without_metadata(struct writer *writer, int64_t seconds)
{
	stall_begin(writer, seconds);
	stall_threads(writer);
	stall_sales(writer, 0, 6);
	stall_constants(writer);
	stall_sales(writer, 6, 12);
	sample_kill(writer);
}

static void no_metadata(struct writer *writer)
{
	without_metadata(writer, 0);
}

/* The chunk before it has the types that it needs. */
static void no_metadata_at_end(struct writer *writer)
{
	stall(writer, 0);
	sample_finish(writer);
	without_metadata(writer, 10);
}

/* Version 2.0 has no state that could tell. */
static void unflushed_v2(struct writer *writer)
{
	unflushed(writer);
	sample_put(&writer->buf, AT(minor), 2, 0);
	sample_put(&writer->buf, AT(state), 1, 0);
}

/* As after a crash: closed in a hurry, the newest type was not written any more. */
static void crash(struct writer *writer)
{
	stall_open(writer, 0);
	writer_describe(writer, late_types);
	refund(writer);
	shop_sale(writer, SHOP_TICK, 5, 50, 50, "by a thread that was lost");
	writer_end(writer);
	writer->described = writer->schema.version;
	stall_end(writer);
}

/* --- finished chunks whose state says something else --- */

static void good(struct writer *writer)
{
	stall(writer, 0);
}

static void good_twice(struct writer *writer)
{
	stall(writer, 0);
	sample_finish(writer);
	stall(writer, 10);
}

static void good_v2(struct writer *writer)
{
	sample_small(writer, 0);
	writer->header.minor = 0;
}

/* The header is lost, but for the copy at the end. */
static void no_header(struct buf *bytes)
{
	memset(bytes->bytes, 0xee, HEADER_SIZE);
}

static void last_ten_bytes(struct buf *bytes)
{
	bytes->size -= 10;
}

/* --- repositories: a folder for each JVM, a file for each chunk --- */

static void second_10(struct writer *writer)
{
	stall_closed(writer, 10);
}

static void second_20(struct writer *writer)
{
	stall_closed(writer, 20);
}

static void no_metadata_30(struct writer *writer)
{
	without_metadata(writer, 30);
}

/* From the 1st of May to the 27th of October 2024, 0:59:50 UTC. */
#define AUTUMN (INT64_C(1729990790) - SHOP_NANOS / SHOP_SECOND)

static void before_autumn(struct writer *writer)
{
	stall_closed(writer, AUTUMN);
}

static void after_autumn(struct writer *writer)
{
	stall_closed(writer, AUTUMN + 10);
}

const struct sample unfinished_samples[] = {
	{ "odd-unfinished", .make = unfinished },
	{ "odd-tail", .make = tail },
	{ "odd-tail-cut", .make = tail, .change = last_ten_bytes },
	{ "odd-tail-zeros", .make = tail_zeros },
	{ "odd-tail-constants", .make = tail_constants },
	{ "odd-tail-then-good", .make = tail_then_good },
	{ "odd-assembled", .make = assembled },
	{ "odd-just-begun", .make = begun },
	{ "odd-unflushed", .make = unflushed },
	{ "odd-state-1", .make = good, PUT(state, 1) },
	{ "odd-state-5", .make = good, PUT(state, 5) },
	{ "odd-state-5-then-good", .make = good_twice, PUT(state, 5) },
	{ "odd-state-in-v2", .make = good_v2, PUT(state, 5) },
	{ "bad-state-255", .make = good, PUT(state, 255) },
	{ "bad-header-torn", .make = torn, PUT(state, 255) },
	{ "bad-header-lost", .make = good, .change = no_header },
	{ "bad-header-only", .make = begun, PUT(state, 0) },
	{ "bad-header-size-0", .make = begun, PUT(chunk_size, 0) },
	{ "bad-unflushed-v2", .make = unflushed_v2 },
	{ "bad-no-metadata", .make = no_metadata },
	{ "bad-no-metadata-at-end", .make = no_metadata_at_end },
	{ "bad-crash-dump", .make = crash },

	{ "repository/2024_05_01_10_00_00", .make = good },
	{ "repository/2024_05_01_10_00_10", .make = second_10 },
	{ "repository/2024_05_01_10_00_10_01", .make = second_20 },
	{ "repository/2024_05_01_10_00_30", .make = no_metadata_30 },
	{ "repository-gap/2024_05_01_10_00_00", .make = no_metadata },
	{ "repository-gap/2024_05_01_10_00_10", .make = second_10 },
	{ "repository-autumn/2024_10_27_02_59_50", .make = before_autumn },
	{ "repository-autumn/2024_10_27_02_00_00", .make = after_autumn },
	{ "repository-closed/2024_05_01_10_00_00", .make = good },
	{ "repository-closed/2024_05_01_10_00_10", .make = second_10 },
	{ "repository-damaged/2024_05_01_10_00_00", .make = good, .cut = 3000 },
	{ "repository-damaged/2024_05_01_10_00_10", .make = second_10 },
	{ "repository-13/2024_05_01_10_00_00", .make = good },
	{ "repository-13/2024_05_01_10_00_30.part", .make = no_metadata_30 },
	{ .name = NULL },
};
