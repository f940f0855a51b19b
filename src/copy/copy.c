#include "copy/copy.h"

#include <string.h>

#include "copy/accept.h"
#include "copy/mend.h"
#include "copy/retime.h"
#include "copy/standin.h"
#include "copy/strict.h"
#include "jfr/checkpoint.h"
#include "jfr/encode.h"
#include "jfr/measure.h"
#include "jfr/refs.h"
#include "jfr/rewrite.h"
#include "jfr/writer.h"

/* Where a checkpoint is ended and another begun, well below WRITER_EVENT_MAX. */
#define CHECKPOINT_ENOUGH ((size_t)4 << 20)

/* Changed events are put together until they are so many bytes. */
#define CHANGED_ENOUGH ((size_t)1 << 18)

/* With stand-ins for all it refers to, a constant may grow to eight times of this. */
#define CONSTANT_MAX ((size_t)24 << 20)

/* Metadata events end within so many bytes, if their size is wrong. */
#define METADATA_MAX ((size_t)8 << 20)

/* Bytes in front of what says which types there are, if there is no event around it. */
#define NO_EVENT "\0\0\0\0\0"

/* A chunk on its way. */
struct copier {
	struct copy *copy;
	struct chunk *chunk;
	struct arena arena;
	struct damage damage;		/* hands all on, and makes is_whole false */
	struct damage *told;
	bool is_whole;			/* nothing has to be changed so far */

	struct str metadata;		/* the event; bytes NULL: written anew */
	const struct element *tree;
	int64_t metadata_id;
	struct accept accept;
	struct standin standin;
	struct rewrite constants;	/* how their values are written */
	struct rewrite bodies;		/* and those of events */
	struct retime retime;		/* both clocks are the same: times stay */
	struct buf body;		/* of an event, on its way */
	struct buf changed;		/* events, on their way */
	struct refs refs;		/* marks nothing if all constants are kept */

	uint64_t events;		/* to be written, and their bytes */
	uint64_t event_bytes;
	uint64_t unknown;		/* events of types that are not declared */
	uint64_t lost;
	int64_t last_tick;		/* that an event ends at */

	struct writer writer;
	bool is_counting;		/* what the writer writes is thrown away */
};

static void hand_on(void *context, const struct fault *fault)
{
	struct copier *copier = context;
	struct fault copy = *fault;
	struct damage one = { .faults = { &copy, 1, 1 } };

	if (!fault->is_note)
		copier->is_whole = false;
	damage_merge(copier->told, &one);
}

/* A string that refers to a constant makes the JDK fail, even where nobody uses it. */
static bool has_pooled_string(struct str body)
{
	static const struct op op = { .kind = OP_STRING };
	static const struct program program = { .ops = &op, .count = 1 };
	struct cursor cursor = cursor_of((const unsigned char *)body.bytes, body.size);
	int32_t count = (int32_t)cursor_varint(&cursor);

	for (int32_t i = 0; i < count && !cursor.bad; i++) {
		if (cursor_left(&cursor) > 0 && *cursor.at == STRING_POOLED)
			return true;
		value_skip(&program, &cursor);
	}
	return cursor.bad;
}

/* Reads the elements of the event that the chunk's metadata is from. */
static const struct element *read_event(struct copier *copier, struct str *body,
					struct err *err)
{
	const struct chunk *chunk = copier->chunk;
	const unsigned char *bytes = chunk->bytes + chunk->metadata_at;
	size_t left = chunk->size - chunk->metadata_at;
	const struct element *root = NULL;
	struct cursor cursor;
	struct frame frame;

	if (!frame_read(chunk->bytes, chunk->size, chunk->metadata_at, &frame)) {
		root = element_read(bytes, frame.size, &copier->arena, NULL);
		copier->metadata = (struct str){ (const char *)bytes, frame.size };
	}
	if (!root) {	/* its size is wrong */
		copier->metadata = (struct str){ NULL, 0 };
		left = left < METADATA_MAX ? left : METADATA_MAX;
		root = element_read(bytes, left, &copier->arena, err);
	} else {
		left = frame.size;
	}
	cursor = cursor_of(bytes, left);
	for (int i = 0; i < 4; i++)
		cursor_varint(&cursor);
	copier->metadata_id = (int64_t)cursor_varint(&cursor);
	*body = (struct str){ (const char *)cursor.at, cursor_left(&cursor) };
	return root;
}

static const struct element *read_borrowed(struct copier *copier, struct str *body,
					   struct err *err)
{
	struct buf buf = { 0 };
	const char *copy;

