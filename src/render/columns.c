#include "render/columns.h"

#include <stdlib.h>

#include "base/buf.h"

/* What comes first where there are several event types. */
static const struct str fronts[] = {
	STR("startTime"), STR("duration"), STR("eventThread"), STR("stackTrace"),
};

#define FRONT_COUNT (sizeof(fronts) / sizeof(fronts[0]))

/* The columns of a thread, behind its name. */
static const struct str thread_parts[] = { STR(""), STR(".javaThreadId"),
					   STR(".osThreadId") };

/* A way over all fields of an event type that have a column of their own. */
struct walk {
	void (*visit)(struct walk *walk, const struct cell *cell);
	struct buf name;			/* of the cell's column */
	const struct type *path[COLUMNS_DEPTH];	/* from the event type on */
	size_t depth;
	uint32_t left;				/* fields that may still be looked at */
	VEC(struct row_node) nodes;
	bool is_cut;				/* fields are left out */
	bool failed;				/* out of memory */
	struct columns *to;			/* adding: where to, */
	uint32_t group;				/* and the name of the thread */
	const struct columns *from;		/* making a row: of what, */
	struct cell *cells;			/* by column; no field: none yet, */
	size_t cell_count;			/* and how many there are */
};

static const enum cell_kind role_kinds[] = {
	[TYPE_PLAIN] = CELL_STRUCT,
	[TYPE_THREAD] = CELL_THREAD,
	[TYPE_THREAD_GROUP] = CELL_NAME,
	[TYPE_CLASS] = CELL_NAME,
	[TYPE_CLASS_LOADER] = CELL_NAME,
	[TYPE_METHOD] = CELL_NAME,
	[TYPE_STACK_TRACE] = CELL_STACK,
	[TYPE_STACK_FRAME] = CELL_STRUCT,
	[TYPE_OLD_OBJECT] = CELL_STRUCT,
};

static enum cell_kind kind_of(const struct field *field)
{
	if (!field->shown)
		return CELL_NONE;
	if (field->array)
		return CELL_ARRAY;
	if (field->shown->primitive != OP_NONE)
		return CELL_VALUE;
	return role_kinds[field->shown->role];
}

static void walk_field(struct walk *walk, const struct field *field, uint32_t node,
		       uint32_t slot);

static void visit(struct walk *walk, const struct cell *cell, struct str suffix)
{
	size_t size = walk->name.size;

	buf_str(&walk->name, suffix);
	if (!walk->name.failed)
		walk->visit(walk, cell);
	walk->name.size = size;
}

static void visit_thread(struct walk *walk, struct cell cell)
{
	for (size_t i = 0; i < sizeof(thread_parts) / sizeof(thread_parts[0]); i++) {
		cell.kind = CELL_THREAD + (enum cell_kind)i;
		visit(walk, &cell, thread_parts[i]);
	}
}

static bool can_spread(const struct walk *walk, const struct type *type)
{
	for (size_t i = 0; i < walk->depth; i++) {
		if (walk->path[i] == type)
			return false;
	}
	return walk->depth < COLUMNS_DEPTH;
}

static void walk_fields(struct walk *walk, const struct type *type, uint32_t node,
			uint32_t slot)
{
	walk->path[walk->depth++] = type;
	for (size_t i = 0; i < type->field_count && !walk->failed; i++)
		walk_field(walk, &type->fields[i], node, slot);
	walk->depth--;
}

/* The fields of a structure; a constant becomes a node if any of them has a cell. */
static void spread(struct walk *walk, const struct cell *cell)
{
	struct row_node node = { cell->node, cell->slot, cell->field };
	size_t node_count = walk->nodes.count, cell_count = walk->cell_count;

	if (!cell->field->pooled) {
		walk_fields(walk, cell->field->shown, cell->node, cell->slot);
		return;
	}
	if (!vec_push(&walk->nodes, node)) {
		walk->failed = true;
		return;
	}
	walk_fields(walk, cell->field->shown, (uint32_t)node_count, 0);
	if (walk->cell_count == cell_count)
		walk->nodes.count = node_count;
}

static void walk_field(struct walk *walk, const struct field *field, uint32_t node,
		       uint32_t slot)
{
	struct cell cell = { .node = node, .slot = slot + field->slot,
			     .kind = kind_of(field), .field = field };
	size_t size = walk->name.size;

	if (walk->left == 0 || size + field->name.size > COLUMNS_NAME_MAX) {
		walk->is_cut = true;
		return;
	}
	walk->left--;
	if (walk->depth > 1)
		buf_byte(&walk->name, '.');
	buf_str(&walk->name, field->name);
	if (cell.kind == CELL_STRUCT && can_spread(walk, field->shown))
		spread(walk, &cell);
	else if (cell.kind == CELL_THREAD)
		visit_thread(walk, cell);
	else
		visit(walk, &cell, STR(""));
	walk->name.size = size;
}

/* The same fields in the same order, whatever is done with them. */
static void walk_type(struct walk *walk, const struct type *type)
{
	struct row_node event = { 0, 0, NULL };

	walk->left = COLUMNS_MAX;
	walk->nodes.count = 0;
	walk->failed |= !vec_push(&walk->nodes, event);
	walk_fields(walk, type, 0, 0);
	walk->failed |= walk->name.failed;
}

static void walk_clear(struct walk *walk)
{
	buf_clear(&walk->name);
	vec_clear(&walk->nodes);
}

/* FNV-1a */
static uint64_t hash_of(struct str name)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < name.size; i++)
		hash = (hash ^ (unsigned char)name.bytes[i]) * 0x100000001b3;
	return hash;
}

