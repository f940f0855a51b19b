/*
 * sources.h - the sources of a recorder: started, asked when events are due, stopped.
 *
 * For the recorder alone, on the flusher's thread or the one that ends it all. Events go
 * into recorder->batch.
 */
#ifndef ENGINE_SOURCES_H
#define ENGINE_SOURCES_H

#include <stdint.h>

#include "engine/recorder.h"

/* From here on periods are counted. What does not start is left out; the log says why. */
void sources_start(struct recorder *recorder);
void sources_stop(struct recorder *recorder);

/* Events whose time has come by `now`; each once, also if it is long overdue. */
void sources_tell_due(struct recorder *recorder, int64_t now);

/* Events of a chunk's beginning or end: PERIOD_BEGIN_CHUNK, PERIOD_END_CHUNK. */
void sources_tell_chunk(struct recorder *recorder, int64_t now, int64_t period);

/* When the next event is due, in ticks; INT64_MAX: none is. */
int64_t sources_due(const struct recorder *recorder);

#endif
