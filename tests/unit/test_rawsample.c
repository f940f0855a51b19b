#include <criterion/criterion.h>

#include "base/buf.h"
#include "jfr/encode.h"
#include "jfr/eventtypes.h"
#include "jfr/rawsample.h"

#define FRAMES 5

static const struct rawframe frames[FRAMES] = {
	{ UINT64_C(0x7f0012345678), 17, RAWFRAME_COMPILED },
	{ UINT64_C(0x7f0012345600), 0, RAWFRAME_INTERPRETED },
	{ 0, -1, RAWFRAME_UNKNOWN },
	{ UINT64_MAX, INT32_MAX, RAWFRAME_NATIVE },
	{ UINT64_C(1) << 63, INT32_MIN, RAWFRAME_NATIVE },
};

/* A whole event, as it lies in a lane. */
static struct buf event_of(const struct rawsample *sample, uint64_t type)
{
	char bytes[1000];
	char *at = encode_varint_at(bytes, type);
	struct buf event = { 0 };

	cr_assert_leq(rawsample_room(sample->count), sizeof(bytes));
	at = rawsample_put(at, sample, frames);
	encode_event(&event, bytes, (size_t)(at - bytes));
	cr_expect_leq(event.size, rawsample_room(sample->count));
	return event;
}

static void expect_same(struct rawsample sample)
{
	struct buf event = event_of(&sample, EVENT_RAW_SAMPLE);
	struct rawsample read;
	struct rawframe frame;

	cr_assert(rawsample_read(&read, event.bytes, event.size));
	cr_expect_eq(read.ticks, sample.ticks);
	cr_expect_eq(read.thread, sample.thread);
	cr_expect_eq(read.flags, sample.flags);
	cr_expect_eq(read.count, sample.count);
	cr_expect_eq(read.end, event.bytes + event.size);
	for (uint32_t i = 0; i < sample.count; i++) {
		cr_assert(rawsample_next(&read, &frame));
		cr_expect_eq(frame.method, frames[i].method);
		cr_expect_eq(frame.bytecode, frames[i].bytecode);
		cr_expect_eq(frame.type, frames[i].type);
	}
	cr_expect_not(rawsample_next(&read, &frame));
	buf_clear(&event);
}

Test(rawsample, is_of_a_native_method_or_a_thread_that_waits)
{
	cr_expect_not(rawsample_is_native(0));
	cr_expect_not(rawsample_is_native(RAWSAMPLE_TRUNCATED));
	cr_expect(rawsample_is_native(RAWSAMPLE_NATIVE));
	cr_expect(rawsample_is_native(RAWSAMPLE_BLOCKED | RAWSAMPLE_TRUNCATED));
	cr_expect(rawsample_is_native(RAWSAMPLE_BLOCKED | RAWSAMPLE_ENTERING));
	cr_expect(rawsample_is_native(RAWSAMPLE_NATIVE | RAWSAMPLE_BLOCKED));
}

Test(rawsample, reads_what_was_put)
{
	expect_same((struct rawsample){ .ticks = 123456789,
					.thread = 7,
					.flags = RAWSAMPLE_NATIVE,
					.count = 2 });
	expect_same((struct rawsample){ .count = 0 });
}

Test(rawsample, holds_the_largest_numbers)
{
	expect_same((struct rawsample){ .ticks = INT64_MIN,
					.thread = UINT64_MAX,
					.flags = UINT32_MAX,
					.count = FRAMES });
	expect_same((struct rawsample){ .ticks = INT64_MAX, .count = FRAMES });
}

Test(rawsample, takes_few_bytes_for_methods_that_are_near)
{
	struct buf event = event_of(&(struct rawsample){ .thread = 7, .count = 2 },
				    EVENT_RAW_SAMPLE);

	cr_expect_eq(event.size, 6 + (7 + 2) + (2 + 1), "%zu bytes", event.size);
	buf_clear(&event);
}

Test(rawsample, ends_where_its_size_says)
{
	struct buf event = event_of(&(struct rawsample){ .count = 1 },
				    EVENT_RAW_SAMPLE);
	size_t size = event.size;
	struct rawsample read;
	struct rawframe frame;

	buf_add(&event, "\1\1\1\1", 4);
	cr_assert(rawsample_read(&read, event.bytes, event.size));
	cr_expect_eq(read.end, event.bytes + size);
	cr_expect(rawsample_next(&read, &frame));
	cr_expect_not(rawsample_next(&read, &frame));
	buf_clear(&event);
}

/* Each shorter piece, in memory of its own, so that a sanitizer sees what is read. */
Test(rawsample, is_none_when_bytes_are_missing)
{
	struct buf event = event_of(&(struct rawsample){ .count = FRAMES },
				    EVENT_RAW_SAMPLE);
	struct rawsample read;

	for (size_t size = 0; size < event.size; size++) {
		struct buf piece = { 0 };

		buf_add(&piece, event.bytes, size);
		cr_expect_not(rawsample_read(&read, piece.bytes, size));
		buf_clear(&piece);
	}
	buf_clear(&event);
}

static bool is_read(const char *bytes, size_t size)
{
	struct rawsample read;

	return rawsample_read(&read, bytes, size);
}

Test(rawsample, is_none_of_another_type_or_size)
{
	struct buf other = event_of(&(struct rawsample){ .count = 1 }, EVENT_FIRST);

	cr_expect_not(is_read(other.bytes, other.size));
	cr_expect(is_read("\6\x62\1\2\3\0", 6));
	cr_expect_not(is_read("\7\x62\1\2\3\0", 6), "behind the end");
	cr_expect_not(is_read("\0\x62\1\2\3\0", 6), "smaller than its size");
	cr_expect_not(is_read("\5\x62\1\2\3\0", 6), "no count");
	cr_expect(is_read("\x08\x62\1\2\3\1\0\0", 8));
	cr_expect_not(is_read("\x08\x62\1\2\3\2\0\0", 8), "more frames than bytes");
	cr_expect_not(is_read("\x0e\x62\1\2\3\xff\xff\xff\xff\xff\xff\xff\xff\xff",
			      14));
	buf_clear(&other);
}

Test(rawsample, ends_at_a_frame_that_is_not_whole)
{
	struct rawsample read;
	struct rawframe frame;

	cr_assert(rawsample_read(&read, "\x0a\x62\1\2\3\2\0\0\0\xff", 10));
	cr_expect(rawsample_next(&read, &frame));
	cr_expect_not(rawsample_next(&read, &frame));
}
