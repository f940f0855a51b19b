/*
 * calibrate.h - the clock of a recording, by what all of its headers say.
 *
 * HotSpot's ticks are those of the processor, where it can read them, and it has measured
 * only roughly how many there are in a second: by parts in ten thousand that may be wrong, which
 * is tens of milliseconds in ten minutes. But each header tells the time anew, beside
 * the ticks. So the first and the last one of a run tell how many there were in fact.
 * Where it counts nanoseconds, there is nothing to correct. JDK 8 and 11 tell the time in
 * milliseconds, cut off; all headers together then know better than one.
 */
#ifndef COPY_CALIBRATE_H
#define COPY_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "jfr/header.h"

/*
 * Headers of one run, in order, get the ticks in a second that they tell together, and the times
 * that fit. False, and nothing is changed: they are of several runs, the time was set between
 * them, or they are too near to each other to tell.
 */
bool calibrate_headers(struct header *headers, size_t count);

/*
 * The same with a file of whole chunks, open for reading and writing. One that is damaged
 * stays as it is. ERR_SYSTEM, ERR_MEMORY.
 */
bool calibrate_file(int fd, struct err *err);

#endif
