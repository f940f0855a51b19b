/*
 * spool.h - bytes that come in piece by piece, and may become many.
 *
 * They are kept in memory while all spools and blocks of the program together hold no
 * more than SPOOL_MEMORY, or if they are few; else in an unlinked temporary file (in $TMPDIR, else
 * /tmp), which is mapped. What has come in can be cut off as a block, which lives on
 * its own. A spool belongs to one thread at a time; blocks may be freed by any.
 */
#ifndef BASE_SPOOL_H
#define BASE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define SPOOL_MEMORY ((size_t)48 << 20)

/* Bytes that somebody holds. Zeroed, or with capacity 0: nothing to give back. */
struct block {
	const unsigned char *bytes;
	size_t size;
	void *memory;		/* or mapping, in which they lie */
	size_t capacity;	/* of it; 0: the bytes are lent */
	bool is_mapped;
};

/* A zeroed struct is a valid empty spool. */
struct spool {
	unsigned char *memory;	/* or mapping; moves when something is added */
	size_t capacity;	/* of the memory, or of what is mapped of the file */
	size_t start;		/* bytes in front, of which nobody needs to know */
	size_t size;
	bool is_file;
	int fd;			/* of the file */
	unsigned char *piece;	/* what goes to the file next */
};

/*
 * A place for bytes to be added, of *room bytes: at least one, at most what *room
 * says that is wanted. NULL with ERR_MEMORY or ERR_SYSTEM (no temporary file).
 */
unsigned char *spool_room(struct spool *spool, size_t *room, struct err *err);

/* So many bytes were put there. False with ERR_SYSTEM if the file takes no more. */
bool spool_added(struct spool *spool, size_t count, struct err *err);

/* All that was added, valid until something is added or cut; NULL with ERR_SYSTEM. */
const unsigned char *spool_bytes(struct spool *spool, struct err *err);

/*
 * Cuts the first bytes off, of those that spool_bytes gave. What is copied is no more
 * than those. False, and nothing cut.
 */
bool spool_cut(struct spool *spool, size_t size, struct block *block, struct err *err);

/* Forgets the first bytes. */
void spool_drop(struct spool *spool, size_t size);

void spool_clear(struct spool *spool);

/* Zeroes the struct. */
void block_free(struct block *block);

#endif
