#include "jfc/node.h"

#include <strings.h>

static const struct rule {
	const char *name;
	bool is_entity;
	unsigned children;		/* kinds it can have in it */
	const char *attributes[3];	/* that it must have */
} rules[NODE_KINDS] = {
	[NODE_UNKNOWN] = { NULL, true, 0, { NULL } },
	[NODE_CONFIGURATION] = { "configuration", true,
				 NODE_BIT(NODE_EVENT) | NODE_BIT(NODE_CONTROL),
				 { "version", "label" } },
	[NODE_EVENT] = { "event", true, NODE_BIT(NODE_SETTING), { "name" } },
	[NODE_SETTING] = { "setting", false, 0, { "name" } },
	[NODE_CONTROL] = { "control", true, NODE_CONTROLS, { NULL } },
	[NODE_CONDITION] = { "condition", true, NODE_EXPRESSIONS, { "name" } },
	[NODE_SELECTION] = { "selection", true, NODE_BIT(NODE_OPTION),
			     { "name", "label", "default" } },
	[NODE_OPTION] = { "option", false, 0, { "label", "name" } },
	[NODE_TEXT] = { "text", true, 0, { "name", "label" } },
	[NODE_FLAG] = { "flag", true, 0, { "name", "label" } },
	[NODE_OR] = { "or", false, NODE_EXPRESSIONS, { NULL } },
	[NODE_AND] = { "and", false, NODE_EXPRESSIONS, { NULL } },
	[NODE_NOT] = { "not", false, NODE_EXPRESSIONS, { NULL } },
	[NODE_TEST] = { "test", false, NODE_EXPRESSIONS,
			{ "name", "operator", "value" } },
};

#define ANY ((size_t)-1)

/* How many children of those kinds there must be, and what to say if there are not. */
static const struct amount {
	unsigned kinds;
	size_t least, most;
	const char *problem;
} amounts[NODE_KINDS] = {
	[NODE_SELECTION] = { NODE_BIT(NODE_OPTION), 1, ANY, "has no <option>" },
	[NODE_CONDITION] = { NODE_EXPRESSIONS, 0, 1,
			     "cannot have more than one expression in it" },
	[NODE_OR] = { NODE_EXPRESSIONS, 2, ANY,
		      "must have two expressions in it or more" },
	[NODE_AND] = { NODE_EXPRESSIONS, 2, ANY,
		       "must have two expressions in it or more" },
	[NODE_NOT] = { NODE_EXPRESSIONS, 1, 1, "must have one expression in it" },
	[NODE_TEST] = { NODE_EXPRESSIONS, 0, 0, "cannot have expressions in it" },
};

struct str node_kind_name(enum node_kind kind)
{
	return str_of(rules[kind].name);
}

bool node_is_entity(const struct node *node)
{
	return rules[node->kind].is_entity;
}

static enum node_kind kind_of(struct str name, unsigned among)
{
	for (unsigned kind = NODE_UNKNOWN + 1; kind < NODE_KINDS; kind++) {
		struct str known = node_kind_name(kind);

		if (among & NODE_BIT(kind) && name.size == known.size &&
		    strncasecmp(name.bytes, known.bytes, known.size) == 0)
			return kind;
	}
	return NODE_UNKNOWN;
}

static struct str copy(struct str text, struct arena *arena)
{
	return (struct str){ arena_copy(arena, text.bytes, text.size), text.size };
}

struct node *node_new(enum node_kind kind, struct arena *arena)
{
	struct node *node = arena_alloc(arena, sizeof(*node));

	if (node) {
		node->kind = kind;
		node->name = node_kind_name(kind);
	}
	return node;
}

static void append(struct node *parent, struct node *node)
{
	node->parent = parent;
	node->next = NULL;
	if (parent->last)
		parent->last->next = node;
	else
		parent->first = node;
	parent->last = node;
}

struct node *node_add(struct node *parent, struct str name, struct arena *arena)
{
	enum node_kind kind = kind_of(name, rules[parent->kind].children);
	struct node *node = node_new(kind, arena);

