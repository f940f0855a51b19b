/*
 * damage.c - headers that are wrong, and files that are cut, spliced or overwritten.
 */
#include <string.h>

#include "shop.h"
#include "samples/stall.h"

/* --- what is whole at first --- */

/* Metadata in front, constants behind: what is cut off at the end hurts least. */
static void front(struct writer *writer, int64_t seconds)
{
	int64_t tick = SHOP_TICK + seconds * SHOP_SECOND;

	sample_begin(writer, shop_sale_types, seconds);
	writer_metadata(writer);
	for (int i = 0; i < 40; i++)
		shop_sale(writer, tick + 100 * i, 2000000, MAIN_THREAD, MAIN_STACK,
			  "tea");
	shop_constants(writer);
}

/* Forty sales. */
static void plain(struct writer *writer)
{
	front(writer, 0);
}

static void two_plain(struct writer *writer)
{
	front(writer, 0);
	sample_finish(writer);
	front(writer, 10);
}

static void three_small(struct writer *writer)
{
	for (int64_t seconds = 0; seconds <= 20; seconds += 10) {
		if (seconds)
			sample_finish(writer);
		sample_small(writer, seconds);
	}
}

static void one(struct writer *writer)
{
	stall(writer, 0);
}

static void closed(struct writer *writer)
{
	stall_closed(writer, 0);
}

/* Chunks with something between them. */
static void next_after(struct writer *writer, const struct make_value *between)
{
	sample_finish(writer);
	make_values(&writer->buf, between);
	stall(writer, writer->header.start_ticks / SHOP_SECOND + 9);
}

static void two(struct writer *writer)
{
	stall(writer, 0);
	next_after(writer, VALUES(BYTES("")));
}

static void three(struct writer *writer)
{
	two(writer);
	next_after(writer, VALUES(BYTES("")));
}

static void text_between(struct writer *writer)
{
	stall(writer, 0);
	next_after(writer, VALUES(BYTES("this is no chunk")));
}

static void zeros_between(struct writer *writer)
{
	stall(writer, 0);
	sample_finish(writer);
	buf_fill(&writer->buf, 0, 1000);
	stall(writer, 10);
}

/* Forty sales, then a good chunk. */
static void plain_then_good(struct writer *writer)
{
	front(writer, 0);
	next_after(writer, VALUES(BYTES("")));
}

/* Zero bytes between the last event and the metadata. */
static void zeros_before_metadata(struct writer *writer)
{
	stall_begin(writer, 0);
	stall_sales(writer, 0, 6);
	stall_constants(writer);
	stall_sales(writer, 6, 12);
	buf_fill(&writer->buf, 0, 100);
}

/* The chunk ends with zero bytes, which are its own. */
static void zeros_at_end(struct writer *writer)
{
	stall(writer, 0);
	writer_end(writer);
	buf_fill(&writer->buf, 0, 100);
}

static const struct schema_type break_types[] = {
	TYPE("shop.Break", EVENT_TYPE, FIELDS(START, THREAD)),
	TYPES_END,
};

/* The header points to the first of two metadata events, which lacks a type. */
static void stale_metadata(struct writer *writer)
{
	stall_open(writer, 0);
	writer_describe(writer, break_types);
	EVENT(writer, "shop.Break", LONG(SHOP_TICK), KEY(CLERK_THREAD));
	writer_metadata(writer);
	stall_end(writer);
	writer->header.metadata_at = HEADER_SIZE;
}

/* As async-profiler writes while it records: version 2.0, a gigabyte, no places yet. */
static void gigabyte(struct writer *writer)
{
	stall_begin(writer, 0);
	writer->header.minor = 0;
	writer_metadata(writer);
	stall_sales(writer, 0, 12);
	sample_finish(writer);
	sample_put(&writer->buf, AT(chunk_size), 8, 1 << 30);
	sample_put(&writer->buf, AT(metadata_at), 8, 0);
}

/* --- what is changed in the bytes --- */

static void cut_in_half(struct buf *bytes)
{
	bytes->size /= 2;
}

static void cut_the_end(struct buf *bytes)
{
	bytes->size -= bytes->size / 4;
}

static void no_bytes(struct buf *bytes)
{
	bytes->size = 0;
}

static void other_magic(struct buf *bytes)
{
	memcpy(bytes->bytes, "FLX", 3);
}

static void old_version(struct buf *bytes)
{
	memcpy(bytes->bytes + 4, "\0\0\0\x09", 4);
}

static void new_version(struct buf *bytes)
{
	memcpy(bytes->bytes + 4, "\0\3\0\0", 4);
}

