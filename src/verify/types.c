/*
 * types.c - the types of a chunk, as its metadata event declares them.
 *
 * What readers of events need not know is only in the tree of elements: it is read once
 * more. Types are in the order of their elements.
 */
#include "jfr/element.h"
#include "jfr/frame.h"
#include "verify/check.h"

/*
 * Without its type or number, a field or a type is lost, and so are an annotation,
 * which may be a unit, or a setting without its type. The JDK fails on these, but also
 * on events that do not begin with their start, and on metadata without a region: there
 * nothing is lost.
 */
static const struct cause
	has_no_id = FAULT("a type has no number"),
	is_double = FAULT("two types have the same number"),
	is_reserved = FAULT("an event type has a number of the format"),
	is_undeclared = FAULT("the type of a field is not declared"),
	is_unnoted = FAULT("the type of an annotation is not declared"),
	is_unset = FAULT("the type of a setting is not declared"),
	is_broken = FAULT("a type cannot be decoded"),
	is_deep = FAULT("a field has more than one dimension"),
	is_nowhere = FAULT("there is no such time zone"),
	has_no_start = REMARK("an event type does not begin with its start"),
	is_not_simple = REMARK("a simple type has not one field"),
	has_no_region = REMARK("the metadata names no region");

/* As much as chunk_open allows. */
#define TREE_LIMIT ((size_t)32 << 20)

#define type_add(check, cause, type, ...)                                      \
	check_add(check, cause, (type)->name, (check)->chunk->metadata_at, __VA_ARGS__)

/* The annotations below an element; `field` is its owner if not the type. */
static void check_annotations(struct check *check, const struct type *type,
			      struct str field, const struct element *element)
{
	const struct element *child = element_child(element, "annotation");

	for (; child; child = element_next(child)) {
		int64_t id = element_number(child, "class", -1);

		if (!metadata_type(&check->chunk->metadata, id))
			type_add(check, &is_unnoted, type, "%.*s%snumber %lld",
				 SHOWN(field), field.size ? ": " : "", (long long)id);
	}
}

static void check_field(struct check *check, const struct type *type,
			const struct field *field, const struct element *element)
{
	int64_t dimension = element_number(element, "dimension", 0);

	if (!field->type)
		type_add(check, &is_undeclared, type, "%.*s: number %lld",
			 SHOWN(field->name),
			 (long long)element_number(element, "class", -1));
	if (dimension > 1)
		type_add(check, &is_deep, type, "%.*s: %lld", SHOWN(field->name),
			 (long long)dimension);
	check_annotations(check, type, field->name, element);
}

static void check_setting(struct check *check, const struct type *type,
			  const struct element *element)
{
	int64_t id = element_number(element, "class", -1);
	struct str name = element_text(element, "name");

	if (!metadata_type(&check->chunk->metadata, id))
		type_add(check, &is_unset, type, "%.*s: number %lld", SHOWN(name),
			 (long long)id);
	check_annotations(check, type, name, element);
}

static void check_id(struct check *check, const struct type *type)
{
	bool is_own = type->id == EVENT_METADATA || type->id == EVENT_CHECKPOINT;

	if (type->id == -1)
		type_add(check, &has_no_id, type, NULL);
	else if (metadata_type(&check->chunk->metadata, type->id) != type)
		type_add(check, &is_double, type, "%lld", (long long)type->id);
	if (type->is_event && is_own)
		type_add(check, &is_reserved, type, "%lld", (long long)type->id);
}

/* Why a type with fields of declared types cannot be decoded: the first bad field. */
static void tell_broken(struct check *check, const struct type *type)
{
	for (size_t i = 0; i < type->field_count; i++) {
		const struct field *field = &type->fields[i];

		if (!field->type)
			return;		/* told already */
		if (!field->pooled && !field->array && field->type->program.is_broken) {
			type_add(check, &is_broken, type, "%.*s: %.*s",
				 SHOWN(field->name), SHOWN(field->type->name));
			return;
		}
	}
	type_add(check, &is_broken, type, "it has too many values");
}

