/* The expected texts are those of FieldFormatter in JDK 25. */
#include <criterion/criterion.h>
#include <math.h>

#include "query/words.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define INTEGER(kind_, value) { .kind = DATUM_##kind_, .number = (value) }
#define REAL(kind_, value) { .kind = DATUM_##kind_, .real = (value) }
#define TIME(kind_, seconds, fraction)                                                 \
	{ .kind = DATUM_##kind_, .nanos = (fraction), .number = (seconds) }
#define THING(thing_) { .kind = DATUM_THING, .thing = (thing_) }

/* A column that has nothing but what is named. */
#define PRECISE(precision_, ...)                                                       \
	{ .missing = { "N/A", 3 }, .precision = (precision_), __VA_ARGS__ }
#define COLUMN(...) PRECISE(-1, __VA_ARGS__)

static struct buf words(const struct column *column, const struct datum *datum,
			enum words_form form)
{
	struct buf text = { 0 };

	words_add(&text, column, datum, form, 0);
	buf_byte(&text, '\0');
	return text;
}

static void expect_form(const struct column *column, const struct datum *datum,
			enum words_form form, const char *expected)
{
	struct buf text = words(column, datum, form);
	struct str ready = { NULL, 0 };

	cr_expect_str_eq(text.bytes, expected);
	if (datum->kind != DATUM_LIST)
		ready = words_ready(column, datum, form);
	cr_expect(!ready.bytes || str_is(ready, str_of(expected)));
	buf_clear(&text);
}

static void expect(const struct column *column, const struct datum *datum,
		   const char *expected)
{
	expect_form(column, datum, WORDS_FULL, expected);
}

static const struct {
	struct datum datum;
	const char *text;
} plain[] = {
	{ { .kind = DATUM_NULL }, "N/A" },
	{ INTEGER(BOOLEAN, 1), "true" },
	{ INTEGER(BOOLEAN, 0), "false" },
	{ INTEGER(CHAR, 'c'), "c" },
	{ INTEGER(CHAR, '\n'), "\n" },
	{ INTEGER(CHAR, 0xe9), "\xc3\xa9" },
	{ INTEGER(BYTE, INT8_MIN), "-128" },
	{ INTEGER(SHORT, INT16_MIN), "-32,768" },
	{ INTEGER(INT, -1234), "-1,234" },
	{ INTEGER(INT, INT32_MIN), "N/A" },
	{ INTEGER(LONG, INT32_MIN), "-2,147,483,648" },
	{ INTEGER(LONG, INT64_MAX), "9,223,372,036,854,775,807" },
	{ INTEGER(LONG, INT64_MIN), "N/A" },
	{ REAL(FLOAT, 0.1f), "0.1" },
	{ REAL(FLOAT, NAN), "N/A" },
	{ REAL(FLOAT, -INFINITY), "N/A" },
	{ REAL(DOUBLE, 1.5), "1.5" },
	{ REAL(DOUBLE, -0.0), "-0" },
	{ REAL(DOUBLE, NAN), "N/A" },
	{ REAL(DOUBLE, -INFINITY), "N/A" },
	{ REAL(DOUBLE, INFINITY), "∞" },
	{ TIME(TIME, 1764446399, 999999999), "19:59:59" },
	{ TIME(TIME, -1, 0), "23:59:59" },
	{ TIME(TIME, INT64_MIN, 0), "N/A" },
	{ TIME(SPAN, 0, 12345678), "12.3 ms" },
	{ TIME(SPAN, 0, 0), "0 s" },
	{ TIME(SPAN, 75, 0), "1 m 15 s" },
	{ TIME(SPAN, INT64_MIN, 0), "N/A" },
	{ TIME(SPAN, INT64_MAX, 999999999), "Indefinite" },
};

Test(words, tell_a_value_without_a_unit)
{
	static const struct column column = COLUMN();

	for (size_t i = 0; i < COUNT(plain); i++)
		expect(&column, &plain[i].datum, plain[i].text);
}

Test(words, tell_what_is_missing_in_the_words_of_the_column)
{
	static const struct column column = { .missing = { "", 0 } };
	static const struct column percent = COLUMN(.is_percentage = true);
	static const struct datum minus = REAL(DOUBLE, -INFINITY);
	static const struct datum never = TIME(TIME, INT64_MIN, 0);

	expect(&column, &DATUM_NONE, "");
	expect(&column, &minus, "");
	expect(&percent, &minus, "N/A");
	expect(&column, &never, "N/A");
}

Test(words, tell_times_in_the_zone)
{
	static const struct column column = COLUMN();
	static const struct datum when = TIME(TIME, 1764446399, 0);
	struct buf text = { 0 };

	words_add(&text, &column, &when, WORDS_FULL, -12600);
	cr_expect(str_is((struct str){ text.bytes, text.size }, STR("16:29:59")));
	buf_clear(&text);
}

#define PERCENTAGE COLUMN(.is_percentage = true)
#define BYTES COLUMN(.is_bytes = true)
#define BITS COLUMN(.is_bits = true)
#define BYTE_RATE COLUMN(.is_bytes = true, .is_frequency = true)
#define BIT_RATE COLUMN(.is_bits = true, .is_frequency = true)
#define ADDRESS COLUMN(.is_address = true)
#define FREQUENCY COLUMN(.is_frequency = true)

static const struct {
	struct column column;
	struct datum datum;
	const char *text;
} units[] = {
	{ PERCENTAGE, REAL(DOUBLE, 0.12345), "12.35%" },
	{ PERCENTAGE, REAL(FLOAT, 0.1f), "10.00%" },
	{ PERCENTAGE, REAL(DOUBLE, -0.00001), "-0.00%" },
	{ PERCENTAGE, REAL(DOUBLE, INFINITY), "Infinity%" },
	{ PERCENTAGE, INTEGER(INT, 3), "300.00%" },
	{ PERCENTAGE, INTEGER(BOOLEAN, 0), "false" },
	{ PERCENTAGE, TIME(SPAN, 1, 0), "1.00 s" },
	{ BYTES, INTEGER(INT, 0), "0 bytes" },
	{ BYTES, INTEGER(INT, -1), "-1 byte" },
	{ BYTES, INTEGER(LONG, 1023), "1023 bytes" },
	{ BYTES, REAL(DOUBLE, 1536.9), "1.5 kB" },
	{ BYTES, REAL(FLOAT, 1.99f), "1 byte" },
	{ BYTES, REAL(DOUBLE, 1e30), "8.0 EB" },
	{ BYTES, REAL(DOUBLE, -1e30), "N/A" },
	{ BYTES, INTEGER(CHAR, 'c'), "c" },
	{ BITS, INTEGER(LONG, -2048), "-2.0 kbit" },
	{ BITS, INTEGER(LONG, 1), "1 bit" },
	{ BYTE_RATE, INTEGER(LONG, 1), "1 byte/s" },
	{ BYTE_RATE, INTEGER(LONG, 1024), "1.0 kB/s" },
	{ BIT_RATE, INTEGER(LONG, 7), "7 bps" },
	{ BIT_RATE, INTEGER(LONG, 1024), "1.0 kbps" },
	{ COLUMN(.is_bytes = true, .is_bits = true), INTEGER(INT, 1), "1 byte" },
	{ ADDRESS, INTEGER(LONG, -1), "0xFFFFFFFFFFFFFFFF" },
	{ ADDRESS, INTEGER(BYTE, -1), "0xFFFFFFFFFFFFFFFF" },
	{ ADDRESS, INTEGER(LONG, 0x7f001234), "0x7F001234" },
	{ ADDRESS, REAL(DOUBLE, 255.7), "0x000000FF" },
	{ COLUMN(.is_address = true, .is_frequency = true),
	  INTEGER(LONG, 0x123456789abc), "0x123456789ABC" },
	{ FREQUENCY, REAL(DOUBLE, 1e7), "1.0E7 Hz" },
	{ FREQUENCY, REAL(FLOAT, 0.1f), "0.1 Hz" },
	{ FREQUENCY, INTEGER(INT, 20000), "20000 Hz" },
	{ COLUMN(.is_percentage = true, .is_bytes = true, .is_address = true,
		 .is_frequency = true),
	  REAL(DOUBLE, 1.5), "150.00%" },
	{ PRECISE(3), TIME(SPAN, 0, 12345678), "12.300 ms" },
	{ PRECISE(0), TIME(SPAN, 0, 12345678), "12 ms" },
	{ PRECISE(3), TIME(SPAN, 1, 5000000), "1.01 s" },
};

Test(words, tell_a_value_with_a_unit)
{
	for (size_t i = 0; i < COUNT(units); i++)
		expect(&units[i].column, &units[i].datum, units[i].text);
}

static const struct thing method = {
	.kind = THING_METHOD,
	.text = { "a.B.c(int)", 10 },
	.compact = { "a.B.c(...)", 10 },
};
static const struct thing frame = { .kind = THING_FRAME, .method = &method };
static const struct thing native = { .kind = THING_FRAME, .text = { "native", 6 } };
static const struct thing *const frames[] = { &frame, &native };
static const struct thing *const native_frames[] = { &native, &frame };
static const struct thing stack = {
	.kind = THING_STACK, .frames = frames, .frame_count = 2,
};
static const struct thing native_stack = {
	.kind = THING_STACK, .frames = native_frames, .frame_count = 2,
};
static const struct thing empty_stack = { .kind = THING_STACK, .text = { "?", 1 } };
static const struct thing class = {
	.kind = THING_CLASS, .text = { "java.util.List", 14 }, .compact = { "List", 4 },
};
static const struct thing thread = { .kind = THING_THREAD, .text = { "a\tb", 3 } };
static const struct thing nameless = { .kind = THING_THREAD };
static const struct thing object = { .kind = THING_OBJECT, .text = { "{\n}", 3 } };
static const struct thing text = { .text = { "a\nb\rc\td", 7 } };
static const struct thing clean = { .text = { "a b", 3 } };

static const struct {
	struct datum datum;
	const char *full, *compact;
} things[] = {
	{ THING(&method), "a.B.c(int)", "a.B.c(...)" },
	{ THING(&frame), "a.B.c(int)", "a.B.c(...)" },
	{ THING(&stack), "a.B.c(int)", "a.B.c(...)" },
	{ THING(&native), "<unknown>", "<unknown>" },
	{ THING(&native_stack), "<unknown>", "<unknown>" },
	{ THING(&empty_stack), "N/A", "N/A" },
	{ THING(&class), "java.util.List", "List" },
	{ THING(&thread), "a\tb", "a\tb" },
	{ THING(&nameless), "N/A", "N/A" },
	{ THING(&object), "{\n}", "{\n}" },
	{ THING(&text), "a b c d", "a b c d" },
	{ THING(&clean), "a b", "a b" },
};

Test(words, tell_a_thing)
{
	static const struct column column = COLUMN();

	for (size_t i = 0; i < COUNT(things); i++) {
		const struct datum *datum = &things[i].datum;

		expect_form(&column, datum, WORDS_FULL, things[i].full);
		expect_form(&column, datum, WORDS_COMPACT, things[i].compact);
	}
}

Test(words, are_ready_for_things)
{
	static const struct column column = COLUMN();
	static const struct datum number = INTEGER(INT, 1), broken = THING(&text);
	static const struct datum of_stack = THING(&stack), unbroken = THING(&clean);

	cr_expect_eq(words_ready(&column, &of_stack, WORDS_COMPACT).bytes,
		     method.compact.bytes);
	cr_expect_eq(words_ready(&column, &unbroken, WORDS_FULL).bytes,
		     clean.text.bytes);
	cr_expect_eq(words_ready(&column, &DATUM_NONE, WORDS_FULL).bytes,
		     column.missing.bytes);
	cr_expect_null(words_ready(&column, &broken, WORDS_FULL).bytes);
	cr_expect_null(words_ready(&column, &number, WORDS_FULL).bytes);
}

Test(words, join_lists)
{
	static const struct column column = COLUMN();
	const struct datum items[] = {
		THING(&text), { .kind = DATUM_NULL }, INTEGER(INT, 1234), THING(&class),
	};
	struct datum_list *list = malloc(sizeof(*list) + sizeof(items));
	const struct datum datum = { .kind = DATUM_LIST, .list = list };

	memcpy(list->items, items, sizeof(items));
	list->count = COUNT(items);
	expect(&column, &datum, "a b c d, N/A, 1,234, java.util.List");
	expect_form(&column, &datum, WORDS_COMPACT, "a b c d, N/A, 1,234, List");
	list->count = 1;
	expect(&column, &datum, "a b c d");
	list->count = 0;
	expect(&column, &datum, "");
	free(list);
}

Test(words, tell_plain_numbers)
{
	static const struct datum integer = INTEGER(LONG, INT64_MIN);
	static const struct datum real = REAL(DOUBLE, -INFINITY);
	struct buf to = { 0 };

	words_add_number(&to, &integer);
	words_add_number(&to, &real);
	cr_expect(str_is((struct str){ to.bytes, to.size },
			 STR("-9,223,372,036,854,775,808-∞")));
	buf_clear(&to);
}

/* The buffer tells, and nothing is written behind what was there. */
Test(words, end_where_the_buffer_is_full)
{
	static const struct column column = COLUMN();
	static const struct datum span = TIME(SPAN, 0, 12345678), broken = THING(&text);
	struct buf to = { .limit = 3 };

	words_add(&to, &column, &span, WORDS_FULL, 0);
	words_add(&to, &column, &broken, WORDS_FULL, 0);
	cr_expect(to.failed);
	cr_expect_leq(to.size, 3);
	buf_clear(&to);
}
