/*
 * compile.h - from types to the programs that decode them.
 */
#ifndef JFR_COMPILE_H
#define JFR_COMPILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "jfr/metadata.h"

/*
 * Compiles the program of every type and gives every field its slot. A type that
 * holds itself inline, an undeclared type, or more than PROGRAM_VALUES_MAX values
 * gets a broken program, and so does every type that holds it inline. False only
 * when memory runs out.
 */
bool compile_types(struct metadata *metadata, struct arena *arena);

#endif
