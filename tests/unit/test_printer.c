/* Values of one field, as each format shows them: what the printers have in common. */
#include <criterion/criterion.h>

#include <stdio.h>

#include "show.h"

#define NO_NOTES { .type = NULL }
#define UNIT(type_, value_) { NOTE("jdk.jfr." type_, value_) }
#define UNSIGNED { MARK("jdk.jfr.Unsigned") }
#define NIL " xsi:nil=\"true\"/>"
#define TIMESPAN(unit_) UNIT("Timespan", unit_)
#define TIMESTAMP(unit_) UNIT("Timestamp", unit_)
#define AMOUNT(unit_) UNIT("DataAmount", unit_)
#define RATE(unit_)                                                            \
	{ NOTE("jdk.jfr.DataAmount", unit_), MARK("jdk.jfr.Frequency") }
#define UNSIGNED_AND(type_, value_)                                            \
	{ MARK("jdk.jfr.Unsigned"), NOTE("jdk.jfr." type_, value_) }

/* What a field of that type and with these annotations looks like. */
static const struct sample {
	const char *type;
	struct schema_note notes[3];
	struct make_value value;
	const char *pretty;
	const char *exact;	/* NULL: as pretty */
	const char *json;	/* NULL: as pretty */
	const char *xml;	/* NULL: as pretty */
} plain[] = {
	{ "boolean", { NO_NOTES }, BOOLEAN(0), "false", NULL, NULL, NULL },
	{ "boolean", { NO_NOTES }, BOOLEAN(1), "true", NULL, NULL, NULL },
	{ "byte", { NO_NOTES }, BYTE(-1), "-1", NULL, NULL, NULL },
	{ "byte", UNSIGNED, BYTE(-1), "255", NULL, NULL, NULL },
	{ "short", { NO_NOTES }, SHORT(-32768), "-32768", NULL, NULL, NULL },
	{ "short", UNSIGNED, SHORT(-32768), "32768", NULL, NULL, NULL },
	{ "char", { NO_NOTES }, CHAR('a'), "a", NULL, "\"a\"", NULL },
	{ "char", { NO_NOTES }, CHAR(0xe9), "\u00e9", NULL, "\"\\u00e9\"", "&#233;" },
	{ "char", { NO_NOTES }, CHAR(0xd800), "?", NULL, "\"\\ud800\"", "&#55296;" },
	{ "char", { NO_NOTES }, CHAR('"'), "\"", NULL, "\"\\\"\"", "&quot;" },
	{ "int", { NO_NOTES }, INT(-7), "-7", NULL, NULL, NULL },
	{ "int", { NO_NOTES }, INT(INT32_MIN), "N/A", NULL, "-2147483648", "-2147483648" },
	{ "int", UNSIGNED, INT(INT32_MIN), "2147483648", NULL, NULL, NULL },
	{ "long", { NO_NOTES }, LONG(INT64_MAX), "9223372036854775807", NULL, NULL, NULL },
	{ "long", { NO_NOTES }, LONG(INT64_MIN), "N/A", NULL, "-9223372036854775808",
	  "-9223372036854775808" },
	{ "long", UNSIGNED, LONG(-1), "18446744073709551615", NULL, NULL, NULL },
	{ "long", UNSIGNED, LONG(INT64_MIN), "9223372036854775808", NULL, NULL, NULL },
	{ "float", { NO_NOTES }, FLOAT(1.0f / 3), "0.33333334", NULL, NULL, NULL },
	{ "float", { NO_NOTES }, FLOAT(1e7f), "1.0E7", NULL, NULL, NULL },
	{ "double", { NO_NOTES }, DOUBLE(-0.0), "-0.0", NULL, NULL, NULL },
	{ "double", { NO_NOTES }, DOUBLE(4.9e-324), "4.9E-324", NULL, NULL, NULL },
	{ "double", { NO_NOTES }, DOUBLE(__builtin_nan("")), "N/A", NULL, "null", "NaN" },
	{ "double", { NO_NOTES }, DOUBLE(__builtin_inf()), "Infinity", NULL, "null",
	  "Infinity" },
	{ "double", { NO_NOTES }, DOUBLE(-__builtin_inf()), "N/A", NULL, "null",
	  "-Infinity" },
	{ "float", { NO_NOTES }, FLOAT(__builtin_nanf("")), "N/A", NULL, "null", "NaN" },
};

