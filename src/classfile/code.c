#include "classfile/code.h"

/* From this version on it does not matter what a switch is padded with. */
enum { MAJOR_ANY_PADDING = 51 };

/* Bytes of a switch; 0: it is not whole. */
static uint32_t switch_size(const uint8_t *bytes, uint32_t at, uint32_t end)
{
	bool is_table = bytes[at] == OPCODE_TABLESWITCH;
	uint32_t words = code_switch_words(at), count = is_table ? 3 : 2;
	const uint8_t *word = bytes + words;
	int64_t low = 0, high;

	if (words + 4 * count > end)
		return 0;
	if (is_table)
		low = (int32_t)big_u4(word + 4);
	high = (int32_t)big_u4(word + 4 * (count - 1));
	if (is_table)
		high++;
	if (high < low || high - low > end)
		return 0;
	return words + 4 * (count + (uint32_t)(high - low) * (is_table ? 1 : 2)) - at;
}

/* 0: it is none, or not whole. */
static uint32_t size_of(const uint8_t *bytes, uint32_t at, uint32_t end)
{
	const struct opcode_row *row = &opcode_rows[bytes[at]];
	uint32_t size = row->size;

	if (row->kind == OPCODE_SWITCHES) {
		size = switch_size(bytes, at, end);
	} else if (row->kind == OPCODE_WIDENS && at + 1 < end) {
		enum opcode_kind kind = opcode_rows[bytes[at + 1]].kind;

		if (bytes[at + 1] == OPCODE_IINC)
			size = 6;
		else if ((kind == OPCODE_LOADS || kind == OPCODE_STORES ||
			  kind == OPCODE_SUBROUTINE) &&
			 opcode_rows[bytes[at + 1]].size == 2)
			size = 4;
	}
	return size <= end - at ? size : 0;
}

static bool is_subroutine(const uint8_t *bytes, uint32_t at)
{
	if (opcode_rows[bytes[at]].kind == OPCODE_WIDENS)
		at++;
	return opcode_rows[bytes[at]].kind == OPCODE_SUBROUTINE;
}

/* What is put before the words of a switch, to align them, was nothing but 0 once. */
static bool is_padded(const struct code *code, uint32_t at)
{
	bool is_zero = true;

	for (uint32_t i = at + 1; i < code_switch_words(at); i++)
		is_zero &= code->bytes[i] == 0;
	return is_zero || code->file->major >= MAJOR_ANY_PADDING;
}

static bool scan(struct code *code)
{
	for (uint32_t at = 0; at < code->size;) {
		uint32_t size = size_of(code->bytes, at, code->size);
		enum opcode_kind kind = code_kind(code, at);

		if (!size)
			return false;
		if (is_subroutine(code->bytes, at)) {
			code->has_subroutines = true;
			return true;
		}
		code->at[code->count++] = (uint16_t)at;
		code->begins[at] = true;
		code->returns += kind == OPCODE_RETURNS;
		code->has_jumps |= opcode_is_jump(kind);
		code->has_short_jumps |= opcode_is_short(kind);
		at += size;
	}
	code->at[code->count] = (uint16_t)code->size;
	return true;
}

static bool check_switch(const struct code *code, uint32_t at)
{
	struct code_switch of = code_switch(code, at);
	const uint8_t *words = code->bytes + of.words;

	if (!is_padded(code, at) || !code_begins(code, at + big_u4(words)))
		return false;
	for (uint32_t i = of.first; i < of.count; i += of.step)
		if (!code_begins(code, at + big_u4(words + 4 * i)))
			return false;
	return true;
}

static bool check_instructions(const struct code *code)
{
	for (uint32_t i = 0; i < code->count; i++) {
		uint32_t at = code->at[i];
		enum opcode_kind kind = code_kind(code, at);
		struct code_variables variables = code_variables(code, at);

		if (variables.first + variables.count > code->max_locals)
			return false;
		if (kind == OPCODE_SWITCHES && !check_switch(code, at))
			return false;
		if ((opcode_is_short(kind) || kind == OPCODE_JUMPS_WIDE) &&
		    !code_begins(code, code_target(code, at)))
			return false;
	}
	return opcode_ends(code_kind(code, code->at[code->count - 1]));
}

