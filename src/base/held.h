/*
 * held.h - whether somebody has a folder locked (flock).
 *
 * Who works in a folder holds its lock, which the system takes away when the last of
 * its processes is gone: so what nobody holds is left behind.
 */
#ifndef BASE_HELD_H
#define BASE_HELD_H

#include <stdbool.h>

/*
 * True if it is locked by another process, or by another descriptor of this one. The
 * name is seen from `within`, or AT_FDCWD, and is no link. False also if there is none.
 */
bool held_is(int within, const char *name);

#endif
