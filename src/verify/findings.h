/*
 * findings.h - what there is to say against a recording, and where.
 *
 * A fault: something is lost, or is not what it should be. A remark: odd, but nothing
 * is lost. Of each cause no more are kept than the limit says, and all are counted. Not
 * for threads to share.
 */
#ifndef VERIFY_FINDINGS_H
#define VERIFY_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "jfr/damage.h"

enum severity { SEVERITY_FAULT, SEVERITY_REMARK };

struct cause {
	const char *text;	/* a string literal; the same text is the same cause */
	enum severity severity;
};

#define FAULT(text_) { (text_), SEVERITY_FAULT }
#define REMARK(text_) { (text_), SEVERITY_REMARK }

struct finding {
	struct cause cause;
	struct site site;
	struct str type;	/* event type or constant pool; may be empty */
	struct str detail;	/* what more there is to say; may be empty */
	size_t number;		/* in the order in which they were found */
};

/* How often there was a cause. */
struct kind {
	struct cause cause;
	uint64_t count;
	uint64_t kept;		/* of them, those that were kept, or told */
};

struct kinds {
	VEC(struct kind) list;	/* in the order of their first finding */
};

/* The kind of that cause, with a count of 0 if it is new; NULL without memory. */
struct kind *kinds_find(struct kinds *kinds, const struct cause *cause);

struct findings {
	uint64_t limit;			/* kept for each cause; set by the owner */
	VEC(struct finding) items;
	struct kinds kinds;
	struct arena arena;		/* their texts */
	bool failed;			/* memory ran out */
};

/* Adds one. The format makes the detail; it may be NULL. */
void findings_add(struct findings *findings, const struct cause *cause, struct str type,
		  struct site site, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Damage whose faults are added to the findings from now on; notes become remarks. */
struct damage findings_damage(struct findings *findings);

/* Puts those from the index on in the order of their bytes. */
void findings_sort(struct findings *findings, size_t from);

/* Forgets all but the limit. */
void findings_reset(struct findings *findings);

void findings_clear(struct findings *findings);

#endif
