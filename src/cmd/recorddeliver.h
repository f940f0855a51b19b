/*
 * recorddeliver.h - what JVMs handed over becomes a file: of dump and stop.
 */
#ifndef CMD_RECORDDELIVER_H
#define CMD_RECORDDELIVER_H

#include "cmd/recordverb.h"

/*
 * What is wrong with -o, as far as that is known before there is a JVM. Otherwise a message was
 * written, and the status tells.
 */
enum status record_deliver_check(const struct record_verb *verb);

/*
 * Writes what the engines of the verb handed over (data[i] of engines[i]) to the file that -o
 * says, several of them as one recording, and lets them go. RECORD_SKIPPED: there was
 * nothing. Of what was written `told` says how much, and where: "490 events, 70 kB in
 * app.jfr".
 */
enum record_outcome record_deliver(struct record_verb *verb, const struct vm *vm,
				   struct record_data data[RECORD_ENGINES],
				   struct buf *told, struct err *err);

/* It is not: all engines let go of it. Where it is then, if nowhere else, is told. */
void record_deliver_not(const struct record_verb *verb, const struct vm *vm,
			struct record_data data[RECORD_ENGINES]);

/* "; try: cjfr summary app.jfr" */
void record_deliver_try(struct buf *to, const char *path);

#endif
