#include "render/ledger.h"

#include <stdio.h>

#include "base/utf.h"
#include "jfr/units.h"

#define HEADING " Event Type"
#define COLUMNS "      Count  Size (bytes) "

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define VERSION_ROOM 16

static struct str version_of(const struct header *header, char *to)
{
	snprintf(to, VERSION_ROOM, "%d.%d", (int)header->major, (int)header->minor);
	return str_of(to);
}

static void write_head(struct buf *to, const struct inventory *inventory)
{
	const struct tally *tally = &inventory->tally;
	const struct header *first = &tally->first;
	uint64_t nanos = (uint64_t)tally->duration_nanos + 500000000;
	char version[VERSION_ROOM];

	buf_printf(to, "\n Version: %s\n Chunks: %zu\n Start: ",
		   version_of(first, version).bytes, tally->chunks);
	units_date(to, time_of_nanos(first->start_nanos));
	buf_printf(to, " (UTC)\n Duration: %lld s\n",
		   (long long)((int64_t)nanos / 1000000000));
}

/* As the JDK lays it out. */
static void write_events(struct out *out, const struct tally *tally)
{
	struct buf *to = &out->buf;
	size_t width = sizeof(HEADING) - 1;

	width = tally->name_width > width ? tally->name_width : width;
	buf_text(to, "\n" HEADING);
	buf_fill(to, ' ', width - (sizeof(HEADING) - 1));
	buf_text(to, COLUMNS "\n");
	buf_fill(to, '=', width + sizeof(COLUMNS) - 1);
	buf_byte(to, '\n');
	for (size_t i = 0; i < tally->rows.count && out_drain(out); i++) {
		const struct tally_row *row = &tally->rows.items[i];
		size_t units = utf_units(row->name);

		buf_byte(to, ' ');
		utf_add_output(to, row->name);
		buf_fill(to, ' ', units < width ? width - units : 0);
		/* The JDK keeps sizes in a long, and so are very large ones negative. */
		buf_printf(to, "%10lld  %12lld\n", (long long)row->count,
			   (long long)row->size);
	}
}

#define TEXT(text_) ((union grid_cell){ .text = (text_) })
#define NUMBER(number_) ((union grid_cell){ .number = (int64_t)(number_) })
#define REAL(real_) ((union grid_cell){ .real = (real_) })

static const struct grid_column event_columns[] = {
	{ "type", "Event type", GRID_STRING, false },
	{ "id", "Id", GRID_INTEGER, false },
	{ "count", "Count", GRID_INTEGER, false },
	{ "bytes", "Size", GRID_BYTES, false },
};

static void add_events(struct grid *grid, const struct inventory *inventory)
{
	const struct tally *tally = &inventory->tally;

	for (size_t i = 0; i < tally->rows.count; i++) {
		const struct tally_row *row = &tally->rows.items[i];
		const union grid_cell cells[] = {
			TEXT(row->name), NUMBER(row->id), NUMBER(row->count),
			NUMBER(row->size),
		};

		grid_row(grid, cells);
	}
}

static const struct grid_column chunk_columns[] = {
	{ "file", "File", GRID_STRING, false },
	{ "chunk", "Chunk", GRID_INTEGER, false },
	{ "offset", "Offset", GRID_INTEGER, false },
	{ "bytes", "Size", GRID_BYTES, false },
	{ "version", NULL, GRID_STRING, false },
	{ "start", "Start (UTC)", GRID_TIME, false },
	{ "durationNanos", "Duration", GRID_SPAN, false },
	{ "events", "Events", GRID_INTEGER, false },
	{ "eventBytes", "In events", GRID_BYTES, false },
	{ "constantBytes", "Constants", GRID_BYTES, false },
	{ "metadataBytes", "Metadata", GRID_BYTES, false },
	{ "state", NULL, GRID_STRING, false },
	{ "fault", NULL, GRID_STRING, false },
	{ NULL, "State", GRID_STRING, false },
	{ "producer", "Producer", GRID_STRING, false },
	{ "jvmName", NULL, GRID_STRING, false },
	{ "jvmVersion", "JVM version", GRID_STRING, true },
};

static const char *state_of(const struct inventory_chunk *chunk)
{
	if (chunk->fault)
		return "damaged";
	return chunk->is_unfinished ? "unfinished" : "finished";
}

static union grid_cell known(const char *text)
{
	return TEXT(str_of(*text ? text : NULL));
}

