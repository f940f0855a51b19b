/*
 * rewrite.h - calls of a probe are put into methods of a class.
 *
 * What a probed method does is as if it were written
 *
 *	long start = Runtime.enter();
 *	try {
 *		...
 *	} finally {
 *		Runtime.exit(start, id);
 *	}
 *
 * so that `exit` is called once for each call of the method that ends, however it ends.
 * Two gaps: in a constructor nothing can be put around the call of another constructor
 * (super(), this()), so an exception out of that is not seen; and java.lang.Object's
 * constructor has no handler, as compilers of HotSpot trip over it. The start is kept
 * in a local variable behind all others.
 *
 * All else of the class stays as it is, byte for byte; constants are only added. A
 * method that cannot be rewritten is left as it is, and told. StackMapTable, tables of
 * lines and variables, annotations of types, the exception table and all jumps are
 * moved along; jumps that get too far for 16 bits become wide ones. Other attributes of
 * its code are left out, as nobody here knows what places they tell.
 *
 * What it makes of code that the verifier takes, the verifier takes. Code that no JVM
 * would take, by the form of it or of its tables, is left as it is, so that the JVM says
 * of it what it says without us: jumps, handlers, variables, lines to where there is no
 * code, code that falls off its end, variables that it does not have; where there are
 * frames, also a stack that is too small. Not so exact with code of before Java 7: where
 * it has no frames, a stack that lacks a few slots is not seen, and with the larger one
 * is taken; if it ends with what is reached from nowhere and goes on behind the end, it
 * is left alone, though old verifiers take it. Code whose types are wrong may come out in
 * any other way that the verifier does not take.
 *
 * Takes no lock; memory is the caller's arena.
 */
#ifndef CLASSFILE_REWRITE_H
#define CLASSFILE_REWRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "classfile/classfile.h"

/* What is called: static methods of a class that every other can see, by name. */
struct rewrite_probe {
	const char *owner;		/* "java/lang/CjfrRuntime" */
	const char *enter;		/* "enter", which is ()J */
	const char *exit;		/* "timing", which is (JI)V */
};

enum rewrite_result {
	REWRITE_DONE,
	REWRITE_NO_CODE,		/* abstract or native */
	REWRITE_SUBROUTINES,		/* jsr, ret: code of before Java 6 */
	REWRITE_TOO_LARGE,		/* beyond 64 KB of code, locals, stack */
	REWRITE_CONSTANTS_FULL,		/* more than 65,535 */
	REWRITE_DAMAGED,		/* code or a table is not what it should be */
};

/* "it has subroutines (jsr)": for people. NULL for REWRITE_DONE. */
const char *rewrite_reason(enum rewrite_result result);

/* A method that is to have a probe, and what came of it. */
struct rewrite_method {
	uint16_t index;			/* in file->methods */
	const struct rewrite_probe *probe;
	int32_t id;			/* what `exit` gets */
	enum rewrite_result result;	/* from here on: set by rewrite_class */
	uint32_t size_before, size_after; /* of the code, bytes; after: 0 if not done */
};

/*
 * Appends the class with those methods rewritten; they are in the order of their index,
 * each once. If none is done, nothing is appended. False without memory only. The arena
 * holds what is needed in between.
 */
bool rewrite_class(const struct classfile *file, struct rewrite_method *methods,
		   size_t count, struct arena *arena, struct buf *to, struct err *err);

/*
 * The same where jumps are taken for too far beyond `reach` bytes (32767): so that tests
 * meet what no real class needs.
 */
bool rewrite_class_within(const struct classfile *file, struct rewrite_method *methods,
			  size_t count, int32_t reach, struct arena *arena,
			  struct buf *to, struct err *err);

#endif
