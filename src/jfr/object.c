#include "jfr/object.h"

bool object_at(struct object *object, const struct chunk *chunk,
	       const struct pool *pool, uint32_t index, struct arena *arena)
{
	const struct type *type = pool->type;
	struct cursor cursor = pool_cursor(pool, index);
	struct value *values =
		arena_array(arena, type->program.count, sizeof(struct value));

	*object = (struct object){ chunk, type->shown, values,
				   pool->constants.items[index].key };
	return values && type->shown &&
	       value_decode(&type->program, &cursor, chunk->strings, values, arena);
}

bool object_constant(struct object *object, const struct chunk *chunk,
		     const struct type *type, uint64_t key, struct arena *arena)
{
	const struct pool *pool = chunk_pool(chunk, type);
	uint32_t index = pool_find(pool, key);

	return index != MAP_NONE && object_at(object, chunk, pool, index, arena);
}

bool object_of_field(const struct chunk *chunk, const struct field *field,
		     const struct value *values, struct object *child,
		     struct arena *arena)
{
	if (!field->shown || field->array)
		return false;
	if (field->pooled)
		return object_constant(child, chunk, field->type,
				       (uint64_t)values[0].number, arena);
	*child = (struct object){ chunk, field->shown, values, 0 };
	return true;
}

struct str object_text(const struct object *object, const char *name,
		       struct arena *arena)
{
	const struct field *field = type_field(object->type, name);
	struct object text;

	if (!field || !field->shown || field->shown->primitive != OP_STRING ||
	    !object_of_field(object->chunk, field, object->values + field->slot, &text,
			     arena))
		return (struct str){ NULL, 0 };
	return text.values[0].text;
}

int64_t object_number(const struct object *object, const char *name, int64_t otherwise)
{
	const struct field *field = type_field(object->type, name);

	if (!field || field->pooled || field->array || !field->shown ||
	    field->shown->primitive < OP_BOOLEAN || field->shown->primitive > OP_LONG)
		return otherwise;
	return object->values[field->slot].number;
}

int64_t object_exact(const struct object *object, enum op_kind kind, const char *name,
		     int64_t otherwise)
{
	const struct field *field = type_field(object->type, name);

	if (!field || !field->shown || field->shown->primitive != kind)
		return otherwise;
	return object_number(object, name, otherwise);
}

bool object_child(const struct object *object, const char *name, struct object *child,
		  struct arena *arena)
{
	const struct field *field = type_field(object->type, name);

	return field && field->shown && field->shown->primitive == OP_NONE &&
	       object_of_field(object->chunk, field, object->values + field->slot,
			       child, arena);
}
