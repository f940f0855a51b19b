#include "count/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "jfr/sweep.h"
#include "jfr/checkpoint.h"

/* A chunk, counted on its own. */
struct share {
	struct tally_share events;
	struct census census;
	struct producer producer;
};

static bool work(void *context, struct chunk *chunk, struct damage *damage, void *own)
{
	const struct inventory *inventory = context;
	struct share *share = own;

	if (inventory->filter && filter_needs_constants(inventory->filter) &&
	    !checkpoint_load(chunk, damage, NULL))
		return false;
	if (!tally_chunk(&share->events, chunk, inventory->filter, damage))
		return false;
	if (inventory->wants_pools) {
		share->census.strings.limit = share->census.stacks.limit =
			inventory->top;
		memcpy(share->census.secret, inventory->secret,
		       sizeof(inventory->secret));
		if (!census_take(&share->census, chunk, damage))
			return false;
	}
	return !inventory->wants_chunks ||
	       producer_find(&share->producer, chunk, &share->events);
}

/* The first fault that is the chunk's own, or NULL. */
static const char *fault_of(const struct chunk *chunk, const struct damage *damage)
{
	for (size_t i = 0; i < damage->faults.count; i++) {
		const struct fault *fault = &damage->faults.items[i];

		if (!fault->is_note && fault->first.chunk == chunk->number &&
		    fault->first.file == chunk->file)
			return fault->cause;
	}
	return NULL;
}

/* Chunks mostly come from one producer. NULL without memory. */
static const struct producer *keep_producer(struct inventory *inventory,
					    const struct producer *producer)
{
	size_t count = inventory->chunks.count;
	const struct producer *last =
		count ? inventory->chunks.items[count - 1].producer : NULL;
	struct producer *kept;

	if (last && memcmp(last, producer, sizeof(*last)) == 0)
		return last;
	kept = arena_alloc(&inventory->arena, sizeof(*kept));
	if (kept)
		*kept = *producer;
	return kept;
}

static void count_parts(struct inventory_chunk *row, const struct tally_share *events)
{
	struct tally_count metadata = tally_share_of(events, EVENT_METADATA);
	struct tally_count constants = tally_share_of(events, EVENT_CHECKPOINT);
	struct tally_count all = tally_share_total(events);

	row->metadata_bytes = metadata.size;
	row->constant_bytes = constants.size;
	row->events = all.count - metadata.count - constants.count;
	row->event_bytes = all.size - metadata.size - constants.size;
}

static bool add_chunk(struct inventory *inventory, const struct chunk *chunk,
		      const struct damage *damage, const struct share *share)
{
	struct inventory_chunk row = {
		.file = chunk->file,
		.number = chunk->number,
		.offset = chunk->offset,
		.bytes = chunk->size,
		.header = chunk->header,
		.is_unfinished = chunk->is_unfinished,
		.fault = fault_of(chunk, damage),
		.producer = keep_producer(inventory, &share->producer),
	};

	count_parts(&row, &share->events);
	return row.producer && vec_push(&inventory->chunks, row);
}

/* The row of the pool, made when it is new; NULL without memory. */
static struct inventory_pool *own_pool(struct inventory *inventory, struct str name)
{
	uint64_t key = digest(name.bytes, name.size, inventory->secret[0]);
	struct inventory_pool row = { .name = name };
	uint32_t index;

	for (; (index = map_find(&inventory->by_name, key)) != MAP_NONE; key++) {
		if (str_is(inventory->pools.items[index].name, name))
			return &inventory->pools.items[index];
	}
	index = (uint32_t)inventory->pools.count;
	row.name.bytes = arena_copy(&inventory->arena, name.bytes, name.size);
	if (!row.name.bytes || !vec_push(&inventory->pools, row) ||
	    !map_put(&inventory->by_name, key, index))
		return NULL;
	return &inventory->pools.items[index];
}

/* Puts in what there is to say of a thing when its chunk is closed. */
static bool describe(struct inventory *inventory, const struct chunk *chunk,
		     struct large *thing, const struct buf *text)
{
	const struct type *type = &chunk->metadata.types[thing->place.type];
	const struct inventory_pool *pool = own_pool(inventory, type->name);

