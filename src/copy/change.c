#include "copy/change.h"

#include "jfr/encode.h"
#include "jfr/measure.h"

/* --- keys ----------------------------------------------------------------------------------- */

static bool has_key(void *context, const struct type *type)
{
	const struct change *change = context;

	return keys_has(change->keys, type);
}

uint64_t change_key(const struct change *change, const struct type *type, uint64_t key)
{
	return keys_has(change->keys, type) ? keys_get(change->keys, type, key) : key;
}

static uint64_t replace_key(void *context, const struct type *type, uint64_t key)
{
	return change_key(context, type, key);
}

/* The same, or a stand-in where the constant is missing. */
static uint64_t present_key(void *context, const struct type *type, uint64_t key)
{
	struct change *change = context;
	uint64_t other = standin_key(&change->standin, type, key);

	return other != key ? other : change_key(change, type, key);
}

static bool has_keys(const struct change *change)
{
	const struct metadata *metadata = &change->chunk->metadata;

	for (size_t i = 0; i < metadata->type_count; i++) {
		if (keys_has(change->keys, &metadata->types[i]))
			return true;
	}
	return false;
}

static void open_keys(struct change *change)
{
	struct rewrite *constants = &change->constants, *events = &change->events;

	if (has_keys(change)) {
		constants->key = events->key = replace_key;
		constants->has_key = events->has_key = has_key;
	}
	if (standin_is_needed(&change->standin)) {
		constants->key = present_key;
		constants->has_key = NULL;
	}
}

/* --- numbers -------------------------------------------------------------------------------- */

/* The number of the event type that a setting is for. */
static bool is_type_number(const struct rewrite_place *place)
{
	return str_is(place->field->name, STR("id")) &&
	       (str_is(place->owner->name, STR("jdk.ActiveSetting")) ||
		str_is(place->owner->name, STR("com.oracle.jdk.ActiveSetting")));
}

static bool has_number(void *context, const struct rewrite_place *place)
{
	const struct change *change = context;

	return is_type_number(place) ||
	       (unit_is_ticks(place->field->unit) && retime_is_needed(&change->retime));
}

static int64_t replace_number(void *context, const struct rewrite_place *place,
			      int64_t number)
{
	struct change *change = context;
	const struct accept *accept = &change->types->accept;
	const struct type *type;

	if (unit_is_ticks(place->field->unit))
		return retime_number(&change->retime, place->field, number);
	type = metadata_type(accept->metadata, number);
	return type ? accept->ids[type->index] : number;
}

static void open_numbers(struct change *change)
{
	struct rewrite *constants = &change->constants, *events = &change->events;

	if (!retime_is_needed(&change->retime) && !change->types->is_renumbered)
		return;
	constants->number = events->number = replace_number;
	constants->has_number = events->has_number = has_number;
}

/* --- texts ---------------------------------------------------------------------------------- */

static bool replace_text(void *context, const struct rewrite_place *place,
			 struct str *text)
{
	struct change *change = context;

	return redaction_text(&change->redaction, place, text);
}

static bool replace_constant_text(void *context, const struct rewrite_place *place,
				  struct str *text)
{
	struct change *change = context;

	return redaction_constant(&change->redaction, place, text);
}

static bool open_texts(struct change *change)
{
	if (!change->redact)
		return true;
	change->events.text = replace_text;
	change->constants.text = replace_constant_text;
	return redaction_open(&change->redaction, change->redact, change->chunk);
}

/* --- all of them ---------------------------------------------------------------------------- */

bool change_open(struct change *change)
{
	change->constants.context = change->events.context = change;
	standin_open(&change->standin, change->chunk, &change->types->accept);
	open_keys(change);
	open_numbers(change);
	return open_texts(change) && rewrite_open(&change->constants, change->chunk) &&
	       rewrite_open(&change->events, change->chunk);
}

bool change_is_none(const struct change *change)
{
	return !change->constants.key && !change->constants.number;
}

void change_constant(struct change *change, const struct pool *pool, uint32_t index,
		     struct buf *to)
{
	struct cursor cursor = pool_cursor(pool, index);

	if (change->constants.key == present_key)
		standin_begin(&change->standin, pool->type, &pool->constants.items[index]);
	if (change->redact)
		redaction_begin(&change->redaction, pool->type, index);
	rewrite_value(&change->constants, pool->type, &cursor, to);
}

/* Over the event; if there are secrets, not over what stands behind its fields. */
static struct cursor cursor_over(const struct change *change, const struct event *event)
{
	struct cursor cursor = event_cursor(change->chunk, event), end = cursor;

	if (!change->redact)
		return cursor;
	value_skip(&event->type->program, &end);
	cursor.end = end.at;
	return cursor;
}

bool change_concerns(struct change *change, const struct event *event)
{
	return change->types->accept.ids[event->type->index] != event->type->id ||
	       rewrite_concerns(&change->events, event->type) ||
	       cursor_over(change, event).end != event_cursor(change->chunk, event).end;
}

bool change_event(struct change *change, const struct event *event, struct buf *to)
{
	struct cursor cursor = cursor_over(change, event);
	struct buf *body = &change->body;

	buf_reset(body);
	encode_long(body, change->types->accept.ids[event->type->index]);
	rewrite_value(&change->events, event->type, &cursor, body);
	encode_event(to, body->bytes, body->size);
	return !body->failed && !to->failed && !change->redaction.failed;
}

void change_close(struct change *change)
{
	rewrite_close(&change->constants);
	rewrite_close(&change->events);
	redaction_close(&change->redaction);
	buf_clear(&change->body);
}
