/*
 * prepared.h - methods whose class may be unloaded, copied while it is there.
 *
 * Samples refer to methods by the JVM's numbers, and are looked at later. A class is one
 * block of memory: it costs about a hundred bytes a method, most of that for names, and
 * two for each of its lines. It is its owner's, with whom it goes: that is the loader of
 * all its classes, or the class itself. No lock: the caller has one.
 */
#ifndef AGENT_PREPARED_H
#define AGENT_PREPARED_H

#include <stdbool.h>
#include <stdint.h>

#include "jfr/lines.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"

struct prepared_method {
	uint64_t id;			/* the JVM's */
	uint32_t text;			/* where in the class's text names and lines are */
	uint16_t modifiers;
};

struct prepared_type {
	uint64_t owner;			/* its tag */
	uint64_t key;			/* POOL_CLASS; 0: it has none yet */
	uint64_t loader;		/* POOL_CLASS_LOADER */
	int32_t modifiers;
};

struct prepared_class {
	struct prepared_type type;
	struct prepared_class *next;	/* of the owner */
	uint32_t index;			/* in `all` */
	uint32_t count;
	struct prepared_method methods[];	/* behind them the text */
};

struct prepared_owner {
	uint64_t tag;
	void *reference;		/* to it: the caller's */
	struct prepared_class *first;
};

/* Zeroed, it has none. */
struct prepared {
	VEC(struct prepared_class *) all;
	VEC(struct prepared_owner) owners;
	struct map by_id;		/* index in `all` */
	struct map by_tag;		/* index in `owners` */
};

/* A class in the making; zeroed, it has no methods. Its name comes first. */
struct prepared_draft {
	VEC(struct prepared_method) methods;
	struct buf text;
	bool failed;			/* no memory */
};
void prepared_begin(struct prepared_draft *draft, const char *name);
void prepared_add(struct prepared_draft *draft, uint64_t id, const char *name,
		  const char *descriptor, uint16_t modifiers,
		  const struct lines *lines);

/* The class, for the caller to free; NULL without memory. The draft is empty then. */
struct prepared_class *prepared_made(struct prepared_draft *draft,
				     const struct prepared_type *type);

/* An owner, which has no class yet. False: it is there already, or without memory. */
bool prepared_own(struct prepared *prepared, uint64_t tag, void *reference);
bool prepared_is_owner(const struct prepared *prepared, uint64_t tag);

/* Takes over the class. False: it is there already, has no owner, or without memory. */
bool prepared_put(struct prepared *prepared, struct prepared_class *made);

/* True if the method is one of a class that is there. */
bool prepared_has(const struct prepared *prepared, uint64_t id);

/* Takes out a class of that owner, for the caller to free; NULL: it has none. */
struct prepared_class *prepared_take(struct prepared *prepared, uint64_t tag);

/* Takes out an owner that has no class; gives its reference, NULL: it is not there. */
void *prepared_disown(struct prepared *prepared, uint64_t tag);

/* What is known of a method, until its class is taken out. False: nothing. */
struct prepared_names {
	const struct prepared_type *type;
	void *reference;		/* the owner's */
	const char *type_name, *name, *descriptor;
	struct str lines;		/* lines_encode */
	uint16_t modifiers;
};
bool prepared_find(const struct prepared *prepared, uint64_t id,
		   struct prepared_names *names);

/* The class of that method has got this key. */
void prepared_set_key(struct prepared *prepared, uint64_t id, uint64_t key);

/* Frees all that is there. */
void prepared_clear(struct prepared *prepared);

#endif
