#include "query/depict.h"

#include <math.h>
#include <stdlib.h>

#include "base/javahash.h"
#include "jfr/elements.h"
#include "jfr/measure.h"
#include "jfr/naming.h"

/* Elements of an array that are looked at; frames of a stack trace, too. */
#define ELEMENTS_MAX 65536

#define NO_TEXT ((struct str){ NULL, 0 })

bool depict_open(struct depict *depict, const struct chunk *chunk,
		 struct lexicon *lexicon)
{
	*depict = (struct depict){ .chunk = chunk, .lexicon = lexicon,
				   .scratch.limit = DEPICT_EVENT_MAX };
	depict->plain = arena_array(&depict->arena, chunk->metadata.type_count,
				    sizeof(*depict->plain));
	return depict->plain != NULL;
}

void depict_close(struct depict *depict)
{
	for (size_t i = 0; i < depict->recalls.count; i++) {
		map_clear(&depict->recalls.items[i]->places);
		vec_clear(&depict->recalls.items[i]->data);
	}
	vec_clear(&depict->recalls);
	arena_clear(&depict->arena);
	arena_clear(&depict->scratch);
	buf_clear(&depict->text);
	buf_clear(&depict->compact);
}

static struct recall *add_recall(struct depict *depict, const struct type *type,
				 enum reach reach, struct str path)
{
	struct recall *recall = arena_alloc(&depict->arena, sizeof(*recall));

	if (!recall || !vec_push(&depict->recalls, recall)) {
		depict->failed = true;
		return NULL;
	}
	recall->type = type;
	recall->reach = reach;
	recall->path = path;
	return recall;
}

struct recall *depict_recall(struct depict *depict, const struct type *type,
			     enum reach reach, struct str path)
{
	for (size_t i = 0; i < depict->recalls.count; i++) {
		struct recall *recall = depict->recalls.items[i];

		if (recall->type == type && recall->reach == reach &&
		    str_is(recall->path, path))
			return recall;
	}
	return add_recall(depict, type, reach, path);
}

/* Of the constants themselves, without a path behind them. */
static struct recall *plain_recall(struct depict *depict, const struct type *type)
{
	struct recall **recall = &depict->plain[type->index];

	if (!*recall)
		*recall = depict_recall(depict, type, REACH_FIELD, STR(""));
	return *recall;
}

/* --- things ---------------------------------------------------------------------- */

static struct str text_of(const struct buf *buf)
{
	return (struct str){ buf->bytes ? buf->bytes : "", buf->size };
}

static struct datum add(struct depict *depict, const struct thing *content)
{
	const struct thing *thing = lexicon_add(depict->lexicon, content);

	depict->failed |= !thing || depict->text.failed || depict->compact.failed;
	return thing ? (struct datum){ .kind = DATUM_THING, .thing = thing } : DATUM_NONE;
}

static struct str name_of(struct depict *depict, const struct object *object,
			  const char *field)
{
	return object_text(object, field, &depict->scratch);
}

static struct datum depict_thread(struct depict *depict, const struct object *object)
{
	bool is_java = object_exact(object, OP_LONG, "javaThreadId", -1) > 0;
	struct str name = name_of(depict, object, is_java ? "javaName" : "osName");

	return add(depict, &(struct thing){
		.kind = THING_THREAD, .text = name, .compact = name,
		.id = (int64_t)object->key,
		.hash = javahash_long((int64_t)object->key) });
}

/* Writes the name of a class into depict->text; NO_TEXT if it has none. */
static struct str class_name(struct depict *depict, const struct object *class)
{
	struct str name = name_of(depict, class, "name");

	buf_reset(&depict->text);
	if (!name.bytes)
		return NO_TEXT;
	naming_add_class(&depict->text, name, STR(""));
	return text_of(&depict->text);
}

static struct datum add_class_like(struct depict *depict, enum thing_kind kind,
				   const struct object *class, uint64_t key)
{
	struct str name = class ? class_name(depict, class) : NO_TEXT;

	return add(depict, &(struct thing){
		.kind = kind, .text = name,
		.compact = name.bytes ? str_after_last(name, '.') : NO_TEXT,
		.id = (int64_t)key, .hash = javahash_long((int64_t)key) });
}

static struct datum depict_class(struct depict *depict, const struct object *object)
{
	return add_class_like(depict, THING_CLASS, object, object->key);
}

/* A class loader goes by the name of its class. */
static struct datum depict_loader(struct depict *depict, const struct object *object)
{
	struct object class;
	bool has_class = object_child(object, "type", &class, &depict->scratch);

	return add_class_like(depict, THING_LOADER, has_class ? &class : NULL,
			      object->key);
}

