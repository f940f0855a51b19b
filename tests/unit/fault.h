/*
 * fault.h - memory that runs out on request.
 *
 * The unit tests are linked with -Wl,--wrap=malloc and the same for all other functions
 * that give memory: requests from our own code pass through here, none of libraries'.
 */
#ifndef UNIT_FAULT_H
#define UNIT_FAULT_H

#include <stdbool.h>
#include <stddef.h>

/* Request number `n` from now on, counted from 1, is refused; 0: none is. */
void fault_at(size_t n);

/* How many requests there were since fault_at. */
size_t fault_count(void);

/* True if one was refused. */
bool fault_happened(void);

#endif
