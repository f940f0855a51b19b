#include <criterion/criterion.h>
#include <math.h>

#include "adding.h"

#define I(number) WHOLE(INT, number)
#define MAIN THING_OF(.kind = THING_THREAD, .text = { "main", 4 }, .id = 1)
#define OTHER_MAIN THING_OF(.kind = THING_THREAD, .text = { "main", 4 }, .id = 2)

Test(collection, lists_all_in_their_order)
{
	ADDS(LIST, whole, "[int 3]", I(3));
	ADDS(LIST, whole, "[int 3, int 1, int 3, null, long 3]", I(3), I(1), I(3), NOTHING,
	     WHOLE(LONG, 3));
	ADDS(LIST, other, "['b', 'a', 'b', thread main]", TEXT_OF("b"), TEXT_OF("a"),
	     TEXT_OF("b"), MAIN);
	ADDS(LIST, span, "[span 1.000000000, time 2.000000000]", SPAN_OF(1, 0),
	     TIME_OF(2, 0));
}

/* The first of equal ones counts. */
Test(collection, has_a_set_in_the_order_of_the_first)
{
	ADDS(SET, whole, "[int 3]", I(3), I(3));
	ADDS(SET, whole, "[int 3, null, int 1]", I(3), NOTHING, I(1), I(3), NOTHING, I(1));
	ADDS(SET, other, "['b', 'a']", TEXT_OF("b"), TEXT_OF("b"), TEXT_OF("a"),
	     TEXT_OF("b"));
	ADDS(SET, other, "[thread main, thread main]", MAIN, OTHER_MAIN, MAIN);
}

/* As Java's equals has it. */
Test(collection, tells_kinds_apart)
{
	ADDS(SET, whole, "[int 1, long 1, short 1, byte 1, char 1, true, double 1, float 1]",
	     I(1), WHOLE(LONG, 1), WHOLE(SHORT, 1), WHOLE(BYTE, 1), WHOLE(CHAR, 1),
	     WHOLE(BOOLEAN, 1), REAL(DOUBLE, 1), REAL(FLOAT, 1));
	ADDS(SET, real, "[double 0, double -0, double nan]", REAL(DOUBLE, 0.0),
	     REAL(DOUBLE, -0.0), REAL(DOUBLE, NAN), REAL(DOUBLE, NAN));
	ADDS(SET, span, "[span 1.000000002, span 1.000000001, time 1.000000001]",
	     SPAN_OF(1, 2), SPAN_OF(1, 1), SPAN_OF(1, 2), TIME_OF(1, 1));
}

Test(collection, counts_what_is_unique)
{
	ADDS_NONE(UNIQUE, whole, "int 0");
	ADDS(UNIQUE, whole, "int 1", NOTHING, NOTHING);
	ADDS(UNIQUE, whole, "int 3", I(1), I(2), NOTHING, I(1));
	ADDS(UNIQUE, other, "int 3", TEXT_OF("a"), TEXT_OF("a"), MAIN, OTHER_MAIN, MAIN);
	ADDS(UNIQUE, other, "int 2", TEXT_OF(""),
	     THING_OF(.kind = THING_TEXT, .text = { NULL, 0 }));
}

/* Numbers whose keys follow each other: they must not be taken for each other. */
Test(collection, keeps_neighbours_apart)
{
	ADDS(UNIQUE, whole, "int 5", WHOLE(LONG, -1), WHOLE(LONG, 0), WHOLE(LONG, 1),
	     WHOLE(LONG, INT64_MIN), WHOLE(LONG, INT64_MAX));
	/* The key of a span has its nanoseconds at bit 20. */
	ADDS(UNIQUE, span, "int 4", SPAN_OF(1 << 20, 0), SPAN_OF(0, 1),
	     SPAN_OF((1 << 20) + 1, 0), SPAN_OF(1, 1));
}

Test(collection, survives_without_memory)
{
	const struct adding all[] = {
		ADDING(LIST, other, TEXT_OF("a"), I(1), TEXT_OF("b")),
		ADDING(SET, other, TEXT_OF("a"), TEXT_OF("b"), TEXT_OF("a")),
		ADDING(UNIQUE, other, TEXT_OF("a"), TEXT_OF("b")),
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		adding_survive(&all[i]);
}
