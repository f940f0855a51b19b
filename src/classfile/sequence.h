/*
 * sequence.h - the few instructions that are put into a method.
 */
#ifndef CLASSFILE_SEQUENCE_H
#define CLASSFILE_SEQUENCE_H

#include <stdint.h>

#include "base/str.h"
#include "classfile/constpool.h"

struct sequence {
	char bytes[16];			/* more than the longest one needs */
	uint8_t size;
};

/* Calls a static method of no arguments, and keeps the long that it gives in `start`. */
void sequence_enter(struct sequence *sequence, struct constpool *pool,
		    const char *owner, const char *method, uint32_t start);

/* Calls one with what is kept there, and a number. */
void sequence_exit(struct sequence *sequence, struct constpool *pool, const char *owner,
		   const char *method, uint32_t start, int32_t number);

static inline struct str sequence_str(const struct sequence *sequence)
{
	return (struct str){ sequence->bytes, sequence->size };
}

#endif
