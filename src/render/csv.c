/*
 * csv.c - events as rows of a table, the layout of `print --csv`.
 */
#include "render/cell.h"
#include "render/columns.h"
#include "render/ndjson.h"
#include "render/pen.h"
#include "render/printer.h"
#include "render/raw.h"
#include "render/text.h"

/* The cell of a constant. Nothing at all is null. */

static void draw_struct(struct pen *pen, const struct object *object)
{
	size_t start = pen->to->size;

	ndjson_object(pen, object);
	cell_tail(pen->to, start);
}

static void draw_name(struct pen *pen, const struct object *object)
{
	size_t start = pen->to->size;

	if (raw_name(pen, object))
		cell_tail(pen->to, start);
}

static void draw_thread(struct pen *pen, const struct object *thread)
{
	struct str name = object_text(thread, "javaName", &pen->arena);

	if (!name.bytes)
		name = object_text(thread, "osName", &pen->arena);
	if (name.bytes)
		cell_csv(pen->to, name);
}

static void draw_id(struct pen *pen, const struct object *thread, const char *name)
{
	int64_t id = object_exact(thread, OP_LONG, name, INT64_MIN);

	if (id != INT64_MIN)
		buf_integer(pen->to, id);
}

static void draw_java_thread_id(struct pen *pen, const struct object *thread)
{
	draw_id(pen, thread, "javaThreadId");
}

static void draw_os_thread_id(struct pen *pen, const struct object *thread)
{
	draw_id(pen, thread, "osThreadId");
}

/* Gives how many there are. */
static uint32_t add_frames(struct pen *pen, const struct field *field,
			   const struct value *value)
{
	struct elements array = pen_short_elements(pen, field, value);
	const struct chunk *chunk = &pen->page->chunk;
	struct object frame;
	uint32_t count = 0;

	for (; pen_next_element(pen, &array); count++) {
		if (count)
			buf_byte(pen->to, ';');
		if (object_of_field(chunk, &array.field, array.values, &frame,
				    &pen->arena))
			text_frame_place(pen, &frame);
	}
	return count;
}

static void draw_stack(struct pen *pen, const struct object *trace)
{
	const struct field *field = type_field(trace->type, "frames");
	const struct type *frame = field && field->array ? field->shown : NULL;
	bool is_cut = object_exact(trace, OP_BOOLEAN, "truncated", 0) != 0;
	size_t start = pen->to->size;
	uint32_t count = 0;

	if (frame && frame->primitive == OP_NONE) {
		const struct value *value = &trace->values[field->slot];

		count = add_frames(pen, field, value);
		is_cut |= count < value->count;
	}
	if (is_cut)
		buf_text(pen->to, count ? ";..." : "...");
	cell_tail(pen->to, start);
}

/* How a cell that is a structure is drawn, and where its text is kept. */
static const struct {
	void (*draw)(struct pen *pen, const struct object *object);
	size_t variant;
} drawings[] = {
	[CELL_STRUCT] = { draw_struct, PAGE_CELL },
	[CELL_NAME] = { draw_name, PAGE_CELL },
	[CELL_STACK] = { draw_stack, PAGE_CELL },
	[CELL_THREAD] = { draw_thread, PAGE_CELL },
	[CELL_JAVA_THREAD_ID] = { draw_java_thread_id, PAGE_JAVA_THREAD_ID },
	[CELL_OS_THREAD_ID] = { draw_os_thread_id, PAGE_OS_THREAD_ID },
};

static void write_struct(struct pen *pen, const struct cell *cell,
			 const struct value *value)
{
	const struct field *field = cell->field;
	struct object object = { &pen->page->chunk, field->shown, value, 0 };

	if (field->pooled)
		pen_constant(pen, field->type, (uint64_t)value->number,
			     drawings[cell->kind].variant, drawings[cell->kind].draw);
	else
		drawings[cell->kind].draw(pen, &object);
}

static void write_value(struct pen *pen, const struct field *field,
			const struct value *value)
{
	enum op_kind primitive = field->shown->primitive;
	size_t start = pen->to->size;
	struct object object;

	if (!object_of_field(&pen->page->chunk, field, value, &object, &pen->arena))
		return;
	if (primitive == OP_STRING) {
		if (object.values[0].text.bytes)
			cell_csv(pen->to, object.values[0].text);
	} else if (primitive == OP_CHAR) {
		text_number(pen->to, field, object.values);
		cell_tail(pen->to, start);
	} else {
		raw_number(pen, field, object.values);
	}
}

static void write_cell(struct pen *pen, const struct cell *cell,
		       const struct value *value)
{
	size_t start = pen->to->size;

	pen->depth = 0;
	if (cell->kind == CELL_VALUE) {
		write_value(pen, cell->field, value);
	} else if (cell->kind == CELL_ARRAY) {
		ndjson_array(pen, cell->field, value);
		cell_tail(pen->to, start);
	} else {
		write_struct(pen, cell, value);
	}
}

/* The values of each node; NULL: it is null, and so are its cells. */
static const struct value **find_nodes(struct pen *pen, const struct row *row)
{
	const struct value **values = arena_array(&pen->arena, row->node_count,
						  sizeof(*values));
	const struct chunk *chunk = &pen->page->chunk;
	struct object object;

	if (!values)
		return NULL;
	values[0] = pen->event.values;
	for (size_t i = 1; i < row->node_count; i++) {
		const struct row_node *node = &row->nodes[i];
		const struct value *parent = values[node->parent];

		if (parent && object_of_field(chunk, node->field, parent + node->slot,
					      &object, &pen->arena))
			values[i] = object.values;
	}
	return values;
}

static void write_row(struct pen *pen, const struct row *row, size_t column_count)
{
	const struct value **nodes = find_nodes(pen, row);
	size_t column = 0;

	for (size_t i = 0; nodes && i < row->cell_count && !pen_is_full(pen); i++) {
		const struct cell *cell = &row->cells[i];

		buf_fill(pen->to, CELL_SEPARATOR, cell->column - column);
		column = cell->column;
		if (nodes[cell->node])
			write_cell(pen, cell, nodes[cell->node] + cell->slot);
	}
	buf_fill(pen->to, CELL_SEPARATOR, column_count - 1 - column);
}

static void write_event(struct pen *pen)
{
	const struct columns *columns = pen->page->columns;
	const struct type *type = pen->event.type;
	const struct row *row = pen->page->rows[type->index];
	size_t start = pen->to->size;

	if (columns->has_types) {
		cell_csv(pen->to, type->name);
		if (columns->items.count)
			buf_byte(pen->to, CELL_SEPARATOR);
	}
	if (columns->items.count)
		write_row(pen, row, columns->items.count);
	if (pen->to->size == start)	/* or it would be no row at all */
		buf_text(pen->to, "\"\"");
	buf_byte(pen->to, '\n');
	if (row->lacks_columns)
		pen_note(pen, COLUMNS_FAULT);
}

static void head(struct buf *to, const struct columns *columns)
{
	const char *between = "";

	if (columns->has_types) {
		buf_text(to, "eventType");
		between = ",";
	}
	for (size_t i = 0; i < columns->items.count; i++) {
		buf_text(to, between);
		cell_csv(to, columns->items.items[i].name);
		between = ",";
	}
	buf_byte(to, '\n');
}

const struct printer csv_printer = {
	.begin = printer_add_nothing,
	.head = head,
	.event = write_event,
	.between = "",
	.end = printer_add_nothing,
	.label = ndjson_label,
	.field_depth = -1,
	.by_time = false,
	.in_utc = true,
};
