/*
 * timeline.h - events in the order of their end, as the JDK's `jfr print` has it.
 *
 * The order of equal times is that of a binary heap with a given history of
 * insertions and removals, so the heap is kept move for move (jfr-tool.md 0.6a).
 * Entries are places of events, never events.
 */
#ifndef JFR_TIMELINE_H
#define JFR_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As many entries may wait; with more, the earliest leaves. */
#define TIMELINE_WINDOW 1000000

enum moment_kind {
	MOMENT_OPENS,	/* a contextual event starts; before others of the same time */
	MOMENT_EVENT,	/* an event to be shown */
	MOMENT_CLOSES,	/* a contextual event ends */
};

/* 16 bytes, of which there may be a million: chunk, offset and kind share a word. */
struct moment {
	int64_t nanos;		/* since 1970 UTC */
	uint64_t place;
};

#define MOMENT_OFFSET_BITS 40
#define MOMENT_CHUNK_BITS (64 - 2 - MOMENT_OFFSET_BITS)

/* True if places in a chunk of that index and size can be told in a moment. */
static inline bool moment_fits(size_t chunk, size_t size)
{
	return chunk >> MOMENT_CHUNK_BITS == 0 && size >> MOMENT_OFFSET_BITS == 0;
}

struct timeline {
	struct moment *moments;		/* the heap; the first is the earliest */
	size_t count;
	size_t capacity;
	void *memory;			/* what moments lies in */
};

static inline struct moment moment_of(int64_t nanos, size_t chunk, size_t offset,
				      enum moment_kind kind)
{
	return (struct moment){ nanos, (uint64_t)chunk << (MOMENT_OFFSET_BITS + 2) |
					       (uint64_t)offset << 2 | kind };
}

static inline enum moment_kind moment_kind(struct moment moment)
{
	return moment.place & 3;
}

static inline size_t moment_offset(struct moment moment)
{
	return moment.place >> 2 & (((uint64_t)1 << MOMENT_OFFSET_BITS) - 1);
}

static inline size_t moment_chunk(struct moment moment)
{
	return moment.place >> (MOMENT_OFFSET_BITS + 2);
}

/* False when memory runs out. */
bool timeline_add(struct timeline *timeline, struct moment moment);

/* Takes the earliest out; there must be one. */
struct moment timeline_remove(struct timeline *timeline);

void timeline_clear(struct timeline *timeline);

/* Puts moments of one chunk in order of nanos, equal ones in order of offset. */
void moments_sort(struct moment *moments, size_t count);

#endif
