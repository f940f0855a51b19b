#include "jfr/metadata.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Event types with larger ids are found through the map. */
#define EVENT_TABLE_MAX 16384

struct reader {
	struct metadata *metadata;
	struct arena *arena;
};

static const struct {
	struct str name;
	enum op_kind kind;
} primitives[] = {
	{ STR("boolean"), OP_BOOLEAN }, { STR("byte"), OP_BYTE },
	{ STR("short"), OP_SHORT },	{ STR("char"), OP_CHAR },
	{ STR("int"), OP_INT },		{ STR("long"), OP_LONG },
	{ STR("float"), OP_FLOAT },	{ STR("double"), OP_DOUBLE },
	{ STR("java.lang.String"), OP_STRING },
};

static const struct {
	struct str name;	/* without the prefix of its format version */
	enum type_role role;
} roles[] = {
	{ STR("ThreadGroup"), TYPE_THREAD_GROUP },
	{ STR("ClassLoader"), TYPE_CLASS_LOADER },
	{ STR("Method"), TYPE_METHOD },
	{ STR("StackTrace"), TYPE_STACK_TRACE },
	{ STR("StackFrame"), TYPE_STACK_FRAME },
};

static const struct str meanings[MEANING_COUNT] = {
	[MEANING_TIMESPAN] = STR("Timespan"),
	[MEANING_TIMESTAMP] = STR("Timestamp"),
	[MEANING_PERCENTAGE] = STR("Percentage"),
	[MEANING_DATA_AMOUNT] = STR("DataAmount"),
	[MEANING_MEMORY_ADDRESS] = STR("MemoryAddress"),
	[MEANING_FREQUENCY] = STR("Frequency"),
	[MEANING_UNSIGNED] = STR("Unsigned"),
	[MEANING_CONTEXTUAL] = STR("Contextual"),
	[MEANING_CONTENT_TYPE] = STR("ContentType"),
};

static enum op_kind primitive_of(struct str name)
{
	for (size_t i = 0; i < sizeof(primitives) / sizeof(primitives[0]); i++) {
		if (str_is(primitives[i].name, name))
			return primitives[i].kind;
	}
	return OP_NONE;
}

/* The rest of the name behind a prefix; false if it has another. */
static bool cut_prefix(struct str name, struct str prefix, struct str *rest)
{
	if (!str_starts(name, prefix))
		return false;
	*rest = (struct str){ name.bytes + prefix.size, name.size - prefix.size };
	return true;
}

static enum type_role role_of(struct str name)
{
	struct str rest;

	if (str_is(name, STR("java.lang.Thread")))
		return TYPE_THREAD;
	if (str_is(name, STR("java.lang.Class")))
		return TYPE_CLASS;
	if (str_is(name, STR("jdk.types.OldObject")))	/* the JDK knows no older one */
		return TYPE_OLD_OBJECT;
	if (!cut_prefix(name, STR("jdk.types."), &rest) &&
	    !cut_prefix(name, STR("com.oracle.jfr.types."), &rest))
		return TYPE_PLAIN;
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (str_is(roles[i].name, rest))
			return roles[i].role;
	}
	return TYPE_PLAIN;
}

static enum meaning meaning_of(struct str name)
{
	struct str rest;

	if (!cut_prefix(name, STR("jdk.jfr."), &rest))
		return MEANING_NONE;
	for (size_t i = MEANING_NONE + 1; i < MEANING_COUNT; i++) {
		if (str_is(meanings[i], rest))
			return (enum meaning)i;
	}
	return MEANING_NONE;
}

static bool declare_type(struct metadata *metadata, const struct element *element,
			 struct err *err)
{
	struct type *type = &metadata->types[metadata->type_count];

	*type = (struct type){
		.id = element_number(element, "id", -1),
		.name = element_text(element, "name"),
		.super = element_text(element, "superType"),
		.index = (uint32_t)metadata->type_count,
		.is_simple = element_text(element, "simpleType").bytes != NULL,
	};
	if (!type->name.bytes)
		type->name = STR("");
	type->is_event = str_is(type->super, STR("jdk.jfr.Event"));
	type->is_simple &= !type->is_event;
	type->is_setting = str_is(type->super, STR("jdk.jfr.SettingControl"));
	type->role = role_of(type->name);
	type->meaning = meaning_of(type->name);
	if (!element_child(element, "field"))
		type->primitive = primitive_of(type->name);
	if (type->primitive == OP_STRING)
		metadata->string = type;
	metadata->type_count++;
	/* Of types with the same id the first counts. */
	if (map_find(&metadata->by_id, (uint64_t)type->id) == MAP_NONE &&
	    !map_put(&metadata->by_id, (uint64_t)type->id, type->index))
		return err_memory(err);
	return true;
}

