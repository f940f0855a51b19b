#include "query/lack.h"

#include "base/buf.h"
#include "base/vec.h"

/* The names of all types, or of all fields, that may have been meant. */
typedef VEC(struct str) names;

/*
 * True if the JDK takes `known` for what `name` was to be: one letter more or less, or
 * one or two others. It makes only the name small, so capitals count as other letters.
 */
static bool is_one_off(struct str name, struct str known)
{
	struct str longer = name.size > known.size ? name : known;
	struct str shorter = name.size > known.size ? known : name;
	size_t same = 0, at = 0;

	if (longer.size == shorter.size) {
		for (size_t i = 0; i < name.size; i++)
			same += name.bytes[i] == known.bytes[i];
		return name.size - same < (name.size < 6 ? 2 : 3);
	}
	if (longer.size - shorter.size > 1)
		return false;
	for (size_t i = 0; i < longer.size && at < shorter.size; i++)
		at += longer.bytes[i] == shorter.bytes[at];
	return at == shorter.size;
}

/*
 * The name that the JDK proposes instead, or { NULL, 0 }. The complaint, which is to tell
 * it, fails without memory.
 */
static struct str proposal(struct str name, const names *known, struct buf *complaint)
{
	struct buf small = { 0 };
	struct str found = { NULL, 0 };

	for (size_t i = 0; i < name.size; i++) {
		char byte = name.bytes[i];

		buf_byte(&small, byte >= 'A' && byte <= 'Z' ? (char)(byte | 0x20) : byte);
	}
	for (size_t i = 0; i < known->count && !found.bytes && !small.failed; i++) {
		if (is_one_off((struct str){ small.bytes, small.size }, known->items[i]))
			found = known->items[i];
	}
	complaint->failed |= small.failed;
	buf_clear(&small);
	return found;
}

/* Takes the complaint over, and adds what we say ourselves. */
static bool complain(struct plan *plan, struct buf *complaint, const char *what,
		     struct str name, const names *known, struct err *err)
{
	int nearest = str_nearest(name, known->items, known->count);
	struct str near = nearest < 0 ? STR("") : known->items[nearest];
	const char *bytes = NULL;

	if (!complaint->failed)
		bytes = arena_copy(&plan->arena, complaint->bytes, complaint->size);
	if (!bytes)
		return err_memory(err);
	plan->complaint = (struct str){ bytes, complaint->size };
	return err_set(err, ERR_FORMAT, "the recording has no %s '%.*s'%s%.*s", what,
		       (int)name.size, name.bytes, near.size ? "; the nearest is " : "",
		       (int)near.size, near.bytes);
}

bool lack_type(struct plan *plan, const struct metadata *metadata, struct str name,
	       struct err *err)
{
	struct buf text = { 0 };
	names known = { 0 };
	struct str near;

	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (type->is_event)
			text.failed |= !vec_push(&known, type_simple_name(type));
	}
	near = proposal(name, &known, &text);
	buf_text(&text, "Can't find event type named '");
	buf_str(&text, name);
	buf_text(&text, near.bytes ? "'. Did you mean '" : "'. 'SHOW EVENTS' will list "
							   "available event types.");
	buf_str(&text, near);
	buf_text(&text, near.bytes ? "'?" : "");
	complain(plan, &text, "event type", name, &known, err);
	vec_clear(&known);
	buf_clear(&text);
	return false;
}

/* The names by which fields of a type can be called: bare, and behind those of the type. */
static bool add_names(struct arena *arena, names *known, const struct type *type)
{
	const struct str owners[] = { type->name, type_simple_name(type) };

	for (size_t i = 0; i < type->field_count; i++) {
		struct str field = type->fields[i].name;

		if (!vec_push(known, field))
			return false;
		for (size_t j = 0; j < 2; j++) {
			size_t size = owners[j].size + 1 + field.size;
			char *name = arena_alloc(arena, size + 1);

			if (!name || !vec_push(known, ((struct str){ name, size })))
				return false;
			memcpy(name, owners[j].bytes, owners[j].size);
			name[owners[j].size] = '.';
			memcpy(name + owners[j].size + 1, field.bytes, field.size);
		}
	}
	return true;
}

bool lack_field(struct plan *plan, const struct origin *origins, size_t count,
		struct str name, struct err *err)
{
	struct buf text = { 0 };
	names known = { 0 };
	struct str near;

	buf_text(&text, "Can't find field named '");
	buf_str(&text, name);
	for (size_t i = 0; i < count; i++) {
		buf_text(&text, i ? ", " : "' in ");
		buf_str(&text, origins[i].type->name);
		text.failed |= !add_names(&plan->arena, &known, origins[i].type);
	}
	near = proposal(name, &known, &text);
	buf_text(&text, near.bytes ? ".\nDid you mean '" : ".\nUse 'SHOW FIELDS ");
	buf_str(&text, near.bytes ? near : type_simple_name(origins[0].type));
	buf_text(&text, near.bytes ? "'?" : "' to list available fields.");
	complain(plan, &text, "field", name, &known, err);
	vec_clear(&known);
	buf_clear(&text);
	return false;
}
