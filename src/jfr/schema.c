#include "jfr/schema.h"

#include <stdio.h>
#include <string.h>

/* 0 and 1 are the metadata and the checkpoint event. */
#define FIRST_ID 2

#define ANNOTATION_TYPE "java.lang.annotation.Annotation"
#define CONTENT_TYPE "jdk.jfr.ContentType"

static const struct schema_type primitives[] = {
	TYPE("boolean", NULL), TYPE("byte", NULL),   TYPE("short", NULL),
	TYPE("char", NULL),    TYPE("int", NULL),    TYPE("long", NULL),
	TYPE("float", NULL),   TYPE("double", NULL), TYPE("java.lang.String", NULL),
	TYPES_END,
};

/* The annotations that say what a value is. */
static const char *const content_types[] = {
	"jdk.jfr.BooleanFlag",	 "jdk.jfr.DataAmount", "jdk.jfr.Frequency",
	"jdk.jfr.MemoryAddress", "jdk.jfr.Percentage", "jdk.jfr.Timespan",
	"jdk.jfr.Timestamp",	 "jdk.jfr.Unsigned",
};

static const struct schema_note content_notes[] = {
	MARK(CONTENT_TYPE), { .type = NULL },
};

static void add_type(struct schema *schema, const struct schema_type *type)
{
	struct schema_type copy = *type;

	if (schema->next_id < FIRST_ID)
		schema->next_id = FIRST_ID;
	if (copy.id == 0)
		copy.id = schema->next_id;
	if (copy.id >= schema->next_id)
		schema->next_id = copy.id + 1;
	schema->version++;
	schema->failed |= !vec_push(&schema->types, copy);
}

static bool is_content_type(const char *name)
{
	for (size_t i = 0; i < sizeof(content_types) / sizeof(content_types[0]); i++) {
		if (strcmp(content_types[i], name) == 0)
			return true;
	}
	return false;
}

/* The array that a member "name-0" begins: its name; NULL for all others. */
static const char *array_name(struct schema *schema, const char *member)
{
	size_t size = strlen(member);

	if (size < 3 || strcmp(member + size - 2, "-0") != 0)
		return NULL;
	return arena_copy(&schema->arena, member, size - 2);
}

/* The fields that an annotation type must have for this use of it. */
static const struct schema_field *fields_of(struct schema *schema,
					    const struct schema_note *note)
{
	const struct schema_member *member = note->members;
	struct schema_field *fields, *field;
	size_t count = 2;	/* `value`, and the end */

	for (; member && member->name; member++)
		count++;
	field = fields = arena_array(&schema->arena, count, sizeof(*fields));
	if (!fields) {
		schema->failed = true;
		return NULL;
	}
	if (note->value)
		*field++ = (struct schema_field)FIELD("value", "java.lang.String");
	for (member = note->members; member && member->name; member++) {
		const char *array = array_name(schema, member->name);

		if (array)
			*field++ = (struct schema_field)FIELD(array, "java.lang.String",
							      ARRAY);
		else if (!strchr(member->name, '-'))
			*field++ = (struct schema_field)FIELD(member->name,
							      "java.lang.String");
	}
	return fields;
}

/* Adds the types of the annotations used that nobody described. */
static void add_note_types(struct schema *schema, const struct schema_note *note)
{
	for (; note && note->type; note++) {
		struct schema_type type = TYPE(note->type, ANNOTATION_TYPE);

		if (schema_id(schema, note->type) >= 0)
			continue;
		type.fields = fields_of(schema, note);
		if (is_content_type(note->type))
			type.notes = content_notes;
		add_type(schema, &type);
		if (type.notes)
			add_note_types(schema, type.notes);
	}
}

void schema_add(struct schema *schema, const struct schema_type *types)
{
	if (schema->types.count == 0 && types != primitives)
		schema_add(schema, primitives);
	for (const struct schema_type *type = types; type->name; type++)
		add_type(schema, type);
	for (const struct schema_type *type = types; type->name; type++) {
		const struct schema_field *field = type->fields;

		add_note_types(schema, type->notes);
		for (; field && field->name; field++)
			add_note_types(schema, field->notes);
	}
}

int64_t schema_id(const struct schema *schema, const char *name)
{
	for (size_t i = 0; i < schema->types.count; i++) {
		if (strcmp(schema->types.items[i].name, name) == 0)
			return schema->types.items[i].id;
	}
	return -1;
}

/* The tree while it grows; sticky, as a buffer. */
struct builder {
	const struct schema *schema;
	struct arena *arena;
	struct err *err;
	bool failed;
};

/* An element while it gets its attributes and children. */
struct branch {
	struct element *element;
	struct element **next;		/* where the next child goes */
	struct attribute *attributes;
};