/* Nor can a handler be where the method is entered, with nothing on the stack. */
static bool check_entries(const struct code *code)
{
	for (uint16_t i = 0; i < code->entry_count; i++) {
		struct code_entry entry = code_entry(code, i);

		if (!code_begins(code, entry.from) || entry.to <= entry.from ||
		    !(code_begins(code, entry.to) || entry.to == code->size) ||
		    !entry.handler || !code_begins(code, entry.handler))
			return false;
	}
	return true;
}

static bool read_parts(struct code *code, struct reader *reader)
{
	code->max_stack = reader_u2(reader);
	code->max_locals = reader_u2(reader);
	code->size = reader_u4(reader);
	if (!code->size || code->size > UINT16_MAX)
		return false;
	code->bytes = reader_take(reader, code->size);
	code->entry_count = reader_u2(reader);
	code->entries = reader_take(reader, code->entry_count * 8u);
	code->attribute_count = reader_u2(reader);
	code->attributes.at = reader->at;
	code->attributes.size = reader->end - reader->at;
	for (uint32_t left = code->attribute_count; left && !reader->failed; left--) {
		reader_take(reader, 2);
		reader_take(reader, reader_u4(reader));
	}
	return !reader->failed && reader->at == reader->end;
}

enum code_result code_read(struct code *code, const struct classfile *file,
			   struct classfile_part part, struct arena *arena)
{
	struct reader reader = { file->bytes, part.at, part.at + part.size, false };

	*code = (struct code){ .file = file };
	if (!read_parts(code, &reader))
		return CODE_DAMAGED;
	code->at = arena_array(arena, code->size + 1, sizeof(*code->at));
	code->begins = arena_alloc(arena, code->size + 1);
	if (!code->at || !code->begins)
		return CODE_NO_MEMORY;
	if (!scan(code))
		return CODE_DAMAGED;
	if (code->has_subroutines)
		return CODE_FINE;
	if (!check_instructions(code) || !check_entries(code))
		return CODE_DAMAGED;
	return CODE_FINE;
}

struct code_entry code_entry(const struct code *code, uint16_t i)
{
	const uint8_t *at = code->entries + 8u * i;

	return (struct code_entry){ big_u2(at), big_u2(at + 2), big_u2(at + 4),
				    big_u2(at + 6) };
}

struct code_variables code_variables(const struct code *code, uint32_t at)
{
	static const uint8_t shorts[] = { [OPCODE_LOADS] = 26, [OPCODE_STORES] = 59 };
	const uint8_t *bytes = code->bytes + at;
	uint8_t opcode = code_opcode(code, at);
	const struct opcode_row *row = &opcode_rows[opcode];
	struct code_variables variables = { 0, 1 };

	if (row->kind == OPCODE_STORES)
		variables.count = row->takes;
	else if (row->kind == OPCODE_LOADS)
		variables.count = row->puts[0] == 'J' || row->puts[0] == 'D' ? 2 : 1;
	else if (opcode != OPCODE_IINC)
		return (struct code_variables){ 0 };
	if (bytes[0] == OPCODE_WIDE)
		variables.first = big_u2(bytes + 2);
	else if (row->size == 1)	/* one of four forms, the first of which is there */
		variables.first = (opcode - shorts[row->kind]) % 4u;
	else
		variables.first = bytes[1];
	return variables;
}

uint32_t code_target(const struct code *code, uint32_t at)
{
	const uint8_t *operand = code->bytes + at + 1;

	if (code_kind(code, at) == OPCODE_JUMPS_WIDE)
		return at + big_u4(operand);
	return at + (uint32_t)(int16_t)big_u2(operand);
}

struct code_switch code_switch(const struct code *code, uint32_t at)
{
	uint32_t words = code_switch_words(at);
	const uint8_t *word = code->bytes + words;

	if (code->bytes[at] == OPCODE_TABLESWITCH) {
		uint32_t count = big_u4(word + 8) - big_u4(word + 4) + 1;

		return (struct code_switch){ words, 3 + count, 3, 1 };
	}
	return (struct code_switch){ words, 2 + 2 * big_u4(word + 4), 3, 2 };
}
