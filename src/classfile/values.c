#include "classfile/values.h"

/* A list that is not at its end: so many values, maybe each with a name before it. */
struct open {
	uint16_t left;
	bool has_names;
};

/* In each other; there is nothing in the language to bound it. */
#define DEPTH 64

/* A value that is an array or an annotation opens a list; all others end here. */
static bool enter(struct reader *reader, struct open *open)
{
	switch (reader_u1(reader)) {
	case 'B': case 'C': case 'D': case 'F': case 'I': case 'J': case 'S': case 'Z':
	case 's': case 'c':
		reader_take(reader, 2);
		return false;
	case 'e':
		reader_take(reader, 4);
		return false;
	case '@':
		reader_take(reader, 2);
		*open = (struct open){ reader_u2(reader), true };
		return true;
	case '[':
		*open = (struct open){ reader_u2(reader), false };
		return true;
	default:
		reader->failed = true;
		return false;
	}
}

void values_skip(struct reader *reader)
{
	struct open open[DEPTH];
	int depth = 0;

	open[0] = (struct open){ reader_u2(reader), true };
	while (depth >= 0 && !reader->failed) {
		struct open inner;

		if (!open[depth].left) {
			depth--;
			continue;
		}
		open[depth].left--;
		if (open[depth].has_names)
			reader_take(reader, 2);
		if (!enter(reader, &inner))
			continue;
		if (depth + 1 == DEPTH)
			reader->failed = true;
		else
			open[++depth] = inner;
	}
}
