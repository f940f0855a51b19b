/*
 * dice.h - random numbers and texts: equal seeds give equal ones everywhere.
 *
 * Not evenly spread: what lies at some boundary comes up often.
 */
#ifndef ORACLE_DICE_H
#define ORACLE_DICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

void dice_seed(uint64_t seed);

uint64_t dice_bits(void);

/* 0 .. end - 1. */
uint64_t dice_below(uint64_t end);

bool dice_chance(int percent);

/* All magnitudes are equally likely. */
int64_t dice_integer(void);

double dice_double(void);
float dice_float(void);

/* A length of time. */
int64_t dice_nanos(void);

/* Appends a name, without a NUL in it; or any text at all. */
void dice_name(struct buf *to, bool is_identifier);
void dice_text(struct buf *to);

#endif
