/*
 * spillfile.h - the file that slots and blocks lie in (jfr/spill.h): a memfd, or a file
 * with a name, all of it mapped at once.
 *
 * There is space only for what was allocated: touching more would be SIGBUS when the
 * system is full. Without space for the beginning, or where space that was allocated
 * does not help (inplace.h), anonymous memory is used instead, which has slots, but no
 * blocks.
 */
#ifndef ENGINE_SPILLFILE_H
#define ENGINE_SPILLFILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fileid.h"
#include "jfr/spill.h"

/* One of them, with its struct spill_block. */
#define BLOCK_SIZE ((size_t)64 << 10)

struct spillfile {
	int fd;				/* -1: anonymous memory, for nobody else */
	struct fileid id;		/* that it was opened for */
	struct spill_header *header;	/* NULL: not open */
	size_t mapped;			/* bytes */
	char *blocks;			/* where they begin */
	atomic_int error;		/* why there is no (more) space; 0: there is */
};

/* What is to be in it. */
struct spillfile_shape {
	const char *path;		/* of a new file; NULL: a memfd */
	size_t slot_size, slots;
	size_t slots_first;		/* have space from the beginning */
	size_t blocks;			/* fewer, if files may not be so large */
};

/* Bytes that a file may have here (ulimit -f). */
size_t spillfile_most(void);

/* The header is filled, with no slots or blocks yet. ERR_SYSTEM, ERR_MEMORY. */
bool spillfile_open(struct spillfile *file, const struct spillfile_shape *shape,
		    struct err *err);

/* May be called again. */
void spillfile_close(struct spillfile *file);

/*
 * Space for so many bytes from there on, which lie in the file. False: there is none, and
 * `error` says why: EBADF, if others closed the file, and the kernel cannot do without.
 */
bool spillfile_allocate(struct spillfile *file, const void *from, size_t size);

/* Gives the space of all blocks back: nobody may write to them any more. */
void spillfile_drop_blocks(const struct spillfile *file);

static inline struct spill_slot *spillfile_slot(const struct spillfile *file,
						size_t index)
{
	return (struct spill_slot *)((char *)file->header +
				     spill_slot_at(file->header, index));
}

static inline struct spill_block *spillfile_block(const struct spillfile *file,
						  size_t index)
{
	return (struct spill_block *)(file->blocks + index * BLOCK_SIZE);
}

#endif
