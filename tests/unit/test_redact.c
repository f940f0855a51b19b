#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "copy/copy.h"
#include "copy/redaction.h"
#include "jfr/checkpoint.h"
#include "jfr/rewrite.h"
#include "make.h"

#define STRING "java.lang.String"
#define SYMBOL "jdk.types.Symbol"

static const struct schema_type types[] = {
	TYPE("jdk.InitialEnvironmentVariable", "jdk.jfr.Event",
	     FIELDS(START, FIELD("key", STRING), FIELD("value", STRING))),
	TYPE("a.Word", NULL, .is_simple = true, FIELDS(FIELD("word", STRING))),
	TYPE("a.Place", NULL, FIELDS(FIELD("host", STRING), FIELD("port", "int"))),
	TYPE("a.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("text", STRING), FIELD("symbol", SYMBOL, POOLED),
		    FIELD("place", "a.Place"), FIELD("places", "a.Place", ARRAY),
		    FIELD("word", "a.Word"), FIELD("texts", STRING, ARRAY),
		    FIELD("kept", "a.Place", POOLED)),
	     LABEL("says tea-1")),
	TYPES_END,
};

/* A recording, and what it became. */
struct redacted {
	struct made made;
	struct buf bytes;
	struct redact redact;
	struct damage damage;
};

static void begin(struct redacted *redacted)
{
	writer_describe(&redacted->made.writer, make_jdk_types);
	make_begin(&redacted->made, types);
}

#define VARIABLE(writer, ...)                                                   \
	EVENT(writer, "jdk.InitialEnvironmentVariable", LONG(1), TEXT("K"), __VA_ARGS__)

static bool take(void *context, const void *bytes, size_t size, struct err *err)
{
	struct buf *to = context;

	buf_add(to, bytes, size);
	return !to->failed || err_memory(err);
}

/* Redacts what was made, and opens the result. */
static void run(struct redacted *redacted, const char *fields, const char *key)
{
	struct copy copy = { .sink = take, .context = &redacted->bytes, .is_pruned = true,
			     .redact = &redacted->redact };
	struct input input = { 0 };
	struct err err = { 0 };
	struct made *made = &redacted->made;

	cr_assert(make_bytes(made), "%s", made->err.text);
	cr_assert(redact_set_fields(&redacted->redact, str_of(fields)));
	redact_set_key(&redacted->redact, str_of(key));
	cr_assert(input_of_bytes(&input, made->bytes, made->size, "a.jfr"));
	cr_assert(input_keep(&input, &redacted->damage, &err));
	cr_assert(redaction_collect(&redacted->redact, &input, &err), "%s", err.text);
	cr_assert(copy_input(&copy, &input, &redacted->damage, &err), "%s", err.text);
	input_close(&input);
	copy_clear(&copy);
	removed_clear(&copy.removed);
	free(made->bytes);
	made->bytes = malloc(redacted->bytes.size);
	memcpy(made->bytes, redacted->bytes.bytes, redacted->bytes.size);
	made->size = redacted->bytes.size;
	cr_assert(make_again(made), "%s", made->err.text);
}

static bool add_text(void *context, const struct rewrite_place *place, struct str *text)
{
	struct buf *told = context;

	(void)place;
	buf_printf(told, "%.*s|", (int)text->size, text->bytes);
	return false;
}

/* All texts of the first chunk: events, then constants. */
static struct buf texts(struct redacted *redacted)
{
	struct chunk *chunk = &redacted->made.chunk;
	struct buf told = { 0 };
	struct rewrite rewrite = { .text = add_text, .context = &told };
	struct event_walk walk = event_walk(chunk, NULL);
	struct event event;

	cr_assert(rewrite_open(&rewrite, chunk));
	while (event_next(&walk, &event)) {
		struct cursor cursor = event_cursor(chunk, &event);

		if (event.type)
			cr_expect(rewrite_value(&rewrite, event.type, &cursor, NULL));
	}
	buf_byte(&told, '/');
	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		const struct pool *pool = chunk->pools[i];

		for (uint32_t j = 0; pool && j < pool->constants.count; j++) {
			struct cursor cursor = pool_cursor(pool, j);

			cr_expect(rewrite_value(&rewrite, pool->type, &cursor, NULL));
		}
	}
	rewrite_close(&rewrite);
	buf_byte(&told, '\0');
	return told;
}

static void end(struct redacted *redacted)
{
	damage_clear(&redacted->damage);
	redact_clear(&redacted->redact);
	buf_clear(&redacted->bytes);
	make_clear(&redacted->made);
}

