/*
 * source.h - an input, from its first byte to its last.
 *
 * What is at hand of it lies in `bytes`; source_fill brings more, source_take hands the
 * first of them over and goes on behind. A regular file is mapped as a whole, so all of
 * it is at hand at once; it must not become shorter while it is read: reading what is
 * no longer there ends the program (SIGBUS). Pipes, compressed files, and files that
 * may still change (source_copy) are read as far as they are asked for, into spools.
 * For one thread; bytes handed over are for all.
 */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/spool.h"

/* Reads as read(2): the bytes read, 0 at the end, -1 with err set. */
typedef ssize_t source_read(void *context, unsigned char *to, size_t size,
			    struct err *err);

/* What unpacks compressed input. Of its own, a source knows only what packings there are. */
struct unpacker {
	/* Reads packed bytes through `read`. NULL with err set. */
	void *(*open)(source_read *read, void *context, struct err *err);
	source_read *read;	/* its context is what open gave */
	void (*close)(void *unpacking);
};

struct source {
	const unsigned char *bytes;	/* never NULL once opened */
	size_t size;
	uint64_t offset;		/* of bytes[0] in the input, unpacked */
	const char *name;		/* as given, or "standard input"; borrowed */
	struct err failure;		/* why it ended early; ERR_NONE: it did not */
	bool is_out_of_room;		/* because what was read cannot be kept */
	uint64_t file_size;		/* of a regular file, as it lies there; else 0 */
	/* private */
	int fd;
	bool is_own_fd;
	bool is_ended;			/* there is no more than what is at hand */
	uint64_t cut;			/* so many bytes are read at most; 0: all */
	unsigned char *mapped;
	size_t mapped_size;
	struct spool spool;
	const struct unpacker *unpacker;	/* NULL: not packed */
	void *unpacking;
	unsigned char head[8];		/* read to see how it is packed, not yet used */
	size_t head_size, head_at;
};

/* What the source of that path is called: "-" is standard input. The path, or static. */
const char *source_name(const char *path);

/*
 * Opens a file by path; "-" is standard input, from where it stands on. Compressed
 * input is unpacked by `unpacker`; NULL: it is refused. False with ERR_SYSTEM if it
 * cannot be opened or read, ERR_FORMAT if it cannot be unpacked; then there is nothing to
 * close. An empty file is none of these.
 */
bool source_open(struct source *source, const char *path,
		 const struct unpacker *unpacker, struct err *err);

/* Bytes in memory, which it borrows. */
struct source source_of_bytes(const void *bytes, size_t size, const char *name);

/*
 * Brings so many bytes to hand, if there are as many: how many there are, which may be
 * more or fewer. Where the input cannot be read on it ends: source->failure.
 */
size_t source_fill(struct source *source, size_t size);

/*
 * The first bytes, which must be at hand, as a block. Lent ones are valid until
 * source_close. False when memory or disk space runs out.
 */
bool source_take(struct source *source, size_t size, struct block *block,
		 struct err *err);

/* Goes past bytes that are at hand. */
void source_skip(struct source *source, size_t size);

/*
 * From here on copies what it reads, as other programs may still change it. For a
 * mapped file of which nothing was taken.
 */
void source_copy(struct source *source);

/*
 * It ends after so many bytes, whatever is behind them: not 0. Of a file that is not
 * packed, and of which nothing was taken.
 */
void source_cut(struct source *source, uint64_t size);

/* Bytes of the file that have been read, in the measure of file_size. */
uint64_t source_position(const struct source *source);

/* True if standard input is something to read from: a pipe, socket or file. */
bool source_waits(void);

/* Nothing more will be read: gives back all but what was lent. */
void source_finish(struct source *source);

/* Also of a source that is closed already. */
void source_close(struct source *source);

#endif
