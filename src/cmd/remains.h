/*
 * remains.h - what JVMs that are no more left in their repositories, besides chunks.
 *
 * It is made ready for the input (jfr/input.h), which borrows it.
 */
#ifndef CMD_REMAINS_H
#define CMD_REMAINS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/vec.h"
#include "jfr/damage.h"
#include "jfr/input.h"
#include "salvage/salvage.h"

struct remains {
	VEC(struct input_rest) rests;
	VEC(struct salvage) salvages;	/* that they are of */
	VEC(const char *) paths;	/* what is to be read */
	VEC(char *) texts;		/* of paths, and names */
	uint64_t events;		/* in all rests */
};

/*
 * Looks through the paths, which are to be read, for repositories with a spill file
 * that nobody writes any more. One that cannot be used goes to `damage`, and the chunk
 * files are read without it. The folder of a session stands for the one repository in
 * it. ERR_MEMORY; ERR_FORMAT: there are several.
 */
bool remains_find(struct remains *remains, const char *const *paths, size_t count,
		  struct damage *damage, struct err *err);

/* The same of a repository whose spill file the caller has open. */
bool remains_take(struct remains *remains, const char *repository, int spill,
		  struct damage *damage, struct err *err);

void remains_clear(struct remains *remains);

#endif
