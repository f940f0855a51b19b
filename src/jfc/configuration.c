#include "jfc/configuration.h"

/* So much may all files take together. */
#define ARENA_LIMIT ((size_t)64 << 20)

/* And so many controls they may have: each may be asked of each setting. */
#define CONTROLS_MAX 1000

bool configuration_init(struct configuration *all, struct err *err)
{
	*all = (struct configuration){ .arena.limit = ARENA_LIMIT };
	all->root = node_new(NODE_CONFIGURATION, &all->arena);
	return (all->root &&
		node_set(all->root, STR("version"), STR("2.0"), &all->arena) &&
		node_set(all->root, STR("label"), STR("Custom"), &all->arena)) ||
	       err_memory(err);
}

struct node *configuration_begin(struct configuration *all)
{
	struct node *file = node_new(NODE_CONFIGURATION, &all->arena);

	if (file)
		file->file = ++all->files;
	return file;
}

/* --- controls by name ------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
	const struct control *one = a, *other = b;
	int order = str_compare(one->name, other->name);

	if (order)
		return order;
	return one->order < other->order ? -1 : one->order > other->order;
}

/* The first of that name, or NULL. */
static struct control *find(const struct configuration *all, struct str name)
{
	size_t low = 0, high = all->controls.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (str_compare(all->controls.items[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == all->controls.count || !str_is(all->controls.items[low].name, name))
		return NULL;
	return &all->controls.items[low];
}

struct control *configuration_control(const struct configuration *all, struct str name,
				      unsigned file)
{
	struct control *first = find(all, name);

	return first && first->node->file == file ? first : NULL;
}

size_t configuration_namesakes(const struct configuration *all,
			       const struct control *first)
{
	const struct control *end = all->controls.items + all->controls.count;
	size_t count = 0;

	while (first + count < end && str_is(first[count].name, first->name))
		count++;
	return count;
}

static bool add_controls(struct configuration *all, struct node *control,
			 struct err *err)
{
	for (struct node *at = node_child(control, NODE_CONTROLS); at;
	     at = node_next(at, NODE_CONTROLS)) {
		struct control new = { .node = at,
				       .name = node_get(at, STR("name")),
				       .order = all->controls.count };

		if (all->controls.count == CONTROLS_MAX)
			return err_set(err, ERR_FORMAT,
				       "line %u: there are more than %d controls",
				       at->line, CONTROLS_MAX);
		if (!vec_push(&all->controls, new))
			return err_memory(err);
	}
	return true;
}

/* Those of one name come in the order of their files. */
static bool check_files(const struct configuration *all, struct err *err)
{
	const struct control *first = NULL;

	for (size_t i = 1; i < all->controls.count; i++) {
		const struct control *one = &all->controls.items[i];

		if (str_is(one->name, one[-1].name) &&
		    one->node->file != one[-1].node->file &&
		    (!first || one->order < first->order))
			first = one;
	}
	if (!first)
		return true;
	return err_set(err, ERR_FORMAT,
		       "line %u: another file declares the control '%.*s' already",
		       first->node->line, (int)first->name.size, first->name.bytes);
}

bool configuration_join(struct configuration *all, struct node *file, struct err *err)
{
	if (!node_check(file, err))
		return false;
	for (struct node *at = node_child(file, NODE_BIT(NODE_CONTROL)); at;
	     at = node_next(at, NODE_BIT(NODE_CONTROL))) {
		if (!add_controls(all, at, err))
			return false;
	}
	if (all->controls.count)
		qsort(all->controls.items, all->controls.count,
		      sizeof(*all->controls.items), compare);
	node_move(all->root, file);
	return check_files(all, err);
}

/* --- going through it ------------------------------------------------------------ */

/* The first child of those kinds in a parent of that kind, from this parent on. */
static struct node *first_in(struct node *parent, enum node_kind kind, unsigned kinds)
{
	for (; parent; parent = node_next(parent, NODE_BIT(kind))) {
		struct node *found = node_child(parent, kinds);

		if (found)
			return found;
	}
	return NULL;
}

static struct node *next_in(const struct node *node, enum node_kind kind,
			    unsigned kinds)
{
	struct node *next = node_next(node, kinds);

	return next ? next
		    : first_in(node_next(node->parent, NODE_BIT(kind)), kind, kinds);
}

struct node *configuration_input(const struct configuration *all)
{
	return first_in(node_child(all->root, NODE_BIT(NODE_CONTROL)), NODE_CONTROL,
			NODE_INPUTS);
}

struct node *configuration_next_input(const struct node *input)
{
	return next_in(input, NODE_CONTROL, NODE_INPUTS);
}

struct node *configuration_find_input(const struct configuration *all, struct str name)
{
	const struct control *first = find(all, name);
	size_t count = first ? configuration_namesakes(all, first) : 0;

	for (size_t i = 0; i < count; i++) {
		if (NODE_INPUTS & NODE_BIT(first[i].node->kind))
			return first[i].node;
	}
	return NULL;
}

struct node *configuration_setting(const struct configuration *all)
{
	return first_in(node_child(all->root, NODE_BIT(NODE_EVENT)), NODE_EVENT,
			NODE_BIT(NODE_SETTING));
}

struct node *configuration_next_setting(const struct node *setting)
{
	return next_in(setting, NODE_EVENT, NODE_BIT(NODE_SETTING));
}

struct node *configuration_find_event(const struct configuration *all, struct str name)
{
	struct node *event = node_child(all->root, NODE_BIT(NODE_EVENT));

	while (event && !str_is(node_get(event, STR("name")), name))
		event = node_next(event, NODE_BIT(NODE_EVENT));
	return event;
}

const struct node *configuration_chosen(const struct node *selection)
{
	struct str name = node_get(selection, STR("default"));
	const struct node *first = node_child(selection, NODE_BIT(NODE_OPTION));
	const struct node *at = first;

	while (at && !str_is(node_get(at, STR("name")), name))
		at = node_next(at, NODE_BIT(NODE_OPTION));
	return at ? at : first;
}

void configuration_missing(const struct configuration *all, unsigned file,
			   void (*told)(void *context, const struct node *setting),
			   void *context)
{
	for (const struct node *at = configuration_setting(all); at;
	     at = configuration_next_setting(at)) {
		struct str control = node_get(at, STR("control"));

		if (at->file == file && control.bytes &&
		    !configuration_control(all, control, file))
			told(context, at);
	}
}

void configuration_clear(struct configuration *all)
{
	vec_clear(&all->controls);
	arena_clear(&all->arena);
	*all = (struct configuration){ .root = NULL };
}