static bool declare_types(struct reader *reader, const struct element *root,
			  struct err *err)
{
	size_t count = element_count(root, "class");
	struct type *types = arena_array(reader->arena, count, sizeof(*types));

	if (!types)
		return err_memory(err);
	reader->metadata->types = types;
	for (const struct element *class = element_child(root, "class"); class;
	     class = element_next(class)) {
		if (!declare_type(reader->metadata, class, err))
			return false;
	}
	return true;
}

/* Reads the annotations below an element; those of undeclared types are left out. */
static bool read_annotations(struct reader *reader, const struct element *element,
			     const struct annotation **annotations, size_t *count)
{
	size_t most = element_count(element, "annotation");
	struct annotation *list = arena_array(reader->arena, most, sizeof(*list));

	*count = 0;
	*annotations = list;
	for (const struct element *child = element_child(element, "annotation");
	     list && child; child = element_next(child)) {
		int64_t id = element_number(child, "class", -1);
		const struct type *type = metadata_type(reader->metadata, id);

		if (type)
			list[(*count)++] = (struct annotation){
				type, child->attributes, child->attribute_count
			};
	}
	return list != NULL;
}

static bool read_field(struct reader *reader, const struct element *element,
		       struct field *field)
{
	field->name = element_text(element, "name");
	if (!field->name.bytes)
		field->name = STR("");
	field->type = metadata_type(reader->metadata,
				    element_number(element, "class", -1));
	field->array = element_number(element, "dimension", 0) > 0;
	field->pooled = element_text(element, "constantPool").bytes != NULL;
	return read_annotations(reader, element, &field->annotations,
				&field->annotation_count);
}

static bool read_type(struct reader *reader, const struct element *element,
		      struct type *type)
{
	size_t count = element_count(element, "field");
	struct field *fields = arena_array(reader->arena, count, sizeof(*fields));

	type->fields = fields;
	type->field_count = fields ? count : 0;
	for (const struct element *child = element_child(element, "field");
	     fields && child; child = element_next(child)) {
		if (!read_field(reader, child, fields++))
			return false;
	}
	return type->fields && read_annotations(reader, element, &type->annotations,
						&type->annotation_count);
}

static bool read_types(struct reader *reader, const struct element *root)
{
	struct type *type = reader->metadata->types;

	for (const struct element *class = element_child(root, "class"); class;
	     class = element_next(class)) {
		if (!read_type(reader, class, type++))
			return false;
	}
	return true;
}

static enum unit timespan_unit(const struct annotation *annotation)
{
	static const struct {
		struct str name;
		enum unit unit;
	} units[] = {
		{ STR("TICKS"), UNIT_TIMESPAN_TICKS },
		{ STR("NANOSECONDS"), UNIT_TIMESPAN_NANOS },
		{ STR("MICROSECONDS"), UNIT_TIMESPAN_MICROS },
		{ STR("MILLISECONDS"), UNIT_TIMESPAN_MILLIS },
		{ STR("SECONDS"), UNIT_TIMESPAN_SECONDS },
	};
	struct str name = annotation_member(annotation, STR("value"));

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (str_is(units[i].name, name))
			return units[i].unit;
	}
	return UNIT_NONE;
}

static enum unit timestamp_unit(const struct annotation *annotation)
{
	struct str name = annotation_member(annotation, STR("value"));

	if (str_is(name, STR("TICKS")))
		return UNIT_TIMESTAMP_TICKS;
	if (str_is(name, STR("MILLISECONDS_SINCE_EPOCH")))
		return UNIT_TIMESTAMP_MILLIS;
	return UNIT_NONE;
}

/* The first annotation of each meaning. */
struct meanings {
	const struct annotation *of[MEANING_COUNT];
};

static struct meanings meanings_of(const struct annotation *annotations, size_t count)
{
	struct meanings found = { { NULL } };

	for (size_t i = 0; i < count; i++) {
		enum meaning meaning = annotations[i].type->meaning;

		if (!found.of[meaning])
			found.of[meaning] = &annotations[i];
	}
	return found;
}

static enum unit amount_unit(const struct meanings *found)
{
	const struct annotation *amount = found->of[MEANING_DATA_AMOUNT];
	struct str name = annotation_member(amount, STR("value"));
	bool is_rate = found->of[MEANING_FREQUENCY] != NULL;

	if (str_is(name, STR("BYTES")))
		return is_rate ? UNIT_BYTES_PER_SECOND : UNIT_BYTES;
	if (str_is(name, STR("BITS")))
		return is_rate ? UNIT_BITS_PER_SECOND : UNIT_BITS;
	return UNIT_NONE;
}

