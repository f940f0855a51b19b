#include "classfile/opcode.h"

#define PLAIN(size, takes, puts) { OPCODE_PLAIN, size, takes, puts }
#define LOAD(size, puts) { OPCODE_LOADS, size, 0, puts }
#define STORE(size, takes) { OPCODE_STORES, size, takes, "" }
#define BRANCH(takes) { OPCODE_BRANCHES, 3, takes, "" }
#define RETURN(takes) { OPCODE_RETURNS, 1, takes, "" }

/* The four forms of a load and a store that have the number of the variable in them. */
#define LOADS(puts) LOAD(1, puts), LOAD(1, puts), LOAD(1, puts), LOAD(1, puts)
#define STORES(takes) STORE(1, takes), STORE(1, takes), STORE(1, takes), STORE(1, takes)

/* The same for int, long, float and double. */
#define ARITHMETIC                                                               \
	PLAIN(1, 2, "I"), PLAIN(1, 4, "J"), PLAIN(1, 2, "F"), PLAIN(1, 4, "D")

const struct opcode_row opcode_rows[256] = {
	/* 0: nop, aconst_null, iconst_m1 to 5, lconst, fconst, dconst */
	PLAIN(1, 0, ""), PLAIN(1, 0, "N"),
	PLAIN(1, 0, "I"), PLAIN(1, 0, "I"), PLAIN(1, 0, "I"), PLAIN(1, 0, "I"),
	PLAIN(1, 0, "I"), PLAIN(1, 0, "I"), PLAIN(1, 0, "I"),
	PLAIN(1, 0, "J"), PLAIN(1, 0, "J"),
	PLAIN(1, 0, "F"), PLAIN(1, 0, "F"), PLAIN(1, 0, "F"),
	PLAIN(1, 0, "D"), PLAIN(1, 0, "D"),
	/* 16: bipush, sipush, ldc, ldc_w, ldc2_w */
	PLAIN(2, 0, "I"), PLAIN(3, 0, "I"),
	{ OPCODE_CONSTANT, 2, 0, "" }, { OPCODE_CONSTANT, 3, 0, "" },
	{ OPCODE_CONSTANT, 3, 0, "" },
	/* 21: iload, lload, fload, dload, aload */
	LOAD(2, "I"), LOAD(2, "J"), LOAD(2, "F"), LOAD(2, "D"), LOAD(2, "A"),
	LOADS("I"), LOADS("J"), LOADS("F"), LOADS("D"), LOADS("A"),
	/* 46: iaload, laload, faload, daload, aaload, baload, caload, saload */
	PLAIN(1, 2, "I"), PLAIN(1, 2, "J"), PLAIN(1, 2, "F"), PLAIN(1, 2, "D"),
	{ OPCODE_ELEMENT, 1, 2, "" },
	PLAIN(1, 2, "I"), PLAIN(1, 2, "I"), PLAIN(1, 2, "I"),
	/* 54: istore, lstore, fstore, dstore, astore */
	STORE(2, 1), STORE(2, 2), STORE(2, 1), STORE(2, 2), STORE(2, 1),
	STORES(1), STORES(2), STORES(1), STORES(2), STORES(1),
	/* 79: iastore, lastore, fastore, dastore, aastore, bastore, castore, sastore */
	PLAIN(1, 3, ""), PLAIN(1, 4, ""), PLAIN(1, 3, ""), PLAIN(1, 4, ""),
	PLAIN(1, 3, ""), PLAIN(1, 3, ""), PLAIN(1, 3, ""), PLAIN(1, 3, ""),
	/* 87: pop, pop2, dup, dup_x1, dup_x2, dup2, dup2_x1, dup2_x2, swap */
	PLAIN(1, 1, ""), PLAIN(1, 2, ""), PLAIN(1, 1, "aa"), PLAIN(1, 2, "bab"),
	PLAIN(1, 3, "cabc"), PLAIN(1, 2, "abab"), PLAIN(1, 3, "bcabc"),
	PLAIN(1, 4, "cdabcd"), PLAIN(1, 2, "ba"),
	/* 96: add, sub, mul, div, rem */
	ARITHMETIC, ARITHMETIC, ARITHMETIC, ARITHMETIC, ARITHMETIC,
	/* 116: neg */
	PLAIN(1, 1, "I"), PLAIN(1, 2, "J"), PLAIN(1, 1, "F"), PLAIN(1, 2, "D"),
	/* 120: ishl, lshl, ishr, lshr, iushr, lushr */
	PLAIN(1, 2, "I"), PLAIN(1, 3, "J"), PLAIN(1, 2, "I"), PLAIN(1, 3, "J"),
	PLAIN(1, 2, "I"), PLAIN(1, 3, "J"),
	/* 126: iand, land, ior, lor, ixor, lxor */
	PLAIN(1, 2, "I"), PLAIN(1, 4, "J"), PLAIN(1, 2, "I"), PLAIN(1, 4, "J"),
	PLAIN(1, 2, "I"), PLAIN(1, 4, "J"),
	/* 132: iinc */
	PLAIN(3, 0, ""),
	/* 133: i2l, i2f, i2d, l2i, l2f, l2d, f2i, f2l, f2d, d2i, d2l, d2f, i2b, i2c, i2s */
	PLAIN(1, 1, "J"), PLAIN(1, 1, "F"), PLAIN(1, 1, "D"),
	PLAIN(1, 2, "I"), PLAIN(1, 2, "F"), PLAIN(1, 2, "D"),
	PLAIN(1, 1, "I"), PLAIN(1, 1, "J"), PLAIN(1, 1, "D"),
	PLAIN(1, 2, "I"), PLAIN(1, 2, "J"), PLAIN(1, 2, "F"),
	PLAIN(1, 1, "I"), PLAIN(1, 1, "I"), PLAIN(1, 1, "I"),
	/* 148: lcmp, fcmpl, fcmpg, dcmpl, dcmpg */
	PLAIN(1, 4, "I"), PLAIN(1, 2, "I"), PLAIN(1, 2, "I"), PLAIN(1, 4, "I"),
	PLAIN(1, 4, "I"),
	/* 153: ifeq, ifne, iflt, ifge, ifgt, ifle; if_icmpeq, ne, lt, ge, gt, le; if_acmp */
	BRANCH(1), BRANCH(1), BRANCH(1), BRANCH(1), BRANCH(1), BRANCH(1),
	BRANCH(2), BRANCH(2), BRANCH(2), BRANCH(2), BRANCH(2), BRANCH(2),
	BRANCH(2), BRANCH(2),
	/* 167: goto, jsr, ret, tableswitch, lookupswitch */
	{ OPCODE_JUMPS, 3, 0, "" }, { OPCODE_SUBROUTINE, 3, 0, "" },
	{ OPCODE_SUBROUTINE, 2, 0, "" },
	{ OPCODE_SWITCHES, 0, 1, "" }, { OPCODE_SWITCHES, 0, 1, "" },
	/* 172: ireturn, lreturn, freturn, dreturn, areturn, return */
	RETURN(1), RETURN(2), RETURN(1), RETURN(2), RETURN(1), RETURN(0),
	/* 178: getstatic, putstatic, getfield, putfield */
	{ OPCODE_GETS, 3, 0, "" }, { OPCODE_PUTS, 3, 0, "" },
	{ OPCODE_GETS, 3, 1, "" }, { OPCODE_PUTS, 3, 1, "" },
	/* 182: invokevirtual, special, static, interface, dynamic */
	{ OPCODE_INVOKES, 3, 1, "" }, { OPCODE_INVOKES, 3, 1, "" },
	{ OPCODE_INVOKES, 3, 0, "" }, { OPCODE_INVOKES, 5, 1, "" },
	{ OPCODE_INVOKES, 5, 0, "" },
	/* 187: new, newarray, anewarray, arraylength, athrow, checkcast, instanceof */
	{ OPCODE_NEWS, 3, 0, "" }, { OPCODE_NEW_PRIMITIVES, 2, 1, "" },
	{ OPCODE_NEW_ARRAY, 3, 1, "" }, PLAIN(1, 1, "I"), { OPCODE_THROWS, 1, 1, "" },
	{ OPCODE_CASTS, 3, 1, "" }, PLAIN(3, 1, "I"),
	/* 194: monitorenter, monitorexit, wide, multianewarray */
	PLAIN(1, 1, ""), PLAIN(1, 1, ""), { OPCODE_WIDENS, 0, 0, "" },
	{ OPCODE_NEW_ARRAYS, 4, 0, "" },
	/* 198: ifnull, ifnonnull, goto_w, jsr_w */
	BRANCH(1), BRANCH(1), { OPCODE_JUMPS_WIDE, 5, 0, "" },
	{ OPCODE_SUBROUTINE, 5, 0, "" },
};

uint8_t opcode_opposite(uint8_t opcode)
{
	/* Pairs begin at odd numbers, but for ifnull and ifnonnull. */
	if (opcode >= OPCODE_IFNULL)
		return opcode ^ 1;
	return (uint8_t)(((opcode + 1) ^ 1) - 1);
}