/* The column of that name, or MAP_NONE; *hash is where it is, or would be kept. */
static uint32_t find(const struct columns *columns, struct str name, uint64_t *hash)
{
	uint32_t index;

	*hash = hash_of(name);
	while ((index = map_find(&columns->by_name, *hash)) != MAP_NONE &&
	       !str_is(columns->items.items[index].name, name))
		++*hash;
	return index;
}

/* The column of that name, made if there is room; else MAP_NONE. */
static uint32_t add(struct walk *walk, struct str name)
{
	struct columns *columns = walk->to;
	uint64_t hash;
	uint32_t index = find(columns, name, &hash);
	struct event_column column = { .name.size = name.size };

	if (index != MAP_NONE)
		return index;
	index = (uint32_t)columns->items.count;
	if (index == COLUMNS_MAX)
		return MAP_NONE;
	column.group = index;
	column.name.bytes = arena_copy(&columns->arena, name.bytes, name.size);
	if (!column.name.bytes || !vec_push(&columns->items, column) ||
	    !map_put(&columns->by_name, hash, index)) {
		walk->failed = true;
		return MAP_NONE;
	}
	return index;
}

static void visit_to_add(struct walk *walk, const struct cell *cell)
{
	uint32_t index = add(walk, (struct str){ walk->name.bytes, walk->name.size });
	struct event_column *column;

	if (cell->kind == CELL_THREAD)
		walk->group = index;
	if (index == MAP_NONE || cell->kind <= CELL_THREAD || walk->group == MAP_NONE)
		return;
	column = &walk->to->items.items[index];
	column->group = walk->group;
	column->part = cell->kind - CELL_THREAD;
}

/* Tells one event type from several, also if it is declared in several chunks. */
static bool note_type(struct columns *columns, struct str name)
{
	const char *copy;

	if (columns->type.bytes) {
		columns->has_several |= !str_is(columns->type, name);
		return true;
	}
	copy = arena_copy(&columns->arena, name.bytes, name.size);
	columns->type = (struct str){ copy, name.size };
	return copy != NULL;
}

bool columns_add(struct columns *columns, const struct metadata *metadata,
		 const unsigned char *shown)
{
	struct walk walk = { .visit = visit_to_add, .to = columns };

	for (size_t i = 0; i < metadata->type_count && !walk.failed; i++) {
		const struct type *type = &metadata->types[i];

		if (!type->is_event || !shown[i] || type->program.is_broken)
			continue;
		walk.failed = !note_type(columns, type->name);
		walk_type(&walk, type);
	}
	walk_clear(&walk);
	columns->failed |= walk.failed;
	return !columns->failed;
}

static uint64_t rank_of(const struct columns *columns, const struct event_column *column)
{
	struct str name = columns->items.items[column->group].name;
	uint64_t front = 0;

	while (columns->has_types && front < FRONT_COUNT &&
	       !str_is(fronts[front], name))
		front++;
	return front << 48 | (uint64_t)column->group << 16 | column->part;
}

static int compare_ranks(const void *a, const void *b)
{
	uint64_t first = ((const struct event_column *)a)->rank;
	uint64_t second = ((const struct event_column *)b)->rank;

	return (first > second) - (first < second);
}

bool columns_freeze(struct columns *columns)
{
	struct event_column *items = columns->items.items;
	size_t count = columns->items.count;

	columns->has_types = !columns->type.bytes || columns->has_several || count == 0;
	for (size_t i = 0; i < count; i++)
		items[i].rank = rank_of(columns, &items[i]);
	if (count)
		qsort(items, count, sizeof(*items), compare_ranks);
	map_clear(&columns->by_name);
	for (size_t i = 0; i < count && !columns->failed; i++) {
		uint64_t hash;

		find(columns, items[i].name, &hash);
		columns->failed = !map_put(&columns->by_name, hash, (uint32_t)i);
	}
	return !columns->failed;
}

void columns_clear(struct columns *columns)
{
	vec_clear(&columns->items);
	map_clear(&columns->by_name);
	arena_clear(&columns->arena);
}

/* Of several fields that go into the same column, the first counts. */
static void visit_to_fill(struct walk *walk, const struct cell *cell)
{
	struct str name = { walk->name.bytes, walk->name.size };
	uint64_t hash;
	uint32_t index = find(walk->from, name, &hash);

	walk->is_cut |= index == MAP_NONE;
	if (index == MAP_NONE || walk->cells[index].field || cell->kind == CELL_NONE)
		return;
	walk->cells[index] = *cell;
	walk->cells[index].column = index;
	walk->cell_count++;
}

/* The cells that there are, one after the other, and the nodes. */
static struct row *pack(const struct walk *walk, struct arena *arena)
{
	struct row *row = arena_alloc(arena, sizeof(*row));
	struct cell *cells = arena_array(arena, walk->cell_count, sizeof(*cells));
	struct row_node *nodes = arena_array(arena, walk->nodes.count, sizeof(*nodes));
	size_t count = 0;

	if (!row || !cells || !nodes)
		return NULL;
	memcpy(nodes, walk->nodes.items, walk->nodes.count * sizeof(*nodes));
	for (size_t i = 0; i < walk->from->items.count; i++) {
		if (walk->cells[i].field)
			cells[count++] = walk->cells[i];
	}
	*row = (struct row){ cells, count, nodes, walk->nodes.count, walk->is_cut };
	return row;
}

const struct row *columns_row(const struct columns *columns, const struct type *type,
			      struct arena *arena)
{
	struct walk walk = { .visit = visit_to_fill, .from = columns };
	struct row *row = NULL;

	walk.cells = calloc(columns->items.count + 1, sizeof(*walk.cells));
	if (walk.cells) {
		walk_type(&walk, type);
		row = walk.failed ? NULL : pack(&walk, arena);
	}
	free(walk.cells);
	walk_clear(&walk);
	return row;
}
