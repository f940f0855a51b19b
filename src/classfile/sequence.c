#include "classfile/sequence.h"

#include "classfile/opcode.h"

static void add_u1(struct sequence *sequence, uint32_t byte)
{
	sequence->bytes[sequence->size++] = (char)byte;
}

static void add_u2(struct sequence *sequence, uint32_t number)
{
	add_u1(sequence, number >> 8);
	add_u1(sequence, number);
}

/* lload or lstore, whose first short form is `shorter`. */
static void add_variable(struct sequence *sequence, enum opcode opcode,
			 enum opcode shorter, uint32_t variable)
{
	if (variable < 4) {
		add_u1(sequence, shorter + variable);
	} else if (variable < 256) {
		add_u1(sequence, opcode);
		add_u1(sequence, variable);
	} else {
		add_u1(sequence, OPCODE_WIDE);
		add_u1(sequence, opcode);
		add_u2(sequence, variable);
	}
}

static void add_number(struct sequence *sequence, struct constpool *pool,
		       int32_t number)
{
	uint16_t index;

	if (number >= -1 && number <= 5) {
		add_u1(sequence, (uint32_t)(OPCODE_ICONST_0 + number));
	} else if (number >= INT8_MIN && number <= INT8_MAX) {
		add_u1(sequence, OPCODE_BIPUSH);
		add_u1(sequence, (uint32_t)number);
	} else if (number >= INT16_MIN && number <= INT16_MAX) {
		add_u1(sequence, OPCODE_SIPUSH);
		add_u2(sequence, (uint32_t)number);
	} else {
		index = constpool_integer(pool, number);
		add_u1(sequence, index < 256 ? OPCODE_LDC : OPCODE_LDC_W);
		if (index < 256)
			add_u1(sequence, index);
		else
			add_u2(sequence, index);
	}
}

static void add_call(struct sequence *sequence, struct constpool *pool,
		     const char *owner, const char *name, const char *descriptor)
{
	add_u1(sequence, OPCODE_INVOKESTATIC);
	add_u2(sequence, constpool_method(pool, str_of(owner), str_of(name),
					  str_of(descriptor)));
}

void sequence_enter(struct sequence *sequence, struct constpool *pool,
		    const char *owner, const char *method, uint32_t start)
{
	sequence->size = 0;
	add_call(sequence, pool, owner, method, "()J");
	add_variable(sequence, OPCODE_LSTORE, OPCODE_LSTORE_0, start);
}

void sequence_exit(struct sequence *sequence, struct constpool *pool, const char *owner,
		   const char *method, uint32_t start, int32_t number)
{
	sequence->size = 0;
	add_variable(sequence, OPCODE_LLOAD, OPCODE_LLOAD_0, start);
	add_number(sequence, pool, number);
	add_call(sequence, pool, owner, method, "(JI)V");
}
