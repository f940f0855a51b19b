/*
 * filtertext.h - two texts with filters of methods (jfc/methodfilter.h) as one.
 */
#ifndef CONTROL_FILTERTEXT_H
#define CONTROL_FILTERTEXT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* True if methods are selected: there is a filter, and not only such as take some out. */
bool filtertext_selects(struct str text);

/*
 * What selects all that each of them selects: the filters of both, each once, but one that
 * takes methods out (!) only if both have it, as what one takes out the other may want.
 * A text that selects nothing counts for nothing. The united text is in the arena, or
 * one of the two. False without memory.
 */
bool filtertext_unite(struct str one, struct str other, struct arena *arena,
		      struct str *united);

#endif