/* All pseudonyms in the text become P: then texts can be compared. */
static void expect(struct redacted *redacted, const char *wanted)
{
	struct buf told = texts(redacted);
	const char *mark = "<redacted-";
	char *at = told.bytes;

	while ((at = strstr(at, mark))) {
		cr_assert_eq(strspn(at + strlen(mark), "0123456789abcdef"), 12);
		memmove(at + 1, strchr(at, '>') + 1, strlen(strchr(at, '>')));
		*at++ = 'P';
	}
	cr_expect_str_eq(told.bytes, wanted);
	buf_clear(&told);
}

static bool has_bytes(const struct redacted *redacted, const char *bytes)
{
	return memmem(redacted->bytes.bytes, redacted->bytes.size, bytes, strlen(bytes));
}

static void add_event(struct writer *writer, const char *text)
{
	const struct make_value value = { .kind = MAKE_TEXT, .text = str_of(text) };

	EVENT(writer, "a.E", LONG(1), value, KEY(0), NO_TEXT, INT(0), COUNT(0), NO_TEXT,
	      COUNT(0), KEY(0));
}

Test(redact, replaces_values_in_their_fields_and_elsewhere)
{
	struct redacted redacted = { .redact = { .is_collecting = false } };
	struct writer *writer = &redacted.made.writer;

	begin(&redacted);
	VARIABLE(writer, TEXT("tea-1"));
	VARIABLE(writer, TEXT("coffee"));
	VARIABLE(writer, TEXT("tea"));
	VARIABLE(writer, TEXT("true"));
	VARIABLE(writer, TEXT(""));
	VARIABLE(writer, NO_TEXT);
	add_event(writer, "tea-1");
	add_event(writer, "no tea-10, but coffee");
	add_event(writer, "coffeetea-1true tea");
	run(&redacted, NULL, "key");
	expect(&redacted, "K|P|K|P|K|P|K|P|K||K|P|no P0, but P|PPtrue tea|/");
	cr_expect_not(has_bytes(&redacted, "tea-1"));
	cr_expect(damage_is_none(&redacted.damage));
	end(&redacted);
}

Test(redact, finds_values_in_every_encoding)
{
	static const enum string_encoding encodings[] = {
		STRING_UTF8, STRING_CHARS, STRING_LATIN1,
	};

	for (int from = 0; from < 3; from++) {
		struct redacted redacted = { .redact = { .is_collecting = false } };
		struct writer *writer = &redacted.made.writer;

		begin(&redacted);
		VARIABLE(writer, TEXT_AS(encodings[from], "t\xc3\xa9" "a-1"));
		for (int to = 0; to < 3; to++)
			EVENT(writer, "a.E", LONG(1),
			      TEXT_AS(encodings[to], "a t\xc3\xa9" "a-1!"), KEY(0), NO_TEXT,
			      INT(0), COUNT(0), NO_TEXT, COUNT(0), KEY(0));
		run(&redacted, NULL, "key");
		expect(&redacted, "K|P|a P!|a P!|a P!|/");
		end(&redacted);
	}
}

/* In structs, arrays, simple types and constants. */
/* What was read from a file ends with a line end, which is cut off where it is used. */
Test(redact, finds_values_without_the_blanks_around_them)
{
	struct redacted redacted = { .redact = { .is_collecting = false } };
	struct writer *writer = &redacted.made.writer;

	begin(&redacted);
	VARIABLE(writer, TEXT(" tea-1\n"));
	add_event(writer, "of tea-1!");
	run(&redacted, NULL, "key");
	expect(&redacted, "K|P|of P!|/");
	end(&redacted);
}

/* A JVM writes names of threads so: characters from beyond U+FFFF as two. */
Test(redact, finds_values_in_the_utf8_of_java)
{
	struct redacted redacted = { .redact = { .is_collecting = false } };
	struct writer *writer = &redacted.made.writer;

	begin(&redacted);
	VARIABLE(writer, TEXT("k\xf0\x9f\x94\x91y-9"));
	EVENT(writer, "a.E", LONG(1),
	      BYTES("\x03\x0bwk\xed\xa0\xbd\xed\xb4\x91y-9"), KEY(0), NO_TEXT, INT(0),
	      COUNT(0), NO_TEXT, COUNT(0), KEY(0));
	run(&redacted, NULL, "key");
	expect(&redacted, "K|P|wP|/");
	cr_expect_not(has_bytes(&redacted, "\xed\xb4\x91y-9"));
	end(&redacted);
}

