/*
 * naming.h - threads, classes and the like as one word, the way `print` shows them.
 *
 *	thread		its Java name, or what the system calls it
 *	thread group	its name
 *	class		java.lang.String, int[][]
 *	class loader	its name, or that of its class
 *	method		java.util.ArrayList.add
 */
#ifndef JFR_NAMING_H
#define JFR_NAMING_H

#include <stdbool.h>

#include "base/buf.h"
#include "jfr/object.h"

/* Structs of that role have such a word. */
bool naming_has(enum type_role role);

/*
 * Appends the word of the object; false, and nothing appended, if it has none. Its
 * strings are decoded into `arena`.
 */
bool naming_add(struct buf *to, const struct object *object, struct arena *arena);

/* Appends the parameters of a method with that descriptor: "(int, Object[])". */
void naming_add_parameters(struct buf *to, struct str descriptor);

/* Appends text with dots for slashes. */
void naming_add_dotted(struct buf *to, struct str name);

/*
 * Appends a class, whose name is as it is stored: with dots for slashes, "[[I" as
 * int[][]. `length` goes into the first pair of brackets.
 */
void naming_add_class(struct buf *to, struct str name, struct str length);

#endif
