/*
 * sequence.h - the few instructions that are put into a method.
 */
#ifndef CLASSFILE_SEQUENCE_H
#define CLASSFILE_SEQUENCE_H

#include <stdint.h>

#include "base/str.h"
#include "classfile/constpool.h"
#include "classfile/rewrite.h"

struct sequence {
	char bytes[16];			/* more than the longest one needs */
	uint8_t size;
};

/* Calls enter, and keeps what that gives in the local variable `start`. */
void sequence_enter(struct sequence *sequence, struct constpool *constants,
		    const struct rewrite_probe *probe, uint32_t start);

/* Calls exit with what is kept there, and the method's number. */
void sequence_exit(struct sequence *sequence, struct constpool *constants,
		   const struct rewrite_probe *probe, uint32_t start, int32_t id);

static inline struct str sequence_str(const struct sequence *sequence)
{
	return (struct str){ sequence->bytes, sequence->size };
}

#endif
