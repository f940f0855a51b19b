#include "copy/standin.h"

#include "jfr/encode.h"
#include "jfr/refs.h"

/* The keys, as far as no constant has them. */
#define FIRST_KEY ((UINT64_C(1) << 56) - 64)

/* What a constant must refer to. */
static const struct need {
	enum type_role role;		/* of the constant */
	const char *field;
	const char *unless;		/* another field that refers to something */
	enum standin_kind kind;
} needs[] = {
	{ TYPE_METHOD, "type", NULL, STANDIN_CLASS },
	{ TYPE_METHOD, "descriptor", NULL, STANDIN_DESCRIPTOR },
	{ TYPE_CLASS, "name", NULL, STANDIN_NAME },
	{ TYPE_CLASS_LOADER, "name", "type", STANDIN_NAME },
};

/* What stand-ins refer to. */
static const struct {
	enum standin_kind kind;
	const char *field;
	enum standin_kind target;
} links[] = {
	{ STANDIN_METHOD, "type", STANDIN_CLASS },
	{ STANDIN_METHOD, "name", STANDIN_NAME },
	{ STANDIN_METHOD, "descriptor", STANDIN_DESCRIPTOR },
	{ STANDIN_CLASS, "name", STANDIN_NAME },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct type *type_of_role(const struct metadata *metadata,
				       enum type_role role)
{
	for (size_t i = 0; i < metadata->type_count; i++) {
		const struct type *type = &metadata->types[i];

		if (type->role == role && !type->is_simple &&
		    metadata_type(metadata, type->id) == type)
			return type;
	}
	return NULL;
}

static const struct type *referred(const struct type *type, const char *name)
{
	const struct field *field = type ? type_field(type, name) : NULL;

	return field && field->pooled && !field->array ? field->type : NULL;
}

/* Text is a stand-in where the constant is nothing else. */
static const struct type *text_only(const struct type *type)
{
	bool is_text = type && type->program.count == 1 &&
		       type->program.ops[0].kind == OP_STRING;

	return is_text ? type : NULL;
}

static bool is_missing(const struct standin *standin, const struct type *type,
		       uint64_t key)
{
	return pool_find(chunk_pool(standin->chunk, type), key) == MAP_NONE;
}

static void find_types(struct standin *standin, const struct accept *accept)
{
	const struct metadata *metadata = &standin->chunk->metadata;
	const struct type *method = type_of_role(metadata, TYPE_METHOD);
	const struct type *class = type_of_role(metadata, TYPE_CLASS);

	standin->types[STANDIN_METHOD] = method;
	standin->types[STANDIN_CLASS] = class;
	standin->types[STANDIN_NAME] = text_only(referred(class, "name"));
	standin->types[STANDIN_DESCRIPTOR] = text_only(referred(method, "descriptor"));
	for (size_t i = 0; i < STANDIN_COUNT; i++) {
		if (standin->types[i] && !accept_pool(accept, standin->types[i]))
			standin->types[i] = NULL;
		standin->keys[i] = FIRST_KEY + i;
		while (standin->types[i] &&
		       !is_missing(standin, standin->types[i], standin->keys[i]))
			standin->keys[i] -= STANDIN_COUNT;
	}
}

/* True if the field of the constant refers to something that is there. */
static bool has_target(const struct standin *standin, const struct type *type,
		       const struct constant *constant, const char *name)
{
	const struct field *field = type_field(type, name);
	struct cursor cursor = cursor_of(constant->bytes, constant->size);
	struct program before = type->program;
	uint64_t key;

	before.count = field->slot;
	value_skip(&before, &cursor);
	key = cursor_varint(&cursor);
	return !is_missing(standin, field->type, key);
}

/* Strings may be references or not, so references to them are not counted. */
static bool is_string(const struct standin *standin, const struct type *type)
{
	return type == standin->chunk->metadata.string;
}

/* How many references stand before the field; UINT32_MAX where that is not fixed. */
static uint32_t references_before(const struct standin *standin,
				  const struct type *type, const char *name)
{
	const struct field *field = type_field(type, name);
	uint32_t count = 0;

	for (uint32_t i = 0; i < field->slot; i++) {
		const struct op *op = &type->program.ops[i];

		if (op->kind == OP_ARRAY)
			return UINT32_MAX;
		count += op->kind == OP_REFERENCE && !is_string(standin, op->type);
	}
	return count;
}

static bool is_concerned(const struct type *type)
{
	return !type->is_simple &&
	       (type->role == TYPE_STACK_TRACE || type->role == TYPE_STACK_FRAME ||
		type->role == TYPE_METHOD || type->role == TYPE_CLASS ||
		type->role == TYPE_CLASS_LOADER);
}

void standin_begin(struct standin *standin, const struct type *type,
		   const struct constant *constant)
{
	struct standin_patch *patch = &standin->patch;

	*patch = (struct standin_patch){ .count = 0 };
	if (!is_concerned(type))
		return;
	patch->has_frames = type->role == TYPE_STACK_TRACE ||
			    type->role == TYPE_STACK_FRAME;
	for (size_t i = 0; i < COUNT(needs); i++) {
		const struct need *need = &needs[i];

		if (need->role != type->role || !standin->types[need->kind] ||
		    referred(type, need->field) != standin->types[need->kind] ||
		    has_target(standin, type, constant, need->field))
			continue;
		if (need->unless && referred(type, need->unless) &&
		    has_target(standin, type, constant, need->unless))
			continue;
		patch->items[patch->count].at = references_before(standin, type,
								  need->field);
		patch->items[patch->count++].kind = need->kind;
	}
}

/* The stand-in for the next reference; STANDIN_COUNT: it stays. */
static enum standin_kind next_kind(struct standin *standin, const struct type *type,
				   uint64_t key)
{
	struct standin_patch *patch = &standin->patch;
	uint32_t at;

	if (is_string(standin, type))
		return STANDIN_COUNT;
	at = patch->at++;
	if (patch->has_frames && type == standin->types[STANDIN_METHOD] &&
	    is_missing(standin, type, key))
		return STANDIN_METHOD;
	for (uint32_t i = 0; i < patch->count; i++) {
		if (patch->items[i].at == at)
			return patch->items[i].kind;
	}
	return STANDIN_COUNT;
}

uint64_t standin_key(struct standin *standin, const struct type *type, uint64_t key)
{
	enum standin_kind kind = next_kind(standin, type, key);

	return kind == STANDIN_COUNT ? key : standin->keys[kind];
}

static bool look(void *context, const struct type *type, uint64_t key)
{
	struct standin *standin = context;
	enum standin_kind kind = next_kind(standin, type, key);

	if (kind != STANDIN_COUNT)
		standin->is_needed[kind] = true;
	return true;
}

/* Stand-ins refer to each other, methods first. */
static void spread(struct standin *standin)
{
	for (size_t i = 0; i < COUNT(links); i++) {
		enum standin_kind target = links[i].target;

		if (standin->is_needed[links[i].kind] && standin->types[target])
			standin->is_needed[target] = true;
	}
}

static void survey_pool(struct standin *standin, const struct pool *pool)
{
	for (size_t i = 0; i < pool->constants.count; i++) {
		struct cursor cursor = pool_cursor(pool, (uint32_t)i);

		standin_begin(standin, pool->type, &pool->constants.items[i]);
		if (standin->patch.has_frames || standin->patch.count > 0)
			refs_walk(&pool->type->program, &cursor, NULL, look, standin);
	}
}

void standin_open(struct standin *standin, const struct chunk *chunk,
		  const struct accept *accept)
{
	*standin = (struct standin){ .chunk = chunk };
	find_types(standin, accept);
	for (size_t i = 0; i < chunk->metadata.type_count; i++) {
		const struct type *type = &chunk->metadata.types[i];
		const struct pool *pool = chunk_pool(chunk, type);

		if (pool && is_concerned(type))
			survey_pool(standin, pool);
	}
	spread(standin);
}

bool standin_is_needed(const struct standin *standin)
{
	for (size_t i = 0; i < STANDIN_COUNT; i++) {
		if (standin->is_needed[i])
			return true;
	}
	return false;
}

/* The key that a stand-in has at this place of its program; 0 is null. */
static uint64_t linked_key(const struct standin *standin, enum standin_kind kind,
			   uint32_t slot)
{
	const struct type *type = standin->types[kind];

	for (size_t i = 0; i < COUNT(links); i++) {
		const struct type *target = standin->types[links[i].target];

		if (links[i].kind == kind && target &&
		    referred(type, links[i].field) == target &&
		    type_field(type, links[i].field)->slot == slot)
			return standin->keys[links[i].target];
	}
	return 0;
}

void standin_add(const struct standin *standin, enum standin_kind kind, struct buf *to)
{
	/* Bytes of null, none, false or zero. */
	static const uint8_t sizes[] = {
		[OP_BOOLEAN] = 1, [OP_BYTE] = 1,  [OP_SHORT] = 1,     [OP_CHAR] = 1,
		[OP_INT] = 1,	  [OP_LONG] = 1,  [OP_FLOAT] = 4,     [OP_DOUBLE] = 8,
		[OP_STRING] = 1,  [OP_ARRAY] = 1, [OP_REFERENCE] = 1,
	};
	const struct program *program = &standin->types[kind]->program;

	if (kind == STANDIN_NAME || kind == STANDIN_DESCRIPTOR) {
		encode_string(to, kind == STANDIN_NAME ? STR("<unknown>") : STR("()V"));
		return;
	}
	for (uint32_t i = 0; i < program->count; i++) {
		uint64_t key = program->ops[i].kind == OP_REFERENCE
				       ? linked_key(standin, kind, i) : 0;

		if (key)
			encode_varint(to, key);
		else
			buf_fill(to, 0, sizes[program->ops[i].kind]);
	}
}