	*body = copier->chunk->shared->body;
	buf_add(&buf, NO_EVENT, sizeof(NO_EVENT) - 1);
	buf_str(&buf, *body);
	copy = buf.failed ? NULL : arena_copy(&copier->arena, buf.bytes, buf.size);
	buf_clear(&buf);
	copier->metadata_id = numbers_of_body(*body);
	if (!copy) {
		err_memory(err);
		return NULL;
	}
	return element_read((const unsigned char *)copy,
			    body->size + sizeof(NO_EVENT) - 1, &copier->arena, err);
}

static bool read_metadata(struct copier *copier, struct err *err)
{
	const struct chunk *chunk = copier->chunk;
	const struct element *root;
	bool is_changed = false;
	struct str body;
	int64_t id;

	root = chunk->metadata_at ? read_event(copier, &body, err)
				  : read_borrowed(copier, &body, err);
	if (!root)
		return false;
	if (!accept_open(&copier->accept, &chunk->metadata, &copier->arena) ||
	    !numbers_settle(&copier->copy->numbers, &copier->accept, chunk->pools))
		return err_memory(err);
	copier->tree = mend_tree(root, &copier->accept, &copier->arena, &is_changed);
	if (!copier->tree)
		return err_memory(err);
	is_changed |= !copier->metadata.bytes || has_pooled_string(body);
	id = is_changed ? numbers_of_types(body, &copier->accept) : copier->metadata_id;
	id = numbers_metadata(&copier->copy->numbers, id, body);
	if (is_changed || id != copier->metadata_id)
		copier->metadata = (struct str){ NULL, 0 };
	copier->metadata_id = id;
	if (!copier->metadata.bytes ||
	    (int64_t)chunk->metadata_at != chunk->header.metadata_at)
		copier->is_whole = false;
	return true;
}

/* Constants of these types are there, but cannot be written. */
static void find_lost_pools(struct copier *copier)
{
	const struct chunk *chunk = copier->chunk;

	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		const struct type *type = &chunk->metadata.types[i];
		const struct pool *pool = chunk->pools[i];

		if (pool && pool->constants.count > 0 &&
		    !accept_pool(&copier->accept, type))
			damage_add(&copier->damage,
				   "constants of a type that the JDK does not know",
				   type->name, chunk_site(chunk, 0));
	}
}

static bool has_key(void *context, const struct type *type)
{
	const struct copier *copier = context;

	return keys_has(&copier->copy->keys, type);
}

/* Another key where recordings are merged. */
static uint64_t merged_key(void *context, const struct type *type, uint64_t key)
{
	const struct copier *copier = context;

	return has_key(context, type) ? keys_get(&copier->copy->keys, type, key) : key;
}

/* The same, or a stand-in where the constant is missing. */
static uint64_t present_key(void *context, const struct type *type, uint64_t key)
{
	struct copier *copier = context;
	uint64_t other = standin_key(&copier->standin, type, key);

	return other != key ? other : merged_key(context, type, key);
}

/* The number of the event type that a setting is for. */
static bool is_type_number(const struct rewrite_place *place)
{
	return str_is(place->field->name, STR("id")) &&
	       (str_is(place->owner->name, STR("jdk.ActiveSetting")) ||
		str_is(place->owner->name, STR("com.oracle.jdk.ActiveSetting")));
}

static bool has_number(void *context, const struct rewrite_place *place)
{
	const struct copier *copier = context;

	return is_type_number(place) ||
	       (unit_is_ticks(place->field->unit) && retime_is_needed(&copier->retime));
}

static int64_t replace_number(void *context, const struct rewrite_place *place,
			      int64_t number)
{
	struct copier *copier = context;
	const struct type *type;

	if (unit_is_ticks(place->field->unit))
		return retime_number(&copier->retime, place->field, number);
	type = metadata_type(copier->accept.metadata, number);
	return type ? copier->accept.ids[type->index] : number;
}

static bool is_renumbered(const struct accept *accept)
{
	for (size_t i = 0; i < accept->metadata->type_count; i++) {
		if (accept->ids[i] != accept->metadata->types[i].id)
			return true;
	}
	return false;
}

static bool has_keys(struct copier *copier)
{
	for (size_t i = 0; i < copier->chunk->metadata.type_count; i++) {
		if (has_key(copier, &copier->chunk->metadata.types[i]))
			return true;
	}
	return false;
}

/* What will change in the values of constants and events. */
static bool open_rewrites(struct copier *copier)
{
	const struct chunk *chunk = copier->chunk;
	bool is_retimed = retime_is_needed(&copier->retime);

	copier->constants.context = copier->bodies.context = copier;
	if (has_keys(copier)) {
		copier->constants.key = copier->bodies.key = merged_key;
		copier->constants.has_key = copier->bodies.has_key = has_key;
		copier->is_whole = false;
	}
	if (standin_is_needed(&copier->standin)) {
		copier->constants.key = present_key;
		copier->constants.has_key = NULL;
	}
	if (is_retimed || is_renumbered(&copier->accept)) {
		copier->constants.number = copier->bodies.number = replace_number;
		copier->constants.has_number = copier->bodies.has_number = has_number;
		copier->is_whole = false;
	}
	return rewrite_open(&copier->constants, chunk) &&
	       rewrite_open(&copier->bodies, chunk);
}

