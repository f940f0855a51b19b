/*
 * recordjfc.h - what shall be recorded, as a .jfc file for the JVM's own recorder.
 *
 * The options and words of cjfr record, for events of which our engine may know nothing.
 */
#ifndef CMD_RECORDJFC_H
#define CMD_RECORDJFC_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "cmd/recordengine.h"

/*
 * Appends the file. If more engines are asked (task->has_others), each event that ours
 * records by task->orders is off, so that none is there twice. `version` is the JVM's, 0:
 * not known. ERR_USAGE: a word, file or filter that cannot be; ERR_MEMORY.
 */
bool record_jfc(const struct record_task *task, int version, struct buf *to,
		struct err *err);

#endif
