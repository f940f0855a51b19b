/*
 * node.h - an element of a .jfc file, in a tree of them.
 *
 * What an element is follows from its name and the element it is in; what is not known
 * there is kept as it is. All memory, also of names and values that are set, belongs to
 * the arena that is given; functions that need some return NULL or false without it.
 */
#ifndef JFC_NODE_H
#define JFC_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum node_kind {
	NODE_UNKNOWN,
	NODE_CONFIGURATION,
	NODE_EVENT,
	NODE_SETTING,
	NODE_CONTROL,
	NODE_CONDITION,
	NODE_SELECTION,
	NODE_OPTION,
	NODE_TEXT,
	NODE_FLAG,
	NODE_OR,
	NODE_AND,
	NODE_NOT,
	NODE_TEST,
	NODE_KINDS,
};

/* Kinds as a set. */
#define NODE_BIT(kind) (1u << (kind))

/* What a user sets, what settings and tests refer to, what conditions are made of. */
#define NODE_INPUTS                                                                    \
	(NODE_BIT(NODE_SELECTION) | NODE_BIT(NODE_TEXT) | NODE_BIT(NODE_FLAG))
#define NODE_CONTROLS (NODE_INPUTS | NODE_BIT(NODE_CONDITION))
#define NODE_EXPRESSIONS                                                               \
	(NODE_BIT(NODE_OR) | NODE_BIT(NODE_AND) | NODE_BIT(NODE_NOT) |                 \
	 NODE_BIT(NODE_TEST))

/* More attributes no element can have. */
#define NODE_ATTRIBUTES_MAX 256

struct node_attribute {
	struct str name, value;
	struct node_attribute *next;
};

struct node {
	enum node_kind kind;
	struct str name;		/* of a known kind in lower case */
	struct node_attribute *attributes;	/* in their order */
	struct str content;		/* bytes NULL: none */
	struct node *parent;
	struct node *first, *last;	/* what is in it */
	struct node *next;
	unsigned file;			/* which of several it comes from */
	unsigned line;			/* in the file; 0: it comes from none */
};

/* An element that stands alone, of a kind that is no secret. */
struct node *node_new(enum node_kind kind, struct arena *arena);

/* One more element, behind all others in the parent. Letter case does not matter. */
struct node *node_add(struct node *parent, struct str name, struct arena *arena);

/* Moves all that is in `from` behind what is in `to`. */
void node_move(struct node *to, struct node *from);

/* The value of the attribute; bytes NULL: it has none of that name. */
struct str node_get(const struct node *node, struct str name);

/* Sets or replaces, with a copy of the value. */
bool node_set(struct node *node, struct str name, struct str value,
	      struct arena *arena);

/* The first child of those kinds, and the next one behind it, or NULL. */
struct node *node_child(const struct node *parent, unsigned kinds);
struct node *node_next(const struct node *node, unsigned kinds);

/* The kind's name, and whether empty lines surround it in a file. */
struct str node_kind_name(enum node_kind kind);
bool node_is_entity(const struct node *node);

/*
 * Whether it, and all in it, has what it must have. False with ERR_FORMAT, the line and
 * the cause. Recurses: the depth must be limited where the tree is made.
 */
bool node_check(const struct node *node, struct err *err);

#endif
