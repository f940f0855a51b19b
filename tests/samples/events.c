/*
 * events.c - an event of a stall that is damaged, or of a strange form.
 */
#include "shop.h"
#include "samples/stall.h"

static void event_size_0(struct writer *writer)
{
	sample_small(writer, 0);
	writer_end(writer);
	make_values(&writer->buf, VALUES(COUNT(0), COUNT(0), COUNT(0)));
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
}

static void event_too_short(struct writer *writer)
{
	sample_small(writer, 0);
	EVENT(writer, "shop.Sale", LONG(SHOP_TICK), LONG(5), KEY(1), KEY(1),
	      TEXT("half"));
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
}

static void string(struct writer *writer)
{
	sample_small(writer, 0);
	EVENT(writer, "shop.Sale", LONG(SHOP_TICK), LONG(5), KEY(1), KEY(1), BYTE(9),
	      BYTES("a string of no known encoding"));
	EVENT(writer, "shop.Sale", LONG(SHOP_TICK), LONG(5), KEY(1), KEY(1),
	      BYTE(STRING_UTF8), COUNT(INT32_MAX), BYTES("two gigabytes"));
	shop_sale(writer, SHOP_TICK + 300, 4000000, MAIN_THREAD, MAIN_STACK, "water");
}

/* A good sale after which something is changed; gives its place in the buffer. */
static size_t sale_to_change(struct writer *writer)
{
	size_t at;

	writer_end(writer);
	at = writer->buf.size;
	shop_sale(writer, SHOP_TICK, 4000000, MAIN_THREAD, MAIN_STACK, "water");
	return at;
}

/* Events whose size leads past the next one's beginning, or not as far. */
static void size_longer(struct writer *writer)
{
	size_t at;

	stall_open(writer, 0);
	at = sale_to_change(writer);
	writer->buf.bytes[at] += 3;
	stall_end(writer);
}

static void size_shorter(struct writer *writer)
{
	size_t at;

	stall_open(writer, 0);
	at = sale_to_change(writer);
	writer->buf.bytes[at] -= 3;
	stall_end(writer);
}

/* The last event of the chunk ends after the chunk. */
static void size_at_end(struct writer *writer)
{
	size_t at;

	stall(writer, 0);
	at = sale_to_change(writer);
	writer->buf.bytes[at] += 1;
}

/* An event, of the wrong size, that reaches over what `inside` writes. */
static void around(struct writer *writer, void (*inside)(struct writer *writer))
{
	size_t at;

	writer_end(writer);
	at = writer->buf.size;
	encode_padded(&writer->buf, 0, 4);
	make_values(&writer->buf, VALUES(LONG(writer_type(writer, "shop.Sale")),
					 LONG(SHOP_TICK), LONG(5), KEY(1), KEY(1)));
	inside(writer);
	writer_end(writer);
	encode_padded_at(writer->buf.bytes + at, writer->buf.size - at, 4);
}

static void over_metadata(struct writer *writer)
{
	stall_begin(writer, 0);
	stall_sales(writer, 0, 6);
	stall_constants(writer);
	around(writer, writer_metadata);
	stall_end(writer);
}

static void over_constants(struct writer *writer)
{
	stall_begin(writer, 0);
	writer_metadata(writer);
	stall_sales(writer, 0, 6);
	around(writer, stall_constants);
	stall_end(writer);
}

/* As when writing an event, a thread is interrupted and writes another. */
static void water(struct writer *writer)
{
	sale_to_change(writer);
	make_values(&writer->buf,
		    VALUES(TEXT("around"), DOUBLE(1), INT(1), BOOLEAN(0), LONG(7)));
}

static void nested(struct writer *writer)
{
	stall_open(writer, 0);
	around(writer, water);
	stall_end(writer);
}

/* The fields of a sale in front of its item, and behind it. */
#define FRONT LONG(SHOP_TICK), LONG(5), KEY(MAIN_THREAD), KEY(MAIN_STACK)
#define REST DOUBLE(1), INT(1), BOOLEAN(0), LONG(7)

#define ZERO_IN_9 "\x80\x80\x80\x80\x80\x80\x80\x80\x00"
#define ONE_IN_9 "\x81\x80\x80\x80\x80\x80\x80\x80\x00"

/* No type of a stall has this number. */
#define UNKNOWN 4242

const struct sample event_samples[] = {
	{ "bad-event-size-0", .make = event_size_0 },
	{ "bad-event-size-0-unknown", .raw = VALUES(COUNT(0), LONG(UNKNOWN)) },
	{ "bad-event-size-1", .raw = VALUES(COUNT(1)) },
	{ "bad-event-size-negative", .raw = VALUES(LONG(-100), LONG(UNKNOWN)) },
	{ "bad-event-size-huge", .raw = VALUES(LONG(INT64_MAX), LONG(UNKNOWN)) },
	{ "bad-event-size-beyond",
	  .raw = VALUES(COUNT(1 << 20), LONG(UNKNOWN), BYTE(5)) },
	{ "bad-event-size-overlong", .raw = VALUES(BYTES(ZERO_IN_9), LONG(UNKNOWN)) },
	{ "bad-event-size-longer", .make = size_longer },
	{ "bad-event-size-shorter", .make = size_shorter },
	{ "bad-event-size-at-end", .make = size_at_end },
	{ "bad-event-over-metadata", .make = over_metadata },
	{ "bad-event-over-constants", .make = over_constants },
	{ "bad-event-nested", .make = nested },
	{ "bad-event-type-negative", .raw = VALUES(COUNT(11), LONG(-7), BYTE(5)) },
	{ "bad-event-too-short", .make = event_too_short },
	{ "bad-event-no-fields", .sale = VALUES(BYTES("")) },
	{ "bad-string", .make = string },
	{ "bad-string-encoding", .sale = VALUES(FRONT, BYTE(9), BYTES("abc"), REST) },
	{ "bad-string-encoding-255",
	  .sale = VALUES(FRONT, BYTE(-1), BYTES("abc"), REST) },
	{ "bad-string-huge", .sale = VALUES(FRONT, BYTE(STRING_UTF8), COUNT(INT32_MAX),
					    BYTES("abc"), REST) },
	{ "bad-string-negative",
	  .sale = VALUES(FRONT, BYTE(STRING_UTF8), LONG(-1), BYTES("abc"), REST) },
	{ "bad-string-chars-huge",
	  .sale = VALUES(FRONT, BYTE(STRING_CHARS), COUNT(INT32_MAX), BYTES("abc"),
			 REST) },
	{ "bad-string-into-next",
	  .sale = VALUES(FRONT, BYTE(STRING_LATIN1), COUNT(20), BYTES("abc"), REST) },
	{ "odd-utf8",
	  .sale = VALUES(FRONT, BYTE(STRING_UTF8), COUNT(19),
			 BYTES("\xff \xc0\x80 \xed\xa0\xbd \xc3 \xf8\x88 \xe2\x82 ok"),
			 REST) },
	{ "odd-event-longer",
	  .sale = VALUES(FRONT, TEXT("tea"), REST, BYTES("extra bytes")) },
	{ "odd-varints", .sale = VALUES(LONG(SHOP_TICK), BYTES(ONE_IN_9),
					BYTES(ONE_IN_9), BYTES(ONE_IN_9), TEXT("tea"),
					DOUBLE(1), BYTES("\xff\xff\xff\xff\xff\x7f"),
					BYTE(2), BYTES("\x87\x00")) },
	{ .name = NULL },
};
