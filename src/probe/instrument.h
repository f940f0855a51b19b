/*
 * instrument.h - from a class's bytes to its bytes with probes.
 *
 *	bytes ──> classfile_read ──> filters_of each method ──> probed_add: numbers
 *	      ──> rewrite_class ──> probed_note: what came of it ──> bytes, and a dump
 *
 * Knows no JVM: the agent's hook calls it (agent/instrumenter.h). Any thread; nothing
 * else is needed of the caller than to keep away from the JVM's locks.
 */
#ifndef PROBE_INSTRUMENT_H
#define PROBE_INSTRUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "probe/annotations.h"
#include "probe/probed.h"
#include "probe/filters.h"
#include "probe/taken.h"

/* What of CjfrRuntime is called for which kinds of a method: a row each. */
struct probe_row {
	unsigned kinds;			/* enum probe_kind, exactly these */
	struct rewrite_probe calls;
};
extern const struct probe_row probe_rows[];	/* ends with kinds 0 */

struct instrument {
	struct filters *filters;
	struct probed *probed;
	const char *dump;		/* folder of --dump-classes; NULL: none */
	struct taken taken;
	struct annotations annotations;	/* seen while filters of them selected nothing */
	unsigned run;			/* in which these filters hold (probed.h) */
	_Atomic bool is_off;		/* nothing is selected any more: probes go */
};

struct instrument_class {
	struct filters_class known;	/* name.bytes NULL: as the file says */
	uint64_t loader;		/* as in probed.h */
	bool is_redefined;
	const void *bytes;
	size_t size;
};

/* Which annotations it has is kept, while that may be of use to who misspelt one. */
void instrument_look(struct instrument *instrument, const void *bytes, size_t size);

/*
 * Appends the class with probes. Nothing is appended if no method of it has one: then it
 * is to stay as it is. So is one that comes with our probes in it, as somebody kept what
 * we made. False: it should have some, but could not be read, or without memory: it stays
 * as it is, too; or it has, and could not be dumped.
 */
bool instrument_class(struct instrument *instrument,
		      const struct instrument_class *class_, struct buf *to,
		      struct err *err);

#endif
