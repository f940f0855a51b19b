/*
 * out.h - a file descriptor to write text to.
 *
 * Keeps the first failure: after it nothing more is written. Nobody reading at the
 * other end of a pipe is told apart from a real failure. A terminal gets no control
 * characters (tame.h).
 */
#ifndef RENDER_OUT_H
#define RENDER_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "render/tame.h"

struct out {
	int fd;
	bool is_terminal;	/* set before anything is written */
	struct buf buf;		/* not written yet */
	int error;		/* errno of the first failure, 0: none */
	struct tame tame;	/* for a terminal: what was not whole yet */
	struct buf tamed;	/* and the text as it gets it */
};

/* Writes what is in the buffer, then the bytes. False after a failure. */
bool out_write(struct out *out, const void *bytes, size_t size);

/* Writes the buffer when it has grown large. False after a failure. */
bool out_drain(struct out *out);

/* Writes everything and gives memory back; the descriptor stays open. */
bool out_close(struct out *out, struct err *err);

#endif
