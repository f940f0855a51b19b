/*
 * query.h - a query of the view language, as it was written.
 *
 *	[COLUMN 'text', ...] [FORMAT property;property, ...]
 *	SELECT * | expression, ... FROM type [AS alias], ...
 *	[WHERE field = 'text' AND ...] [GROUP BY field, ...]
 *	[ORDER BY field [ASC | DESC], ...] [LIMIT number]
 *
 * An expression is a field or AGGREGATOR(field), with an alias or without: `AS name`.
 * Nothing is known yet about the types and fields of a recording: that is plan.h.
 * Language and names are the JDK's (jfr-tool.md 5.3); ours are a `?` behind the type of
 * a source, which need not be there then, and the properties marked below.
 */
#ifndef QUERY_QUERY_H
#define QUERY_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

enum aggregator {
	AGGREGATOR_NONE,
	AGGREGATOR_AVERAGE,
	AGGREGATOR_COUNT,
	AGGREGATOR_DIFFERENCE,
	AGGREGATOR_FIRST,
	AGGREGATOR_LAST,
	AGGREGATOR_LIST,
	AGGREGATOR_SET,
	AGGREGATOR_MAXIMUM,
	AGGREGATOR_MEDIAN,
	AGGREGATOR_MINIMUM,
	AGGREGATOR_P90,
	AGGREGATOR_P95,
	AGGREGATOR_P99,
	AGGREGATOR_P999,
	AGGREGATOR_DEVIATION,
	AGGREGATOR_SUM,
	AGGREGATOR_UNIQUE,
	AGGREGATOR_LAST_BATCH,
	AGGREGATOR_COUNT_OF_KINDS,	/* not one: how many there are */
};

/* What there is to know of each by its number; all but _NONE have names. */
struct aggregator_facts {
	const char *name;	/* in queries, "AVG" */
	const char *long_name;	/* in the text of --verbose, "AVERAGE" */
	const char *before;	/* around the label of its column, "Avg. " and ""; but */
	const char *after;	/* of COUNT, `before` is all of it */
	bool is_mean;		/* fractions, even of whole numbers */
};

extern const struct aggregator_facts aggregator_facts[AGGREGATOR_COUNT_OF_KINDS];

enum truncation {
	TRUNCATE_DEFAULT,	/* at the end */
	TRUNCATE_BEGINNING,
	TRUNCATE_END,
};

/* The properties of a column. */
struct query_format {
	struct str text;	/* as it was written, properties joined by ';' */
	bool is_normalized;	/* shares of the sum of the column */
	bool is_share_of_run;	/* ours, "share-of-run": of the time recorded */
	bool is_in_order;	/* ours, "in-order": lines of a cell are not sorted */
	enum truncation truncation;
	struct str missing;	/* instead of N/A; bytes NULL: not given */
	int cell_height;	/* 0: not given */
	int precision;		/* decimals of milliseconds; -1: not given */
};

/* `at` is everywhere the offset in the text of the query. */
struct query_expression {
	struct str field;	/* "*" for COUNT(*) */
	struct str alias;	/* bytes NULL: none */
	enum aggregator aggregator;
	size_t at;
};

struct query_source {
	struct str name;	/* of an event type, or a pattern with `*` and `?` */
	struct str alias;
	bool is_optional;	/* ours: the recording need not know it; its `?` is not
				   in the name */
	size_t at;
};

struct query_condition {
	struct str field, value;
	bool is_negated;	/* ours: != */
	size_t at;
};

enum query_direction {
	ORDER_DEFAULT,		/* as the column's kind suggests */
	ORDER_ASCENDING,
	ORDER_DESCENDING,
};

struct query_order {
	struct str field;
	enum query_direction direction;
	size_t at;
};

struct query_grouping {
	struct str field;
	size_t at;
};

#define QUERY_NO_LIMIT SIZE_MAX

/* Texts and arrays live in the arena that the query was read with. */
struct query {
	const struct str *columns;		/* titles of COLUMN */
	size_t column_count;
	size_t columns_at;
	const struct query_format *formats;	/* of FORMAT */
	size_t format_count;
	size_t formats_at;
	const struct query_expression *select;	/* none: SELECT * */
	size_t select_count;
	const struct query_source *from;
	size_t from_count;
	const struct query_condition *where;
	size_t where_count;
	const struct query_grouping *group_by;
	size_t group_count;
	const struct query_order *order_by;
	size_t order_count;
	size_t limit;				/* rows; QUERY_NO_LIMIT */
	bool is_lenient;	/* set by the caller: types may be spelled with another
				   case, or with dashes, if none has the name */
};

/*
 * Reads a query. False with ERR_USAGE: what was expected and what stands there, *at says
 * where in the text; or ERR_MEMORY.
 */
bool query_parse(struct query *query, struct str text, struct arena *arena, size_t *at,
		 struct err *err);

/* The query written out in the JDK's way, as --verbose shows it, in one line. */
void query_write(const struct query *query, struct buf *to);

#endif
