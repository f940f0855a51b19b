/*
 * hotspot.h - the JVM's own Flight Recorder, asked as jcmd asks it (attach.h).
 *
 * Numbers of recordings are HotSpot's. Paths are those that the JVM sees. In all: false
 * with ERR_SYSTEM if it cannot be asked, with ERR_USAGE if it will not: there is no Flight
 * Recorder in it, no such recording, a file that it cannot write.
 */
#ifndef JVMS_HOTSPOT_H
#define JVMS_HOTSPOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "jvms/jfranswer.h"
#include "jvms/vm.h"

struct hotspot_start {
	struct str name;		/* size 0: HotSpot gives one */
	const char *settings;		/* a .jfc file */
	const char *output;		/* made when it stops, or the JVM; NULL: none */
	int64_t delay, duration, max_age;	/* nanoseconds; 0: none */
	int64_t max_size;		/* bytes; 0: HotSpot's own limit, or none */
	bool to_disk;
};

/* All recordings, over a zeroed struct; none is no error. jfranswer_clear in any case. */
bool hotspot_check(const struct vm *vm, struct jfranswer_recordings *all,
		   struct err *err);

/*
 * *id is the recording that began. `said` gets warnings of its recorder, a line each. ERR_USAGE:
 * also if one of that name runs, or the name cannot be told to it.
 */
bool hotspot_start(const struct vm *vm, const struct hotspot_start *start, uint64_t *id,
		   struct buf *said, struct err *err);

/* What it has so far, of the last so many nanoseconds (0: all), into a file. id 0: all. */
bool hotspot_dump(const struct vm *vm, uint64_t id, const char *path, int64_t last,
		  struct err *err);

/*
 * Stops it, into a file; NULL: the one that its start named, if it did. Then *written is
 * that, if it is told (JDK 25 and later); to be freed. NULL: not told.
 */
bool hotspot_stop(const struct vm *vm, uint64_t id, const char *path, char **written,
		  struct err *err);

/*
 * A new chunk begins, whose header tells the time anew: a recording of nothing starts,
 * and is thrown away. `settings`: a file.
 */
bool hotspot_rotate(const struct vm *vm, const char *settings, struct err *err);

#endif
