#include "copy/copy.h"

#include <string.h>

#include "base/bits.h"
#include "copy/changes.h"
#include "copy/scrub.h"
#include "copy/strict.h"
#include "copy/types.h"
#include "filter/selection.h"
#include "jfr/checkpoint.h"
#include "jfr/encode.h"
#include "jfr/event.h"
#include "jfr/refs.h"
#include "jfr/writer.h"

/* Where a checkpoint is ended and another begun, well below ENCODE_EVENT_MAX. */
#define CHECKPOINT_ENOUGH ((size_t)4 << 20)

/* With stand-ins for all it refers to, a constant may grow to eight times of this. */
#define CONSTANT_MAX ((size_t)24 << 20)

/* Changed events are put together until they are so many bytes. */
#define CHANGED_ENOUGH ((size_t)1 << 18)

/* A chunk on its way. */
struct copier {
	struct copy *copy;
	struct chunk *chunk;
	struct arena arena;
	struct damage damage;		/* hands all on, and makes is_intact false */
	struct damage *told;
	bool is_intact;			/* nothing is lost, the JDK can read it so far */
	bool is_whole;			/* and nothing has to be changed for that */

	struct types types;
	struct changes changes;		/* of values */
	struct buf changed;		/* events, on their way */
	struct buf made;		/* a metadata event that is */
	struct str metadata;		/* the event to be written */
	struct refs refs;		/* marks nothing if all constants are kept */
	struct selection selection;	/* open if there is a filter */
	struct removed_count *counts;	/* by type index */
	VEC(uint64_t) kept;		/* a bit for each event, in their order */

	uint64_t events;		/* to be written */
	uint64_t event_bytes;		/* of them, as they are */
	uint64_t changed_bytes;		/* and as they will be, if they change */
	uint64_t unknown;		/* events of types that are not declared */
	uint64_t lost;
	int64_t last_tick;		/* that an event ends at */

	struct writer writer;
	bool is_counting;		/* what the writer writes is thrown away */
	bool has_changes;		/* events are written as they will be */
};

static void hand_on(void *context, const struct fault *fault)
{
	struct copier *copier = context;
	struct fault copy = *fault;
	struct damage one = { .faults = { &copy, 1, 1 } };

	if (!fault->is_note)
		copier->is_intact = false;
	damage_merge(copier->told, &one);
}

/* Constants of these types are there, but cannot be written. */
static void find_lost_pools(struct copier *copier)
{
	const struct chunk *chunk = copier->chunk;

	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		const struct type *type = &chunk->metadata.types[i];
		const struct pool *pool = chunk->pools[i];

		if (pool && pool->constants.count > 0 &&
		    !accept_pool(&copier->types.accept, type))
			damage_add(&copier->damage,
				   "constants of a type that the JDK does not know",
				   type->name, chunk_site(chunk, 0));
	}
}

static bool read_constants(struct copier *copier, struct err *err)
{
	const struct chunk *chunk = copier->chunk;

	if (copier->copy->is_pruned && !refs_open(&copier->refs, chunk))
		return err_memory(err);
	copier->changes.keys = &copier->copy->keys;
	if (!changes_open(&copier->changes, chunk, &copier->types, copier->copy->redact))
		return err_memory(err);
	find_lost_pools(copier);
	copier->is_whole = types_are_as_they_were(&copier->types) &&
			   !copier->changes.has_keys &&
			   !standin_is_needed(&copier->changes.standin) &&
			   !retime_is_needed(&copier->changes.retime);
	copier->is_intact &= strict_checkpoints(chunk, &copier->types.accept,
						copier->copy->bytes == 0);
	return true;
}

/* How the chunk is written, as far as is known. */
enum way {
	WAY_AS_IT_IS,
	WAY_SCRUBBED,	/* the same, without what is not wanted */
	WAY_ANEW,
};

static enum way way_of(const struct copier *copier)
{
	const struct copy *copy = copier->copy;

	if (!copier->is_intact || (copy->redact && !copier->is_whole))
		return WAY_ANEW;
	if (copy->is_pruned)
		return WAY_SCRUBBED;
	return copier->is_whole && !copy->filter && !copy->redact ? WAY_AS_IT_IS
								  : WAY_ANEW;
}

/*
 * True if the filter takes the event, of a known type. Not so: *fault is why nobody can
 * tell, or is not touched.
 */
