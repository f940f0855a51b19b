#include "insn.h"

/* How long an instruction is, from the one behind the row before up to `last`. */
static const struct {
	uint8_t last;
	uint8_t size; /* 0: it says so itself */
} sizes[] = {
	{ 0x0f, 1 }, { 0x10, 2 }, { 0x11, 3 }, { 0x12, 2 }, { 0x14, 3 }, { 0x19, 2 },
	{ 0x35, 1 }, { 0x3a, 2 }, { 0x83, 1 }, { 0x84, 3 }, { 0x98, 1 }, { 0xa8, 3 },
	{ 0xa9, 2 }, { 0xab, 0 }, { 0xb1, 1 }, { 0xb8, 3 }, { 0xba, 5 }, { 0xbb, 3 },
	{ 0xbc, 2 }, { 0xbd, 3 }, { 0xbf, 1 }, { 0xc1, 3 }, { 0xc3, 1 }, { 0xc4, 0 },
	{ 0xc5, 4 }, { 0xc7, 3 }, { 0xc9, 5 },
};

#define IINC 0x84

static uint32_t words_at(uint32_t at)
{
	return (at & ~UINT32_C(3)) + 4;
}

/* The size of a switch; more than there can be if it makes no sense. */
static uint64_t switch_size(const uint8_t *code, uint32_t size, uint32_t at)
{
	uint32_t words = words_at(at);
	int64_t low, high;

	if (words > size || size - words < 12)
		return UINT64_MAX;
	low = (int32_t)insn_u4(code + words + 4);
	high = (int32_t)insn_u4(code + words + 8);
	if (code[at] == OP_LOOKUPSWITCH)
		return low < 0 ? UINT64_MAX : words - at + 8 + 8 * (uint64_t)low;
	return low > high ? UINT64_MAX
			  : words - at + 12 + 4 * (uint64_t)(high - low + 1);
}

/* A lookupswitch without cases has only two words. */
static bool is_bare_lookup(const uint8_t *code, uint32_t size, uint32_t at)
{
	uint32_t words = words_at(at);

	return code[at] == OP_LOOKUPSWITCH && words <= size && size - words >= 8 &&
	       insn_u4(code + words + 4) == 0;
}

static uint64_t size_of(const uint8_t *code, uint32_t size, uint32_t at)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (code[at] > sizes[i].last)
			continue;
		if (sizes[i].size)
			return sizes[i].size;
		if (code[at] == OP_WIDE)
			return size - at >= 2 && code[at + 1] == IINC ? 6 : 4;
		if (is_bare_lookup(code, size, at))
			return words_at(at) - at + 8;
		return switch_size(code, size, at);
	}
	return UINT64_MAX;
}

bool insn_read(struct insn *insn, const uint8_t *code, uint32_t size, uint32_t at)
{
	uint64_t long_it_is;

	if (at >= size)
		return false;
	long_it_is = size_of(code, size, at);
	if (long_it_is > size - at)
		return false;
	*insn = (struct insn){ .at = at, .size = (uint32_t)long_it_is, .op = code[at] };
	if (insn->op == OP_WIDE) {
		insn->is_wide = true;
		insn->op = code[at + 1];
	}
	return true;
}

bool insn_is_condition(uint8_t op)
{
	return (op >= OP_IFEQ && op <= OP_IF_ACMPNE) || op == OP_IFNULL ||
	       op == OP_IFNONNULL;
}

bool insn_is_jump(uint8_t op)
{
	return insn_is_condition(op) || op == OP_GOTO || op == OP_GOTO_W;
}

/* They are in pairs: the first of ifs is odd, that of ifnull even. */
uint8_t insn_opposite(uint8_t op)
{
	if (op == OP_IFNULL || op == OP_IFNONNULL)
		return op ^ 1;
	return (uint8_t)(((op + 1) ^ 1) - 1);
}

int64_t insn_target(const struct insn *insn, const uint8_t *code)
{
	const uint8_t *operand = code + insn->at + 1;

	if (insn->op == OP_GOTO_W)
		return (int64_t)insn->at + (int32_t)insn_u4(operand);
	return (int64_t)insn->at + (int16_t)insn_u2(operand);
}

uint32_t insn_words(const struct insn *insn, uint32_t *count)
{
	uint32_t words = words_at(insn->at);

	*count = (insn->at + insn->size - words) / 4;
	return words;
}

/* default low high jump...; default pairs {key jump}... */
bool insn_word_is_jump(const struct insn *insn, uint32_t word)
{
	if (word == 0)
		return true;
	return insn->op == OP_TABLESWITCH ? word >= 3 : word >= 3 && word % 2 == 1;
}
