/*
 * recordoutput.h - what the file of a recording will be called, and whether it can be
 * written: asked before anything is recorded.
 */
#ifndef CMD_RECORDOUTPUT_H
#define CMD_RECORDOUTPUT_H

#include "cmd/command.h"

/*
 * The pattern (outname.h) that an option -o stands for: a pattern itself, a folder, or NULL,
 * which is the current one. The caller's; NULL without memory.
 */
char *record_output_pattern(const char *output, const char *subject);

/* Otherwise a message was written, and the status tells. */
enum status record_output_check(const struct invocation *invocation,
				const char *pattern);

/* The same, but only the words, not whether it can be written. */
enum status record_output_check_words(const struct invocation *invocation,
				      const char *output);

#endif
