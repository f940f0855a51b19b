#include <criterion/criterion.h>

#include <stdlib.h>

#include "show.h"

static const struct schema_type types[] = {
	TYPE("test.Note", NULL, FIELDS(FIELD("text", "java.lang.String"))),
	TYPE("test.E", "jdk.jfr.Event",
	     FIELDS(START, FIELD("note", "test.Note", POOLED))),
	TYPES_END,
};

/* Forty megabytes of texts: more than are kept. All events are shown all the same. */
Test(page, shows_texts_that_it_cannot_keep)
{
	enum { NOTES = 400, SIZE = 100000 };
	char *text = malloc(SIZE);
	struct made made = { 0 };
	struct shown shown;

	memset(text, 'x', SIZE);
	make_begin(&made, types);
	for (int i = 0; i < 2 * NOTES; i++)
		EVENT(&made.writer, "test.E", LONG(0), KEY(i / 2));
	POOL(&made.writer, "test.Note");
	for (int i = 0; i < NOTES; i++) {
		writer_constant(&made.writer, (uint64_t)i);
		encode_string(&made.writer.buf, (struct str){ text, SIZE });
	}
	cr_assert(make_bytes(&made));
	show(&shown, &made, &(struct show){ .threads = 2 });
	cr_expect(shown.good && damage_is_none(&shown.damage));
	cr_expect_gt(shown.text.size, 2 * NOTES * SIZE);
	cr_expect_lt(shown.text.size, 2 * NOTES * (SIZE + 200));
	shown_clear(&shown);
	make_clear(&made);
	free(text);
}

/* Fields of the same name and place in several chunks, but of other types. */
Test(page, has_its_own_labels_and_texts_for_each_chunk)
{
	const struct schema_type other[] = {
		TYPE("test.Note", NULL, FIELDS(FIELD("number", "int"))),
		TYPE("test.E", "jdk.jfr.Event",
		     FIELDS(START, FIELD("noted", "test.Note", POOLED))),
		TYPES_END,
	};
	struct made made = { 0 };

	make_begin(&made, types);
	EVENT(&made.writer, "test.E", LONG(0), KEY(1));
	POOL(&made.writer, "test.Note");
	CONSTANT(&made.writer, 1, TEXT("tea"));
	cr_assert(writer_close(&made.writer, NULL));
	schema_clear(&made.writer.schema);
	make_begin(&made, other);
	EVENT(&made.writer, "test.E", LONG(1), KEY(1));
	POOL(&made.writer, "test.Note");
	CONSTANT(&made.writer, 1, INT(42));
	cr_assert(make_bytes(&made), "%s", made.err.text);
	SHOWS(&made,
	      "test.E {\n  startTime = 00:00:00.000 (1970-01-01)\n"
	      "  note = {\n    text = \"tea\"\n  }\n}\n\n"
	      "test.E {\n  startTime = 00:00:00.000 (1970-01-01)\n"
	      "  noted = {\n    number = 42\n  }\n}\n\n",
	      0);
	make_clear(&made);
}
