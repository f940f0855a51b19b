/*
 * outname.h - what the file of a recording is called: cjfr names it, or, if that is gone,
 * the agent does.
 *
 * A pattern has %p for the process, %t for the time at which its recording began, %%
 * for a percent sign; all else stands for itself. Patterns and names are the caller's,
 * to be freed; NULL without memory.
 */
#ifndef CONTROL_OUTNAME_H
#define CONTROL_OUTNAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The default pattern: "app-%p-%t.jfr", in the folder; NULL: in the current one. */
char *outname_default(const char *folder, const char *subject);

/* The first "%x" that means nothing; bytes NULL: there is none. */
struct str outname_unknown(const char *pattern);

/* The time is in nanoseconds since 1970, and is told as 20261130-110000, local time. */
char *outname_expand(const char *pattern, long pid, int64_t nanos);

/*
 * The name with "-123" in front of its ".jfr", for one more process; with "-123-2", if
 * that has been tried, too, and so on.
 */
char *outname_distinct(const char *name, long pid, unsigned tries);

/* The same pattern, seen from the root. */
char *outname_absolute(const char *pattern);

#endif
