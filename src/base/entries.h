/*
 * entries.h - what is in a folder.
 */
#ifndef BASE_ENTRIES_H
#define BASE_ENTRIES_H

#include <stdbool.h>

/* Shows each name in a folder (a descriptor, borrowed), but "." and "..". */
typedef bool entries_see(int folder, const char *name, void *context);

/* As long as that gives true. False: it did not, or the folder cannot be read. */
bool entries_each(int folder, entries_see *see, void *context);

/* The same of a folder by its name, which may be a link to one. */
bool entries_each_of(const char *path, entries_see *see, void *context);

#endif
