/*
 * writing.h - a command writes a recording of what it reads.
 *
 *	struct copy copy = { .filter = ... };
 *
 *	if (writing_run(&reading, path, &copy, write))
 *		writing_tell(&reading.out.buf, &copy, path);
 */
#ifndef CMD_WRITING_H
#define CMD_WRITING_H

#include <stdbool.h>

#include "cmd/reading.h"
#include "copy/copy.h"

/* Takes the bytes for a struct out. */
bool writing_sink(void *out, const void *bytes, size_t size, struct err *err);

/* STATUS_USAGE, with a message, if the path is "-" and standard output is a terminal. */
enum status writing_check(const struct invocation *invocation, const char *path);

/* Writes the recording to copy->sink; false with reading->err. */
typedef bool writing_action(struct reading *reading, struct copy *copy);

/* Writes all that is read, as copy_input does. */
writing_action writing_all;

/*
 * Runs the action with the file at `path` as the sink of the copy, whose other members are
 * set; "-" is standard output. The file appears when it is complete (target.h). False with
 * reading->err; otherwise copy says what was written, and is cleared.
 */
bool writing_run(struct reading *reading, const char *path, struct copy *copy,
		 writing_action *action);

/* "path: 2 chunks, 1 event, 312 bytes; left out: 1 event", and a line end. */
void writing_tell(struct buf *to, const struct copy *copy, const char *path);

/* Does the work of a command, the input being open; false with reading->err. */
typedef bool writing_work(struct reading *reading, const char *path);

/* Opens the files, and has the work done. */
enum status writing_start(const struct invocation *invocation,
			  const struct words *words, const char *path,
			  writing_work *work);

/*
 * All of a command whose last word is the output, and whose options are these. As that
 * word may well be a recording that was meant to be read (*.jfr), no file with anything
 * in it is replaced without --force.
 */
enum status writing_command(const struct invocation *invocation, writing_work *work);

extern const struct option_row writing_rows[];

#endif
