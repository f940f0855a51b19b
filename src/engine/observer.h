/*
 * observer.h - what makes events: a row each, nobody knows another.
 *
 * An observer has events that it tells when asked (periodically: `tell` of a row), and
 * may see others as they happen, which it writes into lanes. All stand in one table of
 * the agent's. Functions run on the flusher's thread, or on the one that stops the
 * recording, but for what the observer arranges for itself.
 */
#ifndef ENGINE_OBSERVER_H
#define ENGINE_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "engine/batch.h"
#include "jfr/eventtypes.h"

struct recorder;

/* Writes events of that type, as they are now (batch->now), into the batch. */
typedef void observer_tell(struct recorder *recorder, struct batch *batch);

struct periodic {
	enum event_id event;
	observer_tell *tell;
};

struct observer {
	const char *name;			/* for messages */
	const struct periodic *periodic;	/* ends with a NULL tell; NULL: none */
	bool tells_last;	/* once more when it all ends, if the period is a time */
	/*
	 * All may be NULL. A failed start leaves the observer out; the log says why.
	 * `collect` brings in what was seen where no event could be written: at the
	 * start of each round, and once more before the recording stops. Rounds come as
	 * events and flushes are due, but not later than so many nanoseconds one after
	 * the other; 0: whenever they come. What is told at the end of the last chunk is
	 * asked for after `stop`.
	 */
	bool (*start)(struct recorder *recorder, struct err *err);
	/*
	 * Settings of its events are others now (recorder->settings). NULL: it looks at them
	 * whenever it needs them, and nothing else has to be done. It may be that none is
	 * enabled any more, or one that was not before. A failure leaves it out, as above.
	 */
	bool (*change)(struct recorder *recorder, struct err *err);
	void (*collect)(struct recorder *recorder);
	int64_t collect_each;
	void (*stop)(struct recorder *recorder);
	/*
	 * Makes events of what it wrote into raw lanes, behind those in the batch: whole
	 * raw events. One observer has this. Not called when it did not start; after
	 * `stop` it is, for what is left.
	 */
	void (*translate)(struct recorder *recorder, struct batch *batch,
			  const char *bytes, size_t size);
};

#endif
