#include <criterion/criterion.h>

#include "engine/emit.h"
#include "fault.h"
#include "jfr/cursor.h"

static struct store store;
static struct lane *lane;

static void open_store(void)
{
	cr_assert(store_open(&store, NULL, 40000, 1 << 20, NULL));
	lane = store_lane(&store);
	cr_assert_not_null(lane);
}

static void close_store(void)
{
	store_close(&store);
}

TestSuite(emit, .init = open_store, .fini = close_store);

static bool collect(void *context, uint64_t number, const char *bytes, size_t size)
{
	(void)number;
	buf_add(context, bytes, size);
	return true;
}

static void expect_told(struct str expected)
{
	struct buf told = { 0 };

	cr_expect(store_drain(&store, collect, &told));
	cr_expect(str_is((struct str){ told.bytes, told.size }, expected),
		  "%zu bytes, not %zu", told.size, expected.size);
	buf_clear(&told);
}

static void expect_lost(uint64_t expected)
{
	uint64_t events, bytes;

	store_lost(&store, &events, &bytes);
	cr_expect_eq(events, expected);
}

Test(emit, is_written_as_in_a_chunk)
{
	struct emit event;

	cr_assert(emit_begin(&event, lane, EVENT_FIRST, EMIT_ROOM(6)));
	emit_long(&event, -1);
	emit_long(&event, 300);
	emit_int(&event, -1);
	emit_long(&event, 1);
	emit_float(&event, 1.0f);
	emit_string(&event, STR("tea"));
	cr_expect(emit_commit(&event));
	expect_told(STR("\x1c\x64"
			"\xff\xff\xff\xff\xff\xff\xff\xff\xff"
			"\xac\x02"
			"\xff\xff\xff\xff\x0f"
			"\x01"
			"\x3f\x80\x00\x00"
			"\x03\x03tea"));
}

static void write_string(struct str text, size_t room)
{
	struct emit event;

	cr_assert(emit_begin(&event, lane, EVENT_FIRST, room));
	emit_string(&event, text);
	emit_commit(&event);
}

Test(emit, has_strings_as_chunks_have_them)
{
	write_string((struct str){ 0 }, EMIT_ROOM(1));
	write_string(STR(""), EMIT_ROOM(1));
	write_string(STR("\xc3\xa9"), EMIT_ROOM(1));
	write_string(STR("\xed\xa0\xbd"), EMIT_ROOM(1));
	expect_told(STR("\x03\x64\x00"
			"\x03\x64\x01"
			"\x06\x64\x03\x02\xc3\xa9"
			"\x07\x64\x04\x01\xbd\xb0\x03"));
}

Test(emit, has_a_size_as_wide_as_the_room_may_need)
{
	struct emit event;

	cr_assert(emit_begin(&event, lane, EVENT_FIRST, 127));
	emit_commit(&event);
	cr_assert(emit_begin(&event, lane, EVENT_FIRST, 128));
	emit_commit(&event);
	cr_assert(emit_begin(&event, lane, EVENT_FIRST, 16383));
	emit_commit(&event);
	cr_assert(emit_begin(&event, lane, EVENT_FIRST, 16384));
	emit_commit(&event);
	expect_told(STR("\x02\x64"
			"\x83\x00\x64"
			"\x83\x00\x64"
			"\x85\x80\x80\x00\x64"));
}

/* Room for exactly what is written, in the last bytes of a slot as well. */
Test(emit, may_fill_its_room)
{
	struct emit event;

	cr_assert(emit_begin(&event, lane, EVENT_FIRST, 2 + 9 + 4));
	emit_long(&event, -1);
	emit_float(&event, 0);
	cr_expect(emit_commit(&event));
	cr_assert(emit_begin(&event, lane, EVENT_FIRST, 2 + 2 + 3));
	emit_string(&event, STR("tea"));
	cr_expect_eq(event.at, event.limit);
	cr_expect(emit_commit(&event));
	expect_lost(0);
	lane->at = lane->limit - 2 - 2 - 3;
	cr_assert(emit_begin(&event, lane, EVENT_FIRST, 2 + 2 + 3));
	emit_string(&event, STR("tea"));
	cr_expect(emit_commit(&event));
	cr_expect_eq(lane->at, (char *)lane->limit);
}

Test(emit, is_lost_when_it_needs_more_than_its_room)
{
	struct emit event;
	char text[200] = { 0 };

	cr_assert(emit_begin(&event, lane, EVENT_FIRST, 2 + 8));
	emit_long(&event, -1);
	emit_long(&event, 1);
	emit_float(&event, 1);
	emit_string(&event, STR("tea"));
	cr_expect_not(emit_commit(&event));
	cr_assert(emit_begin(&event, lane, EVENT_FIRST, 2 + 3));
	emit_float(&event, 1);
	cr_expect_not(emit_commit(&event));
	for (size_t size = 1; size < sizeof(text); size++) {
		cr_assert(emit_begin(&event, lane, EVENT_FIRST, 3));
		emit_string(&event, (struct str){ text, size });
		cr_expect_not(emit_commit(&event));
	}
	expect_lost(2 + 199);
	expect_told(STR(""));
}

Test(emit, is_lost_when_no_slot_can_hold_it)
{
	struct emit event;

	cr_expect_not(emit_begin(&event, lane, EVENT_FIRST, 40960));
	expect_lost(1);
	cr_expect_not(emit_begin(&event, NULL, EVENT_FIRST, 10));
	expect_lost(1);
}

/* It is written by signal handlers. */
Test(emit, takes_no_memory)
{
	struct emit event;
	char text[2000];

	memset(text, 'x', sizeof(text));
	fault_at(1);
	for (int i = 0; i < 1000; i++) {
		if (!emit_begin(&event, lane, EVENT_FIRST, EMIT_ROOM(1) + 1000))
			continue;
		emit_string(&event, (struct str){ text, (size_t)i * 2 });
		emit_commit(&event);
	}
	write_string(STR("\xed\xa0\xbd"), EMIT_ROOM(1));
	cr_expect_eq(fault_count(), 0);
	fault_at(0);
}
