/*
 * methods.h - methods of classes, and the lines of their instructions.
 *
 * One is read when it is first on a stack that an event has, and kept until its class
 * is freed. Any thread, but for methods_freed, which is the flusher's. The lock is never
 * held across a call of the JVM.
 */
#ifndef AGENT_METHODS_H
#define AGENT_METHODS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/classes.h"
#include "base/map.h"
#include "base/vec.h"

struct method_line {
	uint32_t start;			/* bytecode index from which on ... */
	int32_t line;			/* ... it is this one */
};

struct method {
	uint64_t id;			/* the JVM's; 0: free */
	uint64_t key;			/* POOL_METHOD */
	uint64_t type;			/* POOL_CLASS */
	bool is_native;
	uint32_t line_count;
	struct method_line *lines;	/* as the compiler wrote them */
	uint32_t next;			/* of the class, or free; MAP_NONE: none */
};

struct methods {
	const struct jvm *jvm;
	struct constants *constants;
	struct classes *classes;
	pthread_mutex_t lock;
	VEC(struct method) all;
	struct map by_id;		/* index in `all` */
	struct map first;		/* by key of a class: its first method */
	uint32_t free;			/* MAP_NONE: none */
};

/* Of those classes, which must stay. */
void methods_init(struct methods *methods, struct classes *classes);

/* The place of an instruction, as a stack frame has it. */
struct method_place {
	uint64_t method;		/* POOL_METHOD; 0: not known */
	int32_t line;			/* -1: not known */
	bool is_native;
};
struct method_place methods_place(struct methods *methods, JNIEnv *jni,
				  jmethodID method, int64_t bytecode);

/*
 * The class is ready: the JVM gives its methods their numbers now, without which stacks
 * cannot be walked in a signal handler. If the class may be unloaded, names are copied.
 */
void methods_prepare(struct methods *methods, JNIEnv *jni, jclass type);

/* The class with that key is gone: before classes_freed. 0 is none. */
void methods_freed(struct methods *methods, uint64_t type);

#endif
