#include "classfile/vstate.h"

#include "classfile/constant.h"

static uint16_t this_class(const struct classfile *file)
{
	return big_u2(file->bytes + file->constants_end + 2);
}

bool vstate_add_local(struct vstate *state, const struct code *code, struct vtype type)
{
	bool is_wide = vtype_is_wide(type);

	if (state->local_count + 1 + is_wide > code->max_locals)
		return false;
	state->locals[state->local_count++] = type;
	if (is_wide)
		state->locals[state->local_count++].tag = VTYPE_SECOND;
	return true;
}

bool vstate_push(struct vstate *state, const struct code *code, struct vtype type)
{
	bool is_wide = vtype_is_wide(type);

	if (state->depth + 1 + is_wide > code->max_stack)
		return false;
	state->stack[state->depth++] = type;
	if (is_wide)
		state->stack[state->depth++] = (struct vtype){ .tag = VTYPE_SECOND };
	return true;
}

bool vstate_enter(struct vstate *state, const struct code *code,
		  const struct classfile_method *method, struct arena *arena)
{
	const struct classfile *file = code->file;
	struct str rest = method->descriptor;
	struct vtype type = { .tag = VTYPE_OBJECT, .value = this_class(file) };

	*state = (struct vstate){ 0 };
	state->locals = arena_array(arena, code->max_locals, sizeof(type));
	state->stack = arena_array(arena, code->max_stack, sizeof(type));
	if (!state->locals || !state->stack)
		return false;
	if (str_is(method->name, STR("<init>")) && file->super_name.bytes) {
		type = (struct vtype){ .tag = VTYPE_UNFINISHED_THIS };
		state->is_unfinished = true;
	}
	if (!(method->access & ACCESS_STATIC) && !vstate_add_local(state, code, type))
		return false;
	while (vtype_take_parameter(&rest, &type))
		if (!vstate_add_local(state, code, type))
			return false;
	return rest.size > 0;
}

int32_t vstate_stored(const struct code *code, uint32_t at)
{
	if (opcode_rows[code_opcode(code, at)].kind == OPCODE_STORES)
		return (int32_t)code_variables(code, at).first;
	return -1;
}

/* Name and type of a field, a method, or what is dynamic. False: it is none. */
static bool member(const struct classfile *file, uint16_t index, struct str *name,
		   struct str *descriptor)
{
	int tag = classfile_tag(file, index);
	uint16_t both;
	const uint8_t *at;

	if (tag != CONSTANT_FIELD && tag != CONSTANT_METHOD &&
	    tag != CONSTANT_INTERFACE_METHOD && tag != CONSTANT_DYNAMIC &&
	    tag != CONSTANT_INVOKE_DYNAMIC)
		return false;
	both = big_u2(file->bytes + file->constants[index] + 3);
	if (classfile_tag(file, both) != CONSTANT_NAME_AND_TYPE)
		return false;
	at = file->bytes + file->constants[both] + 1;
	*name = classfile_utf8(file, big_u2(at));
	*descriptor = classfile_utf8(file, big_u2(at + 2));
	return name->bytes && descriptor->bytes;
}

static bool push_tag(struct vstate *state, const struct code *code, uint8_t tag)
{
	return vstate_push(state, code, (struct vtype){ .tag = tag });
}

static bool push_named(struct vstate *state, const struct code *code, struct str name)
{
	struct vtype type = { .tag = VTYPE_OBJECT, .name = name };

	return vstate_push(state, code, type);
}

static bool push_class(struct vstate *state, const struct code *code, uint16_t index)
{
	struct vtype type = { .tag = VTYPE_OBJECT, .value = index };

	return classfile_class_name(code->file, index).bytes &&
	       vstate_push(state, code, type);
}

/* What a descriptor begins with; void pushes nothing. */
static bool push_described(struct vstate *state, const struct code *code,
			   struct str descriptor)
{
	struct vtype type;

	if (!vtype_take(&descriptor, &type))
		return false;
	return type.tag == VTYPE_TOP || vstate_push(state, code, type);
}

static bool take(struct vstate *state, uint32_t slots)
{
	if (slots > state->depth)
		return false;
	state->depth -= slots;
	return true;
}