static const struct sample texts[] = {
	{ "java.lang.String", { NO_NOTES }, NO_TEXT, "N/A", NULL, "null", NIL },
	{ "java.lang.String", { NO_NOTES }, TEXT(""), "\"\"", NULL, NULL, "" },
	{ "java.lang.String", { NO_NOTES }, TEXT("tea"), "\"tea\"", NULL, NULL, "tea" },
	{ "java.lang.String", { NO_NOTES }, TEXT("a\"b\\c/d"), "\"a\"b\\c/d\"", NULL,
	  "\"a\\\"b\\\\c\\/d\"", "a&quot;b\\c/d" },
	{ "java.lang.String", { NO_NOTES }, TEXT("\b\n\t\f\r\x01\x7f"),
	  "\"\b\n\t\f\r\x01\x7f\"", NULL, "\"\\b\\n\\t\\f\\r\\u0001\x7f\"",
	  "\b\n\t\f\r\x01\x7f" },
	{ "java.lang.String", { NO_NOTES }, TEXT("<a href='x'>&</a>"),
	  "\"<a href='x'>&</a>\"", NULL, "\"<a href='x'>&<\\/a>\"",
	  "&lt;a href=&apos;x&apos;&gt;&amp;&lt;/a&gt;" },
	{ "java.lang.String", { NO_NOTES }, TEXT("\u00e9\u20ac"), "\"\u00e9\u20ac\"", NULL,
	  "\"\\u00e9\\u20ac\"", "&#233;&#8364;" },
	{ "java.lang.String", { NO_NOTES }, TEXT("a\U0001f600z"), "\"a\U0001f600z\"", NULL,
	  "\"a\\ud83d\\ude00z\"", "a&#55357;&#56832;z" },
	{ "java.lang.String", { NO_NOTES }, TEXT("\xed\xa0\xbdz"), "\"?z\"", NULL,
	  "\"\\ud83dz\"", "&#55357;z" },
	{ "java.lang.String", { NO_NOTES }, MAKE(MAKE_BYTES, .text = STR("\3\2\xc3\x28")),
	  "\"\xef\xbf\xbd(\"", NULL, "\"\\ufffd(\"", "&#65533;(" },
	/* Annotations that mean nothing here. */
	{ "java.lang.String", UNIT("Percentage", NULL), TEXT("x"), "\"x\"", NULL, NULL,
	  "x" },
	{ "boolean", UNIT("Percentage", NULL), BOOLEAN(1), "true", NULL, NULL, NULL },
	{ "int", UNIT("Label", "The X"), INT(1), "1", NULL, NULL, NULL },
};

