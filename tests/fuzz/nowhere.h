/*
 * nowhere.h - where the output of fuzz targets goes.
 */
#ifndef FUZZ_NOWHERE_H
#define FUZZ_NOWHERE_H

/* A descriptor for writing, which stays open. */
int nowhere(void);

#endif
