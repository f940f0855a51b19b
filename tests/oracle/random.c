/*
 * random.c - writes a random recording: random SEED FILE.
 *
 * It is one that a JDK reads. On standard output come the commands worth trying on
 * it, one a line, with tabs between the arguments and without the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf.h"
#include "dice.h"
#include "jfr/element.h"
#include "jfr/encode.h"
#include "jfr/event.h"
#include "recipe.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define CHECKPOINTS_MAX 4

/* A chunk while it is put together. */
struct plan {
	struct recipe *recipe;
	struct header header;
	struct schema schema;
	int64_t metadata_id;
	int64_t ticks[4]; /* at which much happens at once */
	uint64_t span;	  /* in ticks, of the events */
	struct buf *to;	  /* the recording */
	size_t start;	  /* where in it this chunk begins */
	size_t checkpoints;
	struct buf body; /* of an event, without its size */
};

/* Ends the event whose type and fields are in the body. */
static void put_event(struct plan *plan)
{
	int width = 1;

	while ((uint64_t)(plan->body.size + (size_t)width) >> (7 * width))
		width++;
	if (plan->recipe->is_padded && dice_chance(20))
		width += (int)dice_below((uint64_t)(ENCODE_VARINT_MAX + 1 - width));
	encode_padded(plan->to, plan->body.size + (size_t)width, width);
	buf_add(plan->to, plan->body.bytes, plan->body.size);
	buf_reset(&plan->body);
}

static int64_t position(const struct plan *plan)
{
	return (int64_t)(plan->to->size - plan->start);
}

static void put_number(struct plan *plan, uint64_t number)
{
	recipe_varint(plan->recipe, &plan->body, number);
}

/* Type, start and duration of what is not the application's. */
static void begin_own(struct plan *plan, uint64_t type)
{
	put_number(plan, type);
	put_number(plan, (uint64_t)plan->header.start_ticks);
	put_number(plan, 0);
}

static void put_metadata(struct plan *plan)
{
	struct arena arena = { 0 };
	struct err err;
	const struct element *root = schema_tree(&plan->schema, &arena, &err);

	if (!root) {
		fprintf(stderr, "random: %s\n", err.text);
		exit(1);
	}
	plan->header.metadata_at = position(plan);
	begin_own(plan, EVENT_METADATA);
	put_number(plan, (uint64_t)plan->metadata_id);
	element_write(root, &plan->body);
	put_event(plan);
	arena_clear(&arena);
}

/* An entry, at times behind another of its key, which it replaces. */
static uint64_t put_entry(struct plan *plan, struct buf *pool,
			  const struct stock *stock, size_t index)
{
	const struct stock_entry *entry = &stock->entries.items[index], *decoy;
	uint64_t count = 1;

	if (dice_chance(3)) {
		decoy = &stock->entries.items[dice_below(stock->entries.count)];
		recipe_varint(plan->recipe, pool, entry->key);
		buf_str(pool, decoy->bytes);
		count++;
	}
	recipe_varint(plan->recipe, pool, entry->key);
	buf_str(pool, entry->bytes);
	return count;
}

/* The entries whose turn it is; in later checkpoints also ones that do not count. */
static bool put_pool(struct plan *plan, struct buf *pools, const struct stock *stock,
		     size_t turn)
{
	struct buf pool = { 0 };
	uint64_t count = 0;

	for (size_t i = 0; i < stock->entries.count; i++) {
		size_t own = stock->entries.items[i].key % plan->checkpoints;

		if (own == turn) {
			count += put_entry(plan, &pool, stock, i);
		} else if (own < turn && dice_chance(3)) {
			recipe_varint(plan->recipe, &pool, stock->entries.items[i].key);
			buf_str(&pool, stock->entries.items[0].bytes);
			count++;
		}
	}
	if (count) {
		recipe_varint(plan->recipe, pools,
			      (uint64_t)schema_id(&plan->schema, stock->type.name));
		recipe_varint(plan->recipe, pools, count);
		buf_add(pools, pool.bytes, pool.size);
	}
	buf_clear(&pool);
	return count > 0;
}