	if (node && kind == NODE_UNKNOWN)
		node->name = copy(name, arena);
	if (!node || !node->name.bytes)
		return NULL;
	node->file = parent->file;
	append(parent, node);
	return node;
}

void node_move(struct node *to, struct node *from)
{
	struct node *node = from->first;

	while (node) {
		struct node *next = node->next;

		append(to, node);
		node = next;
	}
	from->first = from->last = NULL;
}

struct str node_get(const struct node *node, struct str name)
{
	for (const struct node_attribute *at = node->attributes; at; at = at->next) {
		if (str_is(at->name, name))
			return at->value;
	}
	return (struct str){ NULL, 0 };
}

bool node_set(struct node *node, struct str name, struct str value, struct arena *arena)
{
	struct node_attribute **at = &node->attributes, *new;
	struct str kept = copy(value, arena);

	while (*at && !str_is((*at)->name, name))
		at = &(*at)->next;
	if (!kept.bytes)
		return false;
	if (*at) {
		(*at)->value = kept;
		return true;
	}
	new = arena_alloc(arena, sizeof(*new));
	if (!new)
		return false;
	*new = (struct node_attribute){ copy(name, arena), kept, NULL };
	if (!new->name.bytes)
		return false;
	*at = new;
	return true;
}

static struct node *skip_to(struct node *node, unsigned kinds)
{
	while (node && !(kinds & NODE_BIT(node->kind)))
		node = node->next;
	return node;
}

struct node *node_child(const struct node *parent, unsigned kinds)
{
	return skip_to(parent->first, kinds);
}

struct node *node_next(const struct node *node, unsigned kinds)
{
	return skip_to(node->next, kinds);
}

/* --- what must be there ---------------------------------------------------------- */

static bool check_attributes(const struct node *node, struct err *err)
{
	const struct rule *rule = &rules[node->kind];

	for (size_t i = 0; i < 3 && rule->attributes[i]; i++) {
		if (!node_get(node, str_of(rule->attributes[i])).bytes)
			return err_set(err, ERR_FORMAT,
				       "line %u: <%s> has no attribute '%s'",
				       node->line, rule->name, rule->attributes[i]);
	}
	return true;
}

static bool check_version(const struct node *node, struct err *err)
{
	struct str version = node_get(node, STR("version"));

	if (str_is(version, STR("2.0")))
		return true;
	return err_set(err, ERR_FORMAT,
		       "line %u: the version must be 2.0, but is '%.*s'", node->line,
		       (int)version.size, version.bytes);
}

static bool check_operator(const struct node *node, struct err *err)
{
	struct str operator = node_get(node, STR("operator"));

	if (operator.size == 5 && strncasecmp(operator.bytes, "equal", 5) == 0)
		return true;
	return err_set(err, ERR_FORMAT,
		       "line %u: the operator of <test> must be 'equal', but is '%.*s'",
		       node->line, (int)operator.size, operator.bytes);
}

static size_t count(const struct node *parent, unsigned kinds)
{
	size_t found = 0;

	for (const struct node *at = node_child(parent, kinds); at;
	     at = node_next(at, kinds))
		found++;
	return found;
}

static bool check_children(const struct node *node, struct err *err)
{
	const struct amount *amount = &amounts[node->kind];
	size_t found = count(node, amount->kinds);

	if (!amount->problem || (found >= amount->least && found <= amount->most))
		return true;
	return err_set(err, ERR_FORMAT, "line %u: <%s> %s", node->line,
		       rules[node->kind].name, amount->problem);
}

bool node_check(const struct node *node, struct err *err)
{
	if (node->kind == NODE_UNKNOWN)
		return true;
	if (!check_attributes(node, err))
		return false;
	if (node->kind == NODE_CONFIGURATION && !check_version(node, err))
		return false;
	if (node->kind == NODE_TEST && !check_operator(node, err))
		return false;
	if (!check_children(node, err))
		return false;
	for (const struct node *at = node->first; at; at = at->next) {
		if (!node_check(at, err))
			return false;
	}
	return true;
}