static bool is_wanted(struct copier *copier, const struct event *event,
		      const char **fault)
{
	struct selection *selection = &copier->selection;
	int64_t start, end;

	if (!copier->copy->filter)
		return true;
	if (!selection_has_type(selection, event->type))
		return false;
	if (!event_ticks(copier->chunk, event, &start, &end))
		*fault = event_fault(event);
	else if (selection_accepts(selection, event, start, end))
		return true;
	else if (selection->fault)
		*fault = selection->fault;
	return false;
}

/* Goes over the values of the event, and marks what they refer to. */
static bool fits(struct copier *copier, const struct event *event)
{
	struct cursor cursor = event_cursor(copier->chunk, event);

	if (!copier->copy->is_pruned)
		return value_skip(&event->type->program, &cursor);
	refs_mark_event(&copier->refs, event);
	return !copier->refs.is_short;
}

/* Why an event of known type that is wanted is lost; NULL: it is not. */
static const char *fault_of(struct copier *copier, const struct event *event)
{
	if (!fits(copier, event))
		return event_fault(event);
	if (!accept_type(&copier->types.accept, event->type))
		return "an event of a type that the JDK cannot read";
	return NULL;
}

static bool keep(struct copier *copier, const struct event *event)
{
	int64_t start, end;

	copier->events++;
	copier->event_bytes += event->size;
	if (!changes_concern(&copier->changes, event)) {
		copier->changed_bytes += event->size;
	} else {
		buf_reset(&copier->changed);
		if (!changes_add_event(&copier->changes, event, &copier->changed))
			return false;
		copier->changed_bytes += copier->changed.size;
	}
	if (event_ticks(copier->chunk, event, &start, &end) && end > copier->last_tick)
		copier->last_tick = end;
	return true;
}

/* *is_kept: the event, of known type, is to be written. False without memory. */
static bool judge(struct copier *copier, const struct event *event, bool *is_kept)
{
	struct removed_count *count = &copier->counts[event->type->index];
	const char *fault = NULL;
	bool is_asked_for = is_wanted(copier, event, &fault);

	count->total++;
	if (is_asked_for)
		fault = fault_of(copier, event);
	else if (!fault)
		count->removed++;
	if (fault) {
		copier->lost++;
		damage_add(&copier->damage, fault, event->type->name,
			   chunk_site(copier->chunk, event->offset));
	}
	*is_kept = is_asked_for && !fault;
	return !copier->selection.failed && !copier->refs.failed &&
	       (!*is_kept || keep(copier, event));
}

static bool remember(struct copier *copier, uint64_t index, bool is_kept)
{
	if (index / 64 == copier->kept.count && !vec_push(&copier->kept, 0))
		return false;
	if (is_kept)
		bits_set(copier->kept.items, index);
	return true;
}

/*
 * Nobody can tell whether they are whole, or what they refer to: they stay only where all
 * else does.
 */
static void note_unknown(struct copier *copier, size_t first_at)
{
	enum way way = way_of(copier);

	if (copier->unknown == 0 || way == WAY_AS_IT_IS)
		return;
	if (way == WAY_SCRUBBED) {	/* no loss: neither does the JDK write them */
		damage_note(&copier->damage, "events of unknown types are left out",
			    chunk_site(copier->chunk, first_at));
		copier->unknown = 0;
		return;
	}
	damage_add_detail(&copier->damage, "events of unknown types are left out",
			  chunk_site(copier->chunk, first_at), "%llu events",
			  (unsigned long long)copier->unknown);
	copier->lost += copier->unknown;
	copier->unknown = 0;
}

/* Looks at all events, and so knows in the end whether the chunk is whole. */
static bool survey_events(struct copier *copier, struct err *err)
{
	struct event_walk walk = event_walk(copier->chunk, &copier->damage);
	size_t unknown_at = 0;
	struct event event;

	for (uint64_t index = 0; event_next(&walk, &event); index++) {
		bool is_kept = false;

		if (event.type && !judge(copier, &event, &is_kept))
			return err_memory(err);
		if (!remember(copier, index, is_kept))
			return err_memory(err);
		if (!event.type && event.type_id != EVENT_METADATA &&
		    event.type_id != EVENT_CHECKPOINT && copier->unknown++ == 0)
			unknown_at = event.offset;
	}
	note_unknown(copier, unknown_at);
	if (copier->changes.retime.clipped > 0)
		damage_add_detail(&copier->damage,
				  "times do not fit into their fields any more",
				  chunk_site(copier->chunk, 0), "%llu values",
				  (unsigned long long)copier->changes.retime.clipped);
	if (copier->copy->is_pruned && !refs_spread(&copier->refs))
		return err_memory(err);
	return true;
}

