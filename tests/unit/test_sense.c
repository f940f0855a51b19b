#include <criterion/criterion.h>
#include <stdio.h>

#include "copy/sense.h"
#include "make.h"

static const struct schema_type types[] = {
	TYPE("a.Text", NULL, .id = 50, FIELDS(FIELD("text", "java.lang.String"))),
	TYPE("a.Pair", NULL, .id = 51,
	     FIELDS(FIELD("text", "a.Text", POOLED), FIELD("x", "int"))),
	TYPE("a.Ring", NULL, .id = 52,
	     FIELDS(FIELD("next", "a.Ring", POOLED), FIELD("pair", "a.Pair", POOLED))),
	TYPE("a.User", NULL, .id = 53, FIELDS(FIELD("rings", "a.Ring", POOLED, ARRAY))),
	TYPE("a.Alone", NULL, .id = 54, FIELDS(FIELD("x", "int"))),
	TYPE("a.E", "jdk.jfr.Event", FIELDS(START, FIELD("user", "a.User", POOLED))),
	TYPES_END,
};

/* What a chunk says; `shift` is added to all keys but those of users. */
struct saying {
	uint64_t shift;
	const char *text;
	int x;
	bool is_longer; /* the ring has one more */
};

static void write_chunk(struct made *made, const struct saying *saying)
{
	struct writer *writer = &made->writer;
	uint64_t shift = saying->shift;

	make_begin(made, types);
	POOL(writer, "a.User");
	CONSTANT(writer, 1, COUNT(1), KEY(1 + shift));
	POOL(writer, "a.Ring");
	CONSTANT(writer, 1 + shift, KEY(2 + shift), KEY(1 + shift));
	CONSTANT(writer, 2 + shift, KEY((saying->is_longer ? 3 : 1) + shift), KEY(0));
	CONSTANT(writer, 3 + shift, KEY(1 + shift), KEY(99));
	POOL(writer, "a.Pair");
	CONSTANT(writer, 1 + shift, KEY(1 + shift), INT(saying->x));
	POOL(writer, "a.Text");
	CONSTANT(writer, 1 + shift, TEXT_KEY(1 + shift));
	POOL(writer, "java.lang.String");
	CONSTANT(writer, 1 + shift, MAKE(MAKE_TEXT, .text = str_of(saying->text)));
	POOL(writer, "a.Alone");
	CONSTANT(writer, 1, INT((int)shift));
	cr_assert(make_open(made), "%s", made->err.text);
}

/* A letter for each type of which a key of the first chunk means something else. */
static const char *differing(struct saying first, struct saying second)
{
	static const char *const names[] = { "a.Text", "a.Pair",	   "a.Ring",
					     "a.User", "java.lang.String", "a.Alone" };
	struct made before = { 0 }, behind = { 0 };
	struct sense sense = { .chunk = NULL };
	struct map last = { 0 };
	static char told[8];
	size_t size = 0;

	write_chunk(&before, &first);
	write_chunk(&behind, &second);
	cr_assert(sense_open(&sense, &before.chunk));
	cr_expect_not(sense_differs(&sense, &last, make_type(&before, "a.User")));
	cr_assert(sense_keep(&sense, &last));
	sense_close(&sense);
	cr_assert(sense_open(&sense, &behind.chunk));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (sense_differs(&sense, &last, make_type(&behind, names[i])))
			told[size++] = "TPRUSA"[i];
	}
	told[size] = '\0';
	sense_close(&sense);
	map_clear(&last);
	make_clear(&before);
	make_clear(&behind);
	return told;
}

Test(sense, is_the_same_of_the_same)
{
	struct saying saying = { 0, "text", 5, false };

	cr_expect_str_eq(differing(saying, saying), "");
}

/* Users refer to other keys, behind which the same stands. */
Test(sense, does_not_depend_on_keys)
{
	cr_expect_str_eq(differing((struct saying){ 0, "text", 5, false },
				   (struct saying){ 10, "text", 5, false }),
			 "");
}

Test(sense, changes_with_all_that_is_referred_to)
{
	struct saying first = { 0, "text", 5, false };

	cr_expect_str_eq(differing(first, (struct saying){ 0, "other", 5, false }),
			 "TPRUS");
	cr_expect_str_eq(differing(first, (struct saying){ 10, "other", 5, false }),
			 "U");
	cr_expect_str_eq(differing(first, (struct saying){ 0, "text", 6, false }),
			 "PRU");
	cr_expect_str_eq(differing(first, (struct saying){ 0, "text", 5, true }), "RU");
}

/* More types than are compared: then all is taken to differ. */
Test(sense, is_unknown_of_too_many_types)
{
	static const struct schema_field fields[] = { FIELD("x", "int"), { .name = NULL } };
	struct schema_type described[300][2] = { { TYPES_END } };
	char names[300][16];
	struct made made = { 0 };
	struct sense sense;
	struct map last = { 0 };

	make_begin(&made, types);
	for (int i = 0; i < 300; i++) {
		snprintf(names[i], sizeof(names[i]), "a.Type%d", i);
		described[i][0] = (struct schema_type)TYPE(names[i], NULL, .fields = fields);
		writer_describe(&made.writer, described[i]);
		POOL(&made.writer, names[i]);
		CONSTANT(&made.writer, 1, INT(i));
	}
	POOL(&made.writer, "java.lang.String");
	CONSTANT(&made.writer, 1, TEXT("text"));
	cr_assert(make_open(&made), "%s", made.err.text);
	for (int i = 0; i < 2; i++) {
		cr_assert(sense_open(&sense, &made.chunk));
		cr_expect_eq(sense_differs(&sense, &last, made.chunk.metadata.string), i);
		cr_expect(sense_keep(&sense, &last));
		sense_close(&sense);
	}
	map_clear(&last);
	make_clear(&made);
}
