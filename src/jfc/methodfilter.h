/*
 * methodfilter.h - which methods are timed or traced: the filters of JEP 520, and more.
 *
 * A text with filters, separated by `;`; white space and line breaks around them do not
 * matter:
 *
 *	a.b.C			all methods of a class
 *	a.b.C::m		methods of that name; ::<init> constructors
 *	::<clinit>  ::<init>  ::m	in all classes
 *	@a.b.Ann		methods and classes with that annotation
 * and beyond what the JDK knows:
 *	a.b.*  a.b.**		classes of a package; and of those below it
 *	a.b.C*::get*		`*` in names: any characters but a dot; `**`: dots too
 *	a.b.C::m(java.lang.String,int)	one signature; (): without parameters
 *	a.b.C::m(String,*[])	types may lack their package, and have `*`
 *	+a.b.Base  +a.b.Base::m	a type and its subtypes
 *	!filter			takes methods out again
 *
 * Names have the characters of Java's names and `-`, which other languages put there;
 * the words of Java (a.int) are no fault, as obfuscated programs have such names.
 *
 * The recorder of JDK 25 reads a text as METHODFILTER_JDK does, and leaves out what is
 * a fault. (Its wizard, `jfr configure --interactive`, takes all of a line for one
 * filter, and so refuses the `;` that it asks for.)
 *
 * configure checks filters with it; methodfilter_read and methodfilter_accepts are there
 * for a recorder. Texts belong to the filter's arena.
 */
#ifndef JFC_METHODFILTER_H
#define JFC_METHODFILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

/* One of the filters of a text. */
struct methodfilter_item {
	struct str text;		/* as it was written, without the white space */
	size_t at;			/* where in the text it begins, bytes */
	struct str class_name;		/* pattern with dots; bytes NULL: any class */
	struct str method;		/* pattern; bytes NULL: any method */
	struct str parameters;		/* "java.lang.String,int[]": no blanks, no
					   "..."; bytes NULL: any */
	bool is_annotation;		/* class_name is that of an annotation */
	bool has_subtypes;		/* `+` */
	bool is_excluded;		/* `!` */
	bool is_jdk;			/* JEP 520 knows such a filter too */
};

struct methodfilter {
	VEC(struct methodfilter_item) items;
	struct arena arena;
};

/* What is wrong with a filter. */
struct methodfilter_fault {
	size_t at;			/* in the text, bytes */
	struct str item;		/* the filter, borrowed from the text */
	const char *reason;		/* a constant: "names have dots" */
};

/* How strict a reader is. */
enum methodfilter_mode {
	METHODFILTER_OURS,		/* all of the above */
	METHODFILTER_JDK,		/* JEP 520's own alone: the rest is a fault */
};

/*
 * Reads a text. False with the first fault (fault.reason NULL: no memory). What was
 * read must be cleared in any case. An empty text has no filters and no fault.
 */
bool methodfilter_read(struct methodfilter *filter, struct str text,
		       enum methodfilter_mode mode, struct methodfilter_fault *fault);

typedef void methodfilter_told(void *context, const struct methodfilter_fault *fault);

/* Tells each filter of a text that is wrong; gives how many there are. */
size_t methodfilter_check(struct str text, enum methodfilter_mode mode,
			  methodfilter_told *told, void *context);

/* Of a method, names with dots or slashes, "<init>" and the like. */
struct methodfilter_method {
	struct str class_name;
	struct str method;
	struct str parameters;		/* "java.lang.String,int[]"; bytes NULL: not
					   known, matches no signature */
	bool is_synthetic;		/* of no source: only by a filter that names it */
	bool is_bridge;			/* only by one with `*` in the name, or a signature */
};

/* True if class or method has the annotation, or the class is below the type. */
typedef bool methodfilter_kind(void *context, const struct methodfilter_item *item,
			       const struct methodfilter_method *method);

/*
 * True if the method is meant. Names are compared here; annotations and subtypes, which
 * need more than names, are asked of `is_kind`, which may be NULL: then there are none.
 * Items that exclude win over those that include, and need not name what is synthetic.
 */
bool methodfilter_accepts(const struct methodfilter *filter,
			  const struct methodfilter_method *method,
			  methodfilter_kind *is_kind, void *context);

/* The same of one item alone. */
bool methodfilter_item_accepts(const struct methodfilter_item *item,
			       const struct methodfilter_method *method,
			       methodfilter_kind *is_kind, void *context);

/* The pattern as filters have it, of names with dots: the text may have slashes. */
bool methodfilter_matches(struct str pattern, struct str text);

void methodfilter_clear(struct methodfilter *filter);

#endif
