/*
 * plan.h - a query that knows the recording: its columns, and where their values are.
 *
 * Made from the types of the first chunk alone, as the JDK does; later chunks go by the
 * names of types and fields. Never changes afterwards, so any number of threads may
 * read it. Texts are the plan's own: it outlives chunk and query.
 */
#ifndef QUERY_PLAN_H
#define QUERY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "jfr/chunk.h"
#include "query/query.h"

/* How a column finds its value in an event. */
enum reach {
	REACH_FIELD,		/* the field at the end of the path */
	REACH_TYPE_LABEL,	/* eventType.label */
	REACH_TYPE_NAME,	/* eventType.name */
	REACH_SETTING_TYPE,	/* id of jdk.ActiveSetting: the type it is about */
	REACH_TOP_FRAME,	/* the first frame of Java; path: what of it, or empty */
	REACH_TOP_APPLICATION_FRAME,
	REACH_TOP_NOT_INIT_FRAME,
	REACH_ONE,		/* always the same */
};

/* From which events a column takes its values. */
struct plan_input {
	uint32_t source;
	enum reach reach;
	struct str path;	/* names with dots between */
};

/* What kind of values a column has, which decides how they are shown and sorted. */
struct column {
	struct str name;		/* symbolic: the field without its type */
	struct str title;		/* above the column */
	enum aggregator aggregator;
	bool is_visible;
	bool is_left;			/* aligned so */
	bool is_lexical;		/* sorted by its text */
	bool is_fixed;			/* gets no more width than it needs */
	bool is_text;			/* values are made text first, as types differ */
	bool is_integral, is_fractional;	/* numbers, as declared */
	bool is_boolean;		/* as declared */
	enum type_role role;		/* of the declared type: a thread, a class ... */
	bool is_timespan, is_timestamp;
	bool is_percentage, is_frequency, is_address, is_bytes, is_bits;
	bool is_normalized, is_share_of_run;
	enum truncation truncation;
	int cell_height;		/* lines, 1 and up */
	int precision;			/* decimals of milliseconds, or -1 */
	struct str missing;		/* shown for what is not there: "N/A" */
	int group;			/* its place in GROUP BY, or -1 */
	int order;			/* its place in ORDER BY, or -1 */
	enum query_direction direction;	/* there */
	const struct plan_input *inputs;	/* the first one gave the kind */
	size_t input_count;
};

/* An event must show this text in a field. */
struct plan_filter {
	struct plan_input input;
	const struct column *column;	/* how its value is made text */
	struct str text;
};

/* An event type of FROM. */
struct plan_source {
	struct str type_name;		/* full */
	struct str label;		/* bytes NULL: it has none */
	bool is_experimental;
	const struct plan_filter *filters;
	size_t filter_count;
};

struct plan {
	const struct column *columns;	/* those that are shown come first, then what
					   else is grouped or sorted by */
	size_t column_count;
	size_t visible_count;
	const struct plan_source *sources;
	size_t source_count;
	bool is_grouped;		/* GROUP BY, or an aggregator */
	size_t group_count;		/* fields of GROUP BY */
	size_t order_count;		/* fields of ORDER BY */
	size_t limit;			/* rows shown; QUERY_NO_LIMIT */
	struct arena arena;
};

/*
 * Looks the query up in the types of the chunk. False: ERR_USAGE if it makes no sense with
 * any recording, ERR_FORMAT if this one has no such type or field; the text says so
 * in the JDK's words, which --verbose and `all-views` show; *at is the place in the query;
 * *nearest is the name of a type or field that may be meant, bytes NULL if there is none,
 * and lives in the plan's arena. Or ERR_MEMORY. In any case: plan_clear it.
 */
bool plan_make(struct plan *plan, const struct query *query, const struct chunk *chunk,
	       size_t *at, struct str *nearest, struct err *err);

void plan_clear(struct plan *plan);

/* True if a column that is shown comes from an experimental event type. */
bool plan_is_experimental(const struct plan *plan);

#endif
