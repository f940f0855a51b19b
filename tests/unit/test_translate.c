#include <criterion/criterion.h>

#include "engine/samples.h"
#include "engine/threadname.h"
#include "fault.h"
#include "jfr/cursor.h"
#include "jfr/rawsample.h"
#include "unit/bareconstants.h"

TestSuite(translate, .init = bareconstants_open,
	  .fini = bareconstants_close);

/* Method 1000 waits, and 2000 is native. */
static struct method_place name_method(void *context, uint64_t id, int32_t bytecode)
{
	struct method_place place = { .method = id + 1, .line = bytecode * 10 };

	++*(int *)context;
	place.is_native = id == 2000;
	if (id == 1000)
		place.waiting = STR("STATE_PARKED");
	return place;
}

static uint64_t name_thread(void *context, uint64_t number)
{
	(void)context;
	return number * 2;
}

static int named;
static const struct namer namer = { &named, name_method, name_thread };

/* A raw sample of one frame, appended. */
static void add_sample(struct buf *to, unsigned flags, uint64_t method, uint8_t type)
{
	struct rawframe frame = { method, 3, type };
	struct rawsample sample = { .ticks = 50, .thread = 4, .flags = flags, .count = 1 };
	char bytes[200], *at = encode_varint_at(bytes, EVENT_RAW_SAMPLE);

	at = rawsample_put(at, &sample, &frame);
	encode_event(to, bytes, (size_t)(at - bytes));
}

/* An event as it comes of that sample. */
struct made_event {
	uint64_t type, ticks, thread, stack, state;
};

static struct made_event read_event(struct cursor *cursor)
{
	struct made_event event;

	cursor_varint(cursor);
	event.type = cursor_varint(cursor);
	event.ticks = cursor_varint(cursor);
	event.thread = cursor_varint(cursor);
	event.stack = cursor_varint(cursor);
	event.state = cursor_varint(cursor);
	cr_assert_not(cursor->bad);
	return event;
}

static uint64_t stack_of(uint64_t method, bool is_native, bool is_truncated,
			 const char *type)
{
	struct method_place place = { .method = method, .line = 30,
				      .is_native = is_native };
	struct buf stack = { 0 };
	uint64_t key;

	stack_begin(&stack, is_truncated, 1);
	stack_frame(&stack, constants, &place, 3,
		    constants_string(constants, POOL_FRAME_TYPE, str_of(type)));
	key = stack_end(&stack, constants);
	buf_clear(&stack);
	return key;
}

static void expect_event(struct cursor *cursor, struct made_event wanted,
			 const char *state)
{
	struct made_event event = read_event(cursor);

	cr_expect_eq(event.type, wanted.type);
	cr_expect_eq(event.ticks, 50);
	cr_expect_eq(event.thread, 8);
	cr_expect_eq(event.stack, wanted.stack);
	cr_expect_eq(event.state, constants_string(constants, POOL_THREAD_STATE,
						   str_of(state)));
}

Test(translate, makes_events_of_samples)
{
	static const unsigned entering = RAWSAMPLE_BLOCKED | RAWSAMPLE_ENTERING;
	struct batch batch = { 0 };
	struct buf raw = { 0 };
	struct cursor cursor;

	add_sample(&raw, 0, 10, RAWFRAME_COMPILED);
	add_sample(&raw, RAWSAMPLE_TRUNCATED, 10, RAWFRAME_INTERPRETED);
	add_sample(&raw, RAWSAMPLE_NATIVE, 2000, RAWFRAME_UNKNOWN);
	add_sample(&raw, RAWSAMPLE_BLOCKED, 1000, RAWFRAME_COMPILED);
	add_sample(&raw, RAWSAMPLE_BLOCKED, 10, RAWFRAME_COMPILED);
	add_sample(&raw, entering, 1000, RAWFRAME_COMPILED);
	samples_translate(constants, &namer, &batch, raw.bytes, raw.size);
	cr_assert_eq(batch.events, 6);
	cr_expect_eq(named, 6);
#define SAMPLE(stack_) (struct made_event){ .type = EVENT_EXECUTION_SAMPLE, .stack = stack_ }
#define NATIVE(stack_) \
	(struct made_event){ .type = EVENT_NATIVE_METHOD_SAMPLE, .stack = stack_ }
	cursor = cursor_of((const unsigned char *)batch.buf.bytes, batch.buf.size);
	expect_event(&cursor, SAMPLE(stack_of(11, false, false, "JIT compiled")),
		     "STATE_RUNNABLE");
	expect_event(&cursor, SAMPLE(stack_of(11, false, true, "Interpreted")),
		     "STATE_RUNNABLE");
	expect_event(&cursor, NATIVE(stack_of(2001, true, false, "Native")),
		     "STATE_RUNNABLE");
	expect_event(&cursor, NATIVE(stack_of(1001, false, false, "JIT compiled")),
		     "STATE_PARKED");
	expect_event(&cursor, NATIVE(stack_of(11, false, false, "JIT compiled")),
		     "STATE_SLEEPING");
	expect_event(&cursor, NATIVE(stack_of(1001, false, false, "JIT compiled")),
		     "STATE_BLOCKED_ON_MONITOR_ENTER");
	cr_expect_eq(cursor_left(&cursor), 0);
	batch_clear(&batch);
	buf_clear(&raw);
}

Test(translate, passes_over_what_is_no_sample)
{
	struct batch batch = { 0 };
	struct buf raw = { 0 };

	add_sample(&raw, 0, 10, RAWFRAME_COMPILED);
	encode_event(&raw, "\1\2\3", 3);
	add_sample(&raw, 0, 10, RAWFRAME_COMPILED);
	buf_byte(&raw, 0);
	samples_translate(constants, &namer, &batch, raw.bytes, raw.size);
	cr_expect_eq(batch.events, 2);
	batch_reset(&batch);
	samples_translate(constants, &namer, &batch, raw.bytes, 5);
	cr_expect_eq(batch.events, 0);
	batch_clear(&batch);
	buf_clear(&raw);
}

/* Events whose stack has no key for want of memory are there all the same. */
Test(translate, needs_memory_for_some_of_it)
{
	struct buf raw = { 0 };

	add_sample(&raw, 0, 10, RAWFRAME_COMPILED);
	for (size_t n = 1; n < 100; n++) {
		struct batch batch = { 0 };
		bool has_failed;

		fault_at(n);
		samples_translate(constants, &namer, &batch, raw.bytes, raw.size);
		has_failed = fault_happened();
		fault_at(0);
		cr_expect(batch.events == 1 || batch.buf.failed);
		batch_clear(&batch);
		if (!has_failed)
			break;
		cr_assert_lt(n, 99);
	}
	buf_clear(&raw);
}
