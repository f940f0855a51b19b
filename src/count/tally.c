#include "count/tally.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/digest.h"
#include "base/javahash.h"
#include "base/utf.h"
#include "jfr/event.h"

/* The place of the first row in a bucket; others go in front of it or behind it. */
#define BUCKET_MIDDLE (UINT64_C(1) << 31)

static struct tally_count *other_count(struct tally_share *share, uint64_t id)
{
	uint32_t index = map_find(&share->others, id);
	struct tally_count none = { 0 };

	if (index == MAP_NONE) {
		index = (uint32_t)share->extra.count;
		if (!vec_push(&share->extra, none) ||
		    !map_put(&share->others, id, index))
			return NULL;
	}
	return &share->extra.items[index];
}

static struct tally_count *count_of(struct tally_share *share, uint64_t id)
{
	return id < share->table_size ? &share->table[id] : other_count(share, id);
}

static bool count_event(struct tally_share *share, const struct event *event)
{
	struct tally_count *count = count_of(share, event->type_id);

	if (!count)
		return false;
	count->count++;
	count->size += event->size;
	count->last = event->offset;
	return true;
}

/* Behind a fault, or among types that nobody declared, each event must be looked at. */
static bool count_carefully(struct tally_share *share, const struct chunk *chunk,
			    struct damage *damage)
{
	struct event_walk walk = event_walk(chunk, damage);
	struct event event;

	memset(share->table, 0, share->table_size * sizeof(*share->table));
	map_clear(&share->others);
	share->extra.count = 0;
	while (event_next(&walk, &event)) {
		if (!count_event(share, &event))
			return false;
	}
	return true;
}

static bool has_unknown(const struct tally_share *share,
			const struct metadata *metadata)
{
	for (uint64_t id = 0; id < share->table_size; id++) {
		if (share->table[id].count && !metadata_event(metadata, id) &&
		    id != EVENT_METADATA && id != EVENT_CHECKPOINT)
			return true;
	}
	return share->extra.count > 0;
}

/* The hop itself: size and type of each event, nothing else. */
static bool count_events(struct tally_share *share, const struct chunk *chunk,
			 struct damage *damage)
{
	size_t at = HEADER_SIZE;

	while (at < chunk->size) {
		struct frame frame;
		struct tally_count *count;

		if (frame_read(chunk->bytes, chunk->size, at, &frame))
			return count_carefully(share, chunk, damage);
		count = count_of(share, frame.type_id);
		if (!count)
			return false;
		count->count++;
		count->size += frame.size;
		count->last = at;
		at += frame.size;
	}
	return !has_unknown(share, &chunk->metadata) ||
	       count_carefully(share, chunk, damage);
}

/* An empty table for all ids that the chunk's metadata finds without hashing. */
static bool table_open(struct tally_share *share, const struct metadata *metadata)
{
	free(share->table);
	share->table_size = metadata->event_limit;
	share->table = calloc(share->table_size + 1, sizeof(*share->table));
	return share->table != NULL;
}

/* The events that the filter takes. */
static bool count_selected(struct tally_share *share, const struct chunk *chunk,
			   struct damage *damage)
{
	struct selection *selection = &share->selection;
	struct event_walk walk = event_walk(chunk, damage);
	struct event event;
	int64_t start, end;

	while (event_next(&walk, &event)) {
		const char *fault = NULL;

		if (!event.type || !selection_has_type(selection, event.type))
			continue;
		if (!event_ticks(chunk, &event, &start, &end))
			fault = event_fault(&event);
		else if (!selection_accepts(selection, &event, start, end))
			fault = selection->fault;
		else if (!count_event(share, &event))
			return false;
		if (fault)
			damage_add(damage, fault, event.type->name,
				   chunk_site(chunk, event.offset));
	}
	return !selection->failed;
}

bool tally_chunk(struct tally_share *share, const struct chunk *chunk,
		 const struct filter *filter, struct damage *damage)
{
	map_clear(&share->others);
	share->extra.count = 0;
	selection_close(&share->selection);
	if (!table_open(share, &chunk->metadata))
		return false;
	if (!filter || filter_takes_all(filter))
		return count_events(share, chunk, damage);
	return selection_open(&share->selection, chunk, filter, NULL) &&
	       count_selected(share, chunk, damage);
}

