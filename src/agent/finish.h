/*
 * finish.h - a recording whose cjfr is gone becomes the file that it was to be.
 *
 * As that would have done it: the file appears under its name when it is complete, what
 * was there before is replaced, and the repository goes, and with the last one the folder
 * of the session (session/folder.h). But a file that another process put there meanwhile
 * is not replaced: then the name gets "-PID" (outname.h).
 *
 * It is done where the JVM ends, or where its recording does. What is not written by the
 * deadline stays in the repository, complete: who ends processes does not wait for long.
 */
#ifndef AGENT_FINISH_H
#define AGENT_FINISH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "control/orders.h"
#include "engine/repository.h"

/*
 * Of chunk files which are complete, of a recording that began then; if there are none,
 * nothing is written. The deadline is in ticks. False: ERR_SYSTEM, ERR_MEMORY, and all is
 * as before; or without (ERR_NONE): somebody else has the session in hand, or the
 * repository is gone.
 */
bool finish_recording(const struct repository *repository, const struct orders *orders,
		      int64_t begin_nanos, int64_t deadline, struct err *err);

#endif
