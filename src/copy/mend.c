#include "copy/mend.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/javahash.h"

struct mender {
	const struct accept *accept;
	struct arena *arena;
	enum mend done;
	size_t *places;		/* by type index: when the JDK comes to the type */
};

/* Attributes that may be added to an element. */
#define SPARE 4

/* An element on its way: its attributes can be changed, and children added. */
struct draft {
	struct element *element;	/* NULL: no memory */
	struct attribute *attributes;
	struct element **tail;
};

/* A copy without its children; an attribute that lacks its name or text is left out. */
static struct draft draft_of(struct mender *mender, const struct element *from)
{
	struct draft draft = { .element = NULL };
	size_t count = 0;

	draft.attributes = arena_array(mender->arena, from->attribute_count + SPARE,
				       sizeof(struct attribute));
	draft.element = arena_alloc(mender->arena, sizeof(*draft.element));
	if (!draft.element || !draft.attributes)
		return (struct draft){ .element = NULL };
	for (size_t i = 0; i < from->attribute_count; i++) {
		if (from->attributes[i].name.bytes && from->attributes[i].text.bytes)
			draft.attributes[count++] = from->attributes[i];
	}
	if (count < from->attribute_count)
		mender->done = MEND_ALL;
	*draft.element = (struct element){ .name = from->name,
					   .attributes = draft.attributes,
					   .attribute_count = count };
	draft.tail = &draft.element->children;
	return draft;
}

/* A child of NULL is one left out. */
static void draft_add(struct mender *mender, struct draft *draft, struct element *child)
{
	if (!draft->element || !child) {
		mender->done = MEND_ALL;
		return;
	}
	*draft->tail = child;
	draft->tail = &child->next;
}

static struct attribute *draft_find(const struct draft *draft, const char *name)
{
	for (size_t i = 0; draft->element && i < draft->element->attribute_count; i++) {
		if (str_is(draft->attributes[i].name, str_of(name)))
			return &draft->attributes[i];
	}
	return NULL;
}

static void draft_set(struct mender *mender, struct draft *draft, const char *name,
		      struct str text)
{
	struct attribute *attribute = draft_find(draft, name);

	if (!draft->element || (attribute && str_is(attribute->text, text)))
		return;
	if (!attribute)
		attribute = &draft->attributes[draft->element->attribute_count++];
	*attribute = (struct attribute){ str_of(name), text };
	mender->done = MEND_ALL;
}

/* All of that name, of which readers see the first. */
static void draft_unset(struct mender *mender, struct draft *draft, const char *name)
{
	size_t kept = 0;

	if (!draft_find(draft, name))
		return;
	for (size_t i = 0; i < draft->element->attribute_count; i++) {
		if (!str_is(draft->attributes[i].name, str_of(name)))
			draft->attributes[kept++] = draft->attributes[i];
	}
	draft->element->attribute_count = kept;
	mender->done = MEND_ALL;
}

/* As digits, unless there are some already that mean the same number. */
static void draft_number(struct mender *mender, struct draft *draft, const char *name,
			 int64_t number)
{
	char digits[24], *copy;
	int size;

	if (!draft->element || (element_number(draft->element, name, 0) == number &&
				element_number(draft->element, name, 1) == number))
		return;
	size = snprintf(digits, sizeof(digits), "%" PRId64, number);
	copy = arena_copy(mender->arena, digits, (size_t)size);
	if (copy)
		draft_set(mender, draft, name, (struct str){ copy, (size_t)size });
}

/* The number that a type is declared with. */
static void draft_type(struct mender *mender, struct draft *draft, const char *name,
		       const struct type *type)
{
	draft_number(mender, draft, name, mender->accept->ids[type->index]);
}

/* The element and all below it, as they are but for what has no name. */
static struct element *copy_all(struct mender *mender, const struct element *from)
{
	struct draft draft;

	if (!from->name.bytes)
		return NULL;
	draft = draft_of(mender, from);
	for (const struct element *child = from->children; child; child = child->next)
		draft_add(mender, &draft, copy_all(mender, child));
	return draft.element;
}

static bool is_named(const struct element *element, const char *name)
{
	return element->name.bytes && str_is(element->name, str_of(name));
}

/* What is declared under the number in `class`, or NULL. */
static const struct type *type_of(const struct mender *mender,
				  const struct element *element)
{
	return metadata_type(mender->accept->metadata,
			     element_number(element, "class", -1));
}

