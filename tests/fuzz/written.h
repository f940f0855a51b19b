/*
 * written.h - recordings that a fuzz target has had written, and that must be faultless.
 */
#ifndef FUZZ_WRITTEN_H
#define FUZZ_WRITTEN_H

#include "base/buf.h"
#include "copy/copy.h"

/* Appends to a struct buf. */
copy_sink written_add;

/* Looks at a chunk of the recording, whose constants are loaded. */
typedef void written_look(void *context, const struct chunk *chunk);

/*
 * Stops the program if something in the recording is damaged or not finished, or there
 * are not as many chunks and events as were written. `look` may be NULL.
 */
void written_check(const struct copy *copy, const struct buf *written,
		   written_look *look, void *context);

#endif