static bool put(struct copier *copier, const void *bytes, size_t size, struct err *err)
{
	if (copier->is_counting || size == 0)
		return true;
	if (!copier->copy->sink(copier->copy->context, bytes, size, err))
		return false;
	copier->copy->bytes += size;
	return true;
}

/* Empties the writer's buffer. */
static bool drain(struct copier *copier, struct err *err)
{
	struct writer *writer = &copier->writer;

	writer_end(writer);
	if (!writer->buf.failed &&
	    !put(copier, writer->buf.bytes, writer->buf.size, err))
		return false;
	writer_taken(writer);
	return true;
}

static bool add_metadata(struct copier *copier, struct err *err)
{
	struct writer *writer = &copier->writer;

	writer->header.metadata_at = (int64_t)writer_position(writer);
	buf_str(&writer->buf, copier->metadata);
	return drain(copier, err);
}

/* True if this constant is to be written, of those with its key the one that counts. */
static bool is_kept(struct copier *copier, const struct pool *pool, uint32_t index)
{
	const struct constant *constant = &pool->constants.items[index];

	if (pool_find(pool, constant->key) != index ||
	    (copier->copy->is_pruned && !refs_has(&copier->refs, pool->type, index)))
		return false;
	if (constant->size <= CONSTANT_MAX)
		return true;
	if (copier->is_counting)
		damage_add(&copier->damage, "a constant is too large", pool->type->name,
			   chunk_site(copier->chunk, 0));
	return false;
}

static void add_constant(struct copier *copier, const struct pool *pool, uint32_t index)
{
	uint64_t key = pool->constants.items[index].key;

	writer_constant(&copier->writer, changes_key(&copier->changes, pool->type, key));
	changes_add_constant(&copier->changes, pool, index, &copier->writer.buf);
}

static bool add_pool(struct copier *copier, const struct pool *pool, struct err *err)
{
	struct writer *writer = &copier->writer;
	int64_t id = copier->types.accept.ids[pool->type->index];

	writer_pool(writer, id);
	for (uint32_t i = 0; i < pool->constants.count; i++) {
		if (!is_kept(copier, pool, i))
			continue;
		if (writer->buf.size >= CHECKPOINT_ENOUGH) {
			if (!drain(copier, err))
				return false;
			writer_checkpoint(writer, 0);
			writer_pool(writer, id);
		}
		add_constant(copier, pool, i);
	}
	return true;
}

/* One without constants: the JDK looks for checkpoints where there are none. */
static void add_empty_checkpoint(struct writer *writer)
{
	writer->header.checkpoint_at = (int64_t)writer_position(writer);
	writer_event(writer, EVENT_CHECKPOINT);
	encode_long(&writer->buf, writer->now);
	encode_long(&writer->buf, 0);	/* duration */
	encode_long(&writer->buf, 0);	/* no other checkpoint */
	encode_byte(&writer->buf, 0);
	encode_int(&writer->buf, 0);	/* pools */
}

static bool add_constants(struct copier *copier, struct err *err)
{
	const struct chunk *chunk = copier->chunk;
	struct writer *writer = &copier->writer;

	writer_checkpoint(writer, 0);
	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		const struct pool *pool = chunk->pools[i];

		if (pool && accept_pool(&copier->types.accept, pool->type) &&
		    !add_pool(copier, pool, err))
			return false;
	}
	for (int kind = 0; kind < STANDIN_COUNT; kind++) {
		const struct type *type = copier->changes.standin.types[kind];

		if (!copier->changes.standin.is_needed[kind])
			continue;
		writer_pool(writer, copier->types.accept.ids[type->index]);
		writer_constant(writer, copier->changes.standin.keys[kind]);
		standin_add(&copier->changes.standin, (enum standin_kind)kind, &writer->buf);
	}
	writer_end(writer);
	if (writer->header.checkpoint_at == 0)
		add_empty_checkpoint(writer);
	return drain(copier, err);
}

/* Events that keep their bytes, and stand side by side, are written at once. */
struct stretch {
	size_t from, to;
};