/* The order of the tests is the JDK's: the first that applies decides. */
static enum unit unit_of(const struct meanings *found)
{
	if (found->of[MEANING_TIMESPAN])
		return timespan_unit(found->of[MEANING_TIMESPAN]);
	if (found->of[MEANING_TIMESTAMP])
		return timestamp_unit(found->of[MEANING_TIMESTAMP]);
	if (found->of[MEANING_PERCENTAGE])
		return UNIT_PERCENTAGE;
	if (amount_unit(found) != UNIT_NONE)
		return amount_unit(found);
	if (found->of[MEANING_MEMORY_ADDRESS])
		return UNIT_ADDRESS;
	return found->of[MEANING_FREQUENCY] ? UNIT_FREQUENCY : UNIT_NONE;
}

/* The unit, if numbers of this type can have it. */
static enum unit fitting_unit(enum unit unit, enum op_kind primitive)
{
	bool is_integer = primitive >= OP_BYTE && primitive <= OP_LONG;
	bool is_number = is_integer || primitive == OP_FLOAT || primitive == OP_DOUBLE;

	if (unit <= UNIT_TIMESTAMP_MILLIS)
		return is_integer ? unit : UNIT_NONE;
	return is_number && primitive != OP_CHAR ? unit : UNIT_NONE;
}

/* NULL where a simple type stands for what is no plain value of a type. */
static const struct type *shown_type(const struct type *type)
{
	for (int depth = 0; depth < 64; depth++) {
		if (!type || !type->is_simple || type->field_count == 0)
			return type;
		if (type->fields[0].array || type->fields[0].pooled)
			return NULL;
		type = type->fields[0].type;
	}
	return NULL;	/* simple types in a ring */
}

static bool is_content_type(const struct type *annotation)
{
	for (size_t i = 0; i < annotation->annotation_count; i++) {
		if (annotation->annotations[i].type->meaning == MEANING_CONTENT_TYPE)
			return true;
	}
	return false;
}

static void describe_field(struct field *field)
{
	struct meanings found =
		meanings_of(field->annotations, field->annotation_count);
	enum op_kind primitive;

	field->shown = shown_type(field->type);
	primitive = field->shown ? field->shown->primitive : OP_NONE;
	field->unit = fitting_unit(unit_of(&found), primitive);
	field->is_unsigned = found.of[MEANING_UNSIGNED] && primitive >= OP_BYTE &&
			     primitive <= OP_LONG && primitive != OP_CHAR;
	field->is_contextual = found.of[MEANING_CONTEXTUAL] != NULL;
	for (size_t i = 0; i < field->annotation_count; i++)
		field->has_content_type |= is_content_type(field->annotations[i].type);
}

static void describe_type(struct type *type)
{
	for (size_t i = 0; i < type->field_count; i++) {
		describe_field(&type->fields[i]);
		type->is_contextual |= type->fields[i].is_contextual;
	}
	type->shown = shown_type(type);
	if (!type->is_event)
		return;
	type->start = type_field(type, "startTime");
	type->duration = type_field(type, "duration");
	type->thread = type_field(type, "eventThread");
	type->stack = type_field(type, "stackTrace");
}

/* The table that finds event types without hashing. */
static bool index_events(struct metadata *metadata, struct arena *arena)
{
	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (type->is_event && type->id >= 0 && type->id < EVENT_TABLE_MAX &&
		    (size_t)type->id >= metadata->event_limit)
			metadata->event_limit = (size_t)type->id + 1;
	}
	metadata->events =
		arena_array(arena, metadata->event_limit, sizeof(*metadata->events));
	if (!metadata->events)
		return false;
	/* 0 and 1 are the format's own, whatever a type may claim. */
	for (size_t id = 2; id < metadata->event_limit; id++) {
		const struct type *type = metadata_type(metadata, (int64_t)id);

		metadata->events[id] = type && type->is_event ? type : NULL;
	}
	return true;
}

static bool metadata_build(struct reader *reader, const struct element *root,
			   struct err *err)
{
	const struct element *classes = element_child(root, "metadata");
	const struct element *region = element_child(root, "region");
	struct metadata *metadata = reader->metadata;

	if (!classes)
		return err_set(err, ERR_FORMAT, "the metadata event declares no types");
	if (!declare_types(reader, classes, err))
		return false;
	if (!read_types(reader, classes))
		return err_memory(err);
	for (size_t i = 0; i < metadata->type_count; i++)
		describe_type(&metadata->types[i]);
	if (region) {
		metadata->gmt_offset = element_number(region, "gmtOffset", 0);
		metadata->dst = element_number(region, "dst", 0);
	}
	return index_events(metadata, reader->arena) || err_memory(err);
}

