/*
 * insn.h - instructions of the JVM, for strip: how long they are, where they jump to.
 *
 * Knows nothing of src/classfile, so that a mistake there is not made here too.
 * Whatever the bytes, nothing outside them is read.
 */
#ifndef UNIT_INSN_H
#define UNIT_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	OP_LDC = 0x12,
	OP_LLOAD = 0x16,
	OP_LLOAD_0 = 0x1e,
	OP_LSTORE = 0x37,
	OP_LSTORE_0 = 0x3f,
	OP_IFEQ = 0x99,
	OP_IF_ACMPNE = 0xa6,
	OP_GOTO = 0xa7,
	OP_JSR = 0xa8,
	OP_RET = 0xa9,
	OP_TABLESWITCH = 0xaa,
	OP_LOOKUPSWITCH = 0xab,
	OP_IRETURN = 0xac,
	OP_RETURN = 0xb1,
	OP_INVOKESPECIAL = 0xb7,
	OP_INVOKESTATIC = 0xb8,
	OP_ATHROW = 0xbf,
	OP_WIDE = 0xc4,
	OP_IFNULL = 0xc6,
	OP_IFNONNULL = 0xc7,
	OP_GOTO_W = 0xc8,
	OP_JSR_W = 0xc9,
};

struct insn {
	uint32_t at, size;
	uint8_t op; /* for one with OP_WIDE: what is behind that */
	bool is_wide;
};

static inline uint16_t insn_u2(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t insn_u4(const uint8_t *at)
{
	return (uint32_t)insn_u2(at) << 16 | insn_u2(at + 2);
}

/* The instruction there; false: there is none, or it is longer than the code. */
bool insn_read(struct insn *insn, const uint8_t *code, uint32_t size, uint32_t at);

static inline bool insn_is_return(uint8_t op)
{
	return op >= OP_IRETURN && op <= OP_RETURN;
}

/* Jumps but for switches; those with a condition; jsr and ret. */
bool insn_is_jump(uint8_t op);
bool insn_is_condition(uint8_t op);
static inline bool insn_is_switch(uint8_t op)
{
	return op == OP_TABLESWITCH || op == OP_LOOKUPSWITCH;
}
static inline bool insn_is_subroutine(uint8_t op)
{
	return op == OP_JSR || op == OP_RET || op == OP_JSR_W;
}

/* The condition that holds when that one does not. */
uint8_t insn_opposite(uint8_t op);

/* Where a jump leads to; it may be nowhere. */
int64_t insn_target(const struct insn *insn, const uint8_t *code);

/*
 * A switch: where its words of four bytes begin, and how many there are. Word 0 is that
 * of the default; which others are jumps, too, insn_word_is_jump says.
 */
uint32_t insn_words(const struct insn *insn, uint32_t *count);
bool insn_word_is_jump(const struct insn *insn, uint32_t word);

#endif