static bool put_stretch(struct copier *copier, struct stretch *stretch, struct err *err)
{
	size_t from = stretch->from;

	stretch->from = stretch->to;
	return put(copier, copier->chunk->bytes + from, stretch->to - from, err);
}

/* Puts the changed events that wait, if they are many. */
static bool put_changed(struct copier *copier, size_t enough, struct err *err)
{
	struct buf *changed = &copier->changed;
	bool is_good;

	if (changed->size < enough)
		return true;
	is_good = put(copier, changed->bytes, changed->size, err);
	buf_reset(changed);
	return is_good;
}

static bool add_event(struct copier *copier, const struct event *event,
		      struct stretch *stretch, struct err *err)
{
	struct changes *changes = &copier->changes;

	if (copier->has_changes && changes_concern(changes, event))
		return put_stretch(copier, stretch, err) &&
		       (changes_add_event(changes, event, &copier->changed) ||
			err_memory(err)) &&
		       put_changed(copier, CHANGED_ENOUGH, err);
	if (event->offset != stretch->to || copier->changed.size > 0) {
		if (!put_stretch(copier, stretch, err) || !put_changed(copier, 1, err))
			return false;
		stretch->from = event->offset;
	}
	stretch->to = event->offset + event->size;
	return true;
}

static bool add_events(struct copier *copier, struct err *err)
{
	struct event_walk walk = event_walk(copier->chunk, NULL);
	struct stretch stretch = { 0, 0 };
	struct event event;

	buf_reset(&copier->changed);
	for (uint64_t index = 0; event_next(&walk, &event); index++) {
		if (bits_has(copier->kept.items, index) &&
		    !add_event(copier, &event, &stretch, err))
			return false;
	}
	return put_stretch(copier, &stretch, err) && put_changed(copier, 0, err);
}

/* An unfinished chunk lasts at least until its last event ends. */
static int64_t duration_of(const struct copier *copier)
{
	const struct header *header = &copier->chunk->header;
	struct clock clock = clock_of(header);
	int64_t duration;

	if (!copier->chunk->is_unfinished || header->ticks_per_second <= 0 ||
	    __builtin_sub_overflow(clock_nanos(&clock, copier->last_tick),
				   header->start_nanos, &duration) ||
	    duration < header->duration_nanos)
		return header->duration_nanos;
	return duration;
}

/* The tick at which the chunk begins, as it is written. */
static int64_t start_of(const struct copier *copier)
{
	const struct header *header = &copier->chunk->header;

	return retime_is_needed(&copier->changes.retime)
		       ? retime_start(&copier->changes.retime, header->start_nanos)
		       : header->start_ticks;
}

/* Writes the chunk, or finds out what its header will be; events are not counted. */
static bool write_body(struct copier *copier, const struct header *header,
		       struct err *err)
{
	struct writer *writer = &copier->writer;

	writer_open(writer, header);
	buf_reset(&writer->buf);
	header_write(header, &writer->buf);
	writer->now = header->start_ticks;
	return add_metadata(copier, err) && add_constants(copier, err) &&
	       (!copier->changes.redaction.failed || err_memory(err)) &&
	       writer_close(writer, err);
}

static bool write_chunk(struct copier *copier, bool is_last, struct err *err)
{
	struct header header = copier->chunk->header;
	const struct header *counted = &copier->writer.header;

	header.duration_nanos = duration_of(copier);
	header.start_ticks = start_of(copier);
	if (retime_is_needed(&copier->changes.retime))
		header.ticks_per_second = copier->copy->to.ticks_per_second;
	header.state = header.pad = 0;
	header.flags = HEADER_COMPRESSED | (is_last ? header.flags & HEADER_FINAL : 0);
	copier->is_counting = true;
	if (!write_body(copier, &header, err))
		return false;
	header.chunk_size = counted->chunk_size + (int64_t)copier->changed_bytes;
	header.metadata_at = counted->metadata_at;
	header.checkpoint_at = counted->checkpoint_at;
	copier->is_counting = false;
	return write_body(copier, &header, err) && add_events(copier, err);
}

