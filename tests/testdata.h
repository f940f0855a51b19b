/*
 * testdata.h - what the sample recordings and the seeds of the fuzz targets share.
 *
 * All of it ends the program, with a message, where something cannot be done.
 */
#ifndef TESTS_TESTDATA_H
#define TESTS_TESTDATA_H

#include "unit/make.h"

#define STRING "java.lang.String"
#define SYMBOL "jdk.types.Symbol"
#define EVENT_TYPE "jdk.jfr.Event"

/* Begins a chunk at that second of the shop, of these types besides the JDK's. */
void sample_begin(struct writer *writer, const struct schema_type *types,
		  int64_t seconds);

void sample_finish(struct writer *writer);

/* A checkpoint of our own making behind those that are there. */
void sample_checkpoint(struct writer *writer, const struct make_value *values);

void sample_save(const char *folder, const char *name, const struct buf *bytes);

/* Writes all seeds into root/tests/fuzz/corpus. */
void sample_seeds(const char *root);

#endif
