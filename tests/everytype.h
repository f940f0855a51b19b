/*
 * everytype.h - a chunk with one event of each type of our engine, and one constant of
 * each type of these.
 *
 * Every field has a value: numbers 1, texts the name of their field, keys 1; what would
 * lead from a constant to itself is null. The symbol is one that can be the descriptor of
 * a method.
 */
#ifndef TESTS_EVERYTYPE_H
#define TESTS_EVERYTYPE_H

#include "jfr/writer.h"

/* Describes the types, and writes the chunk but for its end; false without memory. */
bool everytype_write(struct writer *writer);

#endif
