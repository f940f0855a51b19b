/*
 * modules.h - modules and packages of classes, as constants.
 *
 * Any thread; references to objects are left to the caller's frame.
 */
#ifndef AGENT_MODULES_H
#define AGENT_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/jvm.h"
#include "engine/constants.h"

/* The buffers are the caller's to clear. */
struct module_name {
	struct buf name, version;	/* version: empty if it has none */
};

/* Of the module that a class is in. False, and empty: in none with a name. */
bool modules_name(const struct jvm *jvm, JNIEnv *jni, jclass type,
		  struct module_name *name);

/*
 * POOL_PACKAGE of the class with that name (a/b/C, which is changed meanwhile) and the
 * loader with that key; with its module. 0: it is in none, or without memory.
 */
uint64_t modules_package(const struct jvm *jvm, struct constants *constants,
			 JNIEnv *jni, jclass type, char *name, uint64_t loader);

#endif
