/*
 * testdata.h - what the sample recordings and the seeds of the fuzz targets share.
 *
 * A sample is a row of one of the lists below: what is written, and what is then
 * changed in the bytes. All functions end the program, with a message, where
 * something cannot be done.
 */
#ifndef TESTS_TESTDATA_H
#define TESTS_TESTDATA_H

#include "unit/make.h"

#define STRING "java.lang.String"
#define SYMBOL "jdk.types.Symbol"
#define EVENT_TYPE "jdk.jfr.Event"

/* Where the fields of a header stand. */
struct layout {
	char magic[4];
#define X(name, size) char name[size];
	HEADER_FIELDS(X)
#undef X
};

#define AT(field) offsetof(struct layout, field)

/* A number for a field of the first header, as members of a sample. */
#define PUT(field, number_)                                                    \
	.at = AT(field), .width = sizeof(((struct layout *)0)->field),         \
	.number = (number_)

struct sample {
	const char *name;	/* of its file, without .jfr (not .part); NULL ends a list */
	void (*make)(struct writer *writer);

	/* Without `make`: a stall (samples/stall.h) with this event in the middle. */
	const struct make_value *sale;	/* its fields, of a shop.Sale */
	const struct make_value *raw;	/* all its bytes, and be it none */

	/* Or else: three notes of samples/picture.c, whose metadata has these lines. */
	const char *lines;
	const struct make_value *own;	/* the fields of an event of the type 20 */

	void (*change)(struct buf *bytes);	/* NULL: nothing */
	size_t at;				/* PUT; 0: nothing */
	int width;
	int64_t number;
	size_t cut;				/* the file ends here; 0: no cut */
};

extern const struct sample good_samples[], object_samples[], odd_samples[];
extern const struct sample shape_samples[], damage_samples[], event_samples[];
extern const struct sample pool_samples[], picture_samples[], unfinished_samples[];
extern const struct sample view_samples[], secret_samples[], sampler_samples[];
extern const struct sample methods_samples[];

/* Begins a chunk at that second of the shop, of these types besides the JDK's. */
void sample_begin(struct writer *writer, const struct schema_type *types,
		  int64_t seconds);

/* A chunk with two sales. */
void sample_small(struct writer *writer, int64_t seconds);

void sample_finish(struct writer *writer);

/* The header tells of what is there so far, and that more will come. */
void sample_flush(struct writer *writer);

/* Leaves the chunk as it is, as a JVM does that is killed. */
void sample_kill(struct writer *writer);

/* A checkpoint of our own making behind those that are there. */
void sample_checkpoint(struct writer *writer, const struct make_value *values);

/* A big-endian number over the bytes that are there. */
void sample_put(struct buf *bytes, size_t at, int width, uint64_t number);

/* The notes of samples/picture.c; `own` may be NULL. */
void sample_picture(struct writer *writer, const char *lines,
		    const struct make_value *own);

/* Repositories of our agent, with spill files, into that folder. */
void sample_spills(const char *folder);

void sample_save(const char *folder, const char *name, const struct buf *bytes);

/* Writes all seeds into root/tests/fuzz/corpus. */
void sample_seeds(const char *root);

#endif