/* Behind the events: constants and metadata. `header` then leads there. */
static bool write_rest(struct copier *copier, struct scrub *scrub, struct header *header,
		       struct err *err)
{
	scrub_begin(scrub, HEADER_SIZE + (copier->has_changes ? copier->changed_bytes
							      : copier->event_bytes));
	while (scrub_next(scrub)) {
		if (!put(copier, scrub->buf.bytes, scrub->buf.size, err))
			return false;
	}
	if (scrub->buf.failed || copier->changes.redaction.failed)
		return err_memory(err);
	header->checkpoint_at = (int64_t)scrub->checkpoint_at;
	header->metadata_at = (int64_t)scrub->position;
	header->chunk_size = header->metadata_at + (int64_t)copier->metadata.size;
	return put(copier, copier->metadata.bytes, copier->metadata.size, err);
}

static bool write_header(struct copier *copier, const struct header *header,
			 struct err *err)
{
	struct buf buf = { 0 };
	bool is_good;

	header_write(header, &buf);
	is_good = buf.failed ? err_memory(err) : put(copier, buf.bytes, buf.size, err);
	buf_clear(&buf);
	return is_good;
}

/* Leaves out what is not wanted, as the JDK does; false in *is_possible: it cannot. */
static bool write_scrubbed(struct copier *copier, bool *is_possible, struct err *err)
{
	struct scrub scrub = { .chunk = copier->chunk, .refs = &copier->refs };
	struct header header = copier->chunk->header;
	bool is_good;

	copier->has_changes = copier->copy->redact != NULL;
	if (copier->has_changes)
		scrub.changes = &copier->changes;
	copier->is_counting = true;
	is_good = write_rest(copier, &scrub, &header, err);
	copier->is_counting = false;
	*is_possible = !scrub.is_too_large;
	if (is_good && *is_possible)
		is_good = write_header(copier, &header, err) &&
			  add_events(copier, err) &&
			  write_rest(copier, &scrub, &header, err);
	scrub_clear(&scrub);
	return is_good;
}

/* A metadata event that is not as it lies in the chunk. */
static bool make_metadata(struct copier *copier, struct err *err)
{
	struct writer writer = { .now = start_of(copier) };
	const struct element *tree = copier->types.tree;

	if (copier->copy->redact)
		tree = redaction_tree(&copier->changes.redaction, tree, &copier->arena);
	if (!tree)
		return err_memory(err);
	if (copier->changes.redaction.has_names)
		damage_note(&copier->damage, "a value to be redacted stays where it is in "
					     "the name of a type or field",
			    chunk_site(copier->chunk, 0));
	writer_element_as(&writer, copier->types.id, tree);
	buf_reset(&copier->made);
	buf_add(&copier->made, writer.buf.bytes, writer.buf.size);
	if (writer.err.kind != ERR_NONE)
		*err = writer.err;
	else if (writer.buf.failed || copier->made.failed)
		err_memory(err);
	copier->metadata = (struct str){ copier->made.bytes, copier->made.size };
	writer_clear(&writer);
	return err->kind == ERR_NONE;
}

static bool choose_metadata(struct copier *copier, enum way way, struct err *err)
{
	bool stays = way == WAY_SCRUBBED || types_are_as_they_were(&copier->types);

	copier->metadata = copier->types.event;
	return (stays && !copier->copy->redact) || make_metadata(copier, err);
}

/* As it is, but for the mark that nothing follows it, if something does. */
static bool put_whole(struct copier *copier, bool is_last, struct err *err)
{
	const struct chunk *chunk = copier->chunk;
	struct header header = chunk->header;
	size_t size = 0;

	if (copier->copy->meet && !is_last && header.flags & HEADER_FINAL) {
		header.flags &= (uint16_t)~HEADER_FINAL;
		size = HEADER_SIZE;
		if (!write_header(copier, &header, err))
			return false;
	}
	return put(copier, chunk->bytes + size, chunk->size - size, err);
}

static bool write_copy(struct copier *copier, bool is_last, struct err *err)
{
	enum way way = way_of(copier);
	bool is_possible = false;

	if (way == WAY_AS_IT_IS)
		return put_whole(copier, is_last, err);
	if (way == WAY_SCRUBBED && !(choose_metadata(copier, way, err) &&
				     write_scrubbed(copier, &is_possible, err)))
		return false;
	if (is_possible)
		return true;
	copier->has_changes = true;
	return choose_metadata(copier, WAY_ANEW, err) && write_chunk(copier, is_last, err);
}

