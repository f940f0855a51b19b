/*
 * finish.h - a recording whose cjfr is gone becomes the file that it was to be.
 *
 * As that would have done it: the file appears under its name when it is complete, what
 * was there before is replaced, and the repository goes, and with the last one the folder
 * of the session (control/places.h). But a file that is newer than the session is another
 * process's, unless the repository says that it is ours (control/written.h): it is not
 * replaced, and the name gets "-PID" (outname.h). Where nobody chose the name, no file is
 * replaced that is not ours, however old.
 *
 * It is done where the JVM ends, or where its recording does. What is not written by the
 * deadline stays in the repository, complete: who ends processes does not wait for long.
 */
#ifndef AGENT_FINISH_H
#define AGENT_FINISH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/err.h"
#include "control/orders.h"
#include "engine/repository.h"

/*
 * Of chunk files which are complete, in a session that began then; if there are none, or
 * it was done before, nothing is written. The deadline is in ticks. False: ERR_SYSTEM,
 * ERR_MEMORY, and all is as before; or without (ERR_NONE): the repository is gone.
 */
bool finish_recording(const struct repository *repository, const struct orders *orders,
		      int64_t session_nanos, int64_t deadline, struct err *err);

/*
 * The same of a folder with complete chunk files, in the order of their names, which stays
 * as it is. *path is what the file is called, the caller's to free; NULL: there was
 * nothing in it. Another deadline may be set meanwhile.
 */
struct finish_folder {
	const char *folder;
	const char *told_in;		/* the repository that tells a name; NULL: none does */
	const char *destination;	/* if none is told */
	int64_t begin_nanos;		/* what is older than that is replaced */
	bool made_up;			/* nobody chose the name: nothing is */
	/* Nor is a file for which that says true; NULL: there is none. */
	bool (*is_kept)(const struct stat *status, const void *context);
	const void *context;
	const _Atomic(int64_t) *deadline;
};
bool finish_folder(const struct finish_folder *of, char **path, struct err *err);


/*
 * The folder of a session goes, if nobody has it locked any more, and no repository is in
 * it.
 */
void finish_session(const char *folder);

#endif
