/*
 * rule.h - patterns that let events pass, or hold them back.
 *
 * The grammar is the JDK's: patterns separated by commas, `*` any run, `?` one
 * character. An event type matches by its full name or the part after the last dot, a
 * category by its name or its acronym ("JVM" for "Java Virtual Machine"), and a thread
 * by its Java name alone (threads.h).
 */
#ifndef FILTER_RULE_H
#define FILTER_RULE_H

#include <stdbool.h>

#include "base/str.h"
#include "jfr/metadata.h"

enum rule_kind {
	RULE_EVENTS,
	RULE_CATEGORIES,
	RULE_THREADS,
};

struct rule {
	enum rule_kind kind;
	bool is_excluding;	/* what matches is held back, all else passes */
	struct str patterns;	/* borrowed */
};

/* True if one of the patterns matches the event type; never for threads. */
bool rule_matches(const struct rule *rule, const struct type *type);

/* True if events of that type may pass, which for threads cannot be told yet. */
bool rule_accepts(const struct rule *rule, const struct type *type);

#endif
