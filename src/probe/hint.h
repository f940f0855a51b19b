/*
 * hint.h - what may have been meant by a filter that selected no method.
 *
 * It is compared with what there was: classes, their methods, annotations. What comes of
 * it follows "the filter X selected no method": a filter that can be pasted as it is
 * ("; did you mean a.b.C::m?"), or why (": that method is native"), or both.
 */
#ifndef PROBE_HINT_H
#define PROBE_HINT_H

#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "jfc/methodfilter.h"

struct hint_method {
	struct str name;		/* as filters have it */
	struct str parameters;		/* "java.lang.String,int[]" */
	uint16_t access;		/* as in class files */
};

/* Texts belong to who adds them. */
struct hint_methods {
	VEC(struct hint_method) of;
};

/* Appends the methods of a class. */
typedef void hint_add_methods(void *context, size_t class_, struct hint_methods *to);

/* What there is. Names have dots. */
struct hint_known {
	const struct str *classes;
	size_t class_count;
	const struct str *annotations;
	size_t annotation_count;
	hint_add_methods *add_methods;
	void *context;			/* of add_methods */
	const struct methodfilter *others;	/* what a ! takes out is theirs; or NULL */
};

/* Appends it: nothing, if there is nothing to say. */
void hint_add(struct buf *to, const struct methodfilter_item *item,
	      const struct hint_known *known);

#endif
