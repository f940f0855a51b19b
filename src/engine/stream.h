/*
 * stream.h - bytes in blocks of the spill file, one behind the other (jfr/spill.h).
 *
 * Appended at the end, given up from the beginning on; places are counted from the
 * first byte that ever was. For one thread at a time.
 */
#ifndef ENGINE_STREAM_H
#define ENGINE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "engine/blocks.h"

struct stream {
	struct blocks *blocks;		/* borrowed */
	enum spill_kind kind;
	VEC(struct spill_block *) chain; /* from that of `begin` on */
	uint64_t begin, end;		/* what is there */
};

void stream_init(struct stream *stream, struct blocks *blocks, enum spill_kind kind);

/* False without memory; then the end may have moved: stream_cut. */
bool stream_add(struct stream *stream, const void *bytes, size_t size);

/* At the end begins what readers may go on with behind a gap. False without memory. */
bool stream_mark(struct stream *stream);

/* Appends so many bytes from there on. */
void stream_read(const struct stream *stream, uint64_t from, uint64_t size,
		 struct buf *to);

/* The new end, or the new beginning, whose blocks are given back. */
void stream_cut(struct stream *stream, uint64_t end);
void stream_drop(struct stream *stream, uint64_t begin);

/* Leaves blocks as they are, for others to see (`stays`), or gives them back. */
void stream_clear(struct stream *stream, bool stays);

#endif