static struct datum depict_group(struct depict *depict, const struct object *object)
{
	struct str name = name_of(depict, object, "name"), over = NO_TEXT;
	struct object parent;

	if (object_child(object, "parent", &parent, &depict->scratch))
		over = name_of(depict, &parent, "name");
	buf_reset(&depict->text);
	buf_str(&depict->text, name.bytes ? name : STR("null"));
	buf_byte(&depict->text, ':');
	buf_str(&depict->text, over.bytes ? over : STR("null"));
	return add(depict, &(struct thing){
		.kind = THING_GROUP, .text = name, .compact = name,
		.detail = text_of(&depict->text),
		.hash = javahash_text(text_of(&depict->text)) });
}

static struct datum depict_method(struct depict *depict, const struct object *object)
{
	struct str name = name_of(depict, object, "name"), owner = NO_TEXT;
	struct str descriptor = name_of(depict, object, "descriptor");
	struct buf *text = &depict->text, *compact = &depict->compact;
	struct object class = { .key = 0 };
	size_t before;
	uint32_t hash;

	if (object_child(object, "type", &class, &depict->scratch))
		owner = name_of(depict, &class, "name");
	buf_reset(text);
	naming_add_dotted(text, owner.bytes ? owner : STR("<unknown>"));
	buf_byte(text, '.');
	buf_str(text, name.bytes ? name : STR("null"));
	buf_reset(compact);
	buf_str(compact, text_of(text));
	before = text->size;
	naming_add_parameters(text, descriptor);
	buf_text(compact, text->size - before > 2 ? "(...)" : "()");
	hash = 31 + javahash_long((int64_t)class.key);
	hash = 32 * hash + javahash_text(name);
	hash = 32 * hash + javahash_text(descriptor);
	return add(depict, &(struct thing){
		.kind = THING_METHOD, .text = text_of(text), .compact = text_of(compact),
		.detail = descriptor, .id = (int64_t)class.key, .hash = hash });
}

/* Of a frame. What is declared as anything else could lead on and on, to other frames. */
static struct datum method_of(struct depict *depict, const struct object *frame)
{
	const struct field *field = type_field(frame->type, "method");

	if (!field || field->array || !field->shown ||
	    field->shown->role != TYPE_METHOD)
		return DATUM_NONE;
	return depict_value(depict, field, frame->values + field->slot);
}

/* A frame goes by its method. */
static struct datum depict_frame(struct depict *depict, const struct object *object)
{
	struct datum method = DATUM_NONE;
	struct thing frame = { .kind = THING_FRAME };

	if (object_is_java_frame(object))
		method = method_of(depict, object);
	else
		frame.text = frame.compact = STR("<unknown>");
	if (method.kind == DATUM_THING && method.thing->kind == THING_METHOD) {
		frame.method = method.thing;
		frame.text = method.thing->text;
		frame.compact = method.thing->compact;
		frame.hash = method.thing->hash;
	}
	return add(depict, &frame);
}

/* A struct without a name of its own: what its fields hold. */
static struct datum depict_struct(struct depict *depict, const struct object *object)
{
	struct str name = NO_TEXT;

	buf_reset(&depict->text);
	if (naming_add(&depict->text, object, &depict->scratch))
		name = text_of(&depict->text);
	else
		name = object_text(object, "name", &depict->scratch);
	if (!name.bytes)
		name = type_simple_name(object->type);
	return add(depict, &(struct thing){
		.kind = THING_OBJECT, .text = name, .compact = name,
		.id = (int64_t)object->key,
		.hash = javahash_long((int64_t)object->key) });
}

/* --- stack traces ------------------------------------------------------------------ */

/* The frames of a stack trace; false if it has no such field. */
static bool frames_of(struct depict *depict, const struct object *stack,
		      struct elements *frames)
{
	const struct field *field = type_field(stack->type, "frames");

	if (!field || !field->array || !field->type || !field->shown)
		return false;
	*frames = elements_of(depict->chunk, field, stack->values + field->slot,
			      &depict->scratch);
	if (frames->left > ELEMENTS_MAX)
		frames->left = ELEMENTS_MAX;
	return true;
}

static bool next_frame(struct elements *frames, struct object *frame)
{
	return elements_next(frames) &&
	       object_of_field(frames->chunk, &frames->field, frames->values, frame,
			       frames->arena);
}

/* What stacks are grouped by: the methods of their frames. */
static const struct thing *stack_of_methods(struct depict *depict,
					    const struct thing **frames, size_t count)
{
	struct thing key = { .kind = THING_STACK, .hash = 1, .frame_count = count };
	const struct thing **methods =
		arena_array(&depict->scratch, count, sizeof(*methods));
	const struct thing *none = add(depict, &(struct thing){ .kind = THING_FRAME }).thing;

	for (size_t i = 0; methods && i < count; i++) {
		methods[i] = frames[i]->method ? frames[i]->method : none;
		if (!methods[i])
			return NULL;
		key.hash = 31 * key.hash + methods[i]->hash;
	}
	key.frames = methods;
	return methods ? add(depict, &key).thing : NULL;
}

