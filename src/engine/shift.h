/*
 * shift.h - from one chunk to the next: part of the recorder.
 *
 * A recording may begin, stop, or be set otherwise in between: what the chunk had is
 * complete, and the next one is recorded as those want it that run from then on. All
 * functions run under the recorder's lock.
 */
#ifndef ENGINE_SHIFT_H
#define ENGINE_SHIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "engine/recorderdata.h"

/* One begins, or stops, whatever else runs: one of the three below. False as there. */
bool shift_begin(struct recorder *recorder, struct tape *recording, struct err *err);
bool shift_end(struct recorder *recorder, struct tape *recording, struct err *err);

/* One of them, or none. */
struct shift {
	struct tape *begins, *ends;
	bool changes;			/* settings of one that runs */
};

extern const struct shift shift_none;

/*
 * The recorder runs, and goes on: somebody is left that does. False: nothing can be
 * written, or there is no memory; then it has to fail.
 */
bool shift_chunk(struct recorder *recorder, const struct shift *shift, struct err *err);

/*
 * The recorder begins to run with this one; or it is open as before, and the recording
 * has failed: chunk files that it has are readable.
 */
bool shift_first(struct recorder *recorder, struct tape *first, struct err *err);

/*
 * All that run stop, and with them the recorder, which is open again; or, for good, lanes
 * are closed, and what follows is the caller's. False as above.
 */
bool shift_last(struct recorder *recorder, bool for_good, struct err *err);

/* It has stopped, with the chunks that there are. */
void shift_mark_end(struct recorder *recorder, struct tape *recording,
		    int64_t nanos);

/* It has failed, and who makes its file is to hear of it. */
void shift_mark_failed(struct tape *recording, struct str why);

#endif
