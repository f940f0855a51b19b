/*
 * ways.h - where a recording goes: to chunk files at once, or it is kept in memory and
 * becomes one at the end. Part of the recorder.
 */
#ifndef ENGINE_WAYS_H
#define ENGINE_WAYS_H

#include <stddef.h>

#include "engine/flush.h"

/* Of more constants those go that the present chunk does not use. */
#define CONSTANTS_MAX ((size_t)64 << 20)

extern const struct recorder_way way_on_disk, way_in_memory;

/* Of memory_size, what is kept without disk. */
size_t ways_kept_size(const struct orders *orders);

#endif
