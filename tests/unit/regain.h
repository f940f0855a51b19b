/*
 * regain.h - what a recording of workers (worker.h) has when its process is gone, or
 * stands still: all that they counted, each event once.
 */
#ifndef UNIT_REGAIN_H
#define UNIT_REGAIN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * True if chunk files and spill file (a descriptor; -1: the one in the repository, if
 * there is one) make a recording without a fault that has them. NULL: there is no
 * repository. The oldest may be missing if that is allowed. Prints what is wrong; files
 * are made in the folder.
 */
bool regain_check(const char *repository, int spill, const char *folder,
		  bool may_begin_late);

/* How many there were, the last time. */
uint64_t regain_sum(void);

/* A new folder for it all, where TMPDIR says; to be freed. */
char *regain_folder(const char *name);

/* The only folder in it; NULL: there is none yet. */
char *regain_repository(const char *folder);
void regain_remove(const char *path);

/* The descriptor that was sent; -1: there came none. */
int regain_descriptor(int connection);

#endif
