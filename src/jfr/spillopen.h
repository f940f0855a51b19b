/*
 * spillopen.h - a spill file (spill.h) that is read when its JVM is no more: which slots and
 * blocks it has, and what is still to be read of them. What is in them: spillread.h.
 */
#ifndef JFR_SPILLOPEN_H
#define JFR_SPILLOPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"
#include "jfr/spill.h"

/* Events of a slot that may be in no chunk. */
struct spill_piece {
	uint64_t lane, sequence, flush;
	uint32_t place;			/* of the slot, from 0 on */
	uint32_t consumed, drained, committed;
};

/* A block; `number` and `first` are those of streams. */
struct spill_part {
	uint64_t number;
	uint32_t place, used, first;
};

struct spill {
	int fd;				/* borrowed */
	struct spill_header header;	/* as it was when the file was opened */
	bool is_done;			/* header.flush was: the caller's to set */
	bool is_short;			/* what had space is not all there: it was cut off */
	uint64_t damaged;		/* what cannot be, each time it is come across */
	VEC(struct spill_piece) pieces;	/* by lane, raw ones last, and sequence */
	VEC(struct spill_part) records, metadata, kept;
	struct buf buf;			/* what was read last */
};

/*
 * Reads header, slots and blocks but for their bytes. ERR_FORMAT if it is no spill file,
 * or of another version (the message says which one is known), ERR_SYSTEM, ERR_MEMORY;
 * then there is nothing to close.
 */
bool spill_open(struct spill *spill, int fd, struct err *err);
void spill_close(struct spill *spill);

/* Reads so many bytes from there on, or fewer where the file ends. ERR_SYSTEM. */
bool spill_read(const struct spill *spill, void *to, size_t size, uint64_t at,
		size_t *got, struct err *err);

static inline bool spill_is_done(const struct spill *spill, uint64_t flush)
{
	return flush <= spill->header.committed ||
	       (flush == spill->header.flush && spill->is_done);
}

/* Bytes of the slot that are in a chunk: what is behind them is in none. */
static inline uint32_t spill_start(const struct spill *spill,
				   const struct spill_piece *piece)
{
	return spill_is_done(spill, piece->flush) ? piece->drained : piece->consumed;
}

#endif
