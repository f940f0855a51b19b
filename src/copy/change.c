#include "copy/change.h"

#include "jfr/measure.h"

void change_open(struct change *change, bool is_merged)
{
	const struct metadata *metadata = change->accept->metadata;

	change->has_keys = false;
	change->has_numbers = is_merged && retime_is_needed(&change->retime);
	for (size_t i = 0; is_merged && i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		change->has_keys |= keys_has(change->keys, type);
		change->has_numbers |= change->accept->ids[i] != type->id;
	}
}

uint64_t change_key(const struct change *change, const struct type *type, uint64_t key)
{
	bool is_changed = change->has_keys && keys_has(change->keys, type);

	return is_changed ? keys_get(change->keys, type, key) : key;
}

static bool has_key(void *context, const struct type *type)
{
	const struct change *change = context;

	return keys_has(change->keys, type);
}

static uint64_t replace_key(void *context, const struct type *type, uint64_t key)
{
	return change_key(context, type, key);
}

/* A stand-in where the constant is missing. */
static uint64_t replace_missing(void *context, const struct type *type, uint64_t key)
{
	struct change *change = context;
	uint64_t other = standin_key(change->standin, type, key);

	return other == key ? change_key(change, type, key) : other;
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
	const struct change *change = context;

	return is_type_number(place) ||
	       (unit_is_ticks(place->field->unit) && retime_is_needed(&change->retime));
}

static int64_t replace_number(void *context, const struct rewrite_place *place,
			      int64_t number)
{
	struct change *change = context;
	const struct type *type;

	if (unit_is_ticks(place->field->unit))
		return retime_number(&change->retime, place->field, number);
	type = metadata_type(change->accept->metadata, number);
	return type ? change->accept->ids[type->index] : number;
}

static bool replace_text(void *context, const struct rewrite_place *place,
			 struct str *text)
{
	struct change *change = context;

	return redaction_constant(change->redaction, place, text);
}

struct rewrite change_of_events(struct change *change)
{
	struct rewrite rewrite = { .context = change };

	if (change->has_keys) {
		rewrite.key = replace_key;
		rewrite.has_key = has_key;
	}
	if (change->has_numbers) {
		rewrite.number = replace_number;
		rewrite.has_number = has_number;
	}
	return rewrite;
}

struct rewrite change_of_constants(struct change *change, bool is_redacted)
{
	struct rewrite rewrite = change_of_events(change);

	if (standin_is_needed(change->standin)) {
		rewrite.key = replace_missing;
		rewrite.has_key = NULL;
	}
	if (is_redacted)
		rewrite.text = replace_text;
	return rewrite;
}
