/*
 * observers.h - the observers of a recorder: started, asked when due, stopped.
 *
 * For the recorder alone, on the flusher's thread or the one that ends it all.
 */
#ifndef ENGINE_OBSERVERS_H
#define ENGINE_OBSERVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/batch.h"
#include "control/eventsettings.h"
#include "engine/observer.h"

struct observers {
	struct recorder *recorder;		/* what the observers are told */
	const struct observer *const *list;	/* ends with NULL; 64 at most */
	const struct event_settings *settings;
	uint64_t is_out;			/* a bit for each that did not start */
	bool are_stopped;
	const struct observer *translator;	/* that was started; NULL: none was */
	int64_t due[EVENT_COUNT]; /* ticks when a periodic event comes next */
	int64_t collect_due;			/* the same of the next collecting */
};

/*
 * Starts them, and counts periods from `now` on. What does not start is left out; the
 * log, if it is not NULL, says why. After observers_stop it all begins anew.
 */
void observers_start(struct observers *observers, int64_t now,
		     void (*log)(const char *text));

/*
 * Settings were those of `before`, and are others now. Periods that are new count from
 * `now` on. Who fails is stopped, and left out.
 */
void observers_change(struct observers *observers, const struct event_settings *before,
		      int64_t now, void (*log)(const char *text));

/* May be called again. What they have to tell can still be asked for. */
void observers_stop(struct observers *observers);

/* What they saw until `now` goes into lanes. */
void observers_collect(struct observers *observers, int64_t now);

/*
 * Whole events of a raw lane, which become events in the batch. What an observer wrote
 * until it was stopped is its own to translate, also after that; if none was started,
 * they are passed over.
 */
void observers_translate(struct observers *observers, struct batch *batch,
			 const char *bytes, size_t size);

/* Events whose time has come by `now`; each once, also if it is long overdue. */
void observers_tell_due(struct observers *observers, struct batch *batch, int64_t now);

/* Events of a chunk's beginning or end: PERIOD_BEGIN_CHUNK, PERIOD_END_CHUNK. */
void observers_tell_chunk(struct observers *observers, struct batch *batch, int64_t now,
			  int64_t period);

/* Those of the end of the last chunk, and with them those that are told last. */
void observers_tell_last(struct observers *observers, struct batch *batch, int64_t now);

/* When the next event is due, or they want to collect; INT64_MAX: never. */
int64_t observers_due(const struct observers *observers);

#endif
