/*
 * classes.h - classes and their loaders, and what events call them.
 *
 * Each gets its key when an event first refers to it, and its names are put down then,
 * while it is there: classes that no event has to do with cost nothing. (A sample may
 * refer to a class that is gone by then: that is put down by what was copied of it,
 * copies.h.) Classes and loaders bear their key as a JVMTI tag; when the collector frees
 * them, what is recorded keeps its names, and all else of them is forgotten.
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
 * A class or a loader (POOL_CLASS, POOL_CLASS_LOADER) bears a tag from now on, by which
 * classes_freed will know it. 0 without memory. Nothing is put down of it.
 */
jlong classes_tag(struct classes *classes, jobject object, enum pool_id pool);

/* The key of one that bears a tag, else 0. It may not be used as it is. */
uint64_t classes_key_so_far(struct classes *classes, jobject object);

/*
 * The key of a class that is gone: what is known of it is put down, its name
 * (classes_name) and modifiers. `key` and `loader` are those that it and its loader had,
 * or 0; classes_freed was not told of these yet. 0 without memory.
 */
uint64_t classes_key_of_gone(struct classes *classes, uint64_t key, uint64_t loader,
			     const char *name, jint modifiers);

/* A class's name in its signature, which is changed: "a/b/C" of "La/b/C;". */
char *classes_name(char *signature);

/*
 * Where in such a name the address of a hidden class begins: at a point, or, in what came
 * before hidden classes (until JDK 14), a slash. NULL: it is not hidden.
 */
char *classes_hidden(char *name);

/* The key of the class that bears the tag; 0: it is that of a loader. */
uint64_t classes_of_tag(jlong tag);

/* An object with that tag is gone. */
void classes_freed(struct classes *classes, jlong tag);

#endif