Test(redact, finds_values_wherever_texts_are)
{
	struct redacted redacted = { .redact = { .is_collecting = false } };
	struct writer *writer = &redacted.made.writer;

	begin(&redacted);
	VARIABLE(writer, TEXT_KEY(1));
	EVENT(writer, "a.E", LONG(1), TEXT_KEY(2), KEY(1), TEXT("tea-1"), INT(1), COUNT(2),
	      TEXT("xtea-1"), INT(2), TEXT("tea-1x"), INT(3), TEXT("tea-1"), COUNT(2),
	      TEXT("tea-1"), TEXT_KEY(1), KEY(4));
	POOL(writer, STRING);
	CONSTANT(writer, 1, TEXT("tea-1"));
	CONSTANT(writer, 2, TEXT_AS(STRING_CHARS, "my tea-1"));
	CONSTANT(writer, 3, TEXT("nobody's tea-1"));
	POOL(writer, SYMBOL);
	CONSTANT(writer, 1, TEXT("tea-1"));
	POOL(writer, "a.Place");
	CONSTANT(writer, 4, TEXT("at tea-1"), INT(1));
	run(&redacted, NULL, "key");
	expect(&redacted, "K|P|xP|Px|P|P|/P|my P|P|at P|");
	cr_expect_not(has_bytes(&redacted, "tea-1"));
	end(&redacted);
}

/* A short value is replaced only where it is one, and that may be in a constant. */
Test(redact, replaces_short_values_in_their_fields)
{
	struct redacted redacted = { .redact = { .is_collecting = false } };
	struct writer *writer = &redacted.made.writer;

	begin(&redacted);
	VARIABLE(writer, TEXT_KEY(1));
	VARIABLE(writer, TEXT("xy"));
	EVENT(writer, "a.E", LONG(1), TEXT_KEY(2), KEY(0), TEXT("xy"), INT(0), COUNT(0),
	      NO_TEXT, COUNT(0), KEY(0));
	POOL(writer, STRING);
	CONSTANT(writer, 1, TEXT("ab"));
	CONSTANT(writer, 2, TEXT("ab"));
	run(&redacted, NULL, "key");
	expect(&redacted, "K|K|P|xy|/P|ab|");
	end(&redacted);
}

Test(redact, takes_more_fields)
{
	static const char *const patterns[] = { "a.Place.ho*", "E.symbol", "word",
						"port", "E.te?ts", "nothing" };
	struct redacted redacted = { .redact = { .is_collecting = false } };
	struct writer *writer = &redacted.made.writer;
	const struct redact_field *fields;

	begin(&redacted);
	EVENT(writer, "a.E", LONG(1), TEXT("text"), KEY(1), TEXT("host"), INT(1), COUNT(1),
	      TEXT("other"), INT(2), TEXT("word"), COUNT(1), TEXT("more"), KEY(4));
	POOL(writer, SYMBOL);
	CONSTANT(writer, 1, TEXT("sym"));
	POOL(writer, "a.Place");
	CONSTANT(writer, 4, TEXT("kept"), INT(1));
	run(&redacted, "a.Place.ho*, E.symbol,word , port,,E.te?ts,nothing", "key");
	expect(&redacted, "text|P|P|P|P|/P|P|");
	cr_assert_eq(redacted.redact.fields.count, 6);
	fields = redacted.redact.fields.items;
	for (size_t i = 0; i < 6; i++) {
		cr_expect(str_is(fields[i].pattern, str_of(patterns[i])), "%zu", i);
		cr_expect_eq(fields[i].is_used, i != 3 && i != 5, "%zu", i);
	}
	end(&redacted);
}

/* The same value is the same everywhere, and under the same key in the next run. */
Test(redact, has_stable_pseudonyms)
{
	char first[60] = "";

	for (int round = 0; round < 4; round++) {
		struct redacted redacted = { .redact = { .is_collecting = false } };
		struct writer *writer = &redacted.made.writer;
		const char *key = round < 2 ? "key" : round < 3 ? "other" : NULL;
		struct buf told;

		begin(&redacted);
		VARIABLE(writer, TEXT("tea-1"));
		add_event(writer, "tea-1");
		cr_assert(writer_close(writer, NULL));
		make_begin(&redacted.made, NULL);
		add_event(writer, "tea-1");
		run(&redacted, NULL, key);
		told = texts(&redacted);
		cr_expect_arr_eq(told.bytes + 2, told.bytes + 26, 23);
		if (round == 0)
			memcpy(first, told.bytes + 2, 23);
		cr_expect_eq(memcmp(first, told.bytes + 2, 23) == 0, round < 2);
		cr_expect_not(has_bytes(&redacted, "tea-1"));
		buf_clear(&told);
		end(&redacted);
	}
}

