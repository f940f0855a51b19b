/*
 * jfranswer.h - what HotSpot's own recorder answers to JFR.start, JFR.dump, JFR.stop and
 * JFR.check, read: texts for people, of JDK 8 to 27.
 *
 * They come from another process, and may say anything; names of recordings may look
 * like the words around them. What is not understood is passed over.
 */
#ifndef JVMS_JFRANSWER_H
#define JVMS_JFRANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "control/facts.h"

#define JFRANSWER_RECORDINGS_MAX 1000

/* Zeroed: none. */
struct jfranswer_recordings {
	VEC(struct recording_facts) of;
	struct arena arena;		/* of their texts */
};

/*
 * JFR.check: adds those that there are, without what is closed. Known are id, name, state,
 * duration, max_age and max_size, the sizes as they are told, rounded. ERR_MEMORY.
 */
bool jfranswer_recordings(struct jfranswer_recordings *all, struct str answer,
			  struct err *err);
void jfranswer_clear(struct jfranswer_recordings *all);

/* JFR.start: the number of the recording that began, or will; 0: none did. */
uint64_t jfranswer_started(struct str answer);

/* JFR.dump and JFR.stop: true if that was done. *path: the file, size 0: not told. */
bool jfranswer_dumped(struct str answer, struct str *path);
bool jfranswer_stopped(struct str answer, struct str *path);

/*
 * Why it was not done, from its first words that are no warning. Returns false, with
 * ERR_USAGE.
 */
bool jfranswer_why(struct str answer, struct err *err);

/* The next warning in front of the answer, without "Warning! "; false: no more. */
bool jfranswer_warning(struct str *answer, struct str *warning);

#endif