/* One more than there are is a stray one, which nobody looks at. */
static void put_checkpoint(struct plan *plan, size_t turn)
{
	const struct recipe *recipe = plan->recipe;
	int64_t at = position(plan), before = plan->header.checkpoint_at;
	bool is_linked = turn < plan->checkpoints;
	size_t first = dice_below(recipe->stocks.count);
	struct buf pools = { 0 };
	uint64_t count = 0;

	for (size_t i = 0; i < recipe->stocks.count; i++) {
		const struct stock *stock =
			&recipe->stocks.items[(first + i) % recipe->stocks.count];

		count += put_pool(plan, &pools, stock, turn);
	}
	begin_own(plan, EVENT_CHECKPOINT);
	put_number(plan, before ? (uint64_t)(before - at) : 0);
	encode_byte(&plan->body, (int8_t)dice_below(16));
	put_number(plan, count);
	buf_add(&plan->body, pools.bytes, pools.size);
	if (is_linked)
		plan->header.checkpoint_at = at;
	put_event(plan);
	buf_clear(&pools);
}

static int64_t random_tick(const struct plan *plan)
{
	if (dice_chance(1))
		return dice_integer();
	if (dice_chance(50))
		return plan->ticks[dice_below(COUNT(plan->ticks))];
	return plan->header.start_ticks + (int64_t)dice_below(plan->span);
}

/* A type that is no event's: of a struct, or not declared at all. */
static int64_t unknown_type(const struct plan *plan)
{
	static const int64_t ids[] = { 7777777, INT64_MAX, INT64_MIN, -1 };

	if (dice_chance(50))
		return ids[dice_below(COUNT(ids))];
	return plan->recipe->types.items[dice_below(plan->recipe->types.count)].id;
}

static void put_random_event(struct plan *plan)
{
	struct recipe *recipe = plan->recipe;
	const struct schema_type *type =
		&recipe->events.items[dice_below(recipe->events.count)];

	if (recipe->retired.count && dice_chance(10))
		type = &recipe->retired.items[dice_below(recipe->retired.count)];
	put_number(plan, (uint64_t)(dice_chance(98) ? type->id : unknown_type(plan)));
	recipe_event(recipe, &plan->body, type, random_tick(plan));
	if (dice_chance(3)) /* more than its fields: of a newer JDK */
		buf_text(&plan->body, "\x01\xff rest");
	put_event(plan);
}

/* Events, with metadata and checkpoints anywhere among them. */
static void put_body(struct plan *plan)
{
	size_t events = dice_chance(10) ? 0 : dice_below(dice_chance(95) ? 50 : 500);
	size_t metadata = dice_below(events + 1), turn = 0;

	if (dice_chance(1))
		events += 6000; /* more than are drawn at a time */
	for (size_t i = 0; i <= events; i++) {
		while (turn < plan->checkpoints &&
		       (i == events || dice_below(events - i + 1) == 0))
			put_checkpoint(plan, turn++);
		if (i == metadata || dice_chance(1))
			put_metadata(plan);
		if (dice_chance(1))
			put_checkpoint(plan, plan->checkpoints);
		if (i < events)
			put_random_event(plan);
	}
	if (plan->header.metadata_at == 0)
		put_metadata(plan);
}

static void put_chunk(struct plan *plan)
{
	struct buf header = { 0 };

	plan->start = plan->to->size;
	plan->checkpoints = 1 + dice_below(CHECKPOINTS_MAX);
	for (size_t i = 0; i < COUNT(plan->ticks); i++)
		plan->ticks[i] = plan->header.start_ticks + (int64_t)dice_below(3000);
	schema_add(&plan->schema, recipe_types(plan->recipe));
	header_write(&plan->header, plan->to);
	put_body(plan);
	plan->header.chunk_size = position(plan);
	header_write(&plan->header, &header);
	memcpy(plan->to->bytes + plan->start, header.bytes, header.size);
	buf_clear(&header);
	schema_clear(&plan->schema);
}