bool metadata_read(struct metadata *metadata, const unsigned char *bytes, size_t size,
		   struct arena *arena, struct err *err)
{
	struct reader reader = { metadata, arena };
	const struct element *root;

	*metadata = (struct metadata){ 0 };
	root = element_read(bytes, size, arena, err);
	return root && metadata_build(&reader, root, err);
}

void metadata_clear(struct metadata *metadata)
{
	map_clear(&metadata->by_id);
}

const struct type *metadata_type(const struct metadata *metadata, int64_t id)
{
	uint32_t index = map_find(&metadata->by_id, (uint64_t)id);

	return index == MAP_NONE ? NULL : &metadata->types[index];
}

int metadata_zone(const struct metadata *metadata)
{
	/* The sum is that of Java ints; it is cut to whole seconds. */
	uint32_t millis = (uint32_t)metadata->gmt_offset + (uint32_t)metadata->dst;
	int seconds = (int32_t)millis / 1000;

	return seconds < -18 * 3600 || seconds > 18 * 3600 ? 0 : seconds;
}

const struct field *type_named_field(const struct type *type, struct str name)
{
	for (size_t i = 0; i < type->field_count; i++) {
		if (str_is(type->fields[i].name, name))
			return &type->fields[i];
	}
	return NULL;
}

const struct field *type_field(const struct type *type, const char *name)
{
	return type_named_field(type, str_of(name));
}

const struct field *type_path_field(const struct type *type, struct str *path)
{
	const struct field *field = type_named_field(type, *path);
	struct str name;

	if (field)
		*path = (struct str){ path->bytes + path->size, 0 };
	else if (str_split(path, '.', &name))
		field = type_named_field(type, name);
	return field;
}

bool type_mark(const struct type *type, bool *marks)
{
	VEC(const struct type *) todo = { 0 };
	bool is_good = marks[type->index] || vec_push(&todo, type);

	marks[type->index] = true;
	while (is_good && todo.count > 0) {
		type = todo.items[--todo.count];
		for (size_t i = 0; is_good && i < type->field_count; i++) {
			const struct type *next = type->fields[i].type;

			if (!next || marks[next->index])
				continue;
			marks[next->index] = true;
			is_good = vec_push(&todo, next);
		}
	}
	vec_clear(&todo);
	return is_good;
}

static const struct annotation *find_annotation(const struct annotation *annotations,
						size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (str_is(annotations[i].type->name, str_of(name)))
			return &annotations[i];
	}
	return NULL;
}

const struct annotation *type_annotation(const struct type *type, const char *name)
{
	return find_annotation(type->annotations, type->annotation_count, name);
}

const struct annotation *field_annotation(const struct field *field, const char *name)
{
	return find_annotation(field->annotations, field->annotation_count, name);
}

struct str annotation_member(const struct annotation *annotation, struct str name)
{
	for (size_t i = 0; annotation && i < annotation->attribute_count; i++) {
		if (str_is(annotation->attributes[i].name, name))
			return annotation->attributes[i].text;
	}
	return (struct str){ NULL, 0 };
}

/* The number at the end of "member-7"; `otherwise` for any other name. */
static size_t element_index(struct str name, struct str member, size_t otherwise)
{
	size_t index = 0;

	if (name.size < member.size + 2 || name.size > member.size + 10 ||
	    !str_starts(name, member) || name.bytes[member.size] != '-')
		return otherwise;
	for (size_t i = member.size + 1; i < name.size; i++) {
		if (name.bytes[i] < '0' || name.bytes[i] > '9')
			return otherwise;
		index = index * 10 + (size_t)(name.bytes[i] - '0');
	}
	return index;
}

struct str *annotation_elements(const struct annotation *annotation, struct str member,
				size_t *count)
{
	size_t limit = annotation ? annotation->attribute_count : 0;
	struct str *elements = calloc(limit + 1, sizeof(*elements));

	*count = 0;
	for (size_t i = 0; elements && i < limit; i++) {
		const struct attribute *attribute = &annotation->attributes[i];
		size_t index = element_index(attribute->name, member, limit);

		if (index < limit)
			elements[index] = attribute->text;
	}
	while (elements && elements[*count].bytes)
		(*count)++;
	return elements;
}

struct str *type_categories(const struct type *type, size_t *count)
{
	return annotation_elements(type_annotation(type, "jdk.jfr.Category"),
				   STR("value"), count);
}

struct str type_simple_name(const struct type *type)
{
	return str_after_last(type->name, '.');
}
