/*
 * plan.h - a query that knows the recording: its columns, and where their values are.
 *
 * Made (planner.h) from the types of the first chunk alone, as the JDK does; later chunks go
 * by the names of types and fields. Never changes afterwards, so any number of threads may
 * read it. Texts are the plan's own: it outlives chunk and query.
 */
#ifndef QUERY_PLAN_H
#define QUERY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "jfr/metadata.h"
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
	bool is_array;			/* as declared */
	enum type_role role;		/* of the declared type: a thread, a class ... */
	bool is_timespan, is_timestamp;
	bool is_percentage, is_frequency, is_address, is_bytes, is_bits;
	bool is_normalized, is_share_of_run;
	bool is_in_order;		/* lines of a cell stay as they are */
	enum truncation truncation;
	int cell_height;		/* lines, 1 and up */
	int precision;			/* decimals of milliseconds, or -1 */
	struct str missing;		/* shown for what is not there: "N/A" */
	int group;			/* its place in GROUP BY, or -1 */
	int order;			/* its place in ORDER BY, or -1 */
	enum query_direction direction;	/* there */
	const struct plan_input *inputs;	/* the first one gave the kind */
	size_t input_count;
	uint32_t part;			/* in plan.parts, or PLAN_NO_PART */
	uint32_t cell;			/* its place in a row of that part */
};

/* Of a column that is neither shown nor sorted by: rows have no cell for it. */
#define PLAN_NO_PART UINT32_MAX

/*
 * Columns that get their values from the same events. Those of another part are other
 * columns of other event types: of `SELECT * FROM *` each type is a part, and an event
 * makes a row of a single one.
 */
struct plan_part {
	uint32_t *columns;	/* by cell */
	uint32_t column_count;
};

/* An event must show this text in a field, or must not. */
struct plan_filter {
	struct plan_input input;
	const struct column *column;	/* how its value is made text */
	struct str text;
	bool is_negated;
};

/* An event type of FROM. */
struct plan_source {
	struct str type_name;		/* full */
	struct str label;		/* bytes NULL: it has none */
	bool is_experimental;
	const struct plan_filter *filters;
	size_t filter_count;
};

/* A column that takes a value from an event, and where it is found. */
struct plan_use {
	uint32_t column;
	struct plan_input input;
};

/*
 * What an event of a type adds, all at once. Sources of the same type and with the same
 * filters are one listener.
 */
struct plan_listener {
	uint32_t source;	/* the first of them */
	struct plan_use *uses;
	size_t use_count;
};

/* The name by which people know an event type, by its id; in ascending order. */
struct plan_setting {
	int64_t id;
	struct str label;
};

struct plan {
	const struct column *columns;	/* those that are shown come first, then what
					   else is grouped or sorted by */
	size_t column_count;
	size_t visible_count;
	const struct plan_part *parts;
	size_t part_count;
	const struct plan_source *sources;
	size_t source_count;
	const struct plan_listener *listeners;	/* in the order in which the JDK asks
						   them */
	size_t listener_count;
	bool is_grouped;		/* GROUP BY, or an aggregator */
	size_t group_count;		/* fields of GROUP BY */
	size_t order_count;		/* fields of ORDER BY */
	const struct plan_setting *settings;	/* what REACH_SETTING_TYPE gives */
	size_t setting_count;
	struct str complaint;		/* where plan_make failed: what the JDK would say */
	struct str ignored;		/* the field of a condition that is left out, as none
					   of the types has it; bytes NULL: none is */
	struct arena arena;
};

void plan_clear(struct plan *plan);

/* True if its values are whole numbers, whatever is counted. */
bool column_counts(const struct column *column);

/* True if its values are lists: of an array, or of an aggregator. */
bool column_is_list(const struct column *column);

/* True if its FORMAT makes fractions of its values: not of texts, say. */
bool column_is_share(const struct column *column);

/* True if a column that is shown comes from an experimental event type. */
bool plan_is_experimental(const struct plan *plan);

#endif
