/*
 * strip.h - what src/classfile/rewrite made of a class is undone: it must be the class.
 *
 * Written from what rewrite.h promises, and with nothing of what does it but the parser
 * (classfile.h). With the calls of the probe taken out and jumps that were made wide
 * made short again, each method has the instructions, operands and jumps (by
 * instruction) that it had, the exception table without the entries of ours, and the
 * tables of lines, variables and annotations. What is ours is where it must be: one
 * `enter` at the begin, one `exit` before each return and in each handler, and handlers
 * over all instructions but those of which rewrite.h says otherwise. All else is the
 * same, byte for byte.
 *
 * Frames (StackMapTable) are for a JVM to judge; see tests/live/rewriteall.
 */
#ifndef UNIT_STRIP_H
#define UNIT_STRIP_H

#include "classfile/classfile.h"
#include "classfile/rewrite.h"

/* What was seen; numbers are added to those that are there. */
struct strip_counts {
	uint64_t methods;  /* rewritten */
	uint64_t widened;  /* jumps */
	uint64_t handlers; /* of ours */
};

/*
 * `methods` as rewrite_class left them: those that were done are checked, all others
 * must be as before. ERR_FORMAT says in which method what is wrong; ERR_MEMORY.
 */
bool strip_check(const struct classfile *before, const struct classfile *after,
		 const struct rewrite_method *methods, size_t count,
		 struct strip_counts *counts, struct arena *arena, struct err *err);

#endif