static struct datum depict_stack(struct depict *depict, const struct object *object)
{
	VEC(const struct thing *) frames = { 0 };
	struct thing stack = { .kind = THING_STACK, .id = (int64_t)object->key };
	struct datum made = DATUM_NONE;
	struct elements elements;
	struct object frame;

	if (frames_of(depict, object, &elements)) {
		while (next_frame(&elements, &frame)) {
			struct datum one = depict_frame(depict, &frame);

			if (one.kind != DATUM_THING)
				break;
			if (!vec_push(&frames, one.thing)) {
				depict->failed = true;
				break;
			}
		}
	}
	stack.method = stack_of_methods(depict, frames.items, frames.count);
	if (frames.count > 0) {
		stack.text = frames.items[0]->text;
		stack.compact = frames.items[0]->compact;
	}
	stack.frames = frames.items;
	stack.frame_count = frames.count;
	if (stack.method) {
		stack.hash = stack.method->hash;
		made = add(depict, &stack);
	}
	vec_clear(&frames);
	return made;
}

static bool is_bootstrap(struct depict *depict, const struct object *method)
{
	struct object class, loader;
	struct str name;

	if (!object_child(method, "type", &class, &depict->scratch) ||
	    !object_child(&class, "classLoader", &loader, &depict->scratch))
		return true;
	name = name_of(depict, &loader, "name");
	return name.bytes && str_is(name, STR("bootstrap"));
}

static bool is_top(struct depict *depict, const struct object *frame, enum reach reach)
{
	struct object method;

	if (!object_is_java_frame(frame))
		return false;
	if (reach == REACH_TOP_FRAME)
		return true;
	if (!object_child(frame, "method", &method, &depict->scratch))
		return false;
	if (reach == REACH_TOP_APPLICATION_FRAME)
		return !is_bootstrap(depict, &method);
	return !str_is(name_of(depict, &method, "name"), STR("<init>"));
}

/* In front of the name of the class, which may end in an address: "Foo$$Lambda.0x1f". */
static struct str package_part(struct str name)
{
	struct str simple = str_after_last(name, '.');

	if (str_starts(simple, STR("0x")) && simple.size < name.size) {
		name.size -= simple.size + 1;
		simple = str_after_last(name, '.');
	}
	name.size -= simple.size;
	name.size -= name.size > 0;
	return name.size ? name : STR("(default package)");
}

/* "java.util" of a frame in java.util.List. */
static struct datum package_of(struct depict *depict, const struct object *frame)
{
	struct object method, class;
	struct str name;

	if (!object_child(frame, "method", &method, &depict->scratch) ||
	    !object_child(&method, "type", &class, &depict->scratch))
		return DATUM_NONE;
	name = class_name(depict, &class);
	depict->failed |= depict->text.failed;
	return name.bytes ? lexicon_text(depict->lexicon, package_part(name))
			  : DATUM_NONE;
}

static struct datum depict_top(struct depict *depict, const struct object *stack,
			       enum reach reach, struct str path)
{
	struct elements frames;
	struct object frame;

	if (!frames_of(depict, stack, &frames))
		return DATUM_NONE;
	while (next_frame(&frames, &frame)) {
		if (!is_top(depict, &frame, reach))
			continue;
		if (path.size == 0)
			return depict_frame(depict, &frame);
		if (str_is(path, STR("package")))
			return package_of(depict, &frame);
		return depict_object(depict, &frame, REACH_FIELD, path);
	}
	return DATUM_NONE;
}

/* --- values ------------------------------------------------------------------------ */

typedef struct datum depict_role(struct depict *depict, const struct object *object);

static depict_role *const roles[] = {
	[TYPE_PLAIN] = depict_struct,	    [TYPE_THREAD] = depict_thread,
	[TYPE_THREAD_GROUP] = depict_group, [TYPE_CLASS] = depict_class,
	[TYPE_CLASS_LOADER] = depict_loader, [TYPE_METHOD] = depict_method,
	[TYPE_STACK_TRACE] = depict_stack,  [TYPE_STACK_FRAME] = depict_frame,
	[TYPE_OLD_OBJECT] = depict_struct,
};

