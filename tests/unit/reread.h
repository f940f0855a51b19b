/*
 * reread.h - recordings of the engine, read again.
 */
#ifndef UNIT_REREAD_H
#define UNIT_REREAD_H

#include <stddef.h>
#include <stdint.h>

/* How many faults `verify` finds in the files; or also what it remarks. Prints them. */
uint64_t reread_verify(const char *const *paths, size_t count);
uint64_t reread_findings(const char *const *paths, size_t count);

/* Told each event: its type, and its fields from startTime on, as numbers. */
#define REREAD_FIELDS 4
typedef void reread_told(void *context, uint64_t type, const uint64_t *fields);

/* Tells all events, chunk by chunk; gives how many things are wrong with the files. */
uint64_t reread_events(const char *const *paths, size_t count, reread_told *told,
		       void *context);

#endif