static void add_chunk(struct grid *grid, const struct inventory_chunk *chunk)
{
	const char *state = state_of(chunk);
	char version[VERSION_ROOM], told[128];

	snprintf(told, sizeof(told), "%s%s%s", state, chunk->fault ? ": " : "",
		 chunk->fault ? chunk->fault : "");
	grid_row(grid, (const union grid_cell[]){
		TEXT(str_of(chunk->file)),
		NUMBER(chunk->number + 1),
		NUMBER(chunk->offset),
		NUMBER(chunk->bytes),
		TEXT(version_of(&chunk->header, version)),
		NUMBER(chunk->header.start_nanos),
		NUMBER(chunk->header.duration_nanos),
		NUMBER(chunk->events),
		NUMBER(chunk->event_bytes),
		NUMBER(chunk->constant_bytes),
		NUMBER(chunk->metadata_bytes),
		TEXT(str_of(state)),
		TEXT(str_of(chunk->fault)),
		TEXT(str_of(told)),
		known(chunk->producer->name),
		known(chunk->producer->jvm_name),
		known(chunk->producer->jvm_version),
	});
}

static void add_chunks(struct grid *grid, const struct inventory *inventory)
{
	for (size_t i = 0; i < inventory->chunks.count; i++)
		add_chunk(grid, &inventory->chunks.items[i]);
}

static const struct grid_column pool_columns[] = {
	{ "pool", "Constant pool", GRID_STRING, false },
	{ "entries", "Entries", GRID_INTEGER, false },
	{ "bytes", "Size", GRID_BYTES, false },
	{ "share", "Share", GRID_SHARE, false },
	{ "eventReferences", "By events", GRID_INTEGER, false },
	{ "constantReferences", "By constants", GRID_INTEGER, false },
	{ "unreferenced", "Unreferenced", GRID_INTEGER, false },
	{ "unreferencedBytes", "Size", GRID_BYTES, false },
	{ "repeated", "Repeated", GRID_INTEGER, false },
	{ "repeatedBytes", "Size", GRID_BYTES, false },
	{ "equal", "Equal", GRID_INTEGER, false },
	{ "equalBytes", "Size", GRID_BYTES, false },
};

/* The columns behind the share are the counts behind the bytes, in the same order. */
static void add_pools(struct grid *grid, const struct inventory *inventory)
{
	for (size_t i = 0; i < inventory->pools.count; i++) {
		const struct inventory_pool *pool = &inventory->pools.items[i];
		uint64_t bytes = pool->counts[CENSUS_BYTES];
		union grid_cell cells[COUNT(pool_columns)] = {
			TEXT(pool->name),
			NUMBER(pool->counts[CENSUS_ENTRIES]),
			NUMBER(bytes),
			REAL((double)bytes / (double)inventory->bytes),
		};

		for (int k = CENSUS_EVENT_REFERENCES; k < CENSUS_COUNTS; k++)
			cells[k + 2] = NUMBER(pool->counts[k]);
		grid_row(grid, cells);
	}
}

static const struct grid_column string_columns[] = {
	{ "pool", "Constant pool", GRID_STRING, false },
	{ "bytes", "Size", GRID_BYTES, false },
	{ "copies", "Copies", GRID_INTEGER, false },
	{ "references", "References", GRID_INTEGER, false },
	{ "text", "Text", GRID_STRING, true },
};

static void add_strings(struct grid *grid, const struct inventory *inventory)
{
	for (size_t i = 0; i < inventory->strings.items.count; i++) {
		const struct large *string = &inventory->strings.items.items[i];
		struct str text = { string->text, string->text_size };

		grid_row(grid, (const union grid_cell[]){
			TEXT(string->pool),
			NUMBER(string->bytes),
			NUMBER(string->copies),
			NUMBER(string->references),
			TEXT(text),
		});
	}
}

static const struct grid_column stack_columns[] = {
	{ "file", "File", GRID_STRING, false },
	{ "chunk", "Chunk", GRID_INTEGER, false },
	{ "bytes", "Size", GRID_BYTES, false },
	{ "frames", "Frames", GRID_INTEGER, false },
	{ "references", "References", GRID_INTEGER, false },
	{ "topFrame", "Top frame", GRID_STRING, true },
};

static void add_stacks(struct grid *grid, const struct inventory *inventory)
{
	for (size_t i = 0; i < inventory->stacks.items.count; i++) {
		const struct large *stack = &inventory->stacks.items.items[i];
		struct str frame = { stack->text_size ? stack->text : NULL,
				     stack->text_size };

		grid_row(grid, (const union grid_cell[]){
			TEXT(str_of(stack->file)),
			NUMBER(stack->chunk + 1),
			NUMBER(stack->bytes),
			NUMBER(stack->parts),
			NUMBER(stack->references),
			TEXT(frame),
		});
	}
}

enum part { OF_EVENTS, OF_CHUNKS, OF_POOLS };