/* Values that are parts of a pseudonym, or make one up together with what is around. */
Test(redact, leaves_no_value_in_what_it_writes)
{
	static const char *const values[] = { "redacted", "dact", "x<re", ">yyy", "0123" };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct redacted redacted = { .redact = { .is_collecting = false } };
		struct writer *writer = &redacted.made.writer;
		const struct make_value value = { .kind = MAKE_TEXT,
						  .text = str_of(values[i]) };

		begin(&redacted);
		VARIABLE(writer, value);
		VARIABLE(writer, TEXT("tea-1"));
		add_event(writer, "xtea-1yyy");
		run(&redacted, NULL, "key");
		cr_expect_not(has_bytes(&redacted, values[i]), "%s", values[i]);
		cr_expect_not(has_bytes(&redacted, "tea-1"));
		end(&redacted);
	}
}

/* With every pair of digits as a value nothing is left to write. */
Test(redact, writes_nothing_if_values_leave_no_choice)
{
	struct redacted redacted = { .redact = { .is_collecting = false } };
	struct writer *writer = &redacted.made.writer;

	begin(&redacted);
	for (int i = 0; i < 65536; i++) {
		char text[8];
		struct make_value value = { .kind = MAKE_TEXT, .text = { text, 4 } };

		snprintf(text, sizeof(text), "%04x", i);
		if (i % 16 == 0)
			continue;
		VARIABLE(writer, value);
	}
	VARIABLE(writer, TEXT("-000"));
	run(&redacted, NULL, "key");
	cr_expect_not(has_bytes(&redacted, "0001"));
	end(&redacted);
}

Test(redact, changes_what_metadata_says_to_people)
{
	struct redacted redacted = { .redact = { .is_collecting = false } };
	struct writer *writer = &redacted.made.writer;
	const struct type *type;
	struct str label;

	begin(&redacted);
	VARIABLE(writer, TEXT("tea-1"));
	VARIABLE(writer, TEXT("symbol"));
	VARIABLE(writer, TEXT("TICKS"));
	add_event(writer, "x");
	run(&redacted, NULL, "key");
	type = make_type(&redacted.made, "a.E");
	cr_assert(type);
	label = annotation_member(type_annotation(type, "jdk.jfr.Label"), STR("value"));
	cr_expect(str_starts(label, STR("says <redacted-")));
	cr_expect_not(has_bytes(&redacted, "tea-1"));
	/* Names of fields, and units, must stay. */
	cr_expect(type_field(type, "symbol"));
	cr_expect_eq(type->start->unit, UNIT_TIMESTAMP_TICKS);
	cr_assert_eq(redacted.damage.faults.count, 1);
	cr_expect(redacted.damage.faults.items[0].is_note);
	end(&redacted);
}

/* What cannot be read is not written, and nothing of it leaks. */
Test(redact, leaves_out_what_it_cannot_read)
{
	struct redacted redacted = { .redact = { .is_collecting = false } };
	struct writer *writer = &redacted.made.writer;

	begin(&redacted);
	VARIABLE(writer, TEXT("tea-1"));
	EVENT(writer, "a.E", LONG(1), TEXT("tea-1"));
	EVENT(writer, "jdk.InitialEnvironmentVariable", LONG(1), TEXT("K"), TEXT("x"),
	      BYTES("tea-1"));
	writer_event(writer, 999);
	buf_text(&writer->buf, "tea-1");
	add_event(writer, "tea-1");
	run(&redacted, NULL, "key");
	expect(&redacted, "K|P|K|P|P|/");
	cr_expect_not(has_bytes(&redacted, "tea-1"));
	end(&redacted);
}

Test(redact, has_a_limit_for_values)
{
	static char text[5 << 20];
	struct redact redact = { .is_collecting = false };
	struct made made = { 0 };
	struct input input = { 0 };
	struct damage damage = { 0 };
	struct err err = { 0 };

	writer_describe(&made.writer, make_jdk_types);
	make_begin(&made, types);
	for (int i = 0; i < 2; i++) {
		struct make_value value = { .kind = MAKE_TEXT,
					    .text = { text, sizeof(text) } };

		memset(text, 'a' + i, sizeof(text));
		VARIABLE(&made.writer, value);
	}
	cr_assert(make_bytes(&made), "%s", made.err.text);
	cr_assert(input_of_bytes(&input, made.bytes, made.size, "a.jfr"));
	cr_assert(input_keep(&input, &damage, &err));
	cr_expect_not(redaction_collect(&redact, &input, &err));
	cr_expect_str_eq(err.text, "there are too many values to be redacted: name fewer "
				   "fields");
	input_close(&input);
	damage_clear(&damage);
	redact_clear(&redact);
	make_clear(&made);
}