static struct branch branch_of(struct builder *builder, struct branch *parent,
			       const char *name, size_t attributes)
{
	struct element *element = arena_alloc(builder->arena, sizeof(*element));
	struct branch branch = { .element = element };

	branch.attributes = arena_array(builder->arena, attributes,
					sizeof(*branch.attributes));
	if (!element || !branch.attributes) {
		if (!builder->failed)
			err_memory(builder->err);
		builder->failed = true;
		return (struct branch){ .element = NULL };
	}
	element->name = str_of(name);
	element->attributes = branch.attributes;
	branch.next = &element->children;
	if (parent && parent->next) {
		*parent->next = element;
		parent->next = &element->next;
	}
	return branch;
}

static void set_text(struct branch *branch, const char *name, const char *text)
{
	if (branch->element && text)
		branch->attributes[branch->element->attribute_count++] =
			(struct attribute){ str_of(name), str_of(text) };
}

static void set_number(struct builder *builder, struct branch *branch, const char *name,
		       int64_t number)
{
	char digits[24];
	int size = snprintf(digits, sizeof(digits), "%lld", (long long)number);
	const char *copy = arena_copy(builder->arena, digits, (size_t)size);

	if (!copy && !builder->failed)
		builder->failed = !err_memory(builder->err);
	set_text(branch, name, copy);
}

static void set_type(struct builder *builder, struct branch *branch, const char *type)
{
	int64_t id = schema_id(builder->schema, type);

	if (id < 0 && !builder->failed)
		builder->failed =
			!err_set(builder->err, ERR_USAGE,
				 "the type %s is used, but not described", type);
	set_number(builder, branch, "class", id);
}

static void add_note(struct builder *builder, struct branch *parent,
		     const struct schema_note *note)
{
	const struct schema_member *member = note->members;
	size_t count = 2;
	struct branch branch;

	for (; member && member->name; member++)
		count++;
	branch = branch_of(builder, parent, "annotation", count);
	set_type(builder, &branch, note->type);
	set_text(&branch, "value", note->value);
	for (member = note->members; member && member->name; member++)
		set_text(&branch, member->name, member->text);
}

static void add_notes(struct builder *builder, struct branch *parent,
		      const struct schema_note *note)
{
	for (; note && note->type; note++)
		add_note(builder, parent, note);
}

static void add_field(struct builder *builder, struct branch *parent,
		      const struct schema_field *field)
{
	struct branch branch = branch_of(builder, parent, "field", 4);

	set_text(&branch, "name", field->name);
	set_type(builder, &branch, field->type);
	set_text(&branch, "constantPool", field->is_pooled ? "true" : NULL);
	set_text(&branch, "dimension", field->is_array ? "1" : NULL);
	add_notes(builder, &branch, field->notes);
}

static void add_class(struct builder *builder, struct branch *parent,
		      const struct schema_type *type)
{
	const struct schema_setting *setting = type->settings;
	const struct schema_field *field = type->fields;
	struct branch branch = branch_of(builder, parent, "class", 4);

	set_text(&branch, "name", type->name);
	set_text(&branch, "superType", type->super);
	set_text(&branch, "simpleType", type->is_simple ? "true" : NULL);
	set_number(builder, &branch, "id", type->id);
	for (; setting && setting->name; setting++) {
		struct branch child = branch_of(builder, &branch, "setting", 3);

		set_text(&child, "name", setting->name);
		set_type(builder, &child, setting->type);
		set_text(&child, "defaultValue", setting->value);
	}
	for (; field && field->name; field++)
		add_field(builder, &branch, field);
	add_notes(builder, &branch, type->notes);
}

static void add_region(struct builder *builder, struct branch *root)
{
	const struct schema *schema = builder->schema;
	struct branch region = branch_of(builder, root, "region", 3);

	set_text(&region, "locale", schema->locale ? schema->locale : "en_US");
	set_number(builder, &region, "gmtOffset", schema->gmt_offset);
	set_number(builder, &region, "dst", schema->dst);
}

const struct element *schema_tree(const struct schema *schema, struct arena *arena,
				  struct err *err)
{
	struct builder builder = { .schema = schema, .arena = arena, .err = err };
	struct branch root = branch_of(&builder, NULL, "root", 0);
	struct branch metadata = branch_of(&builder, &root, "metadata", 0);

	if (schema->failed && !builder.failed)
		builder.failed = !err_memory(err);
	for (size_t i = 0; i < schema->types.count; i++)
		add_class(&builder, &metadata, &schema->types.items[i]);
	add_region(&builder, &root);
	return builder.failed ? NULL : root.element;
}

void schema_clear(struct schema *schema)
{
	vec_clear(&schema->types);
	arena_clear(&schema->arena);
	*schema = (struct schema){ .locale = schema->locale,
				   .gmt_offset = schema->gmt_offset,
				   .dst = schema->dst,
				   .version = schema->version };
}