static void size_0(struct buf *bytes)
{
	memset(bytes->bytes + 8, 0, 8);
}

/* The chunks are of one size: in the second one, the place of the metadata. */
static void no_metadata(struct buf *bytes)
{
	memset(bytes->bytes + bytes->size / 3 + 24, 0, 8);
}

static void more_bytes(struct buf *bytes)
{
	buf_text(bytes, "and something that is no chunk");
}

/* The file ends before this event of a stall, and then some bytes further. */
static void cut(struct buf *bytes, int number, size_t further)
{
	bytes->size = stall_place(bytes, 0, number) + further;
}

static void cut_in_metadata(struct buf *bytes)
{
	cut(bytes, STALL_METADATA, 300);
}

static void cut_in_sale(struct buf *bytes)
{
	cut(bytes, STALL_MORE + 3, 10);
}

static void cut_in_early_sale(struct buf *bytes)
{
	cut(bytes, STALL_SALES + 3, 10);
}

static void cut_at_event(struct buf *bytes)
{
	cut(bytes, STALL_MORE + 3, 0);
}

static void cut_in_constants(struct buf *bytes)
{
	cut(bytes, STALL_CONSTANTS, 100);
}

static void cut_before_metadata(struct buf *bytes)
{
	cut(bytes, CLOSED_METADATA, 0);
}

static void cut_last_byte(struct buf *bytes)
{
	bytes->size--;
}

static void cut_size_0(struct buf *bytes)
{
	cut_in_sale(bytes);
	size_0(bytes);
}

/* Takes bytes out of the middle. */
static void take(struct buf *bytes, size_t at, size_t size)
{
	memmove(bytes->bytes + at, bytes->bytes + at + size, bytes->size - at - size);
	bytes->size -= size;
}

/* The second chunk ends in its sales, or in its metadata, and the next one follows. */
static void cut_second(struct buf *bytes)
{
	size_t second = stall_next(bytes, 0), third = stall_next(bytes, second);
	size_t at = stall_place(bytes, second, STALL_MORE + 3) + 10;

	take(bytes, at, third - at);
}

static void cut_second_metadata(struct buf *bytes)
{
	size_t second = stall_next(bytes, 0), third = stall_next(bytes, second);

	take(bytes, second + 300, third - second - 300);
}

static void cut_second_header(struct buf *bytes)
{
	size_t second = stall_next(bytes, 0), third = stall_next(bytes, second);

	take(bytes, second + 40, third - second - 40);
}

static void hole(struct buf *bytes)
{
	take(bytes, stall_place(bytes, 0, STALL_SALES + 10) + 7, 300);
}

static void hole_before_metadata(struct buf *bytes)
{
	take(bytes, stall_place(bytes, 0, STALL_SALES + 2) + 7, 60);
}

static void zeros(struct buf *bytes, size_t at, size_t size)
{
	memset(bytes->bytes + at, 0, size);
}

static void zeros_over_events(struct buf *bytes)
{
	zeros(bytes, stall_place(bytes, 0, STALL_SALES + 10) + 7, 512);
}

static void zeros_over_metadata(struct buf *bytes)
{
	zeros(bytes, stall_place(bytes, 0, STALL_METADATA) + 100, 512);
}

static void zeros_over_constants(struct buf *bytes)
{
	zeros(bytes, stall_place(bytes, 0, STALL_CONSTANTS) - 20, 512);
}

static void zeros_over_header(struct buf *bytes)
{
	zeros(bytes, 0, HEADER_SIZE);
}

static void zeros_over_second_header(struct buf *bytes)
{
	zeros(bytes, stall_next(bytes, 0), HEADER_SIZE);
}

/* Puts bytes in front of all. */
static void in_front(struct buf *bytes, const void *junk, size_t size)
{
	size_t before = bytes->size;

	buf_fill(bytes, 0, size);
	memmove(bytes->bytes + size, bytes->bytes, before);
	memcpy(bytes->bytes, junk, size);
}

static void text_in_front(struct buf *bytes)
{
	static const char text[] =
		"HTTP/1.1 200 OK\r\nContent-Type: application/jfr\r\n\r\n";

	in_front(bytes, text, sizeof(text) - 1);
}

/* As a transfer of text makes of it: each line ends with two bytes. */
static void text_mode(struct buf *bytes)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < bytes->size; i++) {
		if (bytes->bytes[i] == '\n')
			buf_byte(&text, '\r');
		buf_byte(&text, bytes->bytes[i]);
	}
	buf_clear(bytes);
	*bytes = text;
}