static const struct sample times[] = {
	{ "long", TIMESPAN("NANOSECONDS"), LONG(0), "0 s", "0.000000000 s", "\"PT0S\"",
	  "PT0S" },
	{ "long", TIMESPAN("NANOSECONDS"), LONG(1234), "0.00123 ms", "0.000001234 s",
	  "\"PT0.000001234S\"", "PT0.000001234S" },
	{ "long", TIMESPAN("TICKS"), LONG(1500000000), "1.50 s", "1.500000000 s",
	  "\"PT1.5S\"", "PT1.5S" },
	{ "int", TIMESPAN("MICROSECONDS"), INT(-1), "-0.00100 ms", "-0.000001000 s",
	  "\"PT-0.000001S\"", "PT-0.000001S" },
	{ "long", TIMESPAN("MILLISECONDS"), LONG(3723000), "1 h 2 m", "3723.000000000 s",
	  "\"PT1H2M3S\"", "PT1H2M3S" },
	{ "long", TIMESPAN("SECONDS"), LONG(7 * 86400), "7 d 0 h", "604800.000000000 s",
	  "\"PT168H\"", "PT168H" },
	{ "long", TIMESPAN("NANOSECONDS"), LONG(INT64_MIN), "N/A", NULL,
	  "\"PT-2562047788015215H-30M-8S\"", "PT-2562047788015215H-30M-8S" },
	{ "long", TIMESPAN("TICKS"), LONG(INT64_MAX), "Forever", NULL,
	  "\"PT2562047788015215H30M7.999999999S\"", "PT2562047788015215H30M7.999999999S" },
	{ "byte", UNSIGNED_AND("Timespan", "NANOSECONDS"), BYTE(-1), "0.0655 ms",
	  "0.000065535 s", "\"PT0.000065535S\"", "PT0.000065535S" },
	{ "long", TIMESTAMP("TICKS"), LONG(1500000000), "00:00:01.500 (1970-01-01)",
	  "00:00:01.500000000 (1970-01-01)", "\"1970-01-01T00:00:01.500Z\"",
	  "1970-01-01T00:00:01.500Z" },
	{ "long", TIMESTAMP("MILLISECONDS_SINCE_EPOCH"), LONG(1795981260542),
	  "19:41:00.542 (2026-11-29)", "19:41:00.542000000 (2026-11-29)",
	  "\"2026-11-29T19:41:00.542Z\"", "2026-11-29T19:41:00.542Z" },
	{ "long", TIMESTAMP("TICKS"), LONG(INT64_MIN), "N/A", NULL,
	  "\"-999999999-01-01T00:00+18:00\"", "-999999999-01-01T00:00+18:00" },
};

static const struct sample amounts[] = {
	{ "float", UNIT("Percentage", NULL), FLOAT(0.12345f), "12.35%", "12.345000356%",
	  "0.12345", "0.12345" },
	{ "int", UNIT("Percentage", NULL), INT(2), "200.00%", "200.000000000%", "2", "2" },
	{ "long", UNSIGNED_AND("Percentage", NULL), LONG(-1), "1844674407370955200000.00%",
	  "1844674407370955200000.000000000%", "18446744073709551615",
	  "18446744073709551615" },
	{ "double", UNIT("Percentage", NULL), DOUBLE(__builtin_inf()), "Infinity%", NULL,
	  "null", "Infinity" },
	{ "double", UNIT("Percentage", NULL), DOUBLE(__builtin_nan("")), "N/A", NULL,
	  "null", "NaN" },
	{ "long", AMOUNT("BYTES"), LONG(0), "0 bytes", "0 byte", "0", "0" },
	{ "long", AMOUNT("BYTES"), LONG(1), "1 byte", NULL, "1", "1" },
	{ "long", AMOUNT("BYTES"), LONG(1048575), "1024.0 kB", "1048575 bytes", "1048575",
	  "1048575" },
	{ "long", AMOUNT("BYTES"), LONG(INT64_MIN), "N/A", NULL, "-9223372036854775808",
	  "-9223372036854775808" },
	{ "long", UNSIGNED_AND("DataAmount", "BYTES"), LONG(-5), "-5 bytes", "-5 byte",
	  "18446744073709551611", "18446744073709551611" },
	{ "long", AMOUNT("BITS"), LONG(1536), "1.5 kbit", "1536 bits", "1536", "1536" },
	{ "int", RATE("BYTES"), INT(1), "1 byte/s", NULL, "1", "1" },
	{ "long", RATE("BYTES"), LONG(2048), "2.0 kB/s", "2048 bytes/s", "2048", "2048" },
	{ "long", RATE("BITS"), LONG(100), "100 bps", "100 bits/s", "100", "100" },
	{ "double", AMOUNT("BYTES"), DOUBLE(1536.7), "1.5 kB", "1536 bytes", "1536.7",
	  "1536.7" },
	{ "double", AMOUNT("BYTES"), DOUBLE(__builtin_inf()), "8.0 EB",
	  "9223372036854775807 bytes", "null", "Infinity" },
	{ "long", UNIT("MemoryAddress", NULL), LONG(0x7f00aa00), "0x7F00AA00", NULL,
	  "2130749952", "2130749952" },
	{ "long", UNIT("MemoryAddress", NULL), LONG(-1), "0xFFFFFFFFFFFFFFFF", NULL, "-1",
	  "-1" },
	{ "long", UNSIGNED_AND("MemoryAddress", NULL), LONG(INT64_MIN),
	  "0x8000000000000000", NULL, "9223372036854775808", "9223372036854775808" },
	{ "int", UNIT("Frequency", NULL), INT(50), "50 Hz", NULL, "50", "50" },
	{ "double", UNIT("Frequency", NULL), DOUBLE(2.5), "2.5 Hz", NULL, "2.5", "2.5" },
};

