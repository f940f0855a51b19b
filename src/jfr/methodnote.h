/*
 * methodnote.h - what the names of raw samples are made of when the JVM cannot be asked
 * any more: the value of a record SPILL_METHOD (spill.h), whose key is the jmethodID.
 *
 * Varints and strings: the key of the constant, flags, the state of threads that wait in
 * it (empty: any), and its lines (lines_encode) to the end.
 */
#ifndef JFR_METHODNOTE_H
#define JFR_METHODNOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

struct methodnote {
	uint64_t method;		/* POOL_METHOD */
	bool is_native;
	struct str waiting;		/* bytes NULL: any */
	struct str lines;		/* encoded; borrowed when read */
};

void methodnote_write(struct buf *to, const struct methodnote *note);

/* False: it is none. The strings lie in the bytes. */
bool methodnote_read(struct methodnote *note, const char *bytes, size_t size);

#endif
