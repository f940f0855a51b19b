/*
 * dump.h - classes with probes, written into a folder, for people to look at.
 */
#ifndef PROBE_DUMP_H
#define PROBE_DUMP_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

#define DUMP_VERSIONS 100

/*
 * Writes FOLDER/a/b/C.class, with the folders to it. What is there stays: if it is another
 * class of that name (of another loader, or of before) this one is C.2.class, and so on up
 * to DUMP_VERSIONS; beyond, it is not written. Names come from anywhere: one that leads
 * out of the folder is none. ERR_SYSTEM, ERR_MEMORY.
 */
bool dump_class(const char *folder, struct str name, struct str bytes, struct err *err);

#endif