static const struct table {
	enum part part;
	const char *key, *title;
	const struct grid_column *columns;
	size_t column_count;
	bool has_file;		/* first; people see it only if there are several */
	size_t count;		/* where in the inventory the number of rows is */
	void (*add)(struct grid *grid, const struct inventory *inventory);
} tables[] = {
	{ OF_EVENTS, "events", "Events", event_columns, COUNT(event_columns), false,
	  offsetof(struct inventory, tally.rows.count), add_events },
	{ OF_CHUNKS, "chunkList", "Chunks", chunk_columns, COUNT(chunk_columns), true,
	  offsetof(struct inventory, chunks.count), add_chunks },
	{ OF_POOLS, "pools", "Constant pools", pool_columns, COUNT(pool_columns), false,
	  offsetof(struct inventory, pools.count), add_pools },
	{ OF_POOLS, "strings", "Largest strings", string_columns, COUNT(string_columns),
	  false, offsetof(struct inventory, strings.items.count), add_strings },
	{ OF_POOLS, "stackTraces", "Largest stack traces", stack_columns,
	  COUNT(stack_columns), true, offsetof(struct inventory, stacks.items.count),
	  add_stacks },
};

static bool is_wanted(const struct inventory *inventory, enum part part)
{
	return part == OF_EVENTS || (part == OF_CHUNKS && inventory->wants_chunks) ||
	       (part == OF_POOLS && inventory->wants_pools);
}

static bool has_rows(const struct inventory *inventory, const struct table *table)
{
	return *(const size_t *)((const char *)inventory + table->count) > 0;
}

static bool has_several_files(const struct inventory *inventory)
{
	for (size_t i = 1; i < inventory->chunks.count; i++) {
		if (inventory->chunks.items[i].file != inventory->chunks.items[0].file)
			return true;
	}
	for (size_t i = 1; i < inventory->stacks.items.count; i++) {
		const struct large *items = inventory->stacks.items.items;

		if (items[i].file != items[0].file)
			return true;
	}
	return false;
}

static void write_table(const struct inventory *inventory, const struct table *table,
			const struct grid_format *format, size_t width, struct out *out)
{
	struct grid_column columns[COUNT(chunk_columns)];	/* no table has more */
	struct grid grid = { .width = width };

	memcpy(columns, table->columns, table->column_count * sizeof(columns[0]));
	if (table->has_file && !has_several_files(inventory))
		columns[0].title = NULL;
	grid_begin(&grid, format, columns, table->column_count, out);
	table->add(&grid, inventory);
	grid_end(&grid);
}

static void write_text(const struct inventory *inventory, size_t width, struct out *out)
{
	write_head(&out->buf, inventory);
	if (!inventory->wants_chunks && !inventory->wants_pools) {
		write_events(out, &inventory->tally);
		return;
	}
	buf_printf(&out->buf, " Size: %llu bytes\n",
		   (unsigned long long)inventory->bytes);
	for (size_t i = 0; i < COUNT(tables); i++) {
		const struct table *table = &tables[i];

		if (table->part == OF_EVENTS || !is_wanted(inventory, table->part) ||
		    !has_rows(inventory, table))
			continue;
		buf_printf(&out->buf, "\n%s\n\n", table->title);
		write_table(inventory, table, &grid_text, width, out);
	}
}

static void write_csv(const struct inventory *inventory, struct out *out)
{
	const struct table *wanted = &tables[0];

	for (size_t i = 0; i < COUNT(tables); i++) {
		if (tables[i].part > wanted->part &&
		    is_wanted(inventory, tables[i].part))
			wanted = &tables[i];
	}
	write_table(inventory, wanted, &grid_csv, 0, out);
}

static const struct grid_column head_columns[] = {
	{ "version", NULL, GRID_STRING, false },
	{ "chunks", NULL, GRID_INTEGER, false },
	{ "start", NULL, GRID_TIME, false },
	{ "durationNanos", NULL, GRID_SPAN, false },
	{ "bytes", NULL, GRID_BYTES, false },
};

static void write_json(const struct inventory *inventory, struct out *out)
{
	const struct tally *tally = &inventory->tally;
	char version[VERSION_ROOM];
	const union grid_cell head[] = {
		TEXT(version_of(&tally->first, version)),
		NUMBER(tally->chunks),
		NUMBER(tally->first.start_nanos),
		NUMBER(tally->duration_nanos),
		NUMBER(inventory->bytes),
	};

	buf_byte(&out->buf, '{');
	grid_add_members(&out->buf, head_columns, COUNT(head_columns), head);
	for (size_t i = 0; i < COUNT(tables); i++) {
		if (!is_wanted(inventory, tables[i].part))
			continue;
		buf_printf(&out->buf, ",\n\"%s\":", tables[i].key);
		write_table(inventory, &tables[i], &grid_json, 0, out);
	}
	buf_text(&out->buf, "}\n");
}

void ledger_write(const struct inventory *inventory, const struct grid_format *format,
		  size_t width, struct out *out)
{
	if (format == &grid_json)
		write_json(inventory, out);
	else if (format == &grid_csv)
		write_csv(inventory, out);
	else
		write_text(inventory, width, out);
}