static bool push_constant(struct vstate *state, const struct code *code, uint16_t index)
{
	struct str name, descriptor;

	switch (classfile_tag(code->file, index)) {
	case CONSTANT_INTEGER:
		return push_tag(state, code, VTYPE_INTEGER);
	case CONSTANT_FLOAT:
		return push_tag(state, code, VTYPE_FLOAT);
	case CONSTANT_LONG:
		return push_tag(state, code, VTYPE_LONG);
	case CONSTANT_DOUBLE:
		return push_tag(state, code, VTYPE_DOUBLE);
	case CONSTANT_STRING:
		return push_named(state, code, STR("java/lang/String"));
	case CONSTANT_CLASS:
		return push_named(state, code, STR("java/lang/Class"));
	case CONSTANT_METHOD_HANDLE:
		return push_named(state, code, STR("java/lang/invoke/MethodHandle"));
	case CONSTANT_METHOD_TYPE:
		return push_named(state, code, STR("java/lang/invoke/MethodType"));
	case CONSTANT_DYNAMIC:
		return member(code->file, index, &name, &descriptor) &&
		       push_described(state, code, descriptor);
	default:
		return false;
	}
}

static struct str name_of(const struct code *code, struct vtype type)
{
	return type.value ? classfile_class_name(code->file, type.value) : type.name;
}

/* aaload, whose array was just taken. */
static bool push_element(struct vstate *state, const struct code *code)
{
	struct vtype array = state->stack[state->depth];
	struct str name = name_of(code, array);

	if (array.tag != VTYPE_OBJECT || name.size < 2 || name.bytes[0] != '[')
		return push_tag(state, code, VTYPE_NULL);
	name.bytes++;
	name.size--;
	return push_described(state, code, name);
}

/* An array of what a class constant says. */
static bool push_array(struct vstate *state, const struct code *code, uint16_t index,
		       struct arena *arena)
{
	struct str name = classfile_class_name(code->file, index);
	bool is_array = name.size && name.bytes[0] == '[';
	size_t size = name.size + (is_array ? 1 : 3);
	char *text;

	if (!name.bytes)
		return false;
	text = arena_alloc(arena, size);
	if (!text)
		return false;
	text[0] = '[';
	if (is_array) {
		memcpy(text + 1, name.bytes, name.size);
	} else {
		text[1] = 'L';
		memcpy(text + 2, name.bytes, name.size);
		text[size - 1] = ';';
	}
	return push_named(state, code, (struct str){ text, size });
}

static bool push_primitives(struct vstate *state, const struct code *code, uint8_t type)
{
	static const char *const names[] = { "[Z", "[C", "[F", "[D",
					     "[B", "[S", "[I", "[J" };

	if (type < 4 || type > 11)
		return false;
	return push_named(state, code, str_of(names[type - 4]));
}

static bool load(struct vstate *state, const struct code *code, uint32_t at)
{
	uint32_t variable = code_variables(code, at).first;

	switch (opcode_rows[code_opcode(code, at)].puts[0]) {
	case 'J':
		return push_tag(state, code, VTYPE_LONG);
	case 'D':
		return push_tag(state, code, VTYPE_DOUBLE);
	case 'A':
		if (vtype_is_wide(state->locals[variable]))
			return false;
		break;
	}
	return vstate_push(state, code, state->locals[variable]);
}

/* Halves of what is overwritten stay, and count for nothing (frames.c). */
static bool store(struct vstate *state, const struct code *code, uint32_t at)
{
	struct code_variables variables = code_variables(code, at);
	uint32_t variable = variables.first, slots = variables.count;

	if (!take(state, slots))
		return false;
	memcpy(state->locals + variable, state->stack + state->depth,
	       slots * sizeof(*state->locals));
	if (state->local_count < variable + slots)
		state->local_count = variable + slots;
	return true;
}

static bool is_same(struct vtype a, struct vtype b)
{
	return a.tag == b.tag && a.value == b.value;
}

static void replace(struct vtype *types, uint32_t count, struct vtype from,
		    struct vtype to)
{
	for (uint32_t i = 0; i < count; i++)
		if (is_same(types[i], from))
			types[i] = to;
}

/* The receiver of a constructor that was called is finished, wherever it is. */
static void finish(struct vstate *state, const struct code *code, struct vtype receiver)
{
	struct vtype done = { .tag = VTYPE_OBJECT };

	if (receiver.tag == VTYPE_UNFINISHED_THIS) {
		done.value = this_class(code->file);
		state->is_unfinished = false;
	} else if (receiver.tag == VTYPE_UNFINISHED &&
		   code_begins(code, receiver.value) &&
		   code_kind(code, receiver.value) == OPCODE_NEWS) {
		done.value = big_u2(code->bytes + receiver.value + 1);
	} else {
		return;
	}
	replace(state->locals, state->local_count, receiver, done);
	replace(state->stack, state->depth, receiver, done);
}

/* Slots of the arguments; false: the descriptor is damaged. `*rest`: what is returned. */
static bool argument_slots(struct str descriptor, uint32_t *slots, struct str *rest)
{
	struct vtype type;

	*slots = 0;
	*rest = descriptor;
	if (!descriptor.size || descriptor.bytes[0] != '(')
		return false;
	while (vtype_take_parameter(rest, &type))
		*slots += 1 + vtype_is_wide(type);
	return rest->size > 0;
}