/* Types without fields are primitives, or annotations, which have no values. */
static void check_layout(struct check *check, const struct type *type)
{
	bool has_values = type->field_count > 0 || type->is_event;

	if (type->program.is_broken && has_values)
		tell_broken(check, type);
	else if (type->is_event && !type->has_plain_ticks)
		type_add(check, &has_no_start, type, NULL);
	if (type->is_simple && type->field_count != 1)
		type_add(check, &is_not_simple, type, "%zu", type->field_count);
}

static void check_type(struct check *check, const struct type *type,
		       const struct element *class)
{
	const struct element *child = element_child(class, "field");
	const struct field *field = type->fields;

	check_id(check, type);
	for (; child; child = element_next(child))
		check_field(check, type, field++, child);
	child = element_child(class, "setting");
	for (; child; child = element_next(child))
		check_setting(check, type, child);
	check_annotations(check, type, STR(""), class);
	check_layout(check, type);
}

/* Readers that know metadata by its number must be able to. */
static void note_number(struct check *check)
{
	const struct chunk *chunk = check->chunk;
	struct cursor cursor;
	struct frame frame;

	if (frame_read(chunk->bytes, chunk->size, chunk->metadata_at, &frame))
		return;
	cursor = cursor_of(frame.body, (size_t)(chunk->bytes + chunk->metadata_at +
						frame.size - frame.body));
	cursor_varint(&cursor);
	cursor_varint(&cursor);
	check->types_id = (int64_t)cursor_varint(&cursor);
	check->hash = 1;
	check_mix_bytes(check, cursor.at, cursor_left(&cursor));
	check->types_hash = check->hash;
}

/* The table of strings in front of the tree. */
static void check_strings(struct check *check, struct cursor cursor)
{
	static const struct type nameless = { .name = { "", 0 } };
	int32_t count;

	for (int i = 0; i < 5; i++)	/* size, type, start, duration, id */
		cursor_varint(&cursor);
	count = (int32_t)cursor_varint(&cursor);
	check->type = &nameless;
	check->is_last = true;
	for (int32_t i = 0; i < count && check_string(check, &cursor); i++)
		;
}

static void check_region(struct check *check, const struct element *region)
{
	const struct metadata *metadata = &check->chunk->metadata;
	int32_t millis = (int32_t)((uint32_t)metadata->gmt_offset +
				   (uint32_t)metadata->dst);
	size_t at = check->chunk->metadata_at;

	if (!region)
		check_add(check, &has_no_region, STR(""), at, NULL);
	else if (metadata_zone(metadata) == 0 && millis / 1000 != 0)
		check_add(check, &is_nowhere, STR(""), at,
			  "%d milliseconds east of Greenwich", millis);
}

void check_types(struct check *check)
{
	const struct chunk *chunk = check->chunk;
	const struct metadata *metadata = &chunk->metadata;
	const unsigned char *bytes = chunk->bytes + chunk->metadata_at;
	size_t left = chunk->size - chunk->metadata_at;
	struct arena arena = { .limit = TREE_LIMIT };
	const struct element *root, *class;

	if (chunk->metadata_at == 0)	/* that of another chunk, which was told */
		return;
	note_number(check);
	check_strings(check, cursor_of(bytes, left));
	root = element_read(bytes, left, &arena, NULL);
	class = root ? element_child(root, "metadata") : NULL;
	class = class ? element_child(class, "class") : NULL;
	for (size_t i = 0; class && i < metadata->type_count; i++) {
		check_type(check, &metadata->types[i], class);
		class = element_next(class);
	}
	if (root)
		check_region(check, element_child(root, "region"));
	check->findings->failed |= arena.failed && !arena.is_full;
	arena_clear(&arena);
}
