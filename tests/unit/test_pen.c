#include <criterion/criterion.h>

#include <stdlib.h>

#include "render/pen.h"
#include "show.h"

#define TIME "  startTime = 00:00:00.000 (1970-01-01)\n"

/* An A holds a B and a B an A, each may be the same again; a link holds the next. */
static const struct schema_type types[] = {
	TYPE("test.A", NULL,
	     FIELDS(FIELD("name", "int"), FIELD("b", "test.B", POOLED))),
	TYPE("test.B", NULL,
	     FIELDS(FIELD("name", "int"), FIELD("a", "test.A", POOLED))),
	TYPE("test.InA", NULL, FIELDS(FIELD("a", "test.A", POOLED))),
	TYPE("test.InB", NULL, FIELDS(FIELD("b", "test.B", POOLED))),
	TYPE("test.OfA", "jdk.jfr.Event", FIELDS(START, FIELD("a", "test.A", POOLED))),
	TYPE("test.OfInA", "jdk.jfr.Event", FIELDS(START, FIELD("in", "test.InA"))),
	TYPE("test.OfInB", "jdk.jfr.Event", FIELDS(START, FIELD("in", "test.InB"))),
	TYPE("test.Link", NULL, FIELDS(FIELD("next", "test.Link", POOLED))),
	TYPE("test.OfLink", "jdk.jfr.Event",
	     FIELDS(START, FIELD("link", "test.Link", POOLED))),
	TYPE("test.Heavy", NULL,
	     FIELDS(FIELD("text", "java.lang.String"),
		    FIELD("parts", "test.Heavy", POOLED, ARRAY))),
	TYPE("test.OfHeavy", "jdk.jfr.Event",
	     FIELDS(START, FIELD("heavy", "test.Heavy", POOLED))),
	TYPES_END,
};

#define OF_A                                                                           \
	"test.OfA {\n" TIME                                                            \
	"  a = {\n    name = 1\n    b = {\n      name = 2\n      a = N/A\n"            \
	"    }\n  }\n}\n\n"
#define OF_IN_A                                                                        \
	"test.OfInA {\n" TIME                                                          \
	"  in = {\n    a = {\n      name = 1\n      b = {\n        name = 2\n"         \
	"        a = N/A\n      }\n    }\n  }\n}\n\n"
#define OF_IN_B                                                                        \
	"test.OfInB {\n" TIME                                                          \
	"  in = {\n    b = {\n      name = 2\n      a = {\n        name = 1\n"         \
	"        b = N/A\n      }\n    }\n  }\n}\n\n"

/* The constants 1 of A and 2 of B hold each other; events of the types come in turn. */
static void make_ring(struct made *made, const char *const *events)
{
	make_begin(made, types);
	for (; *events; events++)
		EVENT(&made->writer, *events, LONG(0),
		      KEY(strcmp(*events, "test.OfInB") ? 1 : 2));
	POOL(&made->writer, "test.A");
	CONSTANT(&made->writer, 1, INT(1), KEY(2));
	POOL(&made->writer, "test.B");
	CONSTANT(&made->writer, 2, INT(2), KEY(1));
	cr_assert(make_bytes(made));
}

Test(pen, shows_a_constant_inside_itself_as_null)
{
	struct made made = { 0 };

	make_ring(&made, (const char *const[]){ "test.OfA", "test.OfA", NULL });
	SHOWS(&made, OF_A OF_A, 0);
	make_clear(&made);
}

/*
 * What was kept of a ring at one place must not be shown at another, where the ring
 * is entered elsewhere: the B of the first event ends in a null that the second, at
 * the same depth, has not.
 */
Test(pen, keeps_no_text_that_was_cut_further_out)
{
	struct made made = { 0 };

	make_ring(&made,
		  (const char *const[]){ "test.OfA", "test.OfInB", "test.OfA", NULL });
	SHOWS(&made, OF_A OF_A OF_IN_B, .threads = 1, .events = "*");
	make_clear(&made);
}

Test(pen, shows_rings_the_same_in_whatever_order_they_come)
{
	static const char *const orders[][4] = {
		{ "test.OfA", "test.OfInA", "test.OfInB", NULL },
		{ "test.OfInB", "test.OfInA", "test.OfA", NULL },
		{ "test.OfInB", "test.OfA", "test.OfInA", NULL },
		{ "test.OfInA", "test.OfInB", "test.OfA", NULL },
	};

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		struct made made = { 0 };

		make_ring(&made, orders[i]);
		SHOWS(&made, OF_A, .events = "OfA");
		SHOWS(&made, OF_IN_A, .events = "OfInA");
		SHOWS(&made, OF_IN_B, .events = "OfInB");
		for (int threads = 1; threads <= 2; threads++) {
			struct shown shown;

			show(&shown, &made, &(struct show){ .threads = threads });
			buf_byte(&shown.text, '\0');
			cr_expect(strstr(shown.text.bytes, OF_A), "order %zu", i);
			cr_expect(strstr(shown.text.bytes, OF_IN_A), "order %zu", i);
			cr_expect(strstr(shown.text.bytes, OF_IN_B), "order %zu", i);
			shown_clear(&shown);
		}
		make_clear(&made);
	}
}

