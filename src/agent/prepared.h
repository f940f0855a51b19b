/*
 * prepared.h - names of methods whose class may be unloaded, copied while it is there.
 *
 * Samples refer to methods by the JVM's numbers, and are looked at later. A class is one
 * block of memory: it costs about a hundred bytes a method, most of that for text.
 * No lock: the caller has one.
 */
#ifndef AGENT_PREPARED_H
#define AGENT_PREPARED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"

struct prepared_method {
	uint64_t id;			/* the JVM's */
	uint32_t text;			/* where in the class's text its names are */
	uint16_t modifiers;
};

struct prepared_type {
	uint64_t key;			/* POOL_CLASS */
	uint64_t loader;		/* POOL_CLASS_LOADER */
	void *reference;		/* to the class: the caller's */
	int32_t modifiers;
};

struct prepared_class {
	struct prepared_type type;
	uint32_t count;
	struct prepared_method methods[];	/* behind them the text */
};

/* Zeroed, it has none. */
struct prepared {
	VEC(struct prepared_class *) all;
	struct map by_id, by_key;		/* index in `all` */
};

void prepared_clear(struct prepared *prepared);

/* A class in the making; zeroed, it has no methods. Its name comes first. */
struct prepared_draft {
	VEC(struct prepared_method) methods;
	struct buf text;
	bool failed;			/* no memory */
};
void prepared_begin(struct prepared_draft *draft, const char *name);
void prepared_add(struct prepared_draft *draft, uint64_t id, const char *name,
		  const char *descriptor, uint16_t modifiers);

/* The class, for the caller to free; NULL without memory. The draft is empty then. */
struct prepared_class *prepared_made(struct prepared_draft *draft,
				     const struct prepared_type *type);

/* Takes over the class. False: it is there already, or without memory. */
bool prepared_put(struct prepared *prepared, struct prepared_class *made);

bool prepared_has(const struct prepared *prepared, uint64_t key);

/* Takes it out, for the caller to free; NULL: it is not there. */
struct prepared_class *prepared_take(struct prepared *prepared, uint64_t key);

/* What is known of a method, until its class is taken out. False: nothing. */
struct prepared_names {
	const struct prepared_type *type;
	const char *type_name, *name, *descriptor;
	uint16_t modifiers;
};
bool prepared_find(const struct prepared *prepared, uint64_t id,
		   struct prepared_names *names);

#endif
