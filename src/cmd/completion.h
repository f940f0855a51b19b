/*
 * completion.h - what a word that was begun may become: candidates are offered, and
 * those that begin with the word are kept.
 *
 * A zeroed struct is one of an empty word. Without memory nothing is written.
 */
#ifndef CMD_COMPLETION_H
#define CMD_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "render/out.h"

struct completion {
	struct str front;		/* stays as it is: "--events=", "CPULoad," */
	struct str word;		/* what was typed of the rest */
	VEC(struct str) found;		/* with the front */
	struct arena arena;
};

/* So many bytes of the word stay as they are. */
void completion_skip(struct completion *completion, size_t size);

void completion_offer(struct completion *completion, struct str candidate);

/* Each of "a|b|c". */
void completion_offer_each(struct completion *completion, struct str choices);

/* True of what would wait for somebody to write: standard input, a pipe. */
bool completion_would_wait(const char *path);

/* What was found, a line each, sorted. */
void completion_write(struct completion *completion, struct out *out);

void completion_clear(struct completion *completion);

#endif
