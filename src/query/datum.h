/*
 * datum.h - a value in a row of a view: of a field, or what an aggregator made of some.
 *
 * Small values stand in the datum itself. All else is a thing in a lexicon (lexicon.h):
 * a text, a thread, a class ... that does not need its chunk any more.
 */
#ifndef QUERY_DATUM_H
#define QUERY_DATUM_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "jfr/clock.h"

enum datum_kind {
	DATUM_NULL,
	DATUM_BOOLEAN,		/* number, 0 or 1 */
	DATUM_BYTE,		/* number, with its sign, here and below */
	DATUM_SHORT,
	DATUM_CHAR,		/* a UTF-16 unit */
	DATUM_INT,
	DATUM_LONG,
	DATUM_FLOAT,		/* real; of a field, all NaNs have the same bits */
	DATUM_DOUBLE,
	DATUM_TIME,		/* number and nanos: seconds since 1970 UTC */
	DATUM_SPAN,		/* number and nanos: a length of time */
	DATUM_THING,		/* thing */
	DATUM_LIST,		/* list: of LIST and SET */
};

struct thing;
struct datum_list;

struct datum {
	enum datum_kind kind;
	int32_t nanos;			/* 0..999999999 */
	union {
		int64_t number;
		double real;
		const struct thing *thing;
		const struct datum_list *list;
	};
};

struct datum_list {
	size_t count;
	struct datum items[];
};

enum thing_kind {
	THING_TEXT,
	THING_THREAD,
	THING_CLASS,
	THING_LOADER,
	THING_GROUP,		/* of threads */
	THING_METHOD,
	THING_FRAME,
	THING_STACK,
	THING_OBJECT,		/* any other struct, or an array */
};

/* Never changes. Two of one lexicon are equal if they are the same. */
struct thing {
	enum thing_kind kind;
	uint32_t hash;		/* Java's, of what it is grouped by (jfr-tool.md 0.6) */
	struct str text;	/* all of it: "java.util.List.add(Object)"; a string as
				   recorded; bytes NULL: nothing to show */
	struct str compact;	/* where there is little room: "java.util.List.add(...)" */
	struct str detail;	/* what else tells it apart: a descriptor ... */
	int64_t id;		/* thread, class, loader, stack: the key; method: of its
				   class */
	const struct thing *method;		/* frame: NULL if not one of Java */
	const struct thing *const *frames;	/* stack: topmost first */
	size_t frame_count;
	uint64_t mark;		/* of its lexicon, which sets it; 0 in contents */
};

#define DATUM_NONE ((struct datum){ .kind = DATUM_NULL })

static inline struct time datum_time(const struct datum *datum)
{
	return (struct time){ datum->number, datum->nanos };
}

static inline struct datum datum_of_time(enum datum_kind kind, struct time time)
{
	return (struct datum){ .kind = kind, .nanos = time.nanos, .number = time.seconds };
}

static inline struct datum datum_of_integer(enum datum_kind kind, int64_t number)
{
	return (struct datum){ .kind = kind, .number = number };
}

static inline struct datum datum_of_real(enum datum_kind kind, double real)
{
	return (struct datum){ .kind = kind, .real = real };
}

/* BYTE, SHORT, INT or LONG: Java's whole numbers. A char is none. */
static inline bool datum_is_integral(const struct datum *datum)
{
	return datum->kind == DATUM_BYTE || datum->kind == DATUM_SHORT ||
	       datum->kind == DATUM_INT || datum->kind == DATUM_LONG;
}

static inline bool datum_is_real(const struct datum *datum)
{
	return datum->kind == DATUM_FLOAT || datum->kind == DATUM_DOUBLE;
}

/* A Number of Java: whole or not. */
static inline bool datum_is_number(const struct datum *datum)
{
	return datum_is_integral(datum) || datum_is_real(datum);
}

/* As a double; of a number alone. */
static inline double datum_real(const struct datum *datum)
{
	return datum_is_real(datum) ? datum->real : (double)datum->number;
}

/* True if it is a number, and neither infinite nor none. */
static inline bool datum_is_finite(const struct datum *datum)
{
	return datum_is_number(datum) && isfinite(datum_real(datum));
}

/*
 * <0, 0, >0: the order of rows and of MIN and MAX (jfr-tool.md 5.7). Null is the least;
 * numbers are compared with numbers, and are greater than all else; of two different
 * kinds otherwise, or two things that have no order, neither is greater.
 */
int datum_compare(const struct datum *a, const struct datum *b);

/* Equal as Java's equals has it: of the same kind, too. */
bool datum_is(const struct datum *a, const struct datum *b);

#endif
