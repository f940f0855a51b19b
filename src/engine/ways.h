/*
 * ways.h - where a recording goes: to chunk files at once, or it is kept in memory and
 * becomes one at the end. Part of the recorder.
 */
#ifndef ENGINE_WAYS_H
#define ENGINE_WAYS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/flush.h"

/* Of more constants those go that the present chunk does not use. */
#define CONSTANTS_MAX ((size_t)64 << 20)

extern const struct recorder_way way_on_disk, way_in_memory;

/*
 * A chunk with all that is kept, in another folder; nothing of it is given up. All that
 * was committed is kept (flush_all). ERR_SYSTEM, ERR_MEMORY.
 */
bool ways_copy_kept(struct recorder *recorder, struct repository *to, struct err *err);

/* The time since 1970 at these ticks, by the clock at the recorder's start. */
static inline struct instant instant_of(const struct recorder *recorder, int64_t ticks)
{
	return (struct instant){ recorder->start_nanos + ticks - recorder->start_ticks,
				 ticks };
}

#endif
