/*
 * layout.h - what types are declared to be made of, as numbers that can be compared.
 *
 * Types of different chunks that have the same name and fields have the same number,
 * and others mostly another one. What fields hold inline counts, three levels deep; what
 * they refer to does not.
 */
#ifndef COPY_LAYOUT_H
#define COPY_LAYOUT_H

#include <stdint.h>

#include "jfr/metadata.h"

/* The numbers by type index, for the caller to free. NULL: no memory. */
uint64_t *layout_find(const struct metadata *metadata);

#endif
