/*
 * leftfile.h - the spill file that lies in a repository, or is put there.
 */
#ifndef SALVAGE_LEFTFILE_H
#define SALVAGE_LEFTFILE_H

#include <stdbool.h>

#include "base/err.h"

/*
 * The spill file in a repository: a descriptor; -1 with err, or without (ERR_NONE) if
 * there is none, or its JVM still writes it.
 */
int leftfile_find(const char *repository, struct err *err);

/* True if there is one, and its JVM, or a process that holds its files, still uses it. */
bool leftfile_is_in_use(const char *repository);

/* True if one is found that can be read, and has events that may be in no chunk. */
bool leftfile_has_events(const char *repository);

/*
 * Puts a copy of a spill file that has no name into the repository, which is made again if
 * it is gone: there leftfile_find finds it. Of one that has a name nothing is done.
 * ERR_SYSTEM.
 */
bool leftfile_keep(int spill, const char *repository, struct err *err);

#endif
