/*
 * accept.h - what the JDK's own readers accept of metadata.
 *
 * They refuse a whole recording for one type that they cannot make sense of, where we
 * do without it (format.md 11). All of this is asked before metadata is written for
 * them: mend.h leaves out what is not accepted. JDK 17 and JDK 25 must both accept it.
 */
#ifndef COPY_ACCEPT_H
#define COPY_ACCEPT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"
#include "jfr/element.h"
#include "jfr/metadata.h"

struct accept {
	const struct metadata *metadata;
	/* By type index. */
	bool *is_refused;	/* of its values nothing can be read */
	bool *is_inline;	/* fields hold it without a pool */
	bool *is_pooled;	/* fields hold keys of its constants */
	int64_t *ids;		/* to declare it with; other ones if numbers.h says so */
};

/* Looks at all types, whose programs are compiled. False: no memory in the arena. */
bool accept_open(struct accept *accept, const struct metadata *metadata,
		 struct arena *arena);

/*
 * True if events, or constants, of that type can be read. What the text of a stack
 * trace is made of counts only if all that it needs itself can be read, too.
 */
bool accept_type(const struct accept *accept, const struct type *type);
bool accept_pool(const struct accept *accept, const struct type *type);

/* True if the field may be declared; all fields of a type that can be read may. */
bool accept_field(const struct accept *accept, const struct field *field);

/*
 * How a field has to be declared: a simple type that is held without a pool is read,
 * or not, by chance, so the field is declared as what the type stands for.
 */
struct accept_form {
	const struct type *type;
	bool array;
	bool pooled;
};

struct accept_form accept_form(const struct field *field);

/* True if the annotation has values for all members of its type, of the right kind. */
bool accept_annotation(const struct accept *accept, const struct element *annotation);

/* True if the type may have its name; one that cannot be read is without fields. */
bool accept_name(const struct accept *accept, const struct type *type);

#endif
