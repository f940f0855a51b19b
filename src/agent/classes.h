/*
 * classes.h - classes and their loaders, and what events call them.
 *
 * Each gets its key when an event first refers to it, and its names are put down then,
 * while it is there: classes that no event has to do with cost nothing. (A sample may
 * refer to a class that is gone by then: so a key can be had before.) Classes and
 * loaders bear their key as a JVMTI tag; when the collector frees them, what is
 * recorded keeps its names, and all else of them is forgotten.
 *
 * Any thread of the JVM; without a lock.
 */
#ifndef AGENT_CLASSES_H
#define AGENT_CLASSES_H

#include <stdint.h>

#include "agent/jvm.h"
#include "engine/constants.h"

struct classes {
	const struct jvm *jvm;
	struct constants *constants;
	uint64_t boot_loader;		/* POOL_CLASS_LOADER; 0: not named yet */
};

void classes_init(struct classes *classes, const struct jvm *jvm,
		  struct constants *constants);

/* The key of a class; 0: null, or without memory. */
uint64_t classes_key(struct classes *classes, JNIEnv *jni, jclass type);

/*
 * The key that a class will have when an event needs it, and that which its loader has
 * by now, or 0. Nothing is put down: neither may be used as it is.
 */
struct classes_keys {
	uint64_t type, loader;
};
struct classes_keys classes_reserve(struct classes *classes, JNIEnv *jni, jclass type);

/*
 * The key of a class that is gone, but that classes_freed was not told of yet: what else
 * is known of it is put down, its name (classes_name) and modifiers. 0 without memory.
 */
uint64_t classes_key_of_gone(struct classes *classes, const struct classes_keys *keys,
			     const char *name, jint modifiers);

/* A class's name in its signature, which is changed: "a/b/C" of "La/b/C;". */
char *classes_name(char *signature);

/* The key of the class that bears the tag; 0: it is that of a loader. */
uint64_t classes_of_tag(jlong tag);

/* An object with that tag is gone. */
void classes_freed(struct classes *classes, jlong tag);

#endif