/* An annotation, or whatever else may stand below a field, setting or class. */
static struct element *mend_note(struct mender *mender, const struct element *from)
{
	struct draft draft;

	if (!is_named(from, "annotation"))
		return copy_all(mender, from);
	if (!accept_annotation(mender->accept, from))
		return NULL;
	draft = draft_of(mender, from);
	draft_type(mender, &draft, "class", type_of(mender, from));
	for (const struct element *child = from->children; child; child = child->next)
		draft_add(mender, &draft, copy_all(mender, child));
	return draft.element;
}

static void mend_notes(struct mender *mender, struct draft *draft,
		       const struct element *from)
{
	for (const struct element *child = from->children; child; child = child->next)
		draft_add(mender, draft, mend_note(mender, child));
}

/* The JDK cannot tell a time that is in no unit that it knows. */
static bool has_wrong_unit(const struct mender *mender, const struct element *note,
			   const struct field *field)
{
	const struct type *type = type_of(mender, note);
	enum meaning meaning = type ? type->meaning : MEANING_NONE;
	bool is_time = field->unit >= UNIT_TIMESPAN_TICKS &&
		       field->unit <= UNIT_TIMESTAMP_MILLIS;

	return is_named(note, "annotation") && !is_time &&
	       (meaning == MEANING_TIMESPAN || meaning == MEANING_TIMESTAMP);
}

/*
 * The JDK makes sense of a simple type in a field only if it came to that type before; of
 * events alone it is sure when that is.
 */
static bool is_read_by_chance(const struct mender *mender, const struct type *owner,
			      const struct field *field)
{
	return owner->is_event && field->type->is_simple &&
	       mender->places[field->type->index] < mender->places[owner->index];
}

static void draft_form(struct mender *mender, struct draft *draft,
		       const struct type *owner, const struct field *field)
{
	const struct type *type = accept_form(field).type;
	enum mend before = mender->done;

	draft_type(mender, draft, "class", type);
	if (type != field->type && mender->done != before &&
	    is_read_by_chance(mender, owner, field))
		mender->done = before == MEND_NOTHING ? MEND_FORMS : before;
}

static struct element *mend_field(struct mender *mender, const struct element *from,
				  const struct type *owner, const struct field *field)
{
	struct accept_form form;
	struct draft draft;
	int64_t dimension;

	if (!accept_field(mender->accept, field))
		return NULL;
	form = accept_form(field);
	draft = draft_of(mender, from);
	draft_set(mender, &draft, "name", field->name);
	draft_form(mender, &draft, owner, field);
	dimension = element_number(from, "dimension", 0);
	if (form.array && (dimension < 1 || dimension > INT32_MAX))
		draft_number(mender, &draft, "dimension", 1);
	else if (!form.array && element_number(from, "dimension", -1) != 0)
		draft_unset(mender, &draft, "dimension");
	if (!form.pooled)
		draft_unset(mender, &draft, "constantPool");
	else if (!field->pooled)
		draft_set(mender, &draft, "constantPool", STR("true"));
	for (const struct element *child = from->children; child; child = child->next) {
		bool is_wrong = has_wrong_unit(mender, child, field);

		draft_add(mender, &draft, is_wrong ? NULL : mend_note(mender, child));
	}
	return draft.element;
}

static struct element *mend_setting(struct mender *mender, const struct element *from,
				    bool is_event)
{
	const struct type *type = type_of(mender, from);
	struct draft draft;

	if (!is_event || !type || !element_text(from, "name").bytes)
		return NULL;
	draft = draft_of(mender, from);
	draft_type(mender, &draft, "class", type);
	mend_notes(mender, &draft, from);
	return draft.element;
}

/* A name that may stand in its place, with `_` for what may not be in it. */
static struct str mended_name(struct mender *mender, const struct type *type)
{
	struct type named = *type;
	char *copy = arena_alloc(mender->arena, type->name.size + 1);

	if (!copy)
		return STR("_");
	copy[0] = '_';
	for (size_t i = 0; i < type->name.size; i++) {
		char byte = type->name.bytes[i];
		bool is_part = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';

		is_part |= (unsigned char)byte >= 0x80 || (byte >= '0' && byte <= '9');
		copy[i + 1] = is_part ? byte : '_';
	}
	named.name = (struct str){ copy, type->name.size + 1 };
	return accept_name(mender->accept, &named) ? named.name : STR("unnamed");
}

