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

struct filters_of_kind {
	unsigned kind;			/* enum probe_kind */
	struct methodfilter filter;
	atomic_uint_fast64_t *hits;	/* of each item: methods that it selected */
};

struct filters {
	struct filters_of_kind of[2];
	size_t count;
};

/* ERR_USAGE names the filter that is wrong, and why. An empty text selects nothing. */
bool filters_add(struct filters *filters, unsigned kind, struct str text,
		   struct err *err);

/* True if no method at all is selected. */
bool filters_is_empty(const struct filters *filters);

/* True if it has filters of types and their subtypes (+a.b.C): these are asked of the JVM. */
bool filters_has_subtypes(const struct filters *filters);

/*
 * By name alone ("a/b/C"), before any bytes are looked at: false: no method of such a
 * class is selected. True if it may be.
 */
bool filters_may_have(const struct filters *filters, struct str class_name);

/* The same, where all constants of the class are known (UTF-8 texts in its pool). */
bool filters_may_have_constants(const struct filters *filters,
				  struct str class_name, const uint8_t *constants,
				  size_t size);

/*
 * Of a class file: the kinds of probes that the method is to have; 0: none. is_below, which
 * may be NULL, tells whether the class is of the type, or below it ("a.b.Base", with
 * dots, maybe a pattern).
 */
typedef bool filters_is_below(void *context, struct str type);
unsigned filters_of(struct filters *filters, const struct classfile *file,
		      const struct classfile_method *method,
		      filters_is_below *is_below, void *context);

/* True: the class, or the method of it (bytes NULL: all), can have no probe. */
bool filters_is_excluded(struct str class_name, struct str method);

/* Filters that select (no `!`) and have selected nothing so far. */
typedef void filters_told(void *context, unsigned kind,
			    const struct methodfilter_item *item);
void filters_unmatched(const struct filters *filters, filters_told *told,
			 void *context);

void filters_clear(struct filters *filters);

#endif
