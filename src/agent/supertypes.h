/*
 * supertypes.h - what is above a class: its superclasses, and all interfaces of them.
 *
 *	struct supertypes above = { .jvm = jvm, .jni = jni, .type = type };
 *	... supertypes_is_below(&above, STR("a.b.Base")) ...
 *	supertypes_clear(&above);
 *
 * Asked of the JVM when it is first needed. Of a class that is not linked yet the
 * interfaces are not known. Runs no code of Java's.
 */
#ifndef AGENT_SUPERTYPES_H
#define AGENT_SUPERTYPES_H

#include "agent/jvm.h"
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

struct supertypes {
	const struct jvm *jvm;
	JNIEnv *jni;
	jclass type;
	bool is_read;
	VEC(struct str) names;		/* with slashes, its own among them */
	struct arena arena;
};

/*
 * True if it is one of the types that the pattern means (methodfilter.h), or below one: a
 * filters_is_below, whose context is a struct supertypes.
 */
bool supertypes_is_below(void *supertypes, struct str pattern);

void supertypes_clear(struct supertypes *supertypes);

#endif
