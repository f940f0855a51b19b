/*
 * ask.h - what queries give, as text that tests compare.
 *
 *	ASKS(&made, "'tea' | int 1\n"
 *		    "null | int 7\n", "SELECT item, count FROM Sale");
 *
 * made.bytes must be there (make_bytes, or make_open).
 */
#ifndef UNIT_ASK_H
#define UNIT_ASK_H

#include "make.h"
#include "query/inquiry.h"

/*
 * A value with its kind: null, true, byte -1, char 65, int 1, long 1, float 0.5,
 * double 0.5, time 12.000000000, span 0.500000000, 'text', thread main, <stack>,
 * [int 1, null]. What has no text stands in <>; doubles have all their digits.
 */
void ask_tell(struct buf *to, const struct datum *datum);

/* The rows of a result, a line each: cells of columns that are shown. */
void ask_tell_rows(struct buf *to, const struct result *result);

/* How to ask; what is left out is as for a view without options, on one thread. */
struct ask {
	const struct made *made;
	const char *const *queries;	/* NULL behind the last */
	const struct filter *filter;
	int threads;
	bool asks_all_types;
};

struct asked {
	struct inquiry inquiry;
	struct damage damage;
	struct err err;
	bool is_good;
};

void ask(struct asked *asked, const struct ask *how);

void asked_clear(struct asked *asked);

/* The rows of one question; of one that is not planned, why. */
void asked_expect(const struct asked *asked, size_t question, const char *wanted,
		  int line);

/* Asks one query and compares its rows. */
void ask_compare(const struct made *made, const char *wanted, const char *query, int line);

#define ASKS(made, wanted, query) ask_compare(made, wanted, query, __LINE__)

#endif
