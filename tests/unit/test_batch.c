#include <criterion/criterion.h>

#include "engine/batch.h"
#include "fault.h"

static void expect_bytes(const struct batch *batch, struct str expected)
{
	struct str bytes = { batch->buf.bytes, batch->buf.size };

	cr_expect(str_is(bytes, expected), "%zu bytes", bytes.size);
}

Test(batch, puts_the_size_in_front)
{
	struct batch batch = { 0 };

	batch_begin(&batch, EVENT_FIRST);
	encode_long(&batch.buf, 5);
	batch_end(&batch);
	batch_end(&batch);
	expect_bytes(&batch, STR("\x03\x64\x05"));
	cr_expect_eq(batch.events, 1);
	batch_begin(&batch, EVENT_FIRST);
	batch_begin(&batch, EVENT_FIRST);
	batch_end(&batch);
	expect_bytes(&batch, STR("\x03\x64\x05\x02\x64\x02\x64"));
	cr_expect_eq(batch.events, 3);
	batch_clear(&batch);
}

Test(batch, makes_room_for_the_size_of_large_events)
{
	struct batch batch = { 0 };

	batch_begin(&batch, EVENT_FIRST);
	buf_fill(&batch.buf, 'a', 125);
	batch_begin(&batch, EVENT_FIRST);
	buf_fill(&batch.buf, 'b', 126);
	batch_end(&batch);
	cr_assert_eq(batch.buf.size, 127 + 131);
	cr_expect_eq(memcmp(batch.buf.bytes, "\x7f\x64" "aa", 4), 0);
	cr_expect_eq(memcmp(batch.buf.bytes + 126, "a\x83\x81\x80\x00\x64" "b", 7), 0);
	cr_expect_eq(batch.buf.bytes[batch.buf.size - 1], 'b');
	batch_clear(&batch);
}

Test(batch, leaves_out_what_is_cancelled_or_too_large)
{
	struct batch batch = { 0 };

	batch_begin(&batch, EVENT_FIRST);
	batch_begin(&batch, EVENT_FIRST);
	encode_long(&batch.buf, 5);
	batch_cancel(&batch);
	batch_cancel(&batch);
	expect_bytes(&batch, STR("\x02\x64"));
	batch_begin(&batch, EVENT_FIRST);
	buf_fill(&batch.buf, 0, ENCODE_EVENT_MAX);
	batch_end(&batch);
	expect_bytes(&batch, STR("\x02\x64"));
	cr_expect_eq(batch.events, 1);
	cr_expect_not(batch.buf.failed);
	batch_clear(&batch);
}

Test(batch, counts_what_lanes_bring)
{
	struct batch batch = { 0 };
	char large[300] = "\xac\x02\x64";

	batch_begin(&batch, EVENT_FIRST);
	batch_add(&batch, "\x03\x64\x05\x83\x00\x64\x85\x80\x80\x00\x64", 11);
	cr_expect_eq(batch.events, 1 + 3);
	batch_add(&batch, large, sizeof(large));
	cr_expect_eq(batch.events, 1 + 3 + 1);
	cr_expect_eq(batch.buf.size, 2 + 11 + 300);
	batch_reset(&batch);
	cr_expect_eq(batch.events, 0);
	cr_expect_eq(batch.buf.size, 0);
	batch_clear(&batch);
}

Test(batch, remembers_that_memory_ran_out)
{
	struct batch batch = { 0 };

	fault_at(1);
	batch_begin(&batch, EVENT_FIRST);
	encode_long(&batch.buf, 5);
	batch_end(&batch);
	fault_at(0);
	cr_expect(batch.buf.failed);
	cr_expect_eq(batch.events, 0);
	batch_reset(&batch);
	batch_add(&batch, "\x02\x64", 2);
	cr_expect_not(batch.buf.failed);
	expect_bytes(&batch, STR("\x02\x64"));
	batch_clear(&batch);
}

/* Where the size is moved, the memory for it may be missing. */
Test(batch, remembers_that_memory_ran_out_at_the_end)
{
	struct batch batch = { .buf.limit = 129 };

	batch_begin(&batch, EVENT_FIRST);
	buf_fill(&batch.buf, 0, 127);
	batch_end(&batch);
	cr_expect(batch.buf.failed);
	cr_expect_eq(batch.events, 0);
	batch_clear(&batch);
}
