/*
 * reading.h - a command reads recordings and writes to standard output.
 *
 *	status = reading_open(&reading, invocation, &words);
 *	if (status != STATUS_DONE)
 *		return status;
 *	... reads reading.input, adds to reading.out, .damage and .err
 *	return reading_close(&reading, is_good);
 */
#ifndef CMD_READING_H
#define CMD_READING_H

#include <stdbool.h>

#include "cmd/command.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/remains.h"
#include "filter/filter.h"
#include "filter/outcome.h"
#include "jfr/damage.h"
#include "jfr/input.h"
#include "render/out.h"

struct reading {
	const struct invocation *invocation;
	struct input input;
	struct remains remains;		/* what is read besides files */
	struct out out;			/* standard output */
	struct damage damage;		/* what was lost on the way */
	struct err err;			/* why nothing could be read */
	struct progress progress;
};

/*
 * Opens the files, or, if none is given, standard input when that is a pipe or a
 * file (not as `jfr`); of repositories also what JVMs that are no more left there in
 * their spill files. Otherwise a message was written, and the status tells.
 */
enum status reading_open(struct reading *reading, const struct invocation *invocation,
			 const struct words *words);

/*
 * The same for a repository whose spill file nobody writes any more; -1: there is none
 * to be read. With STATUS_FAILED, is_empty says that nothing is in it, and nothing was
 * told.
 */
enum status reading_open_repository(struct reading *reading,
				    const struct invocation *invocation,
				    const char *repository, int spill, bool *is_empty);

/* The same for a recording in memory, which it borrows until reading_close. */
enum status reading_open_bytes(struct reading *reading,
			       const struct invocation *invocation, const char *name,
			       const void *bytes, size_t size);

/* There may be a line that tells how far we are; printing: see progress_begin. */
void reading_show_progress(struct reading *reading, bool is_printing);

/*
 * Makes the filter's window one of points in time, for which the whole input may have to
 * be looked through. The zone of the input must be set before. False as input_survey.
 */
bool reading_resolve(struct reading *reading, struct filter *filter);

/* Says why the filter found nothing, and is true, if there is a reason; clears the outcome. */
bool reading_tell_outcome(struct reading *reading, const struct filter *filter,
			  struct outcome *outcome);

/*
 * Writes what is left to write and closes everything. Not good: says why. Otherwise
 * says what was lost, a line each: STATUS_PARTLY if anything was (a recording that is
 * still being written is not damaged), else STATUS_DONE.
 */
enum status reading_close(struct reading *reading, bool is_good);

#endif
