#include "copy/changes.h"

#include "jfr/encode.h"
#include "jfr/measure.h"

static bool has_key(void *context, const struct type *type)
{
	const struct changes *changes = context;

	return keys_has(changes->keys, type);
}

uint64_t changes_key(const struct changes *changes, const struct type *type, uint64_t key)
{
	return keys_has(changes->keys, type) ? keys_get(changes->keys, type, key) : key;
}

/* Another key where recordings are merged. */
static uint64_t merged_key(void *context, const struct type *type, uint64_t key)
{
	return changes_key(context, type, key);
}

/* The same, or a stand-in where the constant is missing. */
static uint64_t present_key(void *context, const struct type *type, uint64_t key)
{
	struct changes *changes = context;
	uint64_t other = standin_key(&changes->standin, type, key);

	return other != key ? other : changes_key(changes, type, key);
}

static bool replace_text(void *context, const struct rewrite_place *place,
			 struct str *text)
{
	struct changes *changes = context;

	return redaction_text(&changes->redaction, place, text);
}

static bool replace_constant(void *context, const struct rewrite_place *place,
			     struct str *text)
{
	struct changes *changes = context;

	return redaction_constant(&changes->redaction, place, text);
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
	const struct changes *changes = context;

	return is_type_number(place) ||
	       (unit_is_ticks(place->field->unit) && retime_is_needed(&changes->retime));
}

static int64_t replace_number(void *context, const struct rewrite_place *place,
			      int64_t number)
{
	struct changes *changes = context;
	const struct accept *accept = &changes->types->accept;
	const struct type *type;

	if (unit_is_ticks(place->field->unit))
		return retime_number(&changes->retime, place->field, number);
	type = metadata_type(accept->metadata, number);
	return type ? accept->ids[type->index] : number;
}

static bool has_any_keys(const struct changes *changes)
{
	for (size_t i = 0; i < changes->chunk->metadata.type_count; i++) {
		if (keys_has(changes->keys, &changes->chunk->metadata.types[i]))
			return true;
	}
	return false;
}

bool changes_open(struct changes *changes, const struct chunk *chunk,
		  const struct types *types, struct redact *redact)
{
	struct rewrite *constants = &changes->constants, *bodies = &changes->bodies;

	changes->chunk = chunk;
	changes->types = types;
	standin_open(&changes->standin, chunk, &types->accept);
	constants->context = bodies->context = changes;
	changes->has_keys = has_any_keys(changes);
	if (changes->has_keys) {
		constants->key = bodies->key = merged_key;
		constants->has_key = bodies->has_key = has_key;
	}
	if (standin_is_needed(&changes->standin)) {
		constants->key = present_key;
		constants->has_key = NULL;
	}
	if (retime_is_needed(&changes->retime) || types->is_renumbered) {
		constants->number = bodies->number = replace_number;
		constants->has_number = bodies->has_number = has_number;
	}
	if (redact) {
		constants->text = replace_constant;
		bodies->text = replace_text;
	}
	return (!redact || redaction_open(&changes->redaction, redact, chunk)) &&
	       rewrite_open(constants, chunk) && rewrite_open(bodies, chunk);
}

void changes_close(struct changes *changes)
{
	rewrite_close(&changes->constants);
	rewrite_close(&changes->bodies);
	redaction_close(&changes->redaction);
	buf_clear(&changes->body);
}

void changes_add_constant(struct changes *changes, const struct pool *pool, uint32_t index,
			  struct buf *to)
{
	struct cursor cursor = pool_cursor(pool, index);

	if (changes->constants.key == present_key)
		standin_begin(&changes->standin, pool->type, &pool->constants.items[index]);
	if (changes->redaction.redact)
		redaction_begin(&changes->redaction, pool->type, index);
	rewrite_value(&changes->constants, pool->type, &cursor, to);
}

/* The values of the event; if there are secrets, not what stands behind its fields. */
static struct cursor body_of(const struct changes *changes, const struct event *event)
{
	struct cursor cursor = event_cursor(changes->chunk, event), end = cursor;

	if (changes->redaction.redact && value_skip(&event->type->program, &end))
		cursor.end = end.at;
	return cursor;
}

bool changes_concern(struct changes *changes, const struct event *event)
{
	return changes->types->accept.ids[event->type->index] != event->type->id ||
	       rewrite_concerns(&changes->bodies, event->type) ||
	       body_of(changes, event).end != event_cursor(changes->chunk, event).end;
}

bool changes_add_event(struct changes *changes, const struct event *event, struct buf *to)
{
	struct cursor cursor = body_of(changes, event);
	struct buf *body = &changes->body;

	buf_reset(body);
	encode_long(body, changes->types->accept.ids[event->type->index]);
	rewrite_value(&changes->bodies, event->type, &cursor, body);
	encode_event(to, body->bytes, body->size);
	return !body->failed && !to->failed && !changes->redaction.failed;
}