struct tally_count tally_share_of(const struct tally_share *share, uint64_t id)
{
	uint32_t index;

	if (id < share->table_size)
		return share->table[id];
	index = map_find(&share->others, id);
	return index == MAP_NONE ? (struct tally_count){ 0 }
				 : share->extra.items[index];
}

struct tally_count tally_share_total(const struct tally_share *share)
{
	struct tally_count total = { 0 };

	for (size_t i = 0; i < share->table_size; i++) {
		total.count += share->table[i].count;
		total.size += share->table[i].size;
	}
	for (size_t i = 0; i < share->extra.count; i++) {
		total.count += share->extra.items[i].count;
		total.size += share->extra.items[i].size;
	}
	return total;
}

void tally_share_clear(struct tally_share *share)
{
	map_clear(&share->others);
	vec_clear(&share->extra);
	selection_close(&share->selection);
	free(share->table);
	*share = (struct tally_share){ 0 };
}

/* Goes to the run of a chunk. False without memory. */
static bool enter_run(struct tally *tally, const struct run *run, bool *is_new)
{
	struct tally_run fresh = { .run = run };

	for (size_t i = 0; i < tally->runs.count; i++) {
		tally->run = i;
		if (tally->runs.items[i].run == run)
			return true;
	}
	*is_new = true;
	tally->run = tally->runs.count;
	return vec_push(&tally->runs, fresh);
}

static struct map *by_id(const struct tally *tally)
{
	return &tally->runs.items[tally->run].by_id;
}

static uint64_t key_of(const struct tally *tally, struct str name)
{
	return digest(name.bytes, name.size, (uintptr_t)tally);
}

/* The first row of that name, or NULL. */
static struct tally_row *row_of_name(const struct tally *tally, struct str name)
{
	uint32_t index = map_find(&tally->by_name, key_of(tally, name));

	if (index == MAP_NONE || !str_is(tally->rows.items[index].name, name))
		return NULL;
	return &tally->rows.items[index];
}

/* Names are kept once: many types may have the same one, and a long one. */
static bool keep_name(struct tally *tally, struct str *name)
{
	const struct tally_row *row = row_of_name(tally, *name);

	if (row) {
		*name = row->name;
		return true;
	}
	name->bytes = arena_copy(&tally->arena, name->bytes, name->size);
	return name->bytes && map_put(&tally->by_name, key_of(tally, *name),
				      (uint32_t)tally->rows.count);
}

/*
 * A new row; false without memory. The JDK puts a declared type in front of what is in
 * its bucket, all else behind it.
 */
static bool add_row(struct tally *tally, int64_t id, struct str name, bool is_declared)
{
	struct tally_row row = { .id = id };

	row.place = BUCKET_MIDDLE + tally->rows.count;
	if (is_declared)
		row.place = BUCKET_MIDDLE - tally->rows.count;
	if (!keep_name(tally, &name))
		return false;
	row.name = name;
	return vec_push(&tally->rows, row);
}

/* The row of that name that another run has declared; MAP_NONE: there is none. */
static uint32_t row_of_others(const struct tally *tally, struct str name)
{
	const struct tally_row *row =
		tally->runs.count > 1 ? row_of_name(tally, name) : NULL;

	if (!row || row->run == tally->run)
		return MAP_NONE;
	return (uint32_t)(row - tally->rows.items);
}

/* The row of an id of this run, made when it is new; NULL without memory. */
static struct tally_row *own_row(struct tally *tally, int64_t id, struct str name,
				 bool is_declared)
{
	uint32_t index = map_find(by_id(tally), (uint64_t)id);

	if (index == MAP_NONE) {
		index = row_of_others(tally, name);
		if (index == MAP_NONE) {
			index = (uint32_t)tally->rows.count;
			if (!add_row(tally, id, name, is_declared))
				return NULL;
		}
		if (!map_put(by_id(tally), (uint64_t)id, index))
			return NULL;
		tally->rows.items[index].run = tally->run;
	}
	return &tally->rows.items[index];
}

