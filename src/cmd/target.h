/*
 * target.h - a file that a command writes.
 *
 *	if (!target_open(&target, path, &err)) ...
 *	... out_write(&target.out, ...) ...
 *	is_good = target_close(&target, is_good, &err);
 *
 * It appears under its name only when it is complete (base/draft.h), also where a link
 * leads to. What is there under that name already is replaced, and stays as it is if
 * anything fails; the new file has the same rights. A device or a pipe is written to
 * directly.
 */
#ifndef CMD_TARGET_H
#define CMD_TARGET_H

#include <stdbool.h>

#include "base/draft.h"
#include "base/err.h"
#include "render/out.h"

struct target {
	struct out out;
	char *path;		/* NULL: not open */
	struct draft draft;
	bool is_direct;		/* there is no draft */
};

/* False with err; then there is nothing to close. */
bool target_open(struct target *target, const char *path, struct err *err);

/*
 * Puts the file in its place, or, if it is not good, removes it. False with err if that
 * or any writing failed; of a file that is not good err is left as it is.
 */
bool target_close(struct target *target, bool is_good, struct err *err);

#endif
