#include "copy/accept.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf.h"
#include "jfr/header.h"

/* Simple types in simple types. */
#define FORM_DEPTH_MAX 64

/* One type holds another inline; uses of the same type are chained. */
struct use {
	uint32_t owner;
	uint32_t next;		/* in uses; USE_NONE: the last */
};

#define USE_NONE UINT32_MAX

/* What is not accepted spreads to all types that hold it. */
struct spread {
	struct accept *accept;
	struct use *uses;
	uint32_t *first;	/* by type index, of the uses */
	uint32_t *todo;		/* types whose owners have to be looked at */
	size_t todo_count;
};

/* Of a simple type nothing but the first field is there. */
static size_t fields_read(const struct type *type)
{
	return type->is_simple && type->field_count ? 1 : type->field_count;
}

/* False for an array of what stands for an array: no field can be declared so. */
static bool find_form(const struct field *field, struct accept_form *form)
{
	*form = (struct accept_form){ field->type, field->array, field->pooled };
	for (int i = 0; i < FORM_DEPTH_MAX; i++) {
		const struct field *inner;

		if (form->pooled || !form->type || !form->type->is_simple ||
		    form->type->field_count == 0)
			return true;
		inner = &form->type->fields[0];
		if (form->array && inner->array)
			return false;
		form->type = inner->type;
		form->array |= inner->array;
		form->pooled = inner->pooled;
	}
	return false;
}

/* The start and the duration of an event are read as a varint, whatever they are. */
static bool is_ticks(const struct field *field)
{
	enum op_kind kind = field->shown ? field->shown->primitive : OP_NONE;

	return !field->array && !field->pooled && kind >= OP_SHORT && kind <= OP_LONG;
}

/*
 * The JDK takes the first field for the start, and the second one for the duration if
 * any is called so. Where they are times, but others, it tells wrong ones.
 */
static bool has_ticks_in_front(const struct type *type)
{
	size_t count = type->duration ? 2 : 1;

	if (type->field_count < count)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!is_ticks(&type->fields[i]))
			return false;
	}
	return true;
}

static bool is_refused_alone(const struct type *type)
{
	struct accept_form form;

	if (type->program.is_broken)
		return true;
	if (type->is_event &&
	    (type->id == EVENT_METADATA || type->id == EVENT_CHECKPOINT ||
	     !has_ticks_in_front(type)))
		return true;
	for (size_t i = 0; i < fields_read(type); i++) {
		const struct field *field = &type->fields[i];

		if (!field->type || (!field->pooled && field->type->is_event) ||
		    !find_form(field, &form))
			return true;
	}
	return false;
}

static void refuse(struct spread *spread, uint32_t index)
{
	if (spread->accept->is_refused[index])
		return;
	spread->accept->is_refused[index] = true;
	spread->todo[spread->todo_count++] = index;
}

static void chain_uses(struct spread *spread)
{
	const struct metadata *metadata = spread->accept->metadata;
	uint32_t count = 0;

	for (size_t i = 0; i < metadata->type_count; i++)
		spread->first[i] = USE_NONE;
	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		for (size_t k = 0; k < fields_read(type); k++) {
			const struct field *field = &type->fields[k];

			if (!field->type || field->pooled)
				continue;
			spread->uses[count] = (struct use){
				type->index, spread->first[field->type->index]
			};
			spread->first[field->type->index] = count++;
		}
	}
}

static void spread_refusals(struct spread *spread)
{
	const struct metadata *metadata = spread->accept->metadata;

	for (size_t i = 0; i < metadata->type_count; i++) {
		if (is_refused_alone(&metadata->types[i]))
			refuse(spread, (uint32_t)i);
	}
	while (spread->todo_count > 0) {
		uint32_t index = spread->todo[--spread->todo_count];

		for (uint32_t use = spread->first[index]; use != USE_NONE;
		     use = spread->uses[use].next)
			refuse(spread, spread->uses[use].owner);
	}
}

/* How the fields of types that can be read hold other types. */
static void find_uses(struct accept *accept, const struct type *type)
{
	for (size_t i = 0; i < type->field_count; i++) {
		struct accept_form form = accept_form(&type->fields[i]);

		if (!accept_field(accept, &type->fields[i]))
			continue;
		accept->is_pooled[form.type->index] |= form.pooled;
		accept->is_inline[form.type->index] |= !form.pooled;
	}
}

bool accept_open(struct accept *accept, const struct metadata *metadata,
		 struct arena *arena)
{
	size_t count = metadata->type_count, uses = 0;
	struct spread spread = { .accept = accept };

