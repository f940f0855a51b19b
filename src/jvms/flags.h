/*
 * flags.h - what a JVM was started with, as far as that is seen from outside.
 */
#ifndef JVMS_FLAGS_H
#define JVMS_FLAGS_H

#include <stdbool.h>

#include "base/str.h"
#include "jvms/counters.h"
#include "jvms/process.h"

/*
 * True if -XX:+NAME is the last that was said of that flag, in its options, in variables of its
 * environment, or in its counters (which may be NULL).
 */
bool flags_has(const struct process *process, const struct counters *counters,
	       const char *name);

/* As a part: whether this text of options says so: -1 off, 1 on, 0: nothing of it. */
int flags_in(struct str options, char mark, const char *name);

/* A variable of its environment, freed by the caller. NULL: it is not set. */
char *flags_variable(const struct process *process, const char *name);

#endif
