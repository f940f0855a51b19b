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

Test(key, has_several_values_of_all_kinds)
{
	const struct datum time = { .kind = DATUM_TIME, .number = 5, .nanos = 1 };
	const struct datum later = { .kind = DATUM_TIME, .number = 5, .nanos = 2 };
	const struct datum span = { .kind = DATUM_SPAN, .number = 5, .nanos = 1 };
	const struct datum zero = datum_of_real(DATUM_DOUBLE, 0.0);
	const struct datum minus = datum_of_real(DATUM_DOUBLE, -0.0);

	OTHER(KEY(time), KEY(later));
	OTHER(KEY(time), KEY(span));
	OTHER(KEY(zero), KEY(minus));
	SAME(KEY(time, later, time), KEY(later, time));
	SAME(KEY(zero, time, DATUM_NONE), KEY(time, DATUM_NONE, zero));
	/* Null in front is dropped, and again; what comes then is the only one. */
	SAME(KEY(DATUM_NONE, DATUM_NONE, LONG(1)), KEY(LONG(1)));
	SAME(KEY(DATUM_NONE, DATUM_NONE), KEY(DATUM_NONE));
	SAME(KEY(DATUM_NONE, LONG(1), LONG(2)), KEY(LONG(2), LONG(1)));
}

/* Groups, methods and texts are what they are; stacks go by those of their methods. */
Test(key, has_other_things_as_they_are)
{
	const struct thing text = { .kind = THING_TEXT, .hash = 5 };
	const struct thing same = text;
	const struct thing methods = { .kind = THING_STACK, .hash = 9 };
	const struct thing stack = { .kind = THING_STACK, .method = &methods, .id = 1 };
	const struct thing other = { .kind = THING_STACK, .method = &methods, .id = 2 };
	const struct thing loader = { .kind = THING_LOADER, .id = 3 };

	SAME(KEY(THING(&text)), KEY(THING(&text)));
	OTHER(KEY(THING(&text)), KEY(THING(&same)));
	SAME(KEY(THING(&stack)), KEY(THING(&other)));
	SAME(KEY(THING(&loader)), KEY(LONG(3)));
}

static void expect_hash(const struct datum *values, size_t count, int32_t wanted, int line)
{
	struct datum room[4];
	struct key key = make(room, values, count);

	cr_expect_eq((int32_t)key_hash(&key), wanted, "line %d: %d", line,
		     (int32_t)key_hash(&key));
}

#define HASHES(key, wanted) expect_hash(key, wanted, __LINE__)
#define OF(kind_, number_) datum_of_integer(DATUM_##kind_, number_)
#define TIMED(kind_, seconds_, nanos_)                                         \
	((struct datum){ .kind = DATUM_##kind_, .number = (seconds_),          \
			 .nanos = (nanos_) })

/* The numbers are those of hashCode in JDK 25: Long, Instant, Duration ... */
Test(key, has_the_hash_of_one_value)
{
	HASHES(KEY(DATUM_NONE), 0);
	HASHES(KEY(LONG(INT64_C(0x500000003))), 6);
	HASHES(KEY(LONG(-1)), 0);
	HASHES(KEY(INT(-7)), -7);
	HASHES(KEY(OF(BYTE, -1)), -1);
	HASHES(KEY(OF(SHORT, -2)), -2);
	HASHES(KEY(OF(CHAR, 'x')), 120);
	HASHES(KEY(OF(BOOLEAN, 1)), 1231);
	HASHES(KEY(OF(BOOLEAN, 0)), 1237);
	HASHES(KEY(datum_of_real(DATUM_FLOAT, 1.5)), 1069547520);
	HASHES(KEY(datum_of_real(DATUM_DOUBLE, -0.0)), INT32_MIN);
	HASHES(KEY(TIMED(TIME, 1714557600, 123456789)), -579080753);
	HASHES(KEY(TIMED(TIME, -5, 1)), 55);
	HASHES(KEY(TIMED(SPAN, 5, 7)), 362);
	HASHES(KEY(TIMED(SPAN, -1, 999999999)), -539607603);
	HASHES(KEY(TIMED(SPAN, INT64_MAX, 999999999)), 1607876045);
}

/* A set has the sum. */
Test(key, has_the_hash_of_several_values)
{
	const struct thing tea = { .kind = THING_TEXT, .hash = 114704 };

	HASHES(KEY(LONG(5), THING(&tea)), 114709);
	HASHES(KEY(THING(&tea), DATUM_NONE, LONG(5)), 114709);
	HASHES(KEY(LONG(1), LONG(2), LONG(2)), 3);
}
