/*
 * opcode.h - the instructions of the JVM (JVMS 6.5): how long, and what they do.
 *
 * A table. What an instruction does to the stack is a count of slots that it takes, and a
 * text of what it puts there: I, F of one slot, J, D of two, N null; a, b, c, d: the first
 * (deepest), second ... slot of what was taken. Where that depends on operands, `kind`
 * says how.
 */
#ifndef CLASSFILE_OPCODE_H
#define CLASSFILE_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

enum opcode {
	OPCODE_ICONST_0 = 3,
	OPCODE_BIPUSH = 16,
	OPCODE_SIPUSH,
	OPCODE_LDC,
	OPCODE_LDC_W,
	OPCODE_LLOAD = 22,
	OPCODE_LLOAD_0 = 30,
	OPCODE_LSTORE = 55,
	OPCODE_LSTORE_0 = 63,
	OPCODE_IINC = 132,
	OPCODE_IFEQ = 153,
	OPCODE_GOTO = 167,
	OPCODE_TABLESWITCH = 170,
	OPCODE_LOOKUPSWITCH,
	OPCODE_IRETURN,
	OPCODE_RETURN = 177,
	OPCODE_INVOKESPECIAL = 183,
	OPCODE_INVOKESTATIC,
	OPCODE_INVOKEDYNAMIC = 186,
	OPCODE_ATHROW = 191,
	OPCODE_WIDE = 196,
	OPCODE_IFNULL = 198,
	OPCODE_IFNONNULL,
	OPCODE_GOTO_W,
};

enum opcode_kind {
	OPCODE_UNKNOWN,
	OPCODE_PLAIN,
	OPCODE_LOADS,		/* puts a local variable, of the type in `puts` (A) */
	OPCODE_STORES,		/* into a local variable what it takes */
	OPCODE_CONSTANT,	/* ldc, ldc_w, ldc2_w */
	OPCODE_ELEMENT,		/* aaload */
	OPCODE_GETS,		/* a field: after what it takes, that */
	OPCODE_PUTS,		/* takes that of a field, and `takes` more */
	OPCODE_INVOKES,		/* takes arguments, and `takes` more */
	OPCODE_NEWS,		/* new */
	OPCODE_NEW_PRIMITIVES,	/* newarray */
	OPCODE_NEW_ARRAY,	/* anewarray */
	OPCODE_NEW_ARRAYS,	/* multianewarray */
	OPCODE_CASTS,		/* checkcast */
	OPCODE_BRANCHES,	/* if...: goes on, or jumps */
	OPCODE_JUMPS,		/* goto */
	OPCODE_JUMPS_WIDE,	/* goto_w */
	OPCODE_SWITCHES,
	OPCODE_RETURNS,
	OPCODE_THROWS,
	OPCODE_SUBROUTINE,	/* jsr, jsr_w, ret */
	OPCODE_WIDENS,		/* wide */
};

struct opcode_row {
	uint8_t kind;		/* enum opcode_kind */
	uint8_t size;		/* bytes; 0: depends on operands */
	uint8_t takes;		/* slots */
	char puts[7];
};

extern const struct opcode_row opcode_rows[256];

/* True if what comes behind is not reached from it. */
static inline bool opcode_ends(enum opcode_kind kind)
{
	return kind >= OPCODE_JUMPS && kind <= OPCODE_THROWS;
}

/* True if it may lead to elsewhere in the method. */
static inline bool opcode_is_jump(enum opcode_kind kind)
{
	return kind >= OPCODE_BRANCHES && kind <= OPCODE_SWITCHES;
}

/* True if it has a jump of 16 bits. */
static inline bool opcode_is_short(enum opcode_kind kind)
{
	return kind == OPCODE_BRANCHES || kind == OPCODE_JUMPS;
}

/* Of an if: the one that jumps when that does not. */
uint8_t opcode_opposite(uint8_t opcode);

#endif