/* The JDK makes objects of its own of these, from fields that it knows. */
static bool is_made_of_fields(const struct type *type)
{
	return type->role != TYPE_PLAIN && type->role != TYPE_OLD_OBJECT;
}

static struct element *mend_class_child(struct mender *mender,
					const struct element *child,
					const struct type *type, size_t field_at)
{
	bool is_read = accept_type(mender->accept, type);
	bool is_cut = field_at > 0 && type->is_simple && is_made_of_fields(type);

	if (is_named(child, "field"))
		return is_read && !is_cut
			       ? mend_field(mender, child, type, &type->fields[field_at])
			       : NULL;
	if (is_named(child, "setting"))
		return mend_setting(mender, child, is_read && type->is_event);
	return mend_note(mender, child);
}

static struct element *mend_class(struct mender *mender, const struct element *from,
				  const struct type *type)
{
	struct draft draft;
	size_t field_at = 0, fields = 0;

	if (metadata_type(mender->accept->metadata, type->id) != type)
		return NULL;
	draft = draft_of(mender, from);
	draft_type(mender, &draft, "id", type);
	if (!accept_name(mender->accept, type))
		draft_set(mender, &draft, "name", mended_name(mender, type));
	if (type->is_event && !accept_type(mender->accept, type))
		draft_unset(mender, &draft, "superType");
	for (const struct element *child = from->children; child; child = child->next) {
		bool is_field = is_named(child, "field");
		struct element *kept = mend_class_child(mender, child, type, field_at);

		draft_add(mender, &draft, kept);
		field_at += is_field;
		fields += is_field && kept;
	}
	if (fields == 0 || is_made_of_fields(type))
		draft_unset(mender, &draft, "simpleType");
	return draft.element;
}

static struct element *mend_classes(struct mender *mender, const struct element *from)
{
	const struct type *type = mender->accept->metadata->types;
	struct draft draft = draft_of(mender, from);

	for (const struct element *child = from->children; child; child = child->next) {
		bool is_class = is_named(child, "class");

		draft_add(mender, &draft, is_class ? mend_class(mender, child, type)
						   : copy_all(mender, child));
		type += is_class;
	}
	return draft.element;
}

/* Times of the recording's place; what is no number is none. */
static struct element *mend_region(struct mender *mender, const struct element *from)
{
	static const char *const numbers[] = { "gmtOffset", "dst" };
	struct draft draft = draft_of(mender, from);

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (element_text(from, numbers[i]).bytes)
			draft_number(mender, &draft, numbers[i],
				     element_number(from, numbers[i], 0));
	}
	for (const struct element *child = from->children; child; child = child->next)
		draft_add(mender, &draft, copy_all(mender, child));
	return draft.element;
}

static struct element *new_region(struct mender *mender)
{
	static const struct element none = { .name = STR("region") };
	struct draft draft = draft_of(mender, &none);

	draft_set(mender, &draft, "locale", STR("en_US"));
	draft_set(mender, &draft, "gmtOffset", STR("0"));
	draft_set(mender, &draft, "dst", STR("0"));
	return draft.element;
}

static bool find_places(struct mender *mender)
{
	const struct metadata *metadata = mender->accept->metadata;
	size_t count = metadata->type_count;
	int64_t *ids = arena_array(mender->arena, count, sizeof(*ids));

	mender->places = arena_array(mender->arena, count, sizeof(*mender->places));
	for (size_t i = 0; ids && i < count; i++)
		ids[i] = metadata->types[i].id;
	return ids && mender->places && javahash_longs(ids, count, mender->places);
}

const struct element *mend_tree(const struct element *root, const struct accept *accept,
				struct arena *arena, enum mend *done)
{
	struct mender mender = { .accept = accept, .arena = arena };
	const struct element *classes = element_child(root, "metadata");
	const struct element *region = element_child(root, "region");
	struct draft draft = draft_of(&mender, root);

	if (!find_places(&mender))
		return NULL;
	if (!root->name.bytes && draft.element) {
		draft.element->name = STR("root");
		mender.done = MEND_ALL;
	}
	for (const struct element *child = root->children; child; child = child->next)
		draft_add(&mender, &draft,
			  child == classes  ? mend_classes(&mender, child)
			  : child == region ? mend_region(&mender, child)
					    : copy_all(&mender, child));
	if (!region) {
		draft_add(&mender, &draft, new_region(&mender));
		mender.done = MEND_ALL;
	}
	*done = mender.done;
	return arena->failed ? NULL : draft.element;
}
