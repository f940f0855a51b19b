/*
 * names.h - who is called what in raw samples, as far as a JVM noted it (methodnote.h).
 */
#ifndef SALVAGE_NAMES_H
#define SALVAGE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/constants.h"
#include "engine/samples.h"
#include "jfr/lines.h"
#include "jfr/methodnote.h"

struct name {
	struct methodnote note;		/* in the arena */
	struct lines lines;
	bool has_lines;			/* they were decoded */
};

/* A zeroed struct knows none. */
struct names {
	struct constants *constants;	/* of which the notes tell keys */
	struct arena arena;
	struct map by_id;
	VEC(struct name) all;
};

/*
 * What a record SPILL_METHOD says of the method with that number. ERR_FORMAT,
 * ERR_MEMORY.
 */
bool names_add(struct names *names, uint64_t id, const char *bytes, size_t size,
	       struct err *err);

/* Valid as long as the names stay where they are. */
struct namer names_namer(struct names *names);

void names_clear(struct names *names);

#endif