static size_t count_of(const struct buf *text, const char *word)
{
	const char *at = text->bytes, *end = text->bytes + text->size;
	size_t count = 0;

	while ((at = memmem(at, (size_t)(end - at), word, strlen(word)))) {
		count++;
		at += strlen(word);
	}
	return count;
}

/* Links 1 to 3000 each hold the next. */
static void make_links(struct made *made, uint64_t first)
{
	make_begin(made, types);
	EVENT(&made->writer, "test.OfLink", LONG(0), KEY(first));
	EVENT(&made->writer, "test.OfLink", LONG(0), KEY(2995));
	EVENT(&made->writer, "test.OfLink", LONG(0), KEY(first));
	POOL(&made->writer, "test.Link");
	for (uint64_t key = 1; key <= 3000; key++)
		CONSTANT(&made->writer, key, KEY(key + 1));
	cr_assert(make_bytes(made));
}

Test(pen, goes_down_only_so_far)
{
	static const struct {
		const struct printer *printer;
		const char *open;
	} formats[] = { { &pretty_printer, " = {" },
			{ &json_printer, "\": {" },
			{ &xml_printer, "<struct name=\"next\">" } };

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct made made = { 0 };
		struct shown shown;
		size_t links;

		make_links(&made, 1);
		show(&shown, &made, &(struct show){ .printer = formats[i].printer });
		links = count_of(&shown.text, formats[i].open);
		cr_expect(shown.good && damage_is_none(&shown.damage));
		cr_expect(links > 2 * (PEN_DEPTH_MAX - 10) &&
				  links < 2 * (PEN_DEPTH_MAX + 10),
			  "format %zu: %zu", i, links);
		shown_clear(&shown);
		make_clear(&made);
	}
}

/* A heavy thing has ten lighter ones, down to the lightest, which is a text. */
static void make_heavy(struct made *made, int levels, size_t size)
{
	char *text = malloc(size);

	memset(text, 'x', size);
	make_begin(made, types);
	EVENT(&made->writer, "test.OfHeavy", LONG(0), KEY(levels));
	EVENT(&made->writer, "test.OfHeavy", LONG(1), KEY(levels));
	EVENT(&made->writer, "test.OfLink", LONG(2), KEY(0));
	POOL(&made->writer, "test.Heavy");
	for (int level = 0; level <= levels; level++) {
		writer_constant(&made->writer, (uint64_t)level);
		encode_string(&made->writer.buf,
			      (struct str){ text, level ? 0 : size });
		encode_varint(&made->writer.buf, level ? 10 : 0);
		for (int i = 0; level && i < 10; i++)
			encode_varint(&made->writer.buf, (uint64_t)level - 1);
	}
	cr_assert(make_bytes(made));
	free(text);
}

Test(pen, leaves_out_an_event_whose_text_grows_too_large)
{
	static const struct printer *const printers[] = { &pretty_printer,
							  &json_printer, &xml_printer };

	for (size_t i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
		struct made made = { 0 };
		struct shown shown;

		make_heavy(&made, 9, 1);
		show(&shown, &made, &(struct show){ .printer = printers[i] });
		cr_expect(shown.good);
		cr_expect_eq(
			shown_faults(&shown, "an event grows too large when it is expanded"),
			2);
		cr_expect_eq(count_of(&shown.text, "test.OfHeavy"), 0);
		cr_expect_eq(count_of(&shown.text, "test.OfLink"), 1);
		cr_expect_lt(shown.text.size, 1000);
		shown_clear(&shown);
		make_clear(&made);
	}
}

Test(pen, shows_an_event_that_is_just_not_too_large)
{
	struct made made = { 0 };
	struct shown shown;

	make_heavy(&made, 1, PEN_EVENT_LIMIT / 11);
	show(&shown, &made, &(struct show){ 0 });
	cr_expect(shown.good && damage_is_none(&shown.damage));
	cr_expect_gt(shown.text.size, PEN_EVENT_LIMIT / 11 * 20);
	shown_clear(&shown);
	make_clear(&made);
}
