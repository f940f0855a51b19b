/*
 * classes.h - classes, their loaders and methods, and what events call them.
 *
 * Each gets its key when an event first refers to it, and its names are put down then,
 * while it is there: classes that no event has to do with cost nothing. Classes and
 * loaders bear their key as a JVMTI tag; when the collector frees them, what is recorded
 * keeps its names, and all else of them is forgotten.
 *
 * Any thread of the JVM, but for classes_freed, which comes from the collector. The lock
 * is never held across a call of the JVM.
 */
#ifndef AGENT_CLASSES_H
#define AGENT_CLASSES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/jvm.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/constants.h"

struct class_line {
	uint32_t start;			/* bytecode index from which on ... */
	int32_t line;			/* ... it is this one */
};

struct class_method {
	uint64_t id;			/* the JVM's; 0: free */
	uint64_t key;			/* POOL_METHOD */
	uint64_t type;			/* POOL_CLASS */
	bool is_native;
	uint32_t line_count;
	struct class_line *lines;	/* as the compiler wrote them */
	uint32_t next;			/* of the class, or free; MAP_NONE: none */
};

struct classes {
	const struct jvm *jvm;
	struct constants *constants;
	pthread_mutex_t lock;
	VEC(struct class_method) methods;
	struct map by_id;		/* index in methods */
	struct map first;		/* by key of the class: the first of its methods */
	uint32_t free;			/* MAP_NONE: none */
	uint64_t boot_loader;		/* POOL_CLASS_LOADER; 0: not named yet */
};

void classes_init(struct classes *classes, const struct jvm *jvm,
		  struct constants *constants);

/* The key of a class; 0: null, or without memory. */
uint64_t classes_key(struct classes *classes, JNIEnv *jni, jclass type);

/* A class's name in its signature, which is changed: "a/b/C" of "La/b/C;", "int" of "I". */
char *classes_name(char *signature);

/* The module that a class is in; false: in none with a name. The buffers are the caller's. */
struct classes_module {
	struct buf name, version;	/* version: empty if it has none */
};
bool classes_module(const struct jvm *jvm, JNIEnv *jni, jclass type,
		    struct classes_module *module);

/* The place of an instruction, as a stack frame has it. */
struct class_place {
	uint64_t method;		/* POOL_METHOD; 0: not known */
	int32_t line;			/* -1: not known */
	bool is_native;
};
struct class_place classes_place(struct classes *classes, JNIEnv *jni, jmethodID method,
				 int64_t bytecode);

/* An object with that tag is gone. */
void classes_freed(struct classes *classes, jlong tag);

#endif