static int random_zone(void)
{
	static const int zones[] = { 0,		0,	  3600000,   -12600000,
				     19800000,	64800000, -64800000, 64801000,
				     -64799000, 90000000, 1234567,   -1,
				     2000000000 };

	return zones[dice_below(COUNT(zones))];
}

/* Times become nonsense, but the same nonsense everywhere. */
static int64_t odd_frequency(void)
{
	static const int64_t frequencies[] = { 0,	    1,	       7,
					       -1000000000, INT64_MAX, INT64_MIN };

	return frequencies[dice_below(COUNT(frequencies))];
}

static struct header random_header(void)
{
	static const int64_t frequencies[] = { 1000000000, 1000000000, 2299998000,
					       24000000,   3187200000, 1000 };
	struct header header = {
		.major = dice_chance(15) ? 1 : 2,
		.start_nanos = INT64_C(1700000000000000000) + dice_integer() / 16,
		.duration_nanos = dice_integer() / 16,
		.start_ticks = dice_chance(90) ? dice_integer() / 4 : 0,
		.ticks_per_second = frequencies[dice_below(COUNT(frequencies))],
		.flags = HEADER_COMPRESSED,
	};

	if (header.major == 2)
		header.minor = (int64_t)dice_below(2);
	if (dice_chance(5))
		header.start_nanos = dice_integer() / 2;
	return header;
}

/* The next chunk of the same run: its clock says the same times. */
static void next_chunk(struct plan *plan)
{
	struct header *header = &plan->header;
	int64_t seconds = 1 + (int64_t)dice_below(100);

	header->start_ticks += seconds * header->ticks_per_second;
	header->start_nanos += seconds * 1000000000;
	header->duration_nanos = seconds * 1000000000;
	header->chunk_size = header->metadata_at = header->checkpoint_at = 0;
	if (recipe_vary(plan->recipe))
		plan->metadata_id++;
}

static void put_recording(struct plan *plan)
{
	uint64_t chunks = dice_chance(50) ? 1 : 1 + dice_below(4);

	plan->recipe->has_arrays = dice_chance(15);
	plan->recipe->is_wild = dice_chance(10);
	plan->recipe->is_padded = dice_chance(50);
	plan->recipe->header = random_header();
	plan->span = 3 * (uint64_t)plan->recipe->header.ticks_per_second;
	recipe_begin(plan->recipe);
	if (chunks == 1 && dice_chance(20) && !recipe_has_contexts(plan->recipe))
		plan->recipe->header.ticks_per_second = odd_frequency();
	plan->header = plan->recipe->header;
	plan->metadata_id = 1 + (int64_t)dice_below(100);
	plan->schema.gmt_offset = random_zone();
	plan->schema.dst = dice_chance(20) ? 3600000 : 0;
	put_chunk(plan);
	while (--chunks) {
		next_chunk(plan);
		put_chunk(plan);
	}
}

/* A pattern for that name, at times with a wildcard for a character of it. */
static void add_pattern(struct buf *to, const char *name)
{
	const char *dot = strrchr(name, '.');
	struct str rest = str_of(dot && dice_chance(50) ? dot + 1 : name);
	size_t at = rest.size && dice_chance(50) ? dice_below(rest.size) : SIZE_MAX;
	const char *wildcard = dice_chance(50) ? "*" : dice_chance(70) ? "?" : "??";

	while (rest.size) {
		struct str before = rest;

		utf_next(&rest);
		if (before.size > at && rest.size <= at)
			buf_text(to, wildcard);
		else
			buf_add(to, before.bytes, before.size - rest.size);
	}
}

