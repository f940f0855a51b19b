/*
 * cover.h - which exceptions of a method are caught, by a handler of which kind.
 *
 * In a constructor there is a time before another one (super(), this()) was called: the
 * verifier insists that a handler knows of it. So there are two. The call itself is not
 * covered, as the verifier does not like it, nor is an instruction that returns: by then
 * the end of the method was told.
 */
#ifndef CLASSFILE_COVER_H
#define CLASSFILE_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "classfile/code.h"

enum cover {
	COVER_NONE,
	COVER_BODY,
	COVER_EARLY,		/* before another constructor was called */
	COVER_COUNT,
};

/*
 * Gives enum cover for each instruction, by number; and which there are, in has[].
 * is_typed: the verifier goes by the frames of the content, else it finds out itself.
 * NULL: *result says why.
 */
uint8_t *cover_make(const struct code *code, const struct classfile_method *method,
		    bool is_typed, struct classfile_part frames, bool has[COVER_COUNT],
		    struct arena *arena, enum code_result *result);

#endif