	for (size_t i = 0; i < count; i++)
		uses += metadata->types[i].field_count;
	*accept = (struct accept){
		.metadata = metadata,
		.is_refused = arena_array(arena, count, sizeof(bool)),
		.is_inline = arena_array(arena, count, sizeof(bool)),
		.is_pooled = arena_array(arena, count, sizeof(bool)),
		.ids = arena_array(arena, count, sizeof(int64_t)),
	};
	spread.uses = arena_array(arena, uses, sizeof(*spread.uses));
	spread.first = arena_array(arena, count, sizeof(*spread.first));
	spread.todo = arena_array(arena, count, sizeof(*spread.todo));
	if (arena->failed)
		return false;
	chain_uses(&spread);
	spread_refusals(&spread);
	for (size_t i = 0; i < count; i++) {
		const struct type *type = &metadata->types[i];

		accept->ids[i] = type->id;
		/* Of two with the same number the other one is not declared anew. */
		if (!accept->is_refused[i] && metadata_type(metadata, type->id) == type)
			find_uses(accept, type);
	}
	return true;
}

bool accept_type(const struct accept *accept, const struct type *type)
{
	return !accept->is_refused[type->index];
}

/* What has no fields is known where a field holds it, and else not at all. */
static bool has_pool(const struct accept *accept, const struct type *type)
{
	return accept_type(accept, type) && !type->is_event &&
	       (type->field_count > 0 || accept->is_inline[type->index]);
}

/* False if the field refers to constants that there cannot be. */
static bool can_refer(const struct accept *accept, const struct type *type,
		      const char *name)
{
	const struct field *field = type_field(type, name);

	return !field || !field->pooled || has_pool(accept, field->type);
}

static bool has_class(const struct accept *accept, const struct type *method)
{
	const struct field *field = type_field(method, "type");

	return can_refer(accept, method, "type") &&
	       can_refer(accept, method, "descriptor") &&
	       (!field || can_refer(accept, field->type, "name"));
}

/* No stack trace can be shown whose frames have no methods. */
static bool has_methods(const struct accept *accept)
{
	const struct metadata *metadata = accept->metadata;

	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (type->role == TYPE_METHOD &&
		    !(has_pool(accept, type) && has_class(accept, type)))
			return false;
	}
	return true;
}

bool accept_pool(const struct accept *accept, const struct type *type)
{
	if (!has_pool(accept, type))
		return false;
	if (type->role == TYPE_STACK_TRACE || type->role == TYPE_STACK_FRAME)
		return has_methods(accept);
	if (type->role == TYPE_METHOD)
		return has_class(accept, type);
	return type->role != TYPE_CLASS || can_refer(accept, type, "name");
}

bool accept_field(const struct accept *accept, const struct field *field)
{
	struct accept_form form;

	if (!field->type || !find_form(field, &form) || !form.type)
		return false;
	return field->pooled ||
	       (!field->type->is_event && accept_type(accept, field->type));
}

struct accept_form accept_form(const struct field *field)
{
	struct accept_form form;

	find_form(field, &form);
	return form;
}

/* A decimal number as Java's parsers take it, and we do. */
static bool is_integer(struct str text, int64_t least, int64_t most)
{
	const struct attribute attribute = { STR("n"), text };
	const struct element element = { .attributes = &attribute,
					 .attribute_count = 1 };
	int64_t number = element_number(&element, "n", 0);

	return number == element_number(&element, "n", 1) && number >= least &&
	       number <= most;
}

static bool is_real(struct str text)
{
	char copy[64], *end;

	if (text.size == 0 || text.size >= sizeof(copy))
		return false;
	for (size_t i = 0; i < text.size; i++) {
		if (!memchr("0123456789.eE+-", text.bytes[i], 15))
			return false;
	}
	memcpy(copy, text.bytes, text.size);
	copy[text.size] = '\0';
	strtod(copy, &end);
	return !*end;
}

/* The text of one value of a member; bytes NULL: there is none. */
static bool is_value(enum op_kind kind, struct str text)
{
	static const struct {
		int64_t least, most;
	} bounds[] = {
		[OP_BYTE] = { INT8_MIN, INT8_MAX },
		[OP_SHORT] = { INT16_MIN, INT16_MAX },
		[OP_INT] = { INT32_MIN, INT32_MAX },
		[OP_LONG] = { INT64_MIN, INT64_MAX },
	};

	if (kind == OP_BOOLEAN)
		return true;
	if (!text.bytes)
		return false;
	if (kind == OP_CHAR)
		return utf_units(text) == 1;
	if (kind == OP_FLOAT || kind == OP_DOUBLE)
		return is_real(text);
	if (kind >= OP_BYTE && kind <= OP_LONG)
		return is_integer(text, bounds[kind].least, bounds[kind].most);
	return kind == OP_STRING;
}