/* What cannot be given on a command line, or would be refused there. */
static bool is_usable(const struct buf *filter)
{
	struct str rest = { filter->bytes, filter->size };

	if (!rest.size || *rest.bytes == '-' || *rest.bytes == '.')
		return false;
	while (rest.size) {
		uint32_t point = utf_next(&rest);

		if (point < ' ' || point == ':' || point == '/' ||
		    (point >= 0xd800 && point <= 0xdfff))
			return false;
	}
	return true;
}

static void event_filter(const struct recipe *recipe, struct buf *to)
{
	do {
		buf_reset(to);
		for (uint64_t i = 1 + dice_below(2); i > 0; i--) {
			add_pattern(to, recipe->events
						.items[dice_below(recipe->events.count)]
						.name);
			buf_text(to, i > 1 ? dice_chance(50) ? "," : " , " : "");
		}
		if (dice_chance(5)) {
			buf_reset(to);
			buf_text(to, dice_chance(50) ? "*" : "Nothing?");
		}
	} while (!is_usable(to));
}

static void category_filter(const struct recipe *recipe, struct buf *to)
{
	static const char *const known[] = { "JVM",
					     "GC",
					     "BS",
					     "SO",
					     "B*",
					     "Uncategorized",
					     "U*",
					     "Java Virtual Machine",
					     "Big ?hop",
					     "O",
					     "?",
					     "??",
					     "*?" };
	const struct schema_type *event =
		&recipe->events.items[dice_below(recipe->events.count)];
	const struct schema_note *note = recipe_note(event->notes, "jdk.jfr.Category");

	buf_reset(to);
	if (note && note->members->name && dice_chance(50))
		add_pattern(to, note->members->text);
	if (is_usable(to))
		return;
	buf_reset(to);
	buf_text(to, known[dice_below(COUNT(known))]);
}

static void print_cases(const struct recipe *recipe)
{
	static const char *const cases[] = {
		"summary",
		"metadata",
		"metadata\t--ids",
		"metadata\t--events\t%E",
		"metadata\t--ids\t--categories\t%C",
		"print",
		"print\t--exact",
		"print\t--stack-depth\t0",
		"print\t--exact\t--stack-depth\t64",
		"print\t--json",
		"print\t--xml",
		"print\t--json\t--stack-depth\t64",
		"print\t--xml\t--stack-depth\t1",
		"print\t--events\t%E",
		"print\t--categories\t%C",
		"print\t--json\t--events\t%E",
		"print\t--xml\t--categories\t%C\t--events\t%E",
	};
	struct buf filter = { 0 };

	for (size_t i = 0; i < COUNT(cases); i++) {
		for (const char *c = cases[i]; *c; c++) {
			if (*c != '%') {
				putchar(*c);
				continue;
			}
			if (*++c == 'E')
				event_filter(recipe, &filter);
			else
				category_filter(recipe, &filter);
			fwrite(filter.bytes, 1, filter.size, stdout);
		}
		putchar('\n');
	}
	buf_clear(&filter);
}

int main(int argc, char **argv)
{
	struct recipe recipe = { .prefix = NULL };
	struct buf bytes = { 0 };
	struct plan plan = { .recipe = &recipe, .to = &bytes };
	FILE *file;
	bool good;

	if (argc != 3) {
		fputs("usage: random SEED FILE\n", stderr);
		return 2;
	}
	dice_seed(strtoull(argv[1], NULL, 10) * 1000003);
	put_recording(&plan);
	file = fopen(argv[2], "wb");
	good = file && !bytes.failed &&
	       fwrite(bytes.bytes, 1, bytes.size, file) == bytes.size;
	if (!file || fclose(file) != 0 || !good) {
		perror(argv[2]);
		return 1;
	}
	print_cases(&recipe);
	buf_clear(&plan.body);
	buf_clear(&bytes);
	recipe_clear(&recipe);
	return 0;
}
