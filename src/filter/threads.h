/*
 * threads.h - which threads are wanted, and which thread an event is of.
 *
 * The grammar is that of event names: patterns separated by commas, `*` any run, `?`
 * one character (also one that is a comma). A pattern matches the Java name of a
 * thread or what the system calls it; one that is a number also its Java id or that
 * of the system.
 */
#ifndef FILTER_THREADS_H
#define FILTER_THREADS_H

#include <stdbool.h>

#include "jfr/object.h"

struct threads {
	struct str patterns;
	bool is_java;	/* as in the JDK: by the Java name alone, eventThread alone */
};

/* True if one of the patterns matches. Names are decoded into `arena`. */
bool threads_match(const struct threads *threads, const struct object *thread,
		   struct arena *arena);

/*
 * The field with the thread of an event: eventThread, else sampledThread, else the
 * only one that is a thread; NULL if there is none.
 */
const struct field *threads_field(const struct threads *threads,
				  const struct type *event);

#endif