static bool read_constants(struct copier *copier, struct err *err)
{
	struct chunk *chunk = copier->chunk;

	if (copier->copy->is_pruned && !refs_open(&copier->refs, chunk))
		return err_memory(err);
	standin_open(&copier->standin, chunk, &copier->accept);
	if (!open_rewrites(copier))
		return err_memory(err);
	find_lost_pools(copier);
	if (standin_is_needed(&copier->standin) ||
	    !strict_checkpoints(chunk, &copier->accept, copier->copy->bytes == 0))
		copier->is_whole = false;
	return true;
}

enum fate {
	FATE_KEPT,
	FATE_LEFT,	/* not wanted, or written anew */
	FATE_UNKNOWN,
	FATE_LOST,
};

/* Why an event of known type is lost; NULL: it is not. */
static const char *fault_of(const struct copier *copier, const struct event *event)
{
	struct cursor cursor = event_cursor(copier->chunk, event);

	if (!value_skip(&event->type->program, &cursor))
		return event_fault(event);
	if (!accept_type(&copier->accept, event->type))
		return "an event of a type that the JDK cannot read";
	return NULL;
}

static enum fate fate_of(const struct copier *copier, const struct event *event)
{
	const struct copy *copy = copier->copy;

	if (event->type_id == EVENT_METADATA || event->type_id == EVENT_CHECKPOINT)
		return FATE_LEFT;
	if (!event->type)
		return FATE_UNKNOWN;
	if (fault_of(copier, event))
		return FATE_LOST;
	if (copy->filter && !copy->filter(copy->context, event))
		return FATE_LEFT;
	return FATE_KEPT;
}

/* True if the event does not keep its bytes. */
static bool is_changed(struct copier *copier, const struct event *event)
{
	return copier->accept.ids[event->type->index] != event->type->id ||
	       rewrite_concerns(&copier->bodies, event->type);
}

/* Appends the event as it will be, or is. False without memory. */
static bool add_changed(struct copier *copier, const struct event *event)
{
	struct cursor cursor = event_cursor(copier->chunk, event);
	struct buf *body = &copier->body, *to = &copier->changed;
	int width = 1;

	buf_reset(body);
	encode_long(body, copier->accept.ids[event->type->index]);
	rewrite_value(&copier->bodies, event->type, &cursor, body);
	while ((body->size + (size_t)width) >> 7 * width)
		width++; /* the size counts itself */
	encode_varint(to, body->size + (size_t)width);
	buf_add(to, body->bytes, body->size);
	return !body->failed && !to->failed;
}

static bool note_kept(struct copier *copier, const struct event *event)
{
	int64_t start, end;

	copier->events++;
	if (!is_changed(copier, event)) {
		copier->event_bytes += event->size;
	} else {
		buf_reset(&copier->changed);
		if (!add_changed(copier, event))
			return false;
		copier->event_bytes += copier->changed.size;
	}
	if (event_ticks(copier->chunk, event, &start, &end) && end > copier->last_tick)
		copier->last_tick = end;
	return !copier->copy->is_pruned || refs_mark_event(&copier->refs, event);
}

static void note_lost(struct copier *copier, const struct event *event)
{
	copier->lost++;
	damage_add(&copier->damage, fault_of(copier, event), event->type->name,
		   chunk_site(copier->chunk, event->offset));
}

/* Nobody can tell whether they are whole: they stay only where all else does. */
static void note_unknown(struct copier *copier, size_t first_at)
{
	if (copier->unknown == 0 || copier->is_whole)
		return;
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

	while (event_next(&walk, &event)) {
		enum fate fate = fate_of(copier, &event);

		if (fate == FATE_KEPT && !note_kept(copier, &event))
			return err_memory(err);
		if (fate == FATE_LOST)
			note_lost(copier, &event);
		if (fate == FATE_UNKNOWN && copier->unknown++ == 0)
			unknown_at = event.offset;
	}
	note_unknown(copier, unknown_at);
	if (copier->retime.clipped > 0)
		damage_add_detail(&copier->damage,
				  "times do not fit into their fields any more",
				  chunk_site(copier->chunk, 0), "%llu values",
				  (unsigned long long)copier->retime.clipped);
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

	if (copier->metadata.bytes) {
		writer->header.metadata_at = (int64_t)writer_position(writer);
		buf_str(&writer->buf, copier->metadata);
	} else {
		writer_element_as(writer, copier->metadata_id, copier->tree);
	}
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
	const struct constant *constant = &pool->constants.items[index];
	struct cursor cursor = pool_cursor(pool, index);

	writer_constant(&copier->writer, merged_key(copier, pool->type, constant->key));
	if (copier->constants.key == present_key)
		standin_begin(&copier->standin, pool->type, constant);
	rewrite_value(&copier->constants, pool->type, &cursor, &copier->writer.buf);
}