static bool invoke(struct vstate *state, const struct code *code, uint32_t at)
{
	struct str name, descriptor, rest;
	uint32_t slots;
	uint8_t opcode = code->bytes[at];

	if (!member(code->file, big_u2(code->bytes + at + 1), &name, &descriptor) ||
	    !argument_slots(descriptor, &slots, &rest) ||
	    !take(state, slots + opcode_rows[opcode].takes))
		return false;
	if (opcode == OPCODE_INVOKESPECIAL && str_is(name, STR("<init>")))
		finish(state, code, state->stack[state->depth]);
	return push_described(state, code, rest);
}

bool vstate_finishes(const struct vstate *state, const struct code *code, uint32_t at)
{
	struct str name, descriptor, rest;
	uint32_t slots;

	return code->bytes[at] == OPCODE_INVOKESPECIAL &&
	       member(code->file, big_u2(code->bytes + at + 1), &name, &descriptor) &&
	       str_is(name, STR("<init>")) &&
	       argument_slots(descriptor, &slots, &rest) && slots < state->depth &&
	       state->stack[state->depth - slots - 1].tag == VTYPE_UNFINISHED_THIS;
}

static bool access_field(struct vstate *state, const struct code *code, uint32_t at)
{
	const struct opcode_row *row = &opcode_rows[code->bytes[at]];
	struct str name, descriptor, rest;
	struct vtype type;

	if (!member(code->file, big_u2(code->bytes + at + 1), &name, &descriptor))
		return false;
	rest = descriptor;
	if (!vtype_take(&rest, &type) || type.tag == VTYPE_TOP)
		return false;
	if (row->kind == OPCODE_GETS)
		return take(state, row->takes) && vstate_push(state, code, type);
	return take(state, row->takes + 1u + vtype_is_wide(type));
}

static bool push_all(struct vstate *state, const struct code *code,
		     const struct opcode_row *row)
{
	struct vtype taken[4];
	bool fits = true;

	memcpy(taken, state->stack + state->depth, row->takes * sizeof(taken[0]));
	for (const char *put = row->puts; *put && fits; put++) {
		static const uint8_t tags[] = { ['I' - 'A'] = VTYPE_INTEGER,
						['F' - 'A'] = VTYPE_FLOAT,
						['J' - 'A'] = VTYPE_LONG,
						['D' - 'A'] = VTYPE_DOUBLE,
						['N' - 'A'] = VTYPE_NULL };

		if (*put < 'a') {
			fits = push_tag(state, code, tags[*put - 'A']);
			continue;
		}
		fits = state->depth < code->max_stack;
		if (fits)
			state->stack[state->depth++] = taken[*put - 'a'];
	}
	return fits;
}

/* Those whose operand is a constant or a type, after what they take is taken. */
static bool step_typed(struct vstate *state, const struct code *code, uint32_t at,
		       struct arena *arena)
{
	const uint8_t *bytes = code->bytes + at;
	struct vtype type = { .tag = VTYPE_UNFINISHED, .value = (uint16_t)at };

	switch (code_kind(code, at)) {
	case OPCODE_CONSTANT:
		return push_constant(state, code, bytes[0] == OPCODE_LDC
							  ? bytes[1]
							  : big_u2(bytes + 1));
	case OPCODE_ELEMENT:
		return push_element(state, code);
	case OPCODE_NEWS:
		return vstate_push(state, code, type);
	case OPCODE_NEW_PRIMITIVES:
		return push_primitives(state, code, bytes[1]);
	case OPCODE_NEW_ARRAY:
		return push_array(state, code, big_u2(bytes + 1), arena);
	case OPCODE_NEW_ARRAYS:
		return take(state, bytes[3]) &&
		       push_class(state, code, big_u2(bytes + 1));
	case OPCODE_CASTS:
		return push_class(state, code, big_u2(bytes + 1));
	default:
		return push_all(state, code, &opcode_rows[bytes[0]]);
	}
}

bool vstate_step(struct vstate *state, const struct code *code, uint32_t at,
		 struct arena *arena)
{
	uint8_t opcode = code_opcode(code, at);

	switch (opcode_rows[opcode].kind) {
	case OPCODE_LOADS:
		return load(state, code, at);
	case OPCODE_STORES:
		return store(state, code, at);
	case OPCODE_GETS:
	case OPCODE_PUTS:
		return access_field(state, code, at);
	case OPCODE_INVOKES:
		return invoke(state, code, at);
	}
	return take(state, opcode_rows[opcode].takes) &&
	       step_typed(state, code, at, arena);
}
