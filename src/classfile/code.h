/*
 * code.h - the content of a Code attribute, taken apart: instructions, targets, tables.
 *
 * All that is told lies within the bytes; jumps and handlers lead to instructions of
 * the method, its last one to none behind, and they name local variables that it has.
 * Other places in tables are checked where they are read.
 */
#ifndef CLASSFILE_CODE_H
#define CLASSFILE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "classfile/classfile.h"
#include "classfile/opcode.h"
#include "classfile/reader.h"

/* Of the exception table (JVMS 4.7.3). */
struct code_entry {
	uint16_t from, to, handler, type;
};

struct code {
	const struct classfile *file;
	const uint8_t *bytes;		/* the instructions */
	uint32_t size;			/* of them: 1 to 65535 */
	uint16_t max_stack, max_locals;
	uint16_t entry_count;		/* of the exception table */
	const uint8_t *entries;
	struct classfile_part attributes; /* behind their count, to the end */
	uint16_t attribute_count;
	uint32_t count;			/* instructions */
	uint16_t *at;			/* where each begins; and the end */
	bool *begins;			/* for each byte: that an instruction does there */
	uint32_t returns;		/* how many of them return */
	bool has_jumps;			/* of any kind, switches included */
	bool has_short_jumps;
	bool has_subroutines;		/* jsr or ret: nothing behind was looked at */
};

enum code_result {
	CODE_FINE,
	CODE_DAMAGED,
	CODE_NO_MEMORY,
};

enum code_result code_read(struct code *code, const struct classfile *file,
			   struct classfile_part part, struct arena *arena);

/* The i-th entry of the exception table. */
struct code_entry code_entry(const struct code *code, uint16_t i);

/* What kind of instruction is there; that of what is made wide is OPCODE_WIDENS. */
static inline enum opcode_kind code_kind(const struct code *code, uint32_t at)
{
	return (enum opcode_kind)opcode_rows[code->bytes[at]].kind;
}

static inline bool code_begins(const struct code *code, uint32_t at)
{
	return at < code->size && code->begins[at];
}

/* What the instruction does, also where a `wide` is before it: its row is of that. */
static inline uint8_t code_opcode(const struct code *code, uint32_t at)
{
	const uint8_t *bytes = code->bytes + at;

	return bytes[0] == OPCODE_WIDE ? bytes[1] : bytes[0];
}

/* The local variables that it reads or writes: from first on; count 0: none. */
struct code_variables {
	uint32_t first, count;
};
struct code_variables code_variables(const struct code *code, uint32_t at);

/* Where a jump (not a switch) leads to. */
uint32_t code_target(const struct code *code, uint32_t at);

/* Where the words of a switch begin: default, and so on. */
static inline uint32_t code_switch_words(uint32_t at)
{
	return (at + 4) & ~3u;
}

/*
 * The targets of a switch, the first of which is the default one, as offsets from the
 * instruction: how many, and bytes from one to the next but the first; words that are
 * no targets lie in between.
 */
struct code_switch {
	uint32_t words;			/* where they begin */
	uint32_t count;			/* words */
	uint32_t first, step;		/* words: of the second target; to the next one */
};
struct code_switch code_switch(const struct code *code, uint32_t at);

#endif