static bool add_pool(struct copier *copier, const struct pool *pool, struct err *err)
{
	struct writer *writer = &copier->writer;
	int64_t id = copier->accept.ids[pool->type->index];

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

		if (pool && accept_pool(&copier->accept, pool->type) &&
		    !add_pool(copier, pool, err))
			return false;
	}
	for (int kind = 0; kind < STANDIN_COUNT; kind++) {
		const struct type *type = copier->standin.types[kind];

		if (!copier->standin.is_needed[kind])
			continue;
		writer_pool(writer, copier->accept.ids[type->index]);
		writer_constant(writer, copier->standin.keys[kind]);
		standin_add(&copier->standin, (enum standin_kind)kind, &writer->buf);
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
	if (is_changed(copier, event))
		return put_stretch(copier, stretch, err) &&
		       (add_changed(copier, event) || err_memory(err)) &&
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
	while (event_next(&walk, &event)) {
		if (fate_of(copier, &event) == FATE_KEPT &&
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
	       writer_close(writer, err);
}

static bool write_chunk(struct copier *copier, bool is_last, struct err *err)
{
	struct header header = copier->chunk->header;
	const struct header *counted = &copier->writer.header;

	header.duration_nanos = duration_of(copier);
	if (retime_is_needed(&copier->retime)) {
		header.start_ticks = retime_start(&copier->retime, header.start_nanos);
		header.ticks_per_second = copier->copy->to.ticks_per_second;
	}
	header.state = header.pad = 0;
	header.flags = HEADER_COMPRESSED | (is_last ? header.flags & HEADER_FINAL : 0);
	copier->is_counting = true;
	if (!write_body(copier, &header, err))
		return false;
	header.chunk_size = counted->chunk_size + (int64_t)copier->event_bytes;
	header.metadata_at = counted->metadata_at;
	header.checkpoint_at = counted->checkpoint_at;
	copier->is_counting = false;
	return write_body(copier, &header, err) && add_events(copier, err);
}

/* As it is, but for the mark that nothing follows it, if something does. */
static bool put_whole(struct copier *copier, bool is_last, struct err *err)
{
	const struct chunk *chunk = copier->chunk;
	struct header header = chunk->header;
	struct buf start = { 0 };
	size_t size = 0;
	bool is_good;

	if (copier->copy->meet && !is_last && header.flags & HEADER_FINAL) {
		header.flags &= (uint16_t)~HEADER_FINAL;
		header_write(&header, &start);
		size = start.size;
		if (start.failed)
			return err_memory(err);
	}
	is_good = put(copier, start.bytes, size, err) &&
		  put(copier, chunk->bytes + size, chunk->size - size, err);
	buf_clear(&start);
	return is_good;
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
	copier->retime = (struct retime){ copy->from, clock_of(&copy->to), 0 };
	return true;
}

static bool copy_open(struct copier *copier, struct err *err)
{
	const struct chunk *chunk = copier->chunk;
	const struct copy *copy = copier->copy;

	copier->last_tick = chunk->header.start_ticks;
	copier->is_whole = !chunk->is_unfinished && chunk->header.state == 0 &&
			   chunk->header.chunk_size == (int64_t)chunk->size &&
			   !copy->filter && !copy->is_pruned;
	return meet_chunk(copier, err) && read_metadata(copier, err) &&
	       read_constants(copier, err) && survey_events(copier, err);
}

static void copy_close(struct copier *copier)
{
	if (copier->refs.chunk)
		refs_close(&copier->refs);
	rewrite_close(&copier->constants);
	rewrite_close(&copier->bodies);
	buf_clear(&copier->body);
	buf_clear(&copier->changed);
	writer_clear(&copier->writer);
	arena_clear(&copier->arena);
}

bool copy_chunk(struct copy *copy, struct chunk *chunk, bool is_last,
		struct damage *damage, struct err *err)
{
	struct copier copier = { .copy = copy, .chunk = chunk, .told = damage,
				 .damage = { .sink = hand_on, .context = &copier } };
	bool is_good = copy_open(&copier, err);

	if (is_good)
		is_good = copier.is_whole ? put_whole(&copier, is_last, err)
					  : write_chunk(&copier, is_last, err);
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
