#include <criterion/criterion.h>

#include "fault.h"
#include "jfc/span.h"

static void expect(const char *text, const char *wanted)
{
	struct arena arena = { 0 };
	struct err err = { 0 };
	struct str span = { 0 };

	cr_expect(span_read(str_of(text), &arena, &span, &err), "%s: %s", text,
		  err.text);
	cr_expect(str_is(span, str_of(wanted)), "%s: %.*s", text, (int)span.size,
		  span.bytes);
	arena_clear(&arena);
}

static void expect_bad(const char *text, const char *why)
{
	struct arena arena = { 0 };
	struct err err = { 0 };
	struct str span;

	cr_expect(!span_read(str_of(text), &arena, &span, &err), "%s", text);
	cr_expect_eq(err.kind, ERR_USAGE);
	cr_expect_not_null(strstr(err.text, why), "%s: %s", text, err.text);
	arena_clear(&arena);
}

Test(span, is_written_with_a_blank)
{
	expect("20ms", "20 ms");
	expect("20 ms", "20 ms");
	expect("20 \t ms", "20 ms");
	expect("0ns", "0 ns");
	expect("1us", "1 us");
	expect("3s", "3 s");
	expect("4m", "4 m");
	expect("5h", "5 h");
	expect("6 d", "6 d");
}

Test(span, is_a_java_long)
{
	expect("+5s", "5 s");
	expect("-5s", "-5 s");
	expect("0000000000000000000000000007 ms", "7 ms");
	expect("9223372036854775807d", "9223372036854775807 d");
	expect("-9223372036854775808d", "-9223372036854775808 d");
	expect_bad("9223372036854775808d", "is not a timespan");
}

Test(span, lacks_its_unit)
{
	expect_bad("5", "lacks its unit");
	expect_bad("-5", "lacks its unit");
	expect_bad("20 ", "is not a timespan");
}

Test(span, is_something_else)
{
	expect_bad("", "is not a timespan");
	expect_bad("ms", "is not a timespan");
	expect_bad("s", "is not a timespan");
	expect_bad("infinity", "is not a timespan");
	expect_bad("1.5s", "is not a timespan");
	expect_bad("1h30m", "is not a timespan");
	expect_bad("20MS", "is not a timespan");
	expect_bad("20 msec", "is not a timespan");
	expect_bad("+s", "is not a timespan");
	expect_bad("+-1s", "is not a timespan");
	expect_bad("0x10s", "is not a timespan");
	expect_bad(" 20ms", "is not a timespan");
	expect_bad("20ms ", "is not a timespan");
	expect_bad("99999999999999999999999999999999999999999999999999s", "is not a");
}

Test(span, may_have_a_nul_in_it)
{
	struct arena arena = { 0 };
	struct err err = { 0 };
	struct str span;

	cr_expect(!span_read((struct str){ "1\0" "2s", 4 }, &arena, &span, &err));
	cr_expect_eq(err.kind, ERR_USAGE);
}

Test(span, needs_memory)
{
	struct arena arena = { 0 };
	struct err err = { 0 };
	struct str span;

	fault_at(1);
	cr_expect(!span_read(STR("1s"), &arena, &span, &err));
	fault_at(0);
	cr_expect_eq(err.kind, ERR_MEMORY);
}