static struct datum depict_number(struct depict *depict, const struct field *field,
				  const struct value *value)
{
	static const enum datum_kind kinds[] = {
		[OP_BOOLEAN] = DATUM_BOOLEAN, [OP_BYTE] = DATUM_BYTE,
		[OP_SHORT] = DATUM_SHORT,     [OP_CHAR] = DATUM_CHAR,
		[OP_INT] = DATUM_INT,	      [OP_LONG] = DATUM_LONG,
		[OP_FLOAT] = DATUM_FLOAT,     [OP_DOUBLE] = DATUM_DOUBLE,
	};
	const struct clock *clock = &depict->chunk->clock;
	enum op_kind primitive = field->shown->primitive;

	if (primitive == OP_FLOAT || primitive == OP_DOUBLE)
		return datum_of_real(kinds[primitive],
				     isnan(value->real) ? NAN : value->real);
	if (unit_is_timespan(field->unit))
		return datum_of_time(DATUM_SPAN,
				     measure_timespan(field, value->number, clock));
	if (unit_is_timestamp(field->unit))
		return datum_of_time(DATUM_TIME,
				     measure_timestamp(field, value->number, clock));
	return datum_of_integer(kinds[primitive], value->number);
}

static struct datum depict_leaf(struct depict *depict, const struct field *field,
				const struct value *value)
{
	if (field->shown->primitive == OP_STRING)
		return lexicon_text(depict->lexicon, value->text);
	return depict_number(depict, field, value);
}

static struct datum depict_array(struct depict *depict, const struct field *field,
				 const struct value *value)
{
	struct elements elements =
		elements_of(depict->chunk, field, value, &depict->scratch);
	VEC(struct datum) data = { 0 };
	struct datum_list *list;

	while (data.count < ELEMENTS_MAX && elements_next(&elements)) {
		struct datum datum =
			depict_value(depict, &elements.field, elements.values);

		if (!vec_push(&data, datum)) {
			depict->failed = true;
			break;
		}
	}
	list = lexicon_list(depict->lexicon, data.count);
	depict->failed |= !list;
	if (list && data.count)
		memcpy(list->items, data.items, data.count * sizeof(*data.items));
	vec_clear(&data);
	return list ? (struct datum){ .kind = DATUM_LIST, .list = list } : DATUM_NONE;
}

struct datum depict_value(struct depict *depict, const struct field *field,
			  const struct value *value)
{
	struct object object;

	if (!field->shown || !field->type)
		return DATUM_NONE;
	if (field->array)
		return depict_array(depict, field, value);
	if (field->pooled)
		return depict_constant(depict, plain_recall(depict, field->type),
				       (uint64_t)value->number);
	if (field->shown->primitive != OP_NONE)
		return depict_leaf(depict, field, value);
	object = (struct object){ depict->chunk, field->shown, value, 0 };
	return roles[field->shown->role](depict, &object);
}

/* The path from the object on; an empty one leads to the object itself. */
static struct datum follow(struct depict *depict, const struct object *object,
			   struct str path)
{
	struct object at = *object;

	while (path.size) {
		const struct field *field = type_path_field(at.type, &path);

		if (!field || !field->shown)
			return DATUM_NONE;
		if (path.size == 0)
			return depict_value(depict, field, at.values + field->slot);
		if (!object_of_field(depict->chunk, field, at.values + field->slot, &at,
				     &depict->scratch))
			return DATUM_NONE;
	}
	return roles[at.type->role](depict, &at);
}

struct datum depict_object(struct depict *depict, const struct object *object,
			   enum reach reach, struct str path)
{
	if (reach == REACH_FIELD)
		return follow(depict, object, path);
	return depict_top(depict, object, reach, path);
}

/* Constants of simple types stand for a value. */
static struct datum depict_pooled(struct depict *depict, const struct recall *recall,
				  uint64_t key)
{
	struct object object;

	if (!object_constant(&object, depict->chunk, recall->type, key,
			     &depict->scratch))
		return DATUM_NONE;
	if (object.type->primitive != OP_NONE) {
		const struct field leaf = { .type = object.type, .shown = object.type };

		return depict_leaf(depict, &leaf, object.values);
	}
	return depict_object(depict, &object, recall->reach, recall->path);
}

struct datum depict_constant(struct depict *depict, struct recall *recall, uint64_t key)
{
	uint32_t place;
	struct datum datum;

	if (!recall)
		return DATUM_NONE;
	place = map_find(&recall->places, key);
	if (place != MAP_NONE)
		return recall->data.items[place];
	/* One that refers to itself finds nothing there, as in the JDK. */
	place = (uint32_t)recall->data.count;
	if (!vec_push(&recall->data, DATUM_NONE) ||
	    !map_put(&recall->places, key, place)) {
		depict->failed = true;
		return DATUM_NONE;
	}
	datum = depict_pooled(depict, recall, key);
	recall->data.items[place] = datum;
	return datum;
}
