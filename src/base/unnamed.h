/*
 * unnamed.h - files without a name, in $TMPDIR or /tmp: gone when they are closed.
 */
#ifndef BASE_UNNAMED_H
#define BASE_UNNAMED_H

/* Where they are made; borrowed. */
const char *unnamed_place(void);

/* One to be read and written, of this user alone; -1 and errno if there is none. */
int unnamed_open(void);

#endif