static void three_bytes(struct buf *bytes)
{
	buf_text(bytes, "xyz");
}

static void zeros_behind(struct buf *bytes)
{
	buf_fill(bytes, 0, 4096);
}

/* The header once more: all of it, or the first forty bytes. */
static void add_header(struct buf *bytes, size_t size)
{
	char header[HEADER_SIZE];

	memcpy(header, bytes->bytes, sizeof(header));
	buf_add(bytes, header, size);
}

static void part_of_header(struct buf *bytes)
{
	add_header(bytes, 40);
}

static void then_size_0(struct buf *bytes)
{
	size_t at = bytes->size;

	add_header(bytes, HEADER_SIZE);
	sample_put(bytes, at + AT(chunk_size), 8, 0);
}

static void second_magic(struct buf *bytes)
{
	memcpy(bytes->bytes + stall_next(bytes, 0), "FLX", 3);
}

/* Makes the first chunk's size that much larger. */
static void add_to_size(struct buf *bytes, int64_t more)
{
	sample_put(bytes, AT(chunk_size), 8, stall_next(bytes, 0) + (uint64_t)more);
}

static void size_more(struct buf *bytes)
{
	add_to_size(bytes, 10);
}

static void size_less(struct buf *bytes)
{
	add_to_size(bytes, -10);
}

/* The header says that the metadata is there. */
static void metadata_at(struct buf *bytes, size_t at)
{
	sample_put(bytes, AT(metadata_at), 8, at);
}

static void at_middle(struct buf *bytes)
{
	metadata_at(bytes, HEADER_SIZE + 1);
}

static void at_event(struct buf *bytes)
{
	metadata_at(bytes, stall_place(bytes, 0, STALL_SALES));
}

static void at_checkpoint(struct buf *bytes)
{
	metadata_at(bytes, stall_place(bytes, 0, STALL_CONSTANTS));
}

static void at_end(struct buf *bytes)
{
	metadata_at(bytes, bytes->size);
}

static void places_0(struct buf *bytes)
{
	metadata_at(bytes, 0);
	sample_put(bytes, AT(checkpoint_at), 8, 0);
}

/* The size of the metadata event; four bytes are there for it. */
static void metadata_size(struct buf *bytes, uint64_t size)
{
	encode_padded_at(bytes->bytes + HEADER_SIZE, size, 4);
}

static void metadata_size_0(struct buf *bytes)
{
	metadata_size(bytes, 0);
}

static void metadata_size_small(struct buf *bytes)
{
	metadata_size(bytes, 300);
}

static void metadata_size_huge(struct buf *bytes)
{
	metadata_size(bytes, 1 << 20);
}