/* The text of the field x: what stands between these in the text of the event. */
static struct str between(const struct shown *shown, const char *start, const char *end)
{
	struct str text = { shown->text.bytes, shown->text.size };
	const char *from = memmem(text.bytes, text.size, start, strlen(start));
	const char *to;

	if (!from)
		return STR("nothing");
	from += strlen(start);
	to = memmem(from, (size_t)(text.bytes + text.size - from), end, strlen(end));
	return to ? (struct str){ from, (size_t)(to - from) } : STR("no end");
}

static struct str inside_element(struct str text)
{
	static const struct str end = STR("</value>");

	if (!str_starts(text, STR(">")) || !str_ends(text, end))
		return text;
	return (struct str){ text.bytes + 1, text.size - end.size - 1 };
}

static struct str value_shown(const struct shown *shown, const struct show *how)
{
	if (how->printer == &json_printer)
		return between(shown, "\"x\": ", "\n      }\n");
	if (how->printer == &xml_printer)
		return inside_element(between(shown, "name=\"x\"", "\n    </event>"));
	return between(shown, "  x = ", "\n}\n\n");
}

static void expect_value(const struct made *made, const struct show *how, const char *wanted,
			 const char *where)
{
	struct shown shown;
	struct str value;

	show(&shown, made, how);
	value = value_shown(&shown, how);
	cr_expect(str_is(value, str_of(wanted)), "%s: wanted %s, shown: %.*s", where, wanted,
		  (int)value.size, value.bytes);
	cr_expect(shown.good && damage_is_none(&shown.damage), "%s", where);
	shown_clear(&shown);
}

static void expect_sample(const struct sample *sample, const char *where)
{
	const struct schema_type types[] = {
		TYPE("test.E", "jdk.jfr.Event",
		     FIELDS(START, FIELD("x", sample->type, .notes = sample->notes))),
		TYPES_END,
	};
	const struct make_value values[] = { LONG(1), sample->value, { .kind = MAKE_END } };
	const char *pretty = sample->pretty;
	struct made made = { 0 };

	make_begin(&made, types);
	make_event(&made.writer, "test.E", values);
	cr_assert(make_bytes(&made));
	expect_value(&made, &(struct show){ 0 }, pretty, where);
	expect_value(&made, &(struct show){ .exact = true },
		     sample->exact ? sample->exact : pretty, where);
	expect_value(&made, &(struct show){ .printer = &json_printer },
		     sample->json ? sample->json : pretty, where);
	expect_value(&made, &(struct show){ .printer = &xml_printer },
		     sample->xml ? sample->xml : pretty, where);
	make_clear(&made);
}

static void expect_samples(const struct sample *samples, size_t count, const char *what)
{
	char where[64];

	for (size_t i = 0; i < count; i++) {
		snprintf(where, sizeof(where), "%s %zu", what, i);
		expect_sample(&samples[i], where);
	}
}

#define EXPECT_SAMPLES(samples)                                                \
	expect_samples(samples, sizeof(samples) / sizeof(samples[0]), #samples)

Test(printer, shows_plain_numbers)
{
	EXPECT_SAMPLES(plain);
}

Test(printer, shows_text_with_what_its_format_escapes)
{
	EXPECT_SAMPLES(texts);
}

Test(printer, shows_times)
{
	EXPECT_SAMPLES(times);
}

Test(printer, shows_numbers_with_their_units)
{
	EXPECT_SAMPLES(amounts);
}
