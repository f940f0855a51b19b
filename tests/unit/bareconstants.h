/*
 * bareconstants.h - constants of which there are none yet, for test suites.
 */
#ifndef UNIT_BARECONSTANTS_H
#define UNIT_BARECONSTANTS_H

#include "engine/constants.h"

extern struct constants *constants;

/* For .init and .fini. */
void bareconstants_open(void);
void bareconstants_close(void);

#endif