const struct sample damage_samples[] = {
	{ "bad-empty", .make = plain, .change = no_bytes },
	{ "bad-cut-at-4", .make = one, .cut = 4 },
	{ "bad-cut-at-7", .make = one, .cut = 7 },
	{ "bad-cut-at-8", .make = one, .cut = 8 },
	{ "bad-cut-at-40", .make = one, .cut = 40 },
	{ "bad-cut-at-67", .make = one, .cut = 67 },
	{ "bad-cut-at-68", .make = one, .cut = 68 },
	{ "bad-cut-in-metadata", .make = one, .change = cut_in_metadata },
	{ "bad-cut-before-metadata", .make = closed, .change = cut_before_metadata },
	{ "bad-cut-before-constants", .make = one, .change = cut_in_early_sale },
	{ "bad-cut-in-constants", .make = one, .change = cut_in_constants },
	{ "bad-cut-in-event", .make = one, .change = cut_in_sale },
	{ "bad-cut-at-event", .make = one, .change = cut_at_event },
	{ "bad-cut-last-byte", .make = one, .change = cut_last_byte },
	{ "bad-cut-size-0", .make = one, .change = cut_size_0 },
	{ "bad-truncated", .make = plain, .change = cut_in_half },
	{ "bad-gigabyte", .make = gigabyte },

	{ "bad-magic", .make = plain, .change = other_magic },
	{ "bad-version-0.9", .make = plain, .change = old_version },
	{ "bad-version-3.0", .make = one, .change = new_version },
	{ "odd-version-1.1", .make = one, PUT(major, 1) },
	{ "odd-version-2.9", .make = one, PUT(minor, 9) },

	{ "bad-chunk-size-0", .make = plain, .change = size_0 },
	{ "bad-chunk-size-1", .make = one, PUT(chunk_size, 1) },
	{ "bad-chunk-size-68", .make = one, PUT(chunk_size, HEADER_SIZE) },
	{ "bad-chunk-size-negative", .make = one, PUT(chunk_size, -1) },
	{ "bad-chunk-size-min", .make = one, PUT(chunk_size, INT64_MIN) },
	{ "bad-chunk-size-less", .make = one, .change = size_less },
	{ "bad-chunk-size-more", .make = one, .change = size_more },
	{ "bad-chunk-size-huge", .make = one, PUT(chunk_size, INT64_C(1) << 62) },
	{ "bad-chunk-size-max", .make = one, PUT(chunk_size, INT64_MAX) },
	{ "bad-first-size-0", .make = two, PUT(chunk_size, 0) },
	{ "bad-first-size-less", .make = two, .change = size_less },
	{ "bad-first-size-more", .make = two, .change = size_more },
	{ "bad-first-size-huge", .make = two, PUT(chunk_size, INT64_C(1) << 62) },

	{ "bad-metadata-at-0", .make = one, PUT(metadata_at, 0) },
	{ "bad-metadata-at-negative", .make = one, PUT(metadata_at, -5) },
	{ "bad-metadata-at-huge", .make = one, PUT(metadata_at, INT64_MAX) },
	{ "bad-metadata-at-header", .make = one, PUT(metadata_at, 8) },
	{ "bad-metadata-at-middle", .make = one, .change = at_middle },
	{ "bad-metadata-at-event", .make = one, .change = at_event },
	{ "bad-metadata-at-checkpoint", .make = one, .change = at_checkpoint },
	{ "bad-metadata-at-end", .make = one, .change = at_end },
	{ "bad-metadata-stale", .make = stale_metadata },
	{ "bad-metadata-size-0", .make = one, .change = metadata_size_0 },
	{ "bad-metadata-size-small", .make = one, .change = metadata_size_small },
	{ "bad-metadata-size-huge", .make = one, .change = metadata_size_huge },
	{ "bad-places-0", .make = closed, .change = places_0 },

	{ "bad-frequency-0", .make = one, PUT(ticks_per_second, 0) },
	{ "bad-frequency-negative", .make = one, PUT(ticks_per_second, -SHOP_SECOND) },
	{ "odd-start-nanos-min", .make = one, PUT(start_nanos, INT64_MIN) },
	{ "odd-start-nanos-max", .make = one, PUT(start_nanos, INT64_MAX) },
	{ "odd-start-ticks-huge", .make = one, PUT(start_ticks, SHOP_NANOS) },
	{ "odd-start-ticks-0", .make = one, PUT(start_ticks, 0) },
	{ "odd-duration-negative", .make = one, PUT(duration_nanos, -1) },
	{ "odd-flags-none", .make = one, PUT(flags, 0) },
	{ "odd-flags-all", .make = one, PUT(flags, 0xffff) },

	{ "bad-trailing-bytes", .make = plain, .change = more_bytes },
	{ "bad-trailing-3-bytes", .make = one, .change = three_bytes },
	{ "bad-trailing-zeros", .make = one, .change = zeros_behind },
	{ "bad-trailing-header", .make = one, .change = part_of_header },
	{ "bad-trailing-size-0", .make = one, .change = then_size_0 },
	{ "bad-text-in-front", .make = one, .change = text_in_front },
	{ "bad-text-between", .make = text_between },
	{ "bad-zeros-between", .make = zeros_between },
	{ "bad-zeros-before-metadata", .make = zeros_before_metadata },
	{ "bad-zeros-at-end", .make = zeros_at_end },

	{ "bad-second-chunk", .make = two_plain, .change = cut_the_end },
	{ "bad-second-magic", .make = three, .change = second_magic },
	{ "bad-second-zeros", .make = three, .change = zeros_over_second_header },
	{ "bad-second-cut", .make = three, .change = cut_second },
	{ "bad-second-cut-metadata", .make = three, .change = cut_second_metadata },
	{ "bad-second-cut-header", .make = three, .change = cut_second_header },
	{ "bad-chunk-between", .make = three_small, .change = no_metadata },

	{ "bad-hole", .make = plain, .change = hole },
	{ "bad-hole-then-good", .make = plain_then_good, .change = hole },
	{ "bad-hole-before-metadata", .make = closed, .change = hole_before_metadata },
	{ "bad-zeros-over-events", .make = plain, .change = zeros_over_events },
	{ "bad-zeros-over-metadata", .make = one, .change = zeros_over_metadata },
	{ "bad-zeros-over-constants", .make = one, .change = zeros_over_constants },
	{ "bad-zeros-over-header", .make = one, .change = zeros_over_header },
	{ "bad-text-mode", .make = closed, .change = text_mode },
	{ .name = NULL },
};
