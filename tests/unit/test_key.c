#include <criterion/criterion.h>

#include "query/key.h"

#define LONG(number_) ((struct datum){ .kind = DATUM_LONG, .number = (number_) })
#define INT(number_) ((struct datum){ .kind = DATUM_INT, .number = (number_) })
#define THING(thing_) ((struct datum){ .kind = DATUM_THING, .thing = (thing_) })

static struct key make(struct datum *room, const struct datum *values, size_t count)
{
	struct key key = { room, 0, false };

	for (size_t i = 0; i < count; i++)
		key_add(&key, values[i]);
	key_finish(&key);
	return key;
}

static void expect(const struct datum *a, size_t a_count, const struct datum *b,
		   size_t b_count, bool are_same, int line)
{
	struct datum a_room[4], b_room[4];
	struct key one = make(a_room, a, a_count), other = make(b_room, b, b_count);

	cr_expect_eq(key_is(&one, &other), are_same, "line %d", line);
	if (are_same) {
		cr_expect_eq(key_digest(&one, 7), key_digest(&other, 7), "line %d", line);
		cr_expect_eq(key_hash(&one), key_hash(&other), "line %d", line);
	}
}

#define KEY(...) (const struct datum[]){ __VA_ARGS__ }, \
	sizeof((const struct datum[]){ __VA_ARGS__ }) / sizeof(struct datum)
#define SAME(a, b) expect(a, b, true, __LINE__)
#define OTHER(a, b) expect(a, b, false, __LINE__)

Test(key, tells_kinds_apart)
{
	SAME(KEY(LONG(1)), KEY(LONG(1)));
	OTHER(KEY(LONG(1)), KEY(LONG(2)));
	OTHER(KEY(LONG(1)), KEY(INT(1)));
	OTHER(KEY(LONG(0)), KEY(DATUM_NONE));
}

Test(key, is_a_set_of_several_values)
{
	SAME(KEY(LONG(1), LONG(2)), KEY(LONG(2), LONG(1)));
	SAME(KEY(LONG(1), LONG(2), LONG(1)), KEY(LONG(2), LONG(1)));
	/* A set of one is not the one. */
	OTHER(KEY(LONG(1), LONG(1)), KEY(LONG(1)));
	/* Null in front is no part of it, behind it is. */
	SAME(KEY(DATUM_NONE, LONG(1)), KEY(LONG(1)));
	OTHER(KEY(LONG(1), DATUM_NONE), KEY(LONG(1)));
}

Test(key, has_threads_by_id_and_frames_by_method)
{
	const struct thing main_thread = { .kind = THING_THREAD, .id = 7 };
	const struct thing renamed = { .kind = THING_THREAD, .id = 7,
				       .text = { "x", 1 } };
	const struct thing method = { .kind = THING_METHOD, .hash = 5 };
	const struct thing frame = { .kind = THING_FRAME, .method = &method };
	const struct thing native = { .kind = THING_FRAME };

	SAME(KEY(THING(&main_thread)), KEY(THING(&renamed)));
	SAME(KEY(THING(&main_thread)), KEY(LONG(7)));
	SAME(KEY(THING(&frame)), KEY(THING(&method)));
	SAME(KEY(THING(&native)), KEY(DATUM_NONE));
}

/* The numbers are those of Long, Set.of and Objects.hashCode in JDK 25. */
Test(key, has_the_hash_of_java)
{
	struct datum room[4];
	struct key one = make(room, KEY(LONG(INT64_C(0x500000003))));

	cr_expect_eq(key_hash(&one), 6);
	one = make(room, KEY(LONG(1), LONG(2), DATUM_NONE));
	cr_expect_eq(key_hash(&one), 3);
	one = make(room, KEY(DATUM_NONE));
	cr_expect_eq(key_hash(&one), 0);
}
