/*
 * columns.h - the columns of a table of events, and what each event puts into them.
 *
 *	struct columns columns = { .failed = false };
 *
 *	columns_add(&columns, metadata, shown);		one chunk after the other
 *	columns_freeze(&columns);
 *	row = columns_row(&columns, type, &arena);	any type of any chunk
 *	columns_clear(&columns);
 *
 * A column is known by its name alone: fields of the same name share it, whatever
 * their types. A structure is spread over columns for its fields, "heapSpace.start";
 * nested ones down to COLUMNS_DEPTH names, but none inside itself. What is frozen never
 * changes, so any number of threads may make rows.
 */
#ifndef RENDER_COLUMNS_H
#define RENDER_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "jfr/metadata.h"

/* More columns than this, deeper structures and longer names are not for tables. */
#define COLUMNS_MAX 4096
#define COLUMNS_DEPTH 4
#define COLUMNS_NAME_MAX 1000

/* What is wrong with an event for which row->lacks_columns holds; for damage_add. */
#define COLUMNS_FAULT "fields that are not in the header row are left out"

struct event_column {
	struct str name;	/* owned by the columns */
	uint32_t group;		/* the column it stands behind; or itself */
	uint32_t part;		/* its place there */
	uint64_t rank;		/* its place among all */
};

struct columns {
	VEC(struct event_column) items;
	bool has_types;		/* in front of them is one for the event type */
	struct map by_name;	/* hash -> index */
	struct arena arena;
	struct str type;	/* the first event type added; bytes NULL: none yet */
	bool has_several;	/* event types */
	bool failed;		/* out of memory */
};

/*
 * Adds what the event types have that are shown: those whose byte, by type index, is
 * not 0, and whose events can be decoded. False when memory runs out.
 */
bool columns_add(struct columns *columns, const struct metadata *metadata,
		 const unsigned char *shown);

/*
 * Puts them in order; nothing may be added afterwards. Those of one event type are in
 * the order of its fields. Of several, startTime, duration, eventThread and stackTrace
 * come first and the others as they were found. False when memory runs out.
 */
bool columns_freeze(struct columns *columns);

/* Gives the memory back. Rows do not need the columns. */
void columns_clear(struct columns *columns);

enum cell_kind {
	CELL_NONE,		/* always null */
	CELL_VALUE,		/* a primitive or a string */
	CELL_ARRAY,
	CELL_STRUCT,		/* one that is not spread over columns */
	CELL_NAME,		/* of a class, class loader, method or thread group */
	CELL_STACK,
	CELL_THREAD,		/* its name, followed by its ids */
	CELL_JAVA_THREAD_ID,
	CELL_OS_THREAD_ID,
};

/* The value of a column. */
struct cell {
	uint32_t column;
	uint32_t node;		/* in whose values it is found, */
	uint32_t slot;		/* at this place */
	enum cell_kind kind;
	const struct field *field;
};

/* The event (node 0), or a constant that is spread over columns. */
struct row_node {
	uint32_t parent;	/* the node in whose values its key is found, */
	uint32_t slot;		/* at this place */
	const struct field *field;
};

/* What an event of a type puts into the columns, in their order. */
struct row {
	const struct cell *cells;
	size_t cell_count;
	const struct row_node *nodes;	/* behind those they are found in */
	size_t node_count;
	bool lacks_columns;		/* some of its fields have none */
};

/* In the arena; borrows from the type. NULL when memory runs out. */
const struct row *columns_row(const struct columns *columns, const struct type *type,
			      struct arena *arena);

#endif
