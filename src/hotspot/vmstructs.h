/*
 * vmstructs.h - what the JVM's own tables say of its memory.
 *
 * HotSpot exports them for its debuggers (gHotSpotVMStructs and so on): where fields of
 * its C++ types lie. Other JVMs have none. All is bounded; the tables never change, and
 * what is found stays valid. No lock, no allocation; any thread.
 */
#ifndef HOTSPOT_VMSTRUCTS_H
#define HOTSPOT_VMSTRUCTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The address of an exported variable of the JVM; NULL: there is none. */
typedef const void *vmstructs_symbol(const char *name);

/* That of the JVM that this process has. */
const void *vmstructs_exported(const char *name);

/* Zeroed, it finds nothing. */
struct vmstructs {
	const char *fields, *types, *ints;	/* first rows of the tables */
	struct vmstructs_layout {	/* of a row of `fields`: where in it is ... */
		uint64_t type, name, kind, is_static, offset, address, stride;
	} field;
	struct vmstructs_type {		/* of a row of `types` */
		uint64_t name, size, stride;
	} type;
	struct vmstructs_int {		/* of a row of `ints` */
		uint64_t name, value, stride;
	} number;
};

/* `symbol` NULL: those of the JVM that this process has. False: it has no tables. */
bool vmstructs_find(struct vmstructs *vmstructs, vmstructs_symbol *symbol);

/* Where a static field is; NULL: not there. */
const void *vmstructs_static(const struct vmstructs *vmstructs, const char *type,
			     const char *field);

/* A field in an object of the type: its offset, and the name of its type. */
struct vmstructs_field {
	uint64_t offset;
	const char *kind;		/* "const char*"; maybe NULL */
};
bool vmstructs_field(const struct vmstructs *vmstructs, const char *type,
		     const char *field, struct vmstructs_field *found);

/* The pointer that lies there; NULL: it is null, or `at` is. */
static inline const void *vmstructs_pointer(const void *at)
{
	const void *pointer = NULL;

	if (at)
		memcpy(&pointer, at, sizeof(pointer));
	return pointer;
}

/* A text that a static field points to; NULL: not there, or not set. */
const char *vmstructs_text(const struct vmstructs *vmstructs, const char *type,
			   const char *field);

/* So many texts, from two static fields; any may be NULL. Zeroed: not there. */
struct vmstructs_texts {
	const char *const *items;
	size_t count;
};
struct vmstructs_texts vmstructs_texts(const struct vmstructs *vmstructs,
				       const char *type, const char *list,
				       const char *count);

/* The size of an object; 0: not known. */
uint64_t vmstructs_size(const struct vmstructs *vmstructs, const char *type);

/* A constant of the JVM's, as of an enumeration. False: not known. */
bool vmstructs_int(const struct vmstructs *vmstructs, const char *name, int32_t *value);

#endif