/* All elements of an array member, "m-0" and so on, also of those that have gaps. */
static bool are_values(enum op_kind kind, struct str member,
		       const struct annotation *annotation)
{
	for (size_t i = 0; i < annotation->attribute_count; i++) {
		const struct attribute *attribute = &annotation->attributes[i];

		if (str_starts(attribute->name, member) &&
		    attribute->name.size > member.size &&
		    attribute->name.bytes[member.size] == '-' &&
		    !is_value(kind, attribute->text))
			return false;
	}
	return true;
}

static bool has_value(const struct field *field, const struct annotation *annotation)
{
	enum op_kind kind = field->shown ? field->shown->primitive : OP_NONE;

	if (kind == OP_NONE)
		return false;
	if (field->array)
		return are_values(kind, field->name, annotation);
	return is_value(kind, annotation_member(annotation, field->name));
}

/* The JDK asks these for a text, or for several, without looking if there is one. */
static bool has_text(const struct type *type)
{
	static const struct str names[] = {
		STR("jdk.jfr.Label"),	 STR("jdk.jfr.Description"),
		STR("jdk.jfr.Name"),	 STR("jdk.jfr.Category"),
		STR("jdk.jfr.Timespan"), STR("jdk.jfr.Timestamp"),
		STR("jdk.jfr.DataAmount"),
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (str_is(type->name, names[i]))
			return true;
	}
	return false;
}

static bool is_text_first(const struct type *type)
{
	const struct field *value = &type->fields[0];

	return str_is(value->name, STR("value")) && value->shown &&
	       value->shown->primitive == OP_STRING &&
	       value->array == str_is(type->name, STR("jdk.jfr.Category"));
}

bool accept_annotation(const struct accept *accept, const struct element *element)
{
	int64_t id = element_number(element, "class", -1);
	struct annotation annotation = {
		.type = metadata_type(accept->metadata, id),
		.attributes = element->attributes,
		.attribute_count = element->attribute_count,
	};

	if (!annotation.type)
		return false;
	if (annotation.type->field_count == 0 || !accept_type(accept, annotation.type))
		return !has_text(annotation.type);
	if (has_text(annotation.type) && !is_text_first(annotation.type))
		return false;
	for (size_t i = 0; i < annotation.type->field_count; i++) {
		const struct field *field = &annotation.type->fields[i];

		if (accept_field(accept, field) && !has_value(field, &annotation))
			return false;
	}
	return true;
}

static bool is_word(struct str name)
{
	for (size_t i = 0; i < name.size; i++) {
		unsigned char byte = (unsigned char)name.bytes[i];
		bool is_digit = byte >= '0' && byte <= '9';
		bool is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';

		/* Letters beyond ASCII are taken on trust. */
		if (!is_letter && byte < 0x80 && byte != '_' && byte != '$' &&
		    (!is_digit || i == 0))
			return false;
	}
	return name.size > 0;
}

static bool is_reserved(struct str word)
{
	static const char *const words[] = {
		"_",	      "abstract",   "assert",	    "boolean",	 "break",
		"byte",	      "case",	    "catch",	    "char",	 "class",
		"const",      "continue",   "default",	    "do",	 "double",
		"else",	      "enum",	    "extends",	    "false",	 "final",
		"finally",    "float",	    "for",	    "goto",	 "if",
		"implements", "import",	    "instanceof",   "int",	 "interface",
		"long",	      "native",	    "new",	    "null",	 "package",
		"private",    "protected",  "public",	    "return",	 "short",
		"static",     "strictfp",   "super",	    "switch",	 "synchronized",
		"this",	      "throw",	    "throws",	    "transient", "true",
		"try",	      "void",	    "volatile",	    "while",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (str_is(word, str_of(words[i])))
			return true;
	}
	return false;
}

bool accept_name(const struct accept *accept, const struct type *type)
{
	/* Without fields it must not be taken for what it is not. */
	bool is_bare = !accept_type(accept, type);
	struct str part, rest = type->name;

	if (rest.size == 0 || str_ends(rest, STR(".")) ||
	    (is_bare && str_is(rest, STR("java.lang.String"))))
		return false;
	while (str_split(&rest, '.', &part)) {
		if (!is_word(part) ||
		    ((type->is_event || is_bare) && is_reserved(part)))
			return false;
	}
	return true;
}
