#include <criterion/criterion.h>

#include "jfr/frame.h"
#include "make.h"

/* What those bytes are as a frame: its fault, or NULL. */
static const char *read_frame(const struct make_value *values, size_t at,
			      struct frame *frame)
{
	struct buf buf = { 0 };
	struct cursor cursor;
	const char *fault;

	make_values(&buf, values);
	cursor = make_cursor(&buf);
	fault = frame_read(cursor.at, buf.size, at, frame);
	if (!fault)
		frame->body = (void *)(frame->body - cursor.at);	/* an offset */
	buf_clear(&buf);
	return fault;
}

Test(frame, is_size_and_type)
{
	struct frame frame;

	cr_expect_null(read_frame(VALUES(COUNT(4), LONG(100), BYTES("xy")), 0, &frame));
	cr_expect(frame.size == 4 && frame.type_id == 100 && frame.body == (void *)2);
	cr_expect_null(read_frame(VALUES(BYTES("abc"), COUNT(10), LONG(-1)), 3, &frame));
	cr_expect(frame.size == 10 && frame.type_id == UINT64_MAX &&
		  frame.body == (void *)13);
}

Test(frame, may_end_with_its_bytes)
{
	struct frame frame;

	cr_expect_null(read_frame(VALUES(COUNT(2), LONG(7)), 0, &frame));
	/* Smaller than size and type themselves. */
	cr_expect_null(read_frame(VALUES(COUNT(1), LONG(7)), 0, &frame));
	cr_expect_eq(frame.size, 1);
}

Test(frame, has_a_fault)
{
	static const char no_size[] = "an event has no size";
	static const char reaches[] = "an event reaches past the end of its chunk";
	static const char cut[] = "an event is cut short by the end of its chunk";
	const struct {
		const struct make_value *values;
		const char *fault;
	} cases[] = {
		{ VALUES(COUNT(0), LONG(7)), no_size },
		{ VALUES(LONG(-1), LONG(7)), no_size },
		{ VALUES(LONG(INT64_MIN), LONG(7)), no_size },
		{ VALUES(COUNT(3), LONG(7)), reaches },
		{ VALUES(LONG(UINT32_MAX), LONG(7)), reaches },
		{ VALUES(LONG(INT64_C(1) << 32 | 2), LONG(7)), reaches },
		{ VALUES(LONG(INT64_MAX), LONG(7)), reaches },
		{ VALUES(COUNT(2)), cut },
		{ VALUES(BYTE(0x80)), cut },
		{ VALUES(COUNT(2), BYTE(0x80)), cut },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct frame frame;
		const char *fault = read_frame(cases[i].values, 0, &frame);

		cr_assert(fault, "case %zu", i);
		cr_expect_str_eq(fault, cases[i].fault, "case %zu: %s", i, fault);
	}
}

Test(frame, is_hopped_over_to_the_first_broken_one)
{
	const struct {
		const struct make_value *values;
		size_t at, end;
	} cases[] = {
		{ VALUES(COUNT(2), LONG(7), COUNT(3), LONG(7), BYTE(1)), 0, 5 },
		{ VALUES(COUNT(2), LONG(7), COUNT(3), LONG(7), BYTE(1)), 2, 5 },
		{ VALUES(COUNT(2), LONG(7), COUNT(3), LONG(7), BYTE(1)), 5, 5 },
		{ VALUES(COUNT(2), LONG(7), COUNT(4), LONG(7), BYTE(1)), 0, 2 },
		{ VALUES(COUNT(2), LONG(7), COUNT(0), LONG(7), BYTE(1)), 0, 2 },
		{ VALUES(COUNT(0), LONG(7)), 0, 0 },
		{ VALUES(COUNT(2), LONG(7), COUNT(9)), 0, 2 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf buf = { 0 };
		struct cursor cursor;

		make_values(&buf, cases[i].values);
		cursor = make_cursor(&buf);
		cr_expect_eq(frame_hop(cursor.at, buf.size, cases[i].at), cases[i].end,
			     "case %zu", i);
		buf_clear(&buf);
	}
}
