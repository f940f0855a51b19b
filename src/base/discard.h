/*
 * discard.h - folders that are not needed any more, with the files in them.
 *
 * Nothing is followed out of them: of a link, the link goes. Folders in a folder stay.
 */
#ifndef BASE_DISCARD_H
#define BASE_DISCARD_H

#include <stdbool.h>

/* Shows each name in a folder (a descriptor, borrowed), but "." and "..". */
typedef bool discard_see(int folder, const char *name, void *context);

/* As long as that gives true. False: it did not, or the folder cannot be read. */
bool discard_each(int folder, discard_see *see, void *context);

/* Removes the files in a folder. */
void discard_files(int folder);

/* Removes a folder with the files in it. False if some is left. */
bool discard_folder(const char *path);

#endif
