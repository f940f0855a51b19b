/*
 * proof.h - a recording that is made, verified, and what was found, in lines.
 *
 *	proof_begin(0);
 *	at = proof_here();
 *	writer_event(&proof.made.writer, 4711);
 *	proof_verify();
 *	proof_finds(0, "0 @%zu fault : the type of an event is not declared: number "
 *		       "4711", at);
 *	proof_in_all(1, 0);
 *
 * In a line stand the chunk, the byte, the severity, the type, the cause, the detail.
 */
#ifndef UNIT_PROOF_H
#define UNIT_PROOF_H

#include "verify/verdict.h"
#include "make.h"

#define EVENT_TYPE "jdk.jfr.Event"
#define SECOND INT64_C(1000000000)

/* Where the fields of a header are. */
#define CHECKPOINT_AT 16
#define METADATA_AT 24
#define NANOS_AT 32
#define DURATION_AT 40
#define TICKS_AT 56

/* Pictures of metadata (make_tree) are made of these. */
#define ROOT "root\n metadata\n"
#define REGION " region gmtOffset=0\n"
#define LONG_CLASS "  class name=long id=2\n"
#define START_FIELD "   field name=startTime class=2\n"

#define PROOF_LINES 64
#define PROOF_WIDTH 400

struct proof {
	struct made made;
	char lines[PROOF_LINES][PROOF_WIDTH];
	size_t count;			/* of lines */
	struct verdict verdict;
};

/* Tests have one each: they run in processes of their own. */
extern struct proof proof;

/*
 * A chunk that begins with its metadata, so that all behind stays where it is written.
 * Each minute is a minute later. Types: test.E (x int, text), test.Span (duration),
 * test.Ref (symbol), test.Array (list of int), test.Group (name, parent), test.Two (a
 * pair, a byte), test.OfThread; test.Pair is no event. Their ids are 100 to 107.
 */
void proof_begin(int minute);
struct header proof_header(int minute);

/* A likely time for an event of the chunk. */
int64_t proof_ticks(void);

/* Where in the recording the next thing goes. */
size_t proof_here(void);

/* An event test.E whose text is this. */
void proof_text(const struct make_value *text);

/* A constant test.Group; where it begins, behind its key. */
size_t proof_group(uint64_t key, const char *name, uint64_t parent);

/* Finishes the recording, and verifies it. */
void proof_verify(void);

/* Verifies made.bytes once more, after they were changed. */
void proof_again(void);
bool proof_as(int threads, uint64_t limit);

/* Puts eight bytes into made.bytes. */
void proof_put(size_t at, int64_t number);

/* That line is the one there is. */
void proof_finds(size_t index, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* So many were found, and all of them are told. */
void proof_in_all(uint64_t faults, uint64_t remarks);

void proof_end(void);

#endif