	if (!pool || text->failed)
		return false;
	thing->text = malloc(text->size + 1);
	if (!thing->text)
		return false;
	if (text->size)
		memcpy(thing->text, text->bytes, text->size);
	thing->text_size = text->size;
	thing->pool = pool->name;
	thing->file = chunk->file;
	thing->chunk = chunk->number;
	return true;
}

static bool add_largest(struct inventory *inventory, const struct census *census,
			const struct largest *from, struct largest *to,
			census_tell *tell)
{
	struct arena arena = { 0 };
	struct buf text = { 0 };
	bool is_good = true;

	for (size_t i = 0; is_good && i < from->items.count; i++) {
		struct large thing = from->items.items[i];

		if (!largest_takes(to, thing.bytes))
			break;
		buf_reset(&text);
		tell(census, &thing, &text, &arena);
		is_good = !arena.failed &&
			  describe(inventory, census->chunk, &thing, &text) &&
			  largest_add(to, thing);
		arena_reset(&arena);
	}
	buf_clear(&text);
	arena_clear(&arena);
	return is_good;
}

static bool add_pools(struct inventory *inventory, const struct census *census)
{
	const struct metadata *metadata = &census->chunk->metadata;

	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct census_pool *pool = &census->pools[i];
		struct inventory_pool *row;

		if (!pool->marks)
			continue;
		row = own_pool(inventory, metadata->types[i].name);
		if (!row)
			return false;
		for (int k = 0; k < CENSUS_COUNTS; k++)
			row->counts[k] += pool->counts[k];
	}
	return add_largest(inventory, census, &census->strings, &inventory->strings,
			   census_tell_string) &&
	       add_largest(inventory, census, &census->stacks, &inventory->stacks,
			   census_tell_stack);
}

static bool take(void *context, const struct chunk *chunk, const struct damage *damage,
		 void *own)
{
	struct inventory *inventory = context;
	struct share *share = own;
	bool is_good = tally_add(&inventory->tally, &share->events, chunk);

	inventory->bytes += chunk->size;
	if (is_good && inventory->wants_chunks)
		is_good = add_chunk(inventory, chunk, damage, share);
	if (is_good && inventory->wants_pools)
		is_good = add_pools(inventory, &share->census);
	census_clear(&share->census);
	return is_good;
}

static void release(void *own)
{
	struct share *share = own;

	tally_share_clear(&share->events);
	census_clear(&share->census);
}

static int compare_pools(const void *one, const void *other)
{
	const struct inventory_pool *a = one, *b = other;
	uint64_t a_bytes = a->counts[CENSUS_BYTES], b_bytes = b->counts[CENSUS_BYTES];

	if (a_bytes != b_bytes)
		return a_bytes > b_bytes ? -1 : 1;
	return str_compare(a->name, b->name);
}

bool inventory_take(struct inventory *inventory, struct input *input, int threads,
		    struct damage *damage, struct err *err)
{
	static const struct sweep sweep = { sizeof(struct share), NULL, work, take,
					    release };

	for (int i = 0; i < 2; i++)
		inventory->secret[i] = digest_secret(&inventory->secret[i]);
	inventory->strings.limit = inventory->stacks.limit = inventory->top;
	if (!sweep_run(&sweep, inventory, input, threads, damage, err))
		return false;
	tally_order(&inventory->tally);
	largest_trim(&inventory->strings);
	largest_trim(&inventory->stacks);
	if (inventory->pools.count)
		qsort(inventory->pools.items, inventory->pools.count,
		      sizeof(*inventory->pools.items), compare_pools);
	return true;
}

void inventory_clear(struct inventory *inventory)
{
	tally_clear(&inventory->tally);
	vec_clear(&inventory->chunks);
	vec_clear(&inventory->pools);
	largest_clear(&inventory->strings);
	largest_clear(&inventory->stacks);
	map_clear(&inventory->by_name);
	arena_clear(&inventory->arena);
}
