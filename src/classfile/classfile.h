/*
 * classfile.h - a class file, read: where its parts are, none of them copied.
 *
 *	if (classfile_read(&file, &arena, bytes, size, &err))
 *		for (uint16_t i = 0; i < file.method_count; i++)
 *			... file.methods[i].name ...
 *
 * What is not needed is stepped over by its length. Class files are untrusted: whatever
 * the bytes, nothing outside them is read. Versions 45 to 71 (JDK 1.1 to 27) and later
 * ones, as long as the structure is the same (JVMS 4). Names are those of the file:
 * slashes, "modified UTF-8". Knows no JVM, takes no lock.
 */
#ifndef CLASSFILE_CLASSFILE_H
#define CLASSFILE_CLASSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/* Access flags (JVMS 4.1, 4.6). */
enum {
	ACCESS_STATIC = 0x0008,
	ACCESS_SYNCHRONIZED = 0x0020,
	ACCESS_BRIDGE = 0x0040,
	ACCESS_NATIVE = 0x0100,
	ACCESS_INTERFACE = 0x0200,
	ACCESS_ABSTRACT = 0x0400,
	ACCESS_SYNTHETIC = 0x1000,
	ACCESS_MODULE = 0x8000,
};

/* Where something is in the file: bytes from its begin. */
struct classfile_part {
	uint32_t at;
	uint32_t size;
};

struct classfile_method {
	struct classfile_part whole;	/* from its access flags to its last attribute */
	uint16_t access;		/* with ACCESS_SYNTHETIC also by the attribute */
	struct str name;		/* "<init>" */
	struct str descriptor;		/* "(I)V" */
	struct classfile_part code;	/* the attribute's content; size 0: none */
	struct classfile_part annotations; /* RuntimeVisibleAnnotations' content */
};

struct classfile {
	const uint8_t *bytes;		/* borrowed */
	size_t size;
	uint16_t minor, major;
	uint16_t constant_count;	/* indexes 1 to count - 1 */
	const uint32_t *constants;	/* where the tag of each is; 0: it is none */
	uint32_t constants_end;
	uint16_t access;
	struct str name;		/* "a/b/C" */
	struct str super_name;		/* bytes NULL: Object, or a module */
	uint16_t interface_count;
	uint32_t interfaces;		/* where their indexes are */
	uint32_t methods_at;		/* where the count of methods is */
	uint32_t methods_end;
	uint16_t method_count;
	struct classfile_method *methods;
	struct classfile_part annotations;
};

/* Lists are the arena's. ERR_FORMAT says what is wrong, and where; ERR_MEMORY. */
bool classfile_read(struct classfile *file, struct arena *arena, const void *bytes,
		    size_t size, struct err *err);

/* A constant's tag; 0: there is none of that index. */
int classfile_tag(const struct classfile *file, uint16_t index);

/* The text of a Utf8 constant, the name of a Class constant; bytes NULL: it is none. */
struct str classfile_utf8(const struct classfile *file, uint16_t index);
struct str classfile_class_name(const struct classfile *file, uint16_t index);

/* The name of the i-th interface. */
struct str classfile_interface(const struct classfile *file, uint16_t i);

/*
 * Calls `what` with the descriptor of each annotation in RuntimeVisibleAnnotations
 * ("La/b/Ann;"), of the class or of a method, until that gives false. Damaged ones end
 * the list.
 */
typedef bool classfile_annotation(void *context, struct str descriptor);
void classfile_annotations(const struct classfile *file, struct classfile_part part,
			   classfile_annotation *what, void *context);

#endif
