/*
 * filters.h - which methods are to have probes.
 *
 * One text of filters (methodfilter.h) for each kind. What a plain filter selects is what
 * JEP 520 selects: methods with code that are not synthetic. A synthetic one (the body of
 * a lambda, an accessor) is selected by a filter that names it; a bridge only by one with
 * a pattern or a signature, as else a.b.C::m would mean two methods where there is one in
 * the source.
 *
 * Never selected: what the probes themselves call, and where the JVM does not stand them
 * (filters_is_excluded; docs: cjfr-record.1).
 *
 * After filters_add any thread may ask.
 */
#ifndef PROBE_FILTERS_H
#define PROBE_FILTERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "classfile/classfile.h"
#include "jfc/methodfilter.h"
#include "probe/probed.h"

#define FILTERS_KINDS_MAX 2

struct filters_of_kind {
	unsigned kind;			/* enum probe_kind */
	struct methodfilter filter;
	atomic_uint_fast64_t *hits;	/* of each item: methods that it selected, or
					   took out of those that others select (!) */
	atomic_uint_fast64_t *lost;	/* of each that selects: those taken out */
};

struct filters {
	struct filters_of_kind of[FILTERS_KINDS_MAX];
	size_t count;
};

/* ERR_USAGE names the filter that is wrong, and why. An empty text selects nothing. */
bool filters_add(struct filters *filters, unsigned kind, struct str text,
		 struct err *err);

/* True if no method at all is selected. */
bool filters_is_empty(const struct filters *filters);

/* True if it has filters of types and their subtypes (+a.b.C): these are asked of the JVM. */
bool filters_has_subtypes(const struct filters *filters);

/* True if what they mean is not known before what is above a class is (!+a.b.C). */
bool filters_wait(const struct filters *filters);

/*
 * What is known of a class before it is read. is_below tells whether it is of the type, or
 * below it ("a.b.Base", with dots, maybe a pattern). NULL: what is above it is not known,
 * and filters of subtypes mean the type itself.
 */
typedef bool filters_is_below(void *context, struct str type);
struct filters_class {
	struct str name;		/* "a/b/C" */
	filters_is_below *is_below;
	void *context;			/* of is_below */
	const void *texts;		/* its constants, or the whole file: these are */
	size_t size;			/* looked for, and not read. NULL: not known */
};

/* False: no method of such a class is selected. True if it may be. */
bool filters_may_have(const struct filters *filters, const struct filters_class *type);

/* True if filters mean it because of what is above it, and would not by its name. */
bool filters_mean_above(const struct filters *filters, const struct filters_class *type);

/*
 * Of a class file: the kinds of probes that the method is to have, and those that filters
 * with ! take from it. 0: none. Without memory false.
 */
struct filters_asked {
	const struct classfile *file;
	const struct classfile_method *method;
	filters_is_below *is_below;	/* as above */
	void *context;
};
struct filters_kinds {
	unsigned selected, taken;
};
bool filters_of(const struct filters *filters, const struct filters_asked *asked,
		struct filters_kinds *kinds);

/* That is news: it counts for the filters that select it, or take it out. */
void filters_hit(struct filters *filters, const struct filters_asked *asked,
		 struct filters_kinds news);

/* "java.lang.String,int[]" of a descriptor; bytes NULL: that is none. */
struct str filters_parameters(struct str descriptor, struct buf *room);

/*
 * A method that can have no probe: the kinds that somebody asks for who has named its
 * class, and not by a pattern; why not is to be told then. 0: there is none. `why`: enum
 * outcome_result. Without memory 0. Of the file the name is enough.
 */
unsigned filters_in_vain(const struct filters *filters, const struct filters_asked *asked,
			 int *why);

/* True if a filter has just this class, no pattern, though no method of it can have one. */
bool filters_name_in_vain(const struct filters *filters, struct str class_name);

/* True: the class, or the method of it (bytes NULL: all), can have no probe. */
bool filters_is_excluded(struct str class_name, struct str method);

/* True if a method has been selected so far. */
bool filters_have_selected(const struct filters *filters);

/* True if there are filters of annotations, and one of them has selected nothing so far. */
bool filters_seek_annotations(const struct filters *filters);

/*
 * Filters that have selected nothing so far, or taken nothing out (but there was something
 * that they could have). `is_lost`: what it means, others took out.
 */
struct filters_unmatched {
	unsigned kind;
	const struct methodfilter *filter;
	const struct methodfilter_item *item;	/* one of its */
	bool is_lost;
};
typedef void filters_told(void *context, const struct filters_unmatched *unmatched);
void filters_unmatched(const struct filters *filters, filters_told *told,
		       void *context);

void filters_clear(struct filters *filters);

#endif
