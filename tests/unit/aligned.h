/*
 * aligned.h - a method's code beside what was made of it, instruction by instruction.
 * A part of strip.
 */
#ifndef UNIT_ALIGNED_H
#define UNIT_ALIGNED_H

#include "classfile/classfile.h"
#include "classfile/rewrite.h"
#include "insn.h"
#include "strip.h"

/* The content of a Code attribute, taken apart. */
struct aligned_code {
	const struct classfile *file;
	uint16_t stack, locals;
	const uint8_t *bytes; /* instructions */
	uint32_t size;
	uint16_t exception_count;
	const uint8_t *exceptions;	 /* 8 bytes each */
	const uint8_t *attributes, *end; /* where their count is */
};

/* Where an instruction is in the new code. */
struct place {
	uint32_t from; /* what is ours before it */
	uint32_t land; /* where jumps to it lead to */
	uint32_t at;   /* itself */
};

struct aligned {
	struct aligned_code before, after;
	const struct rewrite_method *method;
	bool is_constructor;
	struct insn *insns;   /* of `before` */
	struct place *places; /* of these; one more: where handlers begin */
	size_t count;
	uint32_t *index;    /* by byte of `before`: which instruction that is */
	uint32_t *handlers; /* where ours are */
	size_t handler_count;
};

/* Takes the content of a Code attribute apart; false if it is not whole. */
bool aligned_code_read(struct aligned_code *code, const struct classfile *file,
	       struct classfile_part part);

/*
 * Goes through both, with `before`, `after`, `method` and is_constructor set, and fills
 * in all else. What is ours is seen to be as it should be, and all instructions and
 * jumps to be those that they were.
 */
bool aligned_read(struct aligned *aligned, struct strip_counts *counts,
		  struct arena *arena, struct err *err);

/* True if an instruction begins there, or it is the end of the code that was. */
bool aligned_begins(const struct aligned *aligned, uint32_t before);

/* True if a table may have `after` for what was `before`: both places in the code. */
bool aligned_maps(const struct aligned *aligned, uint32_t before, uint32_t after);

/*
 * The exception table: what was there, and then ours, over what they must be over. In a
 * constructor, what is never executed may be without a handler.
 */
bool aligned_handlers(const struct aligned *aligned, struct arena *arena,
		      struct err *err);

#endif
