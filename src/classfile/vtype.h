/*
 * vtype.h - what is in a local variable or on the stack, as the verifier sees it.
 *
 * Longs and doubles take two slots, the second of which is VTYPE_SECOND. A class is known
 * by its constant, or where there may be none yet, by its name.
 */
#ifndef CLASSFILE_VTYPE_H
#define CLASSFILE_VTYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* As in a StackMapTable (JVMS 4.7.4), but for the last one. */
enum vtype_tag {
	VTYPE_TOP,
	VTYPE_INTEGER,
	VTYPE_FLOAT,
	VTYPE_DOUBLE,
	VTYPE_LONG,
	VTYPE_NULL,
	VTYPE_UNFINISHED_THIS,	/* before another constructor was called */
	VTYPE_OBJECT,
	VTYPE_UNFINISHED,	/* before its constructor was called */
	VTYPE_SECOND,
};

struct vtype {
	struct str name;	/* of an object without a constant: "a/b/C", "[I" */
	uint16_t value;		/* its constant, or 0; of what is unfinished: where its
				   `new` is */
	uint8_t tag;		/* enum vtype_tag */
};

static inline bool vtype_is_wide(struct vtype type)
{
	return type.tag == VTYPE_LONG || type.tag == VTYPE_DOUBLE;
}

/*
 * Takes a type off the front of a descriptor, which begins with it. False: none is there,
 * or it is not whole. `V` gives VTYPE_TOP.
 */
bool vtype_take(struct str *descriptor, struct vtype *type);

/*
 * The same for the parameters of a method: the first call steps over "(", the last, which
 * gives false, over ")"; then the descriptor begins with what the method returns. It is
 * empty if it is damaged.
 */
bool vtype_take_parameter(struct str *descriptor, struct vtype *type);

#endif
