/*
 * writer.h - producing chunks.
 *
 *	struct writer writer = { 0 };
 *
 *	writer_describe(&writer, types);		schema.h
 *	writer_open(&writer, NULL);
 *	writer_event(&writer, writer_type(&writer, "shop.Sale"));
 *	encode_long(&writer.buf, ticks);		encode.h
 *	encode_varint(&writer.buf, 7);
 *	writer_checkpoint(&writer, 0);
 *	writer_pool(&writer, writer_type(&writer, "jdk.types.Symbol"));
 *	writer_constant(&writer, 7);
 *	encode_string(&writer.buf, STR("tea"));
 *	if (!writer_close(&writer, &err)) ...
 *	write(fd, writer.buf.bytes, writer.buf.size);
 *	writer_clear(&writer);
 *
 * The writer is sticky: after a failure nothing it writes matters, and the close
 * (or flush) tells. Whatever begins an event ends the one that is open. Several
 * chunks may follow each other in one buffer. Nothing is shared between writers.
 */
#ifndef JFR_WRITER_H
#define JFR_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "jfr/encode.h"
#include "jfr/header.h"
#include "jfr/schema.h"

/* Kinds of checkpoint, or'ed; only streaming readers look at the first. */
#define CHECKPOINT_FLUSH 1
#define CHECKPOINT_CHUNK_HEADER 2
#define CHECKPOINT_STATICS 4
#define CHECKPOINT_THREADS 8

enum writer_state { WRITER_BETWEEN, WRITER_EVENT, WRITER_CHECKPOINT, WRITER_POOL };

struct writer {
	struct buf buf;			/* what was written and not taken */
	struct header header;		/* of this chunk, as it will be written */
	struct schema schema;
	int64_t now;			/* start, in ticks, of what writes itself */
	int64_t metadata_id;		/* of the newest metadata event; grows */
	uint64_t taken;			/* bytes of this chunk not in buf any more */
	size_t chunk_at;		/* where in buf the chunk or its rest begins */
	struct err err;			/* the first failure */
	/* What is open, as places in buf and counts. */
	enum writer_state state;
	bool is_open;			/* the chunk */
	int size_width;			/* bytes kept free for the event's size */
	size_t event_at, pool_at;
	size_t pool_count_at, constant_count_at;
	uint32_t pool_count, constant_count;
	int64_t described;		/* version of the schema that was written */
	uint8_t generation;		/* of the last flush */
};

/* Version 2.1, a thousand million ticks a second, times zero. */
extern const struct header writer_header;

/* Adds types (schema_add): they are written with the next metadata event. */
void writer_describe(struct writer *writer, const struct schema_type *types);

/* The id of a type that was described; a failure if it was not. */
int64_t writer_type(struct writer *writer, const char *name);

/*
 * Begins a chunk behind those before it. `header` gives version, times and flags
 * (NULL: writer_header); sizes and places are set here.
 */
void writer_open(struct writer *writer, const struct header *header);

/*
 * Forgets what was not taken, an unfinished chunk, and a failure: a chunk may begin.
 * Types stay.
 */
void writer_restart(struct writer *writer);

/* Begins an event: its fields follow, encoded into writer->buf. */
void writer_event(struct writer *writer, int64_t type);

/*
 * A checkpoint, pools in it, constants in those: key first, then the value, encoded
 * into writer->buf. Pools and checkpoints that stay empty leave no trace.
 */
void writer_checkpoint(struct writer *writer, int kinds);
void writer_pool(struct writer *writer, int64_t type);
void writer_constant(struct writer *writer, uint64_t key);

/* Ends the event that is open, if any. */
void writer_end(struct writer *writer);

/*
 * A metadata event with all types described, or with a tree of the caller's; the last
 * one has a number of the caller's as well, and does not count for those that follow.
 */
void writer_metadata(struct writer *writer);
void writer_element(struct writer *writer, const struct element *root);
void writer_element_as(struct writer *writer, int64_t id, const struct element *root);

/* Bytes of the open event, or checkpoint, so far. */
size_t writer_event_size(const struct writer *writer);

/* The offset in the chunk of what comes next; nothing may be open. */
uint64_t writer_position(const struct writer *writer);

/*
 * Brings the header up to date so that all written so far can be read, and marks
 * the chunk as still growing. Writes metadata if types were added. In a file that
 * others may read meanwhile, the header's byte 64 is 255 while the others change.
 */
bool writer_flush(struct writer *writer, struct err *err);

/* The same, and the chunk is finished. */
bool writer_close(struct writer *writer, struct err *err);

/*
 * A checkpoint with a copy of the header, that HotSpot ends each flush with: a mark for
 * readers that follow, and a header for those who find none. `type` is that of the
 * constant; `kinds` come besides its own.
 */
void writer_copy_header(struct writer *writer, int64_t type, int kinds, uint8_t state);

/*
 * The caller has put writer->buf away and wants it empty again. From here on the
 * header is no longer in the buffer: header_write it, and put it at the chunk's start.
 */
void writer_taken(struct writer *writer);

/* The caller has put whole events behind what he took away; the buffer is empty. */
void writer_passed(struct writer *writer, uint64_t size);

void writer_clear(struct writer *writer);

#endif