/* `selection` is NULL if all types are wanted. */
static bool add_types(struct tally *tally, const struct chunk *chunk,
		      const struct selection *selection)
{
	const struct metadata *metadata = &chunk->metadata;

	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];
		size_t width = utf_units(type->name);
		struct tally_row *row;

		if (!type->is_event || (selection && !selection_has_type(selection, type)))
			continue;
		row = own_row(tally, type->id, type->name, true);
		if (!row)
			return false;
		row->is_declared = true;
		row->is_experimental = type_annotation(type, "jdk.jfr.Experimental");
		if (width > tally->name_width)
			tally->name_width = width;
	}
	return true;
}

static bool add_count(struct tally *tally, uint64_t id, const struct tally_count *count)
{
	struct str name = { NULL, 0 };
	struct tally_row *row;
	char text[64];

	if (count->count == 0)
		return true;
	if (map_find(by_id(tally), id) == MAP_NONE) {
		snprintf(text, sizeof(text), "%lld (missing event metadata)",
			 (long long)id);
		name = str_of(text);
	}
	row = own_row(tally, (int64_t)id, name, false);
	if (!row)
		return false;
	row->count += count->count;
	row->size += count->size;
	return true;
}

static bool add_counts(struct tally *tally, const struct tally_share *share)
{
	for (uint64_t id = 0; id < share->table_size; id++) {
		if (!add_count(tally, id, &share->table[id]))
			return false;
	}
	for (size_t i = 0; i < share->others.capacity; i++) {
		const struct map_slot *slot = &share->others.slots[i];

		if (slot->index != MAP_NONE &&
		    !add_count(tally, slot->key, &share->extra.items[slot->index]))
			return false;
	}
	return true;
}

/* The two types that no metadata declares. */
static bool add_frames(struct tally *tally, const struct header *header)
{
	bool is_old = header->major == 1;
	struct str metadata =
		is_old ? STR("com.oracle.jdk.Metadata") : STR("jdk.Metadata");
	struct str checkpoint =
		is_old ? STR("com.oracle.jdk.Checkpoint") : STR("jdk.Checkpoint");

	return own_row(tally, EVENT_METADATA, metadata, false) &&
	       own_row(tally, EVENT_CHECKPOINT, checkpoint, false);
}

bool tally_add(struct tally *tally, struct tally_share *share,
	       const struct chunk *chunk)
{
	const struct selection *selection =
		share->selection.chunk ? &share->selection : NULL;
	bool is_new = false, is_good = enter_run(tally, chunk->run, &is_new);

	if (tally->chunks++ == 0)
		tally->first = chunk->header;
	if (is_good && is_new && !selection)
		is_good = add_frames(tally, &chunk->header);
	tally->duration_nanos = (int64_t)((uint64_t)tally->duration_nanos +
					  (uint64_t)chunk->header.duration_nanos);
	is_good = is_good && add_types(tally, chunk, selection) &&
		  add_counts(tally, share) &&
		  (!selection || outcome_add(&tally->outcome, selection));
	selection_close(&share->selection);
	return is_good;
}

static int row_compare(const void *one, const void *other)
{
	const struct tally_row *a = one, *b = other;
	int order;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	order = str_compare(a->name, b->name);
	return order ? order : (a->place > b->place) - (a->place < b->place);
}

/*
 * Types of the same name and count stand in the order of a java.util.HashMap keyed
 * by id (jfr-tool.md 0.6b): by bucket, then by their place in it.
 */
static void place_rows(struct tally *tally)
{
	for (size_t i = 0; i < tally->rows.count; i++) {
		struct tally_row *row = &tally->rows.items[i];
		uint32_t hash = javahash_long(row->id);

		row->place |= (uint64_t)javahash_bucket(hash, tally->rows.count) << 32;
	}
}

void tally_order(struct tally *tally)
{
	place_rows(tally);
	if (tally->rows.count)
		qsort(tally->rows.items, tally->rows.count, sizeof(*tally->rows.items),
		      row_compare);
}

void tally_clear(struct tally *tally)
{
	vec_clear(&tally->rows);
	for (size_t i = 0; i < tally->runs.count; i++)
		map_clear(&tally->runs.items[i].by_id);
	vec_clear(&tally->runs);
	map_clear(&tally->by_name);
	outcome_clear(&tally->outcome);
	arena_clear(&tally->arena);
}