static bool open_filter(struct copier *copier, struct err *err)
{
	const struct chunk *chunk = copier->chunk;
	struct copy *copy = copier->copy;

	copier->counts = arena_array(&copier->arena, chunk->metadata.type_count,
				     sizeof(*copier->counts));
	if (!copier->counts)
		return err_memory(err);
	return !copy->filter ||
	       selection_open(&copier->selection, chunk, copy->filter, err);
}

/* Loads the constants; from then on it is known how times are to be told. */
static bool meet_chunk(struct copier *copier, struct err *err)
{
	struct copy *copy = copier->copy;

	if (!checkpoint_load(copier->chunk, &copier->damage, err))
		return false;
	if (!copy->meet)
		return true;
	if (!copy->meet(copy, copier->chunk))
		return err_memory(err);
	copier->changes.retime = (struct retime){ copy->from, clock_of(&copy->to), 0 };
	return true;
}

static bool copy_open(struct copier *copier, struct err *err)
{
	const struct chunk *chunk = copier->chunk;

	copier->last_tick = chunk->header.start_ticks;
	copier->is_intact = !chunk->is_unfinished && chunk->header.state == 0 &&
			    chunk->header.chunk_size == (int64_t)chunk->size;
	if (!meet_chunk(copier, err) ||
	    !types_read(&copier->types, chunk, &copier->copy->numbers, &copier->arena, err))
		return false;
	copier->is_intact &= copier->types.mended != MEND_ALL && !copier->types.is_taken &&
			     (int64_t)chunk->metadata_at == chunk->header.metadata_at;
	return read_constants(copier, err) && open_filter(copier, err) &&
	       survey_events(copier, err);
}

/* What the filter has to do with it. */
static bool note_removed(struct copier *copier, struct err *err)
{
	const struct metadata *metadata = &copier->chunk->metadata;
	struct copy *copy = copier->copy;
	bool is_good;

	if (!copy->filter)
		return true;
	is_good = outcome_add(&copy->outcome, &copier->selection);
	for (size_t i = 0; i < metadata->type_count && is_good; i++)
		is_good = removed_add(&copy->removed, &metadata->types[i],
				      &copier->counts[i]);
	return is_good || err_memory(err);
}

static void copy_close(struct copier *copier)
{
	if (copier->refs.chunk)
		refs_close(&copier->refs);
	changes_close(&copier->changes);
	buf_clear(&copier->changed);
	buf_clear(&copier->made);
	selection_close(&copier->selection);
	vec_clear(&copier->kept);
	writer_clear(&copier->writer);
	arena_clear(&copier->arena);
}

bool copy_chunk(struct copy *copy, struct chunk *chunk, bool is_last,
		struct damage *damage, struct err *err)
{
	struct copier copier = { .copy = copy, .chunk = chunk, .told = damage,
				 .damage = { .sink = hand_on, .context = &copier } };
	bool is_good = copy_open(&copier, err);

	is_good = is_good && note_removed(&copier, err) &&
		  write_copy(&copier, is_last, err);
	copy_close(&copier);
	keys_release(&copy->keys);
	copy->lost_events += copier.lost;
	copy->events += is_good ? copier.events + copier.unknown : 0;
	copy->chunks += is_good;
	return is_good;
}

bool copy_input(struct copy *copy, struct input *input, struct damage *damage,
		struct err *err)
{
	struct chunk chunks[2] = { { .bytes = NULL } };
	struct damage ahead = { 0 };
	bool is_good = true;
	size_t count = 0;

	/* The next one is opened first: so the last is known to be the last. */
	while (is_good && input_open_next(input, &chunks[count % 2], &ahead, err)) {
		if (count++ > 0) {
			struct chunk *chunk = &chunks[count % 2];

			is_good = copy_chunk(copy, chunk, false, damage, err);
			chunk_close(chunk);
		}
		damage_merge(damage, &ahead);
	}
	is_good = is_good && err->kind == ERR_NONE && count > 0 &&
		  copy_chunk(copy, &chunks[(count - 1) % 2], true, damage, err);
	damage_merge(damage, &ahead);
	damage_clear(&ahead);
	chunk_close(&chunks[0]);
	chunk_close(&chunks[1]);
	copy->lost_chunks += input->count - input->opened;
	return is_good;
}

void copy_clear(struct copy *copy)
{
	numbers_clear(&copy->numbers);
	keys_clear(&copy->keys);
}
