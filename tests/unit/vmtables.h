/*
 * vmtables.h - tables as a JVM exports them, of a JVM that there is not.
 */
#ifndef UNIT_VMTABLES_H
#define UNIT_VMTABLES_H

#include <stddef.h>
#include <stdint.h>

#include "hotspot/vmstructs.h"

/* As rows of the JVM's tables are; a NULL type ends them. */
struct vmtables_field {
	const char *type, *name, *kind;
	int32_t is_static;
	uint64_t offset;
	const void *address;
};

struct vmtables_type {
	const char *name, *super;
	int32_t is_oop, is_integer, is_unsigned;
	uint64_t size;
};

struct vmtables_int {
	const char *name;
	int32_t value;
};

/* Makes these the tables; NULL: the JVM has none of that kind. No constants. */
void vmtables_set(const struct vmtables_field *fields,
		  const struct vmtables_type *types);

/* Then these are the constants; a NULL name ends them. */
void vmtables_set_ints(const struct vmtables_int *ints);

/* One symbol, which is not exported any more from here on; NULL: all are. */
void vmtables_hide(const char *symbol);

/* What is found in them; zeroed if they are not whole. */
struct vmstructs vmtables_structs(void);

/* A vmstructs_symbol. */
const void *vmtables_symbol(const char *name);

#endif
