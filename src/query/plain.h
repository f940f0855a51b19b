/*
 * plain.h - numbers without a unit, grouped by three: 1,234,567.891.
 *
 * The text is that of Java's NumberFormat in English, as JDK 25 has it: at most three
 * decimals, and halves go to the even side by the exact value. From 2^63 on there are a
 * few doubles whose digits differ; plain.c has which.
 */
#ifndef QUERY_PLAIN_H
#define QUERY_PLAIN_H

#include <stdint.h>

#include "base/buf.h"

void plain_add_integer(struct buf *to, int64_t number);

/* "-0", "∞", "-∞" and "NaN" are among the texts. */
void plain_add_real(struct buf *to, double number);

#endif
